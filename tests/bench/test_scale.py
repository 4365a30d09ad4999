"""A few tenants, each a copy of a template: what is copied is as good as what was written."""

import pytest

from bench import scale, tenants
from bench.progress import Silent
from nacre import Nacre, Settings
from tests import postgres


@pytest.fixture
def address(postgres_server, postgres_pattern, monkeypatch):
    """An empty database, and small templates."""
    monkeypatch.setattr(tenants, "TEMPLATES", 2)
    monkeypatch.setattr(tenants, "TURNS", 6)
    with postgres.database(postgres_server, postgres_pattern) as url:
        yield url.replace("+psycopg", "")


def test_every_size_is_filled_and_measured(address):
    figures = scale.measure([5, 9], address, Silent(), sample=2, seconds=1)

    assert [figures[size]["filled"] for size in ("5", "9")] == [3, 4]
    assert figures["9"]["turns"] > figures["5"]["turns"] >= 5 * 6
    assert all(of["together"]["errors"] == 0 for of in figures.values())
    shown = scale.tables({"sizes": figures, "options": {"sample": 2, "seconds": 1}})
    assert {len(row) for row in shown[0].rows} == {4}


def test_a_copied_tenant_is_sound_and_its_own(address):
    settings = Settings(worker="off")
    with Nacre(address, settings=settings) as nacre:
        for number in range(tenants.TEMPLATES):
            tenants.write_template(nacre, number)
        list(tenants.fill(address, range(2, 6)))

        template, copy = (tenants.scope_of(nacre, number) for number in (0, 4))
        mine, theirs = (
            {record.id for record in scope.graph.history()} | {hit.id for hit in scope.recall("What is new?").hits}
            for scope in (template, copy)
        )
        assert len(mine) == len(theirs)
        assert not mine & theirs
        assert [each.name for each in copy.graph.search("a")] == [each.name for each in template.graph.search("a")]
        copy.undo(copy.graph.history()[0].id)
        assert all(finding.count == 0 for finding in nacre.check().findings)
