"""A toy: a point a cross, three for the circled sun, but in rain; only with a crossed middle."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from brikks_vision.decode.evidence import *  # noqa: F403
from brikks_vision.decode.judging import of_evidence
from brikks_vision.decode.misread import Faults
from brikks_vision.layout import Mark
from brikks_vision.reading import ReadSheet
from brikks_vision.reading.views import PartView
from brikks_vision.text.phrases import Phrase, phrase
from tests.toy import independent

NAME, TITLE, PART_FIELDS = "toy", "Toy", {"sun": "sun"}
MARKS = {"cell": ("X", "."), "sun": ("O", ".")}
MEANING = {"cell": {"X": Mark.CROSS}, "sun": {"O": Mark.RING}}
marks = dict


@dataclass(frozen=True)
class Score:
    total: int


@dataclass(frozen=True)
class Violation:
    rule, part, where, told = "early-sun", "sun", (0,), phrase("toy.early-sun")
    confidence = 1.0


@dataclass(frozen=True)
class Verdict:
    violations: tuple[Violation, ...]


@dataclass(frozen=True, eq=False)
class ToyReading(ReadSheet, game="toy"):
    score: Score = field(kw_only=True)

    def content(self):
        return {"sun": self.sun, "score": {"total": self.score.total}}

    sun = property(lambda self: "O" if self.score.total > "".join(self.grid).count("X") else ".")


def total(state, sun=3) -> int:
    return sum({"X": 1, "O": sun, ".": 0}[mark] for _, mark in state)


def judge(state) -> Verdict:
    stands = dict(state)
    is_early = (stands["sun 0"], stands["cell 1,1"]) == ("O", ".")
    return Verdict((Violation(),) if is_early else ())


def read(name, evidence, layout, answers):
    logits = independent.place_logits(evidence.marks, layout, MEANING)
    points = partial(total, sun=0 if evidence.known.get("weather") == "rain" else 3)
    posterior = independent.decode_independent(logits, answers, tuple, points)
    told = independent.weigh(posterior, dict, points, judge, Faults())
    grid = independent.grid_letters(dict(posterior.state), layout)
    score = Score(points(posterior.state))
    reading = ToyReading(name, grid=grid, score=score, **told)
    return of_evidence(reading, evidence, layout, answers, MARKS), posterior


def view(reading, layout, state=None):
    letters = {
        f"cell {r},{c}": each for r, row in enumerate(reading.grid) for c, each in enumerate(row)
    }
    parts = [PartView(phrase("toy.points"), reading.score.total)]
    return independent.shown({**dict(letters), "sun 0": reading.sun}, layout, MEANING, parts)


def marks_at(where: str) -> tuple[str, ...]:
    return MARKS[where.split()[0]]


def answers_there(layout) -> Phrase:
    return phrase("toy.answers-there")


def evidence_of_reading(reading, layout):
    return independent.evidence_of_marks(view(reading, layout).marks, layout, MEANING)
