"""What one call may cost others: no transaction that writes grows with what a caller hands over."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from cProfile import Profile
from itertools import count

import pytest

from nacre import Nacre, Settings
from nacre.brain.scoped import ScopedNacre
from nacre.domain.transfers import Transfer
from nacre.extraction import extractors, remainders
from nacre.extraction.portions import MAX_SLICE
from nacre.transfer import intake

TIMES = 4
# What is read in no time, so that the work is not in a thousand facts where a hundred tell the same.
FILLER = "Nothing of note. " * 6


def prose(characters: int) -> str:
    """Sentences, some of which rules learn something from, each of somebody else."""
    said, place = [], 0
    while characters > 0:
        name = "".join(f"{'bdfgklmnprst'[place // 12**turn % 12]}{'aeiou'[(place + turn) % 5]}" for turn in range(4))
        said.append(f"{name.capitalize()} lives in Paris. {FILLER}")
        characters -= len(said[-1])
        place += 1
    return "".join(said)


def imported(scope: ScopedNacre, characters: int, *, dry_run: bool = False) -> Transfer:
    said = [f"stone {place} lies in drawer {place * 7}" for place in range(characters // 40)]
    thing = {"type": "entity", "name": "Ana", "entityType": "person", "observations": said}
    return scope.transfer.load(json.dumps(thing).encode(), dry_run=dry_run)


CALLS: dict[str, Callable[[ScopedNacre, int], object]] = {
    "observe": lambda scope, characters: scope.observe("user", prose(characters)),
    "remember": lambda scope, characters: scope.remember(prose(characters)),
    "extract": lambda scope, characters: scope.graph.extract(prose(characters)),
    "save": lambda scope, characters: scope.vault.save("a.md", prose(characters)),
    "import": imported,
}


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """The work of a block, in calls of functions: time depends on who else is at work."""
    profile, calls = Profile(), [0]
    with profile:
        yield calls
    calls[0] = sum(each.callcount for each in profile.getstats())


@contextmanager
def longest_write(nacre: Nacre) -> Iterator[list[int]]:
    """The work of the longest transaction that writes."""
    longest = [0]

    @contextmanager
    def counted(kind: str) -> Iterator[None]:
        if kind != "write":
            yield
            return
        with counted_calls() as calls:
            yield
        longest[0] = max(longest[0], calls[0])

    nacre.parts.database.around = counted
    yield longest


@pytest.mark.parametrize("call", CALLS)
def test_no_transaction_grows_with_what_is_handed_over(call, monkeypatch):
    held = {}
    # An import ends a transaction by the clock, and how much fits before it depends on who else is at work.
    monkeypatch.setattr(intake, "monotonic", count(step=0.01).__next__)
    # The first round compiles statements, which counts as work and comes once in a process: those of a rest, too.
    for characters in (2 * MAX_SLICE, MAX_SLICE, TIMES * MAX_SLICE):
        settings = Settings(worker="off", embedder="off", extraction="rules", rerank="off")
        with Nacre(":memory:", settings=settings) as nacre, longest_write(nacre) as longest:
            CALLS[call](nacre.scope("a", user="u"), characters)
            nacre.parts.worker.drain()
            held[characters] = longest[0]

    assert held[TIMES * MAX_SLICE] < 1.5 * held[MAX_SLICE]


def test_an_import_takes_work_in_proportion_to_what_is_said_of_one_thing():
    """Each observation was compared with all before it: a thousand of them took 37 s."""
    work = {}
    for characters in (4_000, TIMES * 4_000):
        with Nacre(":memory:", settings=Settings(worker="off", embedder="off", extraction="rules")) as nacre:
            with counted_calls() as calls:
                imported(nacre.scope("a", user="u"), characters)
                nacre.parts.worker.drain()
            work[characters] = calls[0]

    assert work[TIMES * 4_000] < 1.5 * TIMES * work[4_000]


def test_a_long_memory_is_read_to_its_end_and_goes_whole(database_url):
    """The rest joins the batch of the beginning, so one undo takes it back; what is undone is not read on."""
    text = f"{'Nothing of note. ' * 600}Marta lives in Porto. {'Nothing of note. ' * 600}Ines lives in Faro."
    with Nacre(database_url, settings=Settings(worker="off", extraction="rules")) as nacre:
        scope = nacre.scope("a", user="u")
        scope.remember(text)
        assert not scope.graph.search("Marta")
        nacre.parts.worker.drain()
        assert [scope.graph.search(name)[0].name for name in ("Marta", "Ines")] == ["Marta", "Ines"]
        (record, *_) = (each for each in scope.history(limit=50) if each.operation == "remember")
        scope.undo(record.batch)
        assert not scope.graph.search("Marta")
        again = scope.remember(text)
        scope.undo(next(each for each in scope.history() if each.operation == "remember").batch)
        nacre.parts.worker.drain()
        assert not scope.graph.search("Marta"), again


def test_a_long_document_is_read_to_its_end_unless_it_is_replaced(scope, nacre):
    start = "Nothing of note. " * 600
    scope.vault.save("a.md", f"{start}Marta lives in Porto.")
    scope.vault.save("a.md", f"{start}Ines lives in Faro.")
    nacre.parts.worker.drain()

    assert not scope.graph.search("Marta")
    assert scope.graph.search("Ines")
    assert remainders.MAX_DOCUMENT > MAX_SLICE


def test_a_dry_run_says_how_far_it_looked(scope, monkeypatch):
    monkeypatch.setattr(intake, "DRY_SECONDS", 0.0)
    monkeypatch.setattr(extractors, "MAX_TRIED", 1_000)

    tried = imported(scope, 40_000, dry_run=True)
    read = scope.graph.extract(prose(5_000), dry_run=True)

    assert "Only the first" in tried.notes[-1]
    assert read.notes == ("Only the first 1,000 characters were read.",)
    assert scope.graph.search("Ana") == []
