"""The networks that read the places of any sheet: each by itself, then all together."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.functional import layer_norm

from training.networks import Residual, Separable, block


class PatchReader(nn.Module):
    """(N, 11, 32, 32) -> (N, 70): 64 features and 6 logits of what is marked at a place.

    Input: BGR of the photo, BGR of the reference, the lightest of the same print, the template, the
    kind of reference, how much darker the photo is, and how much lighter, all 0 to 1; see
    `brikks_vision.detect.patches`.
    """

    def __init__(self) -> None:
        super().__init__()
        first, maps, wide = 16, 32, 64
        self.stem = nn.Sequential(block(11, first, 2), block(first, maps, 2))
        self.middle = block(maps, maps)
        self.deeper = Residual(maps)
        self.top = nn.Sequential(block(maps, wide, 2), nn.Flatten())
        self.judge = nn.Sequential(nn.Linear(wide * 4 * 4, 64), nn.ReLU(), nn.Dropout(0.1))
        self.last = nn.Linear(64, 6)

    def forward(self, x: Tensor) -> Tensor:
        local = self.stem(x - 0.5)
        features = self.judge(self.top(self.deeper(local + self.middle(local))))
        return torch.cat([features, self.last(features)], -1)


class SetLayer(nn.Module):
    """What the members of a set tell each other: (..., N, wide) -> the same shape.

    A layer of a transformer (Vaswani et al. 2017) in which no member has a position.
    """

    def __init__(self, wide: int, heads: int = 4) -> None:
        super().__init__()
        self.heads, self.shape = heads, (wide,)
        self.asked = nn.Linear(wide, 3 * wide)
        self.told = nn.Linear(wide, wide)
        self.further = nn.Sequential(
            nn.Linear(wide, 2 * wide), nn.ReLU(), nn.Dropout(0.1), nn.Linear(2 * wide, wide)
        )

    def forward(
        self, x: Tensor, absent: Tensor | None = None, bias: Tensor | None = None
    ) -> Tensor:
        """absent: (..., N), which members are there only to fill the tensor.

        bias: (..., heads, N, N), how much more each of them (second last) heeds each.
        """
        x = x + self._told_by_all(layer_norm(x, self.shape), absent, bias)
        result: Tensor = x + self.further(layer_norm(x, self.shape))
        return result

    def _told_by_all(self, x: Tensor, absent: Tensor | None, bias: Tensor | None) -> Tensor:
        of_heads = self.asked(x).reshape(*x.shape[:-1], self.heads, -1).transpose(-2, -3)
        query, key, value = of_heads.chunk(3, -1)
        likeness = query @ key.transpose(-1, -2) / value.shape[-1] ** 0.5
        if bias is not None:
            likeness = likeness + bias
        if absent is not None:
            likeness = likeness.masked_fill(absent[..., None, None, :], -1e4)
        seen = torch.softmax(likeness, -1) @ value
        result: Tensor = self.told(seen.transpose(-2, -3).reshape(x.shape))
        return result


class BoxedFigures(nn.Module):
    """(N, 7, 32, 64) -> (N, 37): for each of three places, right-aligned, 12 classes; the sign.

    Digits 0 to 9, nothing, and (last place only) a dash; log-odds of a minus sign. Input: BGR of
    the photo, BGR of the empty sheet, whether that is known, all 0 to 1. Digits may stand anywhere
    in a view: what its columns show is a set, which the places and the sign ask.
    """

    def __init__(self, wide: int = 64, columns: int = 16, places: int = 3) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(7, 16), nn.MaxPool2d(2), block(16, 32), Residual(32), nn.MaxPool2d(2),
            block(32, wide), Separable(wide), Separable(wide), nn.Conv2d(wide, wide, (8, 1)),
        )  # fmt: skip
        self.where = nn.Parameter(0.1 * torch.randn(columns, wide))
        self.asking = nn.Parameter(0.1 * torch.randn(places + 1, wide))
        self.layers = nn.ModuleList(SetLayer(wide) for _ in range(2))
        self.digits, self.sign = nn.Linear(wide, 12), nn.Linear(wide, 1)
        self.shape = (wide,)

    def forward(self, x: Tensor) -> Tensor:
        seen = self.body(x - 0.5).squeeze(2).transpose(1, 2) + self.where
        asking = self.asking + 0 * seen[:, :1]  # for each of any number of views
        state = torch.cat([seen, asking], 1)
        for layer in self.layers:
            state = layer(state)
        told = layer_norm(state[:, len(self.where) :], self.shape)
        return torch.cat([self.digits(told[:, :-1]).flatten(1), self.sign(told[:, -1])], 1)


PARTS = 4  # of a face, whose mean colours are told by themselves
FARTHEST = 2.5  # cells: things that far from each other, or farther, heed each other alike


class Offsets(nn.Module):
    """How much members of a set heed each other by where they lie: a bias for each head.

    (..., N, 5), x and y of each, the direction to the camera, and the cosine of its angle from the
    vertical, to (..., heads, N, N). At first none. Relative positions as of Shaw et al. 2018.
    """

    def __init__(self, heads: int, wide: int = 32) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(3, wide), nn.Linear(wide, heads)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)

    def forward(self, placed: Tensor) -> Tensor:
        x, y, east, south, cosine = (placed[..., at : at + 1] for at in range(5))
        across, down = x.transpose(-1, -2) - x, y.transpose(-1, -2) - y
        nearer, beside = across * east + down * south, across * south - down * east
        apart = torch.stack([nearer, beside], -1).clamp(-FARTHEST, FARTHEST)
        seen = torch.cat([apart, (cosine + 0 * nearer)[..., None]], -1)
        told: Tensor = self.last(torch.relu(self.first(seen)))
        return told.transpose(-1, -2).transpose(-2, -3)


class BlockColors(nn.Module):
    """(..., N, features) of `brikks_vision.games.blox.colors_of_pieces` to (..., N, outputs).

    Two faces of each of N blocks of a photo, what stands before them, and the mean colours of some
    parts of each; the blocks then tell each other in which light they are.

    channels: of a face. position: the first of the clues that tell where each lies, if any do.
    """

    def __init__(
        self,
        pixels: int,
        clues: int,
        outputs: int,
        channels: int = 4,
        position: int | None = None,
        wide: int = 64,
    ) -> None:
        super().__init__()
        self.pixels, self.channels, self.shape = pixels, channels, (wide,)
        self.pictures = 2 * channels * pixels * pixels
        self.side, self.top = (
            nn.Sequential(
                block(channels, 16, 2), block(16, 24), block(24, 32, 2), block(32, 48, 2),
                nn.Flatten(),
                nn.Linear(48 * (pixels // 8) ** 2, wide), nn.ReLU(),
            )
            for _ in range(2)
        )  # fmt: skip
        # where on each face its own colours are, by what is seen and by place
        self.own = nn.ModuleList(nn.Conv2d(16, PARTS, 1) for _ in range(2))
        self.place = nn.Parameter(torch.zeros(2, PARTS, pixels // 2, pixels // 2))
        told = 2 * wide + clues + 2 * 3 * PARTS
        self.first = nn.Sequential(nn.Linear(told, wide), nn.ReLU(), nn.Dropout(0.1))
        self.layers = nn.ModuleList(SetLayer(wide) for _ in range(2))
        self.position = None if position is None else self.pictures + position
        heads = 0 if position is None else 4
        self.offsets = nn.ModuleList(Offsets(heads) for _ in self.layers if heads)
        self.last = nn.Linear(wide, outputs)

    def look(self, x: Tensor) -> Tensor:
        """What is seen of each of (N, features), by itself."""
        faces = x[:, : self.pictures].reshape(-1, 2, self.channels, self.pixels, self.pixels) - 0.5
        seen, colors = [], []
        for at, body in enumerate((self.side, self.top)):
            near = body[0](faces[:, at])
            seen.append(body[1:](near))
            parts = torch.softmax((self.own[at](near) + self.place[at]).flatten(2), -1)
            smaller = functional.avg_pool2d(faces[:, at, :3], 2).flatten(2)
            colors.append((parts @ smaller.transpose(1, 2)).flatten(1))
        told = torch.cat([*seen, x[:, self.pictures : -1], *colors], 1)
        state: Tensor = self.first(told)
        return state

    def forward(self, x: Tensor) -> Tensor:
        if self.training:  # what fills up a set need not be looked at
            is_there = x[..., -1] < 0.5
            looked = self.look(x[is_there])
            state = looked.new_zeros(*x.shape[:-1], *self.shape).masked_scatter(
                is_there[..., None], looked
            )
        else:
            state = self.look(x.flatten(0, -2)).reshape(*x.shape[:-1], *self.shape)
        for layer, bias in zip(self.layers, self._biases(x), strict=True):
            state = layer(state, x[..., -1] > 0.5, bias)
        told: Tensor = self.last(layer_norm(state, self.shape))
        return told

    def _biases(self, x: Tensor) -> list[Tensor | None]:
        if self.position is None:
            return [None] * len(self.layers)
        placed = x[..., self.position : self.position + 5]
        # examples lie on another board: no direction to the camera is told of them
        of_board = ((placed[..., 2:4] ** 2).sum(-1) > 0.5).to(x.dtype)
        both = (of_board[..., None, :] * of_board[..., None])[..., None, :, :]
        return [both * each(placed) for each in self.offsets]


class PatchesContext(nn.Module):
    """(..., N, 71) -> (..., N, 6): logits of N places as all of them together tell them.

    Input: of each place of one sheet what `PatchReader` tells, and whether it is an edge. What a
    player means by a mark is told by the others of the same hand. Edges and other places are sets
    of their own, so that a sheet with more of either is read alike.
    """

    def __init__(self, wide: int = 64, layers: int = 2) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Linear(71, wide), nn.ReLU(), nn.Linear(wide, wide))
        self.layers = nn.ModuleList(SetLayer(wide) for _ in range(layers))
        self.last, self.shape = nn.Linear(wide, 6), (wide,)

    def forward(self, x: Tensor, absent: Tensor | None = None) -> Tensor:
        state = self.first(x)
        for layer in self.layers:
            state = layer(state, absent)
        return x[..., 64:70] + self.last(layer_norm(state, self.shape))


class Patches(nn.Module):
    """The reader of places and its context, trained together."""

    def __init__(self) -> None:
        super().__init__()
        self.reader, self.context = PatchReader(), PatchesContext()


class Cancelled(nn.Module):
    """(N, 12, 32, 32) -> (N, 1): log-odds that the mark at each of N places is cancelled.

    Input: that of `PatchReader`, and the number of each place's field over 255. How much ink this
    hand's marks bear, the other places tell, and most of all those of the same field.
    """

    def __init__(self, wide: int = 48) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(11, 16, 2), block(16, 32), block(32, 32, 2), Residual(32), block(32, wide, 2),
            nn.Flatten(), nn.Linear(wide * 4 * 4, wide), nn.ReLU(), nn.Dropout(0.1),
        )  # fmt: skip
        self.kin = nn.Parameter(torch.ones(2, 4, 1, 1))
        self.layers = nn.ModuleList(SetLayer(wide) for _ in range(2))
        self.last, self.shape = nn.Linear(wide, 1), (wide,)

    def features(self, x: Tensor) -> Tensor:
        told: Tensor = self.body(x[:, :-1] - 0.5)
        return told

    def beside(self, state: Tensor, field: Tensor) -> Tensor:
        """Of one sheet: features (N, wide) and numbers of fields (N,) to log-odds (N, 1)."""
        same = ((field[:, None] - field[None]).abs() < 0.001).float()
        for kin, layer in zip(self.kin, self.layers, strict=True):
            state = layer(state, bias=kin * same)
        told: Tensor = self.last(layer_norm(state, self.shape))
        return told

    def forward(self, x: Tensor) -> Tensor:
        return self.beside(self.features(x), x[:, -1, 0, 0])
