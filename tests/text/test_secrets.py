"""Secrets are taken out of a text, and nothing else is."""

import pytest

from nacre.text.secrets import redact

pytestmark = pytest.mark.spec("N7")

# Put together here, so that no tool takes this file for a leak.
KEY = "sk-" + "ant-" + "a1B2c3D4e5F6g7H8i9J0"
SECRETS = [
    (f"my key is {KEY} ok", KEY, "api key"),
    ("ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2", "A1b2C3d4E5f6G7h8I9j0K1l2", "api key"),
    ("AKIA" + "IOSFODNN7EXAMPLE", "IOSFODNN7EXAMPLE", "api key"),
    ("xoxb-" + "1234567890-abcdef", "1234567890-abcdef", "api key"),
    ("Authorization: Bearer abcdef0123456789ABCDEF", "abcdef0123456789ABCDEF", "token"),
    ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "eyJzdWIiOiIx", "token"),
    ("postgresql://ana:hunter2@db/x", "hunter2", "password"),
    ("The wifi password is Hunter-22!", "Hunter-22!", "password"),
    ("mi contraseña es gato123", "gato123", "password"),
    ("API_KEY=zx81-spectrum", "zx81-spectrum", "password"),
    ("Server=db;Uid=ana;pwd=hunter22", "hunter22", "password"),
    ("export DB_PASSWORD=hunter22", "hunter22", "password"),
    ("AWS_SECRET_KEY='zx81+spectrum'", "zx81+spectrum", "password"),
    ("GITLAB_TOKEN=hunter-22", "hunter-22", "password"),
    ("the passphrase for the vault is Hunter-22", "Hunter-22", "password"),
    ("Das Passwort lautet Hunter-22", "Hunter-22", "password"),
    ("Mein Passwort ist hunter22", "hunter22", "password"),
    ("la contraseña del wifi es gato123", "gato123", "password"),
    ("card 4111 1111 1111 1111 exp 12/29", "4111 1111 1111 1111", "card number"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE", "private key"),
]


@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS)
def test_a_secret_is_replaced_by_what_it_was(text, secret, kind):
    clean, found = redact(text)
    assert secret not in clean
    assert f"[redacted {kind}]" in clean
    assert found == (kind,)
    assert redact(clean) == (clean, ())


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again.",
        "The password is on the fridge",
        "Order 1234567890123456 left on Monday",
        "Call +49 151 23456789 or 0800 1234567",
        "https://example.org/a:b@c is a strange address",
        "The token is expired",
        "The password for the wifi is on the fridge-door",
        "The secret of success is hard-work",
        "pwd: /home/ana/x-1",
        "sort_key=name and primary_key=user_id",
        "skateboard-with-a-very-long-name-indeed",
        "",
    ],
)
def test_ordinary_words_and_numbers_stay(text):
    assert redact(text) == (text, ())
