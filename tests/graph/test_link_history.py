"""The history of links is written by the database itself, so no writer can leave it out."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, insert, update

from nacre import Conflict, Invalid, NacreError
from nacre.domain.operations import UpdateLink, UpsertLink
from nacre.store.graph import links
from nacre.store.tables import schema
from tests.graph import rows


def history(nacre, scope, link):
    with nacre.parts.database.read(scope.scope) as tx:
        return links.history(tx, link)


def strengths(events):
    return [(each.event, (each.before or {}).get("strength"), (each.after or {}).get("strength")) for each in events]


@pytest.mark.spec("S5")
def test_a_link_has_a_strength_and_says_why_it_is_there(scope):
    link = scope.graph.link("Billing", "depends_on", "Search", strength=0.4, reason="it looks up invoices")

    assert (link.strength, link.reason) == (0.4, "it looks up invoices")
    scope.graph.apply([UpdateLink(link=link.id, strength=0.9)])
    changed = scope.graph.links("Billing")[0]
    assert (changed.strength, changed.reason) == (0.9, "it looks up invoices")


@pytest.mark.spec("S5")
@pytest.mark.parametrize("reason", [None, ""])
def test_related_to_needs_a_reason(scope, reason):
    with pytest.raises(Invalid, match="reason"):
        scope.graph.link("Billing", "Related To", "Search", reason=reason)
    assert scope.graph.search() == []
    assert scope.graph.link("Billing", "related_to", "Search", reason="same team").reason == "same team"


@pytest.mark.spec("S5")
def test_every_change_is_written_down_with_before_and_after(nacre, scope, clock):
    start = clock()
    link = scope.graph.link("Billing", "uses", "Search", strength=0.4, valid_from=start)
    clock.advance(hours=1)
    scope.graph.apply([UpdateLink(link=link.id, strength=0.9)])
    clock.advance(hours=1)
    scope.graph.archive_link(link.id, reason="moved away")

    events = history(nacre, scope, link.id)
    assert strengths(events) == [("insert", None, 0.4), ("update", 0.4, 0.9), ("update", 0.9, 0.9)]
    assert [each.at for each in events] == [start, start + timedelta(hours=1), start + timedelta(hours=2)]
    first, last = events[0].after, events[-1].after
    assert (first["source_entity"], first["target_entity"]) == (link.source, link.target)
    assert (first["predicate"], first["valid_from"], first["status"]) == ("uses", start, "active")
    assert (last["status"], last["archived_by"], last["archive_reason"]) == ("archived", "caller", "moved away")
    assert last["archived_at"] == clock()


@pytest.mark.spec("S5")
def test_an_undo_is_part_of_the_history(nacre, scope, clock):
    link = scope.graph.link("Billing", "uses", "Search", strength=0.4)
    changed = scope.graph.apply([UpdateLink(link=link.id, strength=0.9)])[0]
    undone = clock.advance(hours=1)
    scope.graph.undo(changed.record.id)

    events = history(nacre, scope, link.id)
    assert strengths(events)[-1] == ("update", 0.9, 0.4)
    assert events[-1].at == undone


@pytest.mark.spec("S5")
def test_the_undo_of_an_insert_leaves_what_it_was(nacre, scope):
    made = scope.graph.apply([UpsertLink(source="Billing", predicate="uses", target="Search", strength=0.4)])[0]
    scope.graph.undo(made.record.id)

    assert strengths(history(nacre, scope, made.outcome.link)) == [("insert", None, 0.4), ("delete", 0.4, None)]


@pytest.mark.spec("S5")
def test_what_changes_behind_the_back_of_the_code_is_written_down_too(nacre, scope):
    links = schema.links
    with nacre.parts.database.write(scope.scope) as tx:
        one, other = rows.add_entity(tx, "Billing"), rows.add_entity(tx, "Search")
        key = rows.add_link(tx, one, "uses", other, strength=0.4)
        mine = (links.c.scope_id == tx.scope_id, links.c.id == key)
        tx.execute(update(links).where(*mine).values(strength=0.9))
        tx.execute(delete(links).where(*mine))

    assert strengths(history(nacre, scope, key)) == [
        ("insert", None, 0.4),
        ("update", 0.4, 0.9),
        ("delete", 0.9, None),
    ]


@pytest.mark.spec("S5")
def test_the_history_is_only_ever_added_to(nacre, scope):
    link = scope.graph.link("Billing", "uses", "Search", strength=0.4)
    past = schema.link_history

    with pytest.raises(NacreError, match="only ever added to"), nacre.parts.database.write(scope.scope) as tx:
        tx.execute(update(past).where(past.c.scope_id == tx.scope_id).values(event="insert"))
    before = history(nacre, scope, link.id)
    forged = {"scope_id": scope.scope.id, "link_id": link.id, "seq": 1, "event": "update", "at": link.created_at}
    with pytest.raises(Conflict), nacre.parts.database.write(scope.scope) as tx:
        tx.execute(insert(past).values(forged))
    assert history(nacre, scope, link.id) == before


def test_what_a_transaction_takes_back_has_no_history(nacre, scope):
    dry = scope.graph.apply([UpsertLink(source="Billing", predicate="uses", target="Search")], dry_run=True)[0]

    assert history(nacre, scope, dry.outcome.link) == []


def test_the_history_of_another_tenant_is_out_of_sight(nacre, scope):
    link = scope.graph.link("Billing", "uses", "Search")

    assert history(nacre, nacre.scope(agent="assistant", user="bob"), link.id) == []
    assert len(history(nacre, scope, link.id)) == 1


def test_plain_values_and_other_scripts_are_kept_to_the_letter(nacre, scope):
    link = scope.graph.link("東京", "prefers", value='お茶 "strong"\n\\')

    after = history(nacre, scope, link.id)[0].after
    assert (after["value"], after["target_entity"], after["archived_at"]) == (link.value, None, None)
