"""Contexts: all that an agent should read before it answers, in one call and within a token budget.

Beliefs first, then memories, documents and what was said, as far as they bear on the message; what is likeliest to
bear on it gets the room first. Where nothing does, nothing is said. `nacre.domain.contexts` names the blocks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.domain.contexts import Block, Context, ContextLine, ContextRequest, Label, SeenPolicy
from nacre.domain.hits import Hit, HitStanding, Kind, Recall
from nacre.domain.memories import Memory
from nacre.domain.questions import Question, Rerank
from nacre.domain.replacements import ReplacedMemory
from nacre.domain.scopes import Scope
from nacre.domain.sharing import SharingSettings
from nacre.domain.turns import StoredTurn
from nacre.recall import bearings, beliefs, channels, excerpts, reference_blocks, situations, successions, token_ranking
from nacre.recall.beliefs import MessageSubjects
from nacre.recall.bm25 import Floats
from nacre.recall.contradictions import is_contradicted
from nacre.recall.drafts import PROFILE_SHARE, ContextDraft, DraftLine
from nacre.recall.memories import MemorySearch
from nacre.recall.questions import Candidates, Recaller
from nacre.recall.reference_blocks import BlockConditions, TextBlock
from nacre.store.base import sharing
from nacre.store.base.databases import Transaction, Transactions
from nacre.store.evidence import offers, turns
from nacre.store.evidence import successions as stored_successions
from nacre.store.graph import entities
from nacre.text import question_forms
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words, terms

MAX_REPLAYED = 20
# So many characters of a message are looked at.
MAX_READ = 6_000
# What is less likely to bear on a message than this is not shown as such; it must be likelier where nothing else says
# that the scope knows of what the message is about.
BAR, BAR_UNRELATED = 0.25, 0.37
# Of what is less sure, nothing is shown that is less likely than this.
BAR_UNSURE = 0.06
# Hits that score this much come in their order, others also by how short they are.
FIRST = 0.1
# Of what is less sure, one in so many passages of the scope is shown, and so many in a small one; beyond that, what
# has such a share of the words that the best has.
UNSURE_ONE_IN, UNSURE_LEAST, ALIKE = 8, 4, 0.8
# So many hits are looked at for each token of the budget, and so many at most.
HITS_A_TOKEN, MAX_HITS = 1 / 30, 200
# Lines of a profile; and first hits whose words make beliefs that are looked at, whoever they are about.
MAX_PROFILE, TELLING = 8, 5
# A price or an appointment is nothing to begin every talk with.
LEAST_WORTH = 0.3
# How much length counts against a line below the bar, and what a passage that ends with a question is worth.
THRIFT, ASKING = 0.2, 0.6
# A longer text says something.
SHORT = 60
# A turn that a belief quotes this much of says nothing more; less will do where another one replaced some of it.
QUOTED, QUOTED_BESIDE = 0.7, 0.5

_LABELS: dict[Kind, tuple[Label, Block]] = {
    Kind.MEMORY: ("memory", Block.MEMORY),
    Kind.DOCUMENT: ("document", Block.DOCUMENT),
    Kind.TURN: ("episode", Block.EPISODE),
}


def contentless(message: str) -> bool:
    """Whether a message holds nothing to look up: "ok", "thanks!", "and then?"."""
    return SMALL_TALK.issuperset(content_words(message))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMaterial:
    """What was found for a message, before any of it has a place."""

    recalled: Recall
    # Whether what was said may be shown at all.
    speaks: bool = False
    # How many passages the scope has.
    passages: int = 0
    # The probability that each hit bears on the message.
    bearing: Mapping[UUID, float] = field(default_factory=dict)
    # Beliefs with their relevance, and those of the user that a first turn begins with.
    believed: Sequence[tuple[Belief, float]] = ()
    profile: Sequence[Belief] = ()
    blocks: Sequence[TextBlock] = ()
    conversation: Sequence[StoredTurn] = ()
    seen: frozenset[UUID] = frozenset()
    named: Sequence[UUID] = ()
    notes: tuple[str, ...] = ()
    # Gives vectors to the first hits, where a local embedder has them at once.
    embed: Callable[[Sequence[Hit]], Mapping[UUID, Floats]]
    # What memories took the place of, the last first.
    replaced: Mapping[UUID, Sequence[ReplacedMemory]] = field(default_factory=dict)
    # The memories that a newer one may have replaced: nobody has decided yet.
    doubted: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class MessageBeliefs:
    """Whom a message is about and what is believed of them, of the user, and of those at their links."""

    subjects: MessageSubjects
    held: Sequence[Belief]
    # Those whose beliefs may be shown; nobody where none are wanted.
    about: tuple[UUID, ...]
    # What a profile may tell of the user: all where a session begins, later how they want to be answered.
    profile: Sequence[Belief]
    now: datetime
    # How well what they rest on fits the message, by turn or memory.
    fits: Mapping[UUID, float] = field(default_factory=dict)


class ContextBuilder:
    """Builds contexts for the scopes of one database."""

    # Those who cannot wait until the graph has learned all that was said read what is `unsettled`.
    def __init__(
        self,
        database: Transactions,
        unsettled: Transactions,
        recaller: Recaller,
        search: MemorySearch,
        *,
        with_graph: bool,
    ) -> None:
        self._database, self._unsettled = database, unsettled
        self._recaller = recaller
        self._search = search
        self._with_graph = with_graph

    def build(self, scope: Scope, request: ContextRequest) -> Context:
        """The context for one message; what it shows is noted, for callers who want nothing twice."""
        database = self._unsettled if request.quick else self._database
        gathering = self._gather(database, scope, request)
        draft = _drafted(gathering, request)
        messages = draft.messages()
        lines = draft.lines()
        shown = [item for line in lines for item in line.items]
        shown += [item for block in draft.blocks for _, item in block.lines if item]
        self._note(database, scope, request.session, shown, gathering.named)
        return Context(
            messages=messages,
            tokens=draft.cost(messages),
            notes=gathering.notes,
            lines=lines,
            left_out=draft.left_out,
        )

    def _note(
        self, database: Transactions, scope: Scope, session: str | None, shown: Sequence[UUID], item_ids: Sequence[UUID]
    ) -> None:
        if not (item_ids or (session and shown)):
            return
        with database.write(scope) as tx:
            if item_ids:
                entities.touch(sharing.moved(tx, sharing.of(tx).graph_home(scope)), item_ids)
            if session and shown:
                offers.note_shown(tx, session, list(dict.fromkeys(shown)))

    def _gather(self, database: Transactions, scope: Scope, request: ContextRequest) -> ContextMaterial:
        topical = not contentless(request.message)
        # What a message is about stands in its first pages, and a huge one must not hold anybody up.
        request = replace(request, message=request.message[:MAX_READ])
        asked, notes = self._recaller.ask(request.message)
        with database.read(scope) as tx:
            shared = sharing.of(tx)
            found = self._find(tx, request, asked) if topical else None
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
            graph = sharing.moved(tx, shared.graph_home(scope))
            held = self._believed(graph, scope, request, moment, found) if self._with_graph else None
        recalled = self._recaller.judge(found) if found else Recall(())
        gathering = ContextMaterial(
            recalled=recalled,
            speaks=bearings.speaks(recalled, asked, self._recaller.embedder),
            passages=sum(each.view.population for each in found.searched) if found else 0,
            bearing=bearings.weigh_hits(recalled, asked),
            blocks=blocks,
            conversation=conversation if request.wants(Block.CONVERSATION) else [],
            seen=frozenset(seen),
            named=named,
            notes=notes + recalled.notes,
            embed=partial(bearings.first_vectors, recalled, self._recaller.embedder),
            replaced=replaced,
            doubted=frozenset(older for _, older in found.doubted) if found else frozenset(),
        )
        return self._with_beliefs(held, request, moment, gathering) if held else gathering

    def _find(self, tx: Transaction, request: ContextRequest, asked: channels.EmbeddedQuery) -> Candidates | None:
        kinds = frozenset(kind for kind, (_, block) in _LABELS.items() if request.wants(block))
        if not kinds:
            return None
        limit, rerank = min(MAX_HITS, 10 + int(request.budget * HITS_A_TOKEN)), Rerank.OFF if request.quick else None
        question = Question(
            text=request.message, limit=limit, kinds=kinds, rerank=rerank, asked_at=request.asked_at, explain=True
        )
        return self._recaller.find(tx, question, asked)

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
        self, tx: Transaction, scope: Scope, request: ContextRequest, moment: BlockConditions, pool: Candidates | None
    ) -> MessageBeliefs | None:
        """What is believed of whom the message is about, and of the user where a session begins."""
        opening = moment.opening and request.session is not None
        profile = request.profile and request.wants(Block.PROFILE)
        wants_beliefs = moment.topical and request.wants(Block.BELIEF)
        if not ((profile and (opening or moment.topical)) or wants_beliefs):
            return None
        named = pool.named_in(tx.scope) if pool else None
        subjects = beliefs.find_subjects(tx, request.message, request.speaker or scope.user_name, named)
        about = subjects.about if wants_beliefs else ()
        own = (subjects.user,) if profile and subjects.user else ()
        held = beliefs.believed_of(tx, [*about, *own])
        shared = bearings.shared_aspects(moment.asked, self._recaller.embedder) if wants_beliefs else ()
        more = beliefs.believed_of_all(tx, shared) if shared else []
        # Who says "I" or names somebody asks of them, and not of what was told of others.
        of_them = subjects.named or (subjects.user and beliefs.speaks_of_user(request.message))
        if pool and wants_beliefs and not of_them:
            others = (*about, *(each.subject for each in more))
            more += beliefs.believed_in(tx, [each.hit.id for each in pool.candidates[:TELLING]], others)
        about = tuple(dict.fromkeys((*about, *(each.subject for each in more))))
        held += [each for each in more if each.id not in {one.id for one in held}]
        tokens = moment.asked.tokens
        items = {item for each in held for item in each.items} if wants_beliefs else set()
        fits = token_ranking.item_fits(tokens, tx, items, pool.fits_in(tx.scope) if pool else {}) if tokens else {}
        users = [each for each in held if profile and each.subject == subjects.user]
        profiled = users if opening else [each for each in users if situations.STANDING.search(each.topic)]
        return MessageBeliefs(subjects, held, about, profile=profiled, now=tx.now, fits=fits)

    def _with_beliefs(
        self, believed: MessageBeliefs, request: ContextRequest, moment: BlockConditions, gathering: ContextMaterial
    ) -> ContextMaterial:
        subjects = believed.subjects
        held = bearings.current(believed.held, request.message, believed.now)
        # What begins elsewhere may lead to somebody whom the message names.
        led = {each.subject for each in held} - {subjects.user} if subjects.named else set()
        of_message = [each for each in held if each.subject in believed.about or each.subject in led]
        appeal = bearings.Appeal(request.message, moment.asked, subjects, gathering.recalled, believed.fits)
        weighed = bearings.weigh_beliefs(of_message, appeal, gathering.bearing, self._recaller.embedder)
        return replace(
            gathering,
            believed=weighed if believed.about else (),
            profile=bearings.current(believed.profile, request.message, believed.now),
            named=[*gathering.named, *subjects.named],
        )


def _replaced(tx: Transaction, pool: Candidates) -> Mapping[UUID, Sequence[ReplacedMemory]]:
    ids = [each.hit.id for each in pool.candidates if each.hit.kind is Kind.MEMORY]
    return stored_successions.find_replaced(tx, ids) if ids else {}


def _drafted(gathering: ContextMaterial, request: ContextRequest) -> ContextDraft:
    bar = BAR if request.min_score is None else request.min_score
    draft = ContextDraft(request.budget, gathering.conversation)
    sure_beliefs = [(each, score) for each, score in gathering.believed if score >= bar]
    shown = {each.id for each, _ in sure_beliefs}
    draft.add(_profile_offers(gathering, request, shown), PROFILE_SHARE)
    hits = list(_presentable(gathering, request, [each for each, _ in sure_beliefs]))
    hits = successions.with_followers(hits, gathering.embed, bar)
    asked = terms(request.message)
    hits, bearing = _wanted(hits, gathering, request, bar)
    fresh = [(each, score) for each, score in sure_beliefs if each.id not in gathering.seen]
    sure = [_belief_offer(each, score, request) for each, score in fresh if not is_contradicted(each, hits)]
    sure += [_hit_offer(hit, asked, gathering, request, sure=hit.id in bearing) for hit in hits if hit.score >= FIRST]
    draft.add(sorted(sure, key=lambda offer: -offer.line.score))
    for block in gathering.blocks:
        draft.add_block(block)
    rest = sorted((hit for hit in hits if hit.score < FIRST), key=_value, reverse=True)
    draft.fill([_hit_offer(hit, asked, gathering, request, sure=hit.id in bearing) for hit in rest])
    return draft


def _wanted(
    hits: Sequence[Hit], gathering: ContextMaterial, request: ContextRequest, bar: float
) -> tuple[list[Hit], set[UUID]]:
    """The hits that may have a place, and which of them bear on the message; the others are there to be looked through.

    Those are for questions and for the user's own affairs, and few where beliefs speak to these, or of a small scope.
    """
    # A caller's bar is for scores, as it is in recall.
    scores = gathering.bearing if request.min_score is None else {}
    if request.min_score is None and not gathering.speaks:
        compared = [hit for hit in hits if bearings.was_compared(hit) and scores[hit.id] >= BAR_UNRELATED]
        return compared, {hit.id for hit in compared}
    bearing = {hit.id for hit in hits if scores.get(hit.id, hit.score) >= bar}
    others = [hit for hit in hits if hit.id not in bearing and _may_answer(hit, gathering.bearing)]
    own = beliefs.speaks_of_user(request.message)
    looking = request.min_score is None and (own or question_forms.asks(request.message))
    believed = own and any(score >= bar for _, score in gathering.believed)
    known = gathering.recalled.related >= bearings.RELATED and not believed
    most = max(UNSURE_LEAST, gathering.passages // UNSURE_ONE_IN if known else 0) if looking else 0
    # What has nearly as many of the question's words as the best speaks of the same.
    enough = ALIKE * max((bearings.lexical(hit) for hit in hits), default=0.0)
    alike = [hit for hit in others[most:] if looking and 0 < enough <= bearings.lexical(hit)]
    bearing = successions.with_later(hits, bearing)
    looked_at = successions.with_later(hits, bearing | {hit.id for hit in (*others[:most], *alike)})
    return [hit for hit in hits if hit.id in looked_at], bearing


def _may_answer(hit: Hit, bearing: Mapping[UUID, float]) -> bool:
    unlikely = bearings.was_compared(hit) and bearing.get(hit.id, 1.0) < BAR_UNSURE
    return bearings.may_answer(hit) and not unlikely


def _value(hit: Hit) -> float:
    """A hit's worth of the budget, below the bar: a little more where it is short."""
    return hit.score / float(max(len(hit.text), 1) ** THRIFT)


def _folded(text: str) -> str:
    """A text as two are compared: case, spaces and the last sign do not count."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def _presentable(gathering: ContextMaterial, request: ContextRequest, shown: Sequence[Belief]) -> Iterator[Hit]:
    """The hits that may be shown: not what the conversation replays, what beliefs say, or what no longer holds."""
    replayed = {said.id for said in gathering.conversation}
    quoted = {item: each.quote for each in shown for item in each.items if each.quote}
    outdone = {item for each in shown for item in each.replaced}
    replaced = outdone - {item for each in shown for item in each.items}
    past = question_forms.asks_of_past(request.message)
    texts = {_folded(request.message)}
    for hit in gathering.recalled:
        text = _folded(hit.text)
        told = len(quoted.get(hit.id, "")) >= (QUOTED_BESIDE if hit.id in outdone else QUOTED) * len(hit.text)
        # What is outdated is shown as such, behind what was said later.
        gone = (hit.standing is HitStanding.SUPERSEDED and not hit.outdated) or hit.id in replaced
        if hit.id in replayed or hit.id in gathering.seen or told or (gone and not past) or text in texts:
            continue
        if len(hit.text) < SHORT and contentless(hit.text):
            continue
        texts.add(text)
        # Asking the same again answers nothing.
        yield replace(hit, score=ASKING * hit.score) if hit.text.rstrip().endswith("?") else hit


def _profile_offers(gathering: ContextMaterial, request: ContextRequest, shown: set[UUID]) -> list[DraftLine]:
    worthy = sorted(gathering.profile, key=lambda each: -situations.worth(each))
    worthy = [each for each in worthy if situations.worth(each) >= LEAST_WORTH]
    fresh = [each for each in worthy if each.id not in shown and each.id not in gathering.seen]
    return [_belief_offer(each, situations.worth(each), request, "profile") for each in fresh[:MAX_PROFILE]]


def _belief_offer(belief: Belief, score: float, request: ContextRequest, label: Label = "belief") -> DraftLine:
    key = f" [{belief.id}]" if request.ids else ""
    line = ContextLine(
        # A profile is for many things at once: it says what is so, and not how that was said.
        text=beliefs.belief_line(belief, quoted=label != "profile") + key,
        label=label,
        score=round(score, 4),
        items=(belief.id, *belief.items),
        at=belief.said_at,
    )
    return DraftLine(line)


def _hit_offer(
    hit: Hit, asked: Sequence[str], gathering: ContextMaterial, request: ContextRequest, *, sure: bool = True
) -> DraftLine:
    before = [each.value or each.content for each in gathering.replaced.get(hit.id, ())][: beliefs.MAX_BEFORE]
    text = excerpts.passage_line(hit, asked, before, ids=request.ids, doubted=hit.id in gathering.doubted)
    label = _LABELS[hit.kind][0] if sure else "episode"
    line = ContextLine(text=text, label=label, score=hit.score, items=(hit.id,), at=hit.at, sure=sure)
    talk = f"{hit.source.session}/{hit.at.date()}" if hit.kind is Kind.TURN and hit.source.session else None
    return DraftLine(line, continued=excerpts.continued(text) if talk else None, talk=talk)
