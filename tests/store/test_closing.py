"""A database that is closed leaves no connection open."""

import os
import sqlite3
import subprocess
import sys

import psycopg
import pytest

from nacre import Invalid, Misconfigured, Nacre, Settings, wiring
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database
from tests import engines
from tests.waits import HANGS


def test_a_connection_in_use_when_the_database_closes_is_closed_when_it_comes_back(database_url, monkeypatch):
    # Closed is closed here: the next test is given no connection of this one.
    monkeypatch.setattr(engines, "RETURNED", {})
    database = Database(database_url)
    with database.read(Scope(agent="a")) as tx:
        held = tx.connection.connection.dbapi_connection
        database.close()

    assert held is not None
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
        held.cursor()


def test_settings_that_are_refused_open_no_database(tmp_path):
    with pytest.raises(Misconfigured, match="needs an endpoint"):
        Nacre(tmp_path / "brain.db", settings=Settings(llm_model="tiny"))

    assert list(tmp_path.iterdir()) == []


def test_a_brain_that_cannot_be_put_together_leaves_no_connection_open(postgres_url, monkeypatch):
    """Or the fixture would fail it: the brain is still there, in the traceback of its error."""

    def broken(*_given):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(wiring, "Traffic", broken)
    with pytest.raises(RuntimeError, match="on purpose"):
        Nacre(postgres_url, settings=Settings(embedder="off", worker="off"))


def test_a_new_file_is_its_owners_alone_and_one_that_is_there_keeps_its_rights(tmp_path):
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    Nacre(old).close()
    old.chmod(0o644)
    for path in (new, old):
        with Nacre(path) as nacre:
            nacre.scope("a").observe("user", "hello")
            rights = {each.suffix: each.stat().st_mode & 0o777 for each in tmp_path.glob(f"{path.name}*")}
        assert set(rights.values()) == {0o600 if path is new else 0o644}, rights


def test_a_new_file_behind_a_link_is_its_owners_alone(tmp_path):
    """SQLite follows a link, and would make the file with the rights that everybody's files have."""
    link, file = tmp_path / "link.db", tmp_path / "file.db"
    link.symlink_to(file.name)
    with Nacre(link) as nacre:
        nacre.scope("a").observe("user", "hello")
        rights = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.glob("*.db*")}

    assert file.name in rights
    assert set(rights.values()) == {0o600}, rights


def test_a_program_that_ends_without_closing_ends_as_it_should(tmp_path):
    """A thread inside a model when the interpreter goes would take the program down with it."""
    program = (
        "from nacre import Nacre\n"
        f"scope = Nacre({str(tmp_path / 'brain.db')!r}).scope('a', user='ana')\n"
        "for number in range(20): scope.observe('user', f'My sister Ana works at Acme {number}.')\n"
        "raise LookupError('nobody closes it')"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NACRE_EXTRACTION"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert (done.returncode, done.stderr.strip().splitlines()[-1]) == (1, "LookupError: nobody closes it")


@pytest.mark.parametrize("address", [5, b"brain.db", ["brain.db"]])
def test_an_address_is_text_or_a_path(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Invalid, match="text or a path"):
        Nacre(address)
    assert not list(tmp_path.iterdir())
