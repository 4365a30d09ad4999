"""Teams: users of an agent who share documents."""

from collections.abc import Iterable

from nacre.domain import checks
from nacre.domain.documents import MAX_TEAMS, check_members
from nacre.domain.errors import Invalid
from nacre.domain.sharing import own_scope
from nacre.store.base import scopes, sharing
from nacre.wiring import Parts


class Teams:
    """The teams of one agent. Whoever leaves a team sees its documents no more; nothing is removed."""

    def __init__(self, parts: Parts, agent: str) -> None:
        self._parts = parts
        self._scope = own_scope(agent)

    def set(self, team: str, members: Iterable[str]) -> dict[str, list[str]]:
        """Let a team have these members and no others; without any, there is no such team. Returns every team."""
        named, chosen = checks.name("team", team), check_members(members)
        with self._parts.database.write(self._scope) as tx:
            scopes.lock(tx)
            every = {**sharing.teams(tx), named: list(chosen)}
            if len(every) > MAX_TEAMS:
                raise Invalid("team", f"would be one too many: an agent has at most {MAX_TEAMS} teams")
            sharing.save_teams(tx, {name: users for name, users in every.items() if users})
            return sharing.teams(tx)

    def leave(self, user: str) -> None:
        """Take a user out of every team."""
        with self._parts.database.write(self._scope) as tx:
            held = sharing.teams(tx)
            if not any(user in users for users in held.values()):
                return
            scopes.lock(tx)
            left = {team: [each for each in users if each != user] for team, users in sharing.teams(tx).items()}
            sharing.save_teams(tx, {team: users for team, users in left.items() if users})

    def list(self) -> dict[str, list[str]]:
        """Every team and its members, by name."""
        with self._parts.database.read(self._scope) as tx:
            return sharing.teams(tx)
