"""The table of all packaged networks: the task of each says what it learns, and from what."""

from __future__ import annotations

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

TASKS = {
    # the Brikks sheet
    "locator": sheet_place.LOCATOR,
    "aligner": sheet_place.ALIGNER,
    "reader": sheet_marks.READER,
    "bars": sheet_marks.bars_task(),
    "fast_reader": sheet_marks.FAST_READER,
    # any sheet
    "boxed_figures": boxed_figures.TASK,
    "patches": patches.TASK,
    "occlusion": occlusion.TASK,
    "cancelled": cancelled.TASK,
    "printed_numbers": printed_numbers.TASK,
    # boards
    "board_locator": board_locator.TASK,
    "board_pieces": board_pieces.TASK,
    "board_squares": board_squares.TASK,
    "board_chips": board_chips.TASK,
    "board_blocks": board_blocks.BLOCKS,
    "board_pawns": board_blocks.PAWNS,
}
