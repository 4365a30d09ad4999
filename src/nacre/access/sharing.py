"""Sharing of agents: their graph and memory among all their users, documents within teams, and whom they know."""

from collections.abc import Collection

from nacre.domain.documents import MAX_TEAMS
from nacre.domain.errors import Invalid
from nacre.domain.scopes import Scope, ScopeInfo
from nacre.domain.sharing import ReadPolicy, SharingSettings
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Database


def agents(database: Database) -> list[str]:
    """Every agent that something was kept for, by name."""
    with database.read_all() as tx:
        return sharing.agents(tx)


def users(database: Database, agent: str) -> list[str]:
    """The users that something was kept for with an agent, by name."""
    with database.read_all() as tx:
        return scopes.users_of(tx, agent)


def scopes_of_agent(database: Database, agent: str, limit: int, offset: int) -> list[ScopeInfo]:
    """The users and chats that something was kept for with an agent, its own memory first."""
    with database.read_all() as tx:
        return scopes.of_agent(tx, agent, limit, offset)


def scopes_of_user(database: Database, agent: str, user: str) -> list[Scope]:
    """Every scope of a user with an agent."""
    with database.read_all() as tx:
        return scopes.of_user(tx, agent, user)


def settings(database: Database, scope: Scope) -> SharingSettings:
    """What the agent of a scope shares."""
    with database.read(scope) as tx:
        return sharing.of(tx)


def share(
    database: Database, scope: Scope, *, knowledge_graph: bool | None, memory: bool | None, read_policy: str | None
) -> SharingSettings:
    """Change what the agent of a scope shares; what is not given stays."""
    with database.write(scope) as tx:
        scopes.lock(tx)
        now = sharing.of(tx)
        changed = SharingSettings(
            share_knowledge_graph=now.share_knowledge_graph if knowledge_graph is None else knowledge_graph,
            share_memory=now.share_memory if memory is None else memory,
            read_policy=now.read_policy if read_policy is None else ReadPolicy.of(read_policy),
        )
        sharing.save(tx, changed)
        return changed


def teams(database: Database, scope: Scope) -> dict[str, list[str]]:
    """Every team of the agent of a scope, and its members, by name."""
    with database.read(scope) as tx:
        return sharing.teams(tx)


def set_team(database: Database, scope: Scope, team: str, members: Collection[str]) -> dict[str, list[str]]:
    """Let a team have these members and no others; without any, there is no such team. Returns every team."""
    with database.write(scope) as tx:
        scopes.lock(tx)
        every = {**sharing.teams(tx), team: list(members)}
        if len(every) > MAX_TEAMS:
            raise Invalid("team", f"would be one too many: an agent has at most {MAX_TEAMS} teams")
        sharing.save_teams(tx, {name: users for name, users in every.items() if users})
        return sharing.teams(tx)


def leave_teams(database: Database, scope: Scope, user: str) -> None:
    """Take a user out of every team."""
    with database.write(scope) as tx:
        held = sharing.teams(tx)
        if not any(user in users for users in held.values()):
            return
        scopes.lock(tx)
        left = {team: [each for each in users if each != user] for team, users in sharing.teams(tx).items()}
        sharing.save_teams(tx, {team: users for team, users in left.items() if users})
