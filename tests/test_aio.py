"""AsyncNacre mirrors Nacre, and is generated from it."""

import asyncio
import inspect
import shutil
import sqlite3
import sys
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from nacre import (
    AsyncNacre,
    AsyncScopedNacre,
    Context,
    Invalid,
    Nacre,
    Observation,
    Recall,
    Scope,
    ScopedNacre,
    Settings,
    Turn,
)
from nacre.work import threads
from tests.waits import HANGS

ROOT = Path(__file__).parent.parent
WORDS = Settings(embedder="off")


@pytest.fixture
def generator(tmp_path, monkeypatch):
    """script/generate as a module that compares, over a copy of what it reads. It makes the API's schema once."""
    monkeypatch.syspath_prepend(ROOT / "script")
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    made = ModuleType("generate")
    made.__file__ = str(ROOT / "script/generate")
    exec(Path(made.__file__).read_text(encoding="utf-8"), vars(made))
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("web", "models", "__pycache__"))
    for name in ("SOURCES", "TARGET", "CONTRACTS", "CLIENT", "HISTORY"):
        file = getattr(made, name)
        setattr(made, name, place := tmp_path / file.relative_to(ROOT))
        if not place.exists():
            place.parent.mkdir(parents=True)
            shutil.copy(file, place)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    vars(made)["ROOT"] = tmp_path
    return made


def test_what_is_generated_is_what_the_generator_writes_until_a_method_or_route_changes(generator, capsys):
    assert generator.main() == 0, capsys.readouterr().err

    brain = generator.SOURCES / "scoped.py"
    brain.write_text(brain.read_text(encoding="utf-8").replace("limit: int = 10", "limit: int = 11"), encoding="utf-8")
    generator.CONTRACTS.write_text("export interface Operations {}\n", encoding="utf-8")

    assert generator.main() == 1
    said = capsys.readouterr().err
    assert "src/nacre/aio.py is out of date: run script/generate" in said
    assert "dashboard/src/api/contracts.ts is out of date" in said
    assert "clients/typescript" not in said


@pytest.mark.parametrize(("synchronous", "asynchronous"), [(Nacre, AsyncNacre), (ScopedNacre, AsyncScopedNacre)])
def test_every_public_method_is_there_with_its_signature(synchronous, asynchronous):
    public = {name: each for name, each in vars(synchronous).items() if inspect.isfunction(each) and name[0] != "_"}

    for name, method in public.items():
        mirror = getattr(asynchronous, name)
        assert inspect.signature(mirror).parameters == inspect.signature(method).parameters
        assert inspect.getdoc(mirror) == inspect.getdoc(method)
        assert inspect.iscoroutinefunction(mirror) == (name not in {"agent", "graph_of", "scope", "working"})


def test_opening_takes_what_the_constructor_takes():
    assert inspect.signature(AsyncNacre).parameters == inspect.signature(Nacre).parameters


def test_the_same_calls_have_the_same_results(sqlite_url):
    async def use() -> tuple[Scope, Recall, Context]:
        async with AsyncNacre(sqlite_url, settings=WORDS) as nacre:
            ana = nacre.scope("assistant", user="ana")
            await ana.observe("user", "I like tea", session="s1")
            await ana.observe_many(Turn(role="user", text=f"Cup {number} of tea") for number in (1, 2))
            await ana.remember("No sugar in the tea", tags=["tea"])
            return ana.scope, await ana.recall("tea"), await ana.context("tea")

    scope, recalled, context = asyncio.run(use())

    with Nacre(sqlite_url, settings=WORDS) as nacre:
        ana = nacre.scope("assistant", user="ana")
        assert scope == ana.scope
        assert len(recalled) == 4
        assert recalled == ana.recall("tea")
        assert context == ana.context("tea")


def test_errors_are_the_same(sqlite_url):
    async def use() -> None:
        async with AsyncNacre(sqlite_url, settings=WORDS) as nacre:
            await nacre.scope("assistant").recall("tea", limit=0)

    with pytest.raises(Invalid, match="`limit` must be from 1"):
        asyncio.run(use())


def test_the_event_loop_runs_while_a_call_waits(sqlite_url):
    may_go_on = threading.Event()

    def clock() -> datetime:
        assert may_go_on.wait(HANGS), "The event loop was blocked."
        return datetime(2026, 5, 1, tzinfo=UTC)

    async def use() -> Observation:
        async with AsyncNacre(sqlite_url, settings=WORDS, clock=clock) as nacre:
            waiting = asyncio.create_task(nacre.scope("assistant").observe("user", "tea"))
            await asyncio.sleep(0.05)
            may_go_on.set()
            return await waiting

    assert asyncio.run(use()).at == datetime(2026, 5, 1, tzinfo=UTC)


def test_many_calls_at_once_are_all_kept(sqlite_url):
    async def use() -> Recall:
        async with AsyncNacre(sqlite_url, settings=WORDS) as nacre:
            scope = nacre.scope("assistant")
            await asyncio.gather(*(scope.observe("user", f"Cup {number} of tea") for number in range(20)))
            return await scope.recall("tea", limit=50)

    assert len(asyncio.run(use())) == 20


@pytest.mark.parametrize("ends", [True, False])
def test_a_cancelled_call_says_whether_it_was_carried_out(tmp_path, monkeypatch, ends):
    """Cancelled while the database is held by somebody else: it is, once that is over."""
    monkeypatch.setattr(threads, "CANCELLED_SECONDS", 5.0 if ends else 0.05)
    asyncio.run(cancel(tmp_path, ends=ends))


async def cancel(tmp_path: Path, *, ends: bool) -> None:
    async with AsyncNacre(tmp_path / "brain.db", settings=Settings(embedder="off", worker="off")) as nacre:
        scope, told = nacre.scope("a", user="ana"), []

        async def observe():
            try:
                await scope.observe("user", "storm near the harbour")
            except asyncio.CancelledError as error:
                told.append(str(error))
                raise

        with closing(sqlite3.connect(tmp_path / "brain.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            task = asyncio.create_task(observe())
            await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.sleep(0.1 if ends else 0.3)
            other.execute("ROLLBACK")
        with pytest.raises(asyncio.CancelledError):
            await task

        assert told[0].startswith("The call was carried out" if ends else "The call goes on")
        for _ in range(200):
            if (await scope.recall("storm")).hits:
                return
            await asyncio.sleep(0.05)
        pytest.fail("It was lost.")
