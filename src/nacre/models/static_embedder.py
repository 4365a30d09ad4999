"""The embedder that needs no download, no key and no accelerator."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from nacre.models.embedders import Matrix, Vectors

DATA = Path(__file__).parent / "static"

# Text this far down hardly moves the sum, and one huge document must not hold up the rest.
MAX_CHARACTERS = 30_000
# Bounds what one call holds in memory, however many texts it is given.
TEXTS_AT_ONCE = 512

MAX_CACHED_WORDS = 100_000
MAX_CACHED_LENGTH = 40

PUNCTUATION = r"!-/:-@\[-`{-~"
WORD = re.compile(rf"[^\s{PUNCTUATION}]+|[{PUNCTUATION}]")


@cache
def load() -> "StaticEmbedder":
    """The embedder; one a process, whoever asks: it is read-only and thread-safe."""
    return StaticEmbedder()


class StaticEmbedder:
    """The embedder that ships in the package: the normalised sum of token vectors."""

    local = True

    def __init__(self, data: Path = DATA) -> None:
        model = json.loads((data / "model.json").read_text(encoding="utf-8"))
        self.identity: str = model["identity"]
        self.dimensions: int = model["dimensions"]
        self.threshold: float = model["threshold"]
        # A plain array over the mapped file: `memmap` itself is slow to index.
        self._table: NDArray[np.int8] = np.asarray(np.load(data / "table.npy", mmap_mode="r"))
        self._scales: NDArray[np.float32] = np.load(data / "scales.npy").astype(np.float32)
        self._tokens = WordPieces(data / "vocab.txt")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The texts' vectors."""
        return Vectors(self.identity, self.matrix(texts))

    def embed_question(self, text: str) -> Vectors:
        """The question's vector."""
        return self.embed([text])

    def close(self) -> None:
        """Nothing to give back: the table is shared by the whole process."""

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """One row of norm 1 a text, or zeros for a text without any known token."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = slice(start, start + TEXTS_AT_ONCE)
            for row, ids in zip(vectors[some], self._tokens.ids(texts[some]), strict=True):
                if ids:
                    self._sum(np.array(ids, dtype=np.intp), row)
        return vectors

    def _sum(self, ids: NDArray[np.intp], out: NDArray[np.float32]) -> None:
        """Write the normalised sum of the ids' vectors to `out`.

        Text by text and without BLAS, whose threads may add in another order: a vector has the same bits
        alone, in a batch and in another process.
        """
        rows = self._table.take(ids, axis=0).astype(np.float32)
        np.einsum("i,ij->j", self._scales.take(ids), rows, out=out)
        norm = np.sqrt(np.einsum("j,j->", out, out))
        if norm > 0:
            out /= norm


class WordPieces:
    """WordPiece ids of texts, remembering the words already seen.

    Words repeat, and most of the tokenizer's time goes into normalising and splitting them again. Cutting at white
    space and ASCII punctuation first is safe: BERT's own rules cut there and look no further.
    """

    def __init__(self, vocabulary: Path) -> None:
        self._model = models.WordPiece.from_file(str(vocabulary), unk_token="[UNK]")  # noqa: S106
        self._tokenizer = Tokenizer(self._model)
        self._tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        self._tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        self._seen: dict[str, tuple[int, ...]] = {}

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text."""
        split = [words_of(text) for text in texts]
        # A dictionary never loses a word: a full one is replaced, so a thread can go on reading the one it holds.
        seen = self._seen
        fresh = {word for words in split for word in words if word not in seen}
        if not fresh:
            return [[number for word in words for number in seen[word]] for words in split]
        learned = self._tokenise(sorted(fresh))
        self._remember(learned)
        return [
            [number for word in words for number in (learned[word] if word in learned else seen[word])]
            for words in split
        ]

    def _tokenise(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Ids of each word. Of plain letters BERT's rules leave what the model takes: the whole way is four times as
        long.
        """
        plain = [word for word in words if word.isascii() and word.isalnum()]
        learned = {word: tuple([piece.id for piece in self._model.tokenize(word.lower())]) for word in plain}
        rest = [word for word in words if word not in learned]
        return learned | self._tokenise_odd(rest) if rest else learned

    def _tokenise_odd(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Ids of words with other letters and marks, from one call of the tokenizer, which takes no lone surrogates."""
        encodable = [word.encode("utf-8", "ignore").decode("utf-8") for word in words]
        encoding = self._tokenizer.encode(encodable, is_pretokenized=True)
        pieces: list[list[int]] = [[] for _ in words]
        for number, place in zip(encoding.ids, encoding.word_ids, strict=True):
            if place is not None:
                pieces[place].append(number)
        return {word: tuple(numbers) for word, numbers in zip(words, pieces, strict=True)}

    def _remember(self, learned: dict[str, tuple[int, ...]]) -> None:
        """Keep the short words, and start over when there are too many."""
        short = {word: ids for word, ids in learned.items() if len(word) <= MAX_CACHED_LENGTH}
        if len(self._seen) + len(short) > MAX_CACHED_WORDS:
            self._seen = {}
        self._seen.update(short)


def words_of(text: str) -> list[str]:
    """The words and marks of a text, with ASCII text lower-cased so that fewer spellings are kept."""
    text = text[:MAX_CHARACTERS]
    return WORD.findall(text.lower() if text.isascii() else text)
