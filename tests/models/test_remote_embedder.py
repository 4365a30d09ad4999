"""A remote embedder serves in the background and is never waited for."""

import time
from collections.abc import Iterator

import numpy as np
import pytest

from nacre import Nacre, Settings, Unavailable
from nacre.models.remote_embedder import RemoteEmbedder
from tests.models import embedding_service
from tests.models.embedding_service import EmbeddingService
from tests.waits import eventually


@pytest.fixture
def service() -> Iterator[EmbeddingService]:
    with embedding_service.running() as running:
        yield running


@pytest.fixture
def embedder(service: EmbeddingService) -> Iterator[RemoteEmbedder]:
    remote = RemoteEmbedder(service.url, "tiny", "secret", threshold=0.1)
    yield remote
    remote.close()


def test_vectors_come_in_the_order_of_the_texts_with_norm_one(embedder, service):
    made = embedder.embed(["a storm at sea", "a quiet harbour", "a storm at sea"])

    assert made.space == "tiny/64"
    assert made.matrix.shape == (3, 64)
    assert np.array_equal(made.matrix[0], made.matrix[2])
    assert np.linalg.norm(made.matrix, axis=1) == pytest.approx(1, abs=1e-5)
    assert service.headers == ["Bearer secret"]


@pytest.mark.spec("M5")
def test_long_texts_are_cut(embedder, service):
    embedder.embed(["x" * 40_000])

    assert len(service.asked[0][0]) == 30_000


@pytest.mark.parametrize("mood", ["failing", "garbage", "short"])
def test_a_service_that_fails_is_unavailable(embedder, service, mood):
    service.mood = mood

    with pytest.raises(Unavailable):
        embedder.embed(["storm"])


def test_after_a_failure_questions_do_not_wait_again(embedder, service):
    service.mood = "failing"
    for _ in range(3):
        with pytest.raises(Unavailable):
            embedder.embed_question("storm")

    assert len(service.asked) == 1


@pytest.mark.parametrize("endpoint", ["{}", "{}/", "{}/v1", "{}/v1/"])
def test_an_endpoint_may_be_written_in_several_ways(service, endpoint):
    remote = RemoteEmbedder(endpoint.format(service.url), "tiny")
    assert remote.embed(["storm"]).space == "tiny/64"
    remote.close()


@pytest.mark.spec("M5")
def test_vectors_follow_in_the_background(database_url, embedder):
    with Nacre(database_url, embedder=embedder) as nacre:
        scope = nacre.scope("a")
        scope.observe("user", "The storm took our boat")
        scope.remember("The harbour master is Ines")

        def has_vectors() -> bool:
            hits = scope.recall("which boat did the storm take?", explain=True)
            return bool(hits) and "vector" in hits[0].channels

        assert eventually(has_vectors)


@pytest.mark.spec("M5")
def test_the_same_words_are_sent_once(sqlite_url, embedder, service):
    with Nacre(sqlite_url, embedder=embedder) as nacre:
        scope = nacre.scope("a")
        scope.observe("user", "The storm took our boat")
        assert eventually(lambda: "vector" in scope.recall("storm boat", explain=True)[0].channels)
        scope.observe("user", "The storm took our boat")
        assert eventually(lambda: all("vector" in hit.channels for hit in scope.recall("storm boat", explain=True)))

    assert sum(batch.count("The storm took our boat") for batch in service.asked) == 1


@pytest.mark.spec("M5")
@pytest.mark.parametrize("mood", ["failing", "garbage", "hanging"])
def test_a_service_that_is_away_delays_no_write_and_loses_nothing(sqlite_url, embedder, service, mood):
    service.mood = mood
    with Nacre(sqlite_url, embedder=embedder) as nacre:
        scope = nacre.scope("a")
        started = time.monotonic()
        for number in range(10):
            scope.observe("user", f"The storm took boat {number}")
            scope.remember(f"Boat {number * 11} sank in storm {number}", category=f"boats/b{number}")
        # The service hangs for longer than this, so nobody waited for it.
        assert time.monotonic() - started < 10
        assert not service.released.is_set()

        found = scope.recall("storm", limit=40)
        assert len(found) == 20
        assert "words alone" in found.notes[0]
        service.released.set()


@pytest.mark.spec("M5")
def test_settings_choose_the_remote_embedder(service, sqlite_url, monkeypatch):
    monkeypatch.setenv("Embedding__Endpoint", service.url)
    monkeypatch.setenv("Embedding__Model", "tiny")
    monkeypatch.setenv("Embedding__ApiKey", "k")
    with Nacre(sqlite_url) as nacre:
        nacre.scope("a").observe("user", "storm")
        assert eventually(lambda: bool(service.asked))
    assert service.headers[0] == "Bearer k"
    assert Settings().embedding_threshold == 0.5


@pytest.mark.spec("M5")
def test_a_service_that_changes_its_dimensions_is_embedded_anew(sqlite_url, embedder, service):
    with Nacre(sqlite_url, embedder=embedder) as nacre:
        scope = nacre.scope("a")
        for number in range(5):
            scope.remember(f"Boat {number * 11} sank in storm {number}", category=f"boats/b{number}")

        def embedded() -> bool:
            return all("vector" in hit.channels for hit in scope.recall("storm boat", explain=True))

        assert eventually(embedded)
        service.dimensions = 32
        assert len(scope.recall("storm boat")) == 5
        assert eventually(embedded)
        assert eventually(lambda: scope.embedding_progress().complete)
        with nacre.parts.database.read(scope.scope) as tx:
            spaces = nacre.parts.indexes.view(tx, "tiny/32").vectors
        assert {name: matrix.values.shape for name, matrix in spaces.items()} == {
            "tiny/64": (5, 64),
            "tiny/32": (5, 32),
        }
