"""Drafts: lines compete for a budget, and those that win become the messages of a context."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property, lru_cache
from typing import get_args

from nacre.domain.contexts import DATA_NOTICE, ContextLine, Label, Message, text_of
from nacre.domain.turns import Role, StoredTurn
from nacre.recall.reference_blocks import TextBlock
from nacre.text.budget import count_tokens

# The part of a budget that the last turns may claim before anything is recalled.
CONVERSATION_SHARE = 0.4
# The part that may go to what is known of the user, whatever the message is about.
PROFILE_SHARE = 0.15

HEADERS: dict[Label, str] = {
    "profile": "What is known of the user:",
    "belief": "What is known now:",
    "memory": "Recalled from long-term memory:",
    "document": "Recalled from documents:",
    "episode": "Said in earlier conversations, oldest first:",
}
# No line is shorter than this.
SHORTEST = 6
# And none costs less than this for each of its words.
LEAST_A_WORD = 0.8
# What `- [2026-05-03]` takes, less the two spaces in its place.
DATE_TOKENS = 7
UNSURE_HEADER = "May matter:"
_ORDER = get_args(Label)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class DraftLine:
    """A line that wants a place: what is printed alone, and what is printed right after a line of the same talk."""

    line: ContextLine
    continued: str | None = None
    talk: str | None = None

    @cached_property
    def cost(self) -> int:
        """What it takes of a budget, with the end of its line."""
        return _count_line(self.line.text) + 1

    @property
    def continued_cost(self) -> int:
        """The same where it goes on with a talk, and needs no date."""
        return self.cost - DATE_TOKENS if self.continued else self.cost

    @property
    def least_cost(self) -> float:
        """What it costs at least: told from its words, without counting."""
        return LEAST_A_WORD * len(self.line.text.split()) - DATE_TOKENS


@dataclass(slots=True)
class ContextDraft:
    """Lines and blocks that have a place, within a budget that they share with the last turns."""

    budget: int
    conversation: Sequence[StoredTurn] = ()
    kept: list[DraftLine] = field(default_factory=list)
    blocks: list[TextBlock] = field(default_factory=list)
    left_out: int = 0
    _left: int = 0
    _begun: set[tuple[Label, bool]] = field(default_factory=set)
    _talks: set[tuple[bool, str]] = field(default_factory=set)
    # What messages cost, by their text: counting the whole takes longer than all else here.
    _costs: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        replayed = self._sure_to_be_replayed()
        # The turns that are sure to be replayed are set aside first, so that recall cannot crowd them out.
        self._left = self.budget - (self.cost(replayed) + 2 if replayed else 0) - _NOTICE_TOKENS - 2

    def add(self, offers: Iterable[DraftLine], share: float = 1.0) -> None:
        """Give places to lines, the first first, as long as they fit into what is left and a share of the budget."""
        room = min(self._left, int(self.budget * share))
        for offer in offers:
            if room < SHORTEST or offer.least_cost > room:
                self.left_out += offer.line.sure
                continue
            talk = (offer.line.sure, offer.talk) if offer.talk else None
            alone = offer.continued_cost if talk in self._talks else offer.cost
            cost = alone + self._opening(offer.line)
            if cost > room:
                self.left_out += offer.line.sure
                continue
            room -= cost
            self._left -= cost
            self._begun.add((offer.line.label, offer.line.sure))
            if talk:
                self._talks.add(talk)
            self.kept.append(offer)

    def add_block(self, block: TextBlock) -> None:
        """Give places to as many lines of a block as fit, in order."""
        self._left -= count_tokens(block.header) + 8
        lines = []
        for line, item in block.lines:
            cost = count_tokens(line) + 1
            if cost > self._left:
                break
            self._left -= cost
            lines.append((line, item))
        if lines or not block.lines:
            self.blocks.append(replace(block, lines=lines))

    def fill(self, offers: Sequence[DraftLine]) -> None:
        """Give places to lines until the budget is full: costs are rounded up, so there is room left over."""
        self.add(offers)
        kept = set(self.kept)
        others = [offer for offer in offers if offer not in kept]
        if others:
            self._left = self.budget - self.cost((*self._recalled(), *self._sure_to_be_replayed())) - 2
            self.add(others)

    def messages(self) -> tuple[Message, ...]:
        """Everything that has a place, and the last turns, never over the budget."""
        recalled = self._recalled()
        while recalled and self.cost(recalled) > self.budget:
            self._drop_last()
            recalled = self._recalled()
        replayed = _longest(self.conversation, lambda some: self.cost((*recalled, *some)) <= self.budget)
        return (*recalled, *replayed)

    def cost(self, messages: tuple[Message, ...]) -> int:
        """What messages take of a budget, as one text."""
        text = text_of(messages)
        if text not in self._costs:
            self._costs[text] = count_tokens(text)
        return self._costs[text]

    def _sure_to_be_replayed(self) -> tuple[Message, ...]:
        return _longest(self.conversation, lambda some: self.cost(some) <= self.budget * CONVERSATION_SHARE)

    def lines(self) -> tuple[ContextLine, ...]:
        """The lines that have a place, in the order of the context."""
        return tuple(offer.line for _, offers in self._grouped() for offer in offers)

    def _recalled(self) -> tuple[Message, ...]:
        made = []
        for (label, sure), offers in self._grouped():
            text = "\n".join([HEADERS[label] if sure else UNSURE_HEADER, *_printed(offers)])
            made.append(Message(role=Role.SYSTEM.value, text=text, label=label))
        made += [_message(block) for block in self.blocks]
        return tuple(sorted(made, key=lambda message: _ORDER.index(message.label)))

    def _grouped(self) -> Iterator[tuple[tuple[Label, bool], list[DraftLine]]]:
        """The lines that have a place by label and by whether they are sure, in the order of the context."""
        groups: dict[tuple[Label, bool], list[DraftLine]] = defaultdict(list)
        for offer in self.kept:
            groups[offer.line.label, offer.line.sure].append(offer)
        for label in HEADERS:
            for sure in (True, False):
                if offers := groups.get((label, sure)):
                    if label not in ("profile", "belief"):
                        offers.sort(key=lambda offer: offer.line.at or _LONG_AGO)
                    yield (label, sure), offers

    def _opening(self, line: ContextLine) -> int:
        if (line.label, line.sure) in self._begun:
            return 0
        return _opening_tokens(line.label, HEADERS[line.label] if line.sure else UNSURE_HEADER)

    def _drop_last(self) -> None:
        if self.blocks:
            rest = self.blocks[-1].lines[:-1]
            self.blocks[-1:] = [replace(self.blocks[-1], lines=rest)] if rest else []
        else:
            self.left_out += self.kept.pop().line.sure


# What was said is a line of one context after another.
_count_line = lru_cache(maxsize=4_096)(count_tokens)


def _printed(offers: Sequence[DraftLine]) -> list[str]:
    """Lines as they are read: what follows in the same talk goes on where the line before ended."""
    before: str | None = None
    lines = []
    for offer in offers:
        goes_on = offer.continued is not None and offer.talk is not None and offer.talk == before
        lines.append(offer.continued if goes_on and offer.continued else offer.line.text)
        before = offer.talk
    return lines


def _message(block: TextBlock) -> Message:
    text = "\n".join([block.header, *(line for line, _ in block.lines)])
    return Message(role=Role.SYSTEM.value, text=text, label=block.label)


@cache
def _opening_tokens(label: Label, header: str) -> int:
    return count_tokens(f"<{label}>\n{header}\n</{label}>\n\n")


_NOTICE_TOKENS = count_tokens(DATA_NOTICE)


def _longest(conversation: Sequence[StoredTurn], fits: Callable[[tuple[Message, ...]], bool]) -> tuple[Message, ...]:
    """The newest turns, as many as fit, oldest first."""
    messages: tuple[Message, ...] = ()
    for said in reversed(conversation):
        who, text = said.turn.speaker, said.turn.text
        told = Message(role=said.turn.role, text=f"{who}: {text}" if who else text, label="conversation")
        longer = (told, *messages)
        if not fits(longer):
            break
        messages = longer
    return messages
