"""Turns of a conversation made of plain passages, as token ids: who speaks, in which person, and what else is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tokenizers import Tokenizer

from bench.models import smalltalk

Tokens = list[int]

# Two ids that no text has, for the places in a phrase where a name and a topic go.
NAME, TOPIC = 1, 2
# A colon among so many tokens ends the name of a speaker.
SPEAKER = 8

STOPS = (
    "a an the this that these those it its he she they them him her his their i you we me my your our us who what"
    " when where why how which whose whom is are was were be been being am do does did done has have had having"
    " will would can could should may might must shall not no of in on at to for from by with about into over"
    " after before between during as than then and or but if so up out off also there here many much some any all"
    " each other another such own same only just very more most kind type name named called used make made say"
    " said says tell told think go get one two first ? . , ! ; : ' \" ( ) - s t d m re ve ll"
)
# What the one asked about stands after in a question.
AUXILIARIES = "is are was were do does did has have had will would can could should"
# Said of someone, and said by the same one.
FIRST_PERSON = {
    "he": "i",
    "she": "i",
    "his": "my",
    "her": "my",
    "him": "me",
    "himself": "myself",
    "herself": "myself",
    "hers": "mine",
}
AGREEING = {("i", "is"): "am", ("i", "has"): "have", ("i", "does"): "do", ("you", "is"): "are", ("you", "was"): "were"}
SECOND_PERSON = {"i": "you", "my": "your", "me": "you", "myself": "yourself", "mine": "yours", "am": "are"}
# How a question says whose words it is after.
FRAMES = ("according to {name},", "in the words of {name},", "what did {name} say:", "{name} told us:", "for {name},")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The words that turns are made with, as token ids; `names` end with a colon."""

    names: list[Tokens]
    openers: list[Tokens]
    closers: list[Tokens]
    asking: list[Tokens]
    chatter: list[Tokens]
    frames: list[Tokens]
    inner: frozenset[int]
    stops: frozenset[int]
    auxiliaries: frozenset[int]
    first: dict[int, int]
    second: dict[int, int]
    agreeing: dict[tuple[int, int], int]
    marks: dict[str, int]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Talk:
        def phrases(texts: Sequence[str]) -> list[Tokens]:
            return [_phrase(tokenizer, text) for text in texts]

        def one(word: str) -> int:
            found = tokenizer.token_to_id(word)
            assert found is not None, word
            return int(found)

        vocabulary: dict[str, int] = tokenizer.get_vocab()
        return cls(
            names=phrases([f"{name}:" for name in smalltalk.NAMES.split()]),
            openers=phrases(smalltalk.OPENERS),
            closers=phrases(smalltalk.CLOSERS),
            asking=phrases(smalltalk.ASKING),
            chatter=phrases(smalltalk.CHATTER),
            frames=phrases(FRAMES),
            inner=frozenset(number for piece, number in vocabulary.items() if piece.startswith("##")),
            stops=frozenset(map(one, STOPS.split())),
            auxiliaries=frozenset(map(one, AUXILIARIES.split())),
            first={one(word): one(other) for word, other in FIRST_PERSON.items()},
            second={one(word): one(other) for word, other in SECOND_PERSON.items()},
            agreeing={(one(word), one(verb)): one(other) for (word, verb), other in AGREEING.items()},
            marks={mark: one(mark) for mark in ("?", ":", "'", "s", "i", "my", "you", "your")},
        )

    # Words

    def words(self, tokens: Tokens) -> list[Tokens]:
        """The pieces of each word together."""
        words: list[Tokens] = []
        for token in tokens:
            if token in self.inner and words:
                words[-1].append(token)
            else:
                words.append([token])
        return words

    def telling(self, word: Tokens) -> bool:
        """Whether a word stands for something."""
        return len(word) > 1 or word[0] not in self.stops

    def subject(self, question: Tokens, passage: Tokens) -> Tokens:
        """Who or what a question asks about, three words at most, if the passage names it in the same words."""
        asked, said = self.words(question), self.words(passage)
        for at, word in enumerate(asked):
            if at and asked[at - 1][0] in self.auxiliaries and (self.telling(word) or word[0] in self.first):
                for size in (3, 2, 1):
                    run = asked[at : at + size]
                    inside = any(said[place : place + size] == run for place in range(len(said)))
                    if inside and (size == 1 or all(map(self.telling, run))):
                        return [token for each in run for token in each]
        return []

    def without(self, passage: Tokens, question: Tokens, share: float, draw: Random) -> Tokens:
        """A passage less some of the telling words that the question has too."""
        asked = {tuple(word) for word in self.words(question) if self.telling(word)}
        kept = [word for word in self.words(passage) if tuple(word) not in asked or draw.random() >= share]
        return [token for word in kept for token in word] if len(kept) > 2 else passage

    # Person

    def renamed(self, tokens: Tokens, span: Tokens, name: Tokens, whose: Tokens | None = None) -> Tokens:
        """The text with another name in the place of `span`, `whose` in that of its genitive."""
        out: Tokens = []
        at, size = 0, len(span)
        while at < len(tokens):
            if size and tokens[at : at + size] == span:
                at += size
                if whose is not None and tokens[at : at + 2] == [self.marks["'"], self.marks["s"]]:
                    out += whose
                    at += 2
                else:
                    out += name
            else:
                out.append(tokens[at])
                at += 1
        return out

    def by_oneself(self, tokens: Tokens, span: Tokens) -> Tokens:
        """What is said of `span`, as they would say it."""
        spoken = self.renamed(tokens, span, [self.marks["i"]], [self.marks["my"]])
        return self._agreed([self.first.get(token, token) for token in spoken])

    def to_them(self, tokens: Tokens, span: Tokens) -> Tokens:
        """What is said of `span`, as one would say it to them."""
        return self._agreed([self.second.get(token, token) for token in self.by_oneself(tokens, span)])

    def _agreed(self, tokens: Tokens) -> Tokens:
        return [self.agreeing.get((before, token), token) for before, token in zip([0, *tokens], tokens, strict=False)]

    # Turns

    def asked(self, question: Tokens, name: Tokens, draw: Random) -> Tokens:
        """The question as someone asks it in a conversation."""
        dropped = 0.15 if draw.random() < 0.5 else 0.0
        body = [token for word in self.words(question) if draw.random() >= dropped for token in word] or question
        if draw.random() < 0.6:
            body = self.filled(draw.choice(self.asking), name, []) + body
        if body[-1] != self.marks["?"] and draw.random() < 0.8:
            body = [*body, self.marks["?"]]
        return body + (self.filled(draw.choice(self.closers), name, []) if draw.random() < 0.15 else [])

    def small(self, question: Tokens, name: Tokens, draw: Random) -> Tokens:
        """Small talk with a few words of the question in it."""
        words = [word for word in self.words(question) if word[0] != self.marks["?"]]
        telling = [at for at, word in enumerate(words) if self.telling(word)] or [0]
        at = draw.choice(telling)
        topic = [token for word in words[at : at + draw.randint(1, 4)] for token in word]
        said = self.filled(draw.choice(self.chatter), name, topic)
        return said + self.filled(draw.choice(self.chatter), name, topic) if draw.random() < 0.3 else said

    def padded(self, passage: Tokens, head: int, name: Tokens, draw: Random) -> Tokens:
        """A passage with talk around it, after the first `head` tokens."""
        before = self.filled(draw.choice(self.openers), name, []) if draw.random() < 0.6 else []
        after = self.filled(draw.choice(self.closers), name, []) if draw.random() < 0.3 else []
        return passage[:head] + before + passage[head:] + after

    def head(self, passage: Tokens) -> int:
        """How many tokens of a passage name its speaker."""
        colon = self.marks[":"]
        return passage.index(colon) + 1 if colon in passage[:SPEAKER] else 0

    def filled(self, phrase: Tokens, name: Tokens, topic: Tokens) -> Tokens:
        """A phrase with its places filled."""
        filled: Tokens = []
        for token in phrase:
            filled += name if token == NAME else topic if token == TOPIC else [token]
        return filled


def _phrase(tokenizer: Tokenizer, text: str) -> Tokens:
    tokens: Tokens = []
    for word in text.replace("{", " {").replace("}", "} ").split():
        tokens += [NAME] if word == "{name}" else [TOPIC] if word == "{topic}" else tokenizer.encode(word).ids
    return tokens
