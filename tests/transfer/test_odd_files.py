"""Files of other systems that are not as expected: every parser refuses or skips, and none breaks."""

import json
import random
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from nacre import Invalid
from nacre.transfer import chatgpt, claude, claude_code, codex, graphiti, langgraph, letta
from tests.transfer import exports
from tests.transfer.test_graph_dumps import EDGES, EPISODES, NODES, exported

NOW = datetime(2026, 5, 3, tzinfo=UTC)
ODD = [None, 1, -1.5, 1e400, True, "", [], {}, [1], {"a": 1}, "x" * 300, "\ud800", "\x00", 10**30, "2026-99-99", "{"]
ITEM = {"namespace": ["users"], "key": "tea", "value": {"likes": "green"}, "created_at": "2026-01-05T10:00:00Z"}


def read(lines):
    return [json.loads(line) for line in lines.splitlines()]


PARSERS: dict[str, tuple[Any, Any]] = {
    "chatgpt": (chatgpt.parse, json.loads(exports.CHATGPT)),
    "claude": (claude.parse, json.loads(exports.CLAUDE)),
    "claude-code": (claude_code.parse, read(exports.CLAUDE_CODE)),
    "codex": (codex.parse, read(exports.CODEX)),
    "codex of before": (codex.parse, read(exports.OLD_CODEX)),
    "letta": (partial(letta.parse, now=NOW), json.loads(exports.LETTA)),
    "letta of before": (partial(letta.parse, now=NOW), json.loads(exports.OLD_LETTA)),
    "graphiti": (partial(graphiti.parse, now=NOW), {"nodes": NODES, "edges": EDGES, "episodes": EPISODES}),
    "neo4j": (partial(graphiti.parse, now=NOW), read(exported())),
    "langgraph": (langgraph.parse, [ITEM, ITEM]),
}
ON_LINES = ("claude-code", "codex", "codex of before", "neo4j")


def changed(value, chance, at_random):
    if at_random.random() < chance:
        return at_random.choice(ODD)
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if at_random.random() > chance / 3}
        return {name: changed(each, chance, at_random) for name, each in kept.items()}
    return [changed(each, chance, at_random) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_odd_is_refused_or_skipped(name):
    parse, sample = PARSERS[name]
    for seed in range(150):
        at_random = random.Random(seed)
        made = changed(sample, at_random.choice([0.02, 0.1, 0.3]), at_random)
        on_lines = name in ON_LINES and isinstance(made, list)
        data = (exports.lines(*made) if on_lines else json.dumps(made)).encode(errors="replace")
        try:
            list(parse(data[: at_random.randrange(len(data) + 1)] if seed % 10 == 0 else data).records)
        except Invalid:
            continue
