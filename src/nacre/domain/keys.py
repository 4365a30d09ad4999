"""Keys: one spelling for predicates, aspects, groups and claims, however people write them."""

import re
import unicodedata

from nacre.domain import checks
from nacre.domain.errors import Invalid

MAX_KEY = 120

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APOSTROPHES = re.compile("['’ʼ]")
# Accents of Latin letters; other alphabets need their marks.
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_SEPARATORS = re.compile(r"[\W_]+")


def canonical(field: str, value: object) -> str:
    """`value` in snake_case: `Works At`, `worksAt` and `works-at` are all `works_at`. There must be something of it."""
    text = checks.name(field, value)
    humps = _HUMP.sub(" ", unicodedata.normalize("NFKC", _APOSTROPHES.sub("", text)))
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", humps.casefold()))
    snake = _SEPARATORS.sub("_", unicodedata.normalize("NFKC", plain)).strip("_")
    if not snake:
        raise Invalid(field, f"must hold letters or digits, not {text!r}")
    return snake[:MAX_KEY].rstrip("_")
