"""Skills, whole or by their summaries."""

from collections.abc import Iterable

from sqlalchemy import Row, delete, select

from nacre.domain.skills import Skill, SkillSummary
from nacre.store.base import dialects, scopes
from nacre.store.base.databases import Transaction
from nacre.store.tables.schema import skills


def save(tx: Transaction, skill: Skill) -> None:
    """Store a skill in place of the one with its name, which leaves only when it was made."""
    scopes.ensure(tx)
    told = {
        "summary": skill.summary,
        "content": skill.content,
        "see_also": list(skill.see_also),
        "updated_at": skill.updated_at,
    }
    key = {"scope_id": tx.scope_id, "name": skill.name}
    tx.execute(
        dialects.insert(tx.connection, skills)
        .values(**key, **told, created_at=skill.created_at)
        .on_conflict_do_update(index_elements=list(key), set_=told)
    )


def find(tx: Transaction, name: str) -> Skill | None:
    """The skill of that name."""
    row = tx.execute(select(skills).where(skills.c.scope_id == tx.scope_id, skills.c.name == name)).one_or_none()
    return _to_skill(row, missing=_missing(tx, row.see_also)) if row else None


def every(tx: Transaction) -> list[Skill]:
    """All skills, whole, by name."""
    rows = tx.execute(select(skills).where(skills.c.scope_id == tx.scope_id)).all()
    # Sorted here and not by the databases, which do not agree on the order of text.
    return sorted((_to_skill(row) for row in rows), key=lambda skill: skill.name)


def summaries(tx: Transaction) -> list[SkillSummary]:
    """All skills, by name, without their content."""
    rows = tx.execute(select(skills.c.name, skills.c.summary).where(skills.c.scope_id == tx.scope_id))
    return sorted((SkillSummary(name=row.name, summary=row.summary) for row in rows), key=lambda each: each.name)


def remove(tx: Transaction, name: str) -> bool:
    """Delete a skill; whether it was there."""
    found = tx.execute(delete(skills).where(skills.c.scope_id == tx.scope_id, skills.c.name == name))
    return found.rowcount > 0


def _missing(tx: Transaction, names: Iterable[str]) -> tuple[str, ...]:
    wanted = list(names)
    there = set(
        tx.execute(select(skills.c.name).where(skills.c.scope_id == tx.scope_id, skills.c.name.in_(wanted))).scalars()
    )
    return tuple(name for name in wanted if name not in there)


def _to_skill(row: Row[tuple[object, ...]], missing: tuple[str, ...] = ()) -> Skill:
    return Skill(
        name=row.name,
        summary=row.summary,
        content=row.content,
        created_at=row.created_at,
        updated_at=row.updated_at,
        see_also=tuple(row.see_also),
        missing=missing,
    )
