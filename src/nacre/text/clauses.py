"""Cut a text into statements that can be read alone. English only: whether a sentence leans on the one before it is
told by its words, and without knowing them nothing is cut.

Nothing is rewritten, and everything is kept: statements are spans of the text, in order, with only joints and white
space between them. Where it is not certain that both sides stand on their own, they stay together.
"""

import re
from collections.abc import Iterator

from nacre.text import sentences
from nacre.text.languages import UNDETERMINED, detect

Span = tuple[int, int]


def _any(block: str) -> str:
    return "|".join(block.split())


AUXILIARIES = _any("""
    am is are was were be been has have had do does did will would can could shall should must may might won't wouldn't
    can't cannot couldn't shouldn't mustn't isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't
""")
# Lean on something said before.
_LEANING = re.compile(
    r"\b(?:he|she|they|it|him|her|them|his|hers|their|theirs|its|it's|he's|she's|they're|this|that|that's|these|those"
    r"|there|here|both|neither|either|same|such|one|ones|former|latter|another|other|others|too|either|likewise)\b",
    re.IGNORECASE,
)
_CONTINUING = re.compile(
    r"(?:and|but|or|so|then|also|however|therefore|thus|instead|otherwise|because|which|who|where|hence|still|yet"
    r"|meanwhile|afterwards|later|finally|for example|e\.g\.|i\.e\.|not|no|yes|plus|except|especially)\b",
    re.IGNORECASE,
)
# What follows may depend on what they introduce.
_DEPENDENT = re.compile(
    r"\b(?:if|when|while|because|although|though|since|unless|after|before|once|until|whether|that|which|who|whom"
    r"|whose|where|why|how|as|than|said|says|told|tells|thinks?|thought|believes?|knows?|knew|claims?|asked|asks"
    r"|between|either|both|neither|let|lets|because)\b",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*"
_SUBJECT = rf"(?:I|we|{_NAME}|(?:[Mm]y|[Oo]ur|[Tt]he|[Aa]ll|[Ee]very|[Nn]o)\s+(?:[\w'’-]+\s+){{0,2}}?[\w'’-]+)"
_ADVERB = r"(?:\s+(?:also|always|never|usually|often|really|now|just|still|only|sometimes|mostly|generally))?"
_COMMON_VERBS = _any("""
    prefers? likes? loves? hates? wants? needs? uses? drinks? eats? lives? works? runs? starts? ends? moved moves?
    went goes costs? takes? took owns? plays? speaks? reads? writes? makes? made leads? manages? handles? launches
    launched ships? shipped begins? began means? includes? supports? requires? belongs? happens? opens? closes?
""")
_VERB = rf"(?:{AUXILIARIES}|{_COMMON_VERBS})"
# Certain: a pronoun and the word after it, or any subject and an auxiliary or a common verb.
_CLAUSE = re.compile(
    rf"\s*(?:(?:I|[Ww]e){_ADVERB}\s+[a-z']{{2,}}|(?:I|[Ww]e)['’](?:m|ve|ll|re|d)\s+\w+|{_SUBJECT}{_ADVERB}\s+{_VERB}\b)"
)
# Rules hold by themselves; other orders ("Ask for the key") belong to what was said before them.
_RULE = re.compile(r"\s*(?:don['’]t|do not|never|always|use|avoid|prefer|please call me)\b", re.IGNORECASE)
# After a full stop less proof is needed: some early word looks like a verb.
_SENTENCE = re.compile(rf"\s*(?:\S+\s+){{1,5}}?(?:{_VERB}|[a-z]+(?<!s)(?:s|ed))\b")
_JOINT = re.compile(r"(?<!\s)\s*;\s+|(?:,|(?<!\s))\s+(?:and|but)\s+(?=(?:I|we|my|our)\b|[A-Z])")
# Lists, tables, code: their parts mean something only together.
_LAID_OUT = re.compile(r"^[^\S\n]*(?:[-*•‣▪◦>|#]|\d{1,3}[.)]\s)|```|:[^\S\n]*$|\t", re.MULTILINE)
# Whoever begins anew says something else: "I live in Pune and I can't eat gluten".
NEW_START = r"(?:and\s+(?:i|we|he|she|they|my|our)|y\s+(?:yo|no|mi|mis|tengo|soy|estoy|me))"
# Parts of a sentence that may be about different things.
_PART = re.compile(r"(?:[,;](?!\d)|\b(?:and|but|y|e|pero|und|aber|et|mais|mas)\b)\s*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
# A remnant has so many words at most, and so many signs and joints with them.
MAX_REMNANT, MOST_SIGNS = 2, 12
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def split(text: str) -> list[Span]:
    """The statements of a text; the whole text where it cannot be cut safely."""
    if _LAID_OUT.search(text) or detect(text) not in ("en", UNDETERMINED):
        return _whole(text)
    spans: list[Span] = []
    for sentence in sentences.split(text):
        for start, end in _pieces(text, sentence):
            if spans and not (_is_closed(text[slice(*spans[-1])]) and _stands(text[start:end])):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
    return spans


def is_clause(text: str) -> bool:
    """Whether a text surely begins with a subject and its verb."""
    return _CLAUSE.match(text) is not None


def part_around(text: str, sentence: Span, words: Span) -> Span:
    """The part of a sentence, between commas and conjunctions, in which some of its words stand."""
    start, end = sentence
    for joint in _PART.finditer(text, start, end):
        if joint.end() <= words[0]:
            start = joint.end()
        elif joint.start() >= words[1]:
            end = joint.start()
            break
    return start, start + len(text[start:end].rstrip())


def parts(text: str) -> list[str]:
    """What stands between the commas and conjunctions of a sentence."""
    return _PART.split(text)


def is_remnant(text: str) -> bool:
    """Whether what is left of a sentence says nothing by itself: joints, signs and at most two words ("on Mondays")."""
    words = text.split(maxsplit=MOST_SIGNS)
    return len(words) <= MOST_SIGNS and len(_WORD.findall(_PART.sub(" ", " ".join(words)))) <= MAX_REMNANT


def _whole(text: str) -> list[Span]:
    start = len(text) - len(text.lstrip())
    return [(start, len(text.rstrip()))] if text.strip() else []


def _is_closed(statement: str) -> bool:
    """Whether a statement waits for nothing after it: no answer, no closing bracket."""
    return _is_balanced(statement) and not statement.endswith("?")


def _stands(statement: str) -> bool:
    """Whether a statement can be read without the one before it."""
    if _LEANING.search(statement) or _CONTINUING.match(statement) or statement.endswith("?"):
        return False
    return bool(_CLAUSE.match(statement) or _RULE.match(statement) or _SENTENCE.match(statement))


def _pieces(text: str, sentence: Span) -> Iterator[Span]:
    """The sentence, or its clauses where it is certain that each has a subject and a verb of its own."""
    start, end = sentence
    for joint in _JOINT.finditer(text, start, end):
        left, right = text[start : joint.start()], text[joint.end() : end]
        if _may_part(left, right):
            yield start, joint.start()
            start = joint.end()
    yield start, end


def _may_part(left: str, right: str) -> bool:
    if _DEPENDENT.search(left) or not _is_balanced(left) or not _is_balanced(right):
        return False
    return is_clause(left) and is_clause(right) and not _LEANING.search(right)


def _is_balanced(text: str) -> bool:
    return text.count('"') % 2 == 0 and all(text.count(first) == text.count(last) for first, last in _PAIRS)
