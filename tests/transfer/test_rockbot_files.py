"""Any file that RockBot could write goes out as it came in."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacre import Settings
from tests.transfer.test_rockbot import read, written

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
keys = st.text("abcdef0123456789", min_size=3, max_size=12)
times = st.datetimes().map(lambda moment: f"{moment.isoformat()}+00:00")
metadata = st.none() | st.dictionaries(texts, st.one_of(texts, st.integers(), st.none()), max_size=3)
memories = st.fixed_dictionaries(
    {
        "content": texts.map(lambda text: f"x{text}"),
        "category": st.sampled_from([None, "general", "a-b/c_d/E1"]),
        "tags": st.lists(texts.map(lambda text: f"t{text}"), max_size=3, unique=True),
        "createdAt": times,
        "updatedAt": st.none() | times,
        "metadata": metadata,
    },
    optional={"importanceScore": st.floats(0, 1), "extra": st.lists(texts, max_size=2)},
)
# Few names, so that they meet: as names, as aliases, and in other spellings.
names = st.sampled_from(["Ana", "ANA", "Bo", "Bo Li", "東京", "C++"])
entities = st.fixed_dictionaries(
    {
        "name": names,
        "entityType": st.integers(0, 5) | st.sampled_from(["Person", "tool", "Wizard"]),
        "aliases": st.lists(names, max_size=2, unique=True),
        "metadata": metadata,
        "createdAt": times,
        "lastReferencedAt": st.none() | times,
    },
    optional={"extra": texts},
)
triples = st.fixed_dictionaries(
    {
        "subject": names | st.just("somebody") | st.integers(0, 3),
        "predicate": st.sampled_from(["knows", "Works On", "worksOn", "related_to"]),
        "object": names | texts.map(lambda text: f"a {text}") | st.integers(0, 3),
        "confidence": st.none() | st.floats(0, 1) | st.floats(-9, 9),
        "sourceEpisodeId": st.none() | texts,
        "createdAt": times,
    }
)


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


@pytest.fixture
def carried(nacre, tmp_path_factory):
    """Brings files in, and writes them again."""

    def carry(files: dict[str, Any]) -> dict[str, Any]:
        root = tmp_path_factory.mktemp("folder")
        scope = nacre.scope("assistant", user=root.name)
        report = scope.transfer.load(written(root / "in", files), format="rockbot")
        scope.transfer.export(root / "out", format="rockbot")
        assert report.skipped == ()
        return read(root / "out")

    return carry


@pytest.mark.spec("R5")
def test_any_memory_file_goes_out_as_it_came_in(carried):
    """Whatever it holds: odd metadata, other alphabets, fields that nobody knows yet."""

    @given(st.dictionaries(keys, memories, min_size=1, max_size=4))
    @settings(max_examples=15)
    def check(entries: dict[str, Any]) -> None:
        files = {
            f"memory/{each['category'] or 'general'}/{key}.json": {"id": key, **each} for key, each in entries.items()
        }
        assert carried(files) == files

    check()


@pytest.mark.spec("R5")
def test_any_graph_goes_out_as_it_came_in(carried):
    """Entities that share names, triples that say the same, ends that are ids, names, or neither."""

    @given(st.dictionaries(keys, entities, min_size=1, max_size=4), st.dictionaries(keys, triples, max_size=4))
    @settings(max_examples=15)
    def check(things: dict[str, Any], facts: dict[str, Any]) -> None:
        def end(named: str | int) -> str:
            return sorted(things)[named % len(things)] if isinstance(named, int) else named

        files = {f"knowledge-graph/entities/{key}.json": {"id": key, **each} for key, each in things.items()}
        for key, each in facts.items():
            ends = {name: end(each[name]) for name in ("subject", "object")}
            files[f"knowledge-graph/triples/{key}.json"] = {"id": key, **each, **ends}
        assert carried(files) == files

    check()
