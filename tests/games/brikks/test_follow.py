"""A sheet followed over photos that were taken one after each turn, from drawings."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.errors import PhotoOfAnother, PhotosOutOfOrder, UnknownValue
from brikks_vision.games.brikks.compare import follow
from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.games.brikks.reading import BOMBS, CELLS, HORIZONTALS, STRIKES, VERTICALS
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.following import FollowedGame, smoothed
from brikks_vision.layout import load_layout
from brikks_vision.pipeline.follow import Followed
from brikks_vision.rules.brikks.blocks import as_photographed
from brikks_vision.show.comparison import coach_report
from simulation.brikks.notation import read_sheet
from tests.drawn_sheets import SHEET, clear_marks, read_replay

LAYOUT = load_layout("brikks")

START = """
    AA........
    AA........
    energy xxoo
"""
RED = """
    AAB.......
    AABBB.....
    energy xxoo
"""
POLE = """
    ....C.....
    AAB.C.....
    AABBBC....
    energy xxoo
"""
SECOND = """
    AAB.......
    AABBBCCCC.
    energy xxoo
"""
THIRD = """
    .....DDDD.
    AAB..CCCC.
    AABBB.....
    energy xxoo
"""
FLAT = """
    AAB..DDDD.
    AABBBCCCC.
    energy xxoo
"""


@dataclass(frozen=True)
class Photo:
    reading: Any
    posterior: Any
    evidence: Evidence
    layout: Any = LAYOUT


def evidence_of(drawing: str | Marks) -> Evidence:
    marks = drawing
    if isinstance(marks, str):
        marks = clear_marks(as_photographed(read_sheet(marks, SHEET)))
    unwritten = (Figure(None, 1.0),)
    return Evidence(marks, {"rows": unwritten * SHEET.rows, "total": unwritten}, known={"level": 1})


def followed(*drawings: str | Marks) -> FollowedGame:
    photos = []
    for name, drawing in zip("abcdefg", drawings, strict=False):
        evidence = evidence_of(drawing)
        photos.append(Photo(*DEFINITION.read(f"{name}.jpg", evidence, LAYOUT, {}), evidence))
    return follow(photos)


def told(found: FollowedGame) -> list[str]:
    return [turn.told.text("en") for turn in found.turns if turn.told]


def rules(found: FollowedGame) -> list[list[str]]:
    return [[each.told.key for each in turn.violations if each.told] for turn in found.turns]


def with_mark(drawing: str, key: tuple[str, str], place: Any, logit: float) -> Marks:
    """The drawn sheet as a photo shows it that is unsure of one mark."""
    marks = clear_marks(as_photographed(read_sheet(drawing, SHEET)))
    log = marks[key].copy()
    log[place] = logit
    return marks.with_logits({key: log})


def test_one_line_a_turn():
    found = followed("energy xxoo", START, RED, SECOND, SECOND + "bombs x")
    assert told(found) == [
        "the black block at the left wall, rows 1-2 from the bottom",
        "the yellow block in columns 3-5, rows 1-2 from the bottom",
        "the black block in columns 6-9, row 1 from the bottom",
        "1 bomb used",
    ]
    assert rules(found) == [[]] * 4
    assert [turn.status for turn in found.turns] == ["ok"] * 4
    content = found.turns[1].content
    assert content["photos"] == ["b.jpg", "c.jpg"]
    assert [block["cells"] for block in content["blocks"]] == [[[9, 2], [10, 2], [10, 3], [10, 4]]]
    assert (content["energy"], content["spent"], content["bonus"], content["bombs"]) == (0, 0, 0, 0)


def test_the_order_is_kept_as_text_that_reads_back():
    found = followed(START, RED, SECOND)
    assert found.content["notation"].splitlines()[-2:] == ["AAB.......", "AABBBCCCC."]
    assert read_replay(found.content["notation"]) == found.order


def test_an_illegal_turn_is_named():
    assert rules(followed(START, RED, THIRD.replace("D", "."))) == [[], ["brikks.floating"]]
    crossed_out = RED.replace("xxoo", "xxxo")
    assert rules(followed(START, crossed_out)) == [[]]  # a turned block: 1 point
    assert rules(followed(START, RED.replace("xxoo", "xxxxo"))) == [["brikks.circled-wrong"]]


def test_two_turns_without_a_photo_between_them():
    found = followed(START, RED, FLAT)
    assert [note.key for note in found.turns[1].notes] == ["brikks.turns-in-order"]
    assert [block["cells"][0] for block in found.turns[1].content["blocks"]] == [[10, 5], [9, 5]]
    assert rules(found) == [[], []]
    beside = followed("energy xxoo", FLAT)
    assert [note.key for note in beside.turns[0].notes] == ["brikks.turns-in-any-order"]
    assert not beside.turns[0].content["in_order"]
    assert rules(beside) == [[]]


def test_two_turns_without_outlines_accuse_nobody():
    def plain(drawing: str) -> Marks:
        marks = clear_marks(as_photographed(read_sheet(drawing, SHEET)))
        return marks.with_logits({key: -abs(marks[key]) for key in (VERTICALS, HORIZONTALS)})

    found = followed(plain(START), plain(FLAT))
    assert told(found) == ["12 crosses"]
    assert rules(found) == [[]]


def test_nothing_new():
    assert told(followed(RED, RED)) == ["nothing new on the sheet"]


def test_what_one_photo_leaves_open_its_neighbours_tell():
    unsure = with_mark(RED, CELLS, (10, 3), -0.5)
    assert followed(START, unsure, SECOND).readings[1].grid[10] == "XXXXX....."
    smudge = with_mark(START, BOMBS, 0, 2.0)
    assert followed(START, smudge, RED).readings[1].bombs_used == 0


def test_a_mark_that_one_photo_misses_accuses_nobody():
    missed = with_mark(RED, STRIKES, 1, -5.0)
    found = followed(START, RED, missed, SECOND)
    assert rules(found) == [[]] * 3
    assert [turn.status for turn in found.turns] == ["ok"] * 3
    assert rules(followed(START, RED, missed)) == [[]] * 2


def test_what_something_hides_is_known_from_the_photos_around_it():
    marks = clear_marks(as_photographed(read_sheet(RED, SHEET)))
    hidden = np.zeros((SHEET.rows, SHEET.columns), bool)
    hidden[10, :2] = hidden[10, 7] = True
    found = followed(START, marks.with_covered({"cell": hidden}), SECOND)
    assert found.readings[1].covered == ("cell 10,7",)
    assert found.readings[1].grid[10][:2] == "XX"


def test_a_photo_in_which_the_sheet_lies_unsurely_tells_nothing():
    clear, unclear = evidence_of(RED), replace(evidence_of(FLAT), is_clear=False)
    first, second, _ = smoothed([clear, unclear, clear])
    assert (first.marks[CELLS] > 0).sum() == (second.marks[CELLS] > 0).sum() == 8


def test_photos_in_a_wrong_order():
    with pytest.raises(PhotosOutOfOrder, match=r"a\.jpg, c\.jpg, b\.jpg, d\.jpg"):
        followed("energy xxoo", RED, START, SECOND)


def test_a_photo_of_another_sheet():
    other = """
    ......AA..
    BBBB.AA...
    energy xxoo
    """
    with pytest.raises(PhotoOfAnother, match=r"c\.jpg shows another sheet"):
        followed(START, RED, other, SECOND)


def test_a_block_that_was_taken_back_is_told():
    grown = FLAT + "extra x\n"
    taken_back = grown.replace("..DDDD", ".DDDD.")
    assert rules(followed(RED, grown, taken_back))[1][0] == "brikks.crosses-gone"


def test_players_are_not_colours():
    with pytest.raises(UnknownValue, match="players cannot be blue"):
        follow([], ["blue"])


# --- the coach -----------------------------------------------------------------------------------


def test_the_place_of_a_block_is_judged():
    badly = """
    ..CCCC....
    AAB.......
    AABBB.....
    energy xxooo
    """
    found = followed("energy xxoo", START, RED, badly)
    first, second, third = map(found.judge, range(3))
    assert first is None  # nobody rolled for the start block
    assert second and second.expected is not None and 40 < second.expected < 110
    assert third and third.better and third.points > third.margin > 0
    assert third.expected and second.expected and third.expected < second.expected
    assert third.content and len(third.content["cells"]) == 4 and third.content["energy"] == 0


def test_what_several_turns_brought_is_not_judged():
    found = followed(START, FLAT, FLAT + "bombs x")
    assert (found.judge(0), found.judge(1)) == (None, None)


def test_the_curve_is_that_of_the_expected_total():
    found = followed(START, RED, SECOND)
    game = Followed(
        found.readings, found.turns, "brikks", (), found.content, found.judge, found.order
    )
    (curve,) = game.curves.values()
    assert [now for now, _ in curve] == [round(each.expected, 1) for each in game.judged if each]
    report = coach_report(game, "de")
    assert "am Ende sind" in report and "dein Bogen: " in report
