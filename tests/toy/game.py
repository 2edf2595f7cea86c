"""A toy: a point a cross, three for the circled sun, but in rain; only with a crossed middle."""

from dataclasses import dataclass, field
from types import MappingProxyType

from brikks_vision.infer.game import SheetGame
from brikks_vision.infer.posterior import Group
from brikks_vision.layout import Mark
from brikks_vision.reading import ReadSheet
from brikks_vision.reading.views import PartView
from brikks_vision.text.phrases import phrase
from tests.toy import SETTINGS

CELLS = [f"cell {row},{column}" for row in range(3) for column in range(3)]


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
    sun: str = "."

    def content(self):
        return {"sun": self.sun, "score": {"total": self.score.total}}


class Toy(SheetGame):
    NAME, TITLE, SETTINGS = "toy", "Toy", SETTINGS
    PART_FIELDS = MappingProxyType({"sun": "sun"})
    INKS = MappingProxyType({"cell": {"X": (Mark.CROSS,)}, "sun": {"O": (Mark.RING,)}})

    def groups(self, layout, known):
        sun = 0 if known.get("weather") == "rain" else 3
        cells = [Group((where,), lambda letters: letters.count("X")) for where in CELLS]
        return (*cells, Group(("sun 0",), lambda letters: sun * letters.count("O")))

    def judge(self, stands, written):
        is_early = (stands["sun 0"], stands["cell 1,1"]) == ("O", ".")
        return Verdict((Violation(),) if is_early else ())

    def reading(self, name, found):
        rows = ["".join(found.state[where] for where in CELLS[at : at + 3]) for at in (0, 3, 6)]
        sun, score = found.state["sun 0"], Score(found.total)
        return ToyReading(name, grid=tuple(rows), sun=sun, score=score, **found.told)

    def stands(self, reading, layout):
        return {**dict(zip(CELLS, "".join(reading.grid), strict=True)), "sun 0": reading.sun}

    def parts(self, reading, layout):
        return [PartView(phrase("toy.points"), reading.score.total)]


DEFINITION = Toy()
