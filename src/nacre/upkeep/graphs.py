"""Passes over the graph: duplicates are joined, what nobody needs leaves it, and communities are made anew."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, Field

from nacre.domain.commands import Operation
from nacre.domain.dreams import Method, PassChange, PassName, PassReport, PassStatus
from nacre.domain.entities import Entity, EntityType
from nacre.domain.errors import Unavailable
from nacre.domain.links import Link
from nacre.domain.operations import ArchiveEntity, ArchiveLink
from nacre.graph.operations import duplicates, path
from nacre.graph.reading import communities
from nacre.models.embedders import Embedder
from nacre.models.language_models import LanguageModel, ModelPrompt, prompt_text
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.graph import entities, links
from nacre.store.reads import graphs
from nacre.store.tables import schema as tables
from nacre.store.work import dreams
from nacre.upkeep import breakers
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.meters import Meter

ACTOR = "dream"
DIRECTIVE = "graph-consolidation-dream.md"
PURPOSE = "dream/graph"
MAX_SHOWN = 300
MAX_GONE = 200
ORPHANED = timedelta(days=30)
UNSURE = 0.4
UNSURE_FOR = timedelta(days=14)
# Links that are at least so sure stay, and so does what somebody spoke of so lately.
SURE = 0.7
LATELY = timedelta(days=14)


class Verdicts(BaseModel):
    """What should leave the graph."""

    delete_entities: list[str] = Field(default_factory=list, alias="deleteEntities")
    delete_triples: list[str] = Field(default_factory=list, alias="deleteTriples")

    model_config = {"populate_by_name": True}


@dataclass(slots=True)
class _Plan:
    """What is to leave, and why; what was asked for and must stay, and why."""

    entities: dict[UUID, str] = field(default_factory=dict)
    links: dict[UUID, str] = field(default_factory=dict)
    refused: list[PassChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    meter: Meter | None = None

    def orders(self) -> list[Operation]:
        gone: list[Operation] = [ArchiveLink(link=key, reason=why) for key, why in self.links.items()]
        return [*gone, *(ArchiveEntity(entity=key, reason=why) for key, why in self.entities.items())]


class GraphPass:
    """Joins certain duplicates, queues likely ones, and archives orphans and links that nobody said twice."""

    name = PassName.GRAPH

    def __init__(self, graphs: Homes, embedder: Embedder | None, *, directives: Path | None = None) -> None:
        self._graphs = graphs
        self._embedder = embedder
        self._directives = directives

    def fingerprint(self, night: PassContext) -> str | None:
        """What the graph holds, and the day: things grow stale without being touched."""
        with self._graphs.read(night.scope) as tx:
            return f"{graphs.fingerprint(tx)}/{graphs.count_by_type(tx, bare=True)}/{tx.now:%Y-%m-%d}"

    def run(self, night: PassContext) -> PassReport:
        """Decide, check, and apply all of it together."""
        with self._graphs.read(night.scope) as tx:
            if why := breakers.paused(tx, self.name):
                return PassReport(name=self.name, status=PassStatus.PAUSED, notes=(why,))
            plan = self._plan(night, tx)
        with night.database.read(night.scope) as tx:
            last = dreams.last_run(tx, self.name.value)
        with self._graphs.write(night.scope) as tx, tx.tried() if night.dry_run else nullcontext():
            if why := _too_much(tx, plan):
                breakers.pause(tx, self.name, why)
                return PassReport(
                    name=self.name, status=PassStatus.PAUSED, refused=tuple(_planned_changes(plan)), notes=(why,)
                )
            return self._apply(tx, plan, last)

    def _apply(self, tx: Transaction, plan: _Plan, last: datetime | None) -> PassReport:
        changes = _changes(tx, plan)
        orders = plan.orders()
        if orders:
            path.apply(tx, orders, actor=ACTOR)
        changed = graphs.changed_since(tx, last, MAX_SHOWN)
        resolved = duplicates.resolve(tx, changed, self._embedder) if changed else None
        merged = resolved.merged if resolved else ()
        changes += [PassChange(what=each.outcome.summary, why="a certain duplicate") for each in merged]
        if plan.meter:
            plan.meter.note(tx, PURPOSE)
        return PassReport(
            name=self.name,
            status=PassStatus.DONE,
            method=Method.MODEL if plan.meter else Method.RULES,
            changes=tuple(changes),
            refused=tuple(plan.refused),
            counts={
                "entities": len(plan.entities),
                "links": len(plan.links),
                "merged": len(merged),
                "flagged": resolved.flagged if resolved else 0,
            },
            notes=tuple(plan.notes),
            input_tokens=plan.meter.input_tokens if plan.meter else 0,
            output_tokens=plan.meter.output_tokens if plan.meter else 0,
        )

    def _plan(self, night: PassContext, tx: Transaction) -> _Plan:
        if night.model is None:
            return _by_rules(tx)
        try:
            return self._by_model(tx, night.model)
        except Unavailable as error:
            plan = _by_rules(tx)
            plan.notes.append(f"Decided by rules, because the language model did not answer: {error}")
            return plan

    def _by_model(self, tx: Transaction, model: LanguageModel) -> _Plan:
        shown = entities.by_id(tx, graphs.changed_since(tx, None, MAX_SHOWN))
        edges: dict[UUID, Link] = {link.id: link for link in links.at_entities(tx, list(shown))[: 3 * MAX_SHOWN]}
        material = _material(list(shown.values()), list(edges.values()))
        prompt = ModelPrompt(instructions=prompt_text(DIRECTIVE, self._directives), material=material)
        meter = Meter(model)
        reply = meter.ask(prompt, Verdicts)
        plan = _Plan(meter=meter)
        for each in dict.fromkeys(reply.delete_triples):
            link = edges.get(_id(each))
            _decide(plan, plan.links, each, link.id if link else None, _link_stays(link))
        for each in dict.fromkeys(reply.delete_entities):
            entity = shown.get(_id(each))
            at_it = [link for link in edges.values() if entity and entity.id in (link.source, link.target)]
            _decide(plan, plan.entities, each, entity.id if entity else None, _entity_stays(entity, at_it, tx.now))
        return plan


def _by_rules(tx: Transaction) -> _Plan:
    orphans = graphs.orphans(tx, tx.now - ORPHANED, MAX_GONE)
    weak = graphs.weak_links(tx, UNSURE, tx.now - UNSURE_FOR, MAX_GONE)
    return _Plan(
        entities=dict.fromkeys(orphans, "nothing is known of it, and nobody has spoken of it for a month"),
        links=dict.fromkeys(weak, f"below {UNSURE}, two weeks old, and never said again"),
    )


def _decide(plan: _Plan, gone: dict[UUID, str], asked: str, key: UUID | None, stays: str | None) -> None:
    if key is None:
        plan.refused.append(PassChange(what=f"Remove `{asked}`.", why="it was not in the list"))
    elif stays:
        plan.refused.append(PassChange(what=f"Remove `{asked}`.", why=stays, items=(str(key),)))
    else:
        gone[key] = "the language model found it of no use"


def _link_stays(link: Link | None) -> str | None:
    return f"a link of {link.confidence:.2f} stays" if link and link.confidence >= SURE else None


def _entity_stays(entity: Entity | None, at_it: Sequence[Link], now: datetime) -> str | None:
    if entity is None:
        return None
    if entity.type is EntityType.PERSON:
        return "people stay"
    if entity.pinned_at:
        return "it is pinned"
    if now - max(entity.updated_at, entity.last_referenced_at or entity.updated_at) < LATELY:
        return "it was spoken of lately"
    if any(link.confidence >= SURE for link in at_it):
        return "a sure link leads to it"
    return None


def _too_much(tx: Transaction, plan: _Plan) -> str | None:
    held = sum(graphs.count_by_type(tx, bare=True).values())
    return breakers.objection(held, taken=len(plan.entities), added=0) or breakers.objection(
        graphs.count_links(tx), taken=len(plan.links), added=0
    )


def _planned_changes(plan: _Plan) -> list[PassChange]:
    gone = {**plan.links, **plan.entities}
    return [PassChange(what=f"Remove `{key}`.", why=why, items=(str(key),)) for key, why in gone.items()]


def _changes(tx: Transaction, plan: _Plan) -> list[PassChange]:
    names = entities.by_id(tx, plan.entities)
    edges = links.load(tx, tables.links.c.id.in_(plan.links)) if plan.links else []
    told = [
        PassChange(what=f"Archived {names[key].name}.", why=why, items=(str(key),))
        for key, why in plan.entities.items()
    ]
    whys = plan.links
    return [
        *told,
        *(
            PassChange(what=f"Archived a link {each.predicate}.", why=whys[each.id], items=(str(each.id),))
            for each in edges
        ),
    ]


def _material(shown: Sequence[Entity], edges: Sequence[Link]) -> str:
    names = {entity.id: entity.name for entity in shown}
    lines = ["Entities:"]
    for entity in shown:
        spoken = f"{entity.last_referenced_at:%Y-%m-%d}" if entity.last_referenced_at else "never"
        made = f"made {entity.created_at:%Y-%m-%d}, spoken of {spoken}, {entity.mentions} mentions"
        lines.append(f"- {entity.id}: {entity.name} ({entity.type.value}; {made})")
    lines += ["", "Links:"]
    for link in edges:
        ends = (names.get(link.source, "?"), names.get(link.target, "?") if link.target else link.value)
        said = f"{ends[0]} --{link.predicate}--> {ends[1]}"
        lines.append(f"- {link.id}: {said} ({link.confidence:.2f}, made {link.created_at:%Y-%m-%d})")
    return "\n".join(lines)


def _id(text: str) -> UUID:
    try:
        return UUID(text.strip())
    except ValueError:
        return UUID(int=0)


class CommunityPass:
    """Refreshes communities. They are derived, so there is nothing to undo."""

    name = PassName.COMMUNITIES

    def __init__(self, graphs: Homes) -> None:
        self._graphs = graphs

    def fingerprint(self, night: PassContext) -> str | None:
        """How many links there are, and when the last one changed."""
        with self._graphs.read(night.scope) as tx:
            return graphs.fingerprint(tx)

    def run(self, night: PassContext) -> PassReport:
        """Part the graph; a dry run only counts."""
        home = self._graphs.of(night.scope)
        if night.dry_run:
            with night.database.read(home) as tx:
                found = communities.part(tx)
            counts = {"communities": len(found.groups)}
            return PassReport(name=self.name, status=PassStatus.DONE, counts=counts)
        made = communities.refresh(night.database, home)
        what = f"{made.communities} communities of {made.members} entities, {made.kept} of them known."
        change = PassChange(what=what, why=f"modularity {made.modularity:.2f}: {made.verdict}")
        return PassReport(
            name=self.name, status=PassStatus.DONE, changes=(change,), counts={"communities": made.communities}
        )
