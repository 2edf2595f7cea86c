"""What is installed is what is here: each data file of the package is packaged."""

import ast
import errno
import json
import os
import pickle
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import brikks_vision.detect
from brikks_vision import errors, files
from brikks_vision.errors import BrikksError, ExitCode, PhotoEmpty
from brikks_vision.files import try_lock
from brikks_vision.rules.blox import material as blox
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import fact_names, phrase

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


# --- locks of files -------------------------------------------------------------------------------


def test_a_lock_is_held_until_its_file_is_closed(tmp_path: Path) -> None:
    first, second = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert (try_lock(first), try_lock(second)) == (True, False)
    os.close(first)
    assert try_lock(second)
    os.close(second)


@pytest.mark.parametrize(
    ("code", "is_free"),
    [
        (errno.EACCES, False),
        (errno.EDEADLK, False),
        (errno.EINVAL, True),
        (errno.EBADF, True),
        (None, True),
    ],
)
def test_what_windows_says_of_a_lock(
    code: int | None, is_free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locking(*_: int) -> None:
        if code is not None:
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    there = runpy.run_path(files.__file__)
    assert there["try_lock"](7) is is_free


# --- the rules are a library of their own ---------------------------------------------------------


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


# --- each limit of detection says beside it what it means -----------------------------------------


FILES = sorted(Path(brikks_vision.detect.__file__).parent.glob("*.py"))


def unexplained(file: Path) -> list[str]:
    """Limits at the top of a module without a comment in their line or in the line above."""
    text = file.read_text("utf-8")
    lines = text.splitlines()
    return [
        lines[statement.lineno - 1]
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign)
        and lines[statement.lineno - 1].lstrip("_").startswith(("MIN_", "MAX_"))
        and "  # " not in lines[(statement.end_lineno or 0) - 1]
        and not lines[statement.lineno - 2].startswith("# ")
    ]


def test_each_limit_says_what_it_means() -> None:
    assert len(FILES) > 20
    assert {file.name: found for file in FILES if (found := unexplained(file))} == {}


# --- every error is one of what it was, and says in every language what it said -------------------


BASES = {"BrikksError", "WrongUse", "PartsMissing", "RecordFailure", "PhotoUnreadable"}
KEPT = Path(__file__).with_name("error_sentences.json")
FACTS: dict[str, Any] = {
    "side": "left",
    "why": PhotoEmpty(),
    "told": phrase("brikks.settings-rule"),
    "rule": phrase("brikks.settings-rule"),
    "first": (0, 1),
    "field": (2, 3),
    "start": (4, 5),
    "target": (6, 7),
    "pawn": PawnColor.RED,
    "color": Color.GREY,
    "count": 5,
    "height": 4,
    "phase": 3,
    "due": 2,
}


def classes_from(kind: type) -> Iterator[type]:
    """The package's own classes of this kind, but for the general ones of BLOX."""
    if kind not in (blox.BloxError, blox.IllegalActionError):
        yield kind
    for each in kind.__subclasses__():
        if each.__module__.startswith("brikks_vision."):
            yield from classes_from(each)


CLASSES = [*classes_from(BrikksError), *classes_from(blox.BloxError)]


def made(kind: type) -> Any:
    """An error of this class, each of its facts its own name or one of `FACTS`."""
    names = dict.fromkeys(fact_names(kind))
    if issubclass(kind, blox.BloxError):
        del names["told"]
    return kind(*(FACTS.get(name, name.upper()) for name in names))


def told() -> dict[str, Any]:
    """By class, what it is one of, how the program ends, its facts, and its sentences."""
    return {
        kind.__name__: {
            "base": kind.__base__.__name__,
            "exit_code": getattr(kind, "exit_code", None),
            "facts": [*getattr(error, "facts", ())],
            **{language: error.text(language) for language in LANGUAGES},
        }
        for kind in CLASSES
        for error in (made(kind),)
    }


def test_every_sentence_is_as_it_was() -> None:
    assert told() == json.loads(KEPT.read_text("utf-8"))


def test_every_class_but_the_bases_has_a_sentence_of_its_own() -> None:
    english = texts_in("en").errors
    names = {name for name, kind in vars(errors).items() if kind in CLASSES} - BASES
    assert names == {*english} - {"BrikksError"}
    assert len({*english.values()}) == len(english) > 140


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_can_be_sent_to_another_process(kind: type) -> None:
    error = made(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert [again.text(language) for language in LANGUAGES] == [
        error.text(language) for language in LANGUAGES
    ]


def test_facts_are_given_in_their_order_or_by_name() -> None:
    in_order = errors.TooManyPixels(120, 100)
    by_name = errors.TooManyPixels(limit=100, megapixels=120)
    assert str(in_order) == str(by_name)
    assert (in_order.megapixels, in_order.limit) == (120, 100)
    assert in_order.exit_code is ExitCode.UNREADABLE


if __name__ == "__main__":
    lines = [json.dumps({name: each}, ensure_ascii=False)[1:-1] for name, each in told().items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
