"""Networks to and from the packaged files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from training import storage
from training.networks import Bars
from training.place_networks import BlockColors, Cancelled, Patches

MODELS = Path(__file__).resolve().parents[1] / "brikks_vision" / "detect" / "models"
CONTEXT = "_context"  # after the name of a network that reads place by place
WHOLE_NUMBERS = (
    "board_pieces",
    "board_blocks",
    "board_pawns",
    "boxed_figures",
    "fast_reader",
    "printed_numbers",
)  # what is stored so: see `training.storage`


def export(net: nn.Module, name: str, example: Tensor) -> Path:
    """Write the network as ONNX: batch normalisation in the convolutions, half precision.

    The context of a reader of places becomes a file of its own beside it.
    """
    MODELS.mkdir(exist_ok=True)
    net = net.eval().to(memory_format=torch.contiguous_format)
    if isinstance(net, Patches):
        with torch.no_grad():
            told = torch.cat([net.reader(example), example.new_zeros(len(example), 1)], 1)
        _export_one(net.context, name + CONTEXT, told)
        return _export_one(net.reader, name, example[:1])
    if isinstance(net, (BlockColors, Cancelled)):
        # the blocks of one photo, the places of one sheet
        one = example[0] if isinstance(net, BlockColors) else example
        return _export_one(net, name, one)
    return _export_one(net, name, net.any_sheet() if isinstance(net, Bars) else example[:1])


def _export_one(net: nn.Module, name: str, shown: Tensor) -> Path:
    path = MODELS / f"{name}.onnx"
    free = {}
    if not isinstance(net, Bars):
        with torch.no_grad():
            free = _free_sizes(shown.ndim, net(shown).ndim)
    torch.onnx.export(
        net, (shown.contiguous(),), str(path), dynamo=False, input_names=["image"],
        output_names=["maps"], opset_version=13, dynamic_axes=free,
    )  # fmt: skip
    storage.shorten_names(path)
    storage.store_in_half_precision(path)
    if name in WHOLE_NUMBERS:
        storage.store_as_whole_numbers(path)
    return path


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


def load_packaged(net: nn.Module, path: Path, example: Tensor | None) -> None:
    """Take the weights of a packaged network up again, to train it on.

    Of the reader of places its context, too, where it is packaged beside it.

    Its batch normalisation is folded into its convolutions. Each is unfolded by what the example,
    a batch of inputs, shows of its statistics, or left without effect where there is none; what the
    network computes stays the same, with the factors that `training.calibrate` left in it.

    Raises
    ------
    ValueError
        The file holds another network.
    """
    if isinstance(net, Patches):
        load_packaged(net.reader, path, example)
        context = path.with_stem(path.stem + CONTEXT)
        if context.exists():
            load_packaged(net.context, context, None)
        return
    graph = onnx.load(str(path)).graph
    arrays = storage.stored_weights(graph)
    layers = [
        (module, following)
        for module, following in pairwise([*net.modules(), net])
        if isinstance(module, (nn.Conv2d, nn.Linear))
    ]
    nodes = [
        node
        for node in graph.node
        if node.op_type in ("Conv", "Gemm", "MatMul") and node.input[1] in arrays
    ]
    normalisations = []
    for (module, following), node in zip(layers, nodes, strict=True):
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
    if example is None:
        return

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
