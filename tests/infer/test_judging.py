"""How sure a reading is: which totals are open, and what is asked."""

from brikks_vision.infer.certainty import OtherMark, certainty_of
from brikks_vision.reading import Status

FAINT = OtherMark("cell 1,2", "X", 0.2, 47)
OUTLINE = OtherMark("cell 5,5", "X", 0.2, 50)


def test_a_sure_total_leaves_only_doubts_that_do_not_change_it() -> None:
    sure = certainty_of(50, {50: 1.0}, [FAINT, OUTLINE])
    assert (sure.status, sure.total_range) == (Status.OK, (50, 50))
    assert [doubt.where for doubt in sure.doubts] == ["cell 5,5"]


def test_the_range_holds_the_total_of_every_doubt() -> None:
    sure = certainty_of(50, {50: 0.8, 52: 0.2}, [OUTLINE, FAINT])
    assert (sure.status, sure.total_range) == (Status.UNCERTAIN, (47, 52))
    assert [doubt.where for doubt in sure.doubts] == ["cell 1,2", "cell 5,5"]


def test_a_mark_that_explains_a_broken_rule_is_asked_first_however_clear_it_is() -> None:
    misread = OtherMark("cell 0,0", "X", 0.5, 48)
    sure = certainty_of(50, {50: 1.0}, [FAINT, misread], [misread])
    assert (sure.status, sure.total_range) == (Status.UNCERTAIN, (47, 50))
    assert [doubt.where for doubt in sure.doubts] == ["cell 0,0", "cell 1,2"]


def test_what_is_hidden_opens_the_total_and_is_not_asked() -> None:
    sure = certainty_of(50, {50: 1.0}, [OUTLINE], ends=({50: 1.0}, {58: 1.0}), hidden={"cell 5,5"})
    assert (sure.status, sure.total_range, sure.doubts) == (Status.UNCERTAIN, (50, 58), ())


def test_more_is_asked_than_five_only_where_the_range_reaches_further() -> None:
    others = [OtherMark(f"cell 0,{at}", "X", 0.1 - at / 100, 51) for at in range(5)]
    far = OtherMark("cell 9,9", "X", 0.003, 40)
    sure = certainty_of(50, {50: 0.6, 51: 0.397, 40: 0.003}, [*others, far])
    assert [doubt.where for doubt in sure.doubts][5:] == ["cell 9,9"]
    assert sure.total_range == (40, 51)
    near = OtherMark("cell 9,9", "X", 0.003, 52)
    assert len(certainty_of(50, {50: 0.6, 51: 0.397, 52: 0.003}, [*others, near]).doubts) == 5
