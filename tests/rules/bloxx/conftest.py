"""The words of these rules, until the texts of all games are loaded together."""

import json
from dataclasses import replace
from importlib import resources

import pytest

from brikks_vision.rules import phrases
from brikks_vision.texts import texts_in


def own_phrases(language: str) -> dict:
    file = resources.files("brikks_vision").joinpath("text", language, "bloxx.json")
    return json.loads(file.read_text("utf-8"))["phrases"]


@pytest.fixture(scope="package", autouse=True)
def words_of_bloxx():
    def with_own(language: str):
        texts = texts_in(language)
        return replace(texts, phrases={**texts.phrases, **own_phrases(texts.language)})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrases, "texts_in", with_own)
        yield
