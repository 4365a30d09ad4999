"""Statements without quantities of which one puts somebody or something in the place of what the other names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nacre.graph.beliefs import values
from nacre.graph.beliefs.values import ValueToken
from nacre.memory import tones
from nacre.memory.pairs import FEW, StatementPair, UpdateVerdict, shown
from nacre.text.letters import UNSPACED
from nacre.text.measures import Measure
from nacre.text.words import find_word

_LONGEST_SLOT = 4
# Come right before what is no longer so, and right after it.
_GONE_BEFORE = re.compile(
    r"\b(?:not|instead of|rather than|in place of|no longer|replac(?:es|ed|ing)|succeed(?:s|ed|ing)|left|quit|dropped"
    r"|ditched|stopped using|gave up|en vez de|en lugar de|sustituye a|reemplaza a|dejó)"
    r"\s+(?:(?:at|in|on|the|our|el|la)\s+)?\Z",
    re.IGNORECASE,
)
_GONE_AFTER = re.compile(
    r"\s*(?:(?:is|was|has been) replaced by|hand(?:ed|s) (?:\w+ ){0,5}?to|passed (?:\w+ ){0,5}?to|has left\b"
    r"|stepped down)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|de|del)\s+(?:the |our |el |la )?\Z", re.IGNORECASE)
# What is over once another took over, once something else is used, once somebody left.
_LED = tones.read_words("""
    own owns lead leads manage manages run runs maintain maintains handle handles chair chairs coordinate coordinates
    head heads host hosts teach teaches supervise supervises represent represents responsible charge
    lleva dirige gestiona mantiene coordina
""")
_USED = tones.read_words("use uses drive drives host hosts run runs rent rents called named usa usan llama")
_STAYED = tones.read_words("work works live lives study studies belong belongs play plays vive trabaja estudia")
_LEAVING = re.compile(r"\b(?:left|quit|dejó)\b", re.IGNORECASE)
_LEADING = re.compile(r"\b(?:over|succeed(?:s|ed)|hand(?:ed|s)|passed|stepped down)\b", re.IGNORECASE)
_HELD_BY_ONE = tones.read_words("""
    owns leads runs manages chairs heads coordinates handles maintains hosts teaches lleva dirige gestiona coordina
""")
_COPULAS = tones.read_words("is are es son esta estan")
_PLACED = tones.read_words("in at on en")
_DEFINITE = re.compile(r"\b(?:the|our|my|el|la|los|las|nuestro|nuestra|mi)\b", re.IGNORECASE)
_OWNED = re.compile(
    r"\s*(?:(?:the|our|my|his|her|their|el|la|los|las|nuestro|nuestra|mi|su)\s|[^\W\d_]+['’]s\s)", re.IGNORECASE
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_OURS = re.compile(r"\b(?:I|we|my|our)\b", re.IGNORECASE)


def judge_words(pair: StatementPair, new: str, old: str) -> UpdateVerdict | None:
    """What the words of two statements say; `new` and `old` are the statements as they were said."""
    if pair.newer.saying.added or pair.is_of_others or tones.is_event(pair.older.text):
        return None
    return _named(pair) or _exchanged(pair, new, old) or _unspaced(pair)


def _named(pair: StatementPair) -> UpdateVerdict | None:
    """The newer one names what the older one says, and says that it is over: took over the module from Tomas."""
    gone = {stem for stem in pair.shared if _is_over(pair, pair.newer.topic[stem])}
    if not gone:
        return None
    rest = pair.older.topic.keys() - gone
    lost = {pair.older.topic[stem].casefold() for stem in rest - pair.newer.topic.keys()}
    ours = bool(_OURS.search(pair.newer.text) and _OURS.search(pair.older.text))
    if not (rest & pair.newer.topic.keys() or ours) or len(lost) > FEW:
        return None
    value = " ".join(word for stem, word in pair.older.topic.items() if stem in gone)
    timed = any(each.measure is Measure.TIME for each in pair.newer.values)
    # Who moved once did so, wherever they moved next.
    doubtful = _is_doubtful(pair) or timed or pair.older.switched or bool(pair.older.values)
    if doubtful or not lost <= _ended_by(pair.newer.text):
        return pair.asks(value)
    return UpdateVerdict(sure=True, because=f"{shown(pair.newer.text)} says that {value} is over.", value=value)


def _ended_by(text: str) -> frozenset[str]:
    """The verbs of what is over by such a statement."""
    if _LEADING.search(text):
        return _LED
    return _STAYED if _LEAVING.search(text) else _USED | _LED


def _is_over(pair: StatementPair, word: str) -> bool:
    text = pair.newer.text
    for start, end in find_word(word, text):
        head = text[:start]
        away = pair.newer.switched and _FROM.search(head)
        if away or _GONE_BEFORE.search(head) or _GONE_AFTER.match(text, end):
            return True
    return False


def _unspaced(pair: StatementPair) -> UpdateVerdict | None:
    """Of a statement without spaces it is only known which parts differ."""
    cut = pair.newer.changed and pair.shared and len(pair.more) == len(pair.less) == 1
    return pair.asks() if cut and _UNSPACED.search(pair.older.text) else None


@dataclass(frozen=True, slots=True)
class _Slot:
    """Two statements that differ in one place only: what stands before it and after it, and what each has there."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    new: str
    old: str

    @property
    def names(self) -> bool:
        """Whether both have a name there."""
        return all(value[0].isupper() or any(map(str.isdigit, value)) for value in (self.new, self.old))


def _exchanged(pair: StatementPair, new: str, old: str) -> UpdateVerdict | None:
    """The statements differ in one place only, and the older one's value there cannot be so beside the newer's."""
    if pair.newer.values or pair.older.values:
        return None
    slot = _slot(tones.unchanged(new), old)
    if slot is None or _says_same(slot):
        return None
    because = f"{shown(new)} puts {slot.new} in the place of {slot.old}."
    sure = UpdateVerdict(sure=not _is_doubtful(pair), because=because, value=slot.old)
    changed, told = pair.newer.changed, not _COPULAS.isdisjoint(slot.before)
    if not slot.before:
        # Another one holds something, or is something that only one can be.
        holding = slot.after[:1] and slot.after[0] in _COPULAS | _HELD_BY_ONE and _DEFINITE.search(old)
        return (sure if changed else pair.asks(slot.old)) if holding and slot.names else None
    if told and values.is_single(old) and (changed or len(slot.before) > FEW):
        return sure
    if told and changed and slot.before[-1] in _PLACED and slot.names:
        return sure
    given = told and slot.before[-1] in _COPULAS | _PLACED and _OWNED.match(old)
    placed = slot.before[-1] in _PLACED and slot.names and not _STAYED.isdisjoint(slot.before)
    return pair.asks(slot.old) if changed or given or placed else None


def _is_doubtful(pair: StatementPair) -> bool:
    return tones.is_guessed(pair.newer.text) or pair.newer.saying.passing


def _says_same(slot: _Slot) -> bool:
    one, other = slot.new, slot.old
    return values.same(one, other) or any(
        compare(*both) for compare in (values.refines, values.contains) for both in ((one, other), (other, one))
    )


def _slot(new: str, old: str) -> _Slot | None:
    ours, theirs = values.tokens(new), values.tokens(old)
    before = _common(ours, theirs)
    after = _common(ours[before:][::-1], theirs[before:][::-1])
    one, other = ours[before : len(ours) - after], theirs[before : len(theirs) - after]
    if not (0 < len(one) <= _LONGEST_SLOT and 0 < len(other) <= _LONGEST_SLOT) or before + after == 0:
        return None
    keys = [token.key for token in ours]
    return _Slot(tuple(keys[:before]), tuple(keys[len(ours) - after :]), _said(new, one), _said(old, other))


def _common(ours: Sequence[ValueToken], theirs: Sequence[ValueToken]) -> int:
    """How many words two statements begin with alike."""
    return next(
        (place for place, (one, two) in enumerate(zip(ours, theirs, strict=False)) if one.key != two.key),
        min(len(ours), len(theirs)),
    )


def _said(text: str, some: Sequence[ValueToken]) -> str:
    return text[some[0].end - len(some[0].text) : some[-1].end]
