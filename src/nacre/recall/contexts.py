"""What an agent should read before it answers: eight steps, one call, within a token budget.

1. Long-term memories that have to do with the message.  2. On the opening turn, the last seen ones if there are none.
3. Only what this session was not shown before.  4. As one message; then what was said in earlier sessions, what the
graph knows of the entities that the message and its memories name, and whom and what it knows at all.  5. The session's
working memory.  6. What patrols found.  7. What subagents outlined.  8. The last turns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from nacre.domain.contexts import Context, Label, Message, text_of
from nacre.domain.hits import Hit, Kind, Recall
from nacre.domain.memories import Memory
from nacre.domain.questions import Question
from nacre.domain.scopes import Scope
from nacre.domain.turns import Role
from nacre.graph import connections, profiles
from nacre.graph.connections import NO_CONNECTIONS, Connections
from nacre.graph.rendering import CONNECTIONS_HEADER
from nacre.memory import inventories
from nacre.recall import channels
from nacre.recall.memories import SURE, MemorySearch
from nacre.recall.recalling import Recaller, ask
from nacre.store import entities, ledgers, memories, sharing, turns
from nacre.store.databases import Database, Transaction
from nacre.store.memories import Filter
from nacre.store.turns import Said
from nacre.text.budget import count_tokens, fit
from nacre.text.injections import neutral
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words

MEMORY_HEADER = "Recalled from long-term memory (relevant to this message):"
EPISODE_HEADER = "Recalled from earlier conversations (what was said, as evidence):"
MAX_MEMORIES = 8
FIRST_TURN_MEMORIES = 5
MAX_EPISODES = 5
MAX_REPLAYED = 20
MAX_LINE_TOKENS = 200
# The part of a budget that the last turns may claim before anything is recalled.
CONVERSATION_SHARE = 0.4
# The part that may go to whom and what the graph knows, whatever the message is about.
PROFILE_SHARE = 0.15


def contentless(message: str) -> bool:
    """Whether a message holds nothing to look up: "ok", "thanks!", "and then?"."""
    return SMALL_TALK.issuperset(content_words(message))


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the steps found, before the budget is applied."""

    memories: Sequence[Memory]
    episodes: Sequence[Hit]
    connections: Connections
    profile: str
    inventory: Sequence[inventories.Block]
    conversation: Sequence[Said]
    notes: tuple[str, ...]
    graph_home: Scope


@dataclass(slots=True)
class Filling:
    """Messages that are put together line by line while they fit."""

    budget: int
    messages: list[Message] = field(default_factory=list)
    shown: list[UUID] = field(default_factory=list)

    def fits(self, *more: Message) -> bool:
        """Whether these messages can still be added."""
        return count_tokens(text_of((*self.messages, *more))) <= self.budget

    def add_lines(self, label: Label, header: str, lines: Sequence[tuple[str, UUID | None]]) -> None:
        """Add a block with as many of its lines as fit, in order."""
        kept: Message | None = None
        for line, item in lines:
            longer = Message(role=Role.SYSTEM.value, text=f"{kept.text if kept else header}\n{line}", label=label)
            if not self.fits(longer):
                break
            kept = longer
            if item:
                self.shown.append(item)
        if kept:
            self.messages.append(kept)


class ContextBuilder:
    """Builds contexts for the scopes of one database."""

    def __init__(self, database: Database, recaller: Recaller, search: MemorySearch, *, with_graph: bool) -> None:
        self._database = database
        self._recaller = recaller
        self._search = search
        self._with_graph = with_graph

    def build(
        self,
        scope: Scope,
        message: str,
        *,
        session: str | None,
        namespace: str | None,
        budget: int,
        profile: bool = True,
    ) -> Context:
        """The context for one message; what it shows is noted, so that the session is not shown it twice."""
        found = self._gather(scope, message, session, namespace, int(budget * PROFILE_SHARE) if profile else 0)
        filling = fill(found, budget)
        noted = filling.shown if session else []
        if noted or found.connections.matched:
            with self._database.write(scope) as tx:
                entities.touch(sharing.moved(tx, found.graph_home), found.connections.matched)
                if session and noted:
                    ledgers.note(tx, session, noted)
        messages = tuple(filling.messages)
        return Context(messages=messages, tokens=count_tokens(text_of(messages)), notes=found.notes)

    def _gather(
        self, scope: Scope, message: str, session: str | None, namespace: str | None, profile_budget: int
    ) -> Gathered:
        topical = not contentless(message)
        asked, notes = ask(self._recaller.embedder, message)
        with self._database.read(scope) as tx:
            shared = sharing.of(tx)
            home = shared.graph_home(scope)
            memories_tx, graph_tx = sharing.moved(tx, shared.memory_home(scope)), sharing.moved(tx, home)
            conversation = turns.last(tx, session, MAX_REPLAYED) if session else []
            seen = ledgers.seen(tx, session) if session else set()
            found = self._search.relevant(memories_tx, asked, MAX_MEMORIES) if topical else []
            if not found and not conversation and not seen:
                found = memories.newest(memories_tx, Filter(), FIRST_TURN_MEMORIES)
            inventory = inventories.inventory(tx, namespace) if namespace else []
            graph = self._connections(graph_tx, message, found) if topical else NO_CONNECTIONS
            profile = self._profile(graph_tx, graph, profile_budget)
        episodes = self._episodes(scope, asked, session, seen) if topical else Recall(())
        fresh = [each for each in found if each.id not in seen]
        notes += episodes.notes
        return Gathered(fresh, episodes.hits, graph, profile, inventory, conversation, notes, home)

    def _connections(self, tx: Transaction, message: str, found: Sequence[Memory]) -> Connections:
        if not self._with_graph:
            return NO_CONNECTIONS
        return connections.around(tx, message, [memory.content for memory in found])

    def _profile(self, tx: Transaction, shown: Connections, budget: int) -> str:
        if not (self._with_graph and budget):
            return ""
        return profiles.block(tx, shown.matched, budget, told=shown.shown)

    def _episodes(self, scope: Scope, asked: channels.Asked, session: str | None, seen: set[UUID]) -> Recall:
        """What was said in other sessions and truly has to do with the message."""
        question = Question(
            text=asked.text, limit=2 * MAX_EPISODES + MAX_REPLAYED, kinds=frozenset({Kind.TURN}), explain=True
        )
        sure = SURE * asked.threshold
        recalled = self._recaller.answer(scope, question, asked)
        fitting = [
            hit
            for hit in recalled
            if hit.id not in seen
            and (session is None or hit.source.session != session)
            and ("lexical" in hit.channels or hit.channels.get("vector", 0) >= sure > 0)
        ]
        return replace(recalled, hits=tuple(fitting[:MAX_EPISODES]))


def fill(found: Gathered, budget: int) -> Filling:
    """Put the steps together in their order, never over `budget`."""
    replayed = _replayed(found.conversation, int(budget * CONVERSATION_SHARE))
    # The turns that are sure to be replayed are set aside first, so that recall cannot crowd them out.
    filling = Filling(budget - count_tokens(text_of(replayed)) - 2 if replayed else budget)
    filling.add_lines("memory", MEMORY_HEADER, [(memory_line(each), each.id) for each in found.memories])
    filling.add_lines("episode", EPISODE_HEADER, [(episode_line(each), each.id) for each in found.episodes])
    graph_lines: list[tuple[str, UUID | None]] = [(line, None) for line in found.connections.lines]
    filling.add_lines("graph", CONNECTIONS_HEADER, graph_lines)
    header, *profile_lines = found.profile.split("\n")
    filling.add_lines("graph", header, [(line, None) for line in profile_lines])
    for block in found.inventory:
        header, *lines = block.text.split("\n")
        filling.add_lines(block.label, header, [(line, None) for line in lines])
    filling.budget = budget
    filling.messages += _longest(found.conversation, lambda more: filling.fits(*more))
    return filling


def _replayed(conversation: Sequence[Said], budget: int) -> tuple[Message, ...]:
    return _longest(conversation, lambda messages: count_tokens(text_of(messages)) <= budget)


def _longest(conversation: Sequence[Said], fits: Callable[[tuple[Message, ...]], bool]) -> tuple[Message, ...]:
    """The newest turns, as many as fit, oldest first."""
    kept: tuple[Message, ...] = ()
    for said in reversed(conversation):
        longer = (Message(role=said.turn.role, text=said.turn.text, label="conversation"), *kept)
        if not fits(longer):
            break
        kept = longer
    return kept


def memory_line(memory: Memory) -> str:
    """An entry as one line that names it."""
    return f"- [{memory.short}] ({memory.category}): {_one_line(memory.content)}"


def episode_line(hit: Hit) -> str:
    """Something that was said as one line: when, who and what."""
    said = neutral(hit.text) if hit.source.flags else hit.text
    return f"- [{hit.at:%Y-%m-%d}] {hit.source.speaker or hit.source.role}: {_one_line(said)}"


def _one_line(text: str) -> str:
    return fit(" ".join(text.split()), MAX_LINE_TOKENS)
