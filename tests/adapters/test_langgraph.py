"""The store does what LangGraph's own tests ask of its stores; they are written anew here, claim by claim."""

import asyncio
import operator
from datetime import UTC
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)

from nacre import Invalid
from nacre.adapters.langgraph import NacreStore

DOCS = ("test", "documents")
NAMESPACES = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("b", "a", "f"),
    ("users", "123"),
    ("users", "456", "settings"),
    ("admin", "users", "789"),
]


@pytest.fixture
def store(scope):
    """The store of one user, on each database."""
    return NacreStore(scope)


@pytest.fixture
def filled(store):
    """A store with an item in each of some namespaces."""
    for number, namespace in enumerate(NAMESPACES):
        store.put(namespace, f"id_{number}", {"data": f"value_{number:02d}"})
    return store


@pytest.mark.spec("N4")
def test_an_item_is_put_changed_and_deleted(store, clock):
    store.put(DOCS, "doc1", {"title": "First", "tags": ["a", None, 1.5, {"深": [[]]}]})
    item = store.get(DOCS, "doc1")
    assert isinstance(item, Item)
    assert (item.namespace, item.key, item.value) == (
        DOCS,
        "doc1",
        {"title": "First", "tags": ["a", None, 1.5, {"深": [[]]}]},
    )
    made = item.created_at
    assert made == item.updated_at == clock.now
    assert made.tzinfo == UTC

    clock.advance(minutes=5)
    store.put(DOCS, "doc1", {"title": "Second"})
    changed = store.get(DOCS, "doc1")
    assert (changed.value, changed.created_at, changed.updated_at) == ({"title": "Second"}, made, clock.now)
    assert len(store.search(DOCS)) == 1
    assert store.get(("test", "other"), "doc1") is None
    assert store.get(DOCS, "doc2") is None

    store.delete(DOCS, "doc1")
    store.delete(DOCS, "never there")
    assert store.get(DOCS, "doc1") is None
    assert store.search(DOCS) == []
    assert store.list_namespaces() == []


@pytest.mark.spec("N4")
def test_a_batch_answers_in_order_and_reads_before_it_writes(store):
    store.put(("test", "foo"), "key1", {"data": "value1"})
    store.put(("test", "bar"), "key2", {"data": "value2"})
    got, put, found, named, nothing = store.batch(
        [
            GetOp(namespace=("test", "foo"), key="key1"),
            PutOp(namespace=("test", "foo"), key="key1", value={"data": "changed"}),
            SearchOp(namespace_prefix=("test",), filter={"data": "value1"}),
            ListNamespacesOp(),
            GetOp(namespace=("test",), key="key3"),
        ]
    )
    assert (got.value, put, nothing) == ({"data": "value1"}, None, None)
    assert [each.key for each in found] == ["key1"]
    assert named == [("test", "bar"), ("test", "foo")]
    assert store.get(("test", "foo"), "key1").value == {"data": "changed"}


@pytest.mark.spec("N4")
def test_of_several_writes_of_an_item_the_last_counts(store):
    first, last = ({"n": number} for number in range(2))
    gone = PutOp(("test",), "gone", None)
    assert store.batch([PutOp(("test",), "key", first), PutOp(("test",), "key", last), gone]) == [None] * 3
    assert store.get(("test",), "key").value == {"n": 1}
    assert len(store.search(("test",))) == 1


@pytest.mark.spec("N4")
def test_everything_can_be_awaited(store):
    async def conversation():
        await asyncio.gather(*(store.aput(("test",), f"key{number}", {"n": number}) for number in range(4)))
        await store.adelete(("test",), "key0")
        items = await asyncio.gather(*(store.aget(("test",), f"key{number}") for number in range(4)))
        return items, await store.asearch(("test",), filter={"n": 2}), await store.alist_namespaces()

    items, found, namespaces = asyncio.run(conversation())
    assert [item and item.value["n"] for item in items] == [None, 1, 2, 3]
    assert [each.key for each in found] == ["key2"]
    assert namespaces == [("test",)]


@pytest.mark.spec("N4")
@pytest.mark.parametrize("namespace", [(), ("the", "thing.about"), ("some", "fun", ""), ("langgraph", "foo"), (1,)])
def test_a_namespace_that_cannot_be_is_refused_as_in_any_store(store, namespace):
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "foo", {"foo": "bar"})
    with pytest.raises(InvalidNamespaceError):
        asyncio.run(store.aput(namespace, "foo", {"foo": "bar"}))


@pytest.mark.spec("N4")
def test_past_the_public_way_in_even_reserved_namespaces_work(store):
    store.batch([PutOp(("langgraph", "foo"), "bar", {"foo": "bar"})])
    assert store.get(("langgraph", "foo"), "bar").value == {"foo": "bar"}
    assert store.search(("langgraph", "foo"))[0].value == {"foo": "bar"}
    store.delete(("langgraph", "foo"), "bar")
    assert store.get(("langgraph", "foo"), "bar") is None


LISTINGS: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    ({}, sorted(NAMESPACES)),
    ({"prefix": ("a", "b")}, NAMESPACES[:4]),
    ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]),
    ({"prefix": ("a",), "suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
    ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
    ({"prefix": ("a", "b"), "limit": 2}, [("a", "b", "c"), ("a", "b", "d", "e")]),
    ({"prefix": ("a", "b"), "offset": 2}, [("a", "b", "d", "i"), ("a", "b", "f")]),
    ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
    ({"suffix": ("*", "f")}, [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]),
    ({"prefix": ("*", "users"), "suffix": ("*", "settings")}, []),
    ({"prefix": ("nonexistent",)}, []),
    ({"prefix": ("users", "123")}, [("users", "123")]),
    ({"suffix": ("users", "456", "settings", "more")}, []),
]


@pytest.mark.spec("N4")
def test_namespaces_are_listed_by_their_beginning_and_their_end(filled):
    for asked, expected in LISTINGS:
        assert filled.list_namespaces(**asked) == expected, asked


def test_an_empty_condition_fits_every_namespace(filled):
    condition = MatchCondition("suffix", ())
    assert filled.batch([ListNamespacesOp(match_conditions=(condition,))]) == [sorted(NAMESPACES)]


@pytest.fixture
def library(store):
    """Documents of two authors in two namespaces."""
    for namespace, key, value in [
        (("test", "docs"), "doc1", {"title": "First Doc", "author": "Alice", "tags": ["important"], "score": 4.5}),
        (("test", "docs"), "doc2", {"title": "Second Doc", "author": "Bob", "tags": ["draft"], "score": 2}),
        (("test", "images"), "img1", {"title": "Image 1", "author": "Alice", "meta": {"size": 3, "kind": "png"}}),
        (("testing",), "other", {"title": "Elsewhere", "author": "Alice"}),
    ]:
        store.put(namespace, key, value)
    return store


FILTERS = [
    (None, {"doc1", "doc2", "img1"}),
    ({"author": "Alice"}, {"doc1", "img1"}),
    ({"author": "Alice", "title": "Image 1"}, {"img1"}),
    ({"tags": ["draft"]}, {"doc2"}),
    ({"meta": {"kind": "png"}}, {"img1"}),
    ({"meta": {"kind": "png", "size": {"$gt": 3}}}, set()),
    ({"author": {"$eq": "Bob"}}, {"doc2"}),
    ({"author": {"$ne": "Bob"}}, {"doc1", "img1"}),
    ({"score": {"$gt": 2}}, {"doc1"}),
    ({"score": {"$gte": 2}}, {"doc1", "doc2"}),
    ({"score": {"$lt": 4.5}}, {"doc2"}),
    ({"score": {"$gt": 1, "$lte": 2}}, {"doc2"}),
    ({"author": {"$gt": 2}}, set()),
    ({"nothing": None}, {"doc1", "doc2", "img1"}),
]


@pytest.mark.spec("N4")
def test_items_are_found_by_namespace_and_filter(library):
    for wanted, keys in FILTERS:
        found = library.search(("test",), filter=wanted)
        assert {each.key for each in found} == keys, wanted
        assert all(isinstance(each, SearchItem) and each.score is None for each in found)


def test_an_unknown_comparison_is_refused(library):
    with pytest.raises(ValueError, match=r"\$regex"):
        library.search(("test",), filter={"author": {"$regex": "A.*"}})


@pytest.mark.spec("N4")
def test_pages_neither_overlap_nor_leave_a_gap(store, clock):
    for number in range(7):
        store.put(("page",), f"key{number}", {"n": number})
        clock.advance(seconds=1)
    pages = [store.search(("page",), limit=3, offset=offset) for offset in (0, 3, 6, 9)]
    assert [[each.value["n"] for each in page] for page in pages] == [[6, 5, 4], [3, 2, 1], [0], []]


@pytest.mark.spec("N4")
def test_a_query_finds_by_words_and_meaning_the_best_first(store):
    store.put(("notes",), "food", {"text": "Ana likes pizza with anchovies"})
    store.put(("notes",), "work", {"text": "The quarterly report is due in March"})
    store.put(("notes",), "pet", {"text": "Her dog barks at night"})
    store.put(("other",), "food", {"text": "pizza for everyone"})
    found = store.search(("notes",), query="favourite pizza")
    assert found[0].key == "food"
    assert 0 < found[0].score <= 1
    assert "other" not in {each.namespace[0] for each in found}
    assert store.search(("notes",), query="puppy")[0].key == "pet"
    found = [(each.key, bool(each.score)) for each in store.search((), query="pizza")]
    assert found == [("food", True), ("food", True), ("pet", False), ("work", False)]
    assert [each.key for each in store.search(("notes",), query="pizza", filter={"text": "none"})] == []
    store.put(("notes",), "food", {"text": "Ana likes soup"})
    assert "pizza" not in str(store.search(("notes",), query="pizza"))


@pytest.mark.spec("N4")
def test_what_is_put_without_an_index_is_not_ranked(store):
    store.put(("notes",), "plain", {"text": "pizza"})
    store.put(("notes",), "hidden", {"text": "pizza pizza"}, index=False)
    assert [(each.key, each.score is None) for each in store.search(("notes",), query="pizza")] == [
        ("plain", False),
        ("hidden", True),
    ]
    assert store.get(("notes",), "hidden").value == {"text": "pizza pizza"}


@pytest.mark.spec("N4")
def test_a_time_to_live_is_refused_and_not_forgotten(store):
    assert not store.supports_ttl
    with pytest.raises(NotImplementedError):
        store.put(("notes",), "short", {"text": "soon gone"}, ttl=5)


@pytest.mark.parametrize("value", [{"x": object()}, {"x": float("nan")}, {"x": "\ud800"}, {"x": {1, 2}}])
def test_what_is_not_json_is_refused_and_leaves_what_was_there(store, value):
    store.put(("notes",), "key", {"x": 1})
    with pytest.raises(Invalid):
        store.put(("notes",), "key", value)
    assert store.get(("notes",), "key").value == {"x": 1}


class State(TypedDict):
    """What a graph knows while it runs."""

    said: Annotated[list[str], operator.add]


@pytest.mark.spec("N4")
def test_a_graph_remembers_from_one_run_to_the_next(store):
    # All of the library takes a second, which no process need spend that collects tests.
    from langgraph.graph import StateGraph

    def listen(state, *, store):
        store.put(("memories", "ana"), str(len(state["said"])), {"text": state["said"][-1]})
        return {"said": []}

    def answer(state, *, store):
        return {"said": [each.value["text"] for each in store.search(("memories", "ana"), query="pizza")]}

    graph = StateGraph(State).add_sequence([listen, answer]).set_entry_point("listen").compile(store=store)
    graph.invoke({"said": ["I like pizza"]})
    assert "I like pizza" in graph.invoke({"said": ["What", "do I like?"]})["said"]
