"""Procedural memory: skills are kept under names, offered by summary and loaded on demand."""

from collections.abc import Iterable, Sequence

from nacre.domain.errors import NotFound
from nacre.domain.scopes import Scope
from nacre.domain.skills import Skill, SkillSummary, check_name, check_see_also
from nacre.store.base.databases import Database, Transaction
from nacre.store.evidence import skills

HEADER = "Skills that may help (load one with get_skill):"
MAX_OFFERED = 5


def save(
    database: Database, scope: Scope, name: str, *, summary: str, content: str, see_also: Iterable[str] = ()
) -> Skill:
    """Keep a skill, in place of any with its name."""
    now = database.clock()
    also = check_see_also(see_also)
    skill = Skill(name=name, summary=summary, content=content, see_also=also, created_at=now, updated_at=now)
    with database.write(scope) as tx:
        skills.save(tx, skill)
        return _found(tx, name)


def get(database: Database, scope: Scope, name: str) -> Skill:
    """The whole skill of that name."""
    check_name(name)
    with database.read(scope) as tx:
        return _found(tx, name)


def listing(database: Database, scope: Scope) -> list[SkillSummary]:
    """Every skill's name and summary, by name."""
    with database.read(scope) as tx:
        return skills.summaries(tx)


def every(database: Database, scope: Scope) -> list[Skill]:
    """Every skill, whole, by name: what a search goes through."""
    with database.read(scope) as tx:
        return skills.every(tx)


def delete(database: Database, scope: Scope, name: str) -> bool:
    """Delete a skill; whether it was there."""
    check_name(name)
    with database.write(scope) as tx:
        return skills.remove(tx, name)


def offer(skill_summaries: Sequence[SkillSummary]) -> str | None:
    """The block that offers skills by their summaries; None when there is nothing to offer."""
    lines = [f"- {each.name}: {each.summary}" for each in skill_summaries]
    return "\n".join([HEADER, *lines]) if lines else None


def _found(tx: Transaction, name: str) -> Skill:
    skill = skills.find(tx, name)
    if skill is None:
        raise NotFound("skill", name)
    return skill
