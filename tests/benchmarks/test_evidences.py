"""Kept evidences read as they did; what changes is told by what it is."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.cases import SHEETS
from benchmarks.evidences import Evidences, changes, draw_sheet, figures, keep, kept_of, main, read

EVERY = 10  # the command reads all of them


@pytest.mark.parametrize("game", SHEETS)
def test_evidences_read_as_they_did(game: str) -> None:
    kept, before = kept_of(game)
    assert kept.sheets.keys() == before.keys()
    found = changes(before, read(kept, EVERY))
    assert not found, "\n".join([*found, "On purpose? python -m benchmarks.evidences write"])


@pytest.mark.parametrize("game", SHEETS)
def test_what_is_answered_is_not_asked_again(game: str) -> None:
    kept, readings = kept_of(game)
    asked = {name: each["doubts"] for name, each in readings.items() if each.get("doubts")}
    answered = {
        name: replace(
            kept.sheets[name],
            answers={**kept.sheets[name].answers, **{each["where"]: each["read"] for each in of}},
        )
        for name, of in sorted(asked.items())[:: EVERY // 2]
    }
    again = read(replace(kept, sheets=answered))
    assert answered
    for name, reading in again.items():
        asked_now = {each["where"] for each in reading.get("doubts", ())}
        if any(each["rule"] == "row-bonus" for each in reading.get("violations", ())):
            asked_now -= {where for where in asked_now if where.startswith("bonus")}  # which counts
        assert not asked_now & answered[name].answers.keys(), name


@pytest.mark.parametrize("game", SHEETS)
def test_all_that_decides_is_among_the_evidences(game: str) -> None:
    kept, readings = kept_of(game)
    sheets = kept.sheets.values()
    assert any(each.answers for each in sheets)
    assert any(each.evidence["covered"] for each in sheets)
    assert any("players" in each.evidence for each in sheets)
    assert len({each.printing for each in sheets}) > 2
    assert {each["status"] for each in readings.values() if "status" in each} == {
        "ok", "uncertain",
    }  # fmt: skip
    assert any(each.get("doubts") for each in readings.values())
    assert any(each.get("violations") for each in readings.values())


def test_what_changes_is_told() -> None:
    doubt = {"where": "cell 3,4", "read": "X", "confidence": 0.9, "total_otherwise": 60}
    broken = {"rule": "floating", "part": "grid", "where": [[1, 2]], "confidence": 0.99}
    before = {"status": "ok", "score": {"total": 70}, "total_range": [70, 70], "grid": ["X"]}
    after = {**before, "status": "uncertain", "score": {"total": 60}, "doubts": [doubt]}
    assert changes({"a": before, "b": before}, {"a": after, "b": before}) == [
        "1 of 2 readings changed",
        "  doubts with cell: 1 (a)",
        "  status ok -> uncertain: 1 (a)",
        "  the rest: 1 (a)",
        "  total: 1 (a)",
    ]
    accused = {**before, "violations": [broken]}
    assert changes({"a": accused}, {"a": before})[1:] == ["  violations without floating: 1 (a)"]
    drawn = {
        "0003 hard floating faint": accused,
        "0004 good": before,
        "0008 good floating dirt": before,
    }
    assert figures("brikks", drawn) == "3 of 3 ok, 1 of 1 planted faults named"
    surer = {**before, "violations": [{**broken, "confidence": 0.9904}]}
    assert changes({"a": accused}, {"a": surer}) == []  # only nearly equal on another processor
    assert changes({"a": before}, {"b": after}) == []


def test_a_drawn_sheet_is_kept_and_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = {name: sheet for name, _, sheet in draw_sheet("brikks", 0)}
    drawn = Evidences({}, sheets)
    keep("brikks", drawn, read(drawn), tmp_path)
    words = ["--game", "brikks", "--folder", str(tmp_path)]
    with pytest.raises(SystemExit) as end:
        main(["compare", *words])
    assert not end.value.code
    assert "4 readings as they were" in capsys.readouterr().out

    path = tmp_path / "brikks-readings.json"
    kept = json.loads(path.read_text("utf-8"))
    kept[sorted(kept)[0]]["score"]["total"] -= 1
    path.write_text(json.dumps(kept), "utf-8")
    for action, failed in (("compare", True), ("write", False), ("compare", False)):
        with pytest.raises(SystemExit) as end:
            main([action, *words])
        assert bool(end.value.code) == failed
    assert "1 of 4 readings changed\n  the rest: 1" in capsys.readouterr().out
