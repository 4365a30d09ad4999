"""The ranker that ships in the package: vectors of the tokens of turns and questions, on the CPU with onnxruntime."""

from functools import cache, cached_property
from itertools import islice, repeat
from pathlib import Path

import numpy as np

from nacre.models import static_embedder, token_vectors
from nacre.models.reader_heads import ReaderHeads
from nacre.models.reader_windows import TurnTokenizer, question_window, windows
from nacre.models.readings import Conversation, SpokenTurn
from nacre.models.talk_encoder import TalkEncoder
from nacre.models.token_vectors import QuestionTokens

DATA = Path(__file__).parent / "ranking"
# Of a long text so many windows have vectors: who asks for it mostly asks for how it begins.
MOST_WINDOWS = 4
# Of so many short texts that were read lately the vectors are at hand, and none of the texts.
MOST_TEXTS = 4_096
_SPEAKER = "user"


@cache
def load() -> "LocalRanker":
    """The ranker; one a process, whoever asks."""
    return LocalRanker()


class LocalRanker:
    """Makes vectors of tokens. Nothing is loaded before the first text comes."""

    def __init__(self, data: Path = DATA) -> None:
        self._data = data
        self._encoder = TalkEncoder(data / "ranker.onnx")
        self._texts: dict[int, bytes] = {}

    def turn_vectors(self, conversation: Conversation) -> bytes:
        """Vectors of the telling tokens of a conversation's turns from `first` on, packed."""
        some = windows(self._tokenizer.segments(conversation.turns), conversation.first, repeat(0))
        return b"".join(
            token_vectors.pack(self._heads.token_vectors(self._encoder.states(each)[self._tokenizer.telling(each)]))
            for each in islice(some, MOST_WINDOWS)
        )

    def text_vectors(self, text: str) -> bytes:
        """Vectors of the telling tokens of a text that stands alone, packed."""
        texts, key = self._texts, hash(text)
        packed = texts.get(key)
        if packed is None:
            packed = self.turn_vectors(Conversation((SpokenTurn(_SPEAKER, text),), 0))
            # Not emptied when full, but replaced: another thread may be reading it.
            if len(texts) >= MOST_TEXTS:
                texts = self._texts = {}
            texts[key] = packed
        return packed

    def question_tokens(self, text: str) -> QuestionTokens:
        """The tokens of a question, to compare texts with."""
        states = self._encoder.states(question_window(self._tokenizer, text))
        vectors = self._heads.token_vectors(states) * self._heads.token_counts(states)
        return QuestionTokens(vectors, self._heads.bar(states), self._heads.need(states))

    @cached_property
    def _tokenizer(self) -> TurnTokenizer:
        return TurnTokenizer(static_embedder.DATA / "vocab.txt")

    @cached_property
    def _heads(self) -> ReaderHeads:
        with np.load(self._data / "heads.npz") as held:
            return ReaderHeads({name: held[name] for name in held.files})
