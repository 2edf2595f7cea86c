"""Networks to and from the packaged files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from training.networks import Bars
from training.storage import store_as_whole_numbers, store_in_half_precision, stored_weights

MODELS = Path(__file__).resolve().parents[1] / "brikks_vision" / "detect" / "models"
WHOLE_NUMBERS = ("figures", "glance", "glance_bars")  # what is stored so: see `training.storage`


def parts_of(net: nn.Module, name: str) -> dict[str, nn.Module]:
    """The parts of a network that are packaged each for itself, by name, in their order.

    What lies between them is left to numpy.
    """
    parts = getattr(net, "parts", ())
    return {f"{name}_{part}": getattr(net, part) for part in parts} or {name: net}


def export(net: nn.Module, name: str, example: Tensor) -> list[Path]:
    """Write the network as ONNX: batch normalisation in the convolutions, half precision."""
    MODELS.mkdir(exist_ok=True)
    net = net.eval().to(memory_format=torch.contiguous_format)
    parts, inputs, free_sizes = parts_of(net, name), {}, {}

    def note(part: nn.Module, given: tuple[Tensor, ...], made: Tensor) -> None:
        inputs[part] = given[0].contiguous()
        free_sizes[part] = _free_sizes(given[0].ndim, made.ndim)

    hooks = [part.register_forward_hook(note) for part in parts.values()]
    with torch.no_grad():
        net(example[: len(net.groups)] if isinstance(net, Bars) else example[:1])
    for hook in hooks:
        hook.remove()
    paths = []
    for part_name, part in parts.items():
        path = MODELS / f"{part_name}.onnx"
        torch.onnx.export(
            part, (inputs[part],), str(path),
            dynamo=False, input_names=["image"], output_names=["maps"], opset_version=13,
            dynamic_axes=free_sizes[part],
        )  # fmt: skip
        store_in_half_precision(path)
        if name in WHOLE_NUMBERS:
            store_as_whole_numbers(path)
        paths.append(path)
    return paths


def _free_sizes(inputs: int, outputs: int) -> dict[str, dict[int, str]]:
    """The axes of a network's input and output of which the size is left free, and their names.

    Any number of pictures; where maps become maps, of any size. ``inputs``, ``outputs``: how many
    axes they have.
    """
    if inputs == outputs == 4:
        return {
            "image": {0: "pictures", 2: "height", 3: "width"},
            "maps": {0: "pictures", 2: "rows", 3: "columns"},
        }
    return {"image": {0: "pictures"}, "maps": {0: "pictures"}}


def load_packaged(net: nn.Module, paths: list[Path], example: Tensor) -> None:
    """Take the weights of a packaged network up again, to train it on.

    Its batch normalisation is folded into its convolutions. Each is unfolded by what the example,
    a batch of inputs, shows of its statistics; what the network computes stays the same, with the
    factors that `training.calibrate` left in it. ``paths``: of its parts, in their order.

    Raises
    ------
    ValueError
        The files hold another network, or a part of one.
    """
    graphs = [onnx.load(str(path)).graph for path in paths]
    layers = [
        (module, following)
        for module, following in pairwise([*net.modules(), net])
        if isinstance(module, (nn.Conv2d, nn.Linear))
    ]
    nodes = [
        (stored_weights(graph), node)
        for graph in graphs
        for node in graph.node
        if node.op_type in ("Conv", "Gemm", "MatMul")
    ]
    normalisations = []
    for (module, following), (arrays, node) in zip(layers, nodes, strict=True):
        weight, *bias = (torch.from_numpy(arrays[name]) for name in node.input[1:])
        # a layer without offsets is stored as a product, the other way round
        weight = weight.T if node.op_type == "MatMul" else weight
        if weight.shape != module.weight.shape:
            raise ValueError(f"weights of {tuple(weight.shape)}, not {tuple(module.weight.shape)}")
        module.weight.data.copy_(weight)
        if module.bias is not None:
            module.bias.data.copy_(bias[0])
        elif isinstance(following, nn.BatchNorm2d):
            normalisations.append(following)
            following.bias.data.copy_(bias[0])
            following.running_var = torch.full_like(bias[0], 1 - following.eps)

    def unfold(module: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        seen = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        module.running_mean, module.running_var = seen
        module.weight.data = (seen[1] + module.eps).sqrt()
        module.bias.data = module.bias.data + seen[0]

    hooks = [each.register_forward_pre_hook(unfold) for each in normalisations]
    with torch.no_grad():
        net.eval()(example)
    for hook in hooks:
        hook.remove()
