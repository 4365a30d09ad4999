"""Skills: named procedures, offered by summary and loaded on demand."""

from collections.abc import Iterable

from nacre.brain.probing import probed
from nacre.domain import checks
from nacre.domain.scopes import Scope
from nacre.domain.skills import Skill, SkillSummary
from nacre.memory import skills
from nacre.recall import text_ranking
from nacre.wiring import Parts


@probed("skills")
class Skills:
    """The skills of one scope."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def save(self, name: str, *, summary: str, content: str, see_also: Iterable[str] = ()) -> Skill:
        """Keep a skill under a name such as `email/reply`, in place of any that has it."""
        return skills.save(self._parts.database, self._scope, name, summary=summary, content=content, see_also=see_also)

    def get(self, name: str) -> Skill:
        """The whole skill; `missing` names those of its `see_also` that are not there."""
        return skills.get(self._parts.database, self._scope, name)

    def search(self, query: str, *, limit: int = skills.MAX_OFFERED) -> list[SkillSummary]:
        """The skills that fit `query` by name, summary or content, best first."""
        checks.text("query", query)
        checks.count("limit", limit)
        every = skills.every(self._parts.database, self._scope)
        ranked = text_ranking.rank([skill.searchable for skill in every], query, self._parts.embedder)
        return [SkillSummary(name=every[at].name, summary=every[at].summary) for at, _ in ranked[:limit]]

    def offer(self, query: str) -> str | None:
        """The text that offers the skills which fit `query` to an agent; None when none does."""
        return skills.offer(self.search(query))

    def delete(self, name: str) -> bool:
        """Delete a skill for good; False when there was none."""
        return skills.delete(self._parts.database, self._scope, name)

    # Last, because below it `list` would mean this method.
    def list(self) -> list[SkillSummary]:
        """Every skill's name and summary, by name."""
        return skills.listing(self._parts.database, self._scope)
