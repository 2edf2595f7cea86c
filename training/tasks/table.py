"""The table of all packaged networks: what each learns, from which samples, with which loss."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from brikks_vision.detect.marks import bar_counts
from brikks_vision.detect.printed_digits import SIDE, VALUES
from brikks_vision.games.blox import colors_of_pieces
from brikks_vision.games.blox.field_evidence import OUTPUTS as PIECE_OUTPUTS
from brikks_vision.games.blox.see import CLASSES as CHIP_CLASSES
from brikks_vision.layout import load_layout
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES
from simulation.blox import samples as boards
from training import networks
from training.photos import Arrays, every_photo, load_arrays, readable_sheets, write_photos
from training.place_networks import BlockColors, BoxedFigures, Cancelled, Patches
from training.tasks import (
    board_blocks,
    board_chips,
    board_locator,
    board_pieces,
    board_squares,
    boxed_figures,
    cancelled,
    occlusion,
    patches,
    printed_numbers,
    sheet_marks,
    sheet_place,
)
from training.tasks.task import Batch, Measures, Numbers, Task, evenly, label_loss

BOARD_SIDE = 800  # px of photos of boards


def _of_sheet(
    network: Callable[[], nn.Module],
    batch: Callable[..., Batch],
    loss: Callable[[nn.Module, Batch], tuple[Tensor, Measures]],
    arrays: tuple[str, ...],
    size: int,
    photos: Callable[[Arrays], Numbers] = readable_sheets,
) -> Task:
    """A network of the Brikks sheet, which needs some arrays of `training.photos`."""
    load = partial(load_arrays, names=arrays)
    return Task(network, write_photos, load, batch, loss, photos=photos, size=size)


def _with_bars(network: Callable[..., nn.Module]) -> Callable[[], nn.Module]:
    layout = load_layout("brikks-light")
    return partial(network, sheet_marks.bar_groups(layout), bar_counts(layout))


def _write_boards(folder: Path, numbers: range, seed: int) -> None:
    for number in numbers:
        boards.write_photo(folder, number, seed, BOARD_SIDE, render_with="rasterizer")


def _beside_others(network: Callable[[], nn.Module], things_of: Callable[..., Any]) -> Task:
    """A network that tells the colours of all things of a kind of a photo beside each other."""
    return Task(
        network,
        _write_boards,
        partial(board_blocks.load_things, things_of),
        board_blocks.blocks_batch,
        board_blocks.blocks_loss,
        size=12,
        chances=evenly,
        decay=1e-2,
        averaged=0.998,
    )


TASKS = {
    # the Brikks sheet
    "locator": _of_sheet(
        networks.Locator,
        sheet_place.locator_batch,
        sheet_place.locator_loss,
        ("small", "kind", "place"),
        24,
        every_photo,
    ),
    "aligner": _of_sheet(
        networks.Aligner,
        sheet_place.aligner_batch,
        sheet_place.aligner_loss,
        ("flat", "labels", "kind"),
        16,
    ),
    "reader": _of_sheet(
        networks.Reader,
        sheet_marks.reader_batch,
        sheet_marks.reader_loss,
        ("flat", "labels", "kind"),
        16,
    ),
    "bars": _of_sheet(
        _with_bars(networks.Bars),
        sheet_marks.bars_batch,
        sheet_marks.bars_loss,
        ("patches", "pen", "labels", "kind"),
        16,
    ),
    "fast_reader": _of_sheet(
        networks.FastReader,
        sheet_marks.fast_reader_batch,
        sheet_marks.fast_reader_loss,
        ("flat", "labels", "kind"),
        24,
    ),
    # any sheet
    "boxed_figures": Task(
        BoxedFigures,
        boxed_figures.write_figures,
        boxed_figures.load_figures,
        boxed_figures.figures_batch,
        boxed_figures.figures_loss,
        size=256,
        decay=1e-2,
    ),
    "patches": Task(
        Patches,
        patches.write_places,
        patches.load_samples,
        patches.patches_batch,
        patches.patches_loss,
        size=8,
        chances=patches.sheet_chances,
        rate=3e-3,
        averaged=0.999,
    ),
    "occlusion": Task(
        networks.Occlusion,
        occlusion.write_sheets,
        occlusion.load_sheets,
        occlusion.sheets_batch,
        occlusion.occlusion_loss,
        occlusion.cells_told,
        size=16,
        chances=evenly,
        averaged=0.998,
    ),
    "cancelled": Task(
        Cancelled,
        cancelled.write_places,
        cancelled.load_places,
        cancelled.places_batch,
        cancelled.places_loss,
        size=12,
        chances=evenly,
        averaged=0.998,
    ),
    "printed_numbers": Task(
        partial(networks.PrintReader, SIDE, 1 + len(VALUES)),
        printed_numbers.write_cells,
        printed_numbers.load_cells,
        printed_numbers.cells_batch,
        label_loss,
        size=256,
        chances=printed_numbers.cells_chances,
        decay=1e-2,
    ),
    # boards
    "board_locator": Task(
        networks.BoardLocator,
        _write_boards,
        board_locator.load_boards,
        board_locator.board_batch,
        board_locator.board_loss,
        board_locator.corner_errors,
        size=16,
        chances=evenly,
        decay=1e-4,
    ),
    "board_pieces": Task(
        partial(networks.BoardPieces, PIECE_OUTPUTS),
        _write_boards,
        board_pieces.load_pieces,
        board_pieces.pieces_batch,
        board_pieces.pieces_loss,
        chances=board_pieces.pieces_chances,
        rate=3e-3,
        decay=1e-2,
        averaged=0.998,
    ),
    "board_squares": Task(
        partial(networks.PrintReader, board_squares.PIXELS, len(FIELDS_BY_SQUARES)),
        _write_boards,
        board_squares.load_fields,
        board_squares.fields_batch,
        label_loss,
        size=256,
        chances=board_squares.fields_chances,
        decay=1e-2,
    ),
    "board_chips": Task(
        partial(networks.PieceClassifier, CHIP_CLASSES),
        _write_boards,
        board_chips.load_faces,
        board_chips.chips_batch,
        partial(label_loss, smoothing=0.02),
        chances=board_chips.chips_chances,
        rate=3e-3,
    ),
    "board_blocks": _beside_others(
        partial(
            BlockColors,
            colors_of_pieces.PIXELS,
            colors_of_pieces.CLUES + colors_of_pieces.UNUSED,
            colors_of_pieces.OUTPUTS,
        ),
        board_blocks.blocks_of,
    ),
    "board_pawns": _beside_others(
        partial(
            BlockColors,
            colors_of_pieces.PIXELS,
            colors_of_pieces.PAWN_CLUES
            + colors_of_pieces.POSITION
            + colors_of_pieces.KINDS
            + colors_of_pieces.UNUSED,
            colors_of_pieces.PAWN_OUTPUTS,
            channels=8,
            position=colors_of_pieces.PAWN_CLUES,
        ),
        board_blocks.pawns_of,
    ),
}
