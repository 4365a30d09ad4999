"""Lines of a context: of what was found for a message, what may have a place, which of it first, and how it reads."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from nacre.domain.beliefs import Belief
from nacre.domain.contexts import Block, ContextLine, ContextRequest, Label
from nacre.domain.hits import Hit, HitStanding, Kind, Recall
from nacre.domain.replacements import ReplacedMemory
from nacre.domain.turns import StoredTurn
from nacre.recall import bearings, beliefs, excerpts, situations, successions
from nacre.recall.beliefs import belief_line
from nacre.recall.bm25 import Floats
from nacre.recall.contradictions import is_contradicted
from nacre.recall.drafts import PROFILE_SHARE, ContextDraft, DraftLine
from nacre.recall.reference_blocks import TextBlock
from nacre.store.evidence.outdated import LikelySuccessor
from nacre.text import question_forms, sentences
from nacre.text.letters import is_within
from nacre.text.stopwords import SMALL_TALK
from nacre.text.tokens import content_words, terms

# What is less likely to bear on a message than this is not shown as such; it must be likelier where nothing
# that was told seems to: then the message wants what anybody would get.
BAR, BAR_UNKNOWN, BELIEF_UNKNOWN = 0.25, 0.8, 0.5
# What is about as likely to bear on a message as not is sure.
BAR_SURE = 0.45
# Of what is less sure, nothing is shown that is less likely than this; what the ranker compared and finds likelier is,
# as far as there is room.
BAR_UNSURE = 0.03
# What made a line outdated comes along where that is this likely: the line itself tells what it is now.
FOLLOWED = 0.1
# Of what is less sure, one in so many passages of the scope is shown, and so many in a small one; beyond that, what
# has such a share of the words that the best has.
UNSURE_ONE_IN, UNSURE_LEAST, ALIKE = 8, 4, 0.8
# A scope of so few passages is looked through for whatever its user wants: so many of them are shown. In a smaller one
# they need not be found.
SMALL, UNSURE_SMALL, TINY = 64, 8, 12
# Lines of a profile.
MAX_PROFILE = 8
# A price or an appointment is nothing to begin every talk with.
LEAST_WORTH = 0.3
# What a passage that ends with a question is worth.
ASKING = 0.6
# A longer text says something.
SHORT = 60
# A sentence that beliefs quote this much of says nothing more; less will do where another one replaced some of it.
QUOTED, QUOTED_BESIDE = 0.65, 0.5

LABELS: dict[Kind, tuple[Label, Block]] = {
    Kind.MEMORY: ("memory", Block.MEMORY),
    Kind.DOCUMENT: ("document", Block.DOCUMENT),
    Kind.TURN: ("episode", Block.EPISODE),
}


def contentless(message: str) -> bool:
    """Whether a message holds nothing to look up: "ok", "thanks!", "and then?"."""
    return SMALL_TALK.issuperset(content_words(message))


# What was said is looked at for one message after another.
_says_nothing = lru_cache(maxsize=4_096)(contentless)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMaterial:
    """What was found for a message, before any of it has a place."""

    recalled: Recall
    # What made any of it outdated, or may have, and was not found itself.
    later: Sequence[Hit] = ()
    # What perhaps makes some of it outdated.
    likely: Mapping[UUID, LikelySuccessor] = field(default_factory=dict)
    # Whether anything that was told likely bears on the message.
    known: bool = False
    # When it is asked.
    now: datetime | None = None
    # How many passages the scope has.
    passages: int = 0
    # Whether it has so few, and the message is so much the user's own, that any of them may bear on it.
    looked_through: bool = False
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


def draft_context(material: ContextMaterial, request: ContextRequest) -> ContextDraft:
    """What was found for a message, as far as it may have a place, in the order of its places."""
    bar = BAR if request.min_score is None else request.min_score
    draft = ContextDraft(request.budget, material.conversation)
    certain = BAR_SURE if request.min_score is None else bar
    least = bar if material.known or request.min_score is not None else BELIEF_UNKNOWN
    believed = [(each, score) for each, score in material.believed if score >= least]
    hits = list(_presentable(material, request, [each for each, _ in believed]))
    hits = successions.with_followers(hits, material.embed, bar)
    asked = terms(request.message)
    hits, sure = _wanted(hits, material, request, bar)
    # What is sure gives no way to a turn that is not, however well it fits.
    told = [hit for hit in hits if hit.id in sure or hit.score < certain]
    repeated = {each.id for each, score in believed if _is_repeated(each, score, request.message, told, sure)}
    # A line that is not sure is no place for what a profile tells.
    elsewhere = {each.id for each, _ in believed if each.id not in repeated or not sure.isdisjoint(each.items)}
    draft.add(_profile_offers(material, request, elsewhere), PROFILE_SHARE)
    offers = [
        _belief_offer(each, score, request, sure=score >= certain)
        for each, score in believed
        if not (each.id in material.seen or each.id in repeated or is_contradicted(each, hits))
    ]
    offers += [_hit_offer(hit, asked, material, request, sure=hit.id in sure) for hit in hits]
    draft.add(sorted((each for each in offers if each.line.sure), key=lambda each: -each.line.score))
    for block in material.blocks:
        draft.add_block(block)
    draft.fill(sorted((each for each in offers if not each.line.sure), key=_thrift, reverse=True))
    return draft


def _wanted(
    hits: Sequence[Hit], material: ContextMaterial, request: ContextRequest, bar: float
) -> tuple[list[Hit], set[UUID]]:
    """The hits that may have a place, and which of them are sure; the others are there to be looked through.

    Those are what the ranker finds likely. Where it found nothing, they are for questions and for the user's own
    affairs, and few where beliefs speak to these, or of a small scope.
    """
    # A caller's bar is for scores, as it is in recall.
    scores = material.bearing if request.min_score is None else {}
    if request.min_score is None and not material.known:
        likely = [hit for hit in hits if bearings.was_compared(hit) and scores[hit.id] >= BAR_UNKNOWN]
        likely = [hit.scored(scores[hit.id]) for hit in likely]
        return sorted(likely, key=lambda hit: -hit.score), {hit.id for hit in likely}
    bearing = {hit.id for hit in hits if scores.get(hit.id, hit.score) >= bar}
    whole = material.looked_through and request.min_score is None
    others = [hit for hit in hits if hit.id not in bearing and (whole or _may_answer(hit, material.bearing))]
    own = beliefs.speaks_of_user(request.message)
    looking = request.min_score is None and (own or question_forms.asks(request.message))
    believed = own and any(score >= bar for _, score in material.believed)
    known = material.recalled.related >= bearings.RELATED and not believed
    most = max(UNSURE_LEAST, material.passages // UNSURE_ONE_IN if known else 0) if looking else 0
    most = max(most, UNSURE_SMALL if whole else 0)
    # What has nearly as many of the question's words as the best speaks of the same.
    enough = ALIKE * max((bearings.lexical(hit) for hit in hits), default=0.0)
    alike = [hit for hit in others[most:] if looking and 0 < enough <= bearings.lexical(hit)]
    likely = [hit for hit in hits if _is_likely(hit, scores)]
    # How likely a hit bears on the message is known well where the ranker compared it.
    compared = {hit.id for hit in hits if scores and bearings.was_compared(hit)}
    sure = {key for key in bearing if key not in compared or scores[key] >= BAR_SURE}
    looked_at = bearing | {hit.id for hit in (*others[:most], *alike, *likely)}
    followed = looked_at - {key for key, score in scores.items() if score < FOLLOWED}
    looked_at |= successions.with_later(hits, followed, material.likely)
    chosen = [hit for hit in hits if hit.id in looked_at]
    # What the ranker compared has its place by how likely it bears on the message, and not by how much it is like it.
    weighed = [hit.scored(scores[hit.id]) if hit.id in compared else hit for hit in chosen]
    weighed = successions.with_worth(weighed, material.likely, BAR_SURE)
    return sorted(weighed, key=lambda hit: -hit.score), sure


def _is_likely(hit: Hit, bearing: Mapping[UUID, float]) -> bool:
    compared = bearings.was_compared(hit) and not bearings.by_agent(hit)
    return compared and bearing.get(hit.id, 0.0) >= BAR_UNSURE


def _may_answer(hit: Hit, bearing: Mapping[UUID, float]) -> bool:
    unlikely = bearings.was_compared(hit) and bearing.get(hit.id, 1.0) < BAR_UNSURE
    return bearings.may_answer(hit) and not unlikely


def _thrift(offer: DraftLine) -> float:
    """A line's worth by its length: what is not sure is there to be looked through."""
    return offer.line.score / len(offer.line.text)


def _folded(text: str) -> str:
    """A text as two are compared: case, spaces and the last sign do not count."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def _presentable(material: ContextMaterial, request: ContextRequest, shown: Sequence[Belief]) -> Iterator[Hit]:
    """The hits that may be shown: not what the conversation replays, what beliefs say, or what no longer holds."""
    replayed = {said.id for said in material.conversation}
    quoted, outdone = _quoted(shown), _outdone(shown)
    replaced = outdone.keys() - {item for each in shown for item in each.items}
    past = question_forms.asks_of_past(request.message)
    texts = {_folded(request.message)}
    # Most hits are nothing of this.
    spoken_for = replayed.union(material.seen, quoted, outdone)
    for hit in (*material.recalled, *material.later):
        text = _folded(hit.text)
        if text in texts:
            continue
        # What is outdated is shown as such, behind what was said later.
        gone = hit.standing is HitStanding.SUPERSEDED and all(mark.doubtful for mark in hit.outdated)
        if hit.id in spoken_for:
            over = outdone.get(hit.id, ())
            gone = gone or (hit.id in replaced and not _says_more(hit, over))
            before = [value for each in over for value in each.before]
            told = hit.id in quoted and _is_told(hit.text, quoted[hit.id], before)
            if hit.id in replayed or hit.id in material.seen or told:
                continue
        if gone and not past:
            continue
        if len(hit.text) < SHORT and _says_nothing(hit.text):
            continue
        texts.add(text)
        # Asking the same again answers nothing.
        yield hit.scored(ASKING * hit.score) if hit.text.rstrip().endswith("?") else hit


def _quoted(shown: Sequence[Belief]) -> Mapping[UUID, Sequence[Belief]]:
    """The beliefs that quote each item."""
    quoted = defaultdict[UUID, list[Belief]](list)
    for each in shown:
        for item in each.items if each.quote else ():
            quoted[item].append(each)
    return quoted


def _is_repeated(belief: Belief, score: float, message: str, hits: Sequence[Hit], sure: Set[UUID]) -> bool:
    """Whether the words that a belief rests on have a place before it and say all that it does.

    They say more than it, and of several beliefs that rest on them nothing tells which one a message is about, but for
    words of the message.
    """
    if belief.before or belief.since or bearings.shares_words(belief, message):
        return False
    said = [hit for hit in hits if hit.id in belief.items and (hit.id in sure or hit.score >= score)]
    return any(len(hit.text) <= excerpts.SHORT and is_within(belief.value, hit.text) for hit in said)


def _outdone(shown: Sequence[Belief]) -> Mapping[UUID, Sequence[Belief]]:
    """The beliefs that took the place of a value of each item."""
    outdone = defaultdict[UUID, list[Belief]](list)
    for each in shown:
        for item in each.replaced:
            outdone[item].append(each)
    return outdone


def _says_more(hit: Hit, over: Sequence[Belief]) -> bool:
    """Whether a hit says something beside the words that it is marked for, and that beliefs in their place do not.

    What is left of "my flight is on dec 3 at 7:10 from Brussels" after its day was another still holds. What is told
    with a home or an employer is told of these, and went with them.
    """
    claimed = all("/" in each.topic for each in over)
    values = [mark.value for mark in hit.outdated if claimed and not mark.doubtful]
    rest = " ".join(hit.text.split())
    for value in values:
        rest = rest.replace(value, " ")
    said = {term for each in over for term in terms(belief_line(each))}
    left = set(content_words(rest))
    return bool(values) and any(said.isdisjoint(terms(word)) for word in left - SMALL_TALK)


def _is_told(text: str, quoting: Sequence[Belief], before: Sequence[str]) -> bool:
    """Whether beliefs say or quote each sentence of a text, but for values that they took the place of."""
    whole = " ".join(text.split())
    said = SMALL_TALK.union(*(content_words(belief_line(each)) for each in quoting))
    return all(_is_quoted(whole[slice(*each)], quoting, said, before) for each in sentences.split(whole))


def _is_quoted(sentence: str, quoting: Sequence[Belief], said: frozenset[str], before: Sequence[str]) -> bool:
    rest = sentence
    for each in quoting:
        rest = rest.replace(each.quote or "", " ") if beliefs.stands_for_quote(each) else rest
    left = len(rest) / len(sentence)
    if left <= 1 - QUOTED or said.issuperset(content_words(rest)):
        return True
    return left <= 1 - QUOTED_BESIDE and any(is_within(value, rest) for value in before)


def _profile_offers(material: ContextMaterial, request: ContextRequest, shown: set[UUID]) -> list[DraftLine]:
    worthy = sorted(material.profile, key=lambda each: -situations.worth(each))
    worthy = [each for each in worthy if situations.worth(each) >= LEAST_WORTH]
    fresh = [each for each in worthy if each.id not in shown and each.id not in material.seen]
    return [_belief_offer(each, situations.worth(each), request, "profile") for each in fresh[:MAX_PROFILE]]


def _belief_offer(
    belief: Belief, score: float, request: ContextRequest, label: Label = "belief", *, sure: bool = True
) -> DraftLine:
    key = f" [{belief.id}]" if request.ids else ""
    line = ContextLine(
        # A profile is for many things at once: it says what is so, and not how that was said.
        text=belief_line(belief, quoted=label != "profile") + key,
        label=label,
        score=round(score, 4),
        items=(belief.id, *belief.items),
        at=belief.said_at,
        sure=sure,
    )
    return DraftLine(line)


def _hit_offer(
    hit: Hit, asked: Sequence[str], material: ContextMaterial, request: ContextRequest, *, sure: bool = True
) -> DraftLine:
    replaced = material.replaced.get(hit.id, ()) if material.replaced else ()
    before = [each.value or each.content for each in replaced[: beliefs.MAX_BEFORE]]
    doubted = bool(material.doubted) and hit.id in material.doubted
    text = excerpts.passage_line(hit, asked, before, ids=request.ids, doubted=doubted, now=material.now)
    label = LABELS[hit.kind][0] if sure else "episode"
    line = ContextLine(text=text, label=label, score=hit.score, items=(hit.id,), at=hit.at, sure=sure)
    talk = f"{hit.source.session}/{hit.at.date()}" if hit.kind is Kind.TURN and hit.source.session else None
    return DraftLine(line, continued=excerpts.continued(text) if talk else None, talk=talk)
