"""A script that agents of every library follow, and what the tools answer."""

SCRIPT = [
    ("observe", {"text": "My favourite colour is blue."}),
    ("remember", {"text": "Ana plays the oboe.", "category": "user-preferences/music"}),
    ("recall", {"query": "oboe"}),
    ("correct", {"entity": "user", "what": "favourite colour", "value": "green"}),
    ("explain", {"subject": "user", "what": "favourite colour"}),
    ("forget", {"memory": "000000000000"}),
]


def check(replies):
    """What the tools said to the model."""
    assert replies["remember"].startswith("Saved as [")
    assert "Ana plays the oboe." in replies["recall"]
    assert replies["correct"] == "ana: favourite colour is now green. It was blue."
    assert "before: blue" in replies["explain"]
    assert replies["forget"].startswith("not_found: No memory `000000000000` in this scope. Look it up first")
