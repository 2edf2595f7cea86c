"""A game that was followed, as text for the terminal."""

from __future__ import annotations

from brikks_vision.decode.followed import JudgedTurn, ToldTurn
from brikks_vision.pipeline.follow import Followed, accuracy
from brikks_vision.reading import Status
from brikks_vision.show.report import Paint, plain
from brikks_vision.show.shown import told
from brikks_vision.text.display import visible
from brikks_vision.text.figures import decimal_text
from brikks_vision.text.languages import texts_in


def followed_report(found: Followed, language: str, paint: Paint = plain) -> str:
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


def coach_report(found: Followed, language: str, paint: Paint = plain) -> str:
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


def turn_lines(turn: ToldTurn, number: int, language: str, paint: Paint = plain) -> list[str]:
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
