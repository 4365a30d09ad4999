"""A group as part of a conversation: who says what, who asked, and what is said in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bench.models.talk import Talk, Tokens

# How much of another passage goes into the same turn.
BESIDE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """The share of groups that are changed in each way."""

    speakers: float = 0.0
    """Two people say the passages."""
    personal: float = 0.0
    """What question and answer are both about becomes the one who speaks: `I`."""
    framed: float = 0.0
    """Where there are speakers, the question says whose words it is after."""
    echoed: float = 0.0
    """One of the others asks the question again; in half of these groups the answer is the reply to that."""
    small: float = 0.0
    """One of the others is small talk with words of the question."""
    followed: float = 0.0
    """One of the others is said right after the answer."""
    padded: float = 0.0
    """There is talk around the passages."""
    joined: float = 0.0
    """Every passage has another one beside it, in the same turn."""
    dropped: float = 0.0
    """The answer lacks words of the question; in half of these groups the others do too."""


TRAINING = Habits(
    speakers=0.5,
    personal=0.3,
    framed=0.2,
    echoed=0.35,
    small=0.25,
    followed=0.3,
    padded=0.35,
    joined=0.12,
    dropped=0.25,
)
# What a dev question is asked of: the passages as they are, and with one weakness looked for at a time.
DEV = {
    "plain": Habits(),
    "talk": Habits(speakers=1.0, padded=1.0),
    "echoed": Habits(speakers=0.5, echoed=1.0),
    "followed": Habits(speakers=0.5, followed=1.0),
    "small talk": Habits(speakers=0.5, small=1.0),
    "in person": Habits(speakers=0.7, personal=1.0),
    "joined": Habits(joined=1.0),
    "other words": Habits(dropped=1.0),
}


@dataclass(slots=True)
class Turn:
    """A passage and what stands before it; `near` when it is the answer, or from around it."""

    said: Tokens
    before: Tokens
    near: bool
    asking: bool = False


@dataclass(slots=True, kw_only=True)
class Scene:
    """A question and the turns it is asked of, answers first."""

    talk: Talk
    draw: Random
    question: Tokens
    turns: list[Turn]
    answers: int
    """How many of the turns are answers."""
    named: bool
    """Whether the passages begin with speakers already."""
    another: Tokens
    """Another question about the answer."""
    after: Tokens
    """What stands after the answer in its source, if anything does."""
    strays: Callable[[], Tokens]
    """Any passage."""

    def change(self, habits: Habits) -> None:
        """Change it, in each way as often as habits say."""
        one, other = self.draw.sample(self.talk.names, 2)
        spoken = not self.named and self._happens(habits.speakers)
        asked = self.another if self._happens(0.25) else self.question
        if self._happens(habits.joined):
            self._join()
        if self._happens(habits.dropped):
            self._drop()
        about = self.talk.subject(self.question, self.turns[0].said) if self._happens(habits.personal) else []
        if about:
            asked = self.talk.to_them(asked, about)
            self._speak_for(about, one[:-1] if spoken or self.named else [])
        framed = spoken and not about and self._happens(habits.framed)
        if self._happens(habits.padded):
            for turn in self.turns:
                turn.said = self.talk.padded(turn.said, self._head(turn.said), other[:-1], self.draw)
        self._add(asked, one[:-1], other if self.named else [], habits)
        if framed:
            self.question = self.talk.filled(self.draw.choice(self.talk.frames), one[:-1], []) + self.question
        if spoken:
            self._give_speakers(one, other, known=bool(about) or framed)

    def _happens(self, share: float) -> bool:
        return self.draw.random() < share

    def _head(self, said: Tokens) -> int:
        return self.talk.head(said) if self.named else 0

    def _join(self) -> None:
        for turn in self.turns:
            beside = self.strays()[:BESIDE]
            head = self._head(turn.said)
            first = self._happens(0.5)
            turn.said = turn.said[:head] + beside + turn.said[head:] if first else turn.said + beside

    def _drop(self) -> None:
        for turn in self.turns if self._happens(0.5) else self.turns[: self.answers]:
            turn.said = self.talk.without(turn.said, self.question, 0.6, self.draw)

    def _speak_for(self, about: Tokens, name: Tokens) -> None:
        """Let the one asked about speak for themselves, called `name`, or `I` in the question too."""
        talk = self.talk
        self.question = talk.renamed(self.question, about, name) if name else talk.by_oneself(self.question, about)
        for turn in self.turns:
            if self.named:
                turn.said, turn.before = (talk.renamed(text, about, name) for text in (turn.said, turn.before))
            else:
                turn.said, turn.before = talk.by_oneself(turn.said, about), talk.to_them(turn.before, about)

    def _add(self, asked: Tokens, name: Tokens, speaker: Tokens, habits: Habits) -> None:
        """Put made turns in the places of the last of the others."""
        others = self.turns[self.answers :]
        echoed, followed = self._happens(habits.echoed), self._happens(habits.followed)
        if self._happens(habits.small) and len(others) > 2:
            others[-3].said = speaker + self.talk.small(self.question, name, self.draw)
        if (echoed or followed) and not any(turn.before for turn in self.turns) and self._happens(0.7):
            # Were there only one turn with another before it, that would give it away.
            for turn in self.turns:
                turn.before = self.strays()
        if followed and len(others) > 3:
            others[-4].said = self._next(others[-4].said, speaker, name)
            others[-4].before = self.turns[0].said
        if echoed and len(others) > 1:
            echo = speaker + self.talk.asked(asked, name, self.draw)
            others[-1].said, others[-1].asking = echo, True
            if self._happens(0.5):
                self.turns[0].before = echo
                if self._happens(0.3):
                    others[-2].before = echo

    def _next(self, said: Tokens, speaker: Tokens, name: Tokens) -> Tokens:
        """What is said after the answer: what stands there, small talk, or one of the others."""
        choice = self.draw.random()
        if choice < 0.4 and self.after:
            return self.after
        return speaker + self.talk.small(self.question, name, self.draw) if choice < 0.7 else said

    def _give_speakers(self, one: Tokens, other: Tokens, *, known: bool) -> None:
        """Let two people talk; if the question is `known` to be about the first, the answer is mostly theirs."""
        for place, turn in enumerate(self.turns):
            who, whom = (one, other) if self._happens(self._share(place, turn, known=known)) else (other, one)
            turn.said = who + turn.said
            turn.before = whom + turn.before if turn.before else []

    def _share(self, place: int, turn: Turn, *, known: bool) -> float:
        """How often the one asked about says a turn."""
        if turn.asking:
            return 0.1
        if not known:
            return 0.5
        return 0.92 if place < self.answers else 0.6 if turn.near else 0.5
