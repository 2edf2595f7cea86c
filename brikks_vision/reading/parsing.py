"""Dataclasses from JSON, by the types of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Parse = Callable[[object], Any]
"""Makes a value of one type from JSON; raises ValueError for what is none of it."""

LISTS = (list, tuple)


@cache
def parser_of(kind: Any) -> Parse:
    """How a value of a type is made: of lists tuples, of objects dataclasses.

    Of a protocol nothing is made: which class it was is not told.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        parsers = tuple(map(parser_of, inner))
        plain = [each for each in parsers if isinstance(each, _Plain)]
        rest = [each for each in parsers if not isinstance(each, _Plain)]
        first = _Plain(*(one for each in plain for one in each.kinds))
        return _first_of((first, *rest)) if rest else first
    if origin is Literal:
        return _one_of({str(value): value for value in inner})
    if origin is tuple and Ellipsis in inner:
        return _listed(parser_of(inner[0]))
    if origin is tuple:
        return _listed(parser_of(Union[inner]), len(inner))  # noqa: UP007  # of as many as there are
    if origin is not None and issubclass(origin, Mapping):
        return _named(parser_of(inner[1]))
    if is_dataclass(kind):
        make: Callable[..., Any] = kind  # type: ignore[assignment]
        return lambda data: make(**parsed_fields(make, data))
    if issubclass(kind, Enum):
        return partial(kind)
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


@cache
def _fields(kind: Any) -> tuple[tuple[str, bool, Parse], ...]:
    """The fields that JSON tells, whether each must be there, and how it is made."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, each.default is each.default_factory is MISSING, parser_of(hints[each.name]))
        for each in fields(kind)
        if each.repr
    )


def parsed_fields(kind: Callable[..., Any], data: object) -> dict[str, Any]:
    """The arguments of a dataclass; fields without repr are left out.

    Raises ValueError with the name of a field that is missing or of another type.
    """
    if not isinstance(data, Mapping):
        raise ValueError
    found = {}
    for name, is_needed, parse in _fields(kind):
        try:
            if is_needed or name in data:
                found[name] = parse(data[name])
        except (KeyError, ValueError):
            raise ValueError(name) from None
    return found


def _first_of(parsers: tuple[Parse, ...]) -> Parse:
    def parse(value: object) -> object:
        for each in parsers:
            try:
                return each(value)
            except ValueError:
                continue
        raise ValueError

    return parse


def _one_of(values: Mapping[str, object]) -> Parse:
    def parse(value: object) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValueError
        return values[value]

    return parse


def _listed(parse_each: Parse, length: int | None = None) -> Parse:
    """Of so many; None: of any number."""
    plain = parse_each.kinds if isinstance(parse_each, _Plain) else frozenset()

    def parse(value: object) -> tuple[object, ...]:
        if not isinstance(value, LISTS) or (length is not None and len(value) != length):
            raise ValueError
        return tuple(value) if plain.issuperset(map(type, value)) else tuple(map(parse_each, value))

    return parse


def _named(parse_each: Parse) -> Parse:
    def parse(value: object) -> dict[str, object]:
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise ValueError
        return {name: parse_each(item) for name, item in value.items()}

    return parse
