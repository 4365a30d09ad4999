"""Decisions: whether a text lays something down for the time to come, in English or Spanish."""

import re

from nacre.text import sentences

_ACTS = """
use do ask add commit push deploy write run call store log send share merge delete include check assume reply answer
keep put make build test review name start touch edit install open
"""
_SOLEMN = (
    # English
    r"we(?:'ve|’ve| have)?(?: all| both| finally| now| just)? (?:decided|agreed|resolved|settled on)",
    r"(?:it was|it has been|it is) (?:decided|agreed)",
    r"the (?:decision|rule|policy) (?:is|was)",
    r"must(?:n't|n’t)? (?:never|always|not|under no circumstances)",
    r"we (?:will|shall|must|should) (?:always|never|only)",
    r"from now on|going forward|henceforth|under no circumstances|no exceptions",
    r"(?:is|are) (?:strictly |absolutely )?(?:forbidden|prohibited|mandatory|not allowed|off[- ]limits)",
    r"(?:do not|don't|don’t) ever",
    # Spanish
    r"(?:hemos|se ha) (?:decidido|acordado|resuelto)|decidimos|acordamos|se (?:decidió|acordó)",
    r"la (?:decisión|regla|norma|política) (?:es|fue)",
    r"de ahora en adelante|a partir de (?:ahora|hoy)|en lo sucesivo|bajo ningún concepto|sin excepci(?:ón|ones)",
    r"(?:nunca|jamás|siempre) (?:se )?(?:debe|deben|debemos|hay que)|no se debe|deb(?:e|en|emos) (?:siempre|nunca)",
    r"(?:es|son|está|queda) (?:estrictamente )?(?:prohibid[oa]s?|obligatori[oa]s?)",
)
_LABEL = r"(?:policy|rule|decision|constraint|política|norma|regla|decisión)\s*:"
# A command at the head of a sentence; "I always use the stairs" lays nothing down.
_COMMAND = (
    rf"(?:please |and |so |we )?(?:always|never) (?:{'|'.join(_ACTS.split())})\b"
    r"|(?:por favor,? |y )?(?:siempre|nunca|jamás) (?:us(?:ar|es|emos|aremos)|hacer|hagas|borres|borrar|subas|subir)\b"
)
_DECIDED = re.compile(rf"\b(?:{'|'.join(_SOLEMN)})\b|\b{_LABEL}", re.IGNORECASE)
_COMMANDED = re.compile(rf"[\W_]*(?:{_COMMAND})", re.IGNORECASE)
_ASKED = re.compile(r"[?？][\s\"'”’»)]*\Z")


def lays_down(text: str) -> bool:
    """Whether some sentence of a text decides or forbids something. A question does not."""
    return any(_decides(text[start:end]) for start, end in sentences.split(text))


def _decides(sentence: str) -> bool:
    if _ASKED.search(sentence):
        return False
    return bool(_DECIDED.search(sentence) or _COMMANDED.match(sentence))
