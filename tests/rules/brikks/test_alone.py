"""The rules are a library of their own."""

import subprocess
import sys


def test_the_rules_load_neither_numpy_nor_opencv():
    program = (
        "import sys, pkgutil, importlib, brikks_vision.rules as rules\n"
        "for module in pkgutil.iter_modules(rules.__path__):\n"
        "    importlib.import_module(f'brikks_vision.rules.{module.name}')\n"
        "print(*{'numpy', 'cv2', 'brikks_vision.detect'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
