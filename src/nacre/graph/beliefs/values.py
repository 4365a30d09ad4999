"""Values compared: two of one slot are the same, more precise, another number, or the opposite.

Words are compared whole and in any alphabet, numbers by what they are worth: `1,000` is `1000` and `three` is `3`,
and `3.5` is one number.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from nacre.domain.claims import Cardinality, normalized
from nacre.graph.beliefs.cardinality import of_key
from nacre.text.letters import UNSPACED, fold
from nacre.text.stems import lexicon


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*|[{UNSPACED}]+|[^\W\d_{UNSPACED}]+(?:['’][^\W\d_]+)?(?:\+\+|#(?!\w))?|[%$€£¥]")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_NUMBER_WORDS = {
    word: str(number)
    for block in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(block.split())
}
# Longer texts are prose: they are the same or they are not.
LONGEST = 300
# So many values are taken apart once: a slot's values are compared with every new one.
_REMEMBERED = 1 << 14
ARTICLES = _read("a an the el la los las un una unos unas")
IRREGULAR = {"child": "children", "person": "people", "man": "men", "woman": "women", "mouse": "mice"}
IRREGULAR |= {"foot": "feet", "tooth": "teeth", "goose": "geese", "knife": "knives", "life": "lives", "wife": "wives"}
# Look like the plural of another word and are not.
_NEVER_PLURAL = _read("news means series species aws ios has is was as his this us bus gas yes its")
# Follow what a value names and say more of it.
_LINKING = _read("""
    called named on in at for with from since especially mainly every who which that near
    llamado llamada en para con desde sobre todo los cada que
""")
_NOT = _read("not no never cannot nor neither nunca jamas tampoco")
# Left aside with the negation, so that "does not smoke any longer" denies "smokes".
_HELPING = _read("do does did is are was were be been any more anymore longer it at all has have had ya")
_OVER = re.compile(r"\b(?:no longer|(?:any ?more|any longer)\W*\Z|ya no)\b|不再|더 이상", re.IGNORECASE)
_NOT_UNSPACED = re.compile("不再|没有|不|没|未")
_OPPOSITES = (_read("yes true si on 是"), _read("no false off 否"))
ANSWERS = _OPPOSITES[0] | _OPPOSITES[1]
_NOTHING = _read("none nothing nobody nowhere ninguno ninguna nada nadie n/a 无 没有 なし 없음")


@dataclass(frozen=True, slots=True)
class ValueToken:
    """One word, number or sign of a value; `key` is what is compared."""

    text: str
    key: str
    end: int

    @property
    def number(self) -> bool:
        """Whether it is a number, in digits or in words."""
        return self.key[:1].isdecimal()


def tokens(value: str) -> tuple[ValueToken, ...]:
    """The words, numbers and signs of a value, without articles; none of a text too long to be compared by them."""
    return _tokens(value) if len(value) <= LONGEST else ()


@lru_cache(maxsize=_REMEMBERED)
def _tokens(value: str) -> tuple[ValueToken, ...]:
    return tuple(token for token in all_tokens(value) if not _is_article(token, value))


def all_tokens(text: str) -> tuple[ValueToken, ...]:
    """The words, numbers and signs of a text, articles included."""
    return _all_tokens(text) if len(text) <= LONGEST else _cut(text)


@lru_cache(maxsize=_REMEMBERED)
def _all_tokens(text: str) -> tuple[ValueToken, ...]:
    return _cut(text)


def _cut(text: str) -> tuple[ValueToken, ...]:
    return tuple(ValueToken(found[0], _key(found[0]), found.end()) for found in _TOKEN.finditer(text))


def _is_article(token: ValueToken, value: str) -> bool:
    """Whether a word only leads to the next: not the A of "plan A", nor that of an address."""
    leads = value[token.end : token.end + 1].isspace() and (token.text.islower() or token.end == len(token.text))
    return leads and token.key in ARTICLES


def same(one: str, other: str) -> bool:
    """Whether two values say the same: case, articles, plurals and the spelling of numbers do not count."""
    if _plain(one) == _plain(other):
        return True
    ours, theirs = tokens(one), tokens(other)
    if not ours or len(ours) != len(theirs):
        return False
    alike = all(map(_alike, ours, theirs)) or _same_day(ours, theirs)
    return alike and _signs(one) == _signs(other)


def refines(new: str, old: str) -> bool:
    """Whether a value surely names the same thing as another and says more of it.

    `Postgres 16` and `tennis on Saturdays` do so; `React Native` is another thing than `React`.
    """
    ours, theirs = tokens(new), tokens(old)
    size = len(theirs)
    if not 0 < size < len(ours) or not all(map(_alike, ours, theirs)) or is_denied(new) != is_denied(old):
        return False
    return goes_on(new, size)


def goes_on(value: str, size: int) -> bool:
    """Whether a value says more of what its first `size` words name, rather than naming another thing."""
    found = tokens(value)
    last, rest, shown = found[size - 1], found[size], value[found[size - 1].end :].lstrip()
    return shown[0] in ",(;:–—" or rest.key in _LINKING or (rest.number and not last.number)


def contains(new: str, old: str) -> bool:
    """Whether a value has all the words of another in their order, and more."""
    if is_denied(new) != is_denied(old):
        return False
    if _UNSPACED.search(old) and len(new) <= LONGEST:
        return _plain(old) != _plain(new) and _plain(old) in _plain(new)
    ours, theirs = tokens(new), tokens(old)
    rest = iter(ours)
    return len(ours) > len(theirs) > 0 and all(any(_alike(each, token) for each in rest) for token in theirs)


def recounted(new: str, old: str) -> bool:
    """Whether two values count the same thing and differ in the count: `3 cats` and `5 cats`, not `room 101`."""
    return is_count(new) and renumbered(new, old)


def is_count(value: str) -> bool:
    """Whether a value counts something: `3 cats`."""
    return any(_counts(*pair) for pair in pairwise(tokens(value)))


def renumbered(new: str, old: str) -> bool:
    """Whether two values with words in common differ in their numbers only."""
    ours, theirs = tokens(new), tokens(old)
    if len(ours) != len(theirs) or all(token.number for token in ours) or same(new, old):
        return False
    return all(_alike(one, two) or (one.number and two.number) for one, two in zip(ours, theirs, strict=True))


def is_number(value: str) -> bool:
    """Whether a value is a number and nothing else, or one with its unit: `42`, `$20`, `40 ms`, `20元`."""
    found = tokens(value)
    return 0 < len(found) <= 2 and any(token.number for token in found) and not _named(found)


def opposite(one: str, other: str) -> bool:
    """Whether one value denies the other: `smokes` and `doesn't smoke`, `yes` and `no`."""
    if is_answer(one) and is_answer(other):
        return any((folded(one) in side) != (folded(other) in side) for side in _OPPOSITES)
    return is_denied(one) != is_denied(other) and core(one) == core(other) != ()


def is_answer(value: str) -> bool:
    """Whether a value is a plain yes or no."""
    return folded(value) in ANSWERS


def is_over(value: str) -> bool:
    """Whether a value says that something was so and is not any more."""
    return bool(_OVER.search(value))


def is_denied(value: str) -> bool:
    """Whether a value says that something is not so."""
    return _denied(value) if len(value) <= LONGEST else bool(_NOT_UNSPACED.search(value))


@lru_cache(maxsize=_REMEMBERED)
def _denied(value: str) -> bool:
    return any(_is_not(token) for token in tokens(value)) or bool(_NOT_UNSPACED.search(value))


def affirmed(value: str) -> str:
    """A denied value without its negations: `does not use Redis` becomes `use Redis`."""
    plain = _NOT_UNSPACED.sub("", value)
    return " ".join(t.text for t in tokens(plain) if not _is_not(t) and t.key not in _HELPING)


@lru_cache(maxsize=1_000)
def core(value: str) -> tuple[str, ...]:
    """What is left of a value without its negations, by stems."""
    return tuple(stem(token.key) for token in tokens(affirmed(value)))


def is_nothing(value: str) -> bool:
    """Whether a value says that there is none."""
    return folded(value) in _NOTHING


def is_short(value: str) -> bool:
    """Whether a value is a name or a word or two rather than a statement."""
    return len(tokens(value)) <= 4 and len(value) <= 40


def telling(value: str) -> list[ValueToken]:
    """The words by which a text mentions a value: all but negations and helping verbs."""
    return [token for token in tokens(value) if not _is_not(token) and token.key not in _HELPING]


def mentions(text: str, value: str) -> tuple[int, int] | None:
    """Where a text says a value, as offsets; plurals and inflections count, the letters of a longer word do not."""
    wanted = telling(value)
    found = all_tokens(text)
    for start in range(len(found) - len(wanted) + 1 if wanted else 0):
        if all(_related(found[start + place], token) for place, token in enumerate(wanted)):
            return found[start].end - len(found[start].text), found[start + len(wanted) - 1].end
    at = text.casefold().find(value.casefold()) if _UNSPACED.search(value) else -1
    return (at, at + len(value)) if at >= 0 else None


def folded(value: str) -> str:
    """A value as it is looked up: width, case, spaces and accents do not count."""
    return fold(_plain(value))


def _plain(value: str) -> str:
    return _normalized(value) if len(value) <= LONGEST else normalized(value)


_normalized = lru_cache(maxsize=_REMEMBERED)(normalized)


def _key(text: str) -> str:
    key = fold(normalized(text)).replace("’", "'")
    if key[0].isdecimal():
        # Zeros stay: version 3.10 is not 3.1, and code 0421 is not 421.
        return key.replace(",", "") if _THOUSANDS.fullmatch(key) else key.replace(",", ".")
    return _NUMBER_WORDS.get(key, key)


def _alike(one: ValueToken, other: ValueToken) -> bool:
    if one.key == other.key:
        return True
    # Both with a capital are names: Williams is not the plural of William.
    named = one.text[:1].isupper() and other.text[:1].isupper()
    return not named and (_is_plural(one.key, other.key) or _is_plural(other.key, one.key))


def _is_plural(many: str, one: str) -> bool:
    if many in _NEVER_PLURAL or len(one) < 3:
        return False
    forms = {one + "s", one + "es", IRREGULAR.get(one)}
    if one.endswith("y"):
        forms.add(one[:-1] + "ies")
    if one.endswith("z"):
        forms.add(one[:-1] + "ces")
    return many in forms


def _same_day(ours: tuple[ValueToken, ...], theirs: tuple[ValueToken, ...]) -> bool:
    """Whether the same number and word stand in another order: `3 March` and `March 3`."""
    return (
        len(ours) == 2 and ours[0].number != ours[1].number and [t.key for t in ours] == [t.key for t in theirs[::-1]]
    )


def _related(one: ValueToken, other: ValueToken) -> bool:
    return _alike(one, other) or (not one.number and stem(one.key) == stem(other.key))


def stem(word: str) -> str:
    """A word without its inflection."""
    return lexicon("en")[word].text


def _signs(value: str) -> list[str]:
    """Marks that make another value of the same words: C, C++, -5."""
    return re.findall(r"(?<!\w)-(?=\d)|\+(?=\d)|/", value)


def _counts(number: ValueToken, thing: ValueToken) -> bool:
    lower = thing.text[:1].islower() and len(thing.key) > 2 and thing.key not in _NEVER_PLURAL | _LINKING
    return number.number and lower and (thing.key.endswith("s") or thing.key in IRREGULAR.values())


def _named(tokens: tuple[ValueToken, ...]) -> bool:
    """Whether a word comes before the number, which then names it: room 101, Python 3."""
    return len(tokens) == 2 and tokens[1].number and tokens[0].text[:1].isalpha()


def _is_not(token: ValueToken) -> bool:
    return token.key in _NOT or token.key.endswith("n't")


_COPULAS = {"is", "are", "was", "were", "costs", "weighs", "equals", "es", "son", "esta", "estan", "cuesta", "pesa"}
_DEFINITE = re.compile(r"\s*(?:the|our|my|el|la|los|las|nuestro|nuestra|mi)\s", re.IGNORECASE)


def at_odds(new: str, old: str) -> bool:
    """Whether both say what one definite thing is, and not the same: `the launch is on May 3`, `… on May 5`."""
    ours, theirs = subject(new), subject(old)
    return ours is not None and ours == theirs and is_definite(new)


def is_definite(statement: str) -> bool:
    """Whether it speaks of one definite thing."""
    return bool(_DEFINITE.match(statement)) or is_single(statement)


def is_single(statement: str) -> bool:
    """Whether its subject is something that is one thing at a time: `her favourite colour is …`."""
    about = subject(statement)
    return bool(about) and of_key("_".join(about or ())) is Cardinality.SINGLE


def subject(statement: str) -> tuple[str, ...] | None:
    """The words before the verb; None for a statement that does not say what something is."""
    keys = [token.key for token in tokens(statement)]
    place = next((place for place, key in enumerate(keys) if key in _COPULAS), 0)
    return tuple(keys[:place]) or None
