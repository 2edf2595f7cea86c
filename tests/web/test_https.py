"""https in the own network: certificates, the page over a real connection, and how phones trust."""

import os
import ssl
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

import httpx

from brikks_vision.commands.serve import listen, neighbour, welcome
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.web.app import new_service
from brikks_vision.web.guard import access_for
from brikks_vision.web.secure import Secure
from tests.command_line import Run
from tests.processes import started

OWN = frozenset({"localhost", "127.0.0.1", "192.168.1.5"})


@dataclass(frozen=True)
class Served:
    port: int
    folder: Path

    @property
    def plain(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def secure(self) -> str:
        return f"https://127.0.0.1:{neighbour(self.port)}"

    @property
    def trusting(self) -> ssl.SSLContext:
        """What a browser has that trusts the authority."""
        return ssl.create_default_context(cafile=str(self.folder / "https/authority.pem"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    pytest.importorskip("cryptography", reason="the extra https is not installed")
    folder = tmp_path_factory.mktemp("https")
    with listen("127.0.0.1", 0) as probe:
        port = probe.getsockname()[1]
    words = [sys.executable, "-m", "brikks_vision", "serve", "--https", "--port", str(port)]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUNBUFFERED": "1"}
    with (
        (folder / "log").open("w") as log,
        started([*words, "--db", folder / "r.sqlite3"], stdout=log, stderr=log, env=environment),
    ):
        found = Served(port, folder)
        for _ in range(300):
            try:
                httpx.get(f"{found.plain}/trust")
                httpx.get(found.secure, verify=found.trusting)
                break
            except (httpx.TransportError, OSError):
                time.sleep(0.1)
        yield found
    assert "Traceback" not in (folder / "log").read_text()


def test_the_page_over_https(served: Served) -> None:
    answer = httpx.get(served.secure, verify=served.trusting)
    assert answer.status_code == 200
    assert "data-camera" in answer.text
    assert "/trust" in answer.text
    with pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
        httpx.get(served.secure)
    chosen = httpx.get(f"{served.secure}/?lang=de", verify=served.trusting)
    assert "Secure" in chosen.headers["set-cookie"]


def test_http_leads_to_https(served: Served) -> None:
    answer = httpx.get(f"{served.plain}/history?player=Anna")
    assert answer.status_code == 307
    assert answer.headers["location"] == f"{served.secure}/history?player=Anna"
    assert httpx.post(f"{served.plain}/scan", content=b"").status_code == 307


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_a_phone_comes_to_trust(served: Served, language: str) -> None:
    answer = httpx.get(f"{served.plain}/trust?lang={language}")
    assert texts_in(language).page["trust_title"] in answer.text
    assert f":{served.port}/authority.crt" in answer.text
    assert "<svg" in answer.text
    assert f"{served.secure}/" in answer.text


def test_the_certificate_is_given_and_no_key(served: Served) -> None:
    answer = httpx.get(f"{served.plain}/authority.crt")
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    assert answer.content == (served.folder / "https/authority.pem").read_bytes()
    assert b"PRIVATE" not in answer.content


def test_keys_are_for_the_owner_only(served: Served) -> None:
    for name in ("authority-key.pem", "server-key.pem"):
        assert (served.folder / "https" / name).stat().st_mode & 0o077 == 0


def test_without_https_nothing_tells_of_it(tmp_path: Path, reads_here: None) -> None:
    testclient = pytest.importorskip("starlette.testclient")
    service = new_service(tmp_path / "record.sqlite3", access_for("127.0.0.1", None))
    with testclient.TestClient(service, "http://127.0.0.1:8765") as client:
        assert client.get("/trust").status_code == 404
        assert "/trust" not in client.get("/").text


def test_the_terminal_shows_where_phones_begin() -> None:
    secure = Secure(Path("authority.pem"), "192.168.1.5", 8766, 8765)
    shown = welcome("192.168.1.5", 8765, "secret", "en", secure)
    assert "https://192.168.1.5:8766/?key=secret" in shown
    assert "http://192.168.1.5:8765/trust" in shown


def test_without_the_package_the_command_says_what_to_install(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.delitem(sys.modules, "brikks_vision.web.authority", raising=False)
    code, _, told = run("serve", "--https", "--db", tmp_path / "record.sqlite3")
    assert code == 2
    assert "pip install 'brikks-vision[https]'" in told


# --- certificates --------------------------------------------------------------------------------


def test_certificates_are_made_once(tmp_path: Path) -> None:
    authority = pytest.importorskip("brikks_vision.web.authority")
    made = authority.certificates(tmp_path, OWN)
    before = [path.read_bytes() for path in (made.authority, made.chain, made.key)]
    again = authority.certificates(tmp_path, OWN)
    assert [path.read_bytes() for path in (again.authority, again.chain, again.key)] == before


def test_new_addresses_need_a_new_certificate_of_the_same_authority(tmp_path: Path) -> None:
    authority = pytest.importorskip("brikks_vision.web.authority")
    made = authority.certificates(tmp_path, OWN)
    before = made.authority.read_bytes(), made.chain.read_bytes()
    authority.certificates(tmp_path, OWN | {"10.0.0.7"})
    assert made.authority.read_bytes() == before[0]
    assert made.chain.read_bytes() != before[1]


def test_a_certificate_is_renewed_before_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = pytest.importorskip("brikks_vision.web.authority")
    monkeypatch.setattr(authority, "CERTIFICATE_DAYS", 20)
    made = authority.certificates(tmp_path, OWN)
    before = made.chain.read_bytes()
    monkeypatch.undo()
    authority.certificates(tmp_path, OWN)
    assert made.chain.read_bytes() != before


def test_damaged_files_are_made_anew(tmp_path: Path) -> None:
    authority = pytest.importorskip("brikks_vision.web.authority")
    made = authority.certificates(tmp_path, OWN)
    before = made.authority.read_bytes()
    (tmp_path / "authority-key.pem").write_text("no key")
    authority.certificates(tmp_path, OWN)
    assert made.authority.read_bytes() != before


def test_the_authority_signs_for_the_own_network_alone(tmp_path: Path) -> None:
    authority = pytest.importorskip("brikks_vision.web.authority")
    x509 = pytest.importorskip("cryptography.x509")
    made = authority.certificates(tmp_path, OWN | {"8.8.8.8", "example.org"})
    certificate = x509.load_pem_x509_certificate(made.chain.read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(each.value) for each in names} == OWN
    above = x509.load_pem_x509_certificate(made.authority.read_bytes())
    limits = above.extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert "192.168.0.0/16" in {str(each.value) for each in limits.value.permitted_subtrees}
