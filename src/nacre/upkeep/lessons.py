"""Corrections become anti-patterns, each once: it is consumed in the transaction that keeps what it taught."""

from nacre.domain import ids
from nacre.domain.dreams import Change
from nacre.domain.feedback import MAX_SIGNALS, FeedbackKind, Signal
from nacre.domain.ids import SourceId
from nacre.domain.memories import ANTI_PATTERNS, Memory, Note, Outcome
from nacre.memory import duplicates
from nacre.memory.anti_patterns import from_correction
from nacre.memory.changing import REMEMBER
from nacre.memory.duplicates import Neighbour
from nacre.models.embedders import Embedder
from nacre.store import feedback, memories, scopes, sharing, sources
from nacre.store.databases import Transaction
from nacre.store.memories import Filter
from nacre.store.sharing import Homes
from nacre.store.sources import Source, SourceKind
from nacre.upkeep.cycles import Night
from nacre.upkeep.keeping import Finding, Quote, keep
from nacre.upkeep.steps import brief, writing

WHY = "Somebody corrected the agent."
_MOST_HELD = 1_000


def learn(homes: Homes, night: Night, embedder: Embedder | None) -> list[Change]:
    """Learn from the corrections that nothing was learned from yet, until people come."""
    with night.database.read(night.scope) as tx:
        signals = feedback.unconsumed(tx, MAX_SIGNALS, FeedbackKind.CORRECTION)
    learned = []
    for signal in signals:
        if night.disturbed():
            break
        with writing(homes, night) as tx:
            scopes.lock(tx)
            change = _learn(tx, night, signal, embedder)
        if change:
            learned.append(change)
    return learned


def _learn(tx: Transaction, night: Night, signal: Signal, embedder: Embedder | None) -> Change | None:
    if not feedback.consume(sharing.moved(tx, night.scope), [signal.id]):
        return None
    # One that teaches nothing is consumed too, or it would stand in the way of those behind it.
    note = from_correction(signal)
    if note is None:
        return None
    source = Source(id=SourceId(ids.new(tx.now)), kind=SourceKind.NOTE, text=note.text, at=signal.at)
    sources.add(tx, [source])
    quote = Quote(SourceId(source.id), (0, len(note.text)))
    finding = Finding(note=note, quotes=[quote], operation=REMEMBER, why=WHY)
    keep(tx, finding, memories.newest(tx, Filter(category=ANTI_PATTERNS), _MOST_HELD), _says_it, embedder)
    return Change(what=f"learned “{brief(note.text)}”", why=WHY, items=(str(signal.id),))


def _says_it(note: Note, memory: Memory) -> bool:
    return duplicates.outcome(note, Neighbour(memory)) is Outcome.REINFORCED
