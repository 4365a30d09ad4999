"""Rows that are written together are what they would be one at a time."""

from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import JSON, null, select

from nacre.domain.scopes import Scope
from nacre.store.base import bulk_inserts, scopes
from nacre.store.base.databases import Database
from nacre.store.tables.schema import sources, working

AT = datetime(2026, 5, 1, 9, 30, 15, 123456, tzinfo=UTC)


def test_every_kind_of_value_comes_back_as_it_was(database_url):
    odd = "tab\there, line\nthere, \\N and \\. and 'quotes' and ümlaut 日本 🎉"
    said = [
        {"id": UUID(int=number), "kind": "note", "text": odd, "ref": ref, "at": AT, "created_at": AT, "flags": flags}
        for number, (ref, flags) in enumerate([(None, null()), ("", ["a", odd]), ("\\N", JSON.NULL)])
    ]
    kept = {"namespace": "n", "value": odd, "category": None, "stored_at": AT, "expires_at": AT}
    database = Database(database_url)
    with database.write(Scope(agent="a")) as tx:
        scopes.ensure(tx)
        bulk_inserts.write(tx, sources, [{"scope_id": tx.scope_id, **row} for row in said])
        bulk_inserts.write(tx, working, [{"scope_id": tx.scope_id, "key": "n/k", "tags": {"a": [1, None]}, **kept}])
        found = tx.execute(select(sources).where(sources.c.scope_id == tx.scope_id).order_by(sources.c.id)).all()
        entry = tx.execute(select(working).where(working.c.scope_id == tx.scope_id)).one()
    database.close()

    assert [(row.text, row.ref, row.at) for row in found] == [(odd, ref, AT) for ref in (None, "", "\\N")]
    assert [row.flags for row in found] == [None, ["a", odd], None]
    assert (entry.value, entry.tags) == (odd, {"a": [1, None]})
