"""Contexts: all that an agent should read before it answers, in one call and within a token budget.

Beliefs first, then memories, documents and what was said, as far as they bear on the message; what is likeliest to
bear on it gets the room first. Where nothing does, nothing is said. `nacre.domain.contexts` names the blocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.domain.contexts import Block, Context, ContextRequest, SeenPolicy
from nacre.domain.hits import Kind, Recall
from nacre.domain.memories import Memory
from nacre.domain.questions import Question, Rerank
from nacre.domain.replacements import ReplacedMemory
from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings
from nacre.models.embedders import EmbedderCache
from nacre.recall import bearings, beliefs, channels, current_beliefs, reference_blocks, rows, situations, token_ranking
from nacre.recall.beliefs import MessageSubjects
from nacre.recall.context_lines import LABELS, SMALL, TINY, ContextMaterial, contentless, draft_context
from nacre.recall.memories import MemorySearch
from nacre.recall.questions import Candidates, Recaller
from nacre.recall.reference_blocks import BlockConditions, TextBlock
from nacre.recall.rows import LaterHits
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction
from nacre.store.base.prepared_statements import Call
from nacre.store.evidence import offers, turns
from nacre.store.evidence import successions as stored_successions
from nacre.store.evidence.learned_transactions import SettledTransactions
from nacre.store.graph import entities

MAX_REPLAYED = 20
# So many characters of a message are looked at.
MAX_READ = 6_000
# So many hits are looked at for each token of the budget, and so many at most.
HITS_A_TOKEN, MAX_HITS = 1 / 20, 200
# First hits whose words make beliefs that are looked at, whoever they are about.
TELLING = 5


@dataclass(frozen=True, slots=True)
class MessageBeliefs:
    """Whom a message is about and what may be told as current of them, of the user, and of those at their links."""

    subjects: MessageSubjects
    held: Sequence[Belief]
    # Those whose beliefs may be shown; nobody where none are wanted.
    about: tuple[UUID, ...]
    # What a profile may tell of the user: all where a session begins, later how they want to be answered.
    profile: Sequence[Belief]
    # How well what they rest on fits the message, by turn or memory.
    fits: Mapping[UUID, float] = field(default_factory=dict)


class ContextBuilder:
    """Builds contexts for the scopes of one database."""

    # Those who cannot wait until the graph has learned all that was said read what is `unsettled`.
    def __init__(
        self,
        database: SettledTransactions,
        unsettled: SettledTransactions,
        recaller: Recaller,
        search: MemorySearch,
        *,
        with_graph: bool,
    ) -> None:
        self._database, self._unsettled = database, unsettled
        self._recaller = recaller
        # What was said is compared with one message after another.
        self._embedder = recaller.embedder and EmbedderCache(recaller.embedder)
        self._search = search
        self._with_graph = with_graph

    def build(self, scope: Scope, request: ContextRequest) -> Context:
        """The context for one message; what it shows is noted, for callers who want nothing twice."""
        database = self._unsettled if request.quick else self._database
        gathering, graph = self._gather(database, scope, request)
        draft = draft_context(gathering, request)
        messages = draft.messages()
        lines = draft.lines()
        shown = [item for line in lines for item in line.items]
        shown += [item for block in draft.blocks for _, item in block.lines if item]
        self._note(scope, graph, request.session, shown, gathering.named)
        return Context(
            messages=messages,
            tokens=draft.cost(messages),
            notes=gathering.notes,
            lines=lines,
            left_out=draft.left_out,
        )

    def _note(
        self, scope: Scope, graph: Scope, session: str | None, shown: Sequence[UUID], item_ids: Sequence[UUID]
    ) -> None:
        """Note what a session is shown, and in the graph of its scope whom it asked about."""
        if not (item_ids or (session and shown)):
            return
        with self._unsettled.write(scope) as tx:
            # What may wait for a writer of the scope comes first: it must hold no entity that the writer is to change.
            calls = offers.shown_calls(tx, session, list(dict.fromkeys(shown))) if session and shown else []
            if item_ids:
                calls.append(entities.touch_call(sharing.moved(tx, graph), item_ids))
            tx.execute_all(calls, last=True)

    def _gather(
        self, database: SettledTransactions, scope: Scope, request: ContextRequest
    ) -> tuple[ContextMaterial, Scope]:
        """What a context is made of, and where the graph of the scope is kept."""
        topical = not contentless(request.message)
        # What a message is about stands in its first pages, and a huge one must not hold anybody up.
        request = replace(request, message=request.message[:MAX_READ])
        asked, notes = self._recaller.ask(request.message)
        own = bearings.concerns_user(asked)
        user = request.speaker or scope.user_name
        believes = topical and self._with_graph and (request.wants(Block.BELIEF) or request.wants(Block.PROFILE))
        with database.read(scope, partial(_read_ahead, request=request, user=user if believes else None)) as tx:
            shared = sharing.of(tx)
            reader = beliefs.BeliefReader(sharing.moved(tx, shared.graph_home(scope)))
            if believes:
                beliefs.read_ahead(reader, request.message, user)
            found = self._find(tx, request, asked, own=own) if topical else None
            conversation = turns.last(tx, request.session, MAX_REPLAYED) if request.session else []
            seen = (
                offers.shown_items(tx, request.session)
                if request.session and request.seen is SeenPolicy.OMIT
                else set()
            )
            moment = BlockConditions(asked, topical, opening=not conversation, seen=frozenset(seen))
            blocks, named = self._documented(tx, shared, request, moment)
            if request.namespace:
                blocks += reference_blocks.concerning_inventories(tx, request)
            replaced = _replaced(sharing.moved(tx, shared.memory_home(scope)), found) if found else {}
            held = self._believed(reader, user, request, moment, found) if self._with_graph else None
            now = request.asked_at or tx.now
            later = _find_later(tx, found) if found else LaterHits([], {})
        recalled = self._recaller.judge(found) if found else Recall(())
        passages = sum(each.view.population for each in found.searched) if found else 0
        looked_through = own and passages <= SMALL
        gathering = ContextMaterial(
            recalled=recalled,
            later=later.hits,
            likely=later.likely,
            known=bearings.is_known(
                recalled, asked, self._embedder, held.subjects if held else None, own=looked_through
            ),
            now=now,
            passages=passages,
            looked_through=looked_through,
            bearing=bearings.weigh_hits(recalled, asked),
            blocks=blocks,
            conversation=conversation if request.wants(Block.CONVERSATION) else [],
            seen=frozenset(seen),
            named=named,
            notes=notes + recalled.notes,
            embed=partial(bearings.first_vectors, recalled, self._embedder),
            replaced=replaced,
            doubted=frozenset(older for _, older in found.doubted) if found else frozenset(),
        )
        return (self._with_beliefs(held, request, moment, gathering) if held else gathering), reader.tx.scope

    def _find(
        self, tx: Transaction, request: ContextRequest, asked: channels.EmbeddedQuery, *, own: bool
    ) -> Candidates | None:
        kinds = frozenset(kind for kind, (_, block) in LABELS.items() if request.wants(block))
        if not kinds:
            return None
        limit, rerank = min(MAX_HITS, 10 + int(request.budget * HITS_A_TOKEN)), Rerank.OFF if request.quick else None
        question = Question(
            text=request.message, limit=limit, kinds=kinds, rerank=rerank, asked_at=request.asked_at, explain=True
        )
        # Where tokens are not compared, as in other languages, little is found without a word in common.
        whole = TINY if asked.tokens is not None else SMALL
        return self._recaller.find(tx, question, asked, whole if own else 0)

    def _documented(
        self, tx: Transaction, shared: SharingSettings, request: ContextRequest, moment: BlockConditions
    ) -> tuple[list[TextBlock], list[UUID]]:
        """The blocks of the reference documents that were asked for, and the entities that the message named."""
        blocks: list[TextBlock] = []
        recalled: list[Memory] = []
        item_ids: list[UUID] = []
        if request.wants(Block.RECALLED_MEMORIES):
            home = sharing.moved(tx, shared.memory_home(tx.scope))
            block, recalled = reference_blocks.recalled_memories(home, self._search, moment)
            blocks += [block] if block.lines else []
        if self._with_graph and (request.wants(Block.CONNECTIONS) or request.wants(Block.KNOWLEDGE_GRAPH)):
            graph = sharing.moved(tx, shared.graph_home(tx.scope))
            more, item_ids = reference_blocks.graph_blocks(graph, request, moment, recalled)
            blocks += more
        if request.wants(Block.INVENTORIES) and request.namespace:
            blocks += reference_blocks.inventory_blocks(tx, request.namespace)
        return blocks, item_ids

    def _believed(
        self,
        reader: beliefs.BeliefReader,
        user: str,
        request: ContextRequest,
        moment: BlockConditions,
        pool: Candidates | None,
    ) -> MessageBeliefs | None:
        """What is believed of whom the message is about, and of the user where a session begins."""
        opening = moment.opening and request.session is not None
        profile = request.profile and request.wants(Block.PROFILE)
        wants_beliefs = moment.topical and request.wants(Block.BELIEF)
        if not ((profile and (opening or moment.topical)) or wants_beliefs):
            return None
        tx = reader.tx
        named = pool.named_in(tx.scope) if pool else None
        subjects = beliefs.find_subjects(reader, request.message, user, named)
        about = subjects.about if wants_beliefs else ()
        own = (subjects.user,) if profile and subjects.user else ()
        held = beliefs.believed_of(reader, [*about, *own])
        shared = bearings.shared_aspects(moment.asked, self._embedder) if wants_beliefs else ()
        more = beliefs.believed_of_all(tx, shared) if shared else []
        # Who says "I" or names somebody asks of them, and not of what was told of others.
        of_them = subjects.named or (subjects.user and beliefs.speaks_of_user(request.message))
        if pool and wants_beliefs and not of_them:
            others = (*about, *(each.subject for each in more))
            more += beliefs.believed_in(reader, pool.hits[:TELLING], others)
        about = tuple(dict.fromkeys((*about, *(each.subject for each in more))))
        held += [each for each in more if each.id not in {one.id for one in held}]
        held = current_beliefs.current(held, request.message, request.asked_at or tx.now)
        tokens = moment.asked.tokens
        items = {item for each in held for item in each.items} if wants_beliefs else set()
        fits = token_ranking.item_fits(tokens, tx, items, pool.fits_in(tx.scope) if pool else {}) if tokens else {}
        users = [each for each in held if profile and each.subject == subjects.user]
        profiled = users if opening else [each for each in users if situations.STANDING.search(each.topic)]
        return MessageBeliefs(subjects, held, about, profile=profiled, fits=fits)

    def _with_beliefs(
        self, believed: MessageBeliefs, request: ContextRequest, moment: BlockConditions, gathering: ContextMaterial
    ) -> ContextMaterial:
        subjects, held = believed.subjects, believed.held
        # What begins elsewhere may lead to somebody whom the message names.
        led = {each.subject for each in held} - {subjects.user} if subjects.named else set()
        of_message = [each for each in held if each.subject in believed.about or each.subject in led]
        fit_texts = None if request.quick else self._recaller.fit_texts(moment.asked)
        appeal = bearings.Appeal(request.message, moment.asked, subjects, gathering.recalled, believed.fits, fit_texts)
        weighed = bearings.weigh_beliefs(of_message, appeal, gathering.bearing, self._embedder)
        return replace(
            gathering,
            believed=weighed if believed.about else (),
            profile=believed.profile,
            named=[*gathering.named, *subjects.named],
        )


def _read_ahead(tx: Transaction, request: ContextRequest, user: str | None) -> list[Call]:
    """What can be read of a message and its session before anything else is known."""
    calls = beliefs.name_calls(tx, request.message, user) if user else []
    if request.session:
        calls.append(turns.last_call(tx, request.session, MAX_REPLAYED))
        calls += [offers.shown_call(tx, request.session)] if request.seen is SeenPolicy.OMIT else []
    return calls + reference_blocks.inventory_calls(tx, request)


def _find_later(tx: Transaction, pool: Candidates) -> LaterHits:
    """What followed upon candidates, of every scope that was searched; the last that a transaction reads."""
    for each in pool.searched:
        rows.read_later_ahead(each, pool.hits)
    tx.finish()
    found = [rows.find_later(each, pool.question, pool.hits) for each in pool.searched]
    likely = {older: newer for each in found for older, newer in each.likely.items()}
    return LaterHits([hit for each in found for hit in each.hits], likely)


def _replaced(tx: Transaction, pool: Candidates) -> Mapping[UUID, Sequence[ReplacedMemory]]:
    ids = [each.hit.id for each in pool.candidates if each.hit.kind is Kind.MEMORY]
    return stored_successions.find_replaced(tx, ids) if ids else {}
