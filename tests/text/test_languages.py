"""Each language is whole: the same keys in the same files as English, and no text left in it."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from brikks_vision.text.languages import FOLDERS, LANGUAGES

OTHERS = [language for language in LANGUAGES if language != "en"]
FILES = sorted(file.name for file in (FOLDERS[0] / "en").glob("*.json"))

# Words that are the same in another language, and names.
SAME = {
    "Android", "Brikks", "Brikks-Master 2000!!!", "Chips", "Corrections", "Date", "Duel", "Level",
    "Name", "Phase", "Photo", "Photo {number}", "Photos", "Place", "Plan", "Points", "TOTAL",
    "Table {number}", "Tables", "Total", "duel", "joker", "kB", "orange", "phase {phases}",
    "points", "solo", "standard", "turquoise", "violet", "{count} photos", "{count} point",
    "{count} points", "{values} point", "{values} points",
}  # fmt: skip


def book(language: str, file: str) -> dict[str, dict[str, Any]]:
    return json.loads((FOLDERS[0] / language / file).read_text("utf-8"))  # type: ignore[no-any-return]


def keys(language: str, file: str) -> set[tuple[str, str]]:
    return {(part, key) for part, texts in book(language, file).items() for key in texts}


def texts_of(value: Any, *keys: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Texts, and lists of answers, with the keys that lead to them."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from texts_of(each, *keys, key)
    else:
        yield keys, value


def has_words(text: object) -> bool:
    """Whether a text is more than facts and signs."""
    return any(map(str.isalpha, re.sub(r"\{\w+\}", "", str(text))))


def test_a_language_is_a_folder_and_a_line() -> None:
    assert {page.parent.name for page in FOLDERS[0].glob("*/page.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("file", FILES)
def test_each_file_has_the_keys_of_the_english_one(language: str, file: str) -> None:
    english, translated = keys("en", file), keys(language, file)
    assert english - translated <= {("errors", "BrikksError")}  # a class with subclasses only
    # Some texts have their English words as their key, which English files need not list.
    more = translated - english
    assert {(part, key) for part, key in more if part not in ("words", "options")} == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("file", FILES)
def test_no_text_is_the_english_one(language: str, file: str) -> None:
    english = dict(texts_of(book("en", file)))
    copied = [
        f"{language}/{file}: {' '.join(keys)}"
        for keys, text in texts_of(book(language, file))
        if text == english.get(keys) and has_words(text) and text not in SAME
    ]
    assert copied == []


def test_no_word_is_listed_in_vain() -> None:
    copied = {
        text
        for file in FILES
        for language in OTHERS
        for keys, text in texts_of(book(language, file))
        if isinstance(text, str) and dict(texts_of(book("en", file))).get(keys) == text
    }
    assert copied >= SAME
