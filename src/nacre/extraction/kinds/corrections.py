"""Corrections: what marks one, and those that name both the right and the wrong thing."""

import re

from nacre.extraction.rules import link, rule

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
)  # fmt: skip
