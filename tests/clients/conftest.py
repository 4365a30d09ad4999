"""A home of the test's own, in which nothing is installed yet."""

from pathlib import Path

import pytest

MOVED = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCLAW_STATE_DIR", "HERMES_HOME", "NACRE_CONFIG")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; no variable of this machine points elsewhere."""
    for name in (*MOVED, "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "NACRE_DATABASE", "NACRE_AGENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NACRE_EMBEDDER", "off")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Nothing here depends on the database."""
    return sqlite_url
