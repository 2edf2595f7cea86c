"""The words that the user reads, in four languages: data in ``<language>/*.json``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from brikks_vision.text.spaces import all_spaced

LANGUAGES = ("en", "de", "fr", "es")
FOLDERS = [Path(__file__).parent]
"""Where the texts are. A program with a game of its own adds its folder before it reads texts."""

_PARTS = ("words", "help", "options", "report", "phrases", "page", "errors", "answers")


@dataclass(frozen=True)
class Texts:
    """The texts of one language.

    words: by their English meaning. help: of the command, by key. options: of the command's
    arguments and options, by their English text. report: by key. errors: by class name. phrases: by
    key; a template, or one for each count with "other" for all others. page: of the page for the
    phone, by key. answers: what a person may write in an answer, by kind of place and by mark; the
    first is the one that is shown.
    """

    language: str
    words: dict[str, str]
    help: dict[str, str]
    options: dict[str, str]
    report: dict[str, str]
    phrases: dict[str, str | dict[str, str]]
    page: dict[str, str]
    errors: dict[str, str]
    answers: dict[str, list[str]]


@cache
def texts_in(language: str) -> Texts:
    """The texts in ``language``, one of ``LANGUAGES``; English for any other.

    All files of ``text/<language>/`` together. Phrases and answers in a game's file are known by
    the game's name and their key, with a point between.
    """
    known = language if language in LANGUAGES else "en"
    parts: dict[str, dict[str, Any]] = {name: {} for name in _PARTS}
    files = [file for folder in FOLDERS for file in folder.joinpath(known).iterdir()]
    for file in sorted(files, key=lambda file: file.name):
        if not file.name.endswith(".json"):
            continue
        book = file.name.removesuffix(".json")
        for part, texts in json.loads(file.read_text("utf-8")).items():
            if part in ("phrases", "answers") and book != "common":
                texts = {f"{book}.{key}": text for key, text in texts.items()}
            # In French everywhere, not on the page alone. Answers are compared with what is typed.
            is_set = known == "fr" and part != "answers"
            parts[part] |= all_spaced(texts, known) if is_set else texts
    return Texts(known, **parts)


def all_texts() -> tuple[Texts, ...]:
    """The texts of every language."""
    return tuple(map(texts_in, LANGUAGES))


def language_of_locale() -> str:
    """The language of the user's locale if it is one of ``LANGUAGES``, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return _known(value)
    import locale

    return _known(locale.getlocale()[0] or "en")


def _known(locale_name: str) -> str:
    # Windows spells the language out: "German_Germany".
    spelled = {"german": "de", "french": "fr", "spanish": "es"}
    language = locale_name.replace("-", "_").split("_")[0].split(".")[0].lower()
    language = spelled.get(language, language)
    return language if language in LANGUAGES else "en"
