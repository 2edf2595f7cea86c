"""Makes the reader's log-odds mean what they say, and shows how far they do.

``python -m training.calibrate FOLDER ...`` scales the logits of each kind of mark of the reader
that was trained on these folders (``FOLDER/reader.pt`` of the first) by the factor that makes its
held-out samples most probable (temperature scaling, Guo et al. 2017), prints the reliability
before and after, and writes the packaged network.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.networks import Reader
from training.train import (
    MARK_KINDS,
    TASKS,
    export,
    load_arrays,
    mark_channels,
    mark_logits,
    reader_batch,
    split,
    usable,
)

FACTORS = np.geomspace(0.4, 2.5, 120)
BINS = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.0)


def negative_log_likelihood(logits: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    return float(
        np.mean(np.logaddexp(0, -logits) * labels + np.logaddexp(0, logits) * (1 - labels))
    )


def best_factor(logits: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    losses = [negative_log_likelihood(factor * logits, labels) for factor in FACTORS]
    return float(FACTORS[int(np.argmin(losses))])


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    torch.set_num_threads(2)
    arrays = load_arrays(options.folders, TASKS["reader"].arrays)
    _, held = split(usable(arrays, "reader"))
    net = Reader()
    net.load_state_dict(torch.load(options.folders[0] / "reader.pt"))
    net.eval()
    rng = np.random.default_rng(1)
    seen, true = [], []
    with torch.no_grad():
        for first in range(0, len(held), 16):
            batch = reader_batch(arrays, np.sort(held[first : first + 16]), rng, False)
            seen.append(mark_logits(net, batch).double().numpy())
            true.append(batch["labels"].double().numpy())
    logits, labels = np.concatenate(seen), np.concatenate(true)
    channels = mark_channels()[1].numpy()
    for kind, name in enumerate(MARK_KINDS):
        of_kind = logits[:, channels == kind], labels[:, channels == kind]
        factor = best_factor(*of_kind)
        print(f"{name}: logits times {factor:.2f}")
        print(*reliability(factor * of_kind[0], of_kind[1]), sep="\n")
        with torch.no_grad():
            net.head.weight[kind] *= factor
            assert net.head.bias is not None
            net.head.bias[kind] *= factor
    print(export(net, "reader", batch["images"]))


if __name__ == "__main__":
    main()
