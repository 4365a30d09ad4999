"""Anti-patterns: memories made of corrections, which say what not to do and what to do instead.

Only the words of the correction are used. Where its form is plain ("use X instead of Y", "don't X, …") it is turned
into `Don't X — instead Z`; where it is not, subject and detail stand side by side as they were given.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from nacre.domain.feedback import MAX_SIGNALS, FeedbackKind, Signal
from nacre.domain.memories import ANTI_PATTERNS, GENERAL, Note, RememberReport
from nacre.domain.scopes import Scope
from nacre.store.base.databases import Database
from nacre.store.evidence import feedback
from nacre.text import names, sentences
from nacre.text.languages import detect
from nacre.text.stopwords import STOPWORDS
from nacre.text.words import words

TAG = "anti-pattern"
# Somebody took the trouble to say it: more than routine, less than what the agent is.
IMPORTANCE = 0.7

Remember = Callable[[Scope, Note], RememberReport]

# Verbs that hardly ever begin a name: "send emails" is something one does, "search results" need not be.
_PAIRS = """
    adding/add asking/ask assuming/assume choosing/choose confirming/confirm creating/create deleting/delete
    guessing/guess ignoring/ignore including/include installing/install inventing/invent keeping/keep making/make
    mentioning/mention omitting/omit overwriting/overwrite putting/put recommending/recommend removing/remove
    renaming/rename repeating/repeat replacing/replace sending/send skipping/skip suggesting/suggest using/use
"""
_DOING = dict(pair.split("/") for pair in _PAIRS.split())
_VERBS = frozenset(_DOING.values())
# Verbs that tell somebody what to do when they begin an instruction.
_MORE = """
    call check give go leave let look open pick prefer read reply run say set show stick try wait write
"""
_ORDERS = _VERBS | frozenset(_MORE.split())

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
# A bare "no" may be the point ("no emoji"); with a comma it only opens.
_FILLER = re.compile(r"(?:(?:no|nope|wrong)\s*[,.:;!]\s*|(?:actually|sorry|please)\b[\s,]+)+(?=\w)", re.IGNORECASE)
_NEGATED = re.compile(r"(?:don['’]t|do not|never)\s+(?=\S)", re.IGNORECASE)
_STOPPED = re.compile(rf"(?:stop|avoid)\s+({'|'.join(_DOING)})\b", re.IGNORECASE)
_OVER = re.compile(r"(?:,|(?<!\s))\s+(?:instead of|rather than)\s+|,\s+(?:and\s+)?not\s+", re.IGNORECASE)
_INSTEAD_FIRST = re.compile(r"(?:but\s+)?instead\b[,:]?\s+(?=\S)", re.IGNORECASE)
_INSTEAD_LAST = re.compile(r"(?:,|(?<!\s))\s+instead\Z", re.IGNORECASE)
_THEN = re.compile(r"(?<!\s)\s*[,;—–]\s*|(?<!\s)\s+-\s+")
# Where what to do ends and why begins. Moved on in one piece, so that no reason lands on the wrong side.
_REASON = re.compile(r"(?<!\s)\s*(?:[;(—–]|\s-\s|\b(?:because|since|so that|due to|otherwise)\b)", re.IGNORECASE)
# `email: …` and `file operations: …`; or a path such as `email/recipients`, which says the domain but is a name too.
_LABEL = re.compile(r"([a-zA-Z][a-zA-Z0-9]*(?:[ _-][a-zA-Z0-9]+){0,2}):\s+(?=\S)")
_PATH = re.compile(r"([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)/(?=[^\W\d_])")
_FINAL = tuple(".!?…。！？:")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NOUN_PHRASE = 3
_DETERMINERS = """
    a all an any her his its my our some that the their these this those your
"""
# What stands after "instead of" cannot be moved to another verb when one of these begins it: "instead of after".
_FIXED = (_ORDERS | STOPWORDS["en"]) - frozenset(_DETERMINERS.split())


@dataclass(frozen=True, slots=True)
class AntiPattern:
    """An instruction taken apart: what not to do, what to do, and what follows as it was said."""

    dont: str | None
    do: str | None
    rest: str = ""


def learn(database: Database, remember: Remember, scope: Scope, *, limit: int = MAX_SIGNALS) -> list[RememberReport]:
    """Turn the corrections that nothing was learned from yet into memories.

    Each is consumed after its memory was written. Whoever fails in between leaves the correction for the next run,
    which then finds the memory there and reinforces it: nothing is lost, and nothing stands there twice.
    """
    with database.read(scope) as tx:
        corrections = feedback.unconsumed(tx, limit, FeedbackKind.CORRECTION)
    learned = []
    for signal in corrections:
        note = from_correction(signal)
        if note is not None:
            learned.append(remember(scope, note))
        # One that teaches nothing is consumed too, or it would stand in the way of those behind it.
        with database.write(scope) as tx:
            feedback.consume(tx, [signal.id])
    return learned


def from_correction(signal: Signal) -> Note | None:
    """The memory that a correction teaches; None when it is no correction, or does not say what to do."""
    if signal.kind is not FeedbackKind.CORRECTION:
        return None
    domain, subject = _domain(_one_line(signal.subject))
    content = _content(subject, _detail(signal))
    if content is None:
        return None
    metadata = {"source": signal.kind.value, **({"session": signal.session} if signal.session else {})}
    return Note(
        text=content, category=f"{ANTI_PATTERNS}/{domain}", tags=(TAG,), metadata=metadata, importance=IMPORTANCE
    )


def _detail(signal: Signal) -> str:
    detail = _one_line(signal.detail or "")
    return detail[opening.end() :] if (opening := _FILLER.match(detail)) else detail


def _domain(subject: str) -> tuple[str, str]:
    """What the subject belongs to, and the subject without the label that said so."""
    subject = subject.removeprefix(f"{ANTI_PATTERNS}/")
    label = _LABEL.match(subject)
    if label and not _is_stop(label[1]):
        return _slug(label[1]), subject[label.end() :]
    path = _PATH.match(subject)
    if path and not _is_stop(path[1]):
        return _slug(path[1]), subject
    return _slug(" ".join(_noun_phrase(subject))), subject


def _noun_phrase(subject: str) -> list[str]:
    """The first few content words that stand together, after any verb."""
    small = STOPWORDS.get(detect(subject), STOPWORDS["en"])
    phrase: list[str] = []
    for token in (_unnegated(subject) or subject).split():
        pieces = words(token)
        if all(piece in small for piece in pieces) or (not phrase and _is_verb(token)):
            if phrase:
                break
            continue
        phrase.append(token)
        if len(phrase) == _NOUN_PHRASE or token[-1] in ".,;:!?)":
            break
    return phrase


def _content(subject: str, detail: str) -> str | None:
    if not words(detail):
        return _from_subject(subject)
    first, rest = _first_sentence(detail)
    lesson = _lesson(first)
    if lesson.dont:
        return _joined(_sentence(lesson, _aside(subject, detail)), rest)
    action = _action(subject)
    if action and lesson.do:
        return _joined(_sentence(AntiPattern(action, lesson.do, lesson.rest)), rest)
    if action:
        return f"Don't {action} — {_inline(detail)}"
    return f"{subject}{' ' if subject[-1:] in _FINAL else ': '}{detail}" if words(subject) else detail


def _from_subject(subject: str) -> str | None:
    """A correction without a detail teaches something only if its subject is an instruction."""
    first, rest = _first_sentence(subject)
    lesson = _lesson(first)
    action = _action(first)
    if lesson.dont:
        return _joined(_sentence(lesson), rest)
    return _joined(f"Don't {action}", rest) if action else None


def _lesson(text: str) -> AntiPattern:
    """What a sentence says not to do and to do; only in forms that cannot be misread."""
    core, reason = _cut(text, _REASON)
    unnegated = _unnegated(core)
    if unnegated:
        return _negated(unnegated, reason)
    return _preferred(core, reason) or _ordered(core, reason)


def _negated(core: str, reason: str) -> AntiPattern:
    dont, after = _cut(core, _THEN)
    do = _THEN.sub("", after, count=1)
    if _INSTEAD_FIRST.match(do) or _INSTEAD_LAST.search(do) or _first_word(do) in _ORDERS:
        return AntiPattern(dont, _without_instead(do), reason)
    return AntiPattern(core, None, reason)


def _preferred(core: str, reason: str) -> AntiPattern | None:
    """`use X instead of Y`, `confirm first rather than sending it`, `send PDF, not Word`."""
    over = _OVER.search(core)
    verb, _, object_ = core[: over.start()].partition(" ") if over else ("", "", "")
    if not over or verb.lower() not in _ORDERS or not object_:
        return None
    worse, more = _cut(core[over.end() :], re.compile(r"(?=,\s)"))
    first = _first_word(worse)
    if first in _DOING:
        dont = f"{_DOING[first]}{worse[len(first) :]}"
    elif first.endswith("ing") or first in _FIXED or _OVER.search(worse):
        return None
    else:
        dont = f"{verb.lower()} {worse}"
    return AntiPattern(dont, f"{verb.lower()} {object_}", f"{more}{reason}")


def _ordered(core: str, reason: str) -> AntiPattern:
    if _INSTEAD_FIRST.match(core) or _INSTEAD_LAST.search(core) or _first_word(core) in _ORDERS:
        return AntiPattern(None, _without_instead(core), reason)
    return AntiPattern(None, None)


def _action(subject: str) -> str | None:
    """The subject as something one does: `use X`, from `use X`, `using X` and `don't use X`."""
    subject, more = _first_sentence(subject)
    if more:
        return None
    if unnegated := _unnegated(subject):
        return unnegated
    first = _first_word(subject)
    following = subject[len(first) :]
    if not following.strip() or _first_word(following.lstrip()) in {"case", "cases", "of"} or not _is_verb(first):
        return None
    return f"{_DOING.get(first, first)}{following}"


def _unnegated(text: str) -> str | None:
    """What `don't …`, `never …` and `stop …ing` say not to do."""
    if negated := _NEGATED.match(text):
        return text[negated.end() :]
    if stopped := _STOPPED.match(text):
        return f"{_DOING[stopped[1].lower()]}{text[stopped.end() :]}"
    return None


def _sentence(lesson: AntiPattern, aside: str = "") -> str:
    dont = f"Don't {_inline(lesson.dont or '')}{aside}"
    do = f" — instead {_inline(lesson.do)}" if lesson.do else ""
    return f"{dont}{do}{lesson.rest}"


def _aside(subject: str, detail: str) -> str:
    """The subject in brackets, unless the detail names it anyway."""
    return "" if set(words(subject)) <= set(words(detail)) else f" ({subject.rstrip('.!')})"


def _first_sentence(text: str) -> tuple[str, str]:
    spans = sentences.split(text)
    end = spans[0][1] if spans else 0
    return text[:end].rstrip(".!"), text[end:].strip()


def _joined(sentence: str, rest: str) -> str:
    return f"{sentence}. {rest}" if rest else sentence


def _cut(text: str, mark: re.Pattern[str]) -> tuple[str, str]:
    """The text before the first mark, and the text from it on; a text that begins with one is not cut."""
    found = mark.search(text, 1)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _without_instead(text: str) -> str:
    return _INSTEAD_LAST.sub("", _INSTEAD_FIRST.sub("", text, count=1))


def _inline(text: str) -> str:
    """The text inside a sentence: without the capital of a word that has it only for coming first."""
    first = _first_word(text)
    return text[:1].lower() + text[1:] if first in _ORDERS or first in STOPWORDS["en"] - {"i"} else text


def _one_line(text: str) -> str:
    return " ".join(_CONTROL.sub(" ", text).split())


def _first_word(text: str) -> str:
    return text.partition(" ")[0].lower().rstrip(",;:")


def _is_verb(token: str) -> bool:
    return token.lower() in _DOING or token.lower() in _VERBS


def _is_stop(label: str) -> bool:
    return label.lower() in STOPWORDS["en"]


def _slug(phrase: str) -> str:
    """The phrase as part of a category, which knows only plain letters."""
    slug = names.slug(phrase) if words(phrase) else ""
    return slug if _SLUG.fullmatch(slug) else GENERAL
