"""Every route is asked what nobody would ask: no answer may be a mistake, or other than its schema says.

First each operation alone, with right and with wrong data; then chains of calls, in which one takes what another
answered.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from multiprocessing import get_context
from typing import Any, Literal, cast
from uuid import UUID

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky, Unsatisfiable
from schemathesis import Case, GenerationMode, SerializationContext
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.core.transport import Response
from schemathesis.python.asgi import ASGIClient
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.schemas import OpenApiSchema
from starlette.types import ASGIApp, Receive, Scope, Send

from bench import terminal
from bench.progress import Progress
from bench.results import Json
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
# How long an answer may take: a busy machine is no mistake of a route.
PATIENCE_SECONDS = 120
# Calls in one chain.
STEPS = 8
ELSEWHERE = UUID(int=0)
# Texts of callers are no longer than this: a pattern that counts to a million takes longer to read than all calls.
LONGEST_TEXT = 1_000


class Caller(StrEnum):
    """Who calls: whoever is at the machine, a team with an administrator's token, or a stranger to that team."""

    TOKEN = "with a token"
    LOCAL = "without, at the machine"
    STRANGER = "without, of a team"


@dataclass(frozen=True)
class Target:
    """An application with something in it, and what its callers send along."""

    api: OpenApiSchema
    operations: dict[str, APIOperation[Any, Any, Any, Any]]
    session: ASGIClient
    headers: dict[str, str]
    token: UUID | None

    def call(self, case: Case[Any]) -> Response:
        """Carry out a call."""
        if case.query and "seconds" in case.query:
            # Streams last as long as they are asked to.
            case.query["seconds"] = 1
        if case.path_parameters and case.path_parameters.get("token") == str(self.token):
            # Whoever revokes the token it calls with is only turned away from then on.
            case.path_parameters["token"] = str(ELSEWHERE)
        return case.call(session=self.session, headers=self.headers, timeout=PATIENCE_SECONDS)

    def check(self, case: Case[Any]) -> None:
        """Carry out a call and look at the answer; a failure is raised as schemathesis words it."""
        case.validate_response(self.call(case), checks=CHECKS)


@dataclass
class Findings:
    """Answers by kind, and the problems that were found in them."""

    statuses: Counter[str] = field(default_factory=Counter)
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def look(self, case: Case[Any], reply: Response) -> None:
        """Count an answer and what is wrong with it."""
        status = reply.status_code
        self.statuses["401" if status == 401 else f"{status // 100}xx"] += 1
        try:
            case.validate_response(reply, checks=CHECKS)
        except FailureGroup as failures:
            for each in failures.exceptions:
                key = (case.operation.label, type(each).__name__)
                self.problems[key] += 1
                if key not in self.examples:
                    self.examples[key] = f"{each}\n{case.as_curl_command()}"[:2_000]
                    terminal.notice(f"{': '.join(key)}\n{self.examples[key]}")


@contextmanager
def target(caller: Caller = Caller.TOKEN) -> Iterator[Target]:
    """A target in memory, in which the agent has something of every kind."""
    auth: Literal["local", "team"] = "local" if caller is Caller.LOCAL else "team"
    with Nacre(":memory:", settings=Settings(embedder="off", worker="off", auth=auth, rate_limit=0)) as nacre:
        _fill(nacre)
        app = cast("Any", _at_the_machine(create_app(nacre)))
        headers, token = {"Host": "localhost"}, None
        api = schemathesis.openapi.from_asgi("/openapi.json", app, headers=headers)
        _shorten(api.raw_schema)
        # Callers send the token they have, or none.
        api.config.generation.update(with_security_parameters=False)
        found = [result.ok() for result in api.get_all_operations() if isinstance(result, Ok)]
        operations = {each.label: each for each in found}
        if caller is Caller.TOKEN:
            issued = nacre.tokens.issue("fuzz", "admin")
            headers["Authorization"], token = f"Bearer {issued.secret}", issued.token.id
        # A redirect to another host would be followed without the token.
        with ASGIClient(app, "http://localhost") as session:
            yield Target(api, operations, session, headers, token)


def attack(
    operation: APIOperation[Any, Any, Any, Any],
    check: Callable[[Case[Any]], None],
    *,
    examples: int,
    number: int = SEED,
) -> int:
    """Call an operation with right and with wrong data, so many times each; how many calls there were."""
    made = 0
    limits = _limits(examples)
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


def chain(
    under_attack: Target, look: Callable[[Case[Any], Response], None], *, examples: int, number: int = SEED
) -> int:
    """Call operations one after the other, each with what another answered; how many calls there were."""
    made = begun = 0

    class Chain(under_attack.api.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            nonlocal begun
            begun += 1

        def before_call(self, case: Case[Any]) -> None:
            right = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
            if right and "agent" in case.path_parameters:
                case.path_parameters["agent"] = AGENT

        def call(self, case: Case[Any], **_options: Any) -> Response:
            nonlocal made
            made += 1
            return under_attack.call(case)

        def validate_response(self, response: Response, case: Case[Any], *_checks: Any, **_options: Any) -> None:
            look(case, response)

    before = -1
    while before < begun < examples:
        before = begun
        limits = settings(_limits(examples - begun), stateful_step_count=STEPS)
        try:
            seed(number + begun)(Chain).run(settings=limits)
        except Flaky:
            # The target keeps what it was told, so the same calls were answered otherwise: others go on.
            continue
        break
    return made


def measure(examples: int, number: int, minutes: float, progress: Progress) -> Json:
    """Attack every operation as every caller, all callers at a time; what was found."""
    callers: Json = {}
    problems: Counter[tuple[str, str]] = Counter()
    shown: dict[tuple[str, str], str] = {}
    # Each has a process of its own: what generates data knows of one thread.
    pool = ProcessPoolExecutor(len(Caller), get_context("spawn"))
    with pool, progress.track("callers", len(Caller)) as advance:
        begun = {pool.submit(_besiege, caller, examples, number, minutes * 60): caller for caller in Caller}
        for ended in as_completed(begun):
            callers[begun[ended].value], findings = ended.result()
            problems += findings.problems
            shown |= findings.examples
            advance(1)
    return {
        "operations": max(of["operations"] for of in callers.values()),
        "callers": {caller.value: callers[caller.value] for caller in Caller},
        "findings": [
            {"operation": label, "problem": problem, "times": times, "example": shown[label, problem]}
            for (label, problem), times in problems.most_common()
        ],
    }


def _besiege(caller: Caller, examples: int, number: int, seconds: float) -> tuple[Json, Findings]:
    """Rounds of calls, each on a target of its own and with other data, until the time is over; one without a time."""
    findings, reached = Findings(), set[str]()
    alone = chained = rounds = 0
    begun = time.perf_counter()
    while not rounds or time.perf_counter() - begun < seconds:
        with target(caller) as under_attack:

            def look(case: Case[Any]) -> None:
                findings.look(case, under_attack.call(case))

            chains = max(1, examples * len(under_attack.operations) // STEPS)
            chained += chain(under_attack, findings.look, examples=chains, number=number + rounds)
            for label, operation in under_attack.operations.items():
                if not seconds or time.perf_counter() - begun < seconds:
                    alone += attack(operation, look, examples=examples, number=number + rounds)
                    reached.add(label)
        rounds += 1
    figures = {
        "operations": len(reached),
        "rounds": rounds,
        "seconds": round(time.perf_counter() - begun),
        "requests": alone + chained,
        "chained": chained,
        "statuses": dict(findings.statuses),
        "violations": sum(findings.problems.values()),
    }
    return figures, findings


def _shorten(schema: Any) -> None:
    """Let no text of a schema be long."""
    if isinstance(schema, list):
        for each in schema:
            _shorten(each)
    elif isinstance(schema, dict):
        if isinstance(schema.get("maxLength"), int):
            schema["maxLength"] = min(schema["maxLength"], LONGEST_TEXT)
        for each in schema.values():
            _shorten(each)


def _limits(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def _at_the_machine(app: ASGIApp) -> ASGIApp:
    """The application, called from an address of its own machine."""

    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        # A mistake was answered by then, with a 5xx; it is raised once more for the log of a server.
        with suppress(Exception):
            await app({**scope, "client": ("127.0.0.1", 50_000)}, receive, send)

    return called


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
