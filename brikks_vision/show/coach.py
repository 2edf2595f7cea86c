"""What a coach says of sheets, in words."""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.games import game_of
from brikks_vision.infer.advice import Advice, Choice, Choices, Expected
from brikks_vision.reading import Reading, Status
from brikks_vision.record import entries, statistics
from brikks_vision.rules.shapes import Lost
from brikks_vision.show.marks_on_sheet import Remark
from brikks_vision.show.report import Paint, plain, summary
from brikks_vision.text import languages, phrases

MAX_SHOWN = 5
"""Maximum number of choices that are told."""

MAX_MARGIN = 5.0
"""Points: what may be farther off was played too seldom to be compared, and is not told."""

LEAST_TOLD = 0.5
"""Fewest points of one cause that are told."""


def sentences(language: str) -> phrases.Translator:
    """Puts phrases into whole sentences of a language."""
    return lambda told: told.sentence(language)


def advice_report(advice: Advice, reading: Reading, language: str, paint: Paint = plain) -> str:
    """The total with what is asked about it, and what the coach says. No final newline.

    That is what may be done for a roll, where one is known; else where the points went.
    """
    is_sure = reading.status is Status.OK
    told = (
        sheet_lines(advice, language, paint)
        if advice.choices is None
        else choice_lines(advice, is_sure, language, paint)
    )
    return "\n".join([summary(reading, language, paint), "", *told])


def sheet_lines(advice: Advice, language: str, paint: Paint = plain) -> list[str]:
    """Where the points went, and how good the total is."""
    words = languages.texts_in(language).report
    lines = [f"  {paint(words['lost'], 'bold')}"]
    if advice.lost:
        lines += [f"    {each.points:3d}  {lost_text(each, language)}" for each in advice.lost]
        total = advice.total + sum(each.points for each in advice.lost)
        lines.append(f"  {words['lost_sum'].format(total=total)}")
    else:
        lines.append(f"  {words['lost_unsure' if advice.lost is None else 'lost_nothing']}")
    if advice.expected is not None:
        lines += ["", f"  {expected_text(advice.expected, language)}"]
    return lines


def expected_text(expected: Expected, language: str) -> str:
    """What the computer player reaches, and how many of its games the sheet is better than.

    And what it makes of energy that was left.
    """
    words = languages.texts_in(language).report
    key = "expected_players" if expected.level is None else "expected"
    told = words[key].format(
        players=expected.players,
        level=expected.level,
        mean=round(expected.mean),
        sd=round(expected.sd),
        percent=expected.percentile,
    )
    unspent = expected.unspent
    if unspent is None:
        return told
    return f"{told} " + words["unspent"].format(
        energy=unspent.energy,
        points=languages.decimal_text(unspent.points, language),
        error=languages.decimal_text(unspent.margin, language),
    )


def choice_lines(advice: Advice, is_sure: bool, language: str, paint: Paint = plain) -> list[str]:
    """What may be done for a roll, best first, and how good what was done is.

    is_sure: whether the sheet is read surely.
    """
    choices = advice.choices
    assert choices is not None
    words = languages.texts_in(language).report
    best = choices.best[0]
    lines = [f"  {paint(words['advice'], 'bold')}"]
    for number, choice in enumerate(compared(choices), 1):
        lines.append(f"  {number:>3}. {choice_text(choice, best, language)}")
    again = again_text(choices, language)
    if again:
        lines.append(f"  {again}")
    if not is_sure:
        lines.append(f"  {paint(words['advice_unsure'], 'unsure')}")
    if choices.yours is not None:
        lines += ["", f"  {_yours(choices.yours, best, advice.game, language)}"]
    return lines


def compared(choices: Choices) -> tuple[Choice, ...]:
    """The choices that are told, best first: those of which it is known how good they are."""
    best, *others = choices.best
    known = [each for each in others if each.is_clear or each.margin <= MAX_MARGIN]
    return (best, *known[: MAX_SHOWN - 1])


def again_text(choices: Choices, language: str) -> str:
    """Whether rolling again would be better; "" where that is not clear."""
    again = choices.again
    if again is None or not again.is_clear:
        return ""
    key = "again_more" if again.difference > 0 else "again_less"
    return (
        languages.texts_in(language)
        .report[key]
        .format(
            points=languages.decimal_text(abs(again.difference), language),
            error=languages.decimal_text(again.margin, language),
        )
    )


def advice_remarks(advice: Advice, language: str) -> tuple[str, tuple[Remark, ...]]:
    """What a picture tells of the advice: its title, and remarks on the sheet.

    Of a roll they are the best choice with yours, or with the next one; else where points went.
    """
    words = languages.texts_in(language).report
    if advice.choices is None:
        if not advice.lost:
            return words["lost_unsure" if advice.lost is None else "lost_nothing"], ()
        return words["lost"], tuple(
            Remark("other", str(each.points), lost_text(each, language), each.cells, each.where)
            for each in advice.lost
        )
    choices, yours = compared(advice.choices), advice.choices.yours
    best = choices[0]
    other = yours or choices[min(1, len(choices) - 1)]
    remarks = []
    for kind, choice in (("best", best), ("other", other))[: 1 if other == best else 2]:
        told = choice_text(choice, best, language)
        if choice == yours:
            told = f"{choice.told.sentence(language)} {_yours(yours, best, advice.game, language)}"
        number = str(choices.index(choice) + 1) if choice in choices else "?"
        remarks.append(Remark(kind, number, told, choice.cells, choice.where))
    return words["advice"], tuple(remarks)


def choice_text(choice: Choice, best: Choice, language: str) -> str:
    """What may be done, and how much less than the best it brings."""
    key = "advice_less" if choice.is_clear else "advice_alike"
    told = languages.texts_in(language).report["advice_best" if choice is best else key]
    return told.format(
        what=choice.told.sentence(language).removesuffix("."),
        value=round(choice.value),
        points=languages.decimal_text(-choice.difference, language),
        error=languages.decimal_text(choice.margin, language),
    )


def _yours(yours: Choice, best: Choice, game: str, language: str) -> str:
    words = languages.texts_in(language).report
    if yours == best or not yours.is_clear:
        return words["yours_best" if yours == best else "yours_alike"]
    causes = [
        phrases.phrase(f"{game}.points-{part}").text(language)
        + (" +" if points < 0 else " −")
        + languages.decimal_text(abs(points), language)
        for part, points in yours.ahead.items()
        if abs(points) >= LEAST_TOLD
    ]
    return words["yours_less"].format(
        points=languages.decimal_text(-yours.difference, language),
        error=languages.decimal_text(yours.margin, language),
        causes=", ".join(causes),
    )


def lost_lines(sheets: Sequence[entries.Result], language: str) -> tuple[statistics.Scores, ...]:
    """The points that finished sheets of one game lost over time, a line a cause."""
    coach = game_of(sheets[0].reading).coach if sheets else None
    if coach is None:
        return ()
    causes = coach.causes
    return tuple(
        statistics.Scores(causes[cause].text(language), points)
        for cause, points in statistics.lost_over_time(sheets).items()
    )


def lost_text(lost: Lost, language: str) -> str:
    """What was lacking, and whether it was still within reach in the last turn."""
    last = f" {languages.texts_in(language).report['lost_last_turn']}" if lost.last_turn else ""
    return lost.text(language) + last
