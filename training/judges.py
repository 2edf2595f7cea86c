"""Trains the last parts of the networks of the bars further, on stored features.

``python -m training.judges NAME FOLDER ...`` takes up a packaged reader of the bars, ``bars`` or
``glance_bars``. What its first networks make of each sample is computed once for a few draws and
kept; on it the last two (``judge`` and ``hand`` of `training.networks.Bars`) see every sample many
times in minutes, which would take `training.train` hours. Against overfitting, features are left
out at random, alike in all patches of a sheet (dropout; Srivastava et al. 2014), and the weights
decay. What is drawn is seeded.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import dropout

from brikks_vision.detect.marks import Key
from training.export import MODELS, export, load_packaged, parts_of
from training.loop import split, usable
from training.networks import Bars
from training.samples import Arrays, load_arrays
from training.tasks.bars import verdict_loss
from training.tasks.task import Measures, Task
from training.train import TASKS

LEFT_OUT = 0.2  # of the features
DECAY = 0.05  # of the weights, see `torch.optim.AdamW`
SHEETS_A_STEP = 64
STEPS_TO_WARM = 50
Kept = tuple[Tensor, dict[Key, Tensor]]
"""Features (N, P, width), in half precision, and labels (N, places) by field and mark."""


def kept_features(
    net: Bars, task: Task, arrays: Arrays, numbers: NDArray, rng: np.random.Generator, draws: int
) -> Kept:
    """What the first networks make of samples, in ``draws`` draws of how else they may look.

    0 draws: once, as they are.
    """
    features, labels = [], []
    net.eval()
    with torch.no_grad():
        for _ in range(max(1, draws)):
            for first in range(0, len(numbers), task.batch_size):
                part = np.sort(numbers[first : first + task.batch_size])
                batch = task.batch(arrays, part, rng, draws > 0)
                features.append(net.features_of(batch["images"]).half())
                labels.append(batch["labels"])
    return torch.cat(features), {
        key: torch.cat([each[key] for each in labels]) for key in labels[0]
    }


def train_judges(net: Bars, kept: Kept, epochs: int, rate: float) -> None:
    """Train the network's last parts on kept features; the others stay as they are."""
    features, labels = kept
    weights = [*net.judge.parameters(), *net.hand.parameters()]
    optimizer = torch.optim.AdamW(weights, lr=rate, weight_decay=DECAY)
    steps = epochs * -(-len(features) // SHEETS_A_STEP)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1, (step + 1) / STEPS_TO_WARM) * (1 + np.cos(np.pi * step / steps)) / 2,
    )
    net.judge.train()
    net.hand.train()
    for _ in range(epochs):
        for chosen in torch.randperm(len(features)).split(SHEETS_A_STEP):
            seen = features[chosen].float()
            seen = seen * dropout(torch.ones(len(seen), 1, seen.shape[2]), LEFT_OUT)
            losses, _ = verdict_loss(
                net.verdicts(seen), {key: each[chosen] for key, each in labels.items()}
            )
            optimizer.zero_grad()
            losses.mean().backward()
            nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            schedule.step()
    net.eval()


def measure_judges(net: Bars, kept: Kept) -> Measures:
    """Mean loss and figures over samples that were not trained on."""
    features, labels = kept
    with torch.no_grad():
        losses, figures = verdict_loss(net.verdicts(features.float()), labels)
    return {"loss": losses.mean().item(), **figures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=("bars", "glance_bars"))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--draws", type=int, default=2, help="of how else each sample may look")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    task = TASKS[options.name]
    arrays = load_arrays(options.folders, task.arrays)
    train, held = split(usable(arrays, options.name))
    net = task.network()
    assert isinstance(net, Bars)
    example = task.batch(arrays, train[:16], rng, True)["images"]
    paths = [MODELS / f"{part}.onnx" for part in parts_of(net, options.name)]
    load_packaged(net, paths, example)
    net.eval()
    unseen = kept_features(net, task, arrays, held, rng, 0)
    print("before", measure_judges(net, unseen), flush=True)
    train_judges(
        net,
        kept_features(net, task, arrays, train, rng, options.draws),
        options.epochs,
        options.rate,
    )
    print("after", measure_judges(net, unseen))
    print(export(net, options.name, example))


if __name__ == "__main__":
    main()
