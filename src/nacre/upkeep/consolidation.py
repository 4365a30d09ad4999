"""Consolidation: entries that say the same become one, noise goes, corrections become anti-patterns.

Rules fold what has the same words and join what plainly says the same. A language model may do more, under the guards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from nacre.domain import ids
from nacre.domain.dreams import Method, PassChange, PassName, PassReport, PassStatus
from nacre.domain.errors import Invalid, Misconfigured, Unavailable
from nacre.domain.feedback import Signal
from nacre.domain.memories import Memory, MemoryFilter
from nacre.memory import replacements
from nacre.memory.duplicates import MAX_EXTENDED
from nacre.models.embedders import Embedder
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import feedback, memories
from nacre.store.maintenance import ageing
from nacre.store.work import dreams
from nacre.store.work.dreams import Review
from nacre.upkeep import breakers, clusters, guards, lessons
from nacre.upkeep.clusters import Group
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.meters import TOKEN_CAP, Meter
from nacre.upkeep.model_consolidation import Tidier, TidyMaterial, TidyProposal
from nacre.upkeep.steps import ConsolidationStep, EntryText, carry_out, writing

NAME = PassName.CONSOLIDATION
MAX_ENTRIES = 1_000
MAX_REOPENED = 10
STALE_AFTER = timedelta(days=90)
RETENTION = timedelta(days=90)

_ENTRIES, _GROUPS = f"{NAME}/entry", f"{NAME}/group"
_LONGEST_SHOWN = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationMaterial:
    """What the pass has before it."""

    entries: Sequence[Memory]
    in_force: int
    groups: Sequence[Group]
    agreeing: Sequence[Group]
    reviewed: dict[str, Review]
    settled: dict[str, Review]
    signals: Sequence[Signal]
    old_archive: int
    now: datetime


@dataclass(slots=True)
class ConsolidationProgress:
    """What the pass has done so far. `room` is how many entries it may take, and `spent` how many it took."""

    room: int = 0
    spent: int = 0
    changes: list[PassChange] = field(default_factory=list)
    refused: list[PassChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    method: Method = Method.RULES
    status: PassStatus = PassStatus.DONE
    waiting: int = 0


class ConsolidationPass:
    """The pass over the long-term memories of a scope, wherever they are kept."""

    def __init__(
        self,
        homes: Homes,
        embedder: Embedder | None,
        *,
        directives: Path | None = None,
        token_cap: int = TOKEN_CAP,
    ) -> None:
        self._homes = homes
        self._embedder = embedder
        self._directives = directives
        self._cap = token_cap

    @property
    def name(self) -> PassName:
        """Which pass it is."""
        return NAME

    def fingerprint(self, night: PassContext) -> str | None:
        """The entries as they are and the corrections that wait; another one each week, because rest periods end."""
        with self._homes.read(night.scope) as tx:
            entries = memories.newest(tx, MemoryFilter(), MAX_ENTRIES)
            paused = breakers.paused(tx, NAME)
        with night.database.read(night.scope) as tx:
            signals = feedback.unconsumed(tx)
        week = f"{night.database.clock():%G-%V}"
        return _digest([week, paused or "", *(str(each.id) for each in signals), *sorted(map(_mark, entries))])

    def run(self, night: PassContext) -> PassReport:
        """Tidy up; what a paused pass still does is learn from corrections, which would expire."""
        learned = lessons.learn(self._homes, night, self._embedder)
        desk, paused = self._read(night)
        work = ConsolidationProgress(room=breakers.allowed_loss(desk.in_force), changes=list(learned))
        meter = Meter(night.model, self._cap) if night.model else None
        if paused:
            work.status = PassStatus.PAUSED
            work.notes.append(f"{paused} Nothing was merged or pruned. Look at the report, then reset the breaker.")
        else:
            self._tidy(night, desk, meter, work)
        return PassReport(
            name=NAME,
            status=work.status,
            method=work.method,
            changes=tuple(work.changes),
            refused=tuple(work.refused),
            counts={"entries": desk.in_force, "learned": len(learned), "archived_over_90_days": desk.old_archive},
            notes=tuple(work.notes),
            input_tokens=meter.input_tokens if meter else 0,
            output_tokens=meter.output_tokens if meter else 0,
            waiting=work.waiting,
        )

    def _read(self, night: PassContext) -> tuple[ConsolidationMaterial, str | None]:
        with night.database.read(night.scope) as tx:
            signals = feedback.recent(tx)
        with self._homes.read(night.scope) as tx:
            entries = memories.newest(tx, MemoryFilter(), MAX_ENTRIES)
            groups, agreeing = clusters.near(
                _distinct(entries), ageing.packed_vectors(tx, [each.id for each in entries])
            )
            desk = ConsolidationMaterial(
                entries=entries,
                in_force=ageing.in_force(tx),
                groups=groups,
                agreeing=agreeing,
                reviewed=dreams.review_marks(tx, _ENTRIES),
                settled=dreams.review_marks(tx, _GROUPS),
                signals=signals,
                old_archive=ageing.archived_before(tx, tx.now - RETENTION),
                now=tx.now,
            )
            return desk, breakers.paused(tx, NAME)

    def _tidy(
        self, night: PassContext, desk: ConsolidationMaterial, meter: Meter | None, work: ConsolidationProgress
    ) -> None:
        proposed = self._proposed(night, desk, meter, work) if meter else None
        if proposed and proposed.objection:
            self._pause(night, proposed.objection, work)
            return
        self._take(night, folds(desk.entries), work)
        if proposed:
            self._apply(night, desk, proposed, work)
        else:
            self._within(night, joins(desk), work)
        self._within(night, prunes(desk), work)

    def _proposed(
        self, night: PassContext, desk: ConsolidationMaterial, meter: Meter, work: ConsolidationProgress
    ) -> TidyProposal | None:
        """What the model would change; None where it does not answer, and rules take its place."""
        shown, left = to_show(desk)
        if not shown.units:
            return TidyProposal(left=left)
        tidier = Tidier(
            meter=meter,
            night=night,
            standing=desk.entries,
            in_force=desk.in_force,
            signals=desk.signals,
            directives=self._directives,
        )
        try:
            proposed = tidier.propose(shown)
        except (Unavailable, Misconfigured) as error:
            work.notes.append(f"The language model did not help, so rules did the work: {error}")
            return None
        if not night.dry_run:
            with night.database.write(night.scope) as tx:
                meter.note(tx, f"dream/{NAME}")
        proposed.left += left
        work.method = Method.MODEL
        return proposed

    def _pause(self, night: PassContext, objection: str, work: ConsolidationProgress) -> None:
        with writing(self._homes, night) as tx:
            breakers.pause(tx, NAME, objection)
        work.status = PassStatus.PAUSED
        work.notes.append(f"The breaker opened, and nothing that the language model proposed was done: {objection}")

    def _apply(
        self, night: PassContext, desk: ConsolidationMaterial, proposed: TidyProposal, work: ConsolidationProgress
    ) -> None:
        """Everything the model may change, in one transaction and one batch of the log."""
        work.refused += proposed.refused
        work.notes += proposed.notes
        work.waiting += proposed.left
        if not proposed.asked:
            return
        with writing(self._homes, night) as tx:
            scopes.lock(tx)
            batch, made = ids.new(tx.now), list[Memory]()
            for step in proposed.steps:
                kept = carry_out(tx, step, self._embedder, batch)
                _note(work, step, kept)
                made += kept or []
            self._settle(tx, desk, proposed, made)
        work.spent += sum(step.cost for step in proposed.steps)

    def _within(self, night: PassContext, steps: Sequence[ConsolidationStep], work: ConsolidationProgress) -> None:
        """Take as many steps as a cycle may; rules never trip the breaker, they go on in the next one."""
        fitting = []
        for step in steps:
            if step.cost > work.room - work.spent:
                work.waiting += 1
            else:
                work.spent += step.cost
                fitting.append(step)
        self._take(night, fitting, work)

    def _take(self, night: PassContext, steps: Sequence[ConsolidationStep], work: ConsolidationProgress) -> None:
        for place, step in enumerate(steps):
            if work.status is PassStatus.STOPPED or night.disturbed():
                work.status = PassStatus.STOPPED
                work.waiting += len(steps) - place
                return
            with writing(self._homes, night) as tx:
                scopes.lock(tx)
                _note(work, step, carry_out(tx, step, self._embedder))

    def _settle(
        self, tx: Transaction, desk: ConsolidationMaterial, proposed: TidyProposal, made: Sequence[Memory]
    ) -> None:
        """Note what the model has seen, so that it is not asked again about the same."""
        seen = [each for group in proposed.asked for each in group]
        dreams.note_reviews(tx, _ENTRIES, {str(each.id): _mark(each) for each in [*seen, *made]})
        touched = {each.id for step in proposed.steps for each in step.sources}
        resting = {_key(group): group for group in proposed.asked if len(group) > 1}
        dreams.note_reviews(
            tx,
            _GROUPS,
            {
                key: str(int(desk.settled[key].mark) + 1 if key in desk.settled else 1)
                for key, group in resting.items()
                if not touched & {each.id for each in group}
            },
        )
        standing = {str(each.id) for each in [*desk.entries, *made]} - {str(key) for key in touched}
        if desk.in_force <= MAX_ENTRIES:
            dreams.drop_reviews(tx, _ENTRIES, desk.reviewed.keys() - standing - {str(each.id) for each in made})
            dreams.drop_reviews(tx, _GROUPS, desk.settled.keys() - {_key(group) for group in desk.groups})


def folds(entries: Sequence[Memory]) -> list[ConsolidationStep]:
    """Entries with the same words become the oldest of them."""
    why = "They have the same words."
    return [
        ConsolidationStep(sources=group, text=_text(group, group[0].content), why=why)
        for group in clusters.twins(entries)
    ]


def joins(desk: ConsolidationMaterial) -> list[ConsolidationStep]:
    """Entries of which one says what the others say, or adds to it, become one in their own words."""
    why = "They say the same, in nearly the same words."
    united = [(group, clusters.union(group)) for group in desk.agreeing]
    return [
        ConsolidationStep(sources=group, text=_text(group, content), why=why)
        for group, content in united
        if len(content) <= MAX_EXTENDED and _may_join(group, content) and not _at_odds(group)
    ]


def prunes(desk: ConsolidationMaterial) -> list[ConsolidationStep]:
    """Entries that say next to nothing, and that nobody has seen for long."""
    why = f"It says next to nothing, and nobody has seen it for {STALE_AFTER.days} days."
    stale = [each for each in desk.entries if guards.is_noise(each) and each.last_seen_at <= desk.now - STALE_AFTER]
    return [ConsolidationStep(sources=(each,), why=why) for each in stale]


def to_show(desk: ConsolidationMaterial) -> tuple[TidyMaterial, int]:
    """What a model should look at, and how many groups wait: what is new, what is alike, and what rested long enough.

    Even if every group were merged, no more would go than a cycle may take.
    """
    room, groups, reopened, left = breakers.allowed_loss(desk.in_force), list[Group](), list[Group](), 0
    for group in (group for group in desk.groups if all(map(_fits, group))):
        settled = desk.settled.get(_key(group))
        if settled and not guards.may_reopen(settled.at, int(settled.mark), desk.now):
            continue
        if len(group) - 1 > room or (settled and len(reopened) == MAX_REOPENED):
            left += 1
            continue
        room -= len(group) - 1
        (reopened if settled else groups).append(group)
    grouped = {each.id for group in desk.groups for each in group}
    alone = [each for each in _distinct(desk.entries) if each.id not in grouped and _fits(each)]
    singles = [each for each in alone if _is_news(each, desk.reviewed)]
    return TidyMaterial(groups=tuple(groups), singles=tuple(singles), reopened=tuple(reopened)), left


def _note(work: ConsolidationProgress, step: ConsolidationStep, survivors: list[Memory] | None) -> None:
    if survivors is None:
        why = "An entry changed in the meantime."
        work.refused.append(replace(step.change, why=why))
    else:
        work.changes.append(step.change)


def _may_join(some: Group, content: str) -> bool:
    try:
        guards.check_joinable(some, rewritten=content not in {each.content for each in some})
    except Invalid:
        return False
    return True


def _at_odds(some: Group) -> bool:
    """Whether one may take the place of another: somebody decides that, and together they would say both."""
    by_time = sorted(some, key=lambda each: each.updated_at)
    return any(
        replacements.find_replacements(each.content, each.category, each.updated_at, by_time[:place])
        for place, each in enumerate(by_time)
    )


def _text(group: Sequence[Memory], content: str) -> EntryText:
    exact = max(group, key=lambda each: each.category.count("/"))
    return EntryText(content=content, category=exact.category)


def _distinct(entries: Sequence[Memory]) -> list[Memory]:
    """The entries without those that are folded into an older one."""
    folded = {each.id for group in clusters.twins(entries) for each in group[1:]}
    return [each for each in entries if each.id not in folded]


def _fits(memory: Memory) -> bool:
    return len(memory.content) <= _LONGEST_SHOWN


def _is_news(memory: Memory, reviewed: dict[str, Review]) -> bool:
    known = reviewed.get(str(memory.id))
    return known is None or known.mark != _mark(memory)


def _mark(memory: Memory) -> str:
    return _digest([str(memory.id), memory.content, memory.category, *memory.tags])


def _key(group: Group) -> str:
    return _digest(sorted(map(_mark, group)))


def _digest(parts: Iterable[str]) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()
