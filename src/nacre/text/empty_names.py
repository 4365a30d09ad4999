"""Empty names: words that name nothing, and must not become an entity."""

import re


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


_NO_LETTER = re.compile(r"[\W\d_]*")
_GENERIC = _read("""
    a an the it its this that these those he she they we you i me us him her them who what which one ones thing things
    stuff something anything everything nothing someone anyone everyone nobody somebody anybody everybody here there
    yes no ok okay none null n/a na unknown undefined nan true false other others etc misc tbd todo
    today tomorrow yesterday now later soon
    el la lo los las un una eso esto esta este ese esa aquello ella ellos ellas yo tú usted nosotros cosa cosas algo
    nada alguien nadie todo todos quien aquí allí sí hoy mañana ayer ahora luego
""")
# At the head of what somebody was saying; in capitals it may be a title, as in "And Then There Were None".
_DISCOURSE = re.compile(
    r"(?:and|but|or|so|because|well|anyway|also|then|however|by the way|i mean|you know|if|when|while|although|though"
    r"|y|pero|o|porque|pues|bueno|además|entonces|aunque|cuando|si) "
)
_MAX_WORDS = 12


def why_not(name: str) -> str | None:
    """Why a text cannot be the name of anything; None where it can."""
    plain = name.strip().strip("\"'“”‘’«».,;!?¿¡()[]").strip()
    if _NO_LETTER.fullmatch(plain):
        return "holds no letters"
    # In capitals it may be a short name, such as IT.
    if plain.casefold() in _GENERIC and not (plain.isupper() and len(plain) > 1):
        return "is a word that could mean anything"
    if name.rstrip().endswith(":"):
        return "is a heading and not a name"
    if _DISCOURSE.match(plain):
        return "is a piece of a sentence and not a name"
    if len(plain.split()) > _MAX_WORDS:
        return f"has more than {_MAX_WORDS} words"
    return None
