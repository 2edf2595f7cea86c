"""What several photos tell together, as text: a game's ranking, one turn, a followed game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from brikks_vision.games import layout_of
from brikks_vision.games.brikks.compare import OutReading, TurnReading
from brikks_vision.infer.following import JudgedTurn, TableReading, ToldTurn
from brikks_vision.infer.protocol import Turn
from brikks_vision.pipeline.follow import Followed, accuracy
from brikks_vision.reading import Reading, Status
from brikks_vision.rules.brikks import scoring
from brikks_vision.rules.brikks.sheet import Variant, phrase
from brikks_vision.rules.brikks.turn import TurnVerdict
from brikks_vision.rules.shapes import Result
from brikks_vision.show import board, covered, report
from brikks_vision.show.board import told
from brikks_vision.text.languages import decimal_text, texts_in
from brikks_vision.text.phrases import one_of, visible


def game_report(
    readings: Sequence[Reading],
    game: TableReading,
    language: str,
    paint: report.Paint = report.plain,
) -> str:
    """Each sheet in few lines, then the ranking and what the sheets prove together."""
    words = texts_in(language).report
    is_duel = game.variant == Variant.DUEL
    head = words["duel"] if is_duel else words["game"].format(count=len(game.photos))
    lines = [paint(head, "bold")]
    places = [result.place for result in game.results]
    name_width = max(len(_sheet_name(number, game, language)) for number in range(len(game.photos)))
    for result in game.ranking:
        name = f"{_sheet_name(result.sheet, game, language):<{name_width}}"
        notes: list[str] = []
        if result.place is not None and places.count(result.place) > 1:
            notes.append(words["tie"])
        place = "  " if result.place is None else f"{result.place}."
        # A duel is won by rounds, then by rows; there are no victory points.
        figure = _duel_note(result, language) if is_duel else f"{result.score.total:4d}"
        lines.append(f"  {place} {paint(name, 'bold')} {figure}   {', '.join(notes)}".rstrip())
    lines += [
        f"  -  {_sheet_name(number, game, language):<{name_width}}        {words['not_read']}"
        for number in game.unread
    ]
    if game.unread:
        lines.append(f"  {paint(words['only_read'], 'unsure')}")
    elif not game.is_ranking_sure:
        lines.append(f"  {paint(words['ranking_unsure'], 'unsure')}")
    legal = words["sheets_fit" if game.status is Status.OK else "no_sure_violations"]
    lines += report.verdict_lines(game.violations, legal, language, paint)
    lines += [f"  {note.sentence(language)}" for note in game.notes]
    if not game.is_verdict_sure:
        lines.append(f"  {paint(words['referee_unsure'], 'unsure')}")
    sheets = [
        report.summary(reading, language, paint, has_total=not is_duel)
        for reading in readings
        if reading.status is not Status.UNREADABLE
    ]
    return "\n\n".join([*sheets, "\n".join(lines)])


def turn_report(
    readings: Sequence[Reading], verdict: Turn, language: str, paint: report.Paint = report.plain
) -> str:
    """What was done in a turn, the verdict on it, and the doubts that it stands on."""
    if isinstance(verdict, ToldTurn):
        boards = [told(reading, language, paint) for reading in readings]
        return "\n\n".join([*boards, board.board_turn_report(verdict, language, paint)])
    assert isinstance(verdict, TurnReading | OutReading)
    words = texts_in(language).report
    lines = (
        _turn_lines(verdict, language, paint)
        if isinstance(verdict, TurnReading)
        else _out_lines(verdict, language, paint)
    )
    if verdict.status is not Status.OK:
        lines.append(f"  {paint(words['referee_unsure'], 'unsure')}")
    for reading in readings:
        if hidden := covered.covered_text(reading, layout_of(reading), language):
            lines.append(f"    {visible(reading.photo)}: {hidden}")
        lines += [
            f"    {visible(reading.photo)}: {report.doubt_text(doubt, reading, language)}"
            for doubt in reading.doubts
        ]
    if isinstance(verdict, TurnReading):
        lines += ["", f"  {paint(words['legend_turn'], 'dim')}"]
    return "\n".join(lines)


def _turn_lines(turn: TurnReading, language: str, paint: report.Paint) -> list[str]:
    words, verdict = texts_in(language).report, turn.verdict
    styles = {"X": "bold", "-": "wrong"}
    rows = [(words["added"], _added(turn, language))]
    if turn.roll is not None:
        rows.insert(0, (words["roll"], _rolled(turn.roll, language)))
    if verdict.added is not None:
        circles, finished = len(verdict.circles), len(verdict.rows)
        earned = words["earnings"].format(circles=circles, rows=finished, crosses=verdict.crosses)
        rows += [
            (words["way"], _way(verdict, language)),
            (words["cost"], _cost(verdict, language)),
            (words["earned"], earned),
        ]
    marks = words["marks"].format(
        circled=verdict.circled,
        crossed_out=verdict.crossed_out,
        crosses=verdict.new_crosses,
        bombs=verdict.bombs,
    )
    rows += [(words["marked"], marks), (words["gained"], f"{turn.points:+d}")]
    is_turn = verdict.blocks or verdict.bombs or verdict.minis
    legal = words["turn_legal" if is_turn else "no_turn"]
    if turn.status is not Status.OK:
        legal = words["no_sure_violations"]
    before, after = map(visible, turn.photos)
    return [
        paint(words["turn"].format(before=before, after=after), "bold"),
        "",
        *(
            "  " + " ".join(paint(sign, styles.get(sign, "dim")) for sign in row)
            for row in turn.grid
        ),
        "",
        *_table(rows),
        "",
        *report.verdict_lines(turn.violations, legal, language, paint),
    ]


def _out_lines(out: OutReading, language: str, paint: report.Paint) -> list[str]:
    words = texts_in(language).report
    legal = words["out_right" if out.is_out else "out_unsure" if out.roll else "out_open"]
    rolled = [] if out.roll is None else _table([(words["roll"], _rolled(out.roll, language))])
    return [
        paint(f"{visible(out.photo)}  {words['out']}", "bold"),
        *rolled,
        *report.verdict_lines(out.violations, legal, language, paint),
    ]


def _sheet_name(number: int, game: TableReading, language: str) -> str:
    sheet = texts_in(language).report["sheet"].format(number=number + 1)
    player = game.players[number] if game.players else None
    return f"{visible(player or game.photos[number])} ({sheet})"


def _duel_note(result: Result, language: str) -> str:
    note = texts_in(language).report["no_place" if result.rounds is None else "rounds"]
    return note.format(rounds=result.rounds, lines=result.score.lines)


def _rolled(roll: scoring.Roll, language: str) -> str:
    color = phrase(roll.color).text(language)
    return texts_in(language).report["rolled"].format(color=color, number=roll.column)


def _added(turn: TurnReading, language: str) -> str:
    words, verdict = texts_in(language).report, turn.verdict
    what = []
    if turn.added is not None:
        what.append(turn.added.text(language))
    elif verdict.blocks:
        what.append(words["several"])
    if verdict.bombs:
        what.append(words["bomb"])
    if verdict.minis:
        what.append(words["minis_added"].format(count=len(verdict.minis)))
    return ", ".join(what) or words["nothing"]


def _way(verdict: TurnVerdict, language: str) -> str:
    words = texts_in(language).report
    if not verdict.way:
        return words["no_way"]
    columns = [column for _, column in verdict.way]
    aside = sum(a != b for a, b in pairwise(columns))
    return words["aside" if aside else "straight"].format(column=columns[0] + 1, count=aside)


def _cost(verdict: TurnVerdict, language: str) -> str:
    counts = one_of(verdict.costs)
    return phrase("energy-points-of", count=verdict.costs[-1], counts=counts).text(language)


def _table(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}}  {text}" for name, text in rows]


def followed_report(found: Followed, language: str, paint: report.Paint = report.plain) -> str:
    """The turns with their broken rules, what they earned, and the last reading."""
    words = texts_in(language).report
    lines = []
    for number, turn in enumerate(found.turns, 1):
        lines += turn_lines(turn, number, language, paint)
    if found.facts:
        lines += ["", paint(words["followed_points"], "bold")]
        lines += [f"  {fact.text(language)}" for fact in found.facts]
    read = [each for each in found.readings if each.status is not Status.UNREADABLE]
    return "\n".join([*lines, "", told(read[-1], language, paint)])


def coach_report(found: Followed, language: str, paint: report.Paint = report.plain) -> str:
    """One line a turn, what would have brought more; the costliest turns; the players."""
    words = texts_in(language).report
    lines = ["", paint(words["coached"], "bold")]
    for number, judged in enumerate(found.judged, 1):
        told = words["coached_open"] if judged is None else judged_text(judged, language)
        lines.append(f"  {number}. {told}")
    if found.costliest:
        lines.append(words["coached_costliest"].format(turns=", ".join(map(str, found.costliest))))
    players = {each.player: each.told_player for each in found.judged if each}
    for player, curve in found.curves.items():
        share = accuracy(curve)
        if share is not None:
            line = words["coached_player"].format(
                player=players[player].text(language),
                percent=round(100 * share),
                curve=", ".join(f"{round(now)}/{round(possible)}" for now, possible in curve),
            )
            lines.append(f"  {line}")
    return "\n".join(lines)


def judged_text(judged: JudgedTurn, language: str) -> str:
    """What would have been better than a turn, and what the sheet may come to."""
    words, better = texts_in(language).report, judged.better
    if judged.expected is None:
        if better is None:
            return words["coached_best"]
        return words["coached_better"].format(
            told=better.sentence(language),
            points=f"{round(judged.points):+d}",
            blocks=f"{judged.blocks:+d}",
        )
    return words["coached_fine" if better is None else "coached_place"].format(
        value=round(judged.expected),
        points=decimal_text(judged.points, language),
        error=decimal_text(judged.margin, language),
        told="" if better is None else better.text(language),
    )


def turn_lines(
    turn: ToldTurn, number: int, language: str, paint: report.Paint = report.plain
) -> list[str]:
    """What was done in a turn, what is to be said of it, and the rules that it broke."""
    words = texts_in(language).report
    photos = (
        visible(name) if name else words["followed_no_photo"] for name in turn.content["photos"]
    )
    before, after = photos
    what = words["turn_unexplained"] if turn.told is None else turn.told.sentence(language)
    line = words["followed_turn"].format(number=number, before=before, after=after, told=what)
    lines = [line, *(f"   {note.sentence(language)}" for note in turn.notes)]
    if turn.status is not Status.OK:
        lines.append(f"   {paint(words['turn_not_sure'], 'unsure')}")
    return lines + [f"   {paint(broken.message, 'wrong')}" for broken in turn.violations]
