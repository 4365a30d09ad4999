"""Whole scopes as lines of JSON: all of it comes back, on either database, or none of it."""

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from hypothesis import given

from nacre import Conflict, Invalid, Nacre, NotFound, ScopedNacre, Settings
from nacre.store.base import migrating
from nacre.store.maintenance import transfers
from nacre.store.tables import schema
from nacre.store.tables.access_tables import SERVER
from tests import examples
from tests.conftest import MovableClock
from tests.transfer.damages import DAMAGES
from tests.transfer.histories import exported, live, rows, seen, steps

PAIRS = [("sqlite", "sqlite"), ("sqlite", "postgresql"), ("postgresql", "sqlite"), ("postgresql", "postgresql")]
RUNS = count()


@pytest.fixture
def brains(sqlite_url: str, postgres_url: str, clock: MovableClock) -> Iterator[Callable[[str], Nacre]]:
    """A brain on each database that is asked for."""
    urls = {"sqlite": sqlite_url, "postgresql": postgres_url}
    opened: dict[str, Nacre] = {}

    def brain(kind: str) -> Nacre:
        if kind not in opened:
            opened[kind] = Nacre(urls[kind], settings=Settings(worker="off", embedder="off"), clock=clock)
        return opened[kind]

    yield brain
    for each in opened.values():
        each.close()


@pytest.fixture
def brain_settings() -> Settings:
    """Words alone: all but one of these tests have no use for vectors."""
    return Settings(worker="off", embedder="off")


@pytest.fixture
def lived(scope: ScopedNacre, clock: MovableClock) -> ScopedNacre:
    """A scope in which a little of everything happened."""
    scope.observe("user", "Ana lives in Łódź and knows Bo.", session="s", speaker="Ana", ref="m1")
    kept = scope.remember("The launch is on May 3", tags=["launch"], metadata={"by": "Ana"})
    clock.advance(minutes=1)
    scope.ontology.set("Ana", "home/city", "Łódź")
    clock.advance(minutes=1)
    scope.ontology.set("Ana", "home/city", "Paris")
    scope.graph.link("Ana", "knows", "Bo", said_in=kept.memory.source, quote="launch")
    scope.working("session/s").save("draft", "Dear Bo")
    scope.skills.save("brew", summary="tea", content="Boil water.")
    return scope


@pytest.mark.spec("N5")
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=["-to-".join(pair) for pair in PAIRS])
def test_whatever_happened_in_a_scope_an_import_brings_all_of_it_back(brains, clock, source, target):
    """Rows, reads and undo, for random histories, within a database and between the two kinds."""

    @given(history=steps)
    @examples.costly(6 if source == target == "sqlite" else 12)
    def check(history: list[tuple[Any, ...]]) -> None:
        run = next(RUNS)
        lived = brains(source).scope(f"from-{run}", user="ana")
        live(lived, clock, history)
        written = exported(lived)

        copy = brains(target).scope(f"to-{run}", user="bo", chat="c")
        copy.transfer.load(written.encode())

        assert rows(exported(copy)) == rows(written)
        assert seen(copy) == seen(lived)
        clock.advance(minutes=1)
        assert undone(copy) == undone(lived)

    check()


def undone(scope: ScopedNacre) -> Any:
    """What is left when the last operation that can be is taken back; ids of what is new are of no account."""
    for record in scope.history(limit=100):
        try:
            scope.undo(record.id)
        except (Conflict, NotFound):
            continue
        break
    left = seen(scope)
    history = [(each["operation"], each["undoes"], each["at"]) for each in left.pop("history")]
    return left | {"history": history, "link_history": None}


def test_recall_ranks_as_it_did_with_vectors_and_all(sqlite_url):
    with Nacre(sqlite_url, settings=Settings(worker="off")) as nacre:
        scope, copy = nacre.scope("a"), nacre.scope("b")
        scope.observe("user", "Ana lives in Łódź and knows Bo.", session="s")
        scope.remember("The launch is on May 3")

        copy.transfer.load(exported(scope).encode())

        assert copy.embedding_progress().complete
        for query in ("where does Ana live", "when is the launch"):
            assert list(copy.recall(query, explain=True)) == list(scope.recall(query, explain=True)) != []


def test_a_restored_scope_goes_on(lived, nacre, clock):
    copy = nacre.scope("assistant", user="copy")
    # An index of the empty scope must not take itself for current.
    assert not copy.recall("tea")
    copy.transfer.load(exported(lived).encode())

    clock.advance(minutes=1)
    copy.observe("user", "Bo drinks tea", session="s")
    copy.ontology.set("Ana", "home/city", "Rome")

    assert copy.recall("tea")[0].text == "Bo drinks tea"
    assert [claim.value for claim in copy.ontology.versions("Ana", "home/city")] == ["Rome", "Paris", "Łódź"]
    assert copy.history(limit=1)[0].operation == "set_claim_value"
    assert [turn.turn.text for turn in copy.conversations.last("s")][-1] == "Bo drinks tea"


def test_the_past_comes_along(lived, nacre, clock):
    then = clock.now
    clock.advance(minutes=5)
    lived.ontology.set("Ana", "home/city", "Rome")
    lived.forget(lived.memories.search(limit=1)[0].memory.id)
    copy = nacre.scope("assistant", user="copy")

    copy.transfer.load(exported(lived).encode())

    assert [claim.value for claim in copy.ontology.claims("Ana", as_of=then)] == ["Paris"]
    assert copy.memories.search("launch", as_of=then) == lived.memories.search("launch", as_of=then) != []
    assert copy.memories.search("launch") == []


def test_every_table_of_a_scope_is_exported():
    left_out = set(schema.metadata.tables) - set(transfers.TABLES)

    assert left_out == {"scopes", "api_keys", "denials", "replies", "passage_segments", "value_keys", "unkeyed_values"}


def test_every_kind_of_column_can_be_read():
    columns = [column for table in transfers.TABLES.values() for column in table.c]

    unread = [str(column) for column in columns if not isinstance(column.type, tuple(transfers.READERS))]
    assert unread == []


def test_the_header_says_what_follows(lived):
    header, *lines = exported(lived).splitlines()
    held = json.loads(header)

    assert (held["format"], held["version"], held["schema"]) == ("nacre-scope", 1, migrating.HEAD)
    assert held["scope"] == {"agent": "assistant", "user": "ana"}
    assert sum(held["rows"].values()) == len(exported(lived).split("\n")) - 2
    assert lines


def test_an_export_holds_no_other_scope_and_no_token(nacre, lived):
    for other in (nacre.scope("assistant", user="bo"), nacre.scope("assistant"), nacre.scope("assistant", "ana", "c")):
        other.remember("The code is 4711")
        other.graph.add("Mallory")
    issued = nacre.tokens.issue("laptop", role="admin")

    everything = exported(lived)

    assert "4711" not in everything
    assert "Mallory" not in everything
    assert "laptop" not in everything
    assert issued.secret not in everything
    assert str(SERVER) not in everything


@pytest.mark.parametrize("form", ["jsonl", "mcp", "graphml", "turtle", "markdown"])
def test_a_purge_leaves_nothing_in_exports(scope, form):
    kept = scope.remember("The vault opens with Sesamstrasse", structured={"hints": ["Sesamstrasse word"]})
    said = scope.observe("user", "Sesamstrasse lives in Łódź")
    assert said

    scope.forget(kept.id, purge=True)
    scope.forget(everything=True, purge=True)

    out = io.StringIO()
    scope.transfer.export(out, format=form)
    assert "sesamstrasse" not in out.getvalue().lower()


def test_a_purge_of_a_restored_scope_leaves_the_one_it_came_from_alone(scope, nacre):
    """The two have the same ids, but nothing to do with each other."""
    scope.graph.extract("Ana lives in Paris. Ana works at Hostinger.")
    before = exported(scope)
    copy = nacre.scope("another", user="mallory")
    copy.transfer.load(before.encode())

    copy.forget(everything=True, purge=True)

    assert rows(exported(scope)) == rows(before)


def test_an_empty_scope_is_a_header_and_comes_back_as_one(scope, nacre):
    written = exported(scope)

    report = nacre.scope("b").transfer.load(written.encode())

    assert written.count("\n") == 1
    assert report.counts == {}


def test_a_scope_that_holds_something_is_left_alone(lived, nacre):
    other = nacre.scope("assistant", user="bo")
    other.observe("user", "Hello")
    before = exported(other)

    with pytest.raises(Conflict, match=r"`assistant/bo` is not empty: it holds 1 passages"):
        other.transfer.load(exported(lived).encode())
    assert exported(other) == before


def test_of_two_restores_at_once_one_is_refused(lived, nacre):
    written, copy = exported(lived).encode(), nacre.scope("assistant", user="copy")

    def restore(_number: int) -> bool:
        try:
            copy.transfer.load(written)
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        came = sorted(pool.map(restore, range(4)))

    assert came == [False, False, False, True]
    assert rows(exported(copy)) == rows(written.decode())


def test_a_dry_run_of_a_restore_says_what_would_come_and_changes_nothing(lived, nacre):
    copy = nacre.scope("assistant", user="copy")

    report = copy.transfer.load(exported(lived).encode(), dry_run=True)

    assert report.dry_run
    assert report.counts["entities"] == len(lived.graph.search(limit=100))
    assert exported(copy).count("\n") == 1
    assert copy.transfer.load(exported(lived).encode()).counts == report.counts


def test_a_damaged_file_is_refused_by_its_line_and_leaves_nothing(lived, nacre):
    copy, whole = nacre.scope("assistant", user="copy"), exported(lived).encode().split(b"\n")
    for kind, (damage, told) in DAMAGES.items():
        with pytest.raises(Invalid, match="line") as refused:
            copy.transfer.load(b"\n".join(damage(whole)), format="jsonl")

        assert told in str(refused.value), kind
        assert exported(copy).count("\n") == 1, kind
    assert copy.transfer.load(b"\n".join(whole)).counts


def test_the_error_names_the_line_even_among_many(scope, nacre):
    """Rows are written hundreds at a time; the one at fault is still named."""
    for number in range(20):
        scope.graph.add(f"Thing {number}")
    lines = exported(scope).encode().split(b"\n")
    first = next(place for place, line in enumerate(lines) if line.startswith(b'{"table":"entities"'))
    lines[first + 7] = lines[first + 3]

    with pytest.raises(Invalid, match=f"`line {first + 8}` cannot be written"):
        nacre.scope("b").transfer.load(b"\n".join(lines))


def test_an_export_of_one_moment_is_not_disturbed_by_writers(lived, nacre):
    """What is written while it is made is not part of it."""

    class Busy(io.StringIO):
        """Someone writes in the middle of it."""

        def write(self, text: str) -> int:
            if not self.tell():
                nacre.scope("assistant", user="ana").observe("user", "Meanwhile")
            return super().write(text)

    out = Busy()
    lived.transfer.export(out)

    assert "Meanwhile" not in out.getvalue()
    assert nacre.scope("copy").transfer.load(out.getvalue().encode()).counts


def test_a_file_is_there_whole_or_not_at_all(lived, tmp_path, monkeypatch):
    path = tmp_path / "out.jsonl"
    path.write_text("the export of yesterday")
    monkeypatch.setattr(transfers, "rows", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))

    with pytest.raises(Invalid, match=r"cannot be written: .* No space left"):
        lived.transfer.export(path)

    assert path.read_text() == "the export of yesterday"
    assert [each.name for each in tmp_path.iterdir() if "nacre" in each.name] == []


def test_an_exported_file_is_for_its_owner_alone(lived, tmp_path):
    lived.transfer.export(tmp_path / "out.jsonl")

    assert (tmp_path / "out.jsonl").stat().st_mode & 0o077 == 0


def test_the_report_of_a_scope_says_what_its_agent_keeps_elsewhere(nacre):
    nacre.agent("assistant").share(knowledge_graph=True)
    scope = nacre.scope("assistant", user="ana")
    scope.graph.add("Ana")

    report = scope.transfer.export(io.StringIO())

    assert report.notes == ("The graph is kept in `assistant`, which the agent shares: export that, too.",)
