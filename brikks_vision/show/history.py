"""The record for people and programs: text, CSV, JSON Lines, and the page of a report."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from importlib import resources
from string import Template

from brikks_vision.games import GAMES, game_named, game_title, layout_of, on_board, settings_of
from brikks_vision.layout import Layout
from brikks_vision.reading import Reading
from brikks_vision.record import questions
from brikks_vision.record.entries import Correction, KeptPhoto, Result
from brikks_vision.record.results import answers_of
from brikks_vision.record.rows import AS_READ, UNNAMED
from brikks_vision.record.statistics import PlayerStats, Scores, accuracy, lost_by_cause
from brikks_vision.show.analysis import csv_bytes, reading_values, sheet_columns
from brikks_vision.show.covered import doubt_question, mark_text, place_title
from brikks_vision.show.report import Paint, plain, setting_label, status_text
from brikks_vision.text.languages import LANGUAGES, Texts, decimal_text, texts_in
from brikks_vision.text.phrases import json_line, phrase, visible

MARKS = "o+x*#@%&"
"""One sign a player in the terminal's plot, then again from the first."""
_ROWS_A_STEP = 2  # of the terminal's plot, between two values that are named
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)  # points between two named values

_RECORD_COLUMNS: dict[str, Callable[[Result], object]] = {
    "id": lambda result: result.id,
    "taken": lambda result: clock_text(result.photo.taken, "T"),
    "player": lambda result: result.player,
    "game": lambda result: result.game,
    "corrected": lambda result: "yes" if result.is_corrected else "no",
    "photos": lambda result: result.photos,
    "played": lambda result: result.played,
}


def history_table(
    results: Sequence[Result], language: str, paint: Paint = plain, *, is_counted: bool = True
) -> str:
    """The results as a table, a line each. No final newline. is_counted : say how many they are.

    Where there are boards, columns tell what stands on them, and what is doubtful.
    """
    texts = texts_in(language)
    if not results:
        return texts.report["history_empty"]
    counts = [_counts(result.reading, texts) for result in results]
    kinds = list(dict.fromkeys(kind for each in counts for kind in each))
    heads = [texts.report[key] for key in ("number", "taken", "player", "total", "certainty")]
    heads += [texts.page["played"], *kinds, texts.report["photo"]]
    rows = [
        [
            str(result.id),
            clock_text(result.photo.taken, " "),
            shown_player(result.player, texts),
            "" if result.total is None else str(result.total),
            status_text(result.reading, language),
            game_title(result.played),
            *(str(counted.get(kind, "")) for kind in kinds),
            ", ".join([visible(result.photo.name), *_remarks(result, texts)]),
        ]
        for result, counted in zip(results, counts, strict=True)
    ]
    lines = aligned([heads, *rows], right={0, 3, *range(6, 6 + len(kinds))})
    lines = [paint(lines[0], "bold"), *lines[1:]]
    if is_counted:
        count = texts.report["history_one" if len(results) == 1 else "history_count"]
        lines += ["", count.format(count=len(results))]
    return "\n".join(lines)


def corrections_text(made: Sequence[Correction], reading: Reading, language: str) -> str:
    """What was corrected, when and by whom, a line each. No final newline.

    reading : of the result, which tells what its places are called.
    """
    words = texts_in(language).report
    lines = [words["corrections"]]
    for each in made:
        told = {
            "moment": clock_text(each.made.astimezone().replace(tzinfo=None), " "),
            "who": words["by_page"] if each.who == UNNAMED else visible(each.who),
        }
        for place, (before, mark) in each.changes.items():
            if place in settings_of():
                name = f"{setting_label(place, language)} {visible(mark or '-')}"
                lines.append("  " + words["correction_game"].format(name=name, **told))
            else:
                title, (stood, stands) = place_told(reading, place, (before, mark), language)
                said = phrase("said", place=title, mark=stands).text(language)
                lines.append(
                    "  " + words["correction_mark"].format(said=said, before=stood, **told)
                )
    return "\n".join(lines)


def place_told(
    reading: Reading, place: str, marks: Sequence[str], language: str
) -> tuple[str, list[str]]:
    """The name of a place of a reading, and the names of these marks or of what stands there."""
    read = {AS_READ: texts_in(language).page["mark_read"]}
    if board := on_board(reading):
        titles = {each.where: each.told.text(language) for each in board.places(reading)}
        things = {each.value: each.told.text(language) for each in board.choices().things} | read
        return titles.get(place, place), [things.get(mark, mark) for mark in marks]
    layout = layout_of(reading)
    told = [read.get(mark) or mark_text(place, mark, layout, language) for mark in marks]
    return place_title(place, layout, language), told


def results_csv(results: Sequence[Result]) -> bytes:
    """The results as a table for spreadsheets.

    What the record knows, then the sheet's columns, then the points that it lost, by cause, and how
    many percent of the points within reach it has.
    """
    coaches = [game_named(name).coach for name in GAMES]
    causes = dict.fromkeys(cause for each in coaches if each for cause in each.causes)
    rows = [
        [
            *(value(result) for value in _RECORD_COLUMNS.values()),
            result.photo.name,
            *reading_values(result.reading).values(),
            result.photo.sha256,
            *map(lost_by_cause(result.reading).get, causes),
            accuracy(result.reading),
        ]
        for result in results
    ]
    lost = [f"lost_{cause}" for cause in causes]
    return csv_bytes([*_RECORD_COLUMNS, *sheet_columns(), *lost, "accuracy"], rows)


def results_jsonl(
    results: Sequence[Result], corrections: Callable[[int], Sequence[Correction]]
) -> bytes:
    """The results as JSON Lines: one object a line, the whole reading under "reading"."""
    lines = [json_line(_object(result, corrections(result.id))) for result in results]
    return "".join(f"{line}\n" for line in lines).encode()


def stats_report(
    players: Sequence[PlayerStats],
    lines: Sequence[Scores],
    coached: Mapping[str, Sequence[Scores]],
    shares: Sequence[Sequence[float]],
    layout: Layout,
    language: str,
    paint: Paint = plain,
) -> str:
    """The players, their scores over time, where points went, and the cells left empty.

    coached: by the key of its title, what a coach tells over time. No final newline.
    """
    texts = texts_in(language)
    if not players:
        return texts.report["history_empty"]
    parts = [
        _players_table(players, texts, paint),
        _scores_text(lines, layout, texts, paint),
        *(_means_text(title, told, texts, paint) for title, told in coached.items() if told),
        _heat_text(shares, layout, texts, paint),
    ]
    return "\n\n".join("\n".join(part) for part in parts)


# --- history -------------------------------------------------------------------------------------


def _remarks(result: Result, texts: Texts) -> list[str]:
    words = texts.report
    remarks = []
    if on_board(result.reading):
        remarks.append(visible(str(result.reading.sheet)))
    if result.photos > 1:
        remarks.append(words["photos_of_it"].format(count=result.photos))
    if result.game is not None:
        remarks.append(words["in_game"].format(number=result.game))
    if result.is_corrected:
        remarks.append(words["corrected"])
    return remarks


def _counts(reading: Reading, texts: Texts) -> dict[str, int]:
    """The number of each kind of piece on a board and of doubts, by name."""
    board = on_board(reading)
    if board is None:
        return {}
    counted = board.counts(reading)
    told = {each.told.text(texts.language): each.number for each in counted}
    return {**told, texts.report["board_doubts"]: len(reading.doubts)}


def _object(result: Result, corrections: Sequence[Correction]) -> dict[str, object]:
    return {
        "id": result.id,
        "taken": clock_text(result.photo.taken, "T"),
        "taken_from": result.photo.taken_from,
        "added": result.added.isoformat(),
        "player": result.player,
        "played": result.played,
        "game": result.game,
        "photo": result.photo.name,
        "sha256": result.photo.sha256,
        "photos": result.photos,
        "corrections": [
            {
                "made": each.made.isoformat(),
                "who": each.who,
                "changes": {place: list(change) for place, change in each.changes.items()},
            }
            for each in corrections
        ],
        "answers": answers_of(corrections),
        "reading": result.reading.to_dict(),
    }


def shown_player(name: str | None, texts: Texts) -> str:
    """The name of a player, or that there is none."""
    return visible(name) if name else texts.report["no_name"]


def clock_text(taken: datetime, between: str) -> str:
    """A date and a time; to the second with "T" ``between`` them, else to the minute."""
    return taken.isoformat(between, "seconds" if between == "T" else "minutes")


def aligned(rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Lines with the columns under each other; those in ``right`` end together."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def cell(text: str, column: int) -> str:
        return text.rjust(widths[column]) if column in right else text.ljust(widths[column])

    return [
        "  ".join(cell(text, column) for column, text in enumerate(row)).rstrip() for row in rows
    ]


# --- stats ---------------------------------------------------------------------------------------


def _players_table(players: Sequence[PlayerStats], texts: Texts, paint: Paint) -> list[str]:
    words = texts.report
    heads = ["", *(words[key] for key in ("player", "games", "best", "mean", "rank"))]
    rows = [
        [
            f"{each.place}.",
            shown_player(each.player, texts),
            str(each.games),
            str(each.best),
            decimal_text(each.mean, texts.language),
            (each.rank.text(texts.language) if each.rank else "")
            + (f"  ({words['games_unsure']}: {each.unsure})" if each.unsure else ""),
        ]
        for each in players
    ]
    lines = aligned([heads, *rows], right={0, 2, 3, 4})
    return [paint(lines[0], "bold"), *lines[1:]]


def _scores_text(
    lines: Sequence[Scores], layout: Layout, texts: Texts, paint: Paint, width: int = 60
) -> list[str]:
    """A plot ``width`` columns wide, one sign a player; "=" where several meet."""
    moments = [taken for line in lines for taken, _ in line.points]
    totals = [total for line in lines for _, total in line.points]
    first, last = min(moments), max(moments)
    floor, ceiling, step = value_scale(totals)
    height = 1 + _ROWS_A_STEP * (ceiling - floor) // step
    signs: dict[tuple[int, int], str] = {}
    for number, line in enumerate(lines):
        sign = MARKS[number % len(MARKS)]
        for taken, total in line.points:
            along = (taken - first) / (last - first) if last > first else 0.5
            column = round((width - 1) * along)
            row = round((height - 1) * (ceiling - total) / (ceiling - floor))
            signs[row, column] = sign if signs.get((row, column), sign) == sign else "="
    drawn = []
    for row in range(height):
        value = ceiling - step * row // _ROWS_A_STEP
        plotted = "".join(signs.get((row, column), " ") for column in range(width)).rstrip()
        label = paint(f"{'' if row % _ROWS_A_STEP else value:>5} |", "dim")
        drawn.append(f"{label}{plotted}")
    labels = [clock_text(first, " "), clock_text(last, " ")]
    names = [
        f"{MARKS[number % len(MARKS)]} {shown_player(line.name, texts)}"
        for number, line in enumerate(lines)
    ]
    return [
        paint(f"{texts.report['plot_scores']}: {layout.title}", "bold"),
        *drawn,
        paint(f"      +{'-' * width}", "dim"),
        f"       {labels[0]}{labels[1]:>{width - len(labels[0])}}",
        f"       {'   '.join(names)}",
    ]


def _means_text(title: str, lines: Sequence[Scores], texts: Texts, paint: Paint) -> list[str]:
    """The mean of each line."""
    rows = [
        [f"  {shown_player(line.name, texts)}", decimal_text(line.mean, texts.language)]
        for line in lines
    ]
    head = f"{texts.report[title]} ({texts.report['mean']})"
    return [paint(head, "bold"), *aligned(rows, right={1})]


def value_scale(totals: Sequence[int]) -> tuple[int, int, int]:
    """(lowest, highest, step) of an axis that shows all totals and, if it is near, zero.

    >>> value_scale([31, 73, 98])
    (0, 100, 20)
    >>> value_scale([40])
    (30, 50, 5)
    """
    low, high = min(totals), max(totals)
    if low == high:
        low, high = low - 10, high + 10
    elif 0 < low < high - low:
        low = 0
    step = next((step for step in _STEPS if (high - low) / step <= 5), _STEPS[-1])
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def _heat_text(
    shares: Sequence[Sequence[float]], layout: Layout, texts: Texts, paint: Paint
) -> list[str]:
    words = texts.report
    head = f"{words['plot_empty']}: {layout.title} ({words['plot_percent']})"
    lines = [paint(head, "bold")]
    names = game_named(layout.game).row_names(layout)
    for row, values in enumerate(shares):
        name = names[row]
        cells = "".join(_share_text(share, paint) for share in values)
        lines.append(f"{paint(f'{name:>5}', 'dim')} {cells}")
    return lines


def _share_text(share: float, paint: Paint) -> str:
    percent = f"{round(100 * share) or '.':>4}"
    # share of the sheets from which on a cell stands out
    return paint(percent, "wrong" if share >= 0.5 else "bold" if share else "dim")


_PHOTO = """<article>
<img src="data:image/jpeg;base64,{picture}" alt="{heading}">
<div><h2>{heading}</h2><dl>{facts}</dl></div>
</article>"""


@dataclass(frozen=True)
class GivenPhoto:
    """A photo of a report. name: of its file. small: JPEG. made: the corrections of its result.

    total : the right one; None: nobody said it.
    """

    name: str
    small: bytes
    kept: KeptPhoto
    made: Sequence[Correction]
    total: int | None


def given_page(photos: Sequence[GivenPhoto], data: str, language: str) -> str:
    """The page, HTML that needs nothing else. data: the name of the file with the same as JSON."""
    words = texts_in(language).report
    page = resources.files("brikks_vision").joinpath("show", "given.html").read_text("utf-8")
    return Template(page).substitute(
        language=language,
        title=escape(words["given_title"]),
        intro=escape(words["given_intro"]),
        holds_not=escape(words["given_not"]),
        photos="\n".join(_article(at, each, language) for at, each in enumerate(photos, 1)),
        data=escape(words["given_data"].format(file=data)),
    )


def _article(number: int, photo: GivenPhoto, language: str) -> str:
    words, read = texts_in(language).report, photo.kept.read
    corrected = _corrected(photo, language) or [words["given_nothing"]]
    facts = [(words["given_game"], [game_title(photo.kept.result.played)])]
    if read.score is not None:
        right = words["given_not_said"] if photo.total is None else str(photo.total)
        facts += [(words["given_read"], [str(read.score.total)]), (words["given_right"], [right])]
    facts += [(words["given_status"], [status_text(read, language)])]
    facts += [(words["given_corrected"], corrected)]
    return _PHOTO.format(
        picture=b64encode(photo.small).decode("ascii"),
        heading=escape(f"{words['given_photo'].format(number=number)}: {photo.name}"),
        facts="".join(f"<dt>{escape(name)}</dt><dd>{_listed(told)}</dd>" for name, told in facts),
    )


def _corrected(photo: GivenPhoto, language: str) -> list[str]:
    told = []
    for place, marks in (change for each in photo.made for change in each.changes.items()):
        if place in settings_of():
            title, (before, now) = setting_label(place, language), list(marks)
        else:
            title, (before, now) = place_told(photo.kept.result.reading, place, marks, language)
        told.append(f"{title}: {before or '-'} → {now or '-'}")
    return told


def _listed(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return escape(lines[0])
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


# --- open questions, and the answers that they take -----------------------------------------------


def results_asked(question: questions.Question) -> tuple[Result, ...]:
    """The results that a question is about, the one of the older photo first."""
    if isinstance(question, questions.SheetsQuestion):
        return question.earlier, question.later
    return (question.result,)


def question_text(question: questions.Question, language: str) -> str:
    """What is asked, as one or two sentences."""
    words = texts_in(language).report
    if isinstance(question, questions.SheetsQuestion):
        facts = {"earlier": question.earlier.id, "later": question.later.id}
        return words["ask_sheets"].format(**facts)
    if isinstance(question, questions.OwnerQuestion):
        player = question.result.player or words["no_name"]
        number = question.result.id
        return words["ask_owner"].format(number=number, player=player, named=question.named)
    reading = question.result.reading
    return doubt_question(question.doubt.where, layout_of(reading), language, reading.cancelled)


def choice_texts(question: questions.Question, language: str) -> Mapping[str, str]:
    """By each answer that a question takes, what it says."""
    words = texts_in(language).report
    if isinstance(question, questions.OwnerQuestion):
        player = question.result.player or words["no_name"]
        return {"keep": player, "change": question.named}
    if isinstance(question, questions.MarkQuestion):
        where, layout = question.doubt.where, layout_of(question.result.reading)
        return {
            mark: mark_text(where, mark, layout, language) for mark in questions.choices(question)
        }
    return {answer: words[f"sheets_{answer}"] for answer in questions.choices(question)}


def meant_answer(question: questions.Question, said: str) -> str:
    """The answer that a person wrote, as it is or in the words of any language; else unchanged."""
    wanted = said.strip().casefold()
    texts = [choice_texts(question, language) for language in LANGUAGES]
    for answer in questions.choices(question):
        if wanted in {answer.casefold(), *(each[answer].casefold() for each in texts)}:
            return answer
    return said.strip()
