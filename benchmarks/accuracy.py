"""How accurate are readings of any game? Simulates photos by held-out writers and reads them.

    python -m benchmarks.accuracy --game brikks --sheets 100 --seed 1001
    python -m benchmarks.accuracy --game bloxx --printing learnt --sheets 40 --seed 8001
    python -m benchmarks.accuracy --game blox --sheets 20 --seed 771 --renderer "path tracer"

A row a tier (of boards, a view). ``--printing learnt``: each sheet or board is learnt from a photo
of it, empty (of BLOXX!, any layout and art); ``confirmed``: of BLOXX!, with all that a person says
who sees what is wrong; ``several``: of Brikks, other editions, each second of
which is learnt, all known at once: a further table says as which one a photo is read. ``--faults``
plants one broken rule on each sheet; a further table has a row a rule. ``--blank PICTURE`` lays the
ink of Brikks on a picture of an empty sheet that shows it straight, its grid where ``--origin`` and
``--cell`` say; ``--ink real`` takes that of a real pen, where there is some. ``--pens`` and
``--doubts``: further tables of each kind of pen, and of what is asked about.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from benchmarks import pictures, printings
from benchmarks.cases import GAMES, Case, bloxx_case, brikks_case, brikks_shot, case_of, learnt_case
from benchmarks.harness import TIERS, Table, add_sheets, in_processes, main, parser_of, tally
from benchmarks.outcomes import Outcome, doubts_table, keep, read_case, table_of
from brikks_vision.errors import PhotoUnreadable
from simulation.blox.cameras import VIEWS
from simulation.blox.samples import RENDERERS

PRINTINGS = ("own", "learnt", "confirmed", "several")


def case_for(options: Namespace, tier: str, number: int) -> Case:
    """The photo of a tier and number that the options ask for."""
    if options.printing == "several":
        return printings.case_of(options.seed, number, tier, options.known)
    if options.printing == "confirmed":
        return bloxx_case(tier, options.seed, number, printings.confirmed_bloxx)
    if options.printed is None and options.ink == "any":
        return case_of(
            options.game, tier, options.seed, number,
            printing=options.printing, faulty=options.faults, renderer=options.renderer,
        )  # fmt: skip
    shot = brikks_shot(
        tier, options.seed, number,
        print_of=partial(pictures.print_of, options.printed),
        hand_of=partial(pictures.hand_for, options.ink),
    )  # fmt: skip
    case = brikks_case(shot, number)
    return learnt_case(case, options.seed) if options.printing == "learnt" else case


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


def told_table(outcomes: list[Outcome]) -> Table:
    """As which of several printings photos are read."""
    counts = [
        (each.row, {
            "known": each.number % 2 == 0, "unknown": each.number % 2,
            "own": each.printing == printings.name_of(each.number),
            "wrong": each.printing.startswith(printings.PREFIX)
            and each.printing != printings.name_of(each.number),
        })
        for each in outcomes if not each.problem
    ]  # fmt: skip
    columns = {"of a known printing": "known", "read as it": "own", "of an unknown one": "unknown",
               "read as a wrong one": "wrong"}  # fmt: skip
    return tally("tier", counts, columns)


def parser() -> ArgumentParser:
    found = add_sheets(parser_of(__doc__), 100, 1001, GAMES)
    found.add_argument("--tiers", nargs="+", choices=(*TIERS, *VIEWS))
    found.add_argument(
        "--printing", choices=("own", "learnt", "confirmed", "several"), default="own"
    )
    found.add_argument("--renderer", choices=RENDERERS, default=RENDERERS[0], help="of boards")
    found.add_argument("--faults", action="store_true")
    found.add_argument("--ink", choices=("any", *pictures.INKS), default="any")
    found.add_argument("--pens", action="store_true")
    found.add_argument("--doubts", action="store_true")
    pictures.add_options(found)
    return found


def measure(options: Namespace) -> list[Table]:
    heading = "view" if options.game == "blox" else "tier"
    tiers = options.tiers or (tuple(VIEWS) if options.game == "blox" else TIERS)
    options.printed, options.known = pictures.print_in(options), ()
    if options.printing == "several":
        every = [(options.seed, number) for number in range(0, options.sheets, 2)]
        options.known = tuple(in_processes(printings.learn_nth, every, options.processes))
    tasks = [(options, tier, number) for tier in tiers for number in range(options.sheets)]
    outcomes = in_processes(measure_one, tasks, options.processes)
    for outcome in outcomes:
        if outcome.is_wrong or outcome.problem:
            print(outcome, flush=True)
    tables = [table_of(outcomes, heading)]
    tables += [told_table(outcomes)] if options.printing == "several" else []
    tables += [table_of(outcomes, "pen", "pen")] if options.pens else []
    tables += [doubts_table(outcomes)] if options.doubts else []
    tables += [table_of(outcomes, "rule", "planted")] if options.faults else []
    return tables


if __name__ == "__main__":
    main(parser(), measure)
