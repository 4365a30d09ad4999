"""The commands that measure a service: load, neighbours, round trips, and what fails or is killed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bench import chaos as measuring_chaos
from bench import doors as measuring_doors
from bench import endure as measuring_endurance
from bench import faults as measuring_faults
from bench import kills as measuring_kills
from bench import load as measuring_load
from bench import neighbours as measuring_neighbours
from bench import results, terminal
from bench import scale as measuring_scale
from bench import speed as measuring_speed
from bench import trips as measuring_trips
from bench.clusters import Cluster
from bench.reports import AsJson, Publish, clear_errors, finish

app = typer.Typer()


class Kind(StrEnum):
    """A kind of database."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


Kinds = Annotated[
    list[Kind] | None,
    typer.Option("--on", help="The kind of database; both if left out. Repeatable."),
]


@app.command()
def load(
    *,
    on: Kinds = None,
    clients: Annotated[int, typer.Option(min=1, help="How many calls are under way at once.")] = measuring_load.CLIENTS,
    users: Annotated[int, typer.Option(min=1, help="How many users they are for.")] = measuring_load.USERS,
    seconds: Annotated[float, typer.Option(min=1, help="For how long.")] = measuring_load.SECONDS,
    rate: Annotated[
        float | None, typer.Option(min=0.1, help="Calls a second; as fast as they are answered if left out.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many processes answer.")] = 1,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Have many users call one server at once: observe, recall and context."""
    with clear_errors():
        plan = measuring_load.Plan(clients=clients, users=users, seconds=seconds, rate=rate, workers=workers)
        figures = {}
        for kind in on or Kind:
            with _store(kind) as store:
                figures[kind.value] = measuring_load.measure(store.address, plan, store.process)
        given = {"clients": clients, "users": users, "seconds": seconds, "rate": rate, "workers": workers}
        finish(results.result("load", given, {"databases": figures}), as_json=as_json, publish=publish)


@app.command()
def neighbours(
    *,
    on: Kinds = None,
    seconds: Annotated[float, typer.Option(min=1, help="How long each is timed.")] = measuring_neighbours.SECONDS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Time one user's observe alone, and beside another who sends the largest turns that are allowed."""
    with clear_errors():
        plan = measuring_neighbours.Plan(seconds=seconds)
        figures = {}
        for kind in on or Kind:
            with _store(kind) as store:
                figures[kind.value] = measuring_neighbours.measure(store.address, plan, terminal.progress())
        given = {"seconds": seconds, "characters": plan.characters}
        finish(results.result("neighbours", given, {"databases": figures}), as_json=as_json, publish=publish)


@app.command()
def trips(
    *,
    delay: Annotated[float, typer.Option(min=0, help="Milliseconds of a round trip.")] = measuring_trips.DELAY_MS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Count the round trips to PostgreSQL of each call, and time it on loopback and behind a delay."""
    with clear_errors(), _store(Kind.POSTGRESQL) as store:
        figures = measuring_trips.measure(store.address, terminal.progress(), delay_ms=delay)
        given = {"delay_ms": delay, "calls": measuring_trips.CALLS}
        finish(results.result("trips", given, {"places": figures}), as_json=as_json, publish=publish)


@app.command()
def kills(
    *,
    on: Kinds = None,
    times: Annotated[int, typer.Option("--kills", min=1, help="How many processes are killed.")] = (
        measuring_kills.KILLS
    ),
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Kill processes in the middle of learning; exit code 1 when the graph is not that of an undisturbed run."""
    with clear_errors():
        figures = {}
        for kind in on or Kind:
            with _store(kind) as store:
                figures[kind.value] = measuring_kills.measure(store.address, times, terminal.progress())
        document = results.result("kills", {"kills": times}, {"databases": figures})
        finish(document, as_json=as_json, publish=publish)
    if any(any(of["differences"].values()) for of in figures.values()):
        raise typer.Exit(1)


@app.command()
def chaos(
    *,
    on: Kinds = None,
    minutes: Annotated[
        float, typer.Option(min=0.1, help="How long, on both databases at a time.")
    ] = measuring_chaos.MINUTES,
    clients: Annotated[int, typer.Option(min=1, help="How many write at a time.")] = measuring_chaos.CLIENTS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Kill everything while all kinds of writes go on; exit code 1 when the store is not what was acknowledged."""
    with clear_errors():
        plan, kinds = measuring_chaos.Plan(minutes=minutes, clients=clients), list(on or Kind)
        # What is slow when much runs beside it is right as well, so both are struck at the same time.
        with ThreadPoolExecutor(len(kinds)) as threads:
            measured = threads.map(lambda kind: _suffer(kind, plan), kinds)
            figures = {kind.value: found for kind, found in zip(kinds, measured, strict=True)}
        document = results.result("chaos", {"minutes": minutes, "clients": clients}, {"databases": figures})
        finish(document, as_json=as_json, publish=publish)
    for violation in (each for of in figures.values() for each in of["violations"]):
        terminal.notice(violation)
    if any(of["violations"] for of in figures.values()):
        raise typer.Exit(1)


def _suffer(kind: Kind, plan: measuring_chaos.Plan) -> results.Json:
    if kind is Kind.POSTGRESQL:
        with closing(Cluster()) as cluster:
            return measuring_chaos.measure(cluster.address, plan, terminal.progress(), cluster)
    with _store(kind) as store:
        return measuring_chaos.measure(store.address, plan, terminal.progress())


@app.command()
def scale(
    *,
    tenants: Annotated[str, typer.Option(help="Numbers of tenants, separated by commas.")] = measuring_scale.SIZES,
    database: Annotated[
        str | None, typer.Option(help="An empty PostgreSQL, as a superuser; one of its own if left out.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=1, help="How many tenants are called at each size.")
    ] = measuring_scale.SAMPLE,
    seconds: Annotated[int, typer.Option(min=1, help="How long threads call at once.")] = measuring_scale.SECONDS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Fill one PostgreSQL with more and more tenants, and time recall, observe and context."""
    with clear_errors():
        sizes = measuring_speed.parse_sizes(tenants)
        figures = measuring_scale.measure(sizes, database, terminal.progress(), sample=sample, seconds=seconds)
        given = {"sample": sample, "seconds": seconds, "threads": measuring_scale.THREADS}
        finish(results.result("scale", given, {"sizes": figures}), as_json=as_json, publish=publish)


@app.command()
def endure(
    *,
    minutes: Annotated[float, typer.Option(min=0.1, help="For how long.")] = measuring_endurance.MINUTES,
    rate: Annotated[float, typer.Option(min=0.1, help="Calls a second.")] = measuring_endurance.RATE,
    clients: Annotated[int, typer.Option(min=1, help="How many clients call.")] = measuring_endurance.CLIENTS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Keep four server processes and two workers on PostgreSQL and Valkey busy, and count everything."""
    with clear_errors():
        plan = measuring_endurance.Plan(minutes=minutes, rate=rate, clients=clients)
        figures = measuring_endurance.measure(plan, terminal.progress())
        given = {"minutes": minutes, "rate": rate, "clients": clients}
        finish(results.result("endure", given, figures), as_json=as_json, publish=publish)


@app.command()
def doors(
    *,
    turns: Annotated[
        list[int] | None,
        typer.Option(min=40, help="How many turns a memory holds; 300 and 3,000 if left out. Repeatable."),
    ] = None,
    prompts: Annotated[int, typer.Option(min=1, help="How many prompts at each size.")] = measuring_doors.PROMPTS,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Time starting Nacre, a recall without a server, and a hook at a prompt with one and without."""
    with clear_errors():
        plan = measuring_doors.Plan(sizes=tuple(turns or measuring_doors.SIZES), prompts=prompts)
        figures = measuring_doors.measure(plan, terminal.progress())
        given = {"prompts": prompts, "starts": plan.starts, "filled by": "rules"}
        finish(results.result("doors", given, figures), as_json=as_json, publish=publish)


@app.command()
def faults(*, as_json: AsJson = False, publish: Publish = False) -> None:
    """Stop, crash, cut, hold, kill and fill what a server stands on, and say what its callers saw and what was lost."""
    with clear_errors():
        figures = measuring_faults.measure(terminal.progress())
        finish(results.result("faults", {}, figures), as_json=as_json, publish=publish)


@app.command()
def fuzz(
    *,
    examples: Annotated[
        int, typer.Option(min=1, help="How many right and how many wrong calls of each route in a round.")
    ] = 5,
    minutes: Annotated[
        float, typer.Option(min=0, help="How long, as all callers at a time; one round if left out.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Another number makes other calls.")] = 20260501,
    as_json: AsJson = False,
    publish: Publish = False,
) -> None:
    """Call every route with nonsense; exit code 1 when one makes a mistake or answers what its schema does not say."""
    # It needs packages that nothing else here does.
    from bench import fuzz as fuzzing

    with clear_errors():
        figures = fuzzing.measure(examples, seed, minutes, terminal.progress())
        given = {"examples": examples, "minutes": minutes, "seed": seed}
        finish(results.result("fuzz", given, figures), as_json=as_json, publish=publish)
    raise typer.Exit(1 if figures["findings"] else 0)


@dataclass(frozen=True, slots=True)
class Store:
    """An empty database of its own, and the first process of its server where it has one."""

    address: str
    process: int | None = None


@contextmanager
def _store(kind: Kind) -> Iterator[Store]:
    if kind is Kind.SQLITE:
        with TemporaryDirectory(prefix="nacre-bench-") as folder:
            yield Store(str(Path(folder) / "store.db"))
    else:
        with closing(Cluster()) as cluster:
            yield Store(cluster.address, cluster.process)
