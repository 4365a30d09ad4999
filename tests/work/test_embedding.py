"""A changed model re-embeds in the background, and two vector spaces never meet."""

from threading import Event, Timer
from threading import enumerate as enumerate_threads
from typing import cast

import numpy as np

from nacre import Nacre, Scope, Settings, Turn
from nacre.models.embedders import Vectors
from nacre.models.local_ranker import LocalRanker
from nacre.models.static_embedder import StaticEmbedder
from nacre.work import embedding, token_vectors
from nacre.work.embedding import embed_missing
from tests.waits import HANGS, eventually

TEXTS = [f"Boat {number} lies in harbour {number % 5}" for number in range(150)]


class Other(StaticEmbedder):
    """Another local model: the same vectors turned around, in a space of their own."""

    def embed(self, texts):
        return Vectors("other", np.ascontiguousarray(self.matrix(texts)[:, ::-1]))


def test_a_changed_model_embeds_what_is_there_already(database_url):
    with Nacre(database_url) as nacre:
        nacre.scope("a").observe_many(Turn(role="user", text=text) for text in TEXTS)
    other = Other()
    with Nacre(database_url, embedder=other) as nacre:
        scope = nacre.scope("a")
        assert len(scope.recall("boat harbour", limit=200)) == len(TEXTS)

        def embedded() -> bool:
            return all("vector" in hit.channels for hit in scope.recall("boat harbour", limit=200, explain=True))

        assert eventually(embedded)
        assert scope.embedding_progress().total == len(TEXTS)
        assert scope.embedding_progress().complete
        assert embed_missing(nacre.parts.database, other, scope.scope) == 0


def test_vectors_of_two_models_are_never_compared(database_url):
    with Nacre(database_url) as first, Nacre(database_url, embedder=Other()) as second:
        first.scope("a").observe("user", "The storm took our boat")
        embed_missing(second.parts.database, Other(), second.scope("a").scope)
        one = first.scope("a").recall("storm boat", explain=True)[0].channels["vector"]
        two = second.scope("a").recall("storm boat", explain=True)[0].channels["vector"]
        # Turning both sides around changes no cosine; comparing across spaces would.
        assert abs(one - two) < 1e-5


def test_two_processes_that_embed_the_same_passages_leave_one_vector_each(database_url):
    other = Other()
    with Nacre(database_url) as nacre, Nacre(database_url) as again:
        scope = nacre.scope("a")
        scope.observe_many(Turn(role="user", text=text) for text in TEXTS)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda brain: embed_missing(brain.parts.database, other, scope.scope), (nacre, again)))
        assert embed_missing(nacre.parts.database, other, scope.scope) == 0


def test_closing_waits_for_one_batch_and_not_for_all_that_is_missing(new_sqlite):
    begun, batch_done = Event(), Event()

    class Slow(Other):
        def embed(self, texts):
            if len(texts) > 1:
                begun.set()
                batch_done.wait(HANGS)
            return super().embed(texts)

    address = new_sqlite()
    with Nacre(address) as nacre:
        nacre.scope("a").observe_many(Turn(role="user", text=text) for text in TEXTS)
    with Nacre(address, embedder=Slow(), settings=Settings(worker="off")) as nacre:
        nacre.scope("a")
        assert begun.wait(HANGS)
        Timer(0.2, batch_done.set).start()

    assert not any(each.name == "nacre-embedding" for each in enumerate_threads())
    with Nacre(address) as nacre:
        left = embed_missing(nacre.parts.database, Other(), Scope(agent="a"))
    assert 0 < len(TEXTS) - left <= embedding.BATCH


def test_visits_are_remembered_but_not_for_ever(new_sqlite, monkeypatch):
    woken = []
    monkeypatch.setattr(embedding, "MAX_VISITED", 3)
    monkeypatch.setattr(embedding.FillingThread, "wake", lambda _self, scope: woken.append(scope.user))
    with Nacre(new_sqlite(), settings=Settings(embedder="off", worker="off")) as nacre:
        thread = embedding.FillingThread(lambda _scope, _goes_on: 0, "nacre-embedding")
        for user in ("a", "a", "b", "c", "c", "d", "a"):
            thread.visit(nacre.scope("assistant", user).scope)

    assert woken == ["a", "b", "c", "d", "a"]


def test_vectors_of_what_was_purged_while_they_were_made_are_dropped(database_url):
    """A batch that held one of them failed as a whole, and was tried again with a warning."""
    with Nacre(database_url, settings=Settings(embedder="off", worker="off")) as nacre:
        scope = nacre.scope("a")
        gone = [scope.remember(f"Snarfblat {number} opens the safe").id for number in range(2)]
        scope.remember("The boat is called Ines")
        first, second = gone

        def purge(memory):
            if memory in gone:
                scope.forget(memory, purge=True)
                gone.remove(memory)

        class Purging(Other):
            def embed(self, texts):
                if len(texts) > 1:
                    purge(first)
                return super().embed(texts)

        class Ranker:
            def turn_vectors(self, conversation):
                if "Snarfblat" in conversation.turns[0].text:
                    purge(second)
                return b"vectors"

        assert embed_missing(nacre.parts.database, Purging(), scope.scope) == 2
        assert token_vectors.fill_missing(nacre.parts.database, cast("LocalRanker", Ranker()), scope.scope) == 1
