"""``brikks-scan sheet``: sheets to print, and printings that are learnt from photos."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision import errors, files
from brikks_vision.commands import terminal
from brikks_vision.games import GAMES, ONLY_ONE, check_named, game_named, game_title
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import translator, visible

if TYPE_CHECKING:
    from brikks_vision.games.learning import Proposal


class Paper(StrEnum):
    A4 = "a4"
    A3 = "a3"
    LETTER = "letter"


class Style(StrEnum):
    """How sheets can be printed; not every game has all of them."""

    LIGHT = "light"
    ARCADE = "arcade"


Lang = Annotated[
    terminal.Language, terminal.language_option("Language of what is told; else the system's.")
]
SheetName = Annotated[str | None, typer.Option(metavar="NAME", help="sheet sheetname")]

app = terminal.new_app(help="The player sheet itself.", no_args_is_help=True)


@app.callback()
def sheet() -> None:
    """The player sheet itself."""


@app.command("print")
def print_sheet(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="sheet name")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="SHEET.pdf", help="sheet output")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="|".join(GAMES), help="sheet name")] = None,
    paper: Annotated[Paper, typer.Option(help="sheet paper")] = Paper.A4,
    per_page: Annotated[
        int, typer.Option(min=1, max=4, metavar="1|2|4", help="sheet per-page")
    ] = 1,
    style: Annotated[Style, typer.Option(help="sheet style")] = Style.LIGHT,
    *,
    language: Annotated[
        terminal.Language,
        terminal.language_option("Language of the printed words; else the system's."),
    ],
) -> None:
    """Write a sheet to print and play on, its back the block overview, or a board, as a PDF."""
    words = translator(language)
    if output is None and name is None:
        raise errors.ArgumentMissing("--output", "brikks-scan sheet print --help")
    played = name or game or ONLY_ONE
    check_named(played, "printer")
    output = output or _free(Path(f"{played}.pdf"))
    if output.suffix.lower() != ".pdf":
        raise errors.OutputFormatUnknown(output, ".pdf")
    printer = game_named(played).printer
    assert printer is not None
    files.write_whole(output, printer(str(paper), per_page, str(style), words))
    printed = texts_in(language).report["sheet_printed"]
    told = printed.format(game=game_title(played), paper=paper.upper(), path=visible(output))
    terminal.say(told)


def _free(path: Path) -> Path:
    """The path, with a number where there is such a file."""
    numbered = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(each for each in chain([path], numbered) if not each.exists())


@app.command("learn")
def learn(
    blank: Annotated[Path, typer.Argument(metavar="BLANK.jpg", help="sheet blank")],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="sheet game")] = None,
    name: SheetName = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="SHEET.json", help="sheet learn output")
    ] = None,
    annotate: Annotated[Path | None, typer.Option(metavar="OUT.jpg", help="sheet annotate")] = None,
    pieces: Annotated[Path | None, typer.Option(metavar="SETUP.jpg", help="sheet pieces")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="PLACE=PRINT", help="sheet set")
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="sheet ask")] = False,
    *,
    language: Lang,
) -> None:
    """Learn a printing from a photo of its empty sheet, or a board from one of it, empty.

    Exits with 3 where something is uncertain; --set says it.
    """
    with terminal.complaints(language, blank):
        _check_outputs(blank, output, annotate)
        from brikks_vision.games.printings import check_name, keep_printing, name_after, sheet_name
        from brikks_vision.layout.definition import PACKED, packed
        from brikks_vision.learn import learn_sheet
        from brikks_vision.show.board import draw_learnt
        from brikks_vision.show.overlay import save_image

        wanted = name_after(output.name, game) if output and not name else name
        if wanted:
            wanted = sheet_name(wanted) or wanted
        if output is None and wanted is not None:
            check_name(wanted)
        try:
            learnt = learn_sheet(blank, game, wanted, _set(settings or ()), pieces)
        except errors.PhotoUnreadable as error:
            terminal.complain(pieces if error.of_pieces else blank, error, language)
            raise typer.Exit(error.exit_code) from None
        if ask:
            picture = annotate or blank.with_name(f"{blank.stem}-learnt.jpg")
            confirmed = _asked(learnt, picture, language)
            if confirmed is None:
                raise typer.Exit(errors.ExitCode.UNCERTAIN)
            learnt = confirmed
        elif annotate:
            save_image(draw_learnt(learnt), annotate)
        if learnt.remark is not None and not ask:  # nothing is kept without a look
            terminal.complain(blank, learnt.remark, language)
            terminal.note(texts_in(language).report["sheet_look"])
            raise typer.Exit(errors.ExitCode.UNREADABLE)
        if output:
            text = learnt.to_json()
            is_packed = output.suffix.lower() == PACKED
            files.write_whole(output, packed(text) if is_packed else text.encode("utf-8"))
        else:
            output = keep_printing(learnt.to_json(), learnt.layout.name)
        tell_learnt(learnt, output, language)
    raise typer.Exit(errors.ExitCode.UNCERTAIN if learnt.doubts else errors.ExitCode.CERTAIN)


def _check_outputs(blank: Path, output: Path | None, picture: Path | None) -> None:
    """Raises OutputFormatUnknown, OutputIsInput before anything is done."""
    from brikks_vision.layout.definition import PACKED
    from brikks_vision.show.overlay import SUFFIXES

    if output and output.suffix.lower() not in (".json", PACKED):
        raise errors.OutputFormatUnknown(output, f".json, {PACKED}")
    if picture and picture.suffix.lower() not in SUFFIXES:
        raise errors.OutputFormatUnknown(picture, ", ".join(SUFFIXES))
    for path in (output, picture):
        if path and path.resolve() == blank.resolve():
            raise errors.OutputIsInput(path)


def _set(settings: Iterable[str]) -> dict[str, str]:
    """Places and what is printed there; raises AnswerUnclear."""
    from brikks_vision.games.learning import SIZE, given_of

    found: dict[str, str] = {}
    for setting in settings:
        place, equals, value = setting.partition("=")
        if not (place.strip() and equals and value.strip()):
            raise errors.AnswerUnclear(setting, "cell 3,4=2, row 5=violet")
        place = " ".join(place.split())
        is_size = given_of({place: value}).size is not None
        found[SIZE if is_size else place] = value.strip()
    return found


def _asked(proposal: Proposal, picture: Path, language: str) -> Proposal | None:
    """The proposal with what a person answers to each doubt; None where it is not right.

    An empty answer takes what is proposed. The picture shows the doubts by number.
    """
    from brikks_vision.show.board import draw_learnt
    from brikks_vision.show.overlay import save_image

    words = texts_in(language).report
    answered: set[str] = set()
    if proposal.remark is not None:
        terminal.complain(None, proposal.remark, language)
    while True:
        save_image(draw_learnt(proposal), picture)
        doubts = enumerate(proposal.doubts, 1)
        asked = next(((at, each) for at, each in doubts if each.where not in answered), None)
        if asked is None:
            break
        number, doubt = asked
        places = {value.where: value for value in proposal.values}
        place = places.get(doubt.where)
        choices = ", ".join(place.choices) if place else ""
        told = place.told.text(language) if place else doubt.where
        facts = {"where": told, "read": doubt.read, "picture": visible(picture)}
        answer = _answer(words["sheet_ask"].format(number=number, choices=choices, **facts))
        try:
            if place is not None:
                proposal = proposal.given({doubt.where: answer or doubt.read})
        except errors.BrikksError as error:
            terminal.complain(None, error, language)
            continue
        answered.add(doubt.where)
    right = _answer(words["sheet_is_right"].format(picture=visible(picture)))
    return proposal.confirmed() if right.lower() in words["sheet_yes"].split() else None


def _answer(question: str) -> str:
    """What a person types; nothing at the end of the input."""
    terminal.note(question)
    try:
        return input().strip()
    except EOFError:
        return ""


def tell_learnt(learnt: Proposal, path: Path, language: str) -> None:
    from brikks_vision.show.board import learnt_text
    from brikks_vision.show.report import print_doubt_text

    words = texts_in(language).report
    terminal.say(learnt_text(learnt, language))
    terminal.say(words["sheet_written"].format(path=visible(path)))
    if learnt.doubts:
        terminal.say(f"\n{words['doubts']}")
    for doubt in learnt.doubts:
        terminal.say(f"  {print_doubt_text(doubt, language)}")


@app.command("add")
def add(
    definition: Annotated[Path, typer.Argument(metavar="SHEET.brikks", help="sheet definition")],
    name: SheetName = None,
    *,
    language: Lang,
) -> None:
    """Keep a definition, so that all commands find it by its name."""
    from brikks_vision.games.printings import add_printing
    from brikks_vision.layout.definition import definition_text

    path = add_printing(definition_text(definition), definition, name)
    terminal.say(texts_in(language).report["sheet_kept"].format(name=path.stem))


@app.command("list")
def list_sheets(db: terminal.Database = None, *, language: Lang) -> None:
    """List the sheets that are known: the program's own, and those kept with learn or add."""
    from brikks_vision.games.printings import kept_files, parse_printing
    from brikks_vision.layout import packaged_names
    from brikks_vision.layout.definition import definition_text
    from brikks_vision.record.database import open_record_to_read
    from brikks_vision.record.results import printing_uses

    words = texts_in(language).report
    known = [each for name in GAMES for each in game_named(name).packaged()]
    rows = [(each.name, each.title, words["sheet_packaged"]) for each in known]
    codes = [errors.ExitCode.CERTAIN]
    with open_record_to_read(db) as record:
        uses = printing_uses(record)
    for file in kept_files():
        if file.stem in packaged_names():
            continue
        title = words["sheet_damaged"]
        try:
            title = parse_printing(definition_text(file), file).title
        except errors.BrikksError as error:
            terminal.complain(None, error, language)
            codes.append(error.exit_code)
        read, corrected = uses.get(file.stem, (0, 0))
        rows.append(
            (file.stem, title, words["sheet_learnt_one"].format(read=read, corrected=corrected))
        )
    widths = [max(len(visible(row[at])) for row in rows) for at in (0, 1)]
    for name, title, source in rows:
        terminal.say(f"  {name:<{widths[0]}}  {visible(title):<{widths[1]}}  {source}")
    raise typer.Exit(max(codes))


@app.command("remove")
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="sheet remove name")],
    *,
    language: Lang,
) -> None:
    """Remove a sheet that was kept; the program's own stay."""
    from brikks_vision.games.printings import remove_printing

    remove_printing(name)
    terminal.say(texts_in(language).report["sheet_removed"].format(name=name))
