"""Forgetting: out of force with history, or purged without a trace."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from nacre import Conflict, Invalid, Nacre, NotFound, Settings, Status
from nacre.domain.forgetting import ForgetReport
from nacre.store.base import dialects
from nacre.store.tables.schema import metadata
from nacre.work import scrubbing
from tests.waits import eventually


@pytest.mark.spec("M10")
def test_a_forgotten_memory_is_out_of_force_and_known_as_of_before(scope, clock):
    made = scope.remember("The code word is swordfish")
    before = clock.now
    clock.advance(hours=1)

    assert scope.forget(made.memory.short) == ForgetReport(memories=1)

    assert scope.memories.search("swordfish") == []
    assert list(scope.recall("swordfish")) == []
    assert [hit.id for hit in scope.recall("swordfish", as_of=before)] == [made.id]
    entry = scope.memories.get(made.id)
    assert (entry.status, entry.archived_at, entry.archive_reason) == (Status.ARCHIVED, clock.now, "forgotten")
    assert scope.forget(made.id) == ForgetReport(memories=0)


def test_what_was_remembered_again_since_stands_against_undoing_its_forgetting(scope):
    """Undoing would leave two entries that say the same."""
    scope.forget(scope.remember("The boat is red").id)
    forgetting = scope.history(limit=1)[0].id
    scope.remember("The boat is red")
    again = scope.history(limit=1)[0]

    assert [each.id for each in scope.inspect(forgetting).later] == [again.id]
    with pytest.raises(Conflict, match=f"remembered again since; take these back first: remember `{again.id}`"):
        scope.undo(forgetting)

    scope.undo(again.id)
    scope.undo(forgetting)
    assert [each.memory.content for each in scope.memories.search("boat")] == ["The boat is red"]


@pytest.mark.spec("M10")
def test_everything_before_a_date(scope, clock):
    scope.observe("user", "old storm", session="s")
    scope.remember("old storm note")
    border = clock.advance(days=1)
    clock.advance(days=1)
    scope.observe("user", "new storm", session="s")
    scope.remember("another new storm remark")

    assert scope.forget(before=border) == ForgetReport(memories=1, turns=1)

    assert {hit.text for hit in scope.recall("storm")} == {"new storm", "another new storm remark"}
    assert "old storm" not in scope.context("storm", session="s").text


@pytest.mark.spec("M10")
@pytest.mark.parametrize("purge", [False, True])
def test_everything_is_forgotten_that_is_believed_whatever_it_rests_on(scope, purge):
    scope.ontology.set("Ruth", "home/city", "Braga")
    scope.graph.add("Mia")
    scope.graph.link("Ruth", "knows", "Mia")
    assert "Braga" in scope.context("where does Ruth live?").text

    report = scope.forget(everything=True, purge=purge)

    assert (report.claims, report.links, report.entities) == (1, 1, 2)
    assert scope.context("where does Ruth live?").text == ""
    assert not scope.knowledge.entities().items
    if not purge:
        scope.undo(scope.history(limit=1)[0].id)
        assert "Braga" in scope.context("where does Ruth live?").text
        assert len(scope.knowledge.entities().items) == 2
        # And what is forgotten can be learned anew.
        scope.forget(everything=True)
        scope.ontology.set("Ruth", "home/city", "Porto")
        assert "Porto" in scope.context("where does Ruth live?").text


@pytest.mark.spec("M10")
@pytest.mark.parametrize("purge", [False, True])
def test_everything_of_a_user_in_every_chat_and_of_nobody_else(nacre, clock, purge):
    chats = [nacre.scope("assistant", user="ana", chat=chat) for chat in (None, "c1", "c2")]
    others = [nacre.scope("assistant", user="bob"), nacre.scope("assistant"), nacre.scope("other", user="ana")]
    for scope in (*chats, *others):
        scope.observe("user", "the storm took our boat", session="s")
        scope.remember("storm warning tomorrow")
        scope.working("session/s").save("draft", "about the storm")
    clock.advance(seconds=1)

    report = nacre.forget_user("assistant", "ana", purge=purge)

    assert report == ForgetReport(memories=3, turns=3, working=3, purged=purge)
    for scope in chats:
        assert list(scope.recall("storm")) == []
        assert scope.context("storm", session="s").text == ""
    for scope in others:
        assert len(scope.recall("storm")) == 2
        assert len(scope.working("session/s").list()) == 1


def rows(nacre: Nacre, scope) -> dict[str, int]:
    """How many rows each table holds for a scope."""
    with nacre.parts.database.read(scope.scope) as tx:
        return {
            table.name: tx.execute(
                select(func.count()).select_from(table).where(table.c.scope_id == tx.scope_id)
            ).scalar_one()
            for table in metadata.tables.values()
        }


@pytest.mark.spec("M10")
def test_a_purge_leaves_no_row_of_the_scope(nacre, scope):
    scope.observe("user", "the storm took our boat", session="s")
    scope.remember("storm warning", tags=["weather"])
    scope.remember("storm warning!")
    scope.context("storm", session="s")
    scope.working("session/s").save("draft", "about the storm")
    assert sum(rows(nacre, scope).values()) > 8

    scope.forget(everything=True, purge=True)

    assert set(rows(nacre, scope).values()) == {0}
    scope.remember("calm again")
    assert [hit.text for hit in scope.recall("storm calm")] == ["calm again"]


@pytest.mark.spec("M10")
def test_a_purge_leaves_no_bytes_in_the_file(sqlite_url):
    with Nacre(sqlite_url) as nacre:
        scope = nacre.scope("a", user="Wilhelmina-Quux")
        keep = nacre.scope("a", user="bob")
        keep.remember("Bob likes boats")
        made = scope.remember("The code word is xylophonist-7741", tags=["qwertyuiop"])
        scope.observe("user", "xylophonist-7741 is what I said", session="secret-session-9")
        scope.forget(made.id, purge=True)
        scope.forget(everything=True, purge=True)
        secrets = [b"xylophonist-7741", b"qwertyuiop", b"secret-session-9", b"Wilhelmina-Quux"]
        for path in Path(sqlite_url).parent.glob("brain.db*"):
            content = path.read_bytes()
            assert [secret for secret in secrets if secret in content] == [], path.name
        assert len(keep.recall("boats")) == 1


@pytest.mark.spec("M10")
def test_a_purge_beside_a_reader_is_pending_until_its_bytes_are_gone(sqlite_url, monkeypatch):
    monkeypatch.setattr(scrubbing, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(dialects, "_SCRUB_SECONDS", 0)

    def held() -> bool:
        return any(b"xylophonist" in path.read_bytes() for path in Path(sqlite_url).parent.glob("brain.db*"))

    with Nacre(sqlite_url) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.remember("The code word is xylophonist-7741")
        with closing(sqlite3.connect(sqlite_url, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchone()
            report = scope.forget(everything=True, purge=True)
            assert (report.purged, report.pending, held()) == (True, True, True)
        assert eventually(lambda: not held())
        assert not scope.forget(everything=True, purge=True).pending


@pytest.mark.parametrize("purge", [False, True])
def test_everything_can_be_forgotten_on_any_day(database_url, purge):
    with Nacre(database_url, clock=lambda: datetime(2028, 2, 29, 12, tzinfo=UTC)) as nacre:
        scope = nacre.scope("a", user="ana")
        scope.remember("The code word is heron")
        assert scope.forget(everything=True, purge=purge).memories == 1
        assert nacre.forget_user("a", "ana", purge=purge).memories == 0


@pytest.mark.spec("M10")
def test_another_process_forgets_as_well(database_url):
    with Nacre(database_url) as here, Nacre(database_url) as there:
        made = here.scope("a").remember("The code word is swordfish")
        here.scope("a").observe("user", "say swordfish at the door", session="s")
        assert len(there.scope("a").recall("swordfish")) == 2
        here.scope("a").forget(made.id, purge=True)
        assert [hit.text for hit in there.scope("a").recall("swordfish")] == ["say swordfish at the door"]
        here.scope("a").forget(everything=True, purge=True)
        here.scope("a").remember("calm")
        assert list(there.scope("a").recall("swordfish")) == []


@pytest.mark.spec("M10")
def test_purging_before_a_date_keeps_what_came_after(scope, clock):
    scope.observe("user", "old storm", session="s")
    scope.remember("old storm note")
    border = clock.advance(days=1)
    scope.observe("user", "new storm", session="s")

    assert scope.forget(before=border, purge=True) == ForgetReport(memories=1, turns=1, purged=True)
    assert [hit.text for hit in scope.recall("storm")] == ["new storm"]
    assert list(scope.recall("storm", as_of=border - timedelta(hours=1))) == []


def test_forgetting_needs_exactly_one_thing(scope):
    for arguments in ({}, {"everything": True, "memory": "0" * 12}):
        with pytest.raises(Invalid):
            scope.forget(**arguments)
    with pytest.raises(NotFound):
        scope.forget("0" * 12)


def test_a_foreign_memory_cannot_be_forgotten(nacre, scope):
    made = scope.remember("mine")
    with pytest.raises(NotFound):
        nacre.scope("assistant", user="bob").forget(made.id, purge=True)
    assert scope.memories.get(made.id).status is Status.ACTIVE


def test_forgetting_a_memory_takes_what_was_split_out_of_it(nacre, scope):
    made = scope.remember("I live in Porto. The launch of Pebble moved to May 31.")
    nacre.parts.worker.drain()
    assert len(scope.memories.search()) == 2

    assert scope.forget(made.id).memories == 2
    assert scope.memories.search() == []
    assert scope.forget(made.id, purge=True).memories == 3
    assert {name for name, count in rows(nacre, scope).items() if count} == {"scopes"}


SECRETS = ("Zanzibar", "Quixotech", "Wilhelmina", "xylophonist", "marimba")


def cells(nacre: Nacre) -> str:
    """Everything that is stored, of every scope, as one text."""
    everything = {"all_scopes": True}
    with nacre.parts.database.read_all() as tx:
        rows = [
            row
            for table in metadata.tables.values()
            for row in tx.execute(select(table).execution_options(**everything))
        ]
    return repr([list(row) for row in rows])


def tell_secrets(scope, clock):
    """Say, keep, learn, sum up and recall words that are to be purged."""
    said = scope.observe(
        "user", "I live in Zanzibar. I work at Quixotech. Wilhelmina works at Quixotech, too.", session="s"
    )
    scope.observe("user", "I no longer live in Zanzibar. My favourite instrument is the marimba.", session="s")
    played = {"entityName": "Wilhelmina", "aspect": "xylophonist", "attributes": [{"content": "plays the marimba"}]}
    made = scope.remember("Wilhelmina is a xylophonist in Zanzibar", structured={"aspects": [played]}, tags=["marimba"])
    scope.remember("Wilhelmina is a xylophonist in Zanzibar")
    clock.advance(minutes=1)
    scope.recall("Wilhelmina in Zanzibar", session="s")
    scope.context("Who is Wilhelmina of Quixotech?", session="s")
    scope.graph.merge("Wilhelmina", scope.graph.add("Wilhelmina Quixotech", said_in=said.id).id)
    scope.graph.archive_link(scope.graph.links("Quixotech")[0].id, reason="Wilhelmina said so")
    return made


@pytest.mark.spec("M10")
@pytest.mark.parametrize("shared", [False, True])
def test_a_purge_of_everything_before_a_date_leaves_no_word(nacre, scope, clock, shared):
    nacre.agent("assistant").share(knowledge_graph=shared)
    scope.observe("user", "I have a boat.", session="early", at=clock.now + timedelta(days=400))
    tell_secrets(scope, clock)
    stored = cells(nacre)
    assert [word for word in SECRETS if word not in stored] == []
    clock.advance(days=1)
    scope.observe("user", "I live in Porto with Ruth.", session="t")

    report = scope.forget(before=clock.now, purge=True)

    assert (report.turns, report.memories) == (2, 1)
    assert min(report.entities, report.links, report.claims) > 0
    stored = cells(nacre).casefold()
    assert [word for word in SECRETS if word.casefold() in stored] == []
    assert "Ruth" in {entity.name for entity in scope.graph.search()}
    assert [link.value or link.predicate for link in scope.graph.links("Porto")] == ["lives_in"]


@pytest.mark.spec("M10")
def test_a_purge_before_a_date_takes_what_was_set_by_hand(nacre, scope, clock):
    """Claims, links, names and entities that nobody quoted anything for; what came after the date stays."""
    scope.graph.add("Brontesaurus", type="project", aliases=["Quillemont"])
    scope.ontology.set("Brontesaurus", "status/owner", "Zebulon")
    scope.graph.link("Brontesaurus", "located_in", scope.graph.add("Xanadu", type="place").id)
    scope.graph.add("Porto", type="place")
    clock.advance(days=1)
    scope.ontology.set("Porto", "status/mayor", "Ruth")

    report = scope.forget(before=clock.now, purge=True)

    assert (report.entities, report.links, report.claims) == (2, 1, 1)
    stored = cells(nacre)
    assert [word for word in ("Brontesaurus", "Quillemont", "Zebulon", "Xanadu") if word in stored] == []
    assert [claim.value for claim in scope.ontology.claims("Porto")] == ["Ruth"]
    assert [finding for finding in nacre.check().findings if finding.count] == []


@pytest.mark.spec("M10")
def test_a_purge_leaves_no_word_in_the_file(sqlite_url, clock):
    with Nacre(sqlite_url, settings=Settings(worker="off"), clock=clock) as nacre:
        scope = nacre.scope("assistant", user="ana")
        tell_secrets(scope, clock)
        scope.forget(before=clock.advance(days=1), purge=True)
        for path in Path(sqlite_url).parent.glob("brain.db*"):
            content = path.read_bytes().lower()
            assert [word for word in SECRETS if word.lower().encode() in content] == [], path.name


@pytest.mark.spec("M10")
@pytest.mark.parametrize("shared", [False, True])
def test_a_purge_of_one_user_leaves_what_another_said(nacre, clock, shared):
    nacre.agent("assistant").share(knowledge_graph=shared)
    ana, bob = nacre.scope("assistant", user="ana"), nacre.scope("assistant", user="bob")
    ana.observe("user", "Ruth works at Quixotech.", session="s")
    clock.advance(minutes=1)
    bob.observe("user", "Ruth works at Quixotech. Ruth lives in Braga.", session="s")

    nacre.forget_user("assistant", "ana", purge=True)

    assert {link.predicate for link in bob.graph.links("Ruth")} == {"works_at", "lives_in"}
    words = {bob.ontology.explain_link(link.id).evidence.quote for link in bob.graph.links("Ruth")}
    assert words <= {
        "Ruth works at Quixotech.",
        "Ruth works at Quixotech",
        "Ruth lives in Braga.",
        "Ruth lives in Braga",
    }
    assert all(bob.ontology.explain_link(link.id).evidence for link in bob.graph.links("Ruth"))


@pytest.mark.spec("M10")
def test_what_a_purged_memory_had_replaced_holds_again(scope, clock):
    scope.ontology.set("Ruth", "home/city", "Braga", reason="from the form")
    clock.advance(days=1)
    home = {"entityName": "Ruth", "aspect": "home", "attributes": [{"claimKey": "city", "content": "Zanzibar"}]}
    made = scope.remember("Ruth moved to Zanzibar", structured={"aspects": [home]})
    assert [claim.value for claim in scope.ontology.claims("Ruth")] == ["Zanzibar"]

    report = scope.forget(made.id, purge=True)

    assert (report.claims, report.entities) == (1, 0)
    assert [claim.value for claim in scope.ontology.claims("Ruth")] == ["Braga"]
    assert "Zanzibar" not in str([*scope.history(), *scope.ontology.versions("Ruth", "home/city")])


@pytest.mark.spec("M10")
def test_forgetting_takes_what_was_learned_out_of_force(scope, clock):
    scope.graph.add("Quixotech", type="organization")
    scope.observe("user", "Ruth works at Quixotech.", session="s")
    moment = clock.now
    clock.advance(days=1)

    report = scope.forget(before=clock.now)

    assert (report.turns, report.links, report.entities, report.purged) == (1, 1, 1, False)
    assert [entity.name for entity in scope.graph.search()] == ["Quixotech"]
    assert scope.graph.links("Quixotech") == []
    assert [entity.name for entity in scope.graph.search("Ruth", as_of=moment)] == ["Ruth"]


@pytest.mark.spec("M10")
def test_what_was_said_twice_rests_on_the_words_that_stay(scope, clock):
    scope.observe("user", "Ruth works at Quixotech.", session="s")
    border = clock.advance(days=1)
    kept = scope.observe("user", "Ruth works at Quixotech, you know.", session="s")

    report = scope.forget(before=border, purge=True)

    assert (report.turns, report.links, report.entities) == (1, 0, 0)
    link = scope.graph.links("Ruth")[0]
    assert link.evidence == kept.id
    assert scope.ontology.explain_link(link.id).evidence.quote in kept_text(scope, kept)


def kept_text(scope, observed):
    return next(hit.text for hit in scope.recall("Ruth", kinds=["turn"]) if hit.id == observed.id)


def test_a_purge_leaves_the_record_of_what_replaced_it(scope, clock):
    older = scope.remember("The Pebble launch is on June 16.").memory
    clock.advance(days=1)
    newer = scope.remember("The Pebble launch moved to July 14.").memory
    assert "replace_memory" in {each.operation for each in scope.history()}

    scope.forget(older.id, purge=True)

    told = {each.operation: str(each.payload) for each in scope.history()}
    assert str(newer.id) in told["remember"]
    assert "replace_memory" not in told
    assert str(older.id) not in str(scope.history())
