"""Check labelled conversations against GUIDE.md, and count what is in them.

python -m bench.models.reader.check FILE...
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.models.reader.labels import FILE, LabelledConversation, LabelledFact, conversations
from nacre.models.readings import MODES, PREDICATES


def mistakes(conversation: LabelledConversation) -> Iterator[str]:
    """A sentence for each label that the guide does not allow."""
    said = ""
    for number, turn in enumerate(conversation.turns):
        said += f"\n{turn.text}"
        for fact in turn.facts:
            yield from (f"{conversation.id} turn {number}: {what}" for what in _mistakes(fact, turn.text, said))


def _mistakes(fact: LabelledFact, text: str, said: str) -> Iterator[str]:
    if not fact.object or fact.object not in text:
        yield f"object {fact.object!r} is not in the turn"
    if fact.time and fact.time not in text:
        yield f"time {fact.time!r} is not in the turn"
    if fact.subject not in ("I", "you", "we") and fact.subject not in said:
        yield f"subject {fact.subject!r} was not said"
    if fact.predicate not in PREDICATES:
        yield f"predicate {fact.predicate!r} is unknown"
    if fact.mode not in MODES:
        yield f"mode {fact.mode!r} is unknown"


def summary(some: Sequence[LabelledConversation]) -> Iterator[str]:
    """Lines of counts."""
    turns = [turn for each in some for turn in each.turns]
    facts = [fact for turn in turns for fact in turn.facts]
    without = sum(not turn.facts for turn in turns)
    yield f"{len(some)} conversations, {len(turns)} turns, {len(facts)} facts, {without} turns without"
    for counts in (
        Counter(each.part for each in some),
        Counter(each.language for each in some),
        Counter(fact.mode for fact in facts),
        Counter(fact.predicate for fact in facts),
    ):
        yield ", ".join(f"{name} {count}" for name, count in counts.most_common())


def main(paths: Sequence[Path]) -> int:
    some = [each for path in paths or [FILE] for each in conversations(path)]
    wrong = [what for each in some for what in mistakes(each)]
    repeated = [name for name, count in Counter(each.id for each in some).items() if count > 1]
    wrong += [f"{name}: the id is used twice" for name in repeated]
    for line in (*summary(some), *wrong[:20], f"{len(wrong)} mistakes"):
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
