"""Explanations of beliefs, told to an agent."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice
from typing import Annotated

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain.clocks import shifted
from nacre.domain.errors import NotFound
from nacre.domain.links import Link
from nacre.tools import lines
from nacre.tools.beliefs import fits, named
from nacre.tools.essentials import AsOf

MAX_EXPLAINED = 8
MAX_KNOWN = 20
MAX_HEARD = 3

_MEMORY = re.compile(r"\[?([0-9a-f]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]?")


class ExplanationTools:
    """The grounds of claims, links and memories."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._scope = scope
        self._ontology, self._graph = scope.ontology, scope.graph

    def explain(
        self,
        subject: Annotated[str, Field(description="A person or thing by name, or the id of a memory.")],
        what: Annotated[str | None, Field(description="What of it, such as `favourite colour`.")] = None,
        as_of: AsOf = None,
    ) -> str:
        """Why something is believed: the exact words behind it, who decided, and what was believed before."""
        memory = _MEMORY.fullmatch(subject.strip().lower())
        if memory:
            return lines.fenced(self._memory_lines(memory[1]))
        then = lines.moment("as_of", as_of)
        name = named(self._scope, subject)
        try:
            claims = self._ontology.explain(entity=name, as_of=then)
            links = self._graph.links(name, as_of=then)
        except NotFound:
            claims, links = [], []
        beliefs = [each for each in claims if what is None or fits(str(each.claim.slot), what)]
        edges = [each for each in links if what is None or fits(each.predicate, what)]
        parts: list[Iterator[str]] = [lines.belief(each) for each in beliefs]
        parts += [self._edge_lines(each) for each in edges[:MAX_EXPLAINED]]
        if parts:
            more = len(beliefs) + len(edges) - MAX_EXPLAINED
            rest = [f"{more} more; say `what` to see them."] if more > 0 else []
            return lines.fenced([line for each in parts[:MAX_EXPLAINED] for line in each] + rest)
        known = [*(each.claim.slot.claim or each.claim.slot.aspect for each in claims), *(e.predicate for e in links)]
        return lines.fenced(self._heard(name, what, known, as_of))

    def _edge_lines(self, link: Link) -> Iterator[str]:
        yield from lines.connection(self._ontology.explain_link(link.id))
        then = shifted(link.created_at, -timedelta.resolution)
        for each in self._graph.links(link.source, as_of=then):
            if each.predicate == link.predicate and each.source == link.source and each.id != link.id:
                end = self._graph.get(each.target, as_of=then).name if each.target else each.value or ""
                yield f"  before: {lines.short(end)}"

    def _memory_lines(self, key: str) -> Iterator[str]:
        memory = self._scope.memories.get(key)
        yield f"[{memory.short}] ({memory.category}, {memory.status.value}): {lines.short(memory.content)}"
        for each in self._scope.memories.evidence(memory.id):
            yield from lines.grounds(each)
        for change in self._scope.memories.history(memory.id):
            yield f"  {change.record.at:%Y-%m-%d}: {change.record.operation} by {change.record.actor}"

    def _heard(self, name: str, what: str | None, lines_told: Sequence[str], as_of: str | None) -> Iterator[str]:
        """What was said about something that nothing is believed of."""
        yield f"Nothing is believed of {lines.short(name)}" + (f" about {lines.short(what)}." if what else ".")
        if lines_told:
            yield f"Known of it: {', '.join(islice(dict.fromkeys(lines_told), MAX_KNOWN))}."
        said = self._scope.recall(f"{name} {what or ''}".strip(), limit=MAX_HEARD, as_of=lines.moment("as_of", as_of))
        if said:
            yield "What was said:"
            yield from map(lines.hit, said)
