"""A story small enough to read: somebody moves, and does not eat shellfish."""

from typing import Any

from bench.contexts import stories

WRITTEN: dict[str, Any] = {
    "story": "tiny",
    "user": "nadia",
    "asked_at": "2026-11-10T09:00:00Z",
    "items": [
        {
            "id": "t1",
            "kind": "turn",
            "session": "a",
            "role": "user",
            "speaker": None,
            "at": "2026-01-04T19:02:00Z",
            "text": "I live in Ghent, near the brewery.",
        },
        {
            "id": "m1",
            "kind": "memory",
            "category": "user-preferences/food",
            "at": "2026-02-01T08:00:00Z",
            "text": "Nadia does not eat shellfish",
        },
        {
            "id": "t2",
            "kind": "turn",
            "session": "b",
            "role": "user",
            "speaker": None,
            "at": "2026-06-01T19:00:00Z",
            "text": "I moved to Bruges on Saturday.",
        },
        {
            "id": "t3",
            "kind": "turn",
            "session": "c",
            "role": "user",
            "speaker": None,
            "at": "2026-07-01T19:00:00Z",
            "text": "Bruges is lovely in summer.",
        },
    ],
    "facts": [
        {"id": "f1", "says": "Nadia lives in Ghent", "items": ["t1"], "values": ["Ghent"], "ended_by": "t2"},
        {"id": "f2", "says": "Nadia lives in Bruges", "items": ["t2", "t3"], "values": ["Bruges"], "ended_by": None},
        {"id": "f3", "says": "No shellfish", "items": ["m1"], "values": ["shellfish"], "ended_by": None},
    ],
    "messages": [
        {"id": "q1", "text": "In which city do I live?", "needs": ["f2"], "belongs": []},
        {"id": "q2", "text": "Do I eat shellfish?", "needs": ["f3"], "belongs": []},
        {"id": "q3", "text": "ok thanks", "needs": [], "belongs": []},
        {"id": "q4", "text": "ok", "needs": [], "belongs": []},
    ],
}
STORY = stories.to_story(WRITTEN)
