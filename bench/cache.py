"""What a cache of nodes saves: `python -m bench.cache ADDRESS CACHE`, on a database and a Valkey that are there.

Reads with and without the cache take turns, so that a busy machine slows both.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median

from nacre import Nacre, ScopedNacre, Settings

LINKS, ROUNDS = (5, 50, 500), 200


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="A new SQLite file, or an empty PostgreSQL database.")
    parser.add_argument("cache", help="Such as redis://localhost:6379/0.")
    given = parser.parse_args()
    with (
        Nacre(given.address, settings=Settings(worker="off", cache=given.cache)) as cached,
        Nacre(given.address, settings=Settings(worker="off")) as plain,
    ):
        for count in LINKS:
            report(count, cached.scope("bench", str(count)), plain.scope("bench", str(count)))


def report(count: int, cached: ScopedNacre, plain: ScopedNacre) -> None:
    """The figures of one entity with so many links."""
    hub = plain.graph.add("Hub").id
    for each in range(count):
        plain.graph.link(hub, "knows", f"Person {each}")
    print(f"\n{count} links, p50 in ms")
    shown("by id", lambda: plain.graph.node(hub), lambda: cached.graph.node(hub))
    shown("by name", lambda: plain.graph.node("Hub"), lambda: cached.graph.node("Hub"))
    shown("by id, after a write", *(after_a_write(scope, plain, str(hub)) for scope in (plain, cached)))


def after_a_write(scope: ScopedNacre, writer: ScopedNacre, hub: str) -> Callable[[], float]:
    """A read that finds what is kept out of date; returns how long it took."""

    def timed() -> float:
        writer.graph.add("Bystander", description=str(time.monotonic()))
        started = time.perf_counter()
        scope.graph.node(hub)
        return time.perf_counter() - started

    return timed


def shown(title: str, *reads: Callable[[], object]) -> None:
    """Print the medians of reads that take turns: without the cache, and with it."""
    taken: list[list[float]] = [[] for _ in reads]
    for _ in range(ROUNDS):
        for read, times in zip(reads, taken, strict=True):
            started = time.perf_counter()
            told = read()
            times.append(told if isinstance(told, float) else time.perf_counter() - started)
    print(f"  {title:22}" + "  ".join(f"{1000 * median(times):7.2f}" for times in taken))


if __name__ == "__main__":
    main()
