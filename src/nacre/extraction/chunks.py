"""Long texts in pieces that a language model can take in, cut where the text itself pauses."""

import re

MAX_CHUNK = 12_000

# Where a text may be cut, best first: between paragraphs, between lines, after a sentence, between words.
_PAUSES = (re.compile(r"\n[ \t]*\n\s*"), re.compile(r"\n"), re.compile(r"(?<=[.!?。！？])\s*"), re.compile(r"\s"))


def chunks(text: str, limit: int = MAX_CHUNK) -> list[tuple[int, int]]:
    """Where each piece begins and ends; together they are the whole text, and none is longer than `limit`."""
    pieces = [(0, chunk_end(text, 0, limit))]
    while pieces[-1][1] < len(text):
        start = pieces[-1][1]
        pieces.append((start, chunk_end(text, start, limit)))
    return pieces


def chunk_end(text: str, start: int, limit: int = MAX_CHUNK) -> int:
    """Where the piece that begins at `start` ends."""
    return _cut(text, start, start + limit) if len(text) - start > limit else len(text)


def _cut(text: str, start: int, end: int) -> int:
    """The last good place to cut in the second half of a piece."""
    half = start + (end - start) // 2
    for pause in _PAUSES:
        places = [match.end() for match in pause.finditer(text, half, end) if half < match.end() <= end]
        if places:
            return places[-1]
    return end
