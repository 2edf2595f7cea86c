"""The house: imports go down only, and a game is named in its own rooms only.

The exceptions are those of today. A test fails when one is no longer needed, so the lists shrink.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

NAME = "brikks_vision"
PACKAGE = Path(__file__).parents[1] / NAME

# From the bottom up. A module may import from its own room and from the layers below. The public
# door of the package (`__init__`) stands above the pipeline.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("codec", "text"),
    ("errors",),
    ("files", "layout"),
    ("detect", "printing", "reading", "rules"),
    ("infer",),
    ("games",),
    ("learn", "pipeline", "record"),
    ("__init__", "show"),
    ("intake",),
    ("web",),
    ("commands",),
    ("__main__",),
)

LEVELS = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

# Lower layers that a room must not import from all the same.
APART: tuple[tuple[str, str], ...] = (("detect", "rules"),)

# Third-party modules that a room must do without: the rules alone need no image library.
WITHOUT: dict[str, tuple[str, ...]] = {
    "text": ("cv2", "numpy"),
    "rules": ("cv2", "numpy"),
}

# What only one module knows, so that it can be replaced there.
KNOWN_TO_ONE = {"onnxruntime": "detect/networks.py"}

# Names of the program itself, which contain the name of its first game.
PROGRAM = re.compile(
    r"brikks(?:[_-]vision|-scan|-serve|_language|_key)|(?:\bSHEET|[\"`(])\.brikks\b", re.IGNORECASE
)

# Why: modules that name a game outside the game's rooms.
NAMING: dict[str, tuple[str, ...]] = {
    "a turn is one of the first game's": ("show/comparison.py",),
}
ALLOWED_NAMING = {module for of_reason in NAMING.values() for module in of_reason}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Full names of what a module imports anywhere, for type checking too, and lazily by name."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{relative(path)}: write imports in full"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(re.findall(rf"\A{NAME}(?:\.\w+)+\Z", node.value))
    return frozenset(found)


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms of the package that a module imports from; its own is left out."""
    for name in imports_of(path):
        package, _, rest = name.partition(".")
        if package == NAME:
            room = rest.split(".")[0]
            room = room if room in LEVELS else "__init__"
            if room != room_of(path):
                yield room


def upward_imports() -> set[tuple[str, str]]:
    return {
        (relative(path), room)
        for path in modules()
        for room in imported_rooms(path)
        if LEVELS[room] >= LEVELS[room_of(path)]
    }


def test_every_room_has_a_layer() -> None:
    rooms = {room_of(path) for path in modules()}
    assert rooms == set(LEVELS)


def test_no_layer_is_more_than_imports_need() -> None:
    """Rooms share a layer where neither leads to the other, each as low as it can be."""
    for level, rooms in enumerate(LAYERS[1:]):
        for room in rooms:
            below = {
                other
                for path in modules()
                if room_of(path) == room
                for other in imported_rooms(path)
            }
            assert below & set(LAYERS[level]), room


def test_imports_go_down_only() -> None:
    assert sorted(upward_imports()) == []


@pytest.mark.parametrize("room, other", APART)
def test_rooms_that_know_nothing_of_each_other(room: str, other: str) -> None:
    of_room = [path for path in modules() if room_of(path) == room]
    assert of_room
    assert [relative(path) for path in of_room if other in imported_rooms(path)] == []


@pytest.mark.parametrize("room", WITHOUT)
def test_rooms_that_need_no_image_library(room: str) -> None:
    of_room = [path for path in modules() if room_of(path) == room]
    assert of_room
    for path in of_room:
        roots = {name.split(".")[0] for name in imports_of(path)}
        assert roots.isdisjoint(WITHOUT[room]), relative(path)


@pytest.mark.parametrize("library", KNOWN_TO_ONE)
def test_a_library_that_one_module_knows(library: str) -> None:
    using = [path for path in modules() if library in {i.split(".")[0] for i in imports_of(path)}]
    assert [relative(path) for path in using] == [KNOWN_TO_ONE[library]]


# --- language only at the edge --------------------------------------------------------------------

SPEECHLESS = (
    "detect",
    "errors",
    "games",
    "infer",
    "rules",
    "record",
    "printing",
    "reading",
)
"""Rooms in which what people are told is a key and facts (`text.phrases.Phrase`), never words."""


@pytest.mark.parametrize("room", SPEECHLESS)
def test_a_room_knows_no_language(room: str) -> None:
    of_room = [path for path in modules() if room_of(path) == room]
    assert of_room
    for path in of_room:
        for node in ast.walk(tree_of(path)):
            names = {getattr(node, each, None) for each in ("id", "arg", "attr", "name")}
            assert "language" not in names, f"{relative(path)}:{getattr(node, 'lineno', '')}"


# --- names of games -------------------------------------------------------------------------------


def games() -> frozenset[str]:
    """A game is what has a package of its own among the rules."""
    return frozenset(path.parent.name for path in PACKAGE.glob("rules/*/__init__.py"))


def names_a_game(text: str) -> bool:
    names = "|".join(sorted(games()))
    return bool(re.search(rf"(?<![a-z])(?:{names})(?![a-z])", PROGRAM.sub("", text), re.IGNORECASE))


def is_of_a_game(path: Path) -> bool:
    """Whether it is in a room of a game, or the one table of games."""
    rooms = [Path(room, game) for room in ("rules", "games") for game in games()]
    inside = path.relative_to(PACKAGE)
    return any(inside.is_relative_to(room) for room in rooms) or (
        relative(path) == "games/__init__.py"
    )


def modules_that_name_a_game() -> set[str]:
    return {
        relative(path)
        for path in modules()
        if not is_of_a_game(path) and names_a_game(path.read_text("utf-8"))
    }


def test_the_games_have_rooms() -> None:
    assert {"brikks", "bloxx", "blox"} <= games()


@pytest.mark.parametrize(
    "text, named",
    [
        ("from brikks_vision.rules.brikks.sheet import Sheet", True),
        ('load_layout("brikks")', True),
        ("# as in BLOXX!", True),
        ("f'brikks.{key}'", True),
        ("from brikks_vision.layout import Layout", False),
        ("class BrikksError(Exception):", False),
        ('prog="brikks-scan"', False),
        ('PACKED = ".brikks"', False),
    ],
)
def test_a_name_of_the_program_is_none_of_a_game(text: str, named: bool) -> None:
    assert names_a_game(text) is named


def test_a_game_is_named_in_its_own_rooms_only() -> None:
    assert sorted(modules_that_name_a_game() - ALLOWED_NAMING) == []


def test_no_exception_for_a_name_outlives_its_need() -> None:
    assert sorted(ALLOWED_NAMING - modules_that_name_a_game()) == []


# --- no branch on sheet or board -----------------------------------------------------------------

# Words that ask what a game is instead of what it has; the tables that they stood in are gone.
PREDICATES = re.compile(
    r"\b(?:BOARDS|LEARNABLE|FIRST_GAME|is_board|means_board|board_game\w*|board_sought|BoardGame)\b"
    r"|\.trained\b|isinstance\([^()]*\b(?:ReadBoard|BoardView|Learnt)\b"
)

# Why: modules that ask it outside the games and the finders.
ASKING: dict[str, tuple[str, ...]] = {
    "what is drawn hangs on what a view holds": ("show/board.py",),
}
ALLOWED_ASKING = {module for of_reason in ASKING.values() for module in of_reason}


def modules_that_ask() -> set[str]:
    return {
        relative(path)
        for path in modules()
        if room_of(path) != "games"
        and relative(path) != "pipeline/finders.py"
        and PREDICATES.search(path.read_text("utf-8"))
    }


def test_nothing_asks_whether_a_game_is_one_of_sheets_or_boards() -> None:
    assert sorted(modules_that_ask() - ALLOWED_ASKING) == []


def test_no_exception_for_a_question_outlives_its_need() -> None:
    assert sorted(ALLOWED_ASKING - modules_that_ask()) == []


def test_games_are_listed_in_one_table() -> None:
    from brikks_vision.games import GAMES

    assert set(GAMES) == games()


def test_detection_names_no_field_of_a_sheet() -> None:
    """What is printed is data: only the fields of every grid have names in code (`layout`)."""
    fields = set[str]()
    for file in (PACKAGE / "layouts").glob("*.json"):
        data = json.loads(file.read_text("utf-8"))
        fields |= {*data.get("fields", {}), *data.get("figures", {})}
    assert len(fields) > 5
    for path in modules():
        if room_of(path) == "detect":
            strings = {
                node.value
                for node in ast.walk(tree_of(path))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert strings.isdisjoint(fields), relative(path)


# --- how large the house is ----------------------------------------------------------------------

# Lines and files of Python by room, and what is counted in all rooms together. The numbers only
# shrink: who needs more room makes it elsewhere. `python tests/test_layers.py` prints today's.
ROOMS: dict[str, tuple[int, int]] = {
    "__init__": (59, 1),
    "__main__": (6, 1),
    "codec": (284, 1),
    "commands": (3576, 15),
    "detect": (8359, 27),
    "errors": (235, 1),
    "files": (68, 1),
    "games": (12583, 50),
    "infer": (5317, 19),
    "intake": (2604, 11),
    "layout": (748, 2),
    "learn": (175, 1),
    "pipeline": (1629, 6),
    "printing": (329, 3),
    "reading": (469, 2),
    "record": (2816, 11),
    "rules": (6316, 29),
    "show": (3137, 12),
    "text": (436, 3),
    "web": (4980, 20),
}
WHOLE: dict[str, int] = {
    "lines": 54126,
    "files": 216,
    "lines of imports": 3596,
    "named numbers": 844,
    "lines with Any": 250,
    "networks": 17,
}


def sizes() -> dict[str, tuple[int, int]]:
    """By room, how many lines and files it has."""
    lines: dict[str, list[int]] = {}
    for path in modules():
        lines.setdefault(room_of(path), []).append(len(path.read_text("utf-8").splitlines()))
    return {room: (sum(of_files), len(of_files)) for room, of_files in sorted(lines.items())}


def counts() -> dict[str, int]:
    """What is counted in the whole package."""
    texts = [path.read_text("utf-8") for path in modules()]
    trees = [tree_of(path) for path in modules()]
    imports = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return {
        "lines": sum(lines for lines, _ in sizes().values()),
        "files": len(texts),
        "lines of imports": sum((node.end_lineno or 0) - node.lineno + 1 for node in imports),
        "named numbers": sum(map(named_numbers, trees)),
        "lines with Any": sum(len(re.findall(r"^.*\bAny\b", text, re.MULTILINE)) for text in texts),
        "networks": len(list(PACKAGE.rglob("*.onnx"))),
    }


def named_numbers(tree: ast.Module) -> int:
    """How many numbers have a name at the top of a module: ``NAME = 3``, ``A, B = 0.5, 2``."""
    found = 0
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            values = node.value.elts if several else [node.value]  # type: ignore[attr-defined]
            if len(names) == len(values):
                found += sum(map(is_number, values))
    return found


def is_number(node: ast.expr) -> bool:
    """Whether an expression is of numbers alone."""
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def grown() -> list[str]:
    """A sentence for each room and count that is larger than its budget."""
    told = []
    for room, (lines, files) in sizes().items():
        most_lines, most_files = ROOMS.get(room, (0, 0))
        for what, now, most in (("lines", lines, most_lines), ("files", files, most_files)):
            if now > most:
                told.append(f"The room {room} has grown by {now - most} {what}, to {now}.")
    for what, now in counts().items():
        if now > WHOLE[what]:
            told.append(f"The package has grown by {now - WHOLE[what]} {what}, to {now}.")
    return told


def test_nothing_grows() -> None:
    assert not grown(), " ".join(grown())


def test_no_budget_outlives_its_room() -> None:
    assert set(ROOMS) == set(sizes())


@pytest.mark.parametrize(
    "code, numbers",
    [
        ("MOST = 3", 1),
        ("_LEAST: float = -0.5", 1),
        ("SIDE = 8 / 3", 1),
        ("LOW, HIGH = 0.5, 2", 2),
        ("RANGE = (1, 2)", 0),
        ("NAME = 'x'", 0),
        ("SURE = True", 0),
        ("def f():\n    most = 3", 0),
    ],
)
def test_a_number_with_a_name_is_counted(code: str, numbers: int) -> None:
    assert named_numbers(ast.parse(code)) == numbers


def test_what_grows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, files = sizes()["rules"]
    monkeypatch.setitem(ROOMS, "rules", (lines - 7, files))
    monkeypatch.setitem(WHOLE, "networks", counts()["networks"] - 1)
    assert f"The room rules has grown by 7 lines, to {lines}." in grown()
    assert any(each.startswith("The package has grown by 1 networks") for each in grown())


if __name__ == "__main__":
    for room, (lines, files) in sizes().items():
        print(f'    "{room}": ({lines}, {files}),')
    for what, number in counts().items():
        print(f'    "{what}": {number},')
