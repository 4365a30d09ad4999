"""Preferences: what the user durably wants, inferred from what was said, and how often and in what tone.

Turns before the cursor are counted, too, so that somebody who says the same every other day is heard. The cursor moves
in the transaction that keeps what was inferred, whether or not that is anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from nacre.domain.dreams import Method, PassChange, PassName, PassReport, PassStatus
from nacre.domain.errors import Misconfigured, Unavailable
from nacre.domain.memories import MemoryFilter, Note, check_tags
from nacre.domain.turns import Role, StoredTurn
from nacre.memory.conversations import consume_in
from nacre.models.embedders import Embedder
from nacre.store.base import scopes, sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.homes import Homes
from nacre.store.evidence import memories, turns
from nacre.store.maintenance import ageing
from nacre.text.sensitive_topics import is_sensitive
from nacre.upkeep import breakers, model_preferences, rule_preferences
from nacre.upkeep.cycles import PassContext
from nacre.upkeep.learned_notes import LearnedNote, NoteQuote, keep
from nacre.upkeep.meters import TOKEN_CAP, Meter
from nacre.upkeep.rule_preferences import InferredPreference
from nacre.upkeep.steps import brief, writing

NAME = PassName.PREFERENCES
READER = "dream/preferences"
CATEGORY = "user-preferences/inferred"
TAG = "inferred"
INFER_PREFERENCE = "infer_preference"
PERMISSION = "requires_user_permission"
IMPORTANCE = 0.6
# Turns that one cycle reads, and those before them that still count.
MAX_TURNS = 1_000
LOOK_BACK = 1_000

_MOST_HELD = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLog:
    """What was said: `turns` with those that count from before, of which those after place `read` are new."""

    turns: Sequence[StoredTurn]
    read: int
    in_force: int
    more: bool = False

    @property
    def new(self) -> list[StoredTurn]:
        """What nobody has read yet."""
        return [each for each in self.turns if each.seq > self.read]


@dataclass(slots=True)
class PreferenceProgress:
    """What the pass came to."""

    found: list[InferredPreference] = field(default_factory=list)
    refused: list[PassChange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    method: Method = Method.RULES
    objection: str | None = None


class PreferencePass:
    """The pass over what was said in a scope."""

    def __init__(
        self,
        homes: Homes,
        embedder: Embedder | None,
        *,
        directives: Path | None = None,
        token_cap: int = TOKEN_CAP,
    ) -> None:
        self._homes = homes
        self._embedder = embedder
        self._directives = directives
        self._cap = token_cap

    @property
    def name(self) -> PassName:
        """Which pass it is."""
        return NAME

    def fingerprint(self, night: PassContext) -> str | None:
        """Where the reader stands, and what waits for it."""
        with night.database.read(night.scope) as tx:
            read = turns.cursor_position(tx, READER)
            unread = turns.since(tx, read, MAX_TURNS)
        with self._homes.read(night.scope) as tx:
            paused = breakers.paused(tx, NAME)
        parts = [paused or "", *(str(each.id) for each in unread)]
        return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def run(self, night: PassContext) -> PassReport:
        """Read what is new, infer, keep, and move on."""
        with self._homes.read(night.scope) as tx:
            paused = breakers.paused(tx, NAME)
            log = _read(tx, night)
        if paused:
            note = f"{paused} Nothing was inferred, and nothing was read. Look at the report, then reset the breaker."
            return PassReport(name=NAME, status=PassStatus.PAUSED, notes=(note,))
        if not log.new:
            return PassReport(name=NAME, status=PassStatus.DONE, notes=("Nothing new was said.",))
        meter = Meter(night.model, self._cap) if night.model else None
        work = self._infer(log, meter)
        changes = self._keep(night, log, work)
        if meter and not night.dry_run:
            with night.database.write(night.scope) as tx:
                meter.note(tx, f"dream/{NAME}")
        return PassReport(
            name=NAME,
            status=PassStatus.PAUSED if work.objection else PassStatus.DONE,
            method=work.method,
            changes=tuple(changes),
            refused=tuple(work.refused),
            counts={"turns": len(log.new), "inferred": len(changes)},
            notes=tuple(work.notes),
            input_tokens=meter.input_tokens if meter else 0,
            output_tokens=meter.output_tokens if meter else 0,
            waiting=int(log.more),
        )

    def _infer(self, log: ConversationLog, meter: Meter | None) -> PreferenceProgress:
        work = PreferenceProgress()
        if meter:
            try:
                work.found, work.refused, asked_for = model_preferences.infer_by_model(
                    meter, log.turns, log.read, self._directives
                )
            except (Unavailable, Misconfigured) as error:
                work.notes.append(f"The language model did not help, so rules did the work: {error}")
            else:
                work.method = Method.MODEL
                work.objection = breakers.objection(log.in_force, taken=0, added=asked_for)
                return work
        found = rule_preferences.infer_by_rules([each for each in log.turns if each.turn.role == Role.USER], log.read)
        room = breakers.allowed_growth(log.in_force)
        work.found = found[:room]
        if len(found) > room:
            work.notes.append(f"{len(found) - room} more were found and wait until they are said again.")
        return work

    def _keep(self, night: PassContext, log: ConversationLog, work: PreferenceProgress) -> list[PassChange]:
        """Keep what was found and move the cursor, together or not at all."""
        with writing(self._homes, night) as tx:
            scopes.lock(tx)
            if work.objection:
                # What was said stays unread: it is the model that is not trusted.
                breakers.pause(tx, NAME, work.objection)
                work.notes.append(f"The breaker opened, and nothing was inferred: {work.objection}")
                return []
            # Another cycle may have read the same in the meantime.
            if not consume_in(sharing.moved(tx, night.scope), READER, log.new[-1].seq):
                return []
            sharing.bring(tx, {each.id for found in work.found for each in found.turns}, night.scope)
            return [self._kept(tx, found) for found in work.found]

    def _kept(self, tx: Transaction, preference: InferredPreference) -> PassChange:
        held = memories.newest(tx, MemoryFilter(category=CATEGORY), _MOST_HELD)
        finding = LearnedNote(
            note=note_of(preference),
            quotes=[NoteQuote(turn.id, span) for turn, span in zip(preference.turns, preference.spans, strict=True)],
            operation=INFER_PREFERENCE,
            why=preference.why,
        )
        keep(tx, finding, held, rule_preferences.same_preference, self._embedder)
        return PassChange(
            what=f"inferred “{brief(preference.content)}”",
            why=preference.why,
            items=tuple(str(turn.id) for turn in preference.turns),
        )


def note_of(preference: InferredPreference) -> Note:
    """The memory that a preference becomes. Whether it needs permission is not for a model to deny."""
    said = " ".join([preference.content, *preference.quotes])
    metadata = {
        "source": TAG,
        "sentiment": preference.sentiment.name.lower(),
        "occurrences": str(len(preference.turns)),
    }
    if preference.sensitive or is_sensitive(said):
        metadata[PERMISSION] = "true"
    tags = check_tags([TAG, *(tag for tag in preference.tags if tag != TAG)])
    return Note(text=preference.content, category=CATEGORY, tags=tags, metadata=metadata, importance=IMPORTANCE)


def _read(tx: Transaction, night: PassContext) -> ConversationLog:
    mine = sharing.moved(tx, night.scope)
    read = turns.cursor_position(mine, READER)
    said = turns.since(mine, max(0, read - LOOK_BACK), LOOK_BACK + MAX_TURNS)
    return ConversationLog(
        turns=said,
        read=read,
        in_force=ageing.in_force(tx),
        more=len(said) == LOOK_BACK + MAX_TURNS,
    )
