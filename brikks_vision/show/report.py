"""A reading as text: the sheet, its points by part, how sure they are, and what can be said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from brikks_vision.games import game_of, game_title, layout_of, settings_of
from brikks_vision.layout import Layout, PrintDoubt
from brikks_vision.reading import Doubt, Reading, Status, ViolationReading, views
from brikks_vision.show import covered
from brikks_vision.text.languages import Texts, texts_in
from brikks_vision.text.phrases import phrase, visible


class SettingChoice(NamedTuple):
    """A setting to choose a value of. choices: each value as it is sent, and in words."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]


def setting_label(name: str, language: str) -> str:
    """What a setting is called within a sentence: "level"."""
    game, _ = settings_of()[name]
    return phrase(f"{game}.setting-{name}").text(language)


def setting_choices(games: Sequence[str], language: str) -> tuple[SettingChoice, ...]:
    """The settings of these games; the label says of which, where not all of them have it."""
    found = []
    for first, setting in settings_of(games).values():
        label = phrase(f"{first}.setting-{setting.name}").text(language)
        titles = [game_title(game) for game in games if setting.name in settings_of([game])]
        of_games = "" if len(titles) == len(games) else f" ({', '.join(titles)})"
        choices = [(str(each), _told(first, setting.name, each, language))
                   for each in setting.values]  # fmt: skip
        label = f"{label[0].upper()}{label[1:]}{of_games}"
        found.append(SettingChoice(setting.name, label, tuple(choices)))
    return tuple(found)


def _told(game: str, name: str, value: int | str, language: str) -> str:
    if isinstance(value, int):
        return str(value)
    return phrase(f"{game}.{name}-{value}").text(language)


Paint = Callable[[str, str], str]
"""Text and style ("bold", "dim", "sure", "unsure", "wrong" or a block's colour) to text."""

_ANSI = {
    "bold": "1",
    "dim": "2",
    "sure": "1;32",
    "unsure": "1;33",
    "wrong": "1;31",
    "red": "91",
    "green": "92",
    "yellow": "93",
    "blue": "94",
    "white": "1",
    "black": "90",
}


def plain(text: str, style: str) -> str:
    """The text as it is: for files and pipes."""
    return text


def colored(text: str, style: str) -> str:
    """The text in the terminal's colours (ECMA-48 SGR)."""
    code = _ANSI.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def report(reading: Reading, language: str, paint: Paint = plain) -> str:
    """The reading as a table: grid, points by part, doubts, rank. No final newline."""
    texts = texts_in(language)
    if reading.status is Status.UNREADABLE or reading.score is None:
        state = paint(texts.report["unreadable"], "wrong")
        return "\n".join(
            [f"{_title(reading, paint)}  {state}", f"  {visible(reading.error or '')}".rstrip()]
        )
    layout = layout_of(reading)
    view = game_of(reading).view(reading, layout)
    parts = [
        [_title(reading, paint)],
        _grid_lines(reading, view, layout, texts, paint) if reading.grid else [],
        _score_lines(reading, reading.score.total, view, texts, paint),
        covered_lines(reading, layout, language, paint),
        print_lines(reading, language, paint),
        _doubt_lines(reading, layout, texts, paint),
        _assumed_lines(reading, texts),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def summary(
    reading: Reading, language: str, paint: Paint = plain, *, has_total: bool = True
) -> str:
    """The reading in few lines: total, how sure it is, doubts, verdict. No final newline.

    has_total: whether totals are told; a duel is won by rounds.
    """
    words = texts_in(language).report
    if reading.status is Status.UNREADABLE or reading.score is None:
        return report(reading, language, paint)
    style = "sure" if reading.status is Status.OK else "unsure"
    state = paint(words["sure" if style == "sure" else "games_unsure"], style)
    if has_total:
        total = paint(f"{words['total']} {reading.score.total}", "bold")
        state = f"{total}   {paint(status_text(reading, language), style)}"
    doubts = [each if has_total else replace(each, total_otherwise=None) for each in reading.doubts]
    lines = [
        _title(reading, paint),
        f"  {state}",
        *covered_lines(reading, layout_of(reading), language, paint),
        *print_lines(reading, language, paint),
        *(f"    {doubt_text(doubt, reading, language)}" for doubt in doubts),
        referee_report(reading, language, paint),
    ]
    return "\n".join(lines)


def referee_report(reading: Reading, language: str, paint: Paint = plain) -> str:
    """What breaks the rules, one sentence each, or that nothing does."""
    if reading.status is Status.UNREADABLE:
        return ""
    is_sure = reading.status is Status.OK
    legal = texts_in(language).report["no_violations" if is_sure else "no_sure_violations"]
    return "\n".join(verdict_lines(reading.violations, legal, language, paint))


def verdict_lines(
    violations: Sequence[ViolationReading], legal: str, language: str, paint: Paint = plain
) -> list[str]:
    """What breaks the rules, one sentence a line; ``legal`` where nothing does."""
    if not violations:
        return [f"  {legal}"]
    texts, count = texts_in(language), len(violations)
    head = texts.report["one_violation" if count == 1 else "violations"].format(count=count)
    return [
        f"  {paint(head, 'wrong')}",
        *(f"    {at}. {each.message} [{each.rule}]" for at, each in enumerate(violations, 1)),
    ]


def referee_line(reading: Reading, language: str, paint: Paint = plain) -> str:
    """What breaks the rules in one line: how much, and the first of it; or that nothing does."""
    if not reading.violations:
        return referee_report(reading, language, paint)
    count, message = len(reading.violations), reading.violations[0].message
    line = texts_in(language).report["against_one" if count == 1 else "against"]
    return f"  {paint(line.format(count=count, message=message), 'wrong')}"


def status_text(reading: Reading, language: str) -> str:
    """How sure the total is, in words."""
    least, most = reading.total_range or (None, None)
    is_one_total = least is not None and least == most
    names_a_place = reading.doubts or reading.covered or reading.print_doubts
    if reading.status is Status.UNCERTAIN and is_one_total and not names_a_place:
        return texts_in(language).report["not_sure_photo"]  # nothing on the sheet is in doubt
    return certainty(reading.status, least, most, language)


def verdicts(reading: Reading, language: str) -> tuple[tuple[str, str], ...]:
    """What is to say of a total, all that applies: "sure", "check" or "against", and its words."""
    kinds = ["sure" if reading.status is Status.OK else "check", "against"]
    texts = texts_in(language).report
    told = tuple((kind, texts["sure" if kind == "sure" else f"verdict_{kind}"]) for kind in kinds)
    return told if reading.violations else told[:1]


def certainty(status: Status, least: int | None, most: int | None, language: str) -> str:
    """How sure a total between ``least`` and ``most`` is, in words; None: a board has no total."""
    texts = texts_in(language).report
    if status is Status.UNREADABLE:
        return texts["unreadable"]
    if status is Status.OK:
        return texts["sure"]
    if least is None:
        return texts["board_not_sure"]
    if least == most:
        return texts["not_sure_same"]
    return texts["not_sure"].format(least=least, most=most)


def verdict_text(reading: Reading, language: str) -> str:
    """Total and verdict in one line: sure or to check, and whether rules are broken."""
    texts = texts_in(language).report
    if reading.status is Status.UNREADABLE:
        return texts["unreadable"]
    verdict = [words for _, words in verdicts(reading, language)]
    total = [] if reading.score is None else [f"{texts['total']} {reading.score.total}"]
    return ": ".join([*total, ", ".join(verdict)])


def rank_text(reading: Reading, language: str) -> str:
    """The rank as one, with its level where that is known: "Rank: Well done! (level 2)"."""
    told = game_of(reading).rank_told(reading)
    return "" if told is None else told.text(language)


def doubt_text(doubt: Doubt, reading: Reading, language: str) -> str:
    """One doubt as a question, with how it was read, how surely, and the total otherwise."""
    texts = texts_in(language).report
    layout = layout_of(reading)
    sentence = texts["doubt_misread" if doubt.is_of_a_rule else "doubt"].format(
        question=covered.doubt_question(doubt.where, layout, language, reading.cancelled),
        read=covered.mark_text(doubt.where, doubt.read, layout, language),
        # Rounded down: a doubt is never shown as certain.
        percent=math.floor(100 * doubt.confidence + 1e-9),
    )
    if doubt.total_otherwise is None:
        return sentence
    if reading.score is not None and doubt.total_otherwise == reading.score.total:
        return f"{sentence} {texts['doubt_same']}"
    return f"{sentence} {texts['doubt_otherwise'].format(total=doubt.total_otherwise)}"


def _answers_text(doubt: Doubt, layout: Layout, language: str) -> str:
    """Every answer that a doubt can be given, as the command takes it."""
    answers = (
        f'"{covered.answer_text(doubt.where, mark, layout, language)}"'
        for mark in covered.marks_at(doubt.where, layout)
    )
    return f"--answer {either(answers, language)}"


def _title(reading: Reading, paint: Paint) -> str:
    number = f" #{reading.index + 1}" if reading.index else ""
    return paint(f"{visible(photo_names(reading))}{number}", "bold")


def photo_names(reading: Reading) -> str:
    """The name of the photo, or of all photos that were read as one."""
    return " + ".join(reading.photos) or reading.photo


def _grid_lines(
    reading: Reading, view: views.SheetView, layout: Layout, texts: Texts, paint: Paint
) -> list[str]:
    colors = {cell: outline.color for outline in view.outlines for cell in outline.cells}
    columns = " ".join(str(column) for column in range(1, 1 + layout.grid.columns))
    lines = [paint(f"       {columns}", "dim")]
    for row, marks in enumerate(reading.grid):
        cells = " ".join(
            _cell_text(mark, colors.get((row, column)), paint) for column, mark in enumerate(marks)
        )
        from_bottom = layout.grid.rows - row
        line = f"  {paint(f'{from_bottom:3d}', 'dim')}  {cells}"
        if row < len(view.rows):  # not in every game a row has points
            told = view.rows[row]
            factor = f"{paint(told.factor, 'dim')} " if told.factor else ""
            line += f"  {factor}{told.points:4d}"
            line += _written_text(told.written, told.points, texts, paint)
        lines.append(line)
    return lines


def _cell_text(mark: str, color: str | None, paint: Paint) -> str:
    if mark in ".?":
        return paint(mark, "unsure" if mark == "?" else "dim")
    return paint(mark, color or "bold")


def _written_text(figure: int | None, points: int, texts: Texts, paint: Paint) -> str:
    """The player's own figure where it differs."""
    if figure is None or figure == points:
        return ""
    return "  " + paint(f"({texts.report['written'].format(figure=figure)})", "unsure")


def sum_text(parts: Sequence[views.PartView], language: str) -> str:
    """The parts of the points as a sum in one line: "Rows 30  +  Numbers 12  -  Gaps 6"."""
    signed = (
        f"{'-' if part.points < 0 else '+'}  {part.name.text(language)} {abs(part.points)}"
        for part in parts
    )
    return "  ".join(signed).removeprefix("+  ")


def _score_lines(
    reading: Reading, points: int, view: views.SheetView, texts: Texts, paint: Paint
) -> list[str]:
    words, language = texts.report, texts.language
    named = [(part.name.text(language), part) for part in view.parts]
    width = max(len(name) for name in [*(name for name, _ in named), words["total"]])
    lines = []
    for name, part in named:
        note = part.note.text(language) if part.note else ""
        lines.append(f"  {name:<{width}} {part.points:5d}   {paint(note, 'dim')}".rstrip())
    style = "sure" if reading.status is Status.OK else "unsure"
    total = paint(f"{words['total']:<{width}} {points:5d}", "bold")
    status = paint(status_text(reading, language), style)
    lines.append(f"  {total}   {status}{_written_text(view.written_total, points, texts, paint)}")
    if reading.rank:
        lines += ["", f"  {paint(rank_text(reading, language), 'bold')}"]
    return lines


def covered_lines(reading: Reading, layout: Layout, language: str, paint: Paint) -> list[str]:
    """What something hides, and what is cancelled, in a sentence each; none where nothing is."""
    told = [
        each(reading, layout, language) for each in (covered.covered_text, covered.cancelled_text)
    ]
    style = "dim" if reading.status is Status.OK else "unsure"
    return [f"  {paint(each, style)}" for each in told if each]


def print_lines(reading: Reading, language: str, paint: Paint) -> list[str]:
    """What of the learnt print the reading rests on; no line where all of that is sure."""
    words = texts_in(language).report
    told = [print_doubt_text(doubt, language) for doubt in reading.print_doubts]
    return (
        [f"  {paint(words['print_open'], 'unsure')}", *(f"    {each}" for each in told)]
        if told
        else []
    )


def print_doubt_text(doubt: Doubt | PrintDoubt, language: str) -> str:
    """What was read of the print, how surely, and how to say it."""
    percent = math.floor(100 * doubt.confidence + 1e-9)
    return (
        texts_in(language)
        .report["print_doubt"]
        .format(where=doubt.where, read=doubt.read, percent=percent)
    )


def _doubt_lines(reading: Reading, layout: Layout, texts: Texts, paint: Paint) -> list[str]:
    lines = []
    for doubt in reading.doubts:
        lines.append(f"    {doubt_text(doubt, reading, texts.language)}")
        lines.append(paint(f"      {_answers_text(doubt, layout, texts.language)}", "dim"))
    return [f"  {paint(texts.report['doubts'], 'unsure')}", *lines] if lines else []


def _assumed_lines(reading: Reading, texts: Texts) -> list[str]:
    own = settings_of([game_of(reading).NAME])
    named = [name for name in own if name in {*reading.undecided} & {*reading.assumed}]
    if not named:
        return []
    values = ", ".join(
        f"{setting_label(name, texts.language)} {either(reading.assumed[name], texts.language)}"
        for name in named
    )
    options = ", ".join(f"--{name}" for name in named)
    hint = texts.report["assumed_hint"].format(options=options)
    return [f"  {texts.report['assumed'].format(values=values)} {hint}"]


def either(values: Iterable[object], language: str) -> str:
    """ "1, 2 or 3", in words of the language."""
    words = [str(value) for value in values]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {texts_in(language).report['or']} {words[-1]}"
