"""Whatever is sent that the page's own description (OpenAPI) allows, or nearly: no server error."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

import httpx
import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.web.served import served

MAX_EXAMPLES = 8  # an operation
PHOTOS = ("samples/arcade.jpg", "samples/printed.jpg")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, all_read_here: None) -> Iterator[object]:
    """The description of a service that runs, with two results and their game."""
    with served(tmp_path_factory.mktemp("schema")) as port:
        address = f"http://127.0.0.1:{port}"
        for photo in PHOTOS:
            files = {"photo": Path(photo).read_bytes()}
            assert httpx.post(f"{address}/scan", files=files, timeout=60).status_code == 303
        httpx.post(f"{address}/game", data={"results": ["1", "2"]})
        httpx.post(f"{address}/table", data={"names": ["Anna", "Ben"]})
        httpx.post(f"{address}/table/1/bring", data={"result": "1"})
        yield schemathesis.openapi.from_url(f"{address}/openapi.json")


def test_no_server_error(page: schemathesis.BaseSchema) -> None:
    called = 0
    for found in page.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=MAX_EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def call(case: schemathesis.Case) -> None:
            nonlocal called
            called += 1
            if "number" in case.path_parameters and called % 2 and "remove" not in case.path:
                case.path_parameters["number"] = 1  # one that there is
                if "seat" in case.path_parameters:
                    case.path_parameters["seat"] = 1
            answer = case.call(timeout=60)
            assert answer.status_code < 500, f"{case.method} {answer.request.url}: {answer.text}"
            assert answer.headers["content-security-policy"]

        call()
    assert called > 15 * MAX_EXAMPLES / 2
