"""The networks: where the sheet is, how far off a first placement is, and what ink it bears.

All but the readers of patches are fully convolutional, and take pictures of any size. Inputs are
scaled to 0..1, channels first: BGR, and for the readers of marks layers of the sheet's template
(`brikks_vision.detect.template`) after it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def block(channels_in: int, channels_out: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.ReLU(),
    )


class Centred(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x - 0.5


class Residual(nn.Module):
    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(channels, channels, dilation=dilation),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class Pyramid(nn.Module):
    """Features at stride 8 that have seen the whole picture (a small U-Net)."""

    def __init__(self, channels: int, widths: tuple[int, int, int, int, int]) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(
            block(channels, a, 2), block(a, b, 2), block(b, c, 2), Residual(c)
        )
        self.down = nn.Sequential(block(c, d, 2), Residual(d))
        self.bottom = nn.Sequential(block(d, e, 2), Residual(e), Residual(e, 2), nn.Conv2d(e, d, 1))
        self.middle = nn.Sequential(Residual(d), nn.Conv2d(d, c, 1))
        self.top = nn.Sequential(Residual(c), Residual(c))

    def forward(self, x: Tensor) -> Tensor:
        at8 = self.stem(x)
        at16 = self.down(at8)
        at32 = self.bottom(at16)
        at16 = torch.relu(at16 + nn.functional.interpolate(at32, scale_factor=2.0, mode="nearest"))
        up = nn.functional.interpolate(self.middle(at16), scale_factor=2.0, mode="nearest")
        result: Tensor = self.top(torch.relu(at8 + up))
        return result


class Locator(nn.Module):
    """(N, 3, H, W) -> (N, 5, H/8, W/8): front logit, back logit, x / 10, y / 10, log scale.

    Sides are multiples of 32, up to 320.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = Pyramid(3, (16, 32, 48, 64, 80))
        self.head = nn.Conv2d(48, 5, 1)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.head(self.features(x - 0.5))
        return result


class Aligner(nn.Module):
    """(N, 3, H, W) at 12 px per cell -> (N, 4, H/4, W/4): whether a keypoint is near, and where.

    Channels: logit that a keypoint (see `brikks_vision.detect.fit.keypoints`) is here; its
    offset x, y in cells; log scale of that offset's error.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, 2), Residual(16), block(16, 32, 2), Residual(32))
        self.down = nn.Sequential(block(32, 48, 2), Residual(48))
        self.bottom = nn.Sequential(
            block(48, 64, 2), Residual(64), Residual(64), nn.Conv2d(64, 48, 1)
        )
        self.middle = nn.Sequential(Residual(48), nn.Conv2d(48, 32, 1))
        self.top = nn.Sequential(Residual(32), Residual(32))
        self.head = nn.Conv2d(32, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.stem(x - 0.5)
        at8 = self.down(at4)
        at16 = nn.functional.interpolate(self.bottom(at8), scale_factor=2.0, mode="nearest")
        up = self.middle(torch.relu(at8 + at16))
        up = nn.functional.interpolate(up, scale_factor=2.0, mode="nearest")
        result: Tensor = self.head(self.top(torch.relu(at4 + up)))
        return result


class Separable(nn.Module):
    """A residual of two 3x3 convolutions, each of them channel by channel, then point by point."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()

        def convolution() -> tuple[nn.Module, ...]:
            return (
                nn.Conv2d(
                    channels, channels, 3, 1, dilation, dilation, groups=channels, bias=False
                ),
                nn.BatchNorm2d(channels), nn.ReLU(),
                nn.Conv2d(channels, channels, 1, bias=False), nn.BatchNorm2d(channels),
            )  # fmt: skip

        self.body = nn.Sequential(*convolution(), nn.ReLU(), *convolution())

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class Occlusion(nn.Module):
    """(N, 8, H, W) at 16 px per cell -> (N, 3, H/4, W/4): logits that a patch is hidden, that its
    mark is cancelled, that it is filled in by a player who makes no crosses.

    Input: BGR of the photo, BGR of the empty sheet (a half where it is not known), and template.
    Sides are multiples of 32.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            Centred(), nn.Conv2d(8, 16, 5, 2, 2, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
            Separable(16), block(16, 32, 2), Separable(32),
        )  # fmt: skip
        self.down = nn.Sequential(block(32, 48, 2), Residual(48))
        self.lower = nn.Sequential(block(48, 64, 2), Residual(64))
        self.bottom = nn.Sequential(
            block(64, 64, 2), Residual(64), Residual(64, 2), nn.Conv2d(64, 64, 1)
        )
        self.up = nn.Sequential(Residual(64), nn.Conv2d(64, 48, 1))
        self.middle = nn.Sequential(Residual(48), nn.Conv2d(48, 32, 1))
        self.top = nn.Sequential(Residual(32), Separable(32))
        self.head = nn.Conv2d(32, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        def doubled(maps: Tensor) -> Tensor:
            return nn.functional.interpolate(maps, scale_factor=2.0, mode="nearest")

        at4 = self.stem(x)
        at8 = self.down(at4)
        at16 = self.lower(at8)
        at16 = torch.relu(at16 + doubled(self.bottom(at16)))
        at8 = torch.relu(at8 + doubled(self.up(at16)))
        result: Tensor = self.head(self.top(torch.relu(at4 + doubled(self.middle(at8)))))
        return result


class SheetReader(nn.Module):
    """Logits of marks from a place, and from how print and pen look everywhere on the sheet.

    stem: from the picture to ``width`` channels; context: from these to as many, which see farther.
    """

    def __init__(
        self, stem: nn.Module, width: int, squeezed: int, context: nn.Module, outputs: int
    ) -> None:
        super().__init__()
        self.stem = stem
        self.sheet_wide = nn.Sequential(
            nn.AdaptiveAvgPool2d(1),
            nn.Conv2d(width, squeezed, 1),
            nn.ReLU(),
            nn.Conv2d(squeezed, width, 1),
            nn.Sigmoid(),
        )
        self.context = context
        self.head = nn.Conv2d(width, outputs, 1)

    def forward(self, x: Tensor) -> Tensor:
        local = self.stem(x - 0.5)
        result: Tensor = self.head(self.context(local * self.sheet_wide(local)))
        return result


class Reader(SheetReader):
    """(N, 5, H, W) at 24 px per cell -> (N, 6, H/8, W/8) logits.

    Channels: cell crossed, edge inked, ring drawn, point struck, box crossed, bomb crossed; each
    means something only at the places of its kind of mark.
    """

    def __init__(self) -> None:
        stem = nn.Sequential(
            nn.Conv2d(5, 20, 5, 2, 2, bias=False), nn.BatchNorm2d(20), nn.ReLU(),
            block(20, 32, 2), Residual(32), block(32, 72, 2), Residual(72),
        )  # fmt: skip
        context = nn.Sequential(Residual(72), Residual(72, 2), Residual(72))
        super().__init__(stem, 72, 48, context, 6)


class FastReader(SheetReader):
    """(N, 5, H, W) at 16 px per cell, the grid only -> (N, 2, H/8, W/8) logits.

    Channels: cell crossed, edge inked; each means something only at the places of its kind.
    """

    def __init__(self) -> None:
        stem = nn.Sequential(
            nn.Conv2d(5, 16, 5, 2, 2, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
            block(16, 32, 2), Separable(32), block(32, 64, 2), Separable(64),
        )  # fmt: skip
        context = nn.Sequential(Separable(64), Separable(64, 2), Separable(64))
        super().__init__(stem, 64, 24, context, 2)


class Bars(nn.Module):
    """(N * P, 6, 48, 48) at 36 px per cell, P patches a sheet -> logits (N, P, 4).

    Input: BGR, the print's template (`brikks_vision.detect.marks`), and how like the pen's ink each
    pixel is (`brikks_vision.detect.pen`). Logits: ring drawn, point struck, box crossed, bomb
    crossed; each means something only at the patches of its kind.

    An encoder (``stem``, ``print``, ``features``) computes maps of each patch, estimates from those
    of all patches with the same print what is printed, and reduces both to a vector. The context
    head (``judge``) sees each vector beside those with the same print and the mean of all. The
    writer-adaptation head (``hand``) compares each first result with this hand's other marks.

    ``groups``: (P,) for patches that bear the same print the same number, from 0. ``counts``: how
    many patches are energy points, boxes and bombs; they stand in this order.
    """

    # the side of a patch, px; channels of its maps, halved twice, and within the features; width of
    # the layers that tell the print
    side, first, maps, within, print_width = 48, 24, 48, 72, 64
    width, judged = 96, (64, 128, 64)  # features of a patch; widths of the layers that judge

    def __init__(self, groups: tuple[int, ...], counts: tuple[int, ...]) -> None:
        super().__init__()
        self.groups, self.counts = groups, counts
        self.of_group = torch.tensor(groups)
        first, maps, within, width = self.first, self.maps, self.within, self.width
        squeezed, wide, narrow = self.judged
        self.stem = nn.Sequential(
            Centred(), nn.Conv2d(6, first, 5, 2, 2, bias=False), nn.BatchNorm2d(first), nn.ReLU(),
            Residual(first), block(first, maps, 2), Residual(maps),
        )  # fmt: skip
        # the print at each place, as all patches with the same print show it
        self.print = nn.Sequential(
            nn.Conv2d(3 * maps, self.print_width, 1), nn.ReLU(),
            nn.Conv2d(self.print_width, maps, 1),
        )  # fmt: skip
        self.features = nn.Sequential(
            block(maps, within, 2), Residual(within), block(within, width, 2),
            nn.Flatten(), nn.Linear(width * (self.side // 16) ** 2, width), nn.ReLU(),
        )  # fmt: skip
        self.judge = nn.Sequential(
            # a narrow layer keeps the file small
            nn.Linear(5 * width, squeezed, bias=False), nn.Linear(squeezed, wide), nn.ReLU(),
            nn.Linear(wide, narrow), nn.ReLU(), nn.Linear(narrow, 4 + STYLE),
        )  # fmt: skip
        self.hand = Hand()

    def any_sheet(self) -> Tensor:
        """An input of one sheet."""
        return torch.zeros(len(self.groups), 6, self.side, self.side)

    def features_of(self, x: Tensor) -> Tensor:
        """Features of each patch: (N, P, width)."""
        maps = self.stem(x)
        sheets = maps.reshape(-1, len(self.groups), *maps.shape[1:])
        alike = of_groups(sheets, self.of_group)
        printed = self.print(alike.flatten(0, 1)).reshape(*alike.shape[:2], *maps.shape[1:])
        features = self.features(torch.relu(sheets + printed[:, self.of_group]).flatten(0, 1))
        return features.reshape(*sheets.shape[:2], self.width)

    def verdicts(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The logits before and after marks are compared with the same hand's others."""
        context = of_groups(features, self.of_group)[:, self.of_group]
        whole = features.mean(1, keepdim=True).expand_as(features)
        # with two dimensions, the layers are exported with their weights unchanged
        judged = self.judge(torch.cat([features, context, whole], dim=2).flatten(0, 1))
        judged = judged.reshape(*features.shape[:2], -1)
        with torch.autocast(features.device.type, enabled=False):
            beside = beside_others(judged, self.counts)
        second: Tensor = self.hand(beside.flatten(0, 1)).reshape(*features.shape[:2], -1)
        return judged[..., :4], second

    def forward(self, x: Tensor) -> Tensor:
        return self.verdicts(self.features_of(x))[1]


STYLE = 16  # numbers by which a mark is compared with others by the same hand


class Hand(nn.Module):
    """What `beside_others` says of a patch (N, 4 + 7 STYLE + 3) -> its logits once more (N, 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(4 + 7 * STYLE + 3, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU()
        )
        self.last = nn.Linear(24 + 4, 4)
        # at first the output equals the input
        nn.init.zeros_(self.last.bias)
        self.last.weight.data = torch.cat([torch.zeros(4, 24), torch.eye(4)], dim=1)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.last(torch.cat([self.body(x), x[:, :4]], dim=1))
        return result


def beside_others(judged: Tensor, counts: tuple[int, ...]) -> Tensor:
    """Each patch beside its kind's others: struck, ringed only, and open.

    (N, P, 4 + STYLE) to (N, P, 4 + 7 STYLE + 3): ``judged``; the mean vector of the others of each
    kind, weighted by the probability of the kind and shrunk towards 0 if they are few; the absolute
    differences from these means; the expected number K of each kind, as K / (K + 1).
    """
    logits, look = judged[..., :4].float(), judged[..., 4:].float()
    ringed, struck, box, bomb = torch.sigmoid(logits).unbind(2)
    energy, boxes, _ = counts
    crossed = torch.cat(
        [struck[:, :energy], box[:, energy : energy + boxes], bomb[:, energy + boxes :]], dim=1
    )
    ring = torch.cat([ringed[:, :energy], torch.zeros_like(crossed[:, energy:])], dim=1)
    shares = torch.stack([crossed, (1 - crossed) * ring, (1 - crossed) * (1 - ring)], dim=2)
    weights, means = [], []
    for of_kind, looks in zip(shares.split(counts, 1), look.split(counts, 1), strict=True):
        weight = of_kind.sum(1, keepdim=True) - of_kind
        total = torch.einsum("nps,npl->nsl", of_kind, looks)[:, None]
        others = total - of_kind[..., None] * looks[:, :, None]
        means.append(others / (weight[..., None] + 0.5))
        weights.append(weight / (weight + 1))
    mean = torch.cat(means, dim=1)
    away = (mean - look[:, :, None]).abs()
    return torch.cat([logits, look, mean.flatten(2), away.flatten(2), torch.cat(weights, 1)], 2)


def of_groups(values: Tensor, groups: Tensor) -> Tensor:
    """Mean, minimum and maximum over each group: (N, P, C, ...) to (N, G, 3 C, ...).

    ``groups``: (P,), from 0.
    """
    contexts = []
    for group in range(int(groups.max()) + 1):
        alike = values[:, (groups == group).nonzero()[:, 0]]
        contexts.append(torch.cat([alike.mean(1), alike.amin(1), alike.amax(1)], dim=1))
    return torch.stack(contexts, dim=1)


class PrintReader(nn.Sequential):
    """(N, 3, side, side) to logits (N, outputs) of what is printed on a cell or a field.

    Of `detect.printed_numbers.VALUES` and of `games.blox.squares`, and of nothing.
    """

    def __init__(self, side: int, outputs: int) -> None:
        super().__init__(
            Centred(), block(3, 16, 2), block(16, 32, 2), block(32, 32), block(32, 48, 2),
            nn.Flatten(), nn.Linear(48 * (side // 8) ** 2, 48), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(48, outputs),
        )  # fmt: skip


class BoardLocator(nn.Module):
    """(N, 3, side, side) to logits (N, maps, side / 4, side / 4).

    Of a board: where the cells lie, also those that something hides; where the corners of all cells
    together are. Of a table: by kind of piece, where the middle of one is; last, the log of its
    reach.
    """

    def __init__(self, maps: int = 2) -> None:
        super().__init__()
        self.first = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 32))
        self.second = nn.Sequential(block(32, 64, 2), block(64, 64))
        self.third = nn.Sequential(block(64, 96, 2), block(96, 96), block(96, 96))
        self.up_second = block(96 + 64, 64)
        self.up_first = block(64 + 32, 32)
        self.out = nn.Conv2d(32, maps, 1)

    def forward(self, x: Tensor) -> Tensor:
        first = self.first(x)
        second = self.second(first)
        third = self.third(second)
        up = nn.functional.interpolate(third, scale_factor=2.0, mode="nearest")
        up = self.up_second(torch.cat([up, second], 1))
        up = nn.functional.interpolate(up, scale_factor=2.0, mode="nearest")
        result: Tensor = self.out(self.up_first(torch.cat([up, first], 1)))
        return result


class PieceClassifier(nn.Sequential):
    """(N, 3, 40, 40) to logits (N, classes) of one piece: the top of a tower, or a thing."""

    def __init__(self, classes: int) -> None:
        super().__init__(
            block(3, 20), block(20, 32, 2), block(32, 48), block(48, 64, 2), block(64, 64, 2),
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 25, 96), nn.ReLU(),
            nn.Linear(96, classes),
        )  # fmt: skip


class BoardPieces(nn.Sequential):
    """(N, 15, 112, 56) views of `brikks_vision.detect.pieces` to (N, outputs).

    The outputs are those of `brikks_vision.games.blox.field_evidence`.
    """

    def __init__(self, outputs: int) -> None:
        super().__init__(
            block(15, 20, 2), block(20, 32, 2), block(32, 32), Residual(32), block(32, 64, 2),
            block(64, 64), Residual(64), block(64, 80, 2), block(80, 80), Residual(80),
            nn.Flatten(), nn.Dropout(0.25),
            nn.Linear(80 * 7 * 4, 160), nn.ReLU(), nn.Linear(160, outputs),
        )  # fmt: skip
