"""The training loop: draws of samples, batches prepared in a second thread, measurements."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from brikks_vision.games.brikks.keys import CELLS
from training.samples import Arrays
from training.tasks.task import Batch, Measures, Task

HELD_OUT = 0.04  # share of the samples that only measure
UNIFORM_SHARE = 0.25  # of the draws of samples; the others favour what is read badly
PREPARED = 3  # batches


def split(chosen: NDArray) -> tuple[NDArray, NDArray]:
    """Sample numbers to train on and to measure on; the same split each time."""
    shuffled = np.random.default_rng(0).permutation(chosen)
    held = max(1, int(len(shuffled) * HELD_OUT))
    return shuffled[held:], shuffled[:held]


def usable(arrays: Arrays, name: str) -> NDArray:
    """Numbers of the samples that a network can learn from: all, or those whose marks are known."""
    if name == "locator":
        return np.arange(len(arrays["kind"]))
    front = arrays["kind"][:] == 0
    return np.flatnonzero(front & (arrays["labels"][CELLS][:, 0, 0] >= 0))


class Sampler:
    """Draws samples; those whose loss was high when last seen are drawn more often.

    Most sheets are read well after a while and teach little. Each loss is weighted by the inverse
    of its sample's probability, so that the expected gradient stays that of uniform draws
    (importance sampling, Katharopoulos and Fleuret 2018).
    """

    def __init__(self, numbers: NDArray, rng: np.random.Generator) -> None:
        self.numbers, self.rng = numbers, rng
        self.losses = np.ones(len(numbers))  # at first all alike, and higher than most will be

    def draw(self, size: int) -> tuple[NDArray, NDArray[np.float32]]:
        """Positions in ``numbers`` (size,) and the weights of their losses (size,)."""
        count = len(self.numbers)
        above = self.losses - self.losses.min() + 1e-6  # a log likelihood may be negative
        share = above / above.sum()
        probability = UNIFORM_SHARE / count + (1 - UNIFORM_SHARE) * share
        drawn = np.sort(self.rng.choice(count, size, p=probability / probability.sum()))
        return drawn, (1 / (count * probability[drawn])).astype(np.float32)

    def note(self, drawn: NDArray, losses: NDArray[np.float32]) -> None:
        """Remember the losses of drawn samples."""
        known = np.isfinite(losses)
        self.losses[drawn[known]] = losses[known]


def prefetched(
    task: Task, arrays: Arrays, sampler: Sampler, rng: np.random.Generator
) -> Iterator[tuple[NDArray, Tensor, Batch]]:
    """Endless positions, weights and training batches, prepared in a second thread."""

    def prepare() -> tuple[NDArray, Tensor, Batch]:
        drawn, weights = sampler.draw(task.batch_size)
        batch = task.batch(arrays, sampler.numbers[drawn], rng, True)
        return drawn, torch.from_numpy(weights), batch

    with ThreadPoolExecutor(1) as thread:
        waiting = [thread.submit(prepare) for _ in range(PREPARED)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(thread.submit(prepare))


def measure(net: nn.Module, task: Task, arrays: Arrays, numbers: NDArray) -> Measures:
    """Mean loss and figures over samples that were not trained on."""
    net.eval()
    rng = np.random.default_rng(1)
    sums: Measures = {}
    with torch.no_grad():
        for first in range(0, len(numbers), 16):
            part = np.sort(numbers[first : first + 16])
            value, figures = task.loss(net, task.batch(arrays, part, rng, False))
            for key, figure in {"loss": value.mean().item(), **figures}.items():
                sums[key] = sums.get(key, 0.0) + figure * len(part) / len(numbers)
    return sums


def train(
    net: nn.Module,
    task: Task,
    arrays: Arrays,
    numbers: NDArray,
    held: NDArray,
    rng: np.random.Generator,
    seed: int,
    minutes: float,
    rate: float,
) -> Tensor:
    """Train a network in place for some minutes; figures of held samples are printed as it goes.

    numbers, held: of the samples to train and to measure on. rate: the highest learning rate. seed:
    of the draws of samples; ``rng`` augments them.

    Returns the inputs of the last batch, as an example to export the network with.
    """
    # without AVX-512 bfloat16 is emulated, ten times slower than float32
    half_precision = "AVX512" in torch.backends.cpu.get_cpu_capability()
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    started, shown = time.monotonic(), 0.0
    sampler = Sampler(numbers, np.random.default_rng([seed, 1]))
    for step, (drawn, weights, batch) in enumerate(prefetched(task, arrays, sampler, rng)):
        share = (time.monotonic() - started) / (60 * minutes)
        if share >= 1:
            break
        warm = min(1, (step + 1) / 100)
        for group in optimizer.param_groups:
            group["lr"] = rate * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=half_precision):
            losses, _ = task.loss(net, batch)
        sampler.note(drawn, losses.detach().float().numpy())
        optimizer.zero_grad()
        (losses * weights).mean().backward()
        if torch.isfinite(nn.utils.clip_grad_norm_(net.parameters(), 1.0)):
            optimizer.step()
        if share - shown > 0.1:
            shown = share
            figures = measure(net, task, arrays, held[:64])
            rounded = {name: round(figure, 4) for name, figure in figures.items()}
            print(f"{100 * share:3.0f} % step {step}", rounded, flush=True)
    return batch["images"]
