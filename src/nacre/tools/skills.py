"""Skills for an agent."""

from nacre.brain import ScopedNacre

NONE = "No skill fits."


class SkillTools:
    """Named procedures: found by their summaries, loaded whole."""

    def __init__(self, scope: ScopedNacre) -> None:
        self._skills = scope.skills

    def save_skill(self, name: str, summary: str, content: str, see_also: list[str] | None = None) -> str:
        """Keep a procedure under a name such as `email/reply`, in place of any that has it."""
        return f"Saved {self._skills.save(name, summary=summary, content=content, see_also=see_also or ()).name}."

    def search_skills(self, query: str | None = None) -> str:
        """Find procedures that fit, by their summaries; without a query, all of them."""
        found = self._skills.list() if query is None else self._skills.search(query)
        return "\n".join(f"- {each.name}: {each.summary}" for each in found) or NONE

    def get_skill(self, name: str) -> str:
        """Load a whole procedure."""
        skill = self._skills.get(name)
        also = f"\n\nSee also: {', '.join(skill.see_also)}" if skill.see_also else ""
        return f"{skill.content}{also}"

    def delete_skill(self, name: str) -> str:
        """Delete a procedure for good."""
        return f"Deleted {name}." if self._skills.delete(name) else f"There was no skill {name}."
