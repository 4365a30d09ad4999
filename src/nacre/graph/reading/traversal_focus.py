"""Find the entities that a traversal starts from."""

import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from nacre.domain import checks, ids
from nacre.domain.errors import Invalid
from nacre.domain.ids import EntityId
from nacre.domain.traversals import Focus
from nacre.graph.identity import matching
from nacre.store.base.databases import Transaction
from nacre.store.reads import neighbourhoods, traversal_starts
from nacre.text import names, tokens

MAX_PINNED = 20
MAX_CHECKPOINT = 100
MAX_PROJECTS = 5
MAX_FROM_QUERY = 20
MAX_WORDS = 32

_SEPARATORS = re.compile(r"[/\\]+")


def focus(
    tx: Transaction,
    *,
    query: str | None = None,
    checkpoint: Sequence[UUID | str] = (),
    project: str | None = None,
    session: str | None = None,
    pinned: bool = True,
) -> Focus:
    """The entities that matter: of a checkpoint, of the project's path, of the query, and the pinned ones.

    All are gathered, so a project does not hide what the query names. Pinned entities come last, because they are
    always there and say nothing of this query. Where nothing is found, `session` is all that is known.
    """
    found = {
        "checkpoint": _of_checkpoint(tx, checkpoint),
        "project": _of_project(tx, project) if project else [],
        "query": _of_query(tx, query) if query else [],
        "pinned": traversal_starts.pinned(tx, MAX_PINNED) if pinned else [],
    }
    source = next((name for name, each in found.items() if each), "session" if session else "none")
    together = dict.fromkeys(EntityId(key) for each in found.values() for key in each)
    return Focus(entity_ids=tuple(together), source=source, session=session)


def _of_checkpoint(tx: Transaction, given: Iterable[UUID | str]) -> list[UUID]:
    keys = list(dict.fromkeys(ids.parse("checkpoint", each) for each in given))
    if len(keys) > MAX_CHECKPOINT:
        raise Invalid("checkpoint", f"has {len(keys):,} entities; at most {MAX_CHECKPOINT} are allowed")
    in_force = neighbourhoods.active(tx, keys) if keys else set()
    return [key for key in keys if key in in_force]


def _of_project(tx: Transaction, path: str) -> list[UUID]:
    """Projects that go by the last part of a path, by its last two together, or by the one before the last."""
    parts = [part for part in _SEPARATORS.split(checks.text("project", path, limit=4_000)) if part.strip(". ")][-2:]
    spelled = dict.fromkeys([*parts[-1:], " ".join(parts), *parts[:1]])
    keys, slugs = [names.match_key(each) for each in spelled], [names.slug(each) for each in spelled]
    return traversal_starts.projects(tx, keys, slugs, MAX_PROJECTS) if parts else []


def _of_query(tx: Transaction, query: str) -> list[UUID]:
    named = [found.entity_id for found in matching.find(tx, query)]
    words = list(dict.fromkeys(tokens.content_words(query[: 64 * MAX_WORDS])))[:MAX_WORDS]
    alike = traversal_starts.with_any_word(tx, words, MAX_FROM_QUERY)
    return list(dict.fromkeys([*named, *alike]))[:MAX_FROM_QUERY]
