"""The rules are a library of their own."""

import subprocess
import sys


def test_the_rules_load_neither_numpy_nor_opencv():
    program = (
        "import sys, pkgutil, importlib, brikks_vision.rules as rules\n"
        "for module in pkgutil.walk_packages(rules.__path__, 'brikks_vision.rules.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(*{'numpy', 'cv2', 'brikks_vision.detect'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
