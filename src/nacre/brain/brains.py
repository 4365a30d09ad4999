"""Nacre: a brain, and the way into its scopes."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from nacre import settings as environment
from nacre.access import sharing
from nacre.brain import health
from nacre.brain.agents import Agent
from nacre.brain.probing import probed
from nacre.brain.scoped import ScopedNacre
from nacre.brain.tokens import Tokens
from nacre.domain import checks
from nacre.domain.clocks import Clock, system_clock
from nacre.domain.doctor_reports import DoctorReport
from nacre.domain.dreams import Dream
from nacre.domain.errors import Invalid
from nacre.domain.forgetting import ForgetReport, ScrubReport
from nacre.domain.plain import Json
from nacre.domain.scopes import Scope
from nacre.domain.transfers import Backup
from nacre.domain.world import WorldSource
from nacre.models.embedders import Embedder
from nacre.settings import Settings
from nacre.wiring import Parts


@probed("", parts="parts", redacts=False)
class Nacre:
    """A brain in one file, in memory (`:memory:`) or on PostgreSQL (`postgresql://…`).

    Without an address or settings, the environment decides; see `Settings`. Threads may share one brain, and
    processes may share one file.
    """

    def __init__(
        self,
        address: str | Path | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        sources: Sequence[WorldSource] = (),
    ) -> None:
        if address is not None and not isinstance(address, str | Path):
            raise Invalid("address", f"must be text or a path, not {type(address).__name__}")
        self.parts = Parts(address, settings or environment.load(), embedder, clock, sources)

    def scope(self, agent: str, user: str | None = None, chat: str | None = None) -> ScopedNacre:
        """The memory of an agent, for one user and in one chat where these are given."""
        scope = Scope(agent=agent, user=user, chat=chat)
        self.parts.database.check_open()
        self.parts.follow_ups.visit(scope)
        return ScopedNacre(self.parts, scope)

    def agent(self, name: str) -> Agent:
        """What belongs to an agent as a whole, such as what it shares."""
        return Agent(self.parts, name)

    def agents(self) -> list[str]:
        """Every agent that something was kept for, by name."""
        return sharing.agents(self.parts.database)

    def settle(self, *, timeout: float | None = None, model: bool = False) -> bool:
        """Learn what was observed and not learned yet, in every scope; False where that takes longer than `timeout`.

        With `model`, the language model that reads turns is waited for, too, as long as it answers and its budgets
        last. What that leaves is told by `learned` of each scope.
        """
        seconds = None if timeout is None else checks.seconds("timeout", timeout)
        settled = self.parts.learner.settle_all(seconds)
        if model and self.parts.model_worker:
            self.parts.model_worker.settle(None, seconds)
        return settled

    @property
    def tokens(self) -> Tokens:
        """Who may call the server, and who was turned away."""
        return Tokens(self.parts)

    def dream(
        self,
        agent: str,
        user: str | None = None,
        chat: str | None = None,
        *,
        passes: Iterable[str] | None = None,
        dry_run: bool = False,
    ) -> Dream:
        """One cycle of upkeep for a scope; see `ScopedNacre.dreams`."""
        return self.scope(agent, user, chat).dreams.run(passes, dry_run=dry_run)

    def diagnostics(self) -> dict[str, Json]:
        """What this brain runs on, and which parts of it are switched off."""
        return health.diagnostics(self.parts)

    def metrics(self) -> str:
        """What was counted here, and by every process that shares the folder of the settings, for Prometheus."""
        return health.metrics(self.parts)

    def doctor(self, *, repair: bool = False) -> DoctorReport:
        """Look at all that can be wrong, in every scope; `repair` puts right what loses nothing that was said.

        What is believed is only changed through operations of the actor `doctor`, which can be undone.
        """
        return health.doctor(self.parts, repair=repair)

    def check(self) -> DoctorReport:
        """Look whether schema, references and indexes of the database are as they should be."""
        return health.check(self.parts)

    def backup(
        self,
        path: str | Path,
        *,
        copy: bool = False,
        overwrite: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> Backup:
        """Write all that the database holds at one moment to a file, while others write; it is read back and compared.

        The file is an archive that `nacre db restore` brings back on either database; with `copy` it is an SQLite file
        that can be opened as it is. `progress` hears how much is done, and of how much.
        """
        tell = progress or (lambda _done, _every: None)
        return health.write_backup(self.parts, Path(path), copy=copy, overwrite=overwrite, tell=tell)

    def forget_user(self, agent: str, user: str, *, purge: bool = False) -> ForgetReport:
        """Forget everything of a user with an agent, in every chat; `purge` removes it for good."""
        whole = Scope(agent=agent, user=checks.name("user", user))
        known = sharing.scopes_of_user(self.parts.database, whole.agent, user)
        forgotten = [ScopedNacre(self.parts, scope).forget(everything=True, purge=purge) for scope in known]
        if purge:
            self.agent(agent).teams.leave(user)
        return sum(forgotten, ForgetReport(purged=purge))

    def scrub(self) -> ScrubReport:
        """Leave no bytes of what was ever purged in the files of tables and indexes, those of others included.

        A purge does so by itself on SQLite. On PostgreSQL this rewrites every table, which nobody can use meanwhile.
        """
        return self.parts.database.rewrite()

    def close(self) -> None:
        """Stop background work and give back every connection."""
        self.parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
