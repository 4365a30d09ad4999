"""Sensitive topics: security, credentials and money; English and Spanish."""

import re

_WORDS = (
    r"\b(?:passwords?|passphrases?|credentials?|secrets?|api keys?|access tokens?|private keys?|2fa|otp|log ?ins?)\b",
    r"\b(?:securit\w+|encrypt\w*|permissions?|firewalls?|backups?|ssh|sudo|root access|pin codes?)\b",
    r"\bdelet\w+ (?:\w+ )?(?:files?|data|accounts?)\b",
    r"\b(?:pay|pays|paid|payments?|invoices?|purchas\w+|buy|buying|sell|selling|money|transfers?|refunds?)\b",
    r"\b(?:credit cards?|bank\w*|wallets?|invest\w*|trad(?:e|es|ing)|budgets?|salar(?:y|ies)|tax(?:es)?|loans?)\b",
    r"\b(?:prices?|euros?|dollars?|bitcoin)\b|[$€£]\s?\d",
    r"\b(?:contraseñas?|claves?|credenciales?|secretos?|segurid\w+|permisos?|cifr\w+)\b",
    r"\b(?:pag(?:o|os|ar|ues?|as?)|facturas?|compr(?:a|as|ar|es)|vend(?:e|er|as)|dinero|transferencias?)\b",
    r"\b(?:tarjetas?|banc\w+|invert\w+|inversi\w+|presupuestos?|salarios?|sueldos?|impuestos?|préstamos?|precios?)\b",
    r"\bdólares\b",
)
_SENSITIVE = re.compile("|".join(_WORDS), re.IGNORECASE)


def is_sensitive(text: str) -> bool:
    """Whether a text touches security, credentials or money."""
    return _SENSITIVE.search(text) is not None
