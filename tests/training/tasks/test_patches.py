"""What the reader of places learns from is what it sees in a photo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra train is not installed")

from brikks_vision.detect.patches import Reference, network_layers  # noqa: E402
from training.calibrate import most_probable, negative_log_likelihood  # noqa: E402
from training.calibrate_patches import views_of  # noqa: E402
from training.tasks import patches  # noqa: E402
from training.tasks.bloxx_sheets import marked_places as bloxx_places  # noqa: E402
from training.tasks.qwixx_sheets import marked_places as qwixx_places  # noqa: E402
from training.tasks.small_sheets import UNKNOWN, marked_places  # noqa: E402

CPU = torch.device("cpu")


@pytest.mark.parametrize("kind", list(Reference))
def test_training_sees_what_reading_sees(kind: Reference, tmp_path: Path) -> None:
    patches.write_unseen_places(tmp_path, range(1), 9)
    samples = patches.load_samples([tmp_path], CPU)
    pictures = samples.pictures(samples.places(0))
    kinds = np.full(len(pictures), kind, np.uint8)
    learnt = patches.as_input(pictures, kinds, np.ones(len(pictures), np.bool_))
    seen = np.concatenate(network_layers(views_of(pictures, kinds)), axis=-1)
    assert np.allclose(learnt.permute(0, 2, 3, 1).numpy() * 255, seen, atol=1e-3)


def test_samples_are_the_places_of_their_sheets(tmp_path: Path) -> None:
    patches.write_unseen_places(tmp_path, range(3), 9)
    samples = patches.load_samples([tmp_path], CPU)
    sheets = [
        draw(np.random.default_rng([9, number]), True, True)
        for number, draw in enumerate((marked_places, bloxx_places, qwixx_places))
    ]
    assert (samples.labels == np.concatenate([sheet.labels for sheet in sheets])).all()
    photos = np.concatenate([sheet.alike.photo for sheet in sheets])
    chosen = np.arange(0, len(samples.labels), 7)
    assert (samples.pictures(chosen)[..., :3] == photos[chosen]).all()
    edges = samples.facts[:, 0] == patches.EDGE
    assert ((samples.labels[:, -1] != UNKNOWN) == edges).all()
    assert [len(samples.places(at)) for at in range(3)] == [len(sheet.labels) for sheet in sheets]
    assert samples.facts[samples.starts[:-1], 3].tolist() == [0, 1, 2]


def test_each_kind_of_sheet_is_drawn_in_its_share() -> None:
    kinds = np.array([2, 0, 2, 1, 2, 2], np.uint8)  # of sheets of two places each
    facts = np.zeros((2 * len(kinds), 4), np.uint8)
    facts[:, 3] = np.repeat(kinds, 2)
    samples = patches.Samples([], np.zeros((len(facts), 6), np.uint8), facts, np.arange(0, 13, 2))
    shares = np.bincount(kinds, patches.sheet_chances(samples))
    assert shares == pytest.approx(patches.SHEET_SHARES)


def test_a_factor_undoes_overconfidence() -> None:
    rng = np.random.default_rng(3)
    honest = rng.normal(0, 2, 20000)
    labels = (rng.random(20000) < 1 / (1 + np.exp(-honest))).astype(np.float64)
    said = 2.5 * honest
    factor = float(most_probable(said[None], labels)[0])
    assert factor == pytest.approx(0.4, rel=0.1)
    before = negative_log_likelihood(said, labels)
    assert negative_log_likelihood(factor * said, labels) < before
