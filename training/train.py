"""Trains the packaged networks from a folder of samples (see `training.samples`).

``python -m training.train NAME FOLDER --minutes 20`` trains one network (see `TASKS`) and writes it
to ``brikks_vision/detect/models/`` when it is done. What is drawn is seeded, but a run is limited
by time, and batches are prepared beside it: no two runs end alike.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from training.export import export, load_packaged, parts_of
from training.loop import measure, split, train, usable
from training.networks import Aligner, Figures, Glance, Locator, Reader
from training.samples import load_arrays
from training.tasks.aligner import aligner_batch, aligner_loss
from training.tasks.bars import bars_batch, bars_loss, bars_network
from training.tasks.figures import figures_batch, figures_loss
from training.tasks.glance import glance_batch, glance_loss
from training.tasks.glance_bars import glance_bars_batch, glance_bars_network
from training.tasks.locator import locator_batch, locator_loss
from training.tasks.reader import reader_batch, reader_loss
from training.tasks.task import Task

TASKS = {
    "locator": Task(Locator, locator_batch, locator_loss, ("small", "kind", "place"), 24),
    "aligner": Task(Aligner, aligner_batch, aligner_loss, ("flat", "labels", "kind"), 16),
    "figures": Task(
        Figures, figures_batch, figures_loss, ("flat", "labels", "kind", "written"), 24
    ),
    "glance": Task(Glance, glance_batch, glance_loss, ("flat", "labels", "kind"), 24),
    "glance_bars": Task(
        glance_bars_network, glance_bars_batch, bars_loss, ("flat", "pen", "labels", "kind"), 24
    ),
    "bars": Task(bars_network, bars_batch, bars_loss, ("patches", "pen", "labels", "kind"), 16),
    "reader": Task(Reader, reader_batch, reader_loss, ("flat", "labels", "kind"), 16),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(TASKS))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="weights (.pt), or packaged ones' folder")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    task = TASKS[options.name]
    arrays = load_arrays(options.folders, task.arrays)
    numbers, held = split(usable(arrays, options.name))
    net = task.network()
    if options.resume and options.resume.is_dir():
        paths = [options.resume / f"{part}.onnx" for part in parts_of(net, options.name)]
        load_packaged(net, paths, task.batch(arrays, numbers[:16], rng, True)["images"])
    elif options.resume:
        net.load_state_dict(torch.load(options.resume))
    net = net.to(memory_format=torch.channels_last)
    size = sum(p.numel() for p in net.parameters())
    print(f"{size / 1e3:.0f} k weights, {len(numbers)} + {len(held)} samples")
    example = train(
        net, task, arrays, numbers, held, rng, options.seed, options.minutes, options.rate
    )
    torch.save(net.state_dict(), options.folders[0] / f"{options.name}.pt")
    print("measured", measure(net, task, arrays, held))
    print(export(net, options.name, example))


if __name__ == "__main__":
    main()
