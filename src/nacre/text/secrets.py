"""Keys, passwords and card numbers in a text, and the text without them."""

import re
from collections.abc import Callable

_WORDS = (
    r"(?:(?:password|passwd|passphrase|passwort|kennwort|contraseña|clave|senha|mot de passe|pin|api[ _-]?key"
    r"|access[ _-]?key)(?: (?:for|of|to|para|de|del|für|vom|pour) [^\n.;:=]{1,60}?)?"
    r"|secret|auth[ _-]?token|token)"
)

# Name, marks and pattern. A text that holds none of the marks cannot match, and is looked through for them in no time.
# A group `secret` is what is taken out, else all of the match is.
_KINDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "private key",
        ("PRIVATE KEY",),
        (
            r"-----BEGIN (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----BEGIN )){0,20000}?"
            r"-----END (?:[A-Z0-9 ]{1,40} )?PRIVATE KEY(?: BLOCK)?-----"
        ),
    ),
    ("token", ("eyJ",), r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("api key", ("sk-",), r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}"),
    (
        "api key",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
        r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}",
    ),
    ("api key", ("xox",), r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    ("api key", ("AIza",), r"\bAIza[A-Za-z0-9_-]{30,}"),
    ("api key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("api key", ("_live_", "_test_"), r"\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    (
        "api key",
        ("hf_", "npm_", "pypi-", "SG."),
        r"\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[A-Za-z0-9_-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}",
    ),
    ("token", ("nacre_",), r"\bnacre_[0-9a-f]{12}_[A-Za-z0-9_-]{20,}"),
    ("token", ("Bearer ",), r"\bBearer (?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
    ("password", ("://",), r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:(?P<secret>[^\s@/]{1,200})@"),
    (
        "password",
        ("pass", "kennwort", "contrase", "clave", "senha", "pin", "secret", "key", "token"),
        rf"\b{_WORDS}\s*(?:is|are|=|:|->|lautet|ist|est|es|é)\s*[\"'`]?(?P<secret>(?=\S{{0,200}}[\d!@#$%^&*_-])[^\s\"'`,;]{{4,200}})",
    ),
    # As settings and connection strings are written: DB_PASSWORD=…, pwd=….
    (
        "password",
        ("pass", "pwd", "secret", "token", "key"),
        (
            r"(?:(?:(?<=_)(?:password|passwd|pass|pwd|secret|token)|\bpwd)\s?=\s?[\"'`]?(?=\S{0,200}[\d!@#$%^&*_-])"
            r"|(?<=_)key\s?=\s?[\"'`]?(?=[^\s\"'`,;]{0,200}\d)(?=[^\s\"'`,;]{8}))(?P<secret>[^\s\"'`,;]{4,200})"
        ),
    ),
    ("card number", tuple("0123456789"), r"(?<![\d-])(?P<secret>\d(?:[ -]?\d){12,18})(?![\d-])"),
)
_PATTERNS = tuple(
    (name, marks, re.compile(pattern, re.IGNORECASE if name == "password" else 0)) for name, marks, pattern in _KINDS
)


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each secret replaced by what it was, and what was found."""
    kinds: dict[str, None] = {}
    folded = text.casefold()
    for name, marks, pattern in _PATTERNS:
        among = folded if name == "password" else text
        if any(mark in among for mark in marks):
            text = pattern.sub(_replacement(name, kinds), text)
    return text, tuple(kinds)


def cleaned(text: str, *, redacts: bool) -> str:
    """A text as it may be kept: without its secrets, where it `redacts`."""
    # What is no text is refused further on.
    return redact(text)[0] if redacts and isinstance(text, str) else text


def _replacement(name: str, kinds: dict[str, None]) -> Callable[[re.Match[str]], str]:
    def replaced(match: re.Match[str]) -> str:
        group = "secret" if "secret" in match.re.groupindex else 0
        if name == "card number" and not _is_card(match[group]):
            return match[0]
        kinds[name] = None
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return f"{match[0][:start]}[redacted {name}]{match[0][end:]}"

    return replaced


def _is_card(text: str) -> bool:
    """Whether digits pass the check that card numbers are made to pass."""
    digits = [int(each) for each in text if each.isdigit()]
    doubled = [sum(divmod(2 * each, 10)) if place % 2 else each for place, each in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0
