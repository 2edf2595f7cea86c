"""The reader of marks at places of any print (`brikks_vision.detect.patches`): samples, training.

``python -m training.tasks.patches samples FOLDER --sheets 6000 --seed 1`` draws small sheets
(`training.tasks.small_sheets`) and keeps their places; ``--sheet bloxx`` whole sheets of that game
(`training.tasks.bloxx_sheets`), ``--held-out`` takes the writers and the real ink that are never
trained on, ``--plain`` plain players alone. ``... train FOLDER --minutes 30
--seed 1`` trains and packages the network; its weights are kept in the folder once a minute, and
``--resume`` takes them up. ``... calibrate FOLDER`` fits the factors of its log-odds, which go into
``models.json``, and prints how far they hold; ``... measure FOLDER`` prints how right and how sure
the network is with those.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect.patches import (
    SIDE,
    Reference,
    Views,
    darker_than,
    lighter_than,
    patch_logits,
)
from training.export import load_packaged
from training.networks import Residual, block
from training.storage import store_in_half_precision
from training.tasks import bloxx_sheets, small_sheets
from training.tasks.small_sheets import OUTPUTS, UNKNOWN, Places

MODELS = Path(__file__).resolve().parents[2] / "brikks_vision" / "detect" / "models"
PART = 200  # sheets a file
SHEETS: dict[str, Callable[[np.random.Generator, bool, bool], Places]] = {
    "small": small_sheets.marked_places,
    "bloxx": bloxx_sheets.marked_places,
}
CELL, EDGE, LOOSE = 0, 1, 2  # kinds of places
REFERENCE_SHARES = (0.4, 0.4, 0.2)  # of training: blank, alike, none
TEMPLATE_SHARE = 0.6  # of training: the others have no template
BATCH = 256  # places
AVERAGED = 0.999  # decay of the mean of the weights, which is what is packaged


INPUTS = 11  # channels that the network sees


class PatchReader(nn.Module):
    """(N, 11, 32, 32) -> (N, 6) logits of `OUTPUTS`.

    Input: BGR of the photo, BGR of the reference, the lightest of the same print, the template, the
    kind of reference, how much darker the photo is, and how much lighter, all 0 to 1; see
    `brikks_vision.detect.patches`.
    """

    def __init__(self) -> None:
        super().__init__()
        first, maps, wide = 16, 32, 64
        self.stem = nn.Sequential(block(INPUTS, first, 2), block(first, maps, 2))
        self.middle = block(maps, maps)
        self.deeper = Residual(maps)
        self.top = nn.Sequential(block(maps, wide, 2), nn.Flatten())
        self.judge = nn.Sequential(
            nn.Linear(wide * (SIDE // 8) ** 2, 64), nn.ReLU(), nn.Dropout(0.1)
        )
        self.last = nn.Linear(64, len(OUTPUTS))

    def forward(self, x: Tensor) -> Tensor:
        local = self.stem(x - 0.5)
        result: Tensor = self.last(self.judge(self.top(self.deeper(local + self.middle(local)))))
        return result


# --- samples ---------------------------------------------------------------------------------


def write_samples(
    folder: Path, sheets: int, seed: int, held_out: bool, plain: bool, first: int, sheet: str
) -> None:
    """Files of places of one kind of `SHEETS`.

    Pictures uint8 (N, SIDE, SIDE, 11), labels (N, outputs), facts (N, 3). Pictures: photo, blank,
    alike (BGR each), lightest, template. Facts: kind of place, kind of the reference without a
    blank, number of the sheet within its file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(first, sheets, PART):
        pictures, labels, facts = [], [], []
        for number in range(start, min(start + PART, sheets)):
            places = SHEETS[sheet](np.random.default_rng([seed, number]), held_out, plain)
            alike, beside = places.alike, places.with_blank
            parts = (alike.photo, beside.reference, alike.reference, alike.lightest, alike.template)
            pictures.append(np.concatenate(parts, axis=-1))
            labels.append(places.labels)
            on_sheet = np.full(len(places.kinds), number - start, np.uint8)
            facts.append(np.stack([places.kinds, alike.kinds, on_sheet], axis=1))
        for name, arrays in (("labels", labels), ("facts", facts), ("pictures", pictures)):
            np.save(folder / f"{name}-{start:06d}.npy", np.concatenate(arrays))
        print(start + PART, "sheets", sum(map(len, labels)), "places", flush=True)


@dataclass(frozen=True, eq=False)
class Samples:
    """The places of several folders; pictures are read when they are asked for."""

    parts: list[NDArray[np.uint8]]
    labels: NDArray[np.uint8]
    facts: NDArray[np.uint8]

    def pictures(self, chosen: NDArray[np.int64]) -> NDArray[np.uint8]:
        ends = np.cumsum([len(part) for part in self.parts])
        part = np.searchsorted(ends, chosen, side="right")
        within = chosen - (ends - [len(part) for part in self.parts])[part]
        return np.stack([self.parts[p][w] for p, w in zip(part, within, strict=True)])

    def __len__(self) -> int:
        return len(self.labels)


def load_samples(folders: list[Path]) -> Samples:
    files = [path for folder in folders for path in sorted(folder.glob("pictures-*.npy"))]
    if not files:
        raise FileNotFoundError(f"no samples in {', '.join(map(str, folders))}")

    def beside(path: Path, name: str) -> NDArray[np.uint8]:
        array: NDArray[np.uint8] = np.load(path.with_name(path.name.replace("pictures", name)))
        return array

    return Samples(
        [np.load(path, mmap_mode="r") for path in files],
        np.concatenate([beside(path, "labels") for path in files]),
        np.concatenate([beside(path, "facts") for path in files]),
    )


# --- training --------------------------------------------------------------------------------


LAYERS = 11  # channels of stored pictures


def _colored(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Each place in other colours and light, the photo and its references alike."""
    count = len(pictures)
    levels = np.arange(256, dtype=np.float32)[None, :, None] / 255
    gamma = np.exp(rng.normal(0, 0.2, (count, 1, 3))).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.12, (count, 1, 3))).astype(np.float32)
    tables = np.clip(255 * gain * levels**gamma, 0, 255)
    grey, template = (
        tables.mean(axis=2, keepdims=True),
        np.broadcast_to(255 * levels, (count, 256, 1)),
    )
    tables = np.concatenate([tables, tables, tables, grey, template], axis=2).astype(np.uint8)
    result = pictures
    for at in np.flatnonzero(rng.random(count) < 0.6):
        result[at] = cv2.LUT(pictures[at], tables[at][None])
    rest = np.arange(9, LAYERS)
    for at in np.flatnonzero(rng.random(count) < 0.25):
        order = rng.permutation(3)
        result[at] = result[at][..., np.concatenate([order, order + 3, order + 6, rest])]
    return result


def _shifted(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A third of the places a pixel aside, with all that is seen of them."""
    for at in np.flatnonzero(rng.random(len(pictures)) < 0.33):
        y, x = rng.integers(-1, 2, 2)
        rows = np.clip(np.arange(SIDE) + y, 0, SIDE - 1)
        columns = np.clip(np.arange(SIDE) + x, 0, SIDE - 1)
        pictures[at] = pictures[at][rows[:, None], columns]
    return pictures


def _mirrored(
    pictures: NDArray[np.uint8], turnable: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Half of the places in a mirror, each way; half of the turnable ones turned by a quarter.

    Edges are not turnable: they stand upright.
    """
    flips = rng.random((3, len(pictures))) < 0.5
    for at in np.flatnonzero(flips[0]):
        pictures[at] = pictures[at][::-1]
    for at in np.flatnonzero(flips[1]):
        pictures[at] = pictures[at][:, ::-1]
    for at in np.flatnonzero(flips[2] & turnable):
        pictures[at] = np.swapaxes(pictures[at], 0, 1)
    return pictures


def as_input(
    pictures: NDArray[np.uint8], kinds: NDArray[np.uint8], templates: NDArray[np.bool_]
) -> Tensor:
    """Pictures (N, SIDE, SIDE, 11) as the network's input, by the kind of reference (N,)."""
    none = kinds == Reference.NONE
    reference = pictures[..., 6:9].copy()
    reference[kinds == Reference.BLANK] = pictures[kinds == Reference.BLANK, ..., 3:6]
    reference[none] = 0
    whole = np.empty((*pictures.shape[:3], INPUTS), np.uint8)
    whole[..., :3], whole[..., 3:6] = pictures[..., :3], reference
    whole[..., 6:8] = pictures[..., 9:]
    whole[none, ..., 6] = 0
    whole[~templates, ..., 7] = 0
    whole[..., 8] = kinds[:, None, None]
    photo = pictures[..., :3]
    whole[..., 9:10], whole[..., 10:] = (
        darker_than(reference, photo),
        lighter_than(reference, photo),
    )
    # channels last, as torch sees it
    return torch.from_numpy(whole).permute(0, 3, 1, 2).float().div_(255)


def batches(
    samples: Samples, size: int, rng: np.random.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """Training batches without end: inputs, labels (`UNKNOWN` kept)."""
    while True:
        chosen = np.sort(rng.choice(len(samples), size))
        facts = samples.facts[chosen]
        pictures = _shifted(_colored(samples.pictures(chosen), rng), rng)
        pictures = _mirrored(pictures, facts[:, 0] != EDGE, rng)
        wanted = rng.choice(
            [Reference.BLANK, Reference.ALIKE, Reference.NONE], size, p=REFERENCE_SHARES
        )
        kinds = np.where(wanted == Reference.ALIKE, facts[:, 1], wanted).astype(np.uint8)
        x = as_input(pictures, kinds, rng.random(size) < TEMPLATE_SHARE)
        yield (
            x.contiguous(memory_format=torch.channels_last),
            torch.from_numpy(samples.labels[chosen]),
        )


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    known = labels != UNKNOWN
    wrong = binary_cross_entropy_with_logits(
        logits.float(), (labels == 1).float(), reduction="none"
    )
    return (wrong * known).sum() / known.sum()


def train(folders: list[Path], minutes: float, seed: int, rate: float, resume: Path | None) -> None:
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    samples = load_samples(folders)
    net = PatchReader().to(memory_format=torch.channels_last)
    mean = PatchReader()
    if resume and resume.suffix == ".onnx":
        load_packaged(net, [resume], next(batches(samples, BATCH, rng))[0])
    elif resume:
        net.load_state_dict(torch.load(resume))
    mean.load_state_dict(net.state_dict())
    kept = folders[0] / "patches.pt"
    half_precision = "AVX512" in torch.backends.cpu.get_cpu_capability()
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e3:.0f} k weights, {len(samples)} places")
    started, saved, sums = time.monotonic(), 0.0, []
    for step, (x, labels) in enumerate(batches(samples, BATCH, rng)):
        elapsed = (time.monotonic() - started) / 60
        share = elapsed / minutes
        if share >= 1:
            break
        for group in optimizer.param_groups:
            warm = min(1, (step + 1) / 100)
            group["lr"] = rate * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=half_precision):
            logits = net(x)
        loss = loss_of(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        if torch.isfinite(nn.utils.clip_grad_norm_(net.parameters(), 1.0)):
            optimizer.step()
        decay = min(AVERAGED, (step + 1) / (step + 10))
        with torch.no_grad():
            for ours, theirs in zip(
                mean.state_dict().values(), net.state_dict().values(), strict=True
            ):
                if ours.dtype.is_floating_point:
                    ours.lerp_(theirs, 1 - decay)
                else:
                    ours.copy_(theirs)
        sums.append(loss.item())
        if elapsed - saved >= 1:
            saved = elapsed
            print(f"{100 * share:3.0f} % step {step} loss {np.mean(sums[-500:]):.4f}", flush=True)
            torch.save(mean.state_dict(), kept)
    torch.save(mean.state_dict(), kept)
    print(export(mean), step, "steps")


def export(net: PatchReader) -> Path:
    """Write the network as ONNX, its weights in half precision."""
    path = MODELS / "patches.onnx"
    net = net.eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        net, (torch.zeros(2, INPUTS, SIDE, SIDE),), str(path),
        dynamo=False, input_names=["image"], output_names=["maps"], opset_version=13,
        dynamic_axes={"image": {0: "places"}, "maps": {0: "places"}},
    )  # fmt: skip
    store_in_half_precision(path)
    return path


# --- calibration -----------------------------------------------------------------------------

BINS = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.0)
DOUBTFUL = 3.0  # log-odds under which a mark is in doubt


def logits_by_kind(samples: Samples) -> dict[Reference, NDArray[np.float64]]:
    """What the packaged network says (N, outputs) by each reference; NaN where there is none."""
    found = {}
    for kind in Reference:
        logits = np.full((len(samples), len(OUTPUTS)), np.nan)
        for start in range(0, len(samples), 2048):
            chosen = np.arange(start, min(start + 2048, len(samples)))
            if kind == Reference.ALIKE:
                chosen = chosen[samples.facts[chosen, 1] == Reference.ALIKE]
            if len(chosen):
                logits[chosen] = patch_logits(views_of(samples.pictures(chosen), kind))
        found[kind] = logits
    return found


def views_of(pictures: NDArray[np.uint8], kind: Reference) -> Views:
    reference = pictures[..., 3:6] if kind == Reference.BLANK else pictures[..., 6:9]
    lightest = pictures[..., 9:10]
    if kind == Reference.NONE:
        reference, lightest = np.zeros_like(reference), np.zeros_like(lightest)
    kinds = np.full(len(pictures), kind, np.uint8)
    return Views(pictures[..., :3], reference, lightest, pictures[..., 10:], kinds)


def log_loss(logits: NDArray[np.float64], labels: NDArray[np.uint8]) -> float:
    sign = np.where(labels == 1, -1.0, 1.0)
    return float(np.mean(np.logaddexp(0, sign * logits)))


def best_factor(logits: NDArray[np.float64], labels: NDArray[np.uint8]) -> float:
    """The factor of the log-odds by which the labels are most probable (temperature scaling)."""
    factors = np.geomspace(0.3, 3, 93)
    return float(factors[np.argmin([log_loss(each * logits, labels) for each in factors])])


def reliability(logits: NDArray[np.float64], labels: NDArray[np.uint8]) -> str:
    """For each range of confidence: mean confidence and share right in percent, and how many."""
    confidence = 1 / (1 + np.exp(-np.abs(logits)))
    right = (logits > 0) == (labels == 1)
    cells = []
    for low, high in pairwise(BINS):
        chosen = (confidence >= low) & ((confidence < high) | (high == 1.0))
        count = int(chosen.sum())
        if count:
            said, was = 100 * confidence[chosen].mean(), 100 * right[chosen].mean()
            cells.append(f"{said:.1f} / {was:.1f} ({count})")
        else:
            cells.append("-")
    return " | ".join(cells)


def tell(folders: list[Path], fit: bool) -> None:
    """Print how right, how sure and how reliable the network is; ``fit``: its factors first."""
    cv2.setNumThreads(1)
    samples = load_samples(folders)
    logits = logits_by_kind(samples)
    factors = {}
    print(
        "| reference | mark | places | marked | wrong % | doubtful % | log loss |", *BINS[:-1], "|"
    )
    for kind in (Reference.BLANK, Reference.ALIKE, Reference.NONE):
        of_kind = []
        for output, name in enumerate(OUTPUTS):
            said, label = logits[kind][:, output], samples.labels[:, output]
            known = (label != UNKNOWN) & ~np.isnan(said)
            said, label = said[known], label[known]
            factor = best_factor(said, label) if fit else 1.0
            of_kind.append(round(factor, 3))
            said = factor * said
            wrong = 100 * np.mean((said > 0) != (label == 1))
            doubtful = 100 * np.mean(np.abs(said) < DOUBTFUL)
            print(
                f"| {kind.name.lower()} | {name} | {len(label)} | {int((label == 1).sum())} |"
                f" {wrong:.2f} | {doubtful:.2f} | {1000 * log_loss(said, label):.1f} |",
                reliability(said, label), "|",
            )  # fmt: skip
        factors[kind.name.lower()] = of_kind
    if fit:
        print(json.dumps(factors))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("samples", "train", "calibrate", "measure"))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--sheets", type=int, default=6000)
    parser.add_argument("--first", type=int, default=0, help="number of the first sheet")
    parser.add_argument("--sheet", choices=SHEETS, default="small", help="what samples are of")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="writers never trained on")
    parser.add_argument("--plain", action="store_true", help="players who mark plainly")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path, help="weights (.pt), or the network (.onnx)")
    options = parser.parse_args()
    if options.what == "samples":
        cv2.setNumThreads(1)
        write_samples(
            options.folders[0], options.sheets, options.seed, options.held_out, options.plain,
            options.first, options.sheet,
        )  # fmt: skip
    elif options.what == "train":
        train(options.folders, options.minutes, options.seed, options.rate, options.resume)
    else:
        tell(options.folders, options.what == "calibrate")


if __name__ == "__main__":
    main()
