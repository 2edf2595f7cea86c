"""The words of BLOX for its tests."""

import json
from collections.abc import Iterator
from importlib import resources

import pytest

from brikks_vision.texts import LANGUAGES, texts_in


@pytest.fixture(scope="module", autouse=True)
def blox_words() -> Iterator[None]:
    """The phrases of BLOX among those of the package."""
    before = {language: dict(texts_in(language).phrases) for language in LANGUAGES}
    for language in LANGUAGES:
        file = resources.files("brikks_vision").joinpath("text", language, "blox.json")
        texts_in(language).phrases.update(json.loads(file.read_text("utf-8"))["phrases"])
    yield
    for language in LANGUAGES:
        texts_in(language).phrases.clear()
        texts_in(language).phrases.update(before[language])
