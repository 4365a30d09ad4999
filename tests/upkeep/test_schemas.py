"""The doctor and the schema: a database of an earlier or a later version, or none at all."""

import pytest

from nacre import Misconfigured, Nacre, Settings
from nacre.brain import health
from nacre.domain.doctor_reports import Severity
from nacre.store.base import migrating
from tests.upkeep.planting import plant, upgraded, wrong

OK, BROKEN = Severity.OK, Severity.BROKEN


@pytest.mark.spec("S20")
def test_an_unapplied_migration_is_seen_before_anything_is_opened(empty_database_url):
    upgraded(empty_database_url, "0003")

    found = health.schema(empty_database_url)

    assert (found.verdict, found.safe) == (BROKEN, True)
    assert "0003" in found.message
    assert migrating.revision_at(empty_database_url) == "0003"
    done = health.migrate(empty_database_url)
    assert (done.before, done.after) == ("0003", migrating.HEAD)
    assert health.schema(empty_database_url).verdict is OK
    with Nacre(empty_database_url, settings=Settings(worker="off")) as opened:
        assert wrong(opened.doctor()) == {}


def test_a_schema_of_a_newer_version_is_told_and_left_alone(database_url):
    plant(database_url, "UPDATE alembic_version SET version_num = '9999'")

    found = health.schema(database_url)

    assert (found.verdict, found.safe) == (BROKEN, False)
    assert "Upgrade Nacre" in found.message


def test_where_there_is_no_database_none_is_made(tmp_path):
    with pytest.raises(Misconfigured, match="no database"):
        health.schema(tmp_path / "nothing.db")

    assert list(tmp_path.iterdir()) == []
