"""Corrections: what marks one, and those that name both the right and the wrong thing."""

import re

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction.rules import TimeBound, link, rule

_O = EntityType.ORGANIZATION
_AT = link("works_at", _O)
_NOT_AT = link("works_at", _O, what="was", polarity=Polarity.RETRACTED, bound=TimeBound.UNTIMED)

# A fact in a sentence that begins like this corrects an earlier one.
MARKED = re.compile(
    r"(?:no|nope|wait|oops|sorry|oh|hmm)?[,.! ]{0,8}+(?:no,|actually|correction|i meant|i mean,|sorry,|to correct"
    r"|my mistake|rather,|let me correct"
    r"|en realidad|quise decir|quería decir|corrijo|corrección|perdón,|mejor dicho|no, )"
)
_SORRY = (
    r"(?:no|nope|wait|oops|ups|sorry|oh|hmm|actually|rather|correction|perdón|digo|i mean|i meant|or rather"
    r"|scratch that"
    r"|my bad|my mistake|mejor dicho)"
)
_WHAT = r"(?P<what>[\ue000-\ue008]++|[^,.;:!?()]{2,40}?)"
_NAME = (
    r"(?P<{}>[\ue000-\ue008]{{1,60}}+|(?!(?:it|that|this|you|the|not|to|wait|no|sorry|actually|i|just|really|more|longer"
    r"|need|problem|worries|idea|clue|rush|luck|way|thanks|thank|guys|folks|everyone|all)\b)"
    r"[a-záéíóúñ]{{3,20}}(?: [a-záéíóúñ]{{3,20}})?)"
)
# "No, it's Berlin": the thing it corrects was said just before.
BARE = re.compile(
    rf"(?:{_SORRY}[,.! ]+){{0,6}}(?:(?:i meant(?: to say)?|i mean,?|it's|its|it is|make that|should be|quise decir"
    rf"|quería decir|es|era"
    rf"|digo)(?: actually| en realidad)? {_WHAT}(?=[,.!]|\Z)"
    rf"|(?<=[,.! ]){_NAME.format('name')}(?: (?:i mean|i meant))?[.!]*\Z)"
)
# The same in the middle of a sentence: "I live in Houston, I mean Dallas".
INSIDE = re.compile(
    rf"(?:,| -| –| —|\.\.\.|…) ?(?:{_SORRY}[,.! ]+){{1,6}}(?:(?:i mean|i meant|it's|to) )?"
    rf"{_NAME.format('what')}(?=[,.!]|\Z)"
)
# "Dallas, not Houston", "I said Houston but I meant Dallas": both are named.
BOTH = re.compile(
    rf"(?:{_SORRY}[,.! ]+){{0,6}}(?:(?:i meant|i mean|it's|it is|that's|es) )?(?:"
    rf"{_NAME.format('what')},? (?:and )?(?:not|no) {_NAME.format('was')}"
    rf"|(?:not|no) {_NAME.format('was2')}(?:,| but| sino){{1,3}} {_NAME.format('what2')}"
    rf"|i said {_NAME.format('was3')},? but (?:i )?(?:meant|it's|mean) {_NAME.format('what3')})[.!]*\Z"
)
BARE_KEYS = frozenset(
    (
        *("no", "meant", "mean", "actually", "sorry", "nope", "perdón", "quise", "digo", "wait", "oops", "not", "said"),
        *("correction", "scratch", "rather", "mejor"),
    )
)
_SHORT = 120


def may_correct(text: str) -> bool:
    """Whether a text may set right what was said just before it."""
    return len(text) <= _SHORT and not BARE_KEYS.isdisjoint(re.findall(r"[^\W\d_]+", text.lower()))


RULES = (
    rule("corrections.not_but", "en", "not",
         r"(?:it's|it is|that's|i meant) (?P<who>[\ue000-\ue006]++),? not (?P<what>[\ue000-\ue006]++)",
         link("supersedes"), hedges=False),
    rule("corrections.no_sino", "es", "no sino",
         r"(?:no es (?P<what>[\ue000-\ue006]++),? sino|es) (?P<who>[\ue000-\ue006]++)(?:, no "
         r"(?P<was>[\ue000-\ue006]++))?",
         link("supersedes"), link("supersedes", what="was"), hedges=False, check="both"),
    rule("corrections.works_elsewhere", "en", "work working employed isn not at",
         r"<who>(?: don't| do not| doesn't| does not|'m not| am not| is not| isn't|'s not)<adv>(?: (?:work|working"
         r"|employed))? (?:at|for|by|with) <was:org>(?: any ?more)?(?:[,;–—]+| but)+ (?:(?:he|she|they|i|we|it's)"
         r"(?:<now>)?<adv>(?: work| works| working| employed)? )?(?:at|for|by|with) <org>",
         _AT, _NOT_AT, hedges=False),
    rule("corrections.trabaja_en_otra", "es", "trabajo trabaja",
         r"(?:<who> )?(?<!ya\x20)no (?:trabajo|trabaja) (?:en|para) <was:org>,? (?:sino(?: que trabaja)?|trabajo"
         r"|trabaja)<adv> (?:en|para) <org>",
         _AT, _NOT_AT, hedges=False, check="spanish first person"),
)  # fmt: skip
