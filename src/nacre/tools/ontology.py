"""The operations of the ontology for an agent: carried out, proposed, looked back on, taken back."""

from typing import Annotated, Any

from pydantic import Field

from nacre.brain import ScopedNacre
from nacre.domain.audits import AGENT, AuditRecord
from nacre.tools import lines

Operations = Annotated[
    list[dict[str, Any]],
    Field(
        description='Such as {"operation": "set_claim_value", "payload": {"entity": "Ana", "aspect": "taste", '
        '"claim": "favourite_colour", "value": "green"}, "reason": "…"}.',
        min_length=1,
        max_length=500,
    ),
]


class OntologyTools:
    """The one path of every change, and its log."""

    def __init__(self, scope: ScopedNacre, actor: str = AGENT) -> None:
        self._scope, self._actor = scope, actor

    def apply_operations(self, operations: Operations, dry_run: bool = False) -> str:
        """Carry out operations on entities, links and claims, all or none; a dry run tells what they would do."""
        report = self._scope.ontology.submit(operations, dry_run=dry_run, actor=self._actor)
        done = [f"- {lines.short(each.outcome.summary)}{_key(each.record)}" for each in report.applied]
        wrong = [f"- operations[{each.index}] {each.code}: {lines.short(each.error)}" for each in report.errors]
        return "\n".join(["Would do:" if dry_run else "Done:", *done, *(["Refused:", *wrong] if wrong else [])])

    def propose_operations(self, operations: Operations) -> str:
        """Keep operations for a person to review, instead of carrying them out."""
        report = self._scope.ontology.submit(operations, propose=True, actor=self._actor)
        return "\n".join(f"Proposed {each.id}." for each in report.proposals)

    def history(self, limit: Annotated[int, Field(ge=1, le=100)] = 20) -> str:
        """What was done to memories and graph, the last first, with the ids that `undo` takes."""
        done = self._scope.history(limit=limit)
        return "\n".join(_line(record) for record in done) or "Nothing was done yet."

    def undo(self, operation: str) -> str:
        """Take back an operation, or all of a batch, unless something later rests on it."""
        return lines.short(self._scope.undo(operation, actor=self._actor).outcome.summary)


def _key(record: AuditRecord | None) -> str:
    return f" ({record.id})" if record else ""


def _line(record: AuditRecord) -> str:
    undone = ", undone" if record.undone_by else ""
    why = f": {lines.short(record.reason)}" if record.reason else ""
    return f"- {record.id} {record.at:%Y-%m-%d %H:%M} {record.operation} by {lines.short(record.actor)}{undone}{why}"
