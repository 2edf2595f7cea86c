"""Fits the factors of the log-odds of the reader of places, and shows how far they hold.

``python -m training.calibrate_patches FOLDER ...`` takes samples of ``patches_calibration`` (see
`training.samples`). Prints how right, how sure and how reliable the packaged networks are, by kind
of reference and mark, and the factors by which their log-odds are multiplied beside those in
``brikks_vision/detect/models/models.json`` (temperature scaling, Guo et al. 2017).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.patches import Reference, Views, logits_in_context, patch_features
from training.calibrate import most_probable, negative_log_likelihood, reliability
from training.samples import parts_in
from training.tasks.patches import EDGE, Samples, load
from training.tasks.small_sheets import OUTPUTS, UNKNOWN

DOUBTFUL = 3.0  # log-odds under which a mark is in doubt
FACTORS = 0.3, 3.0  # more would be learnt from too few places that are wrong


def logits_by_kind(samples: Samples) -> dict[Reference, NDArray[np.float64]]:
    """What the packaged networks say (places, outputs) by each reference; NaN without one."""
    found = {kind: np.full((len(samples.labels), len(OUTPUTS)), np.nan) for kind in Reference}
    for sheet in range(len(samples)):
        places = samples.places(sheet)
        pictures, facts = samples.pictures(places), samples.facts[places]
        for kind in Reference:
            kinds = np.full(len(places), kind, np.uint8)
            if kind == Reference.ALIKE:
                kinds = facts[:, 1]
            told = patch_features(views_of(pictures, kinds))
            logits = logits_in_context(told, facts[:, 0] == EDGE, kinds)
            found[kind][places[kinds == kind]] = logits[kinds == kind]
    return found


def views_of(pictures: NDArray[np.uint8], kinds: NDArray[np.uint8]) -> Views:
    """What is seen of places (N,) beside references of these kinds (N,)."""
    reference, lightest = pictures[..., 6:9].copy(), pictures[..., 9:10].copy()
    is_blank, none = kinds == Reference.BLANK, kinds == Reference.NONE
    reference[is_blank] = pictures[is_blank, ..., 3:6]
    reference[none], lightest[none] = 0, 0
    return Views(pictures[..., :3], reference, lightest, pictures[..., 10:], kinds)


def tell(samples: Samples) -> dict[str, list[float]]:
    """Print how right, how sure and how reliable the network is.

    Returns the factors of its outputs by kind of reference.
    """
    factors = {}
    for kind, logits in logits_by_kind(samples).items():
        of_kind = []
        for output, name in enumerate(OUTPUTS):
            said, label = logits[:, output], samples.labels[:, output]
            known = (label != UNKNOWN) & ~np.isnan(said)
            said, true = said[known], label[known].astype(np.float64)
            factor = np.clip(most_probable(said[None], true)[0], *FACTORS)
            of_kind.append(round(float(factor), 3))
            wrong = 100 * np.mean((said > 0) != (true == 1))
            doubtful = 100 * np.mean(np.abs(said) < DOUBTFUL)
            loss = 1000 * negative_log_likelihood(said, true)
            print(f"{kind.name.lower()} {name}: {len(true)} places, {wrong:.2f} % wrong,"
                  f" {doubtful:.2f} % in doubt, log loss {loss:.1f} in a thousand")  # fmt: skip
            print(*reliability(said, true), sep="\n")
        factors[kind.name.lower()] = of_kind
    return factors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    cv2.setNumThreads(1)
    samples = load(parts_in(parser.parse_args().folders))
    print(json.dumps(tell(samples)))


if __name__ == "__main__":
    main()
