"""Texts that touch security, credentials or money."""

import pytest

from nacre.text.sensitive_topics import is_sensitive


@pytest.mark.parametrize(
    ("text", "sensitive"),
    [
        ("never store my password", True),
        ("always pay invoices at once", True),
        ("don't share API keys", True),
        ("keep transfers under $100", True),
        ("nunca guardes mi contraseña", True),
        ("paga siempre con tarjeta", True),
        ("keep it short", False),
        ("responde en español", False),
    ],
)
def test_security_credentials_and_money_are_sensitive(text, sensitive):
    assert is_sensitive(text) is sensitive
