"""Each language is whole: the same keys in the same files as English, and no text left in it."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from brikks_vision.commands.app import UNKNOWN_SIGNS
from brikks_vision.text.languages import (
    FOLDERS,
    LANGUAGES,
    NARROW,
    day_text,
    decimal_text,
    moment_text,
    texts_in,
)

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


# --- spaces that do not break ---------------------------------------------------------------------


FRENCH = texts_in("fr")


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings_in(each)


def test_no_french_text_breaks_a_line_before_a_sign() -> None:
    parts = (FRENCH.words, FRENCH.help, FRENCH.report, FRENCH.phrases, FRENCH.page, FRENCH.errors)
    texts = [text for part in parts for text in strings_in(part)]
    assert [text for text in texts if re.search(r"[ \u00a0][?!:;»]|«[ \u00a0]", text)] == []
    assert any(f"{NARROW}:" in text for text in strings_in(FRENCH.report))


def test_what_a_person_writes_is_not_typeset() -> None:
    assert not any(NARROW in answer for each in FRENCH.answers.values() for answer in each)


def test_other_languages_have_no_such_spaces() -> None:
    for language in ("de", "en", "es"):
        assert not any(NARROW in text for text in strings_in(texts_in(language).report))


def test_a_terminal_without_that_space_gets_a_plain_one() -> None:
    assert f"sûr{NARROW}: 漢".encode("latin-1", UNKNOWN_SIGNS) == b"s\xfbr : \\u6f22"


# --- dates and numbers of each language -----------------------------------------------------------


EVENING = datetime(2026, 3, 4, 20, 5)


@pytest.mark.parametrize(
    ("language", "day", "number"),
    [
        ("en", "4 Mar 2026", "63.8"),
        ("de", "04.03.2026", "63,8"),
        ("fr", "04/03/2026", "63,8"),
        ("es", "04/03/2026", "63,8"),
    ],
)
def test_dates_and_numbers_are_written_as_in_the_language(
    language: str, day: str, number: str
) -> None:
    assert day_text(EVENING, language) == day
    assert moment_text(EVENING, language) == f"{day}, 20:05"
    assert decimal_text(63.75, language) == number
