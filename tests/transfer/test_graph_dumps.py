"""What Zep, Graphiti, LangGraph and Basic Memory hold comes in as entities, links, memories and documents."""

import json
from datetime import UTC, datetime

import pytest

from nacre import Invalid, Nacre, Settings
from nacre.adapters.langgraph import NacreStore
from tests.transfer.exports import lines

ANA, ACME, OLD = ("5b0f-ana", "5b0f-acme", "5b0f-old")


def node(key, name, *labels, **more):
    return {
        "uuid": key,
        "name": name,
        "group_id": "ana",
        "labels": ["Entity", *labels],
        "created_at": "2026-01-05T10:00:00Z",
        "summary": "",
        "attributes": {},
        **more,
    }


def edge(key, target, fact, **more):
    return {
        "uuid": key,
        "group_id": "ana",
        "source_node_uuid": ANA,
        "target_node_uuid": target,
        "created_at": "2026-01-05T10:00:00Z",
        "name": "WORKS_AT",
        "fact": fact,
        "fact_embedding": None,
        "episodes": ["e1"],
        "expired_at": None,
        "valid_at": "2025-03-01T00:00:00Z",
        "invalid_at": None,
        **more,
    }


NODES = [
    node(ANA, "Ana", "Person", summary="Ana sails at weekends.", attributes={"boat": "Brisa"}),
    node(ACME, "Acme", "Organization"),
    # Another of the same name.
    node(OLD, "Acme", "Organization"),
]
EDGES = [
    edge("f1", ACME, "Ana works at Acme"),
    edge("f2", OLD, "Ana worked at the old Acme", valid_at="2020-01-01T00:00:00Z", invalid_at="2024-01-01T00:00:00Z"),
]
EPISODES = [
    {
        "uuid": "e1",
        "name": "message",
        "group_id": "ana",
        "labels": [],
        "source": "message",
        "source_description": "chat",
        "content": "user: I moved to Acme.",
        "valid_at": "2025-03-01T00:00:00Z",
        "created_at": "2025-03-01T00:00:00Z",
        "entity_edges": ["f1"],
    },
    {
        "uuid": "e2",
        "name": "note",
        "source": "text",
        "content": "Acme ships rope.",
        "created_at": "2025-03-02T00:00:00Z",
    },
]
MENTION = {
    "uuid": "x",
    "group_id": "ana",
    "source_node_uuid": "e1",
    "target_node_uuid": ANA,
    "created_at": "2025-03-01",
}


def exported():
    """The same, as `apoc.export.json` writes it."""
    ids = {each["uuid"]: str(number) for number, each in enumerate(NODES)}
    nodes = [
        {"type": "node", "id": ids[each["uuid"]], "labels": each["labels"], "properties": {**each, "labels": None}}
        for each in NODES
    ]
    episodes = [
        {"type": "node", "id": f"9{number}", "labels": ["Episodic"], "properties": each}
        for number, each in enumerate(EPISODES)
    ]
    ends = ("source_node_uuid", "target_node_uuid")
    links = [
        {
            "id": f"r{number}",
            "type": "relationship",
            "label": "RELATES_TO",
            "properties": {name: value for name, value in each.items() if name not in ends},
            "start": {"id": ids[each["source_node_uuid"]], "labels": ["Entity"]},
            "end": {"id": ids[each["target_node_uuid"]], "labels": ["Entity"]},
        }
        for number, each in enumerate(EDGES)
    ]
    return lines(*nodes, *episodes, *links)


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


@pytest.fixture
def here(sqlite_url, brain_settings):
    with Nacre(sqlite_url, settings=brain_settings) as nacre:
        yield nacre.scope("a", user="ana")


@pytest.mark.spec("N14")
@pytest.mark.parametrize(
    "file",
    [
        json.dumps({"nodes": NODES, "edges": [*EDGES, MENTION], "episodes": EPISODES}),
        json.dumps([*EDGES, *EPISODES, *NODES]),
        exported(),
    ],
    ids=["object", "list", "neo4j"],
)
def test_a_graph_of_graphiti_keeps_its_times(here, file):
    report = here.transfer.load(file.encode())

    assert (report.format.value, report.skipped) == ("graphiti", ())
    assert report.counts == {"claims": 1, "entities": 3, "links": 2, "memories": 4, "sessions": 1, "turns": 1}
    held = {entity.name: entity for entity in here.graph.search(limit=10)}
    assert (held["Ana"].type.value, held["Ana"].properties["boat"]) == ("person", "Brisa")
    (works,) = [link for link in here.graph.links("Ana") if link.predicate == "works_at"]
    assert works.valid_from == datetime(2025, 3, 1, tzinfo=UTC)
    assert works.properties["fact"] == "Ana works at Acme"
    facts = {match.memory.content for match in here.memories.search(category="facts")}
    assert facts == {"Ana works at Acme"}
    assert [said.turn.text for said in here.conversations.last("graphiti/ana")] == ["I moved to Acme."]
    again = here.transfer.load(file.encode())
    assert len(here.graph.search(limit=10)) == 3
    assert again.counts["already_there"] == 4


@pytest.mark.spec("N14")
@pytest.mark.parametrize("shape", [json.dumps, lambda items: lines(*items)], ids=["list", "lines"])
def test_items_of_a_langgraph_store_are_read_by_ours(here, shape):
    times = {"created_at": "2026-01-05T10:00:00+00:00", "updated_at": "2026-02-05T10:00:00+00:00"}
    items = [
        {"namespace": ["users", "ana"], "key": "tea", "value": {"likes": "green", "cups": 2}, **times},
        {"prefix": "users.ana", "key": "boat", "value": {"name": "Brisa"}, **times},
        {"namespace": ["users"], "key": "odd", "value": "no object", **times},
    ]

    report = here.transfer.load(shape(items).encode())

    store = NacreStore(here)
    tea = store.get(("users", "ana"), "tea")
    assert tea
    assert tea.value == {"likes": "green", "cups": 2}
    assert tea.created_at == datetime(2026, 1, 5, 10, tzinfo=UTC)
    assert {item.key for item in store.search(("users",))} == {"tea", "boat"}
    assert (report.format.value, len(report.skipped)) == ("langgraph", 1)
    assert here.transfer.load(shape(items).encode()).counts == {"already_there": 2}


NOTE = """---
title: Coffee Brewing Methods
type: note
tags: [coffee, "beans, ground"]
permalink: coffee/brewing
---
# Coffee Brewing Methods

- [ ] buy beans
- [a link](https://example.org) to read
- [method] Pour over gives more clarity #brewing (own experience)

```
- [code] is none
```

- relates_to [[Coffee Bean Origins]]
- [[Tea]]
"""


def test_notes_of_basic_memory_are_documents_and_what_they_state(here, tmp_path):
    folder = tmp_path / "notes"
    (folder / "coffee").mkdir(parents=True)
    (folder / "coffee" / "brewing.md").write_text(NOTE)
    (folder / "origins.md").write_text("---\ntitle: Coffee Bean Origins\npermalink: origins\n---\nFrom Yirgacheffe.\n")

    report = here.transfer.load(folder)

    assert (report.format.value, report.skipped) == ("basic-memory", ())
    assert report.counts == {"claims": 1, "documents_added": 2, "entities": 3, "links": 2, "memories": 1}
    assert "Yirgacheffe" in here.vault.get("notes/origins.md").content
    assert here.recall("How does pour over taste?")
    again = here.transfer.load(folder)
    assert again.counts["documents_unchanged"] == 2
    assert len(here.graph.search(limit=10)) == 3


@pytest.mark.parametrize(
    ("format", "file", "why"),
    [
        ("graphiti", '{"vertices": []}', "holds nothing of Zep or Graphiti"),
        ("langgraph", '[{"id": "c"}]', "no dump of a LangGraph store"),
    ],
)
def test_a_dump_of_something_else_is_refused(here, format, file, why):  # noqa: A002
    with pytest.raises(Invalid, match=why):
        here.transfer.load(file.encode(), format=format)
