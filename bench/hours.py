"""First hours: small lives that strangers typed, and whether a context holds what each later request needs.

Each file is of one person who had read the README alone and wrote lives, requests and needs before running anything.
Each was looked at when it came, and what it showed was mended: by hand, `a` had 63 % of what it needed when it came,
`b` 79 %, `c` 75 %, `f` 80 %, the English ones of `g` 79 % and those of `h`, the last, 95 %, its Spanish ones 76 %; by
words, `d` had 74 %, `e` 62 % and the Spanish ones of `g` 41 %. By hand `l` (two of five in Spanish) had 88 %, `m`,
where a quarter was saved as memories and is told as turns here, 95 %,
`o` (one of four in Spanish) 95 % and `p` (one of four in Spanish) 97 %, a fifth of it beside an old value.
"""

import re
from datetime import UTC, datetime
from typing import Any

from bench import writers
from bench.progress import Progress
from bench.sources import ROOT
from bench.tables import Table
from nacre import Nacre, ScopedNacre

Json = dict[str, Any]

FOLDER = ROOT / "bench" / "labels" / "first-hours"
PROFILE = "profile"


def measure(progress: Progress) -> Json:
    """What contexts hold, by writer."""
    return writers.measure("first hours", writers.load(FOLDER), judge, progress)


def judge(life: Json) -> Json:
    """A life told turn by turn, and its requests asked in a session of their own."""
    with Nacre(":memory:") as nacre:
        scope = tell(nacre, life)
        asked = [
            (each["needs"], scope.context(each["request"], session="later", speaker=each.get("speaker")))
            for each in life["asks"]
        ]
        quiet = [scope.context(message, session="other") for message in life["unrelated"]]
    shown = [sum(holds(context.text, need) for need in needs) for needs, context in asked]
    return {
        "requests": len(asked),
        "complete": sum(some == len(needs) for some, (needs, _) in zip(shown, asked, strict=True)),
        "needs": sum(len(needs) for needs, _ in asked),
        "shown": sum(shown),
        "lines": sum(len(context.lines) for _, context in asked),
        "tokens": sum(context.tokens for _, context in asked),
        "unrelated": len(quiet),
        "answered": sum(any(line.label != PROFILE for line in context.lines) for context in quiet),
    }


def tell(nacre: Nacre, life: Json) -> ScopedNacre:
    """The scope that a life was told to, turn by turn."""
    scope = nacre.scope("first-hours", user=life["user"])
    for turn in life["turns"]:
        at = datetime.fromisoformat(turn["at"])
        scope.observe(
            "user",
            turn["text"],
            session=turn.get("session"),
            speaker=turn.get("speaker"),
            at=at if at.tzinfo else at.replace(hour=9, tzinfo=UTC),
        )
    scope.learned()
    return scope


def holds(text: str, need: str) -> bool:
    """Whether a text holds what a request needs."""
    return re.search(need, text, re.IGNORECASE) is not None


def tables(document: Json) -> list[Table]:
    """What is shown of what is needed, by writer."""
    rows = tuple(
        (
            name,
            f"{each['shown']} of {each['needs']} ({each['shown'] / each['needs']:.0%})",
            f"{each['complete']} of {each['requests']}",
            f"{each['lines'] / each['requests']:.1f}",
            f"{each['tokens'] / each['requests']:.0f}",
            f"{each['answered']} of {each['unrelated']}",
        )
        for name, each in document["hours"].items()
    )
    note = "needed: facts that a request needs, by words that the writer gave; a line under an outdated mark counts as "
    note += "shown. answered: unrelated messages that got a line beside the profile."
    columns = ("writer", "needed facts shown", "requests complete", "lines", "tokens", "answered")
    return [Table("First hours of strangers", columns, rows, note)]
