"""The command as tests run it."""

from collections.abc import Callable

import pytest

from brikks_vision.commands.app import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run brikks-scan; exit code, stdout, stderr."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")

    def run_with(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return int(end.value.code or 0), captured.out, captured.err

    return run_with
