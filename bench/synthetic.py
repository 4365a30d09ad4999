"""Made-up conversation of any length, the same for the same seed: a Zipf word model, names, sessions of 20 turns."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count, islice

from bench.words import FIRMS, NAMES, PLACES, RELATIVES, STATEMENTS, vocabulary
from nacre import Turn

SEED = 20240501
VOCABULARY = 20_000
SESSION_TURNS = 20
SHORTEST, LONGEST = 2, 40
START = datetime(2023, 1, 2, 9, tzinfo=UTC)

_STATEMENT_SHARE = 0.15
_NAME_SHARE = 0.03
# Zipf's law in Mandelbrot's form: without the shift the commonest word would be every eighth.
_ZIPF = 1.15
_SHIFT = 2.7


def turns(number: int, seed: int = SEED) -> list[Turn]:
    """The first `number` turns: a longer conversation begins with the shorter one."""
    return list(islice(conversation(seed), number))


def queries(size: int, number: int, seed: int = SEED) -> list[str]:
    """Questions made of the words of turns spread over the first `size`; the turns are not kept in memory."""
    rng = random.Random(f"queries {seed}")
    spread = islice(conversation(seed), 0, size, max(1, size // number))
    return [_query(turn.text, rng) for turn in islice(spread, number)]


def conversation(seed: int = SEED) -> Iterator[Turn]:
    rng = random.Random(f"turns {seed}")
    model = WordModel(rng)
    for number in count():
        session, place = divmod(number, SESSION_TURNS)
        asked = place % 2 == 0
        yield Turn(
            role="user" if asked else "assistant",
            text=model.text(rng),
            speaker=NAMES[session % 2] if asked else None,
            session=f"s{session}",
            at=START + timedelta(hours=7 * session, minutes=place),
            ref=f"t{number}",
        )


class WordModel:
    """Draws words by Zipf's law."""

    def __init__(self, rng: random.Random) -> None:
        self._words = vocabulary(VOCABULARY, rng)
        self._weights = list(accumulate((place + _SHIFT) ** -_ZIPF for place in range(1, VOCABULARY + 1)))

    def text(self, rng: random.Random) -> str:
        """A turn of 2 to 40 words, mostly short, some of them beginning with a statement of fact."""
        length = min(LONGEST, max(SHORTEST, round(rng.lognormvariate(2.5, 0.6))))
        statement = self._statement(rng) if length > 10 and rng.random() < _STATEMENT_SHARE else []
        drawn = rng.choices(self._words, cum_weights=self._weights, k=max(1, length - len(statement)))
        words = [rng.choice(NAMES) if rng.random() < _NAME_SHARE else word for word in drawn]
        words[0] = words[0][0].upper() + words[0][1:]
        return " ".join([*statement, *words]) + rng.choice(".........?!")

    def _statement(self, rng: random.Random) -> list[str]:
        word, other = rng.choices(self._words[100:2000], k=2)
        return (
            rng.choice(STATEMENTS)
            .format(
                name=rng.choice(NAMES),
                firm=rng.choice(FIRMS),
                place=rng.choice(PLACES),
                relative=rng.choice(RELATIVES),
                word=word,
                other=other,
            )
            .split()
        )


def _query(text: str, rng: random.Random) -> str:
    words = [word.strip(".?!") for word in text.split()]
    return f"What about {' '.join(rng.sample(words, min(len(words), rng.randint(3, 8))))}?"
