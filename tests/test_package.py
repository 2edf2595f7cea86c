"""What is installed is what is here: each data file of the package is packaged."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "brikks_vision"


def test_every_data_file_of_the_package_is_installed_with_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packaged = {
        file
        for pattern in settings["package-data"]["brikks_vision"]
        for file in PACKAGE.glob(pattern)
    }
    here = {
        file for file in PACKAGE.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")
    }
    assert here and here == packaged
