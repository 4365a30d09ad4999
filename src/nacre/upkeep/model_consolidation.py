"""Proposals of a language model for a tidy memory, and what of them passes the host's guards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, Field

from nacre.domain import checks
from nacre.domain.dreams import PassChange
from nacre.domain.errors import Invalid, Misconfigured, Unavailable
from nacre.domain.feedback import Signal
from nacre.domain.memories import GENERAL, Memory, check_category, check_tags
from nacre.memory import duplicates
from nacre.models.language_models import ModelPrompt, prompt_text
from nacre.upkeep import breakers, guards, ratings
from nacre.upkeep.clusters import Group
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.meters import Meter
from nacre.upkeep.steps import ConsolidationStep, EntryText, brief

DIRECTIVE = "dream.md"
MAX_REPAIRS = 10
# Entries that one question shows, in characters; more are asked about in several.
_TOGETHER = 16_000
_LONGEST = 2_000


class MergedEntry(BaseModel):
    """An entry that takes the place of others."""

    content: str
    category: str = GENERAL
    tags: list[str] = Field(default_factory=list)
    sourceIds: list[str] = Field(default_factory=list, description="Every entry that it replaces.")  # noqa: N815
    importance: float = 0.5


class TidyReply(BaseModel):
    """What should change; empty lists where nothing should."""

    toDelete: list[str] = Field(default_factory=list)  # noqa: N815 - the names of the document
    toSave: list[MergedEntry] = Field(default_factory=list)  # noqa: N815


@dataclass(frozen=True, slots=True, kw_only=True)
class TidyMaterial:
    """What a model is asked about: groups that are alike, single entries, and groups that may only be merged."""

    groups: tuple[Group, ...] = ()
    singles: tuple[Memory, ...] = ()
    reopened: tuple[Group, ...] = ()

    @property
    def entries(self) -> dict[str, Memory]:
        """Every entry, by the name the model knows it by."""
        return {each.short: each for group in self.units for each in group}

    @property
    def units(self) -> list[Group]:
        """What belongs together in one question."""
        return [*self.groups, *self.reopened, *((each,) for each in self.singles)]


@dataclass(slots=True)
class TidyProposal:
    """What became of a model's proposals. `objection` says why none of them may be carried out."""

    steps: list[ConsolidationStep] = field(default_factory=list)
    refused: list[PassChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    objection: str | None = None
    asked: list[Group] = field(default_factory=list)
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidier:
    """Asks a model about entries, and checks what it says. `standing` are all entries in force that were read."""

    meter: Meter
    night: PassContext
    standing: Sequence[Memory]
    in_force: int
    signals: Sequence[Signal] = ()
    directives: Path | None = None

    def propose(self, shown: TidyMaterial) -> TidyProposal:
        """What passes. Raises `Unavailable` or `Misconfigured` when the model does not answer at all."""
        done = TidyProposal()
        replies = list(self._replies(shown, done))
        known = shown.entries
        done.objection = self._objection(replies, known)
        if done.objection is None:
            self._check(replies, shown, done)
        return done

    def _replies(self, shown: TidyMaterial, done: TidyProposal) -> Iterator[TidyReply]:
        batches = _batches(shown.units)
        for place, batch in enumerate(batches):
            rest = batches[place:]
            if self.night.disturbed():
                done.notes.append("People are here.")
                done.left = sum(map(len, rest))
                return
            try:
                reply = self._ask(_material(batch, self.signals))
            except (Unavailable, Misconfigured) as error:
                if not done.asked:
                    raise
                done.notes.append(f"{sum(map(len, rest))} entries were not looked at: {error}")
                done.left = sum(map(len, rest))
                return
            done.asked += batch
            yield reply

    def _ask(self, material: str) -> TidyReply:
        prompt = ModelPrompt(instructions=prompt_text(DIRECTIVE, self.directives), material=material)
        return self.meter.ask(prompt, TidyReply)

    def _objection(self, replies: Sequence[TidyReply], memories: dict[str, Memory]) -> str | None:
        """Too much is judged by what was asked for, before anything is sorted out: who asks for that is not trusted."""
        saves = [save for reply in replies for save in reply.toSave]
        named = {name for reply in replies for name in reply.toDelete} | {
            key for save in saves for key in save.sourceIds
        }
        return breakers.objection(self.in_force, taken=len(named & memories.keys()), added=len(saves))

    def _check(self, replies: Sequence[TidyReply], shown: TidyMaterial, done: TidyProposal) -> None:
        known, used, spared = shown.entries, set[UUID](), set[str]()
        repairs = iter(range(MAX_REPAIRS))
        for save in (save for reply in replies for save in reply.toSave):
            try:
                step = self._save(save, shown, used, repairs)
            except Invalid as error:
                # What was to live on in a merge that failed does not go.
                spared |= set(save.sourceIds)
                done.refused.append(_refused(f"save “{brief(save.content)}”", error, save.sourceIds, known))
                continue
            used |= {each.id for each in step.sources}
            if not _changes_nothing(step):
                done.steps.append(step)
        for name in dict.fromkeys(name for reply in replies for name in reply.toDelete):
            if name in known and known[name].id in used:
                continue
            try:
                done.steps.append(self._prune(name, shown, spared, done.steps))
            except Invalid as error:
                done.refused.append(_refused("prune an entry", error, [name], known))

    def _save(
        self, save: MergedEntry, shown: TidyMaterial, used: set[UUID], repairs: Iterator[int]
    ) -> ConsolidationStep:
        sources = guards.shown(save.sourceIds, shown.entries)
        if not sources:
            raise Invalid("sourceIds", "must name the entries that it replaces")
        if any(each.id in used for each in sources):
            raise Invalid("sourceIds", "name an entry that has been replaced already")
        content = checks.text("content", save.content).strip()
        guards.check_joinable(sources, rewritten=content not in {each.content for each in sources})
        guards.check_related(sources, [*shown.groups, *shown.reopened])
        if content not in {each.content for each in sources} or len(sources) > 1:
            content = self._kept(sources, content, repairs)
        category = _category(sources, check_category(save.category.strip().strip("/")))
        tags = check_tags(tag.strip().casefold() for tag in save.tags if tag.strip())
        rated = guards.importance(checks.fraction("importance", min(1.0, max(0.0, save.importance))), sources)
        text = EntryText(content=content, category=category, tags=tags, importance=rated)
        why = "that they say the same" if len(sources) > 1 else "a better way to keep it"
        return ConsolidationStep(sources=tuple(sources), text=text, why=f"A language model found {why}.")

    def _kept(self, sources: Sequence[Memory], content: str, repairs: Iterator[int]) -> str:
        """The content, or what the model makes of it when it is told once what is missing."""
        user = self.night.scope.user
        try:
            guards.check_kept(sources, content, user)
        except Invalid as error:
            if next(repairs, None) is None:
                raise
            content = self._repaired(sources, error)
            guards.check_kept(sources, content, user)
        return content

    def _repaired(self, sources: Sequence[Memory], error: Invalid) -> str:
        asked = f"{_material([tuple(sources)], ())}\n\nYour last merge of these was refused: {error} Write it anew."
        try:
            reply = self._ask(asked)
        except (Unavailable, Misconfigured) as failure:
            raise error from failure
        wanted = {each.short for each in sources}
        found = next((save.content for save in reply.toSave if set(save.sourceIds) == wanted), None)
        if found is None:
            raise error
        return checks.text("content", found).strip()

    def _prune(
        self, name: str, shown: TidyMaterial, spared: set[str], steps: Sequence[ConsolidationStep]
    ) -> ConsolidationStep:
        (memory,) = guards.shown([name], shown.entries)
        if name in spared:
            raise Invalid("toDelete", f"names {name}, whose merge was refused")
        if any(memory in group for group in shown.reopened):
            raise Invalid("toDelete", f"names {name}, which may only be merged")
        going = {each.id for step in steps for each in step.sources}
        staying = [each for each in self.standing if each.id not in going]
        made = [replace(step.sources[0], content=step.text.content) for step in steps if step.text]
        guards.check_prunable(memory, [*staying, *made])
        return ConsolidationStep(sources=(memory,), why="A language model found that nothing is lost with it.")


def _category(sources: Sequence[Memory], proposed: str) -> str:
    """The first part of a category stays; only what is general may be sorted anywhere."""
    own = max((each.category for each in sources), key=lambda each: each.count("/"))
    free = duplicates.top_level(own) == GENERAL
    return proposed if free or duplicates.top_level(proposed) == duplicates.top_level(own) else own


def _changes_nothing(step: ConsolidationStep) -> bool:
    if len(step.sources) > 1 or step.text is None:
        return False
    (only,) = step.sources
    same = (step.text.content, step.text.category) == (only.content, only.category)
    return same and set(step.text.tags) <= set(only.tags) and step.text.importance == ratings.rating(only)


def _refused(what: str, error: Invalid, names: Sequence[str], memories: dict[str, Memory]) -> PassChange:
    return PassChange(
        what=what, why=str(error), items=tuple(str(memories[name].id) if name in memories else name for name in names)
    )


def _batches(units: Sequence[Group]) -> list[list[Group]]:
    batches: list[list[Group]] = []
    room = 0
    for unit in units:
        size = sum(min(len(each.content), _LONGEST) + 100 for each in unit)
        if not batches or size > room:
            batches.append([])
            room = _TOGETHER
        batches[-1].append(unit)
        room -= size
    return batches


def _material(units: Sequence[Group], signals: Sequence[Signal]) -> str:
    lines = []
    for unit in units:
        lines.append("<group>" if len(unit) > 1 else "<entry>")
        lines += [_line(each) for each in unit]
        lines.append("</group>" if len(unit) > 1 else "</entry>")
    if signals:
        lines += ["", "Feedback of the last days:"]
        lines += [f"- {each.kind}: {brief(each.subject)} {brief(each.detail or '')}".rstrip() for each in signals]
    return "\n".join(lines)


def _line(memory: Memory) -> str:
    tags = ", ".join(memory.tags) or "none"
    head = f"[{memory.short}] category {memory.category}; tags {tags}; importance {ratings.rating(memory):.2f}"
    return f"{head}\n{memory.content[:_LONGEST]}"
