"""Marks that a hand draws on a sheet."""

from __future__ import annotations

from simulation.marks import block_edges


def test_a_blocks_rim_encloses_it() -> None:
    square = [(4, 4), (4, 5), (5, 4), (5, 5)]
    edges = block_edges(square)
    assert len(edges) == 8
    assert ("v", 4, 4) in edges and ("v", 4, 5) not in edges
