"""What a coach says of sheets, in words."""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.decode.game import Advice
from brikks_vision.games import game_of
from brikks_vision.reading import Reading
from brikks_vision.record.entries import Result
from brikks_vision.record.statistics import Scores, lost_over_time
from brikks_vision.rules.lost import Lost
from brikks_vision.show.report import Paint, plain, summary
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import Translator


def sentences(language: str) -> Translator:
    """Puts phrases into whole sentences of a language."""
    return lambda told: told.sentence(language)


def advice_report(advice: Advice, reading: Reading, language: str, paint: Paint = plain) -> str:
    """The total with what is asked about it, and where the points went. No final newline."""
    words = texts_in(language).report
    lines = [summary(reading, language, paint), "", f"  {paint(words['lost'], 'bold')}"]
    if not advice.lost:
        key = "lost_unsure" if advice.lost is None else "lost_nothing"
        return "\n".join([*lines, f"  {words[key]}"])
    lines += [f"    {each.points:3d}  {lost_text(each, language)}" for each in advice.lost]
    total = advice.total + sum(each.points for each in advice.lost)
    return "\n".join([*lines, f"  {words['lost_sum'].format(total=total)}"])


def lost_lines(sheets: Sequence[Result], language: str) -> tuple[Scores, ...]:
    """The points that finished sheets of one game lost over time, a line a cause."""
    coach = game_of(sheets[0].reading).coach if sheets else None
    if coach is None:
        return ()
    causes = coach.causes
    return tuple(
        Scores(causes[cause].text(language), points)
        for cause, points in lost_over_time(sheets).items()
    )


def lost_text(lost: Lost, language: str) -> str:
    """What was lacking, and whether it was still within reach in the last turn."""
    last = f" {texts_in(language).report['lost_last_turn']}" if lost.last_turn else ""
    return lost.text(language) + last
