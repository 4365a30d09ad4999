"""Sharing between the users and chats of an agent, and between agents."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, delete, insert, or_, select

from nacre.domain import documents
from nacre.domain.errors import NotFound
from nacre.domain.hits import Kind
from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings, own_scope
from nacre.store.base import scopes
from nacre.store.base.databases import AllScopes, Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import sources
from nacre.store.tables.schema import scopes as scopes_table
from nacre.store.tables.schema import settings

_NOTHING = SharingSettings()
_NAMES = [field.name for field in fields(SharingSettings)]
# Not `IN`, which takes several times as long to prepare: every recall begins with this.
_NAMED = or_(*(settings.c.name == name for name in _NAMES))
_MINE = select(settings.c.name, settings.c.value).where(settings.c.scope_id == bindparam("agent"))
# Who is in which team, and whether the agent ever kept a document for all its users: an index that holds none is
# not searched.
_TEAMS, _DOCUMENTS = "teams", "shared_documents"
_READ = _MINE.where(or_(_NAMED, settings.c.name == _TEAMS, settings.c.name == _DOCUMENTS))


def of(tx: Transaction) -> SharingSettings:
    """What the transaction's agent shares: nothing, unless it was told to."""
    return _shared(_settings(tx))


def _shared(settings: dict[str, Any]) -> SharingSettings:
    return SharingSettings(**{name: settings[name] for name in _NAMES if name in settings}) if settings else _NOTHING


def places(tx: Transaction) -> dict[Scope, frozenset[Kind]]:
    """Which scopes hold what the transaction's scope may recall, and which kinds of it; its own comes first."""
    held = _settings(tx)
    found = _shared(held).places(tx.scope)
    for place in _with_documents(tx.scope, held):
        found[place] = found.get(place, frozenset()) | {Kind.DOCUMENT}
    return found


def with_documents(tx: Transaction) -> list[Scope]:
    """The scopes whose documents the transaction's scope may see: its own, those of teams, what all users share."""
    return _with_documents(tx.scope, _settings(tx))


def _with_documents(scope: Scope, settings: dict[str, Any]) -> list[Scope]:
    teams = [Scope(agent=scope.agent, team=team) for team in _teams_of(scope.user, settings)]
    shared = [own_scope(scope.agent)] if settings.get(_DOCUMENTS) else []
    return list(dict.fromkeys([scope, *teams, *shared]))


def home_of_documents(tx: Transaction, visibility: documents.Visibility | None, team: str | None) -> Scope:
    """Where the transaction's scope keeps documents of a visibility; `Denied` where it is in no such team."""
    teams = _teams_of(tx.scope.user, _settings(tx)) if team else ()
    return documents.home(tx.scope, visibility, team, teams)


def note_documents(tx: Transaction) -> None:
    """Note that the transaction's scope holds documents, where that is the scope that all users of its agent read."""
    if tx.scope == own_scope(tx.scope.agent):
        tx.insert_missing(settings, [{"scope_id": tx.scope_id, "name": _DOCUMENTS, "value": True}])


def teams(tx: Transaction) -> dict[str, list[str]]:
    """The teams of the transaction's agent and their members, by name."""
    members_by_team: dict[str, list[str]] = _settings(tx).get(_TEAMS, {})
    return dict(sorted(members_by_team.items()))


def save_teams(tx: Transaction, members: Mapping[str, Collection[str]]) -> None:
    """Let the transaction's agent have these teams."""
    mine = own_scope(tx.scope.agent)
    # Who reads elsewhere must see that something has changed.
    scopes.advance(moved(tx, mine))
    tx.execute(delete(settings).where(settings.c.scope_id == mine.id, settings.c.name == _TEAMS))
    value = {team: sorted(users) for team, users in members.items()}
    tx.execute(insert(settings), [{"scope_id": mine.id, "name": _TEAMS, "value": value}])


def _settings(tx: Transaction) -> dict[str, Any]:
    return {row.name: row.value for row in tx.execute(*settings_call(tx))}


def settings_call(tx: Transaction) -> Call:
    """What reads the settings of the transaction's agent: every read begins with it."""
    return _READ, {"agent": own_scope(tx.scope.agent).id}


def _teams_of(user: str | None, settings: dict[str, Any]) -> list[str]:
    return [] if user is None else [team for team, users in sorted(settings.get(_TEAMS, {}).items()) if user in users]


def save(tx: Transaction, sharing: SharingSettings) -> None:
    """Have the transaction's agent share this."""
    mine = own_scope(tx.scope.agent)
    # Who reads elsewhere must see that something has changed.
    scopes.advance(moved(tx, mine))
    tx.execute(delete(settings).where(settings.c.scope_id == mine.id, _NAMED))
    tx.execute(
        insert(settings),
        [{"scope_id": mine.id, "name": name, "value": getattr(sharing, name)} for name in _NAMES],
    )


def agents(connection: AllScopes) -> list[str]:
    """Every agent that something was ever kept for, by name."""
    named = select(scopes_table.c.agent).distinct().order_by(scopes_table.c.agent)
    return list(connection.execute(named.execution_options(all_scopes=True)).scalars())


def moved(tx: Transaction, scope: Scope) -> Transaction:
    """The same transaction, in another scope."""
    return tx.moved(scope)


def in_graph_home(tx: Transaction) -> Transaction:
    """The same transaction, where the graph of its scope is kept."""
    return moved(tx, of(tx).graph_home(tx.scope))


def text_of(tx: Transaction, source_id: UUID) -> str:
    """The words of a piece of evidence that the scope may point at: its own, or among what its agent shares."""
    for place in places(tx):
        with suppress(NotFound):
            return sources.text_of(moved(tx, place), source_id)
    raise NotFound("source", str(source_id))


def bring(tx: Transaction, source_ids: Collection[UUID], scope: Scope) -> None:
    """Have evidence that `scope` may point at in the transaction's scope, too, so that what it says rests on it."""
    if source_ids:
        for place in places(moved(tx, scope)):
            if place != tx.scope:
                sources.copy(tx, source_ids, place)
