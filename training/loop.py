"""The training loop: draws of samples, batches prepared in a second thread, measurements."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.tasks.task import Batch, Measures, Numbers, Task

HELD_OUT = 0.04  # share of the photos that only measure
UNIFORM_SHARE = 0.25  # of the draws of samples; the others favour what is read badly
PREPARED = 3  # batches
MEASURED = 400  # samples, every minute
SAVED = 60  # seconds


def split(photos: Numbers) -> tuple[Numbers, Numbers]:
    """Numbers of the samples to train on and to measure on; the same split each time.

    photos: (N,), the photo that each is of, or -1.
    """
    shuffled = np.random.default_rng(0).permutation(np.unique(photos[photos >= 0]))
    held = shuffled[: max(1, int(len(shuffled) * HELD_OUT))]
    is_held = np.isin(photos, held)
    return np.flatnonzero(~is_held & (photos >= 0)), np.flatnonzero(is_held)


class Sampler:
    """Draws samples, by given chances or more often those whose loss was high when last seen.

    Most sheets are read well after a while and teach little. Each loss is weighted by the inverse
    of its sample's probability, so that the expected gradient stays that of uniform draws
    (importance sampling, Katharopoulos and Fleuret 2018).
    """

    def __init__(
        self,
        numbers: Numbers,
        rng: np.random.Generator,
        chances: NDArray[np.float64] | None = None,
    ) -> None:
        self.numbers, self.rng, self.chances = numbers, rng, chances
        self.losses = np.ones(len(numbers))  # at first all alike, and higher than most will be
        if chances is not None:
            self.ends = np.cumsum(chances / chances.sum())

    def draw(self, size: int) -> tuple[Numbers, NDArray[np.float32]]:
        """Positions in ``numbers`` (size,) and the weights of their losses (size,)."""
        count = len(self.numbers)
        if self.chances is not None:
            drawn = np.sort(np.searchsorted(self.ends[:-1], self.rng.random(size)))
            return drawn, np.ones(size, np.float32)
        above = self.losses - self.losses.min() + 1e-6  # a log likelihood may be negative
        share = above / above.sum()
        probability = UNIFORM_SHARE / count + (1 - UNIFORM_SHARE) * share
        drawn = np.sort(self.rng.choice(count, size, p=probability / probability.sum()))
        return drawn, (1 / (count * probability[drawn])).astype(np.float32)

    def note(self, drawn: Numbers, losses: NDArray[np.float32]) -> None:
        """Remember the losses of drawn samples."""
        if self.chances is None:
            known = np.isfinite(losses)
            self.losses[drawn[known]] = losses[known]


def prefetched(
    task: Task, samples: Any, sampler: Sampler, rng: np.random.Generator
) -> Iterator[tuple[Numbers, Tensor, Batch]]:
    """Endless positions, weights and training batches, prepared in a second thread."""

    def prepare() -> tuple[Numbers, Tensor, Batch]:
        drawn, weights = sampler.draw(task.size)
        batch = task.batch(samples, sampler.numbers[drawn], rng, True)
        return drawn, torch.from_numpy(weights), batch

    with ThreadPoolExecutor(1) as thread:
        waiting = [thread.submit(prepare) for _ in range(PREPARED)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(thread.submit(prepare))


def on(device: torch.device, batch: Batch) -> Batch:
    """A batch's tensors on a device."""
    return {
        name: on(device, value) if isinstance(value, dict) else value.to(device)
        for name, value in batch.items()
    }


def measure(net: nn.Module, task: Task, samples: Any, numbers: Numbers) -> Measures:
    """Mean loss and figures over samples that were not trained on, without those not known."""
    net.eval()
    device = next(net.parameters()).device
    rng = np.random.default_rng(1)
    sums: Measures = {}
    counts: Measures = {}
    with torch.no_grad():
        for first in range(0, len(numbers), task.size):
            part = np.sort(numbers[first : first + task.size])
            batch = on(device, task.batch(samples, part, rng, False))
            losses, figures = task.loss(net, batch)
            told = {"loss": losses.mean().item(), **figures, **task.measure(net, batch)}
            for key, figure in told.items():
                if np.isfinite(figure):
                    sums[key] = sums.get(key, 0.0) + figure * len(part)
                    counts[key] = counts.get(key, 0.0) + len(part)
    return {key: round(total / counts[key], 4) for key, total in sums.items()}


def follow(mean: nn.Module, net: nn.Module, decay: float) -> None:
    """Move a running mean of weights towards a network's."""
    with torch.no_grad():
        both = zip(mean.state_dict().values(), net.state_dict().values(), strict=True)
        for ours, theirs in both:
            if ours.dtype.is_floating_point:
                ours.lerp_(theirs, 1 - decay)
            else:
                ours.copy_(theirs)


def train(
    net: nn.Module,
    task: Task,
    samples: Any,
    seed: int,
    minutes: float,
    rate: float,
    kept: Path,
    clock: Callable[[], float] = time.monotonic,
) -> nn.Module:
    """Train a network for some minutes; figures of held-out samples are printed as it goes.

    The weights are kept in a file once a minute. seed: of the draws. rate: the highest learning
    rate, which falls with a cosine. clock: seconds.

    Returns the network, or the running mean of it where its task asks for one.
    """
    numbers, held = split(task.photos(samples))
    size = sum(p.numel() for p in net.parameters())
    print(f"{size / 1e3:.0f} k weights, {len(numbers)} + {len(held)} samples", flush=True)
    device = next(net.parameters()).device
    # without AVX-512 bfloat16 is emulated, ten times slower than float32
    half_precision = device.type == "cuda" or "AVX512" in torch.backends.cpu.get_cpu_capability()
    learnt = [each for each in net.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=rate, weight_decay=task.decay)
    result = deepcopy(net) if task.averaged else net
    chances = task.chances(samples)[numbers] if task.chances else None
    sampler = Sampler(numbers, np.random.default_rng([seed, 1]), chances)
    started = saved = clock()
    batches = prefetched(task, samples, sampler, np.random.default_rng(seed))
    for step, (drawn, weights, batch) in enumerate(batches):
        now = clock()
        share = (now - started) / (60 * minutes)
        if share >= 1:
            break
        batch, warm = on(device, batch), min(1, (step + 1) / 100)
        for group in optimizer.param_groups:
            group["lr"] = rate * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        net.train()
        with torch.autocast(device.type, torch.bfloat16, enabled=half_precision):
            losses, _ = task.loss(net, batch)
        sampler.note(drawn, losses.detach().float().cpu().numpy())
        optimizer.zero_grad()
        (losses * weights.to(device)).mean().backward()
        if torch.isfinite(nn.utils.clip_grad_norm_(learnt, 1.0)):
            optimizer.step()
        if task.averaged:
            follow(result, net, min(task.averaged, (step + 1) / (step + 10)))
        if now - saved > SAVED:
            torch.save(result.state_dict(), kept)
            figures = measure(result, task, samples, held[:MEASURED])
            print(f"{100 * share:3.0f} % step {step}", figures, flush=True)
            saved = now
    torch.save(result.state_dict(), kept)
    print("measured", measure(result, task, samples, held), flush=True)
    return result
