"""French signs have a narrow no-break space before them, wherever the text is shown."""

import re
from collections.abc import Iterator
from typing import Any

from brikks_vision.commands.app import UNKNOWN_SIGNS
from brikks_vision.text.languages import NARROW, texts_in

FRENCH = texts_in("fr")


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts_of(each)


def test_no_french_text_breaks_a_line_before_a_sign() -> None:
    parts = (FRENCH.words, FRENCH.help, FRENCH.report, FRENCH.phrases, FRENCH.page, FRENCH.errors)
    texts = [text for part in parts for text in texts_of(part)]
    assert [text for text in texts if re.search(r"[ \u00a0][?!:;»]|«[ \u00a0]", text)] == []
    assert any(f"{NARROW}:" in text for text in texts_of(FRENCH.report))


def test_what_a_person_writes_is_not_typeset() -> None:
    assert not any(NARROW in answer for each in FRENCH.answers.values() for answer in each)


def test_other_languages_have_no_such_spaces() -> None:
    for language in ("de", "en", "es"):
        assert not any(NARROW in text for text in texts_of(texts_in(language).report))


def test_a_terminal_without_that_space_gets_a_plain_one() -> None:
    assert f"sûr{NARROW}: 漢".encode("latin-1", UNKNOWN_SIGNS) == b"s\xfbr : \\u6f22"
