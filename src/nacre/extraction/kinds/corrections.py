"""Corrections: what marks one, and those that name both the right and the wrong thing."""

import re

from nacre.domain.entities import EntityType
from nacre.domain.facts import Polarity
from nacre.extraction.rules import Bound, link, rule

_O = EntityType.ORGANIZATION
_AT = link("works_at", _O)
_NOT_AT = link("works_at", _O, what="was", polarity=Polarity.RETRACTED, bound=Bound.UNTIMED)

# A fact in a sentence that begins like this corrects an earlier one.
MARKED = re.compile(
    r"(?:no|nope|wait|oops|sorry|oh|hmm)?[,.! ]*(?:no,|actually|correction|i meant|i mean,|sorry,|to correct"
    r"|my mistake|rather,|let me correct"
    r"|en realidad|quise decir|quería decir|corrijo|corrección|perdón,|mejor dicho|no, )"
)
# "No, it's Berlin": the thing it corrects was said just before.
BARE = re.compile(
    r"(?:no|nope|wait|oops|sorry|oh|hmm|perdón|digo)?[,.! ]*(?:(?:no,? )?(?:sorry,? |actually,? "
    r"|perdón,? )?(?:i meant(?: to say)?|it's|its|it is|make that|quise decir|es|era|digo)"
    r"(?: actually| en realidad)?) (?P<what>[\ue000-\ue008]++|[^,.;!?()]{2,40})(?=[,.!]|$)"
)
BARE_KEYS = frozenset(("no", "meant", "actually", "sorry", "nope", "perdón", "quise", "digo", "wait", "oops"))

RULES = (
    rule("corrections.not_but", "en", "not",
         r"(?:it's|it is|that's|i meant) (?P<who>[\ue000-\ue006]++),? not (?P<what>[\ue000-\ue006]++)",
         link("supersedes"), hedges=False),
    rule("corrections.no_sino", "es", "no sino",
         r"(?:no es (?P<what>[\ue000-\ue006]++),? sino|es) (?P<who>[\ue000-\ue006]++)(?:, no "
         r"(?P<was>[\ue000-\ue006]++))?",
         link("supersedes"), link("supersedes", what="was"), hedges=False, check="both"),
    rule("corrections.works_elsewhere", "en", "work working employed",
         r"<who>(?: don't| do not| doesn't| does not|'m not| am not| is not| isn't|'s not)<adv> (?:work|working"
         r"|employed) (?:at|for|by) <was:org>(?: any ?more)?(?:[,;–—]+| but)+ (?:(?:he|she|they|i|we|it's)"
         r"(?:<now>)?<adv>(?: work| works| working| employed)? )?(?:at|for|by) <org>",
         _AT, _NOT_AT, hedges=False),
    rule("corrections.trabaja_en_otra", "es", "trabajo trabaja",
         r"(?:<who> )?(?<!ya\x20)no (?:trabajo|trabaja) (?:en|para) <was:org>,? (?:sino(?: que trabaja)?|trabajo"
         r"|trabaja)<adv> (?:en|para) <org>",
         _AT, _NOT_AT, hedges=False, check="spanish first person"),
)  # fmt: skip
