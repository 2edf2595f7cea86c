"""How tests ask the page, as browsers and programs do."""

from pathlib import Path
from typing import Any

OWN = "http://127.0.0.1:8765"
JSON, PAGE = {"Accept": "application/json"}, {"Accept": "text/html"}


def client_of(record: Path, key: str | None = None, **how: Any) -> Any:
    """What asks a service of this record; key: of one that the whole network can reach."""
    from starlette.testclient import TestClient  # without the extra web there is none

    from brikks_vision.web.app import new_service
    from brikks_vision.web.guard import access_for

    host, own = ("127.0.0.1", OWN) if key is None else ("0.0.0.0", "http://192.168.1.5:8765")
    service = new_service(record, access_for(host, key), processes=1)
    return TestClient(service, own, **{"follow_redirects": False, **how})


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
