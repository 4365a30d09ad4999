"""A long turn is made ready in short stretches: calls of others come in between."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from nacre.domain.hits import Kind
from nacre.domain.short_calls import CALLS
from nacre.memory import passage_drafts
from nacre.models import static_embedder
from nacre.store.evidence.passages import PassageDraft
from nacre.text import injections, tokens, words

WORDS = 30_000


@pytest.fixture
def pauses(monkeypatch):
    """What was said at each moment at which calls may come in."""
    told = []
    monkeypatch.setattr(CALLS, "give_way", lambda: told.append("pause"))
    return told


def test_each_look_at_a_long_text_is_taken_in_pieces(pauses):
    """Three looks at a plain text, and one more at what may be hidden among other letters."""
    injections.flags("a" * 10 * injections.PIECE)
    plain = len(pauses)
    injections.flags("é" * 10 * injections.PIECE)

    assert len(pauses) - plain == plain + 9


@pytest.mark.parametrize("word", ["pebble", "the"])
def test_each_pass_over_many_words_is_taken_in_portions(pauses, word):
    """Those that cut a text into words, look them up, leave out or keep those that tell nothing, and count them."""
    packed = tokens.pack(f"{word} " * WORDS)

    slices, portions = WORDS * (len(word) + 1) // words.SLICE, WORDS // tokens._PORTION
    assert packed.length == WORDS
    assert len(pauses) >= slices - 1 + (3 if word == "pebble" else 4) * portions


def test_calls_come_in_before_the_vector_of_a_long_text(pauses, monkeypatch):
    embedder = static_embedder.load()
    embed = embedder.embed
    monkeypatch.setattr(embedder, "embed", lambda texts: pauses.append("vector") or embed(texts))
    draft = PassageDraft(kind=Kind.TURN, item_id=uuid4(), text="Pebble " * passage_drafts.LONG, at=datetime.now(UTC))

    passage_drafts.prepare(embedder, [draft])
    prepared = pauses.copy()
    pauses.clear()
    tokens.pack(draft.text)

    assert prepared == [*pauses, "pause", "vector"]
