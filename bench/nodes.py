"""Many tenants on the nodes of a Citus cluster, beside one node: what calls take, and what moves and kills cost.

The same tenants are called on one PostgreSQL and on a coordinator with two workers, all on one machine: what is added
is what Citus adds, not what a network does. Then threads observe while a tenant gets a shard of its own and that is
moved to the other worker, and while a worker is killed and started again. Each turn has a text of its own, so that
those which were acknowledged can be counted afterwards.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from time import perf_counter, sleep
from typing import Any

import psycopg

from bench import citus, scale, tenants
from bench.citus import CitusCluster, Node
from bench.metrics import percentile
from bench.progress import Progress
from bench.tables import Table, number
from nacre import Nacre, NacreError, ScopedNacre, Settings

SIZES = "1000,5000,20000"
# Threads that observe while a tenant is moved or a worker is killed.
WRITERS = 4
# Before, between and after.
CALM_SECONDS, DOWN_SECONDS = 5.0, 4.0

Json = dict[str, Any]

_COUNTERS = """
SELECT coalesce(sum(query_execution_single_shard), 0), coalesce(sum(query_execution_multi_shard), 0)
FROM citus_stat_counters WHERE name = current_database()
"""
_NODE_OF = """
SELECT s.shardid, s.nodename, s.nodeport FROM citus_shards s
WHERE s.table_name = 'scopes'::regclass AND s.shardid = get_shard_id_for_distribution_column('scopes', %s::uuid)
"""


def measure(cluster: CitusCluster, sizes: Sequence[int], progress: Progress, *, sample: int, seconds: int) -> Json:
    """The figures of the cluster at every size, beside one node at the first, then of a move and of a kill."""
    first, *_ = sizes
    one = _plain_database(cluster.address, "alone")
    scale.measure([first], one, progress, sample=1, seconds=1)
    address = citus.make_database(cluster.address, "spread")

    def compare(size: int) -> Json:
        return {"beside": scale.beside({"one": one, "nodes": address}, size, sample)} if size == first else {}

    before = _counters(address)
    many = scale.measure(sizes, address, progress, sample=sample, seconds=seconds, more=compare)
    single, multiple = (now - then for now, then in zip(_counters(address), before, strict=True))
    return {
        "sizes": many,
        "statements": {"one_shard": single, "several_shards": multiple, "shards": _shards(address)},
        "move": _moved(address, progress),
        "kill": _killed(address, cluster.workers, progress),
    }


@dataclass(slots=True)
class Writing:
    """What threads that observe were told: which texts are safe, what failed, and how long each took, by tenant."""

    acknowledged: dict[int, list[str]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    times: list[tuple[float, int, float]] = field(default_factory=list)

    def work(self, nacre: Nacre, mine: Sequence[int], numbers: "count[int]", ended: threading.Event) -> None:
        """Observe one turn after another, of one tenant after another."""
        scopes = {tenant: tenants.scope_of(nacre, tenant) for tenant in mine}
        while not ended.is_set():
            for tenant, scope in scopes.items():
                self._observe(scope, tenant, f"The meter of tenant {tenant} shows {next(numbers)} today.")

    def _observe(self, scope: ScopedNacre, tenant: int, text: str) -> None:
        begun = perf_counter()
        try:
            scope.observe("user", text, session="bench")
        except NacreError as error:
            self.errors[error.code] += 1
            # Whoever is told to try again does so a little later.
            sleep(0.05)
        else:
            self.acknowledged.setdefault(tenant, []).append(text)
            self.times.append((begun, tenant, perf_counter() - begun))

    def figures(self, address: str) -> Json:
        """How many were acknowledged, failed, are lost and are there twice."""
        lost = doubled = 0
        for tenant, texts in self.acknowledged.items():
            held = Counter(_texts(address, tenant))
            lost += sum(not held[text] for text in texts)
            doubled += sum(held[text] > 1 for text in texts)
        waits = [took * 1000 for *_, took in self.times]
        return {
            "acknowledged": sum(map(len, self.acknowledged.values())),
            "errors": dict(self.errors),
            "lost": lost,
            "doubled": doubled,
            "p50_ms": round(percentile(waits, 50), 1),
            "p95_ms": round(percentile(waits, 95), 1),
            "longest_ms": round(max(waits), 1),
        }


def _moved(address: str, progress: Progress) -> Json:
    """A tenant that gets a shard of its own, which is moved to the other worker while all is written to."""
    tenant = tenants.TEMPLATES
    steps: Json = {}

    def move() -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            scope_id = str(tenants.scopes_of(tenant)[0].id)
            # Not `force_logical`: a change between the slot and the new shards' keys can never be replicated.
            isolate = "SELECT isolate_tenant_to_new_shard('scopes', %s::uuid, 'CASCADE', 'block_writes')"
            steps["isolate_s"] = _seconds(partial(connection.execute, isolate, (scope_id,)))
            shard, host, port = connection.execute(_NODE_OF, (scope_id,)).fetchone() or (0, "", 0)
            target = next(each for each in citus.places(address) if each != (host, port))
            moving = "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, 'force_logical')"
            steps["move_s"] = _seconds(partial(connection.execute, moving, (shard, host, port, *target)))
            _, *place = connection.execute(_NODE_OF, (scope_id,)).fetchone() or (0, "", 0)
            steps["moved"] = tuple(place) == target

    return {**_disturbed(address, move, progress, "a tenant is moved", first=tenant), **steps}


def _killed(address: str, workers: Sequence[Node], progress: Progress) -> Json:
    """A worker that is killed, is down for a while, and is started again."""
    worker, steps = workers[-1], {}

    def kill() -> None:
        worker.kill()
        sleep(DOWN_SECONDS)
        steps["start_s"] = _seconds(worker.start)

    return {**_disturbed(address, kill, progress, "a worker is killed", first=tenants.TEMPLATES), **steps}


def _disturbed(address: str, disturb: Callable[[], None], progress: Progress, label: str, *, first: int) -> Json:
    """What threads that observe were told while something was done to the nodes."""
    # Texts of an earlier disturbance are there already.
    writing, ended, numbers = Writing(), threading.Event(), count(int(perf_counter() * 1000))
    with Nacre(address, settings=Settings(worker="off")) as nacre, progress.track(label, 1) as advance:
        # Several tenants each, so that both workers have some of every thread.
        threads = [
            threading.Thread(
                target=writing.work, args=(nacre, range(first + place, first + 40, WRITERS), numbers, ended)
            )
            for place in range(WRITERS)
        ]
        for thread in threads:
            thread.start()
        try:
            sleep(CALM_SECONDS)
            begun = perf_counter()
            disturb()
            disturbed = perf_counter() - begun
            sleep(CALM_SECONDS)
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        advance(1)
        broken = sum(finding.count for finding in nacre.check().findings)
    return {**writing.figures(address), "disturbed_s": round(disturbed, 1), "broken": broken}


def _texts(address: str, tenant: int) -> list[str]:
    scope_id = tenants.scopes_of(tenant)[0].id
    with psycopg.connect(address) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM sources WHERE scope_id = %s", (scope_id,))]


def _seconds(call: Callable[[], object]) -> float:
    begun = perf_counter()
    call()
    return round(perf_counter() - begun, 2)


def _counters(address: str) -> tuple[int, int]:
    """How many statements the coordinator had one shard answer, and how many several."""
    with psycopg.connect(address) as connection:
        single, multiple = connection.execute(_COUNTERS).fetchone() or (0, 0)
        return int(single), int(multiple)


def _shards(address: str) -> int:
    with psycopg.connect(address) as connection:
        (shards,) = connection.execute(
            "SELECT count(*) FROM citus_shards WHERE table_name = 'scopes'::regclass"
        ).fetchone() or (0,)
        return int(shards)


def _plain_database(address: str, name: str) -> str:
    """A database on the coordinator alone, of which no other node knows."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return citus.named(address, name)


def _beside(title: str, one: float, nodes: float) -> tuple[str, ...]:
    return title, number(one), number(nodes), number(nodes - one)


def tables(document: Json) -> list[Table]:
    """Calls beside one node, calls by number of tenants, and what was lost."""
    sizes: Json = document["sizes"]
    first, *_ = sizes
    one, nodes = (sizes[first]["beside"][name] for name in ("one", "nodes"))
    beside = tuple(
        (
            f"{title} {part}, ms",
            number(one[call][key]),
            number(nodes[call][key]),
            number(nodes[call][key] - one[call][key]),
        )
        for call, title in scale.CALLS.items()
        for part, key in (("p50", "p50_ms"), ("p95", "p95_ms"))
    )
    each = list(sizes.values())
    grown = (
        *(
            (f"{title} p50, ms", *(number(of["calls"][call]["p50_ms"]) for of in each))
            for call, title in scale.CALLS.items()
        ),
        (f"calls a second, {scale.THREADS} threads", *(number(of["together"]["calls_per_s"]) for of in each)),
        ("errors", *(number(of["together"]["errors"], 0) for of in each)),
        ("scopes on each worker", *(" + ".join(f"{node['scopes']:,}" for node in of["nodes"]) for of in each)),
        ("MB on each worker", *(" + ".join(number(node["bytes"] / 1e6) for node in of["nodes"]) for of in each)),
        ("tenants filled a second", *(number(of["filled"] / of["fill_s"]) for of in each)),
    )
    said = document["statements"]
    share = said["several_shards"] / max(1, said["several_shards"] + said["one_shard"])
    note = (
        f"{said['one_shard']:,} statements were answered by one of {said['shards']} shards, and "
        f"{said['several_shards']:,} ({share:.1%}) by several: those that fill and count the tenants are among them."
    )
    disturbed = tuple(
        (title, *(show(document[what]) for what in ("move", "kill"))) for title, show in _DISTURBED.items()
    )
    columns = ("", "one node", "a coordinator and two workers", "added")
    return [
        Table(f"Calls beside one node, {int(first):,} tenants", columns, beside, _IN_TURN),
        Table("By number of tenants", ("", *(f"{int(size):,}" for size in sizes)), grown, note),
        Table("While it is written to", ("", "a tenant is moved", "a worker is killed"), disturbed),
    ]


_IN_TURN = "Each tenant was called on one and then on the other, so both had the machine as it was at that moment."
_DISTURBED: dict[str, Callable[[Json], str]] = {
    "turns acknowledged": lambda of: f"{of['acknowledged']:,}",
    "of these lost": lambda of: f"{of['lost']:,}",
    "there twice": lambda of: f"{of['doubled']:,}",
    "calls that failed": lambda of: ", ".join(f"{held:,} {code}" for code, held in of["errors"].items()) or "0",
    "findings of db check": lambda of: f"{of['broken']:,}",
    "observe p50, ms": lambda of: number(of["p50_ms"]),
    "observe p95, ms": lambda of: number(of["p95_ms"]),
    "longest observe, ms": lambda of: number(of["longest_ms"]),
    "seconds it took": lambda of: number(of["disturbed_s"]),
}
