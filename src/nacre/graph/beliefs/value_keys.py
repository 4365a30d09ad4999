"""Keys of values: two values that a judgement may relate to each other have a key in common.

A slot may hold thousands of values. A new one is judged against those that share a key with it, which the database
finds by an index, and not against all of them. What `graph.beliefs.values`, `markers` and `statements` compare, and
what stands for it here, by the sign that a key begins with:

====  ==========================================================  =========================================
sign  a held value is found by                                    a new value looks for
====  ==========================================================  =========================================
n     its whole text                                              `same`, and every yes or no for a yes or no
=     its words in any order, each by its root                    `same`, and whatever it may refine
+     the same without the first, such as a verb                  what says it with a verb before it
>     the words that it says more of                              what says it more precisely
~     its stems without negations                                 `opposite`
#     its words with any number for each number                   `recounted`
@     the subject of a statement                                  `at_odds`
h     its first telling word, by root and by stem                 what a sentence may turn down
u     its first letter of a writing without spaces                what such a sentence may turn down
!     nothing: it has no words, and is looked at every time       always
====  ==========================================================  =========================================

A key may relate values that have nothing to do with each other; it never parts two that have. When what is compared
changes, the keys change with it, and a migration has to put every value down in `unkeyed_values` again.
"""

import re
from collections.abc import Iterable, Sequence

from nacre.graph.beliefs import markers, values
from nacre.graph.beliefs.values import ValueToken
from nacre.text.letters import UNSPACED

_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORDLESS = "!"
_LAST = {"y": "i", "z": "c"}


def _stripped(key: str) -> str:
    """A word without what makes it many: `cities` and `city` become `citi`, `boxes` and `box` become `box`."""
    bare = key.rstrip("es")
    return bare[:-1] + _LAST[bare[-1]] if bare[-1:] in _LAST else bare


_SINGULARS = {_stripped(many): _stripped(one) for one, many in values.IRREGULAR.items()}


def root(key: str) -> str:
    """The same for any two words that may be the singular and the plural of each other."""
    bare = _stripped(key)
    return _SINGULARS.get(bare, bare)


_ARTICLES = frozenset(map(root, values.ARTICLES))


def held_keys(value: str) -> set[str]:
    """The keys that a value is found by where it is held."""
    keys = {f"n {values.folded(value)}", *_mention_keys(value)}
    if core := values.core(value):
        keys.add(f"~ {' '.join(core)}")
    if len(value) > values.LONGEST:
        return keys
    found = values.tokens(value)
    roots = _roots(found)
    keys.add(_bag("=", roots) if roots else _WORDLESS)
    if len(roots) > 1 and value[0].islower():
        keys.add(_bag("+", roots[1:]))
    keys |= {_bag(">", _roots(found[:size])) for size in range(1, len(found)) if values.goes_on(value, size)}
    if any(token.number for token in found):
        keys.add(_bag("#", _masked(found)))
    if subject := values.subject(value):
        keys.add(f"@ {' '.join(subject)}")
    return keys


def same_keys(value: str) -> set[str] | None:
    """What held values that say the same are found by; None where only a look at all of them tells."""
    roots = _roots(values.tokens(value))
    if not roots and len(value) <= values.LONGEST:
        return None
    return {_WORDLESS, f"n {values.folded(value)}", *([_bag("=", roots)] if roots else [])}


def judged_keys(value: str, said: str | None) -> set[str] | None:
    """What held values that a judgement of a new one may be about are found by; None where that may be any."""
    keys = None if values.is_nothing(value) else same_keys(value)
    if keys is None:
        return None
    found = values.tokens(value)
    roots = _roots(found)
    if roots:
        keys |= {_bag("+", roots), _bag(">", roots)}
    keys |= {_bag("=", roots[:size]) for size in range(1, len(roots))}
    if core := values.core(value):
        keys.add(f"~ {' '.join(core)}")
    if values.is_answer(value):
        keys |= {f"n {answer}" for answer in values.ANSWERS}
    if values.is_over(value):
        affirmed = values.affirmed(value)
        rest = _roots(values.tokens(affirmed))
        keys |= {f"n {values.folded(affirmed)}", _bag("=", rest), _bag("=", rest[1:])}
    if values.is_count(value):
        keys.add(_bag("#", _masked(found)))
    if (subject := values.subject(value)) and values.is_definite(value):
        keys.add(f"@ {' '.join(subject)}")
    text = markers.turned_down(said) if said else None
    return keys if text is None else keys | _text_keys(text)


def _mention_keys(value: str) -> set[str]:
    """What a value is found by when a text may mention it: see `values.mentions`."""
    keys = {f"h {part}" for token in values.telling(value)[:1] for part in _forms(token.key)}
    if _UNSPACED.search(value):
        first = _UNSPACED.search(value.casefold())
        keys.add(f"u {first[0]}" if first else _WORDLESS)
    return keys


def _text_keys(text: str) -> set[str]:
    words = {part for token in values.all_tokens(text) for part in (token.key, *token.key.split("'")) if part}
    letters = set(_UNSPACED.findall(text.casefold()))
    return {f"h {form}" for word in words for form in _forms(word)} | {f"u {letter}" for letter in letters}


def _forms(key: str) -> tuple[str, str]:
    return root(key), values.stem(key)


def _roots(tokens: Iterable[ValueToken]) -> list[str]:
    return [each for each in (root(token.key) for token in tokens) if each not in _ARTICLES]


def _masked(tokens: Iterable[ValueToken]) -> list[str]:
    return ["0" if token.number else root(token.key) for token in tokens]


def _bag(sign: str, roots: Sequence[str]) -> str:
    return f"{sign} {' '.join(sorted(roots))}"
