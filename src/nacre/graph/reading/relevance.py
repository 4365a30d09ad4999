"""Relevance of a text to a query."""

from nacre.text import tokens
from nacre.text.tokens import PackedTerms

# What a traversal brings may well share no word with the query: that is what it is for.
UNRELATED = 0.5
MAX_QUERY = 2_000


class Relevance:
    """From 0.5 for a text without a word of the query to 1 for a text with all of them; 1 where nothing is asked."""

    def __init__(self, query: str | None) -> None:
        self._query = (query or "")[:MAX_QUERY]
        self._asked: dict[str, frozenset[int]] = {}

    def of_text(self, text: str) -> float:
        """The relevance of words."""
        return self.of(tokens.pack(text)) if self._query else 1.0

    def of(self, packed: PackedTerms) -> float:
        """The relevance of words that are packed already."""
        asked = self._terms(packed.language)
        if not asked:
            return 1.0
        shared = len(asked.intersection(key for key, _ in packed.items()))
        return UNRELATED + (1 - UNRELATED) * shared / len(asked)

    def _terms(self, language: str) -> frozenset[int]:
        """The query's terms as a text of a language is indexed."""
        if language not in self._asked:
            packed = tokens.pack(self._query, language)
            self._asked[language] = frozenset(key for key, _ in packed.items())
        return self._asked[language]
