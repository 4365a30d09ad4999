"""Liveness and readiness, as those who watch over a process ask for them."""

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from nacre import Nacre, Settings, __version__
from nacre.http import health
from nacre.http.app import create_app
from nacre.store.base import migrating

READY, LIVE = "/health/ready", "/health/live"


def test_a_server_whose_database_is_current_is_ready_on_both_databases(everywhere):
    assert everywhere.get(LIVE).json() == {"status": "live", "version": __version__}
    ready = everywhere.get(READY)
    assert (ready.status_code, ready.json()["schema_revision"]) == (200, migrating.HEAD)


def test_nobody_needs_a_token_to_ask(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(auth="team", worker="off", embedder="off")) as nacre:
        client = TestClient(create_app(nacre), client=("10.0.0.9", 1))
        assert [client.get(path).status_code for path in (LIVE, READY)] == [200, 200]


def test_a_server_that_is_told_to_stop_lives_but_is_not_ready(brain):
    app = create_app(brain)
    client = TestClient(app, base_url="http://127.0.0.1")
    app.state.stopping.set()

    refused = client.get(READY)

    assert (refused.status_code, refused.json()["error"]["message"]) == (503, "The server is stopping.")
    assert refused.headers["retry-after"]
    assert client.get(LIVE).status_code == 200


def test_a_database_that_is_behind_or_ahead_is_not_ready(client, brain):
    with brain.parts.database.write_all() as tx:
        tx.connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))

    refused = client.get(READY)

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "unavailable")
    assert refused.json()["error"]["message"] == (
        f"The database is at schema `0001`; this version has `{migrating.HEAD}`."
    )


def test_a_database_that_is_gone_is_not_ready_and_its_address_is_told_nobody(client, brain):
    brain.close()

    refused = client.get(READY)

    assert (refused.status_code, refused.json()["error"]["message"]) == (503, "The database is closed.")
    assert client.get(LIVE).status_code == 200


def test_readiness_does_not_wait_for_a_database_that_hangs(client, brain, monkeypatch):
    """Every connection there is belongs to somebody else."""
    monkeypatch.setattr(health, "SECONDS", 0.05)
    held = [brain.parts.database.read_all() for _ in range(32)]
    for each in held:
        each.__enter__()
    try:
        refused = client.get(READY)
    finally:
        for each in held:
            each.__exit__(None, None, None)

    assert (refused.status_code, "within 0.05 s" in refused.json()["error"]["message"]) == (503, True)
    assert client.get(LIVE).status_code == 200


@pytest.mark.parametrize("path", [LIVE, READY])
def test_health_tells_nothing_of_anybody(client, brain, path):
    brain.scope("secret agent", "ana").observe("user", "sesame")

    told = client.get(path).text

    assert "secret" not in told
    assert "sesame" not in told
