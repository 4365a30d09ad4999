"""Cues of talk: words by which people tell in passing that something changed, was wrong, or is over.

English and Spanish, with the commonest words of German, French and Portuguese. A cue alone ends nothing: it only lets
less of what two statements are about suffice.
"""

import re


def _cues(lines: str) -> re.Pattern[str]:
    """Any of these phrases, one a line or parted by bars, as whole words."""
    every = "|".join(phrase.strip() for phrase in lines.replace("\n", "|").split("|") if phrase.strip())
    return re.compile(rf"(?<![\w'’-])(?:{every})(?![\w-])", re.IGNORECASE)


_CHANGED = _cues(
    r"""
    (?<!for )now|nowadays|these days|as of|rn|from (?:now|here|today|tonight|tomorrow|next|\w+) on(?:wards?)?
    from (?:tonight|today|tomorrow|now|next \w+)|since (?:last|yesterday|monday|tuesday|wednesday|thursday|friday
    |saturday|sunday)|instead|new|newly|same|up to|down to|(?:went|gone|goes|going|is|are) (?:up|down)|raised|raises
    doubled|tripled|halved|rose|risen|dropped|increased?|cheaper|dearer|costlier|no longer|any ?more|makes it|make it
    upgraded|downgraded|switched|swapped|ported|migrated|replaced|bumped|promoted|after all|turns out|update
    ahora|ya|desde (?:hoy|ayer|mañana|ahora|el|esta|este)|a partir de|nuev[oa]s?|en vez de|en lugar de|mism[oa]
    subió|subido|bajó|bajado|ahora mismo
    jetzt|nun|ab (?:heute|morgen|jetzt|sofort|nächster|nächstem)|neu(?:e|er|es|en)?|stattdessen|seit (?:heute|gestern)
    inzwischen|mittlerweile|umgestiegen
    maintenant|désormais|dès|nouve(?:au|lle|aux|lles)|à la place|depuis (?:hier|ce matin|lundi|cette)
    agora|a partir|nov[oa]s?|em vez de|desde ontem|hoje em dia""".replace("\n    |", "|")
)
_MOVED_DAY = _cues(r"""
    slid(?:es)?|slipped|slips|(?:has|have|got|gets|given) until|has until|instead|same|bumped|pushed|moved|postponed
    delayed|defer(?:red)?|rescheduled|shifted|extended|put (?:off|back)|brought forward|rebooked|changed
    new date|new day|swapped|shuffled|rearranged|now (?:on|at|in|due|for|set)|(?:is|are|it's) now
    (?:ha|han|he|has|hemos) puesto|pus(?:o|ieron)|aplaz\w+|pospuest\w+|pospus\w+|retras\w+|adelant\w+|cambi\w+|ahora
    movid\w+|movieron|nueva fecha|pasa al?
    verschoben|verlegt|nun|jetzt|stattdessen|neuer termin
    reporté\w*|décalé\w*|repoussé\w*|avancé\w*|maintenant|finalement
    adiad\w+|remarcad\w+|mudou|agora|passou para""")
_CORRECTED = _cues(r"""
    oops|whoops|argh|ugh|sorry|wait|correction|scratch that|forget that|i mean(?:t)?|typo|mistyped|misspoke|misread
    misremembered|my bad|my mistake|the wrong|got (?:it|that) wrong|mix(?:ed)? (?:\w+ )?(?:two )?up|no, not|actually
    perdón|perdona|uy|ay|quise decir|quería decir|me equivoqué|me he equivocado|me li[oóé]|me confundí|corrijo
    mejor dicho|digo
    sorry|ups|ich meinte|ich meine|falsch|verwechselt|vertippt|korrektur
    pardon|oups|je voulais dire|je me suis trompée?|erreur|plutôt
    desculpa|ops|quis dizer|queria dizer|me enganei|me confundi|errei""")


def is_changed(text: str) -> bool:
    """Whether a text speaks of a change, or gives what it says as new."""
    return bool(_CHANGED.search(text))


def is_moved_day(text: str) -> bool:
    """Whether a text gives a day as another one than before."""
    return bool(_MOVED_DAY.search(text))


def is_corrected(text: str) -> bool:
    """Whether a text takes back something that was just said."""
    return bool(_CORRECTED.search(text))
