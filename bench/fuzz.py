"""Every route is asked what nobody would ask: no answer may be a mistake, or other than its schema says."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode, SerializationContext
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.python.asgi import ASGIClient, get_client
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi import checks

from bench.progress import Progress
from bench.results import Json
from bench.tables import Table
from nacre import Nacre, Settings
from nacre.http.app import create_app

AGENT = "assistant"
SEED = 20260501
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
TEXT = "Kim moved to Zanzibar in May and leads the launch of Pebble at Acme."


@dataclass(frozen=True)
class Target:
    """An application with something in it, and what its callers send along."""

    operations: dict[str, APIOperation[Any, Any, Any, Any]]
    session: ASGIClient
    headers: dict[str, str]

    def check(self, case: Case[Any]) -> None:
        """Carry out a call and look at the answer; a failure is raised as schemathesis words it."""
        if case.query and "seconds" in case.query:
            # Streams last as long as they are asked to.
            case.query["seconds"] = 1
        reply = case.call(session=self.session, headers=self.headers)
        case.validate_response(reply, checks=CHECKS)


@contextmanager
def target() -> Iterator[Target]:
    """A target in memory, in which the agent has something of every kind."""
    with Nacre(":memory:", settings=Settings(embedder="off", worker="off", auth="team", rate_limit=0)) as nacre:
        _fill(nacre)
        app = create_app(nacre)
        api = schemathesis.openapi.from_asgi("/openapi.json", app)
        found = [result.ok() for result in api.get_all_operations() if isinstance(result, Ok)]
        operations = {each.label: each for each in found}
        secret = nacre.tokens.issue("fuzz", "admin").secret
        with get_client(cast("Any", app)) as session:
            yield Target(operations, session, {"Authorization": f"Bearer {secret}"})


def attack(
    operation: APIOperation[Any, Any, Any, Any],
    check: Callable[[Case[Any]], None],
    *,
    examples: int,
    number: int = SEED,
) -> int:
    """Call an operation with right and with wrong data, so many times each; how many calls there were."""
    made = 0
    limits = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for mode in GenerationMode:

        def run(case: Case[Any]) -> None:
            nonlocal made
            made += 1
            check(case)

        named = {"agent": AGENT} if "{agent}" in operation.path and mode is GenerationMode.POSITIVE else None
        strategy = operation.as_strategy(generation_mode=mode, path_parameters=named)
        try:
            seed(number)(limits(given(case=strategy)(run)))()
        except Unsatisfiable:
            # Nothing can be wrong with a call that takes nothing.
            continue
    return made


def measure(examples: int, number: int, progress: Progress) -> Json:
    """Attack every operation; what was found, by operation."""
    found: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], str] = {}
    calls, begun = 0, time.perf_counter()
    with target() as under_attack:

        def look(case: Case[Any]) -> None:
            try:
                under_attack.check(case)
            except FailureGroup as failures:
                for each in failures.exceptions:
                    key = (case.operation.label, type(each).__name__)
                    found[key] += 1
                    shown.setdefault(key, f"{each}\n{case.as_curl_command()}"[:2_000])

        count = len(under_attack.operations)
        with progress.track("operations", count) as advance:
            for operation in under_attack.operations.values():
                calls += attack(operation, look, examples=examples, number=number)
                advance(1)
    return {
        "operations": count,
        "calls": calls,
        "seconds": round(time.perf_counter() - begun),
        "findings": [
            {"operation": label, "problem": problem, "times": times, "example": shown[label, problem]}
            for (label, problem), times in found.most_common()
        ],
    }


def tables(document: Json) -> list[Table]:
    """One row for each problem of each operation."""
    rows = [(each["operation"], each["problem"], str(each["times"])) for each in document["findings"]]
    note = f"{document['calls']:,} calls of {document['operations']} operations in {document['seconds']:,} s."
    return [Table("Fuzzing", ("operation", "problem", "times"), tuple(rows) or (("none", "", "0"),), note)]


def _fill(nacre: Nacre) -> None:
    scope = nacre.scope(AGENT)
    scope.observe("user", TEXT, session="s1", speaker="Kim")
    memory = scope.remember(TEXT, category="general", tags=["launch"])
    scope.memories.set_importance(memory.id, 0.9)
    scope.working("session/s1").save("draft", TEXT)
    scope.feedback.record("praise", TEXT)
    scope.skills.save("email/reply", summary="Answer mail.", content=TEXT)
    scope.ontology.set("Kim", "home/general/city", "Zanzibar")
    scope.summaries.summarize("s1")
    scope.dreams.run()
    nacre.parts.worker.drain()


@schemathesis.serializer("application/x-ndjson")
def _lines(_context: SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
