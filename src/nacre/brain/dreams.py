"""A scope's dreams: what keeps its memory clean."""

from collections.abc import Callable, Iterable

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.dreams import Dream, DreamRecord, PassName, PassReport
from nacre.domain.navigation import check_offset
from nacre.domain.scopes import Scope
from nacre.upkeep import breakers
from nacre.wiring import Parts


@probed("dreams")
class Dreams:
    """Cycles of upkeep: run, look back, and let a paused pass work again."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def run(
        self,
        passes: Iterable[str] | None = None,
        *,
        dry_run: bool = False,
        progress: Callable[[PassReport], None] | None = None,
    ) -> Dream:
        """One cycle, or only some passes of it; a dry run changes nothing and says what would change.

        A pass whose input has not changed is skipped, unless it was asked for by name. `progress` is told of each
        pass when it is done.
        """
        only = None if passes is None else {PassName(checks.choice("passes", each, list(PassName))) for each in passes}
        tell = progress or (lambda _report: None)
        dream = self._parts.dreamer.dream(self._scope, only=only, dry_run=dry_run, progress=tell)
        self._parts.fillings.embed_later(self._scope)
        return dream

    def history(self, *, limit: int = 10, offset: int = 0) -> list[DreamRecord]:
        """The last cycles with their reports, the last one first."""
        return self._parts.dreamer.history(self._scope, checks.count("limit", limit), check_offset(offset))

    def reset(self, name: str) -> bool:
        """Let a pass work again that its circuit breaker has paused; whether it was paused."""
        wanted = PassName(checks.choice("name", name, list(PassName)))
        homes = (self._parts.memories, self._parts.graphs)
        # Where they differ, each has breakers of its own.
        reset = [breakers.reset(home, self._scope, wanted) for home in homes]
        return any(reset)
