"""What a coach says of a sheet, as text for the terminal."""

from __future__ import annotations

from brikks_vision.decode.game import Advice
from brikks_vision.reading import Reading
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


def lost_text(lost: Lost, language: str) -> str:
    """What was lacking, and whether it was still within reach in the last turn."""
    last = f" {texts_in(language).report['lost_last_turn']}" if lost.last_turn else ""
    return lost.text(language) + last
