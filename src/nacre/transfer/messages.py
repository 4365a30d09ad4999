"""Conversations of other systems become turns: evidence like any other, each once, however often a file is read."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from nacre.domain.transfers import Format
from nacre.domain.turns import Turn
from nacre.memory import observing
from nacre.models.embedders import Embedder
from nacre.store.base import scopes
from nacre.store.base.databases import Transaction
from nacre.store.evidence import turns
from nacre.transfer.records import Clean, MessageRecord

_Words = tuple[str, str]
_CODE = re.compile(r"(?P<mark>```|~~~).*?(?:(?P=mark)|\Z)|\[code\]", re.DOTALL)
_COMPARED = 1_000


class MessageLog:
    """The turns of one import: which of them are there already, and how many came."""

    def __init__(self, embedder: Embedder | None, of: Format, clean: Clean, *, learns: bool) -> None:
        self._embedder, self._clean, self._learns = embedder, clean, learns
        self._prefix = f"{of.value}:"
        # What came in before under its own id, in any session: a session that is taken up again repeats the old one.
        self._refs: set[str] = set()
        self._begun = False
        # What the sessions of late hold that did not come from such a file: a hook heard it when it was said.
        self._heard: dict[str, Counter[_Words]] = {}
        self._sessions: set[str] = set()
        self._counts: Counter[str] = Counter()

    @property
    def counts(self) -> Counter[str]:
        """How many turns came in, of how many sessions, and how many were there."""
        return self._counts + Counter(sessions=len(self._sessions))

    def write(self, tx: Transaction, messages: Sequence[MessageRecord]) -> None:
        """Store the messages that are not there yet."""
        # Nobody else may bring the same in between looking and writing.
        scopes.lock(tx)
        if not self._begun:
            self._refs, self._begun = turns.refs(tx, self._prefix), True
        self._look(tx, messages)
        said = [replace(each.turn, text=self._clean(each.turn.text)) for each in messages]
        fresh = [turn for turn in said if not self._is_there(turn)]
        self._counts["already_there"] += len(said) - len(fresh)
        if fresh:
            observing.prepare(self._embedder, fresh, tx.now).write(tx, learns=self._learns)
            self._counts["turns"] += len(fresh)
            self._sessions |= {turn.session for turn in fresh if turn.session}

    def _look(self, tx: Transaction, messages: Sequence[MessageRecord]) -> None:
        """Find out what is there of the sessions that these messages belong to."""
        sessions = {str(message.turn.session) for message in messages}
        self._refs |= turns.refs_among(tx, sessions, [str(message.turn.ref) for message in messages])
        self._heard = {session: self._heard[session] for session in sessions & self._heard.keys()}
        unknown = sessions - self._heard.keys()
        self._heard |= {session: Counter() for session in unknown}
        for session, role, text, ref in turns.in_sessions(tx, unknown) if unknown else []:
            if ref is None or not ref.startswith(self._prefix):
                self._heard[session][_words(role, text)] += 1

    def _is_there(self, turn: Turn) -> bool:
        """Whether a turn is there; it counts as there from now on."""
        ref, words, heard = str(turn.ref), _words(turn.role, turn.text), self._heard[str(turn.session)]
        if ref in self._refs:
            return True
        self._refs.add(ref)
        if heard[words] > 0:
            heard[words] -= 1
            return True
        return False


def _words(role: str, text: str) -> _Words:
    """What two tellings of a message are compared by: a hook leaves out long code, and the end of what is long."""
    return role, " ".join(_CODE.sub(" ", text).split())[:_COMPARED]
