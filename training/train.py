"""Trains a packaged network from folders of samples (see `training.samples`).

``python -m training.train NAME FOLDER --minutes 20`` trains one network of `training.tasks.table`
and writes it to ``brikks_vision/detect/models/`` when it is done; its weights are kept in the
folder, as NAME.pt, once a minute. What is drawn is seeded, but a run is limited by time, and
batches are prepared beside it: no two runs end alike.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training.export import export, load_packaged
from training.loop import train
from training.samples import parts_in
from training.tasks.table import TASKS


def take_up(net: nn.Module, name: str, weights: Path, example: Tensor) -> None:
    """Go on from weights: a file (.pt), or the packaged ones of a folder."""
    if weights.is_dir():
        load_packaged(net, weights / f"{name}.onnx", example)
    else:
        net.load_state_dict(torch.load(weights, map_location="cpu"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(TASKS))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, help="the highest learning rate; else the task's")
    parser.add_argument("--resume", type=Path, help="weights (.pt), or packaged ones' folder")
    parser.add_argument("--device", type=torch.device, default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    name, task = options.name, TASKS[options.name]
    samples = task.load(parts_in(options.folders))
    chosen = np.flatnonzero(task.photos(samples) >= 0)[:16]
    example = task.batch(samples, chosen, np.random.default_rng(0), True)["images"].cpu()
    net = task.network()
    if options.resume:
        take_up(net, name, options.resume, example)
    net = net.to(options.device, memory_format=torch.channels_last)
    kept = options.folders[0] / f"{name}.pt"
    rate = options.rate or task.rate
    net = train(net, task, samples, options.seed, options.minutes, rate, kept)
    print(export(net.cpu(), name, example))


if __name__ == "__main__":
    main()
