"""Sheet definitions: what is written reads back, and what cannot be right is refused."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision import errors
from brikks_vision.games.printings import open_printing, parse_printing
from brikks_vision.layout import Layout, load_layout
from brikks_vision.layout.definition import MAX_DEFINITION_BYTES, is_sheet_name

Change = Callable[[dict[str, Any]], None]


def definition(name: str = "bloxx") -> dict[str, Any]:
    data: dict[str, Any] = json.loads(load_layout(name).to_json())
    return data


def read(data: object) -> Layout:
    return parse_printing(json.dumps(data), "file")


@pytest.mark.parametrize("name", ["brikks", "brikks-light", "bloxx"])
def test_a_layout_reads_back_as_it_was_written(name: str) -> None:
    layout = load_layout(name)
    again = parse_printing(layout.to_json(), "file")
    assert asdict(again) == asdict(layout)


def test_what_the_print_means_stands_under_its_own_names() -> None:
    data = definition()
    assert {"row": 1, "color": "orange"} in data["colored_rows"]
    assert {"row": 0, "column": 1, "value": 4} in data["numbers"]
    assert read(data).printed["numbers"] == data["numbers"]


def _set(*path: str | int, to: object) -> Change:
    def change(data: Any) -> None:
        *way, last = path
        for step in way:
            data = data[step]
        data[last] = to

    return change


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (_set("name", to="../../evil"), "name"),
        (_set("title", to="B" * 10_000), "title"),
        (_set("like", to="brikks"), "like"),
        (_set("page", to={"x": [0, float("nan")], "y": [0, 1]}), "page.x"),
        (_set("page", to={"x": [3, 1], "y": [0, 1]}), "page.x"),
        (_set("reading_area", "y", to=[0, 1e300]), "reading_area.y"),
        (_set("grid", "rows", to=1_000_000), "grid.rows"),
        (_set("grid", "rows", to=True), "grid.rows"),
        (_set("grid", "line_width", to="wide"), "grid.line_width"),
        (_set("fields", "cell", "prints", to=["01"]), "fields.cell.prints"),
        (_set("fields", "cell", "marks", to=["kiss"]), "fields.cell.marks"),
        (_set("fields", "bonus", "centres", to=[["one", 2]]), "fields.bonus.centres"),
        (_set("fields", "bonus", "centres", to=[[0, 0]] * 1_000_000), "fields.bonus.centres"),
        (_set("fields", "bonus", "size", to=[0, 1]), "fields.bonus.size"),
        (_set("fields", "bonus", "prints", to=[9] * 8), "fields.bonus.prints"),
        (_set("fields", to={str(at): {} for at in range(1_000_000)}), "fields"),
        (_set("figures", to=[]), "figures"),
        (_set("colors", "orange", to="orange"), "colors.orange"),
        (_set("markers", "dictionary", to="__class__"), "markers.dictionary"),
        (_set("markers", "centres", to=[[0, 0]]), "markers.centres"),
        (_set("blank", to={"pixels_per_cell": 10**9, "picture": ""}), "blank.pixels_per_cell"),
        (_set("blank", to={"pixels_per_cell": 24, "picture": "!"}), "blank.picture"),
        (_set("blank", to={"pixels_per_cell": 24, "picture": "ä"}), "blank.picture"),
    ],
)
def test_what_cannot_be_right_is_named(change: Change, where: str) -> None:
    data = definition()
    change(data)
    with pytest.raises(errors.DefinitionDamaged) as refused:
        read(data)
    assert refused.value.facts["where"] == where
    assert refused.value.exit_code is errors.ExitCode.WRONG_USE


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "\x00", "[" * 100_000, '{"version": 1'])
def test_what_is_no_object_is_no_definition(text: str) -> None:
    with pytest.raises(errors.DefinitionDamaged):
        parse_printing(text, "file")


@pytest.mark.parametrize("version", [0, 2, "1", None, True, 10**30, [1]])
def test_another_version_is_refused(version: object) -> None:
    data = definition() | {"version": version}
    with pytest.raises(errors.DefinitionVersion):
        read(data)


def test_a_file_is_read_only_if_it_can_be_a_definition(tmp_path: Path) -> None:
    with pytest.raises(errors.DefinitionMissing):
        open_printing(tmp_path / "none.json")
    with pytest.raises(errors.DefinitionMissing):
        open_printing(tmp_path)
    with pytest.raises(errors.DefinitionMissing):
        open_printing(Path("a\0b"))
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(MAX_DEFINITION_BYTES + 1)
    with pytest.raises(errors.DefinitionDamaged):
        open_printing(huge)
    binary = tmp_path / "photo.json"
    binary.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(errors.DefinitionDamaged):
        open_printing(binary)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(sorted(definition())), JSON)
def test_any_value_anywhere_is_read_or_refused(key: str, value: object) -> None:
    try:
        read(definition() | {key: value})
    except errors.BrikksError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("name", "fits"),
    [("noris", True), ("my-2_b", True), ("", False), ("A", False), ("a/b", False), ("..", False),
     ("a" * 65, False), ("-a", False)],
)  # fmt: skip
def test_names_of_sheets_are_names_of_files_everywhere(name: str, fits: bool) -> None:
    assert is_sheet_name(name) is fits
