"""What stands beside the conversations: documents, skills, doubts, proposals, and a second agent."""

from datetime import UTC, datetime, timedelta
from typing import Any

DOCUMENTS = {
    "plans/launch.md": """---
tags: [launch, pebble]
---
# Launch plan

Maya talks to the press, Priya runs the stand at the Utrecht Garden Fair, Sam watches [[Meadow]].

## If something breaks

Tom can roll an update back in five minutes. Nothing is sold before the certificate is signed. See [[Recall procedure]].
""",
    "runbooks/recall.md": """# Recall procedure

1. Stop the shop. 2. Write to everyone who ordered the lot. 3. Offer a new cell or the money.

Jonas decides, and Maya signs.
""",
    "notes/meadow.md": """# Meadow

Readings come in by MQTT, land in PostgreSQL and are kept five years. Where a garden is never leaves Larkspur.
""",
    "notes/voice.md": """# How we write

Short sentences. No exclamation marks. The plant speaks, not the sensor.
""",
}

SKILLS = {
    "status/weekly": (
        "How to write Maya's weekly status.",
        "One short paragraph: what is done, what is late and why, what she must decide. On Mondays before ten.",
        ("support/reply",),
    ),
    "support/reply": (
        "How to answer a customer whose sensor is silent.",
        "Ask for the lot number, offer a new cell, and never guess at the cause.",
        (),
    ),
    "release/firmware": (
        "How firmware goes out.",
        "Ten testers of Beta Garden first, then a tenth of all sensors, then the rest. One crash in 1,000 stops it.",
        (),
    ),
}

FEEDBACK = (
    ("correction", "The status had bullet points again", "One short paragraph, please.", "november"),
    ("confirmation", "The answer about the frost named the right numbers", None, "weekend"),
    ("praise", "You reminded me of the school garden before I asked", None, "weekend"),
    ("complaint", "The price in the reply to Groenveld was that of August", None, "weekend"),
)

SCRATCH = (
    ("patrol/prices", "brightsoil", "BrightSoil One: 39 euros in three shops, 41 in one. Checked twice.", "prices"),
    ("patrol/prices", "groenveld", "Groenveld lists Pebble for 44.95; it should be 42.", "prices"),
    ("patrol/servers", "disk", "Disk of the readings is 71 percent full, grows 2 percent a week.", "servers"),
    ("session/weekend", "draft", "Dear Clara, thank you for the spring order of 5,000 sensors at 26 euros…", "mail"),
    (
        "subagent/packaging",
        "outline",
        "Three boxes compared: the grey one is cheapest, the green one is recycled.",
        "boxes",
    ),
)

# (when, whose, how they stand to it, what they say, about whom, the session and words it was said in)
ASSERTIONS = (
    (
        datetime(2026, 8, 27, 16, 5, tzinfo=UTC),
        "Tom",
        "observed",
        "The cell lasts 212 days at room temperature.",
        "Pebble",
    ),
    (datetime(2026, 10, 19, 11, 3, tzinfo=UTC), "Hana", "claims", "The battery dies in the first frost.", "Pebble"),
    (
        datetime(2026, 10, 19, 11, 4, tzinfo=UTC),
        "Voltarc",
        "claims",
        "Below five degrees the cell does 180 days.",
        "Pebble",
    ),
    (datetime(2026, 10, 20, 9, 0, tzinfo=UTC), "Tom", "denies", "Frost alone does not empty the cell.", "Pebble"),
    (
        datetime(2026, 11, 10, 9, 35, tzinfo=UTC),
        "Ines Duarte",
        "questions",
        "Does clay still read too wet?",
        "Capacitive Probe",
    ),
    (datetime(2026, 9, 2, 8, 0, tzinfo=UTC), "Elena", "prefers", "Mollie over Stripe.", "Shopify"),
)

# Things that slipped in: what hygiene and the search for duplicates are for.
STRAYS = (
    ("Larkspur Labs", "organization", "Makes sensors for people who garden", datetime(2026, 9, 22, 10, 5, tzinfo=UTC)),
    ("Meadow Cloud", "system", "The cloud that keeps readings", datetime(2026, 10, 5, 14, 5, tzinfo=UTC)),
    ("Priya N.", "person", "Designs the app", datetime(2026, 10, 26, 17, 5, tzinfo=UTC)),
    ("Next Monday", "unknown", None, datetime(2026, 10, 19, 11, 8, tzinfo=UTC)),
    ("2026", "unknown", None, datetime(2026, 10, 19, 11, 8, tzinfo=UTC)),
    ("Misc", "concept", None, datetime(2026, 10, 26, 17, 6, tzinfo=UTC)),
)

PINNED = ("Pebble", "Maya", "Launch Day")

TASKS = {"Recalibrate the probes": "done", "Print the manuals": "done", "Hire a support lead": "in_progress"}


def proposals() -> list[dict[str, Any]]:
    """Changes that wait: two of them speak of one claim and cannot both be right."""
    boards = {"entity": "Pebble Pro", "aspect": "schedule", "group": "launch", "claim": "date"}
    quoted = _quote("weekend", "Helix Foundry is late, the boards for Pebble Pro come on December 4.")
    return [
        {
            "operation": "set_claim_value",
            "payload": {**boards, "value": "April 6, 2027"},
            "rationale": "Boards that come five weeks late move the shops by five weeks.",
            "confidence": 0.7,
            "risk": "medium",
            "evidence": [quoted],
        },
        {
            "operation": "set_claim_value",
            "payload": {**boards, "value": "March 16, 2027"},
            "rationale": "Two weeks can be made up in assembly.",
            "confidence": 0.5,
            "risk": "medium",
            "evidence": [quoted],
        },
        {
            "operation": "merge_entities",
            "payload": {"target": "Larkspur", "source": "Larkspur Labs"},
            "rationale": "Both make the same sensor in the same house.",
            "confidence": 0.9,
            "risk": "low",
        },
        {
            "operation": "create_link",
            "payload": {"source": "Hana", "predicate": "leads", "target": "Beta Garden"},
            "rationale": "She answers all of its mail since Priya became head of product.",
            "confidence": 0.6,
            "risk": "low",
            "evidence": [_quote("weekend", "Good week. Everyone go home.")],
        },
        {
            "operation": "create_entity",
            "payload": {"name": "Pebble Mini", "type": "product", "description": "For orchids: half the size"},
            "rationale": "Yuki Tanaka asked for a smaller one, and so did eleven others.",
            "confidence": 0.55,
            "evidence": [_quote("beta", "Yuki wants it smaller.")],
        },
        {
            "operation": "add_alias",
            "payload": {"entity": "Ines Duarte", "alias": "Prof. Duarte"},
            "rationale": "The university writes her name so.",
            "confidence": 0.8,
            "risk": "low",
        },
        {
            "operation": "archive_entity",
            "payload": {"entity": "Next Monday"},
            "rationale": "A day is no thing.",
            "confidence": 0.95,
            "risk": "low",
        },
    ]


def decided() -> list[tuple[dict[str, Any], bool]]:
    """Changes that somebody applied, or turned down."""
    return [
        (
            {
                "operation": "create_link",
                "payload": {"source": "Sprout Foundation", "predicate": "partner_of", "target": "Larkspur"},
                "rationale": "They buy for schools every year.",
                "confidence": 0.8,
            },
            True,
        ),
        (
            {
                "operation": "set_claim_value",
                "payload": {"entity": "Larkspur", "aspect": "place", "claim": "second_office", "value": "Eindhoven"},
                "rationale": "They had a stand there.",
                "confidence": 0.3,
            },
            False,
        ),
    ]


def _quote(session: str, words: str) -> dict[str, str]:
    """Words of a session; whoever proposes puts the turn they stand in beside them."""
    return {"session": session, "quote": words}


WORKSHOP = (
    (
        datetime(2026, 8, 12, 8, 0, tzinfo=UTC),
        (
            "Dagmar -leads-> Line One",
            "Piet -repairs-> Oven Three",
            "Piet -repairs-> Label Printer",
            "Line One -located_in-> Hall 4",
            "Oven Three -part_of-> Line One",
            "Test Rig -part_of-> Line One",
            "Label Printer -part_of-> Line One",
            "Line One -uses-> Resin 40",
            "Line One -produced-> Lot 17",
            "Line One -produced-> Lot 18",
            "Test Rig -tested-> Lot 17",
            "Test Rig -tested-> Lot 18",
            "Oven Three | settings/curing/temperature = 62 degrees",
            "Lot 17 | quality/general/failures = 9 of 1,200",
            "Lot 18 | quality/general/failures = 2 of 1,200",
        ),
    ),
    (datetime(2026, 10, 8, 8, 0, tzinfo=UTC), ("Oven Three | settings/curing/temperature = 58 degrees",)),
)

# Each has several subjects, so that the background takes it apart; of the second the model that should is away.
LONG_NOTE = (
    "Sam pays Hetzner 220 euros a month. Kiln Studio sends its last bill in December. "
    "Elena visits Groenveld on December 9. Tom is on holiday from December 21."
)
LOST_NOTE = "Ravi orders forty nRF54L15 boards. Farid Haddad wants a new sample of Pebble Pro in January."

KEPT_FOR = timedelta(days=30)
