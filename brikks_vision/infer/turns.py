"""What was added to a sheet between photos of it, and whether one turn may add it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from brikks_vision.infer import following
from brikks_vision.infer.answers import OPEN
from brikks_vision.infer.certainty import judge_with_doubts
from brikks_vision.infer.costs import MAX_OTHER_TOTAL
from brikks_vision.infer.misread import Claim
from brikks_vision.infer.posterior import Posterior, Stands
from brikks_vision.reading import Status
from brikks_vision.rules.shapes import Verdict
from brikks_vision.text.phrases import Phrase

Marks = Mapping[str, str]
"""By place, the mark that stands there."""


@dataclass(frozen=True)
class TurnRules:
    """What a game says of a turn.

    faults: what is illegal of a turn from one state to the next. told: what was done, from the
    places that were marked in it.
    """

    faults: Callable[[Marks, Marks], Sequence[Claim]]
    told: Callable[[Sequence[str]], Phrase]


def turn_of(
    rules: TurnRules, photos: Sequence[str], before: Posterior, after: Posterior
) -> following.ToldTurn:
    """The turn between two photos of a sheet."""

    def faults(states: Sequence[Stands | None]) -> Verdict:
        was, now = (dict(state or ()) for state in states)
        return Verdict(tuple(rules.faults(was, now)))

    judged = judge_with_doubts([before, after], faults)
    is_hidden = bool(before.hidden or after.hidden)
    found = (
        () if is_hidden else following.proven_together(judged, lambda verdict: verdict.violations)
    )
    was = dict(before.state)
    added = [where for where, mark in after.state if mark not in (OPEN, was[where])]
    sure = prod(part.states[0][1] for each in (before, after) for part in each.parts)
    is_sure = not is_hidden and sure >= 1 - 2 * MAX_OTHER_TOTAL
    status = Status.OK if is_sure else Status.UNCERTAIN
    content = {
        "status": str(status),
        "photos": list(photos),
        "marked": added,
        "violations": [each.to_dict() for each in found],
    }
    return following.ToldTurn(status, rules.told(added), found, content)


def followed(
    rules: TurnRules, read: following.Read, shown: Sequence[following.Shown]
) -> following.FollowedGame:
    """The game that photos show, taken one after the other; raises as `read_in_order`."""
    found = following.read_in_order(shown, read)
    names = [each.reading.photo for each in shown]
    turns = tuple(
        turn_of(rules, [names[at], names[at + 1]], before, after)
        for at, ((_, before), (_, after)) in enumerate(pairwise(found))
    )
    notation = "\n".join(", ".join(turn.content["marked"]) for turn in turns)
    readings = tuple(reading for reading, _ in found)
    return following.FollowedGame(readings, turns, {"notation": notation}, lambda _: None)
