"""The report says every point and every doubt, in every language, and a reading survives JSON."""

import json
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.errors import PhotoMissing, SheetCutOff
from brikks_vision.games import unreadable
from brikks_vision.games.brikks.reading import BlockReading, BrikksReading
from brikks_vision.reading import Doubt, Reading, Status, ViolationReading
from brikks_vision.reading.views import PartView
from brikks_vision.rules.brikks.blocks import Written
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.show.pictures import BOLD, REGULAR, font
from brikks_vision.show.report import (
    colored,
    doubt_text,
    referee_line,
    referee_report,
    report,
    status_text,
    sum_text,
    summary,
    verdict_text,
)
from brikks_vision.text.languages import LANGUAGES, language_of_locale, texts_in
from brikks_vision.text.phrases import phrase

# The publisher's worked example.
GRID = (
    ".X......X.",
    "XX.XXXXXXX",
    "X.XXXXX..X",
    "XXXXXXXXXX",
    "XX.XXXXXXX",
    "XXX.XXXXXX",
    *("XXXXXXXXXX",) * 5,
)
CERTAIN = BrikksReading(
    photo="IMG_0042.jpg",
    status=Status.OK,
    game="brikks",
    sheet="brikks",
    grid=GRID,
    blocks=(BlockReading("red", (3, 4), ((9, 2), (9, 3), (10, 3), (10, 4)), 0.97),),
    energy=("used",) * 24 + ("circled",) * 2 + ("open",) * 2,
    bonus_crosses=6,
    bombs_used=2,
    written=Written((0, 4, None, 10, 4, 4, 5, 5, 5, 5, 6), 73),
    score=Score((0, 4, 0, 10, 4, 4, 5, 5, 5, 5, 5), 47, 21, 4, 1, 73),
    total_range=(73, 73),
    rank="Läuft!",
    assumed={"players": (2, 3, 4), "level": (2,)},
    undecided=("players",),
    corners=((10.0, 20.0), (900.0, 25.0), (890.0, 1000.0), (5.0, 990.0)),
    timing_ms={"load": 21.5, "locate": 14.0},
)
DOUBTFUL = replace(
    CERTAIN,
    status=Status.UNCERTAIN,
    total_range=(71, 73),
    doubts=(Doubt("cell 3,4", "X", 0.624, 71), Doubt("energy 25", "circled", 0.999, None)),
    violations=(ViolationReading("floating", ((4, 2), (4, 3)), "It rests on nothing.", 0.99),),
)


def test_the_table_shows_the_sheet_and_its_points() -> None:
    text = report(CERTAIN, "de")
    assert text.splitlines() == [
        "IMG_0042.jpg",
        "",
        "       1 2 3 4 5 6 7 8 9 10",
        "   11  . X . . . . . . X .  ×4    0",
        "   10  X X . X X X X X X X  ×2    4",
        "    9  X . X X X X X . . X  ×2    0",
        "    8  X X X X X X X X X X  ×2   10",
        "    7  X X . X X X X X X X  ×2    4",
        "    6  X X X . X X X X X X  ×2    4",
        "    5  X X X X X X X X X X  ×1    5",
        "    4  X X X X X X X X X X  ×1    5",
        "    3  X X X X X X X X X X  ×1    5",
        "    2  X X X X X X X X X X  ×1    5",
        "    1  X X X X X X X X X X  ×1    5  (du hast 6 geschrieben)",
        "",
        "  Reihen         47",
        "  Extrapunkte    21   6 angekreuzt",
        "  Bomben          4   2 benutzt",
        "  Energie         1   2 übrig",
        "  Summe          73   sicher",
        "",
        "  Rang: Läuft! (Level 2)",
        "",
        "  Steht nicht auf dem Papier: Spieler 2, 3 oder 4. Genauer mit --players.",
    ]


def test_total_and_verdict_in_one_line() -> None:
    assert verdict_text(CERTAIN, "en") == "Total 73: sure"
    assert verdict_text(DOUBTFUL, "en") == "Total 73: to check, against the rules"
    assert verdict_text(unreadable("a.jpg", "Too dark."), "en") == "not readable"


def test_doubts_are_told_and_never_rounded_up_to_certain() -> None:
    text = report(DOUBTFUL, "en")
    assert "not sure: 71 to 73" in text
    assert text.split("Not sure of:\n")[1].splitlines()[:4] == [
        "    Row 8 from the bottom, column 5: is it crossed? Read as crossed, 62 % sure. "
        "Otherwise the total is 71.",
        '      --answer "row 8, column 5=crossed" or "row 8, column 5=empty"',
        "    Energy point 26: is it open, circled or crossed out? Read as circled, 99 % sure.",
        '      --answer "energy point 26=open", "energy point 26=circled" or '
        '"energy point 26=crossed"',
    ]


@pytest.mark.parametrize(
    ("language", "question", "answers"),
    [
        ("en", "Bomb 4: is it crossed out? Read as open, 62 % sure. Otherwise the total is 69.",
         '"bomb 4=crossed" or "bomb 4=open"'),
        ("de", "Bombe 4: Ist sie durchgestrichen? Gelesen: offen, zu 62 % sicher. "
         "Sonst ist die Summe 69.", '"Bombe 4=durchgestrichen" oder "Bombe 4=offen"'),
        ("fr", "Bombe 4\u202f: est-elle barrée\u202f? Lu\u202f: libre, sûr à 62\u202f%. "
         "Sinon, le total est de 69.", '"bombe 4=barrée" ou "bombe 4=libre"'),
        ("es", "Bomba 4: ¿está tachada? Leído: libre, con un 62 % de seguridad. "
         "Si no, el total es 69.", '"bomba 4=tachada" o "bomba 4=libre"'),
    ],
)  # fmt: skip
def test_a_doubt_is_a_question_with_its_answers(language: str, question: str, answers: str) -> None:
    reading = replace(DOUBTFUL, doubts=(Doubt("bomb 2", ".", 0.624, 69),))
    text = report(reading, language)
    assert f"    {question}\n      --answer {answers}\n" in text
    assert f"    {question}\n" in summary(reading, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mark_that_would_mend_a_rule_is_told_without_a_share(language: str) -> None:
    doubt = Doubt("box 6", "X", 0.5, 71)
    told = doubt_text(doubt, replace(DOUBTFUL, doubts=(doubt,)), language)
    assert "%" not in told and "50" not in told and "71" in told


def test_a_doubt_that_changes_no_total_says_so() -> None:
    reading = replace(DOUBTFUL, doubts=(Doubt("box 6", "X", 0.9, 73),))
    assert "Box 21 of the extra points: is it crossed?" in report(reading, "en")
    assert "The total is the same either way." in report(reading, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_a_certain_reading_is_called_sure(language: str) -> None:
    sure = texts_in(language).report["sure"]
    assert status_text(CERTAIN, language) == sure
    for reading in (
        DOUBTFUL,
        replace(DOUBTFUL, total_range=(73, 73)),
        replace(DOUBTFUL, total_range=None),
        unreadable("a.jpg", "The file is empty."),
    ):
        assert status_text(reading, language) != sure


def test_the_referee() -> None:
    assert "no rule is broken" in referee_report(CERTAIN, "en")
    assert referee_line(CERTAIN, "en") == referee_report(CERTAIN, "en")
    text = referee_report(DOUBTFUL, "en")
    assert "one thing is against the rules" in text
    assert "1. It rests on nothing. [floating]" in text
    assert referee_line(DOUBTFUL, "en") == "  Against the rules: It rests on nothing."


def test_the_referee_tells_the_first_of_several_faults_in_one_line() -> None:
    bombs = ViolationReading("bomb-order", (1,), "Bombs are used from the top.", 1.0, "bombs")
    reading = replace(DOUBTFUL, violations=(*DOUBTFUL.violations, bombs))
    assert referee_line(reading, "en") == (
        "  Against the rules: 2, e.g. It rests on nothing. All of it with --referee."
    )


def test_what_is_known_or_changes_nothing_is_not_asked_for() -> None:
    assert "Not on the paper" not in report(replace(CERTAIN, undecided=()), "en")


@pytest.mark.parametrize(
    ("levels", "level", "rank"),
    [
        ((1, 2, 3, 4), 2, "Well done!"),
        ((3,), 3, "Someone has practiced!"),
        ((3, 4), 3, "Someone has practiced!"),
        ((1,), 1, "Well done!"),
    ],
)
def test_the_rank_says_for_which_level_it_is(
    levels: tuple[int, ...], level: int, rank: str
) -> None:
    reading = replace(CERTAIN, assumed={"level": levels}, undecided=())
    assert f"  Rank: {rank} (level {level})\n" in report(reading, "en") + "\n"


def test_an_unreadable_photo_reports_its_error_alone() -> None:
    text = report(unreadable("a.jpg", "The file is empty."), "en")
    assert text.splitlines() == ["a.jpg  not readable", "  The file is empty."]


def test_colours_change_nothing_but_colours() -> None:
    text = report(DOUBTFUL, "en", colored)
    assert "\x1b[" in text
    for code in ("0", "1", "2", "90", "91", "92", "93", "94", "1;31", "1;32", "1;33"):
        text = text.replace(f"\x1b[{code}m", "")
    assert text == report(DOUBTFUL, "en")


# --- the JSON of the contract --------------------------------------------------------------------


def test_a_reading_as_json() -> None:
    data = json.loads(json.dumps(DOUBTFUL.to_dict()))
    assert data == {
        "photo": "IMG_0042.jpg",
        "index": 0,
        "game": "brikks",
        "sheet": "brikks",
        "status": "uncertain",
        "error": None,
        "grid": list(GRID),
        "blocks": [
            {
                "color": "red",
                "columns": [3, 4],
                "cells": [[9, 2], [9, 3], [10, 3], [10, 4]],
                "confidence": 0.97,
            }
        ],
        "energy": ["used"] * 24 + ["circled"] * 2 + ["open"] * 2,
        "bonus_crosses": 6,
        "bombs_used": 2,
        "written": {"rows": [0, 4, None, 10, 4, 4, 5, 5, 5, 5, 6], "total": 73},
        "score": {
            "rows": [0, 4, 0, 10, 4, 4, 5, 5, 5, 5, 5],
            "lines": 47,
            "bonus": 21,
            "bombs": 4,
            "energy": 1,
            "total": 73,
        },
        "total_range": [71, 73],
        "rank": "Läuft!",
        "doubts": [
            {"where": "cell 3,4", "read": "X", "confidence": 0.624, "total_otherwise": 71},
            {
                "where": "energy 25",
                "read": "circled",
                "confidence": 0.999,
                "total_otherwise": None,
            },
        ],
        "violations": [
            {
                "rule": "floating",
                "part": "grid",
                "where": [[4, 2], [4, 3]],
                "message": "It rests on nothing.",
                "confidence": 0.99,
            }
        ],
        "assumed": {"players": [2, 3, 4], "level": [2]},
        "undecided": ["players"],
        "said_on_sheet": {},
        "covered": [],
        "cancelled": [],
        "print_doubts": [],
        "printing": None,
        "corners": [[10.0, 20.0], [900.0, 25.0], [890.0, 1000.0], [5.0, 990.0]],
        "timing_ms": {"load": 21.5, "locate": 14.0},
    }
    first = ["photo", "index", "game", "sheet", "printing", "status", "error", "grid"]
    assert list(data)[: len(first)] == first


def test_an_unreadable_photo_has_every_field_too() -> None:
    data = unreadable("a.jpg", "The file is empty.").to_dict()
    assert data.keys() == CERTAIN.to_dict().keys()
    assert data["status"] == "unreadable"
    assert data["score"] is None and data["grid"] == [] and data["corners"] is None


@given(
    st.builds(
        Reading,
        photo=st.text(),
        status=st.sampled_from((Status.OK, Status.UNCERTAIN)),
        error=st.text(),
        index=st.integers(0, 9),
        rank=st.none() | st.text(),
        doubts=st.lists(
            st.builds(
                Doubt,
                where=st.text(),
                read=st.text(),
                confidence=st.integers(0, 10000).map(lambda n: n / 10000),
                total_otherwise=st.none() | st.integers(0, 300),
            )
        ).map(tuple),
        total_range=st.none() | st.tuples(st.integers(), st.integers()),
        assumed=st.dictionaries(st.text(), st.lists(st.integers()).map(tuple)),
    )
)
def test_any_reading_comes_back_from_its_dictionary(reading: Reading) -> None:
    assert Reading.from_dict(reading.to_dict()) == reading


# --- texts ---------------------------------------------------------------------------------------


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def facts_of(template: str | dict[str, str]) -> set[str]:
    """What a phrase is told with; a count may choose the template without standing in it."""
    forms = [template] if isinstance(template, str) else list(template.values())
    facts = set().union(*(placeholders(form) for form in forms))
    assert isinstance(template, str) or "other" in template
    return facts - {"count"}


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_text_is_translated_with_its_facts(language: str) -> None:
    english, translated = texts_in("en"), texts_in(language)
    assert translated.report.keys() == english.report.keys()
    for key, sentence in english.report.items():
        assert placeholders(translated.report[key]) == placeholders(sentence), key
    assert translated.page.keys() == english.page.keys()
    for key, sentence in english.page.items():
        assert placeholders(translated.page[key]) == placeholders(sentence), key
    assert translated.phrases.keys() == english.phrases.keys()
    for key, template in english.phrases.items():
        facts = facts_of(template)
        assert facts_of(translated.phrases[key]) == facts, key
    assert translated.errors.keys() == english.errors.keys() - {"BrikksError"}
    for name, sentence in translated.errors.items():
        assert placeholders(sentence) == placeholders(english.errors[name]), name


def test_a_fact_is_translated_only_where_it_is_a_word() -> None:
    assert "am linken Rand" in SheetCutOff("left").text("de")
    assert "left gibt es nicht" in PhotoMissing("left").text("de")
    assert "{x}" in str(PhotoMissing("{x}"))


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "nl_NL.UTF-8"}, "en"),
    ],
)
def test_the_language_of_the_locale(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language_of_locale() == language


def test_a_sum_has_the_signs_of_its_parts() -> None:
    parts = [
        PartView(phrase("bloxx.points-rows"), 30),
        PartView(phrase("bloxx.points-numbers"), 12),
        PartView(phrase("bloxx.points-penalty"), -6),
    ]
    assert sum_text(parts, "en") == (
        "Coloured rows 30  +  Circled numbers 12  -  Gaps and empty cells 6"
    )


# --- the letters of pictures ----------------------------------------------------------------------


MISSING = "\ue000"  # for private use, so no font has it


@pytest.mark.parametrize("name", [BOLD, REGULAR])
@pytest.mark.parametrize("text", ["Zoë", "Łukasz Żółć", "Đorđe Šćepanović", "Ğüneş", "Ζωή", "Анна"])
def test_names_have_their_letters(name: str, text: str) -> None:
    letters = font(40, name)
    missing = bytes(letters.getmask(MISSING))
    for letter in text.replace(" ", ""):
        assert bytes(letters.getmask(letter)) != missing
