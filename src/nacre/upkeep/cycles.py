"""A cycle of dreaming: passes in order, each only when what it reads has changed, and never in the way of people."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from nacre.domain import ids
from nacre.domain.dreams import Dream, DreamRecord, PassName, PassReport, PassStatus
from nacre.domain.errors import NacreError, in_full
from nacre.domain.plain import plain
from nacre.domain.scopes import Scope
from nacre.models.language_models import LanguageModel
from nacre.store.base.databases import Database
from nacre.store.work import dreams

log = logging.getLogger(__name__)

MANUAL = "manual"
SCHEDULED = "schedule"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassContext:
    """What a pass works with. `disturbed` says that people are here, and the pass should end where it stands."""

    scope: Scope
    database: Database
    model: LanguageModel | None
    dry_run: bool
    disturbed: Callable[[], bool]


class Pass(Protocol):
    """One pass of a cycle. It computes, checks and applies its own changes, all of them undoable."""

    @property
    def name(self) -> PassName:
        """Which pass it is."""

    def fingerprint(self, night: PassContext) -> str | None:
        """What it would read, in brief: unchanged input is skipped. None where it must always run."""

    def run(self, night: PassContext) -> PassReport:
        """Do it; a dry run changes nothing and says what would change."""


class Dreamer:
    """Runs cycles over the scopes of one database."""

    def __init__(
        self,
        database: Database,
        passes: Callable[[], Sequence[Pass]],
        model: LanguageModel | None,
        settle: Callable[[Scope], object] = lambda _scope: None,
    ) -> None:
        self._database = database
        self._settle = settle
        # Built by the first dream: they take all rules of upkeep, and most processes never dream.
        self._build_passes = passes
        self._model = model

    @cached_property
    def _passes(self) -> list[Pass]:
        return sorted(self._build_passes(), key=lambda each: list(PassName).index(each.name))

    def dream(
        self,
        scope: Scope,
        *,
        only: Collection[PassName] | None = None,
        dry_run: bool = False,
        trigger: str = MANUAL,
        disturbed: Callable[[], bool] = lambda: False,
        progress: Callable[[PassReport], None] = lambda _report: None,
    ) -> Dream:
        """One cycle. Passes that are asked for by name run even when nothing has changed."""
        # What was said is learned before it is looked over.
        self._settle(scope)
        started = self._database.clock()
        night = PassContext(
            scope=scope, database=self._database, model=self._model, dry_run=dry_run, disturbed=disturbed
        )
        reports = []
        for each in self._passes:
            if only is None or each.name in only:
                reports.append(self._run(each, night, gated=only is None))
                progress(reports[-1])
        dream = Dream(
            id=ids.new(started),
            trigger=trigger,
            started_at=started,
            finished_at=self._database.clock(),
            passes=tuple(reports),
            dry_run=dry_run,
        )
        if not dry_run:
            self._keep(scope, dream)
        return dream

    def history(self, scope: Scope, limit: int, offset: int) -> list[DreamRecord]:
        """The last cycles of a scope with their reports, the last one first."""
        with self._database.read(scope) as tx:
            return dreams.newest(tx, limit, offset)

    def _run(self, each: Pass, night: PassContext, *, gated: bool) -> PassReport:
        if night.disturbed():
            return PassReport(name=each.name, status=PassStatus.STOPPED, notes=("People are here.",))
        try:
            mark = each.fingerprint(night)
            if gated and mark is not None and mark == self._last(night.scope, each.name):
                return PassReport(name=each.name, status=PassStatus.SKIPPED, notes=("Nothing has changed.",))
            report = each.run(night)
        except NacreError as error:
            # One pass that fails must not cost the others their turn.
            log.warning("The pass `%s` of %s failed: %s", each.name, night.scope, in_full(error))
            return PassReport(name=each.name, status=PassStatus.FAILED, notes=(str(error),))
        if report.status is PassStatus.DONE and not report.waiting and not night.dry_run:
            self._note(night, each)
        return report

    def _last(self, scope: Scope, name: PassName) -> str | None:
        with self._database.read(scope) as tx:
            return dreams.fingerprint(tx, name.value)

    def _note(self, night: PassContext, each: Pass) -> None:
        # What the pass itself changed is not news to it.
        mark = each.fingerprint(replace(night, dry_run=True))
        if mark is not None:
            with self._database.write(night.scope) as tx:
                dreams.note_fingerprint(tx, each.name.value, mark)

    def _keep(self, scope: Scope, dream: Dream) -> None:
        report = plain(dream)
        kept = DreamRecord(
            id=dream.id,
            trigger=dream.trigger,
            status="done",
            report=report if isinstance(report, dict) else {},
            started_at=dream.started_at,
            finished_at=dream.finished_at,
        )
        with self._database.write(scope) as tx:
            dreams.add(tx, kept)
