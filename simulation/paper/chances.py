"""Choices by chance."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

T = TypeVar("T")


def pick(rng: np.random.Generator, *choices: T) -> T:
    """One of the choices, all equally likely."""
    return choices[int(rng.integers(len(choices)))]


def chance(rng: np.random.Generator, probability: float) -> bool:
    """True with that probability."""
    return bool(rng.random() < probability)


def weighted(rng: np.random.Generator, *choices: tuple[float, T]) -> T:
    """One of the choices, each after its weight."""
    weights = np.array([weight for weight, _ in choices])
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))][1]
