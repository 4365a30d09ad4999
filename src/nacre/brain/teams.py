"""Teams: users of an agent who share documents."""

from collections.abc import Iterable

from nacre.access import sharing
from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.documents import check_members
from nacre.domain.sharing import own_scope
from nacre.wiring import Parts


@probed("teams")
class Teams:
    """The teams of one agent. Whoever leaves a team sees its documents no more; nothing is removed."""

    def __init__(self, parts: Parts, agent: str) -> None:
        self._parts = parts
        self._scope = own_scope(agent)

    def set(self, team: str, members: Iterable[str]) -> dict[str, list[str]]:
        """Let a team have these members and no others; without any, there is no such team. Returns every team."""
        named, chosen = checks.name("team", team), check_members(members)
        return sharing.set_team(self._parts.database, self._scope, named, chosen)

    def leave(self, user: str) -> None:
        """Take a user out of every team."""
        sharing.leave_teams(self._parts.database, self._scope, user)

    def list(self) -> dict[str, list[str]]:
        """Every team and its members, by name."""
        return sharing.teams(self._parts.database, self._scope)
