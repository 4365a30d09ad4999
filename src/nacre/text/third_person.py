"""Say in the third person what someone said of themselves. English, and only where the grammar is certain."""

import re

from nacre.text.stems import lexicon

_FIRST = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours|ourselves)\b|\b[Ii]['’](?:m|ve|ll|d)\b", re.IGNORECASE)
_ADVERBS = r"(?:(?:also|always|never|usually|often|really|now|just|still|only|sometimes|mostly|generally|strongly)\s+)?"
_I = re.compile(rf"I\s+(?P<adverb>{_ADVERBS})(?P<verb>[a-z]+(?:['’]t)?)(?P<rest>\b.*)", re.DOTALL)
_CONTRACTED = {"I'm": "is", "I've": "has", "I'll": "will"}


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


_IRREGULAR = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "go": "goes"}
_UNCHANGED = _read("""
    was wasn't had hadn't did didn't will won't would wouldn't can can't cannot could couldn't should shouldn't must
    mustn't may might went bought got made met said saw took came wrote began left lost found gave knew thought told
    felt kept ran sold ate paid spoke taught built chose drove grew wore won
""")
# Only verbs that are hardly anything else in their base form.
_REGULAR = _read("""
    like love hate want need use drink eat live work play speak write run own drive ride study teach know think believe
    enjoy avoid dislike keep take make travel commute wake sleep start finish learn build deploy cook bake grow collect
    follow watch listen remember hope expect get give buy sell wear swim hike visit meet see stay support manage lead
    maintain help prefer sing code read walk attend pay celebrate belong
""")
_STEMS = frozenset(lexicon("en")[verb].text for verb in (*_REGULAR, *_IRREGULAR))
_BASE = "|".join(sorted([*_REGULAR, "am", "have", "do", "don['’]t", "haven['’]t", "go"]))
# A second verb would have to agree, too.
_SECOND_VERB = re.compile(rf"(?:,|\b(?:and|or|but|then|so|because|that|if|when))\s+{_ADVERBS}(?:{_BASE})\b")


def in_third_person(statement: str, name: str) -> str | None:
    """The statement with `name` in place of its one leading "I" or "My"; None where that is not certain to be right."""
    if len(_FIRST.findall(statement)) != 1 or _SECOND_VERB.search(statement):
        return None
    if statement.startswith(("My ", "my ")):
        return f"{_possessive(name)} {statement[3:]}"
    begun, _, rest = statement.partition(" ")
    if verb := _CONTRACTED.get(_straight(begun)):
        return f"{name} {verb} {rest}"
    found = _I.fullmatch(statement)
    third = _third(_straight(found["verb"])) if found else None
    return f"{name} {found['adverb']}{third}{found['rest']}" if found and third else None


def is_common_verb(word: str) -> bool:
    """Whether a lower-case word is a form of a verb that says little about its subject."""
    # Not "hiking": such a form is what the sentence is about.
    return word in _UNCHANGED or (lexicon("en")[word].text in _STEMS and not word.endswith("ing"))


def _third(verb: str) -> str | None:
    if verb in _REGULAR:
        return _inflected(verb)
    unchanged = verb in _UNCHANGED or (verb.endswith("ed") and verb not in ("need", "feed"))
    return verb if unchanged else _IRREGULAR.get(verb)


def _straight(word: str) -> str:
    return word.replace("’", "'")


def _inflected(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
