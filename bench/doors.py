"""What a person waits for at the doors of Nacre: starting it, a command without a server, and a hook at a prompt.

Everything runs as a person's client runs it: in a home of its own that `nacre install` has worked in, each call a
process of its own. Processor time stands beside the time on the clock, which other work on the machine makes longer.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench import synthetic
from bench.metrics import percentile
from bench.progress import Progress
from bench.sources import ROOT
from bench.tables import Table, number
from nacre import Nacre, Settings

SIZES = (300, 3_000)
STARTS, PROMPTS = 7, 40
# A person does not send two prompts within this time.
PACE_SECONDS = 1.0
SESSION_PROMPTS = 10
# What a server that has nothing to do takes of the processor in a second, and a little more.
RESTING_MS = 30.0

NACRE = (sys.executable, "-m", "nacre")
BARE = {
    "python": (sys.executable, "-c", "pass"),
    "import sqlalchemy, pydantic": (sys.executable, "-c", "import sqlalchemy, pydantic"),
    "import nacre": (sys.executable, "-c", "import nacre"),
    "from nacre import Nacre": (sys.executable, "-c", "from nacre import Nacre"),
    "nacre version": (*NACRE, "version"),
}
# In milliseconds: what must be met, of processor time and on the clock.
MUST_CPU = {"import nacre": 500, "recall without a server": 1_000}
MUST = {"nacre version": 150, "hook at a prompt, server up": 60, "hook at a prompt, no server": 600}

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many turns the memory holds, and how often each thing is done."""

    sizes: tuple[int, ...] = SIZES
    starts: int = STARTS
    prompts: int = PROMPTS
    pace_seconds: float = PACE_SECONDS


@dataclass(frozen=True, slots=True)
class Home:
    """A home in which Nacre is installed in a client."""

    folder: Path
    variables: Mapping[str, str]

    @property
    def hook(self) -> list[str]:
        """What the client runs at a prompt."""
        held = json.loads((self.folder / ".claude/settings.json").read_text(encoding="utf-8"))
        return shlex.split(held["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"])

    @property
    def settings(self) -> Json:
        """The personal settings that were written."""
        return tomllib.loads((self.folder / ".config/nacre/nacre.toml").read_text(encoding="utf-8"))

    def nacre(self, *arguments: str) -> str:
        """What a command prints."""
        words = [*NACRE, *arguments]
        return subprocess.run(
            words, env=self.variables, cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout


def measure(plan: Plan, progress: Progress) -> Json:
    """The times of starting, and for each size those of a recall and of hooks."""
    with _home() as home, progress.track("starts", len(BARE)) as advance:
        starts: Json = {}
        for name, words in BARE.items():
            starts[name] = _summed([timed(words, home.variables, home.folder) for _ in range(plan.starts)])
            advance(1)
    return {"starts": starts, "sizes": {str(size): _sized(size, plan, progress) for size in plan.sizes}}


def tables(document: Json) -> list[Table]:
    """Times of starting, and those of a memory by its size."""
    machine = document["machine"]
    columns = ("what", "p50, ms", "p95, ms", "processor, ms", "of the server, ms", "must, ms")
    started = tuple(_row(name, of) for name, of in document["starts"].items())
    sized = tuple(
        _row(f"{name}, {int(size):,} turns", of, name)
        for size, figures in document["sizes"].items()
        for name, of in figures.items()
    )
    note = (
        "p50 and p95 are on the clock. `must` is what was promised: for `import nacre` and for a recall without a "
        "server of processor time, else of p50. At a prompt without a server a hook starts one and says nothing yet. "
        f"When it was measured, {machine['load']:g} processes shared {machine['cores']} cores."
    )
    return [Table("Starting, and a hook at a prompt", columns, started + sized, note)]


def timed(words: Sequence[str], variables: Mapping[str, str], folder: Path, stdin: bytes = b"") -> tuple[float, float]:
    """Milliseconds on the clock and of processor time that a process takes."""
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(
            words, env=variables, cwd=folder, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(words))
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def _sized(size: int, plan: Plan, progress: Progress) -> Json:
    figures: Json = {}
    with _home() as home, progress.track(f"{size:,} turns", plan.starts + 2 * plan.prompts) as advance:
        _fill(home, size)
        questions = synthetic.queries(size, plan.prompts)
        recalls = []
        for question in questions[: plan.starts]:
            recalls.append(timed([*NACRE, "recall", question], home.variables, home.folder))
            advance(1)
        figures["recall without a server"] = _summed(recalls)
        alone = []
        for place, question in enumerate(questions[: plan.starts]):
            alone.append(timed(home.hook, home.variables, home.folder, _payload(question, f"alone-{place}")))
            _end(home)
        figures["hook at a prompt, no server"] = _summed(alone)
        home.nacre("up")
        try:
            _settle(home)
            figures["hook at a prompt, server up"] = _prompted(home, questions, plan, advance)
        finally:
            home.nacre("down")
    return figures


def _prompted(home: Home, questions: Sequence[str], plan: Plan, advance: Any) -> Json:
    server, hook, times, of_server = _server(home), home.hook, [], []
    for place, question in enumerate(questions):
        payload = _payload(question, f"session-{place // SESSION_PROMPTS}")
        before = _processor_ms(server)
        times.append(timed(hook, home.variables, home.folder, payload))
        of_server.append(_processor_ms(server) - before)
        advance(1)
        time.sleep(plan.pace_seconds)
    return {**_summed(times), "server_ms": round(sum(of_server) / len(of_server), 1), "first_ms": round(times[0][0], 1)}


@contextmanager
def _home() -> Iterator[Home]:
    with tempfile.TemporaryDirectory(prefix="nacre-doors-", ignore_cleanup_errors=True) as folder:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        variables = {**kept, "HOME": folder, "PYTHONPATH": str(ROOT / "src")}
        home = Home(Path(folder), variables)
        home.nacre("install", "claude-code")
        yield home


def _fill(home: Home, size: int) -> None:
    """Put turns into the memory of a home, and have them learned."""
    given = home.settings
    settings = Settings(database=given["database"], agent=given["agent"], user=given["user"], extraction="rules")
    with Nacre(settings=settings) as nacre:
        memory = nacre.scope(given["agent"], given["user"])
        memory.observe_many(synthetic.turns(size))
        # The vectors of tokens too, which a server would otherwise make while it is timed.
        memory.learned()


def _settle(home: Home) -> None:
    """Wait until the server has nothing left to load: until it takes next to no processor time."""
    server, before = _server(home), -1000.0
    while (now := _processor_ms(server)) - before > RESTING_MS:
        before = now
        time.sleep(1.0)


def _end(home: Home) -> None:
    """End the server that a hook has started, once it is up."""
    for _ in range(200):
        if json.loads(home.nacre("status", "--json"))["up"]:
            break
        time.sleep(0.1)
    home.nacre("down")


def _server(home: Home) -> int:
    return int(json.loads(home.nacre("status", "--json"))["pid"])


def _processor_ms(process: int) -> float:
    """Processor time that a process has taken so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _payload(prompt: str, session: str) -> bytes:
    told = {"session_id": session, "cwd": "/project", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    return json.dumps(told).encode()


def _summed(times: Sequence[tuple[float, float]]) -> Json:
    walls, processor = [wall for wall, _ in times], [used for _, used in times]
    return {
        "calls": len(times),
        "p50_ms": round(median(walls), 1),
        "p95_ms": round(percentile(walls, 95), 1),
        "cpu_ms": round(median(processor), 1),
    }


def _row(name: str, of: Json, kind: str | None = None) -> tuple[str, ...]:
    kind = kind or name
    must = MUST.get(kind) or MUST_CPU.get(kind)
    figures = (of["p50_ms"], of["p95_ms"], of["cpu_ms"], of.get("server_ms"), must)
    return (f"`{name}`" if kind in BARE else name, *(number(each, None if each is None else 0) for each in figures))
