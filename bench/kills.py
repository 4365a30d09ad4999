"""`kill -9` in the middle of learning: every turn is learned exactly once, and the graph is that of a quiet run.

One process after another observes some turns, says so, and learns until it is killed. The last one learns what all of
them left. Processes are forked from one that has imported everything, so that hundreds of them take a minute.
"""

import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, islice
from multiprocessing.connection import Connection
from time import sleep
from typing import Any

from sqlalchemy import select

from bench import synthetic
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, Settings, Turn
from nacre.store.evidence import learning_cursors
from nacre.store.evidence.learning_cursors import Cursor
from nacre.store.tables.schema import aliases, attributes, audit, entities, links, mentions

KILLS = 200
SEED = 20260501
# So many turns each process observes, and so long it may learn at most before it is killed.
BATCH, LONGEST_SECONDS = 40, 0.2
# Every so many batches end with a turn that is read in slices.
LONG_TURN_EVERY, LONG_TURN_JOINED = 10, 300
START = synthetic.START

Json = dict[str, Any]
GraphRows = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """One process: the database, the scope's agent, and the turns it observes at a time of their own."""

    database: str
    agent: str
    place: int
    turns: Sequence[Turn]

    def learn(self, begins: Connection) -> None:
        """Observe the turns, tell where learning begins, and learn all that is unread."""
        with _opened(self.database, self.place) as nacre:
            scope = nacre.scope(self.agent, user="ana")
            scope.observe_many(self.turns)
            begun = _cursor(nacre, self.agent)
            if self.place % 2:
                # The first portion of a process takes long, as everything is loaded: kills would meet nothing else.
                nacre.parts.learner.learn_some(scope.scope)
            begins.send(begun)
            # As in an embedded brain, whoever asks and a thread behind it learn beside each other.
            nacre.parts.learning.start()
            nacre.settle()


def measure(database: str, kills: int, progress: Progress, agent: str = "kills") -> Json:
    """Kill learning processes so many times; how far each got, and what differs from an undisturbed run."""
    batches = _batches()
    runs: list[Run] = []
    cursors: list[tuple[Cursor | None, Cursor | None]] = []
    with progress.track("kills in the middle of learning", kills) as advance:
        while sum(left is not None for _, left in cursors) < kills:
            runs.append(Run(database, f"{agent}-killed", len(runs), next(batches)))
            cursors.append(_killed(runs[-1]))
            advance(cursors[-1][1] is not None)
    with _opened(database, len(runs)) as nacre:
        nacre.settle()
        found = graph(nacre, f"{agent}-killed")
    expected = _undisturbed(database, f"{agent}-quiet", runs)
    return {
        "kills": kills,
        "turns": sum(len(run.turns) for run in runs),
        "ended_before_the_kill": len(runs) - kills,
        "killed_after_progress": sum(left not in (None, begun) for begun, left in cursors),
        "killed_inside_a_turn": sum(left is not None and left.offset > 0 for _, left in cursors),
        "rows": {name: len(rows) for name, rows in expected.items()},
        "differences": {name: _difference(found[name], rows) for name, rows in expected.items()},
    }


def tables(document: Json) -> list[Table]:
    """Kills, what they met, and rows that differ from an undisturbed run, by database."""
    columns = (
        "database",
        "kills",
        "after progress",
        "inside a long turn",
        "turns",
        "rows compared",
        "rows that differ",
    )
    rows = tuple(
        (
            kind,
            f"{of['kills']:,}",
            f"{of['killed_after_progress']:,}",
            f"{of['killed_inside_a_turn']:,}",
            f"{of['turns']:,}",
            number(sum(of["rows"].values()), 0),
            number(sum(of["differences"].values()), 0),
        )
        for kind, of in document["databases"].items()
    )
    note = (
        "Compared are entities with their counts of mentions, aliases, mentions, links, claims, operations and their "
        "batches. After progress are kills of processes that had learned a portion."
    )
    return [Table("kill -9 in the middle of learning", columns, rows, note)]


def graph(nacre: Nacre, agent: str) -> GraphRows:
    """All that the user's scope learned, without ids: rows of each kind, in order."""
    with nacre.parts.database.read(nacre.scope(agent, user="ana").scope) as tx:

        def rows(table: Any) -> list[Any]:
            return list(tx.execute(select(table).where(table.c.scope_id == tx.scope_id)).mappings())

        names = {row["id"]: row["name"] for row in rows(entities)}
        operations = rows(audit)
        batches = Counter(row["batch_id"] for row in operations)
        found: dict[str, list[tuple[Any, ...]]] = {
            "entities": [(row["name"], row["type"], row["mentions"], row["status"]) for row in rows(entities)],
            "aliases": [(names[row["entity_id"]], row["name"]) for row in rows(aliases)],
            "mentions": [(names[row["entity_id"]], row["quote_start"], row["quote_end"]) for row in rows(mentions)],
            "links": [
                (
                    names[row["source_entity"]],
                    row["predicate"],
                    names.get(row["target_entity"]),
                    *(row[name] for name in ("value", "valid_from", "valid_to", "confidence")),
                )
                for row in rows(links)
            ],
            "claims": [
                tuple(row[name] for name in ("claim_key", "value", "valid_from", "valid_to", "confidence"))
                for row in rows(attributes)
            ],
            "operations": [(row["operation"], row["at"], batches[row["batch_id"]]) for row in operations],
        }
    return {name: sorted(map(str, each)) for name, each in found.items()}


def _batches() -> Iterator[list[Turn]]:
    """What one process after another observes: the same in every run."""
    talk = synthetic.conversation(SEED)
    for place in count():
        said = [replace(turn, at=_time(place, minutes)) for minutes, turn in enumerate(islice(talk, BATCH))]
        if place % LONG_TURN_EVERY == 0:
            text = " ".join(turn.text for turn in islice(talk, LONG_TURN_JOINED))
            said.append(Turn(role="user", text=text, session=f"long-{place}", at=_time(place, BATCH)))
        yield said


def _killed(run: Run) -> tuple[Cursor | None, Cursor | None]:
    """Start a process and kill it while it learns; the scope's cursor when learning began, and that after the kill."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    heard, begins = context.Pipe(duplex=False)
    process = context.Process(target=run.learn, args=(begins,))
    process.start()
    begins.close()
    begun: Cursor | None = heard.recv()
    sleep(random.Random(run.place).uniform(0, LONGEST_SECONDS))
    process.kill()
    process.join()
    with _opened(run.database, run.place) as nacre:
        return begun, _cursor(nacre, run.agent)


def _cursor(nacre: Nacre, agent: str) -> Cursor | None:
    with nacre.parts.database.read(nacre.scope(agent, user="ana").scope) as tx:
        return learning_cursors.position(tx)


def _undisturbed(database: str, agent: str, runs: Sequence[Run]) -> GraphRows:
    """The graph of the same turns, learned as soon as they are observed by processes that nobody kills."""
    for run in runs:
        with _opened(database, run.place) as nacre:
            nacre.scope(agent, user="ana").observe_many(run.turns)
            nacre.settle()
    with _opened(database, len(runs)) as nacre:
        return graph(nacre, agent)


def _opened(database: str, place: int) -> Nacre:
    """A brain whose clock stands still, so that both runs tell the same times."""
    return Nacre(
        database, settings=Settings(worker="off", embedder="off", extraction="rules"), clock=lambda: _time(place)
    )


def _time(place: int, minutes: int = 0) -> datetime:
    return START + timedelta(hours=place, minutes=minutes)


def _difference(found: list[str], expected: list[str]) -> int:
    """How many rows are missing or too many."""
    return ((Counter(found) - Counter(expected)) + (Counter(expected) - Counter(found))).total()
