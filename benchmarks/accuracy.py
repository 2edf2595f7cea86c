"""How accurate are readings of any game? Simulates photos by held-out writers and reads them.

    python -m benchmarks.accuracy --game brikks --sheets 100 --seed 1001
    python -m benchmarks.accuracy --game bloxx --printing learnt --sheets 40 --seed 8001

A row a tier (of boards, a view). ``--printing learnt``: each sheet or board is learnt from a photo
of it, empty (of BLOXX!, any layout and art); ``confirmed``: of BLOXX!, with all that a person says
who sees what is wrong. ``--faults`` plants one broken rule on each sheet; a further table has a row
a rule. ``--renderer`` of boards: "path tracer" is slow, but its light is as it is. ``--pens`` and
``--doubts``: further tables of each kind of pen, and of what is asked about.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from benchmarks.cases import GAMES, Case, blox_case, bloxx_case, case_of
from benchmarks.harness import TIERS, Table, add_sheets, in_processes, main, parser_of
from benchmarks.outcomes import Outcome, doubts_table, keep, read_case, table_of
from benchmarks.printings import confirmed_bloxx
from brikks_vision.errors import PhotoUnreadable
from simulation.blox.cameras import VIEWS
from simulation.blox.samples import RENDERERS


def case_for(options: Namespace, tier: str, number: int) -> Case:
    """The photo of a tier and number that the options ask for."""
    if options.printing == "confirmed":
        return bloxx_case(tier, options.seed, number, confirmed_bloxx)
    is_learnt = options.printing == "learnt"
    if options.game == "blox":
        return blox_case(tier, options.seed, number, is_learnt, options.renderer)
    return case_of(options.game, tier, options.seed, number, is_learnt, options.faults)


def measure_one(task: tuple[Namespace, str, int]) -> Outcome:
    options, tier, number = task
    try:
        case = case_for(options, tier, number)
    except PhotoUnreadable as error:
        refused = type(error).__name__
        return Outcome(tier, number, refused, learnt=refused)
    outcome, result = read_case(case, tier)
    keep(options.failures, case, outcome, result)
    return outcome


def parser() -> ArgumentParser:
    found = add_sheets(parser_of(__doc__), 100, 1001, GAMES)
    found.add_argument("--tiers", nargs="+", choices=(*TIERS, *VIEWS))
    found.add_argument("--printing", choices=("own", "learnt", "confirmed"), default="own")
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0], help="of boards")
    found.add_argument("--faults", action="store_true")
    found.add_argument("--pens", action="store_true")
    found.add_argument("--doubts", action="store_true")
    return found


def measure(options: Namespace) -> list[Table]:
    heading = "view" if options.game == "blox" else "tier"
    tiers = options.tiers or (tuple(VIEWS) if options.game == "blox" else TIERS)
    tasks = [(options, tier, number) for tier in tiers for number in range(options.sheets)]
    outcomes = in_processes(measure_one, tasks, options.processes)
    for outcome in outcomes:
        if outcome.is_wrong or outcome.problem:
            print(outcome, flush=True)
    tables = [table_of(outcomes, heading)]
    tables += [table_of(outcomes, "pen", "pen")] if options.pens else []
    tables += [doubts_table(outcomes)] if options.doubts else []
    tables += [table_of(outcomes, "rule", "planted")] if options.faults else []
    return tables


if __name__ == "__main__":
    main(parser(), measure)
