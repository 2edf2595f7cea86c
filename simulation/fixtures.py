"""The photos of ``tests/fixtures`` and ``samples``, from fixed seeds, with their truth beside them.

``python -m simulation.fixtures FOLDER`` writes ``FOLDER/tests/fixtures`` and ``FOLDER/samples``;
with ``--only NAME ...`` just these photos. All hands belong to writers that are never trained on
(strokes of the simulator's own making where the shared handwriting is missing). A game's photos,
and what their truth files say, are listed in its own ``fixtures.py``.
"""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path

GAMES = ("brikks", "bloxx")


def write_photos(folder: Path, only: frozenset[str]) -> None:
    """Write the photos whose file names are in ``only``, or all where it is empty."""
    for game in GAMES:
        for path, take in import_module(f"simulation.{game}.fixtures").fixtures().items():
            target = folder / path
            if only and target.name not in only:
                continue
            data, truth = take()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if truth is not None:
                text = json.dumps(truth, ensure_ascii=False, indent=1) + "\n"
                target.with_name(f"{target.name}.json").write_text(text, encoding="utf-8")
            print(f"{target.name}  {len(data) // 1000} kB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the repository's root, or any other folder")
    parser.add_argument("--only", nargs="+", default=[], metavar="FILE")
    options = parser.parse_args()
    write_photos(options.folder, frozenset(options.only))


if __name__ == "__main__":
    main()
