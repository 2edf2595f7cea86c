"""Runs the packaged networks; the only module that knows ONNX Runtime.

From any number of threads at once: they share one session for each network, and each of them
computes its forward pass by itself, so that it gets the same numbers as alone.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FIRST = ("aligner", "fast_reader", "bars", "occlusion", "cancelled", "boxed_figures")
"""The networks that nearly every sheet of known print is read with, in the order of their need."""

_MODELS = Path(__file__).parent / "models"
_opening = threading.Lock()


def _session(name: str) -> InferenceSession:
    """The shared session of a packaged network, opened on first use."""
    with _opening:
        return _opened(name)


@cache
def _opened(name: str) -> InferenceSession:
    return open_session((_MODELS / f"{name}.onnx").read_bytes())


def open_ahead() -> threading.Thread:
    """Open the sessions of `FIRST` in a thread of its own, which is returned.

    It runs beside the caller's imports, but for its own one, which comes first. What cannot be
    opened fails where it is needed.
    """
    _runtime()

    def run() -> None:
        with suppress(Exception):
            for name in FIRST:
                _session(name)

    thread = threading.Thread(target=run, name="networks", daemon=True)
    thread.start()
    return thread


@cache
def _runtime() -> Any:
    """ONNX Runtime, imported here: commands that read no photo do not need it."""
    # The import alone makes an identifier in the user's folder and sends it, but for this variable.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # for Windows, which knows no such variable
    return onnxruntime


def open_session(model: bytes) -> InferenceSession:
    """A session for a network in ONNX, on the CPU."""
    onnxruntime = _runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # run in the calling thread
    options.enable_cpu_mem_arena = False  # the arena holds 60 MB and saves no time
    if b"QuantizeLinear" not in model:  # only its weights are whole numbers: they are made single
        # precision once, when the session is opened, not at each run
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    session: InferenceSession
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return session


def _forward(name: str, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a network computes of contiguous float32 inputs (N, C, ...)."""
    session = _session(name)
    (outputs,) = session.run(None, {session.get_inputs()[0].name: inputs})
    return np.asarray(outputs, np.float32)


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((_MODELS / "models.json").read_text("utf-8"))
    return table


@cache
def outputs_of(name: str) -> Mapping[tuple[str, str], int]:
    """The output of a network for each field and mark, from ``models/models.json``."""
    found = {}
    for output, keys in enumerate(_table()["outputs"][name]):
        for key in keys:
            field, mark = key.split()
            found[field, mark] = output
    return MappingProxyType(found)


@cache
def view_weights() -> Mapping[tuple[str, str], Sequence[float]]:
    """Weights of what the views of the closer look tell, by field and mark.

    Views: the fast pass, the bars in a mirror, the reader, each place beside the empty sheet.
    """
    found = {tuple(key.split()): weights for key, weights in _table()["weights"].items()}
    return MappingProxyType(found)


@cache
def logit_factors(name: str) -> Mapping[str, NDArray[np.float64]]:
    """The factors (outputs,) of a network's log-odds, by what a place is compared with."""
    factors = _table()["factors"][name]
    return MappingProxyType({kind: np.array(each, np.float64) for kind, each in factors.items()})


def calibration_of(name: str) -> dict[str, Any]:
    """The constants that were fitted for what is told by a network."""
    found: dict[str, Any] = _table()["calibration"][name]
    return found


def run_network(name: str, *layers: NDArray[np.uint8]) -> NDArray[np.float32]:
    """One forward pass of a packaged network over uint8 pictures of one size, laid on each other.

    Returns float32 (channels, height / stride, width / stride); `training.networks` says what
    the channels of input and output mean.
    """
    inputs = _as_input([np.asarray(each) for layer in layers for each in cv2.split(layer)])
    return np.asarray(_forward(name, inputs)[0])


def _as_input(channels: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """uint8 channels of one picture as contiguous float32 (1, channels, height, width), 0 to 1."""
    planes = np.empty((len(channels), *channels[0].shape), np.float32)
    for plane, channel in zip(planes, channels, strict=True):
        np.multiply(channel, np.float32(1 / 255), out=plane)
    return planes[None]


def run_batch(name: str, *layers: NDArray[np.uint8]) -> NDArray[np.float32]:
    """One forward pass over uint8 pictures (N, height, width, channels): (N, outputs, ...).

    ``layers`` : stacked along the channels.
    """
    count, height, width, _ = layers[0].shape
    channels = [layer[..., at] for layer in layers for at in range(layer.shape[-1])]
    blob = np.empty((count, len(channels), height, width), np.float32)
    for at, channel in enumerate(channels):
        np.multiply(channel, np.float32(1 / 255), out=blob[:, at])
    return _forward(name, blob)


def run_next(name: str, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """One forward pass over the output of other networks: (N, C, ...) to (N, outputs, ...)."""
    return _forward(name, np.ascontiguousarray(inputs))


def sample(
    maps: NDArray[np.float32], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Bilinear samples (channels, N) of maps (channels, height, width) at positions (N,), px."""
    height, width = maps.shape[1:]
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    left = np.minimum(x.astype(int), width - 2)
    top = np.minimum(y.astype(int), height - 2)
    right_share, bottom_share = x - left, y - top
    upper = maps[:, top, left] * (1 - right_share) + maps[:, top, left + 1] * right_share
    lower = maps[:, top + 1, left] * (1 - right_share) + maps[:, top + 1, left + 1] * right_share
    return np.asarray(upper * (1 - bottom_share) + lower * bottom_share, np.float64)
