"""Words that were typed without their apostrophe, written out: "isnt" is "isn't"."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from nacre.text.languages import UNDETERMINED, detect

# How many letters stand after the apostrophe. "Its", "ill", "id", "were", "well" and "lets" are words of their own.
_AFTER = {
    **dict.fromkeys(("isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "hasnt", "havent", "hadnt"), 1),
    **dict.fromkeys(("cant", "couldnt", "wouldnt", "shouldnt", "wont", "aint"), 1),
    **dict.fromkeys(("im", "hes", "shes", "thats", "whats", "wheres", "whos", "theres", "hows"), 1),
    **dict.fromkeys(("ive", "youve", "weve", "theyve", "youre", "theyre"), 2),
}
_WORD = re.compile(r"[^\W\d_]{2,}(?!['’])")


@dataclass(frozen=True, slots=True)
class ExpandedText:
    """A text with its apostrophes, and where each of its letters stood before."""

    text: str
    places: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where some words of it stood."""
        return self.places[start], self.places[end - 1] + 1


def written_out(text: str, is_name: Callable[[str], bool] = lambda _word: False) -> ExpandedText:
    """The text with the apostrophes that English wants: in contractions, and in "toms" where `is_name` knows Tom."""
    letters, places, end = [], [], 0
    for found in _WORD.finditer(text) if detect(text) in ("en", UNDETERMINED) else ():
        after = _after(found[0], is_name)
        if after:
            cut = found.end() - after
            letters += [text[end:cut], "'"]
            places += [*range(end, cut), cut - 1]
            end = cut
    return ExpandedText("".join([*letters, text[end:]]), (*places, *range(end, len(text))))


def _after(word: str, is_name: Callable[[str], bool]) -> int:
    plain = word.lower()
    if plain in _AFTER:
        return _AFTER[plain]
    return 1 if plain.endswith("s") and is_name(plain[:-1]) and not is_name(plain) else 0
