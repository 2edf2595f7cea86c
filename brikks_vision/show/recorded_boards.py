"""Recorded boards as text for the terminal, and as JSON Lines for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from brikks_vision.decode.game import BoardGame
from brikks_vision.games import board_game_named
from brikks_vision.reading import ReadBoard
from brikks_vision.record.entries import RecordedBoard
from brikks_vision.show.board import board_report, board_status
from brikks_vision.show.history import aligned, clock_text, shown_player
from brikks_vision.show.report import Paint, plain
from brikks_vision.show.words import localize
from brikks_vision.text.display import json_line, visible
from brikks_vision.text.languages import texts_in


def game_of_board(board: RecordedBoard) -> BoardGame:
    """The game that a recorded board is of."""
    return board_game_named(str(board.reading.game))


def reading_now(board: RecordedBoard, language: str) -> ReadBoard:
    """What stands on a recorded board, told in that language whatever it was recorded in."""
    judged: ReadBoard = game_of_board(board).judged(board.reading)
    return localize(judged, language)


def boards_table(
    boards: Sequence[RecordedBoard],
    language: str,
    paint: Paint = plain,
    *,
    is_counted: bool = True,
) -> str:
    """The boards as a table, a line each. No final newline. is_counted : say how many they are."""
    texts = texts_in(language)
    words = texts.report
    if not boards:
        return words["boards_empty"]
    counts = [_counts(board, language) for board in boards]
    kinds = list(dict.fromkeys(kind for each in counts for kind in each))
    is_named = any(board.player for board in boards)
    keys = ["number", "taken", "photo", "board", *["player"] * is_named, "certainty"]
    head = [*(words[key] for key in keys), *kinds, words["board_doubts"]]
    rows = [
        [
            str(board.id),
            clock_text(board.photo.taken, " "),
            visible(board.photo.name),
            visible(str(board.reading.sheet)),
            *[shown_player(board.player, texts)] * is_named,
            board_status(board.reading.status, language),
            *(str(each.get(kind, "")) for kind in kinds),
            str(len(board.reading.doubts)),
        ]
        for board, each in zip(boards, counts, strict=True)
    ]
    lines = aligned([head, *rows], right={0, *range(len(keys), len(head))})
    lines = [paint(lines[0], "bold"), *lines[1:]]
    if is_counted:
        count = words["boards_one" if len(boards) == 1 else "boards_count"]
        lines += ["", count.format(count=len(boards))]
    return "\n".join(lines)


def recorded_board_report(board: RecordedBoard, language: str, paint: Paint = plain) -> str:
    """A recorded board: its line of the table, its report, what was said. No final newline."""
    reading, game = reading_now(board, language), game_of_board(board)
    parts = [
        boards_table([board], language, paint, is_counted=False),
        board_report(reading, game.view(reading), language, paint),
    ]
    if board.answers:
        told = [f"  {place}: {thing}" for place, thing in answers_told(board, language)]
        parts.append("\n".join([texts_in(language).report["board_answers"], *told]))
    return "\n\n".join(parts)


def answers_told(board: RecordedBoard, language: str) -> list[tuple[str, str]]:
    """What a person said of fields of a recorded board: the field and the thing, in words."""
    game = game_of_board(board)
    places = {place.where: place.told for place in game.places(board.reading)}
    things = {each.value: each.told for each in game.choices().things}
    return [
        (places[where].text(language), things[thing].text(language))
        for where, thing in board.answers.items()
    ]


def boards_jsonl(boards: Iterable[RecordedBoard], language: str) -> str:
    """The boards as JSON Lines: one object a line, the whole reading under "reading"."""
    return "\n".join(json_line(board_object(board, language)) for board in boards)


def _counts(board: RecordedBoard, language: str) -> dict[str, int]:
    counted = game_of_board(board).counts(board.reading)
    return {each.told.text(language): each.number for each in counted}


def board_object(board: RecordedBoard, language: str) -> dict[str, Any]:
    """A board as JSON: plain Python types."""
    return {
        "id": board.id,
        "taken": clock_text(board.photo.taken, "T"),
        "taken_from": board.photo.taken_from,
        "added": board.added.isoformat(),
        "player": board.player,
        "photo": board.photo.name,
        "sha256": board.photo.sha256,
        "answers": dict(board.answers),
        "reading": reading_now(board, language).to_dict(),
    }
