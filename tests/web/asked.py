"""How tests ask the page, as browsers and programs do."""

from pathlib import Path
from typing import Any

OWN = "http://127.0.0.1:8765"
JSON, PAGE = {"Accept": "application/json"}, {"Accept": "text/html"}


def send(
    client: Any,
    photo: Path,
    address: str = "/scan",
    language: str = "en",
    headers: dict[str, str] = PAGE,
    **fields: object,
) -> Any:
    """The answer to a photo that is sent with these fields."""
    with photo.open("rb") as file:
        return client.post(
            address,
            files={"photo": (photo.name, file)},
            data={name: str(value) for name, value in fields.items()},
            headers={**headers, "Accept-Language": language},
        )
