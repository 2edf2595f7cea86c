"""From what probability on a board is sure, and below which a field is doubted."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brikks_vision.games.blox.field_evidence import CALIBRATION

pytest.importorskip("scipy", reason="the extra train is not installed")
pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("onnx", reason="the extra train is not installed")

from training.calibrate_boards import doubted_below, sure_from, write
from training.export import MODELS

CHANCES = np.linspace(0.02, 0.98, 200)


def test_no_wrong_reading_would_have_been_sure() -> None:
    is_right = CHANCES > 0.5
    is_right[150] = False
    assert sure_from(CHANCES, is_right) >= CHANCES[150]


def test_where_chance_says_nothing_no_reading_is_sure() -> None:
    is_right = np.arange(len(CHANCES)) % 2 == 0
    assert sure_from(CHANCES, is_right) >= CHANCES[-1]


def test_readings_are_sure_where_all_were_right() -> None:
    assert sure_from(CHANCES, CHANCES > 0.3) < 0.6


def test_nearly_all_wrong_fields_are_doubted() -> None:
    confidences, is_wrong = np.linspace(0.5, 1, 1000), np.arange(1000) < 100
    bound = doubted_below(confidences, is_wrong)
    assert (confidences[is_wrong] < bound).sum() == 98


def test_what_was_fitted_is_written_beside_the_networks(tmp_path: Path) -> None:
    table = tmp_path / "models.json"
    table.write_bytes((MODELS / "models.json").read_bytes())
    before = json.loads(table.read_text("utf-8"))
    write(table, replace(CALIBRATION, sure=0.625))
    after = json.loads(table.read_text("utf-8"))
    assert after["calibration"]["board_pieces"]["sure"] == 0.625
    assert {**after, "calibration": None} == {**before, "calibration": None}
