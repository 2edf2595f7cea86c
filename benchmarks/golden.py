"""Golden outputs: what every test photo and sample reads as, kept to compare a change of the code.

    python -m benchmarks.golden write golden.json
    python -m benchmarks.golden compare golden.json

A rebuilding that changes no behaviour leaves all of it equal to the letter: the readings in four
languages, and the ink that they follow from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from brikks_vision.decode.ink import ink_json
from brikks_vision.errors import BrikksError, PhotoUnreadable
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.text.languages import LANGUAGES

FOLDERS = (Path("samples"), Path("tests/fixtures"), Path("tests/places"))
SUFFIXES = (".jpg", ".png", ".webp", ".heic")


def outputs(photo: Path, language: str) -> list[dict[str, Any]]:
    """What one photo reads as: one object a sheet, without the time that it took."""
    try:
        sheets = scan_sheets(photo, language=language)
    except PhotoUnreadable as error:
        return [{"error": error.text(language)}]
    return [_output(sheet, language) for sheet in sheets]


def _output(sheet: ScanResult | BrikksError, language: str) -> dict[str, Any]:
    if isinstance(sheet, BrikksError):
        return {"error": sheet.text(language)}
    reading = sheet.reading.to_dict()
    del reading["timing_ms"]
    return {"reading": reading, "ink": ink_json(sheet.ink)}


def all_outputs() -> dict[str, Any]:
    """By photo and language."""
    photos = sorted(
        path for folder in FOLDERS for path in folder.iterdir() if path.suffix in SUFFIXES
    )
    return {
        f"{photo} {language}": outputs(photo, language)
        for photo in photos
        for language in LANGUAGES
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    found = json.loads(json.dumps(all_outputs()))
    if arguments.action == "write":
        arguments.file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(f"{len(found)} outputs written")
        return
    kept = json.loads(arguments.file.read_text())
    changed = sorted(
        name for name in kept.keys() | found.keys() if kept.get(name) != found.get(name)
    )
    for name in changed:
        print(f"differs: {name}")
    print(f"{len(found) - len(changed)} of {len(kept)} outputs are equal")
    raise SystemExit(bool(changed))


if __name__ == "__main__":
    main()
