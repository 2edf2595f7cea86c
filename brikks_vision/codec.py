"""Frozen dataclasses to JSON and back, by the types of their fields.

`plain` writes and `read` reads: tuples are lists, dataclasses objects, bytes base64. What a type
does not say stands in `Annotated`: `Rounded` and `OMITTED` for writing; for reading anything that
is called with a value and raises ValueError, as `Within`, `Length` and `Matching` do. A class whose
JSON is of another form has a method ``to_dict`` and a class method ``from_json``. Fields without
repr are not in JSON.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

JsonObject = dict[str, Any]
"""An object of JSON, of which no class tells what is in it."""

Parse = Callable[[object], Any]
"""Makes a value of one type from JSON; raises ValueError for what is none of it.

The error's argument is the path to what is wrong, such as "grid.rows"; none where it is the whole.
"""

Read = TypeVar("Read")
LISTS = (list, tuple)


@dataclass(frozen=True)
class Rounded:
    """Numbers are written to so many decimal places."""

    digits: int


OMITTED = "omitted"
"""A field that is not written where it is empty."""


@dataclass(frozen=True)
class Within:
    """A number from ``low`` to ``high``, both included; no NaN."""

    low: float
    high: float

    def __call__(self, value: float) -> None:
        if not self.low <= value <= self.high:
            raise ValueError


@dataclass(frozen=True)
class Length:
    """So many entries, names or letters, both limits included; asked before any is looked at."""

    low: int
    high: int

    def __call__(self, value: object) -> None:
        if not isinstance(value, Sized) or not self.low <= len(value) <= self.high:
            raise ValueError


@dataclass(frozen=True)
class Matching:
    """A text that is of a regular expression, as a whole."""

    pattern: str

    def __call__(self, value: str) -> None:
        if not re.fullmatch(self.pattern, value):
            raise ValueError


@dataclass(frozen=True)
class _Field:
    """A field in JSON. is_needed: it cannot be missing. digits: that are written; None: all."""

    name: str
    is_needed: bool
    parse: Parse
    digits: int | None
    is_omitted: bool


@cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for each in fields(kind):
        if each.repr:
            said, is_needed = (
                [*_said(hints[each.name])],
                each.default is each.default_factory is MISSING,
            )
            digits = next((mark.digits for mark in said if isinstance(mark, Rounded)), None)
            parse = parser_of(hints[each.name])
            found.append(_Field(each.name, is_needed, parse, digits, OMITTED in said))
    return tuple(found)


def _said(kind: Any) -> Iterator[object]:
    """What is annotated anywhere in a type."""
    yield from getattr(kind, "__metadata__", ())
    for inner in get_args(kind):
        yield from _said(inner)


def plain(value: Any, digits: int | None = None) -> Any:
    """A value as JSON has it; its numbers to so many decimal places, and never -0.0."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return plain_fields(value)
    if isinstance(value, Mapping):
        return {str(name): plain(each, digits) for name, each in value.items()}
    if isinstance(value, LISTS):
        return [plain(each, digits) for each in value]
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, Enum):
        return value.value
    value = value.item() if hasattr(value, "item") else value  # of NumPy
    return round(value, digits) + 0.0 if digits is not None and type(value) is float else value


def plain_fields(value: Any) -> JsonObject:
    """The fields of a dataclass as JSON has them."""
    kind: Any = type(value)
    return {
        field.name: plain(getattr(value, field.name), field.digits)
        for field in _fields(kind)
        if getattr(value, field.name) or not field.is_omitted
    }


def read(kind: type[Read], data: object) -> Read:
    """A value of a type from JSON.

    Raises ValueError: with the path to what is missing or none of its type.
    """
    wanted: Any = kind
    found: Read = parser_of(wanted)(data)
    return found


def read_fields(kind: Any, data: object) -> dict[str, Any]:
    """The arguments of a dataclass; raises as `read`."""
    if not isinstance(data, Mapping):
        raise ValueError
    found = {}
    for field in _fields(kind):
        if field.name in data:
            found[field.name] = part(field.parse, data[field.name], field.name)
        elif field.is_needed:
            raise ValueError(field.name)
    return found


def part(parse: Parse, value: object, name: str) -> Any:
    """A value that stands under a name."""
    try:
        return parse(value)
    except ValueError as error:
        raise ValueError(".".join((name, *error.args))) from None


@cache
def parser_of(kind: Any) -> Parse:
    """How a value of a type is made; of a protocol none is, as nothing tells its class."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _checked(parser_of(inner[0]), [each for each in inner[1:] if callable(each)])
    if origin in (Union, UnionType):
        parsers = tuple(map(parser_of, inner))
        plain = [each for each in parsers if isinstance(each, _Plain)]
        first = _Plain(*(one for each in plain for one in each.kinds))
        rest = [each for each in parsers if not isinstance(each, _Plain)]
        return _first_of((first, *rest)) if rest else first
    if origin is Literal:
        return _one_of({str(value): value for value in inner})
    if origin is tuple and Ellipsis in inner:
        return _listed(parser_of(inner[0]))
    if origin is tuple:
        return _listed(parser_of(Union[inner]), len(inner))  # noqa: UP007  # of as many as there are
    if origin is not None and issubclass(origin, Mapping):
        return _named(*map(parser_of, inner))
    if hasattr(kind, "from_json"):
        return kind.from_json  # type: ignore[no-any-return]
    if is_dataclass(kind):
        make: Callable[..., Any] = kind  # type: ignore[assignment]
        return lambda data: make(**read_fields(make, data))
    if kind in (object, Any):
        return lambda value: value
    if kind is bytes:
        return _decoded
    if issubclass(kind, Enum):
        return _one_of({each.value: each for each in kind})
    if getattr(kind, "_is_protocol", False):
        return lambda _: None
    return _Plain(int, float) if kind is float else _Plain(kind)


class _Plain:
    """What JSON has itself; a truth value is no number."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = frozenset(kinds)

    def __call__(self, value: object) -> object:
        if type(value) not in self.kinds and (
            isinstance(value, bool) or not isinstance(value, tuple(self.kinds))
        ):
            raise ValueError
        return value


def _checked(parse: Parse, checks: list[Callable[[Any], None]]) -> Parse:
    before = [each for each in checks if isinstance(each, Length)]
    after = [each for each in checks if not isinstance(each, Length)]

    def checked(value: object) -> object:
        for size in before:
            size(value)
        made = parse(value)
        for check in after:
            check(made)
        return made

    return checked if checks else parse


def _first_of(parsers: tuple[Parse, ...]) -> Parse:
    def parse(value: object) -> object:
        for each in parsers[:-1]:
            try:
                return each(value)
            except ValueError:
                continue
        return parsers[-1](value)

    return parse


def _one_of(values: Mapping[str, object]) -> Parse:
    def parse(value: object) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValueError
        return values[value]

    return parse


def _decoded(value: object) -> bytes:
    try:
        return b64decode(value, validate=True)  # type: ignore[arg-type]  # of anything else
    except (ValueError, TypeError):  # ValueError: signs that are not ASCII, too
        raise ValueError from None


def _listed(parse_each: Parse, length: int | None = None) -> Parse:
    """Of so many; None: of any number."""
    plain = parse_each.kinds if isinstance(parse_each, _Plain) else frozenset()

    def parse(value: object) -> tuple[object, ...]:
        if not isinstance(value, LISTS) or (length is not None and len(value) != length):
            raise ValueError
        return tuple(value) if plain.issuperset(map(type, value)) else tuple(map(parse_each, value))

    return parse


def _named(parse_name: Parse, parse_each: Parse) -> Parse:
    def parse(value: object) -> dict[str, object]:
        if not isinstance(value, Mapping):
            raise ValueError
        return {parse_name(name): part(parse_each, item, name) for name, item in value.items()}

    return parse
