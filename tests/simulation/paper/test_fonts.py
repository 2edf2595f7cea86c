"""Letters that do not depend on the machine more than they must."""

from __future__ import annotations

import numpy as np
import pytest

from simulation.paper import fonts


def test_fonts_do_not_change_what_else_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fonts, without = np.random.default_rng(1), np.random.default_rng(1)
    fonts.random_font(with_fonts)
    monkeypatch.setattr(fonts, "font_files", lambda: ())
    fonts.random_font(without)
    assert with_fonts.random() == without.random()
