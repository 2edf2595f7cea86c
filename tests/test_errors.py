"""The tree of errors at the top of `brikks_vision.errors` is the tree of its classes."""

from __future__ import annotations

import textwrap

from brikks_vision import errors
from brikks_vision.errors import BrikksError


def tree_of(error: type[BrikksError]) -> str:
    below = [tree_of(each) for each in error.__subclasses__()]
    return "\n".join([error.__name__, *(textwrap.indent(branch, "  ") for branch in below)])


def test_the_tree_at_the_top_is_complete() -> None:
    _, _, drawn = (errors.__doc__ or "").partition("The classes::")
    assert textwrap.dedent(drawn).strip() == tree_of(BrikksError)


def test_every_class_of_the_tree_can_be_imported_from_the_package() -> None:
    for name in tree_of(BrikksError).split():
        assert issubclass(getattr(errors, name), BrikksError)


def test_every_class_but_the_bases_has_a_sentence_of_its_own() -> None:
    leaves = [
        error
        for name in tree_of(BrikksError).split()
        if not (error := getattr(errors, name)).__subclasses__()
    ]
    sentences = [vars(error)["sentence"] for error in leaves]
    assert len(set(sentences)) == len(leaves) > 50
