"""Keys, passwords and card numbers in a text, and the text without them."""

import re
from collections.abc import Callable

_WORDS = (
    r"(?:password|passwd|passphrase|contraseña|clave|pin|secret|api[ _-]?key|access[ _-]?key|auth[ _-]?token|token)"
)

# Name, pattern; a group `secret` is what is taken out, else all of the match is.
_KINDS: tuple[tuple[str, str], ...] = (
    (
        "private key",
        (
            r"-----BEGIN (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?"
            r"-----END (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----"
        ),
    ),
    ("token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("api key", r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}"),
    (
        "api key",
        r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}",
    ),
    ("api key", r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    ("api key", r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("api key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("api key", r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("api key", r"\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}"),
    ("token", r"\bnacre_[0-9a-f]{12}_[A-Za-z0-9_-]{20,}"),
    ("token", r"\bBearer (?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
    ("password", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:(?P<secret>[^\s@/]{1,200})@"),
    ("password", rf"\b{_WORDS}\s*(?:is|are|=|:|->|es)\s*[\"'`]?(?P<secret>(?=\S*[\d!@#$%^&*_-])[^\s\"'`,;]{{4,200}})"),
    ("card number", r"(?<![\d-])(?P<secret>\d(?:[ -]?\d){12,18})(?![\d-])"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE if name == "password" else 0)) for name, pattern in _KINDS)


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each secret replaced by what it was, and what was found."""
    found: dict[str, None] = {}
    for name, pattern in _PATTERNS:
        text = pattern.sub(_replacement(name, found), text)
    return text, tuple(found)


def _replacement(name: str, found: dict[str, None]) -> Callable[[re.Match[str]], str]:
    def replaced(match: re.Match[str]) -> str:
        group = "secret" if "secret" in match.re.groupindex else 0
        if name == "card number" and not _is_card(match[group]):
            return match[0]
        found[name] = None
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return f"{match[0][:start]}[redacted {name}]{match[0][end:]}"

    return replaced


def _is_card(text: str) -> bool:
    """Whether digits pass the check that card numbers are made to pass."""
    digits = [int(each) for each in text if each.isdigit()]
    doubled = [sum(divmod(2 * each, 10)) if place % 2 else each for place, each in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0
