"""Calibrates the log-odds of the packaged networks, and shows how reliable they are.

``python -m training.calibrate FOLDER ...`` takes samples that no network was trained on. The
log-odds of each network are scaled by the factor that makes the samples most probable (temperature
scaling, Guo et al. 2017); those of the bars have an offset, too. Factors and offset go into the
last layers of the packaged networks. Together the reader and the fast pass count as
`brikks_vision.detect.networks.view_weights` says.
Prints the reliability of each, and of both together.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from scipy.optimize import minimize

from brikks_vision.detect.marks import BARS_PIXELS, Key, bar_centres, fast_marks, read_marks
from brikks_vision.detect.networks import sample, view_weights
from brikks_vision.detect.placement import Points
from brikks_vision.games.brikks.reading import RINGS, STRIKES
from brikks_vision.layout import load_layout
from training.augment import displacement, misplaced, resample
from training.export import MODELS
from training.photos import PIXELS_PER_CELL, load_arrays, readable_sheets
from training.samples import parts_in
from training.tasks.sheet_marks import BAR_KINDS, KINDS

BINS = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.0)
# grey levels between paper and the crosses on it, in all three channels together: of fainter ink
# than this a person, too, sees hardly anything, and a few such photos would set the factors of all
MIN_CONTRAST = 75
MISPLACED = 0.04  # cells: about how far off placements are at the worst
LAST_LAYERS = {
    "reader": "head",
    "bars": "hand.last",
    "fast_reader": "head",
}


def negative_log_likelihood(logits: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    return float(
        np.mean(np.logaddexp(0, -logits) * labels + np.logaddexp(0, logits) * (1 - labels))
    )


def most_probable(inputs: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Factors (N,) of inputs (N, marks) whose sum is the best log-odds of the labels."""
    start = np.full(len(inputs), 1 / len(inputs))
    found = minimize(
        lambda factors: negative_log_likelihood(factors @ inputs, labels), start,
        method="Nelder-Mead", options={"maxiter": 2000},
    )  # fmt: skip
    return np.asarray(found.x)


def reliability(logits: NDArray[np.float64], labels: NDArray[np.float64]) -> list[str]:
    """For each range of confidence: how many marks, how sure on average, what share is right."""
    known = labels != 0.5
    logits, labels = logits[known], labels[known]
    confidence = 1 / (1 + np.exp(-np.abs(logits)))
    right = (logits > 0) == (labels > 0.5)
    rows = []
    for low, high in pairwise(BINS):
        chosen = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if chosen.any():
            said, was = confidence[chosen].mean(), right[chosen].mean()
            rows.append(f"{low:5} to {high:5}: {chosen.sum():8d} marks, {said:.4f}, {was:.4f}")
    return rows


def scale_outputs(
    name: str, layer: str, factors: dict[int, float], offsets: dict[int, float]
) -> None:
    """Scale and move single outputs of a packaged network by its last layer's weights.

    Raises
    ------
    ValueError
        The file holds no weights and biases by that layer's name.
    """
    path = MODELS / f"{name}.onnx"
    model = onnx.load(str(path))
    names = {f"{layer}.weight", f"{layer}.bias"}
    if not names <= {stored.name for stored in model.graph.initializer}:
        raise ValueError(f"{path.name} has no layer {layer}")
    for stored in model.graph.initializer:
        if stored.name not in names:
            continue
        values = numpy_helper.to_array(stored).copy()  # in half precision, but for the biases
        for output, factor in factors.items():
            values[output] *= factor
            if stored.name.endswith("bias"):
                values[output] += offsets.get(output, 0.0)
        stored.CopyFrom(numpy_helper.from_array(values, stored.name))
    onnx.save(model, str(path))


def field_at(field: NDArray[np.float32], points: Points) -> NDArray[np.float64]:
    """A field of offsets (h, w, 2) over the reading area at sheet points (N, 2), in cells."""
    area, (height, width) = load_layout("brikks-light").reading_area, field.shape[:2]
    x = (points[:, 0] - area.left) / area.width * width - 0.5
    y = (points[:, 1] - area.top) / area.height * height - 0.5
    return sample(field.transpose(2, 0, 1), x, y).T


Table = dict[Key, NDArray[np.float64]]
"""Values (sheets, *shape of the field) by field and mark."""


@dataclass(frozen=True)
class Passes:
    """What the networks say of all marks, as log-odds, and the truth, 0 to 1.

    by_reader : of the whole sheet. by_fast : of the fast pass, which goes without it.
    """

    by_reader: Table
    by_fast: Table
    true: Table


def pass_for(folders: list[Path]) -> Passes:
    """What the passes say of samples, placed a little off, as sheets in photos are.

    Left out are those on which ink is hardly seen.
    """
    layout = load_layout("brikks-light")
    arrays = load_arrays(parts_in(folders), ("flat", "labels", "kind", "patches", "pen"))
    rng = np.random.default_rng(1)
    seen = []
    for at in np.flatnonzero(readable_sheets(arrays) >= 0):
        paper, ink = arrays["pen"][at]
        if np.abs(paper - ink).sum() < MIN_CONTRAST:
            continue
        off = displacement(rng, 16, 12, rng.uniform(0, MISPLACED))
        flat = resample(arrays["flat"][at], off, PIXELS_PER_CELL)
        marks = read_marks(flat, layout)
        offsets = BARS_PIXELS * field_at(off, bar_centres(layout))
        patches = misplaced(arrays["patches"][at], offsets, np.ones(len(offsets), complex))
        fast = fast_marks(flat, patches, layout)
        true = {key: each[at].astype(np.float64) for key, each in arrays["labels"].items()}
        seen.append((marks.logits, fast.logits, true))
    tables = ({key: np.stack([of_sheet[key] for of_sheet in table]) for key in table[0]}
              for table in zip(*seen, strict=True))  # fmt: skip
    return Passes(*tables)


def _told(values: NDArray[np.float64], key: Key, passes: Passes) -> NDArray[np.float64]:
    """The values of the places where this mark can be told: under a strike a ring tells nothing."""
    return values[passes.true[STRIKES] < 0.5] if key == RINGS else values.ravel()


def calibrate(passes: Passes) -> None:
    """Fit factors and offsets, kind by kind, write them to the networks, and print how it is."""
    factors: dict[str, dict[int, float]] = {name: {} for name in LAST_LAYERS}
    offsets: dict[str, dict[int, float]] = {name: {} for name in LAST_LAYERS}
    for kind, (name, keys) in enumerate(KINDS.items()):
        of_reader, of_fast, label = (
            np.concatenate([_told(each[key], key, passes) for key in keys])
            for each in (passes.by_reader, passes.by_fast, passes.true)
        )
        quick = of_fast[None]
        if name in BAR_KINDS:
            quick = np.stack([of_fast, np.ones_like(of_fast)])
        best, best_quick = most_probable(of_reader[None], label), most_probable(quick, label)
        factors["reader"][kind] = float(best[0])
        if name in BAR_KINDS:
            output = BAR_KINDS.index(name)
            factors["bars"][output], offsets["bars"][output] = map(float, best_quick)
        else:
            factors["fast_reader"][kind] = float(best_quick[0])
        closely, quickly = best @ of_reader[None], best_quick @ quick
        weight_of_fast, _, weight_of_reader, _ = view_weights()[keys[0]]
        weights = weight_of_reader, weight_of_fast
        together = weight_of_reader * closely + weight_of_fast * quickly
        for said, logits, found in (
            (", reader", closely, best),
            (", fast pass", quickly, best_quick),
            (", both", together, np.array(weights)),
        ):
            loss = 1000 * negative_log_likelihood(logits, label)
            print(f"{name}{said}: factors {found.round(3)}, log loss {loss:.2f} in a thousand")
            print(*reliability(logits, label), sep="\n")
    for name, layer in LAST_LAYERS.items():
        scale_outputs(name, layer, factors[name], offsets[name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    calibrate(pass_for(parser.parse_args().folders))


if __name__ == "__main__":
    main()
