"""Token ranking: passages are compared with a question by vectors that were made behind the write."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from nacre import Nacre, ScopedNacre, Settings
from nacre.domain.hits import Kind
from nacre.domain.turns import Role
from nacre.models import local_ranker
from nacre.models.local_ranker import LocalRanker
from nacre.models.readings import Conversation, SpokenTurn
from nacre.models.token_vectors import SPACE
from nacre.recall import token_ranking
from nacre.store.evidence import token_vectors
from nacre.text.times import Period

TALK = [
    ("Ines", "Did anything come of the instrument you were after?"),
    ("Tom", "Yes! Got it last week, a cello from the eighties."),
    ("Ines", "Lovely. My orchestra meets on Thursdays, come along."),
    ("Tom", "Thursdays I have my pottery course, sadly."),
    ("Ines", "Then play for us on Sunday."),
]


@pytest.fixture
def scope() -> Iterator[ScopedNacre]:
    with Nacre(":memory:", settings=Settings(extraction="reader", rerank="fast", worker="off")) as nacre:
        made = nacre.scope("assistant", user="ana")
        for speaker, text in TALK:
            made.observe("user", text, speaker=speaker, session="music")
        made.remember("The landlord wants the cellar empty by March.")
        made.learned()
        yield made


def test_a_reply_is_found_by_what_it_answers(scope: ScopedNacre) -> None:
    hits = scope.recall("What musical thing did Tom buy?", limit=3)
    assert "cello" in hits[0].text
    assert [hit.id for hit in hits] == [hit.id for hit in scope.recall("What musical thing did Tom buy?", limit=3)]


def test_every_passage_has_vectors_and_loses_them_when_it_is_purged(scope: ScopedNacre) -> None:
    database = scope._parts.database
    with database.read(scope.scope) as tx:
        assert token_vectors.missing(tx, SPACE, after_seq=0, limit=100) == []
        assert len(token_vectors.by_seq(tx, SPACE, range(1, 20))) == len(TALK) + 1
    memory = scope.recall("landlord", kinds=[Kind.MEMORY])[0]
    scope.forget(memory.id, purge=True)
    with database.read(scope.scope) as tx:
        assert len(token_vectors.by_seq(tx, SPACE, range(1, 20))) == len(TALK)


def test_no_vectors_of_what_is_purged_meanwhile_are_kept(scope: ScopedNacre, monkeypatch: pytest.MonkeyPatch) -> None:
    turn_vectors = LocalRanker.turn_vectors
    scope.forget(everything=True, purge=True)
    scope.observe("user", "My bank is Marlow and Sons.")

    def purged_meanwhile(ranker: LocalRanker, said: Conversation) -> bytes:
        monkeypatch.setattr(LocalRanker, "turn_vectors", turn_vectors)
        scope.forget(everything=True, purge=True)
        scope.observe("user", "I like oranges.")
        return turn_vectors(ranker, said)

    monkeypatch.setattr(LocalRanker, "turn_vectors", purged_meanwhile)
    scope.learned()

    said = Conversation((SpokenTurn(Role.USER, "I like oranges."),))
    with scope._parts.database.read(scope.scope) as tx:
        [kept] = token_vectors.by_seq(tx, SPACE, range(1, 20)).values()
    assert kept == local_ranker.load().turn_vectors(said)


def test_vectors_of_an_earlier_ranker_are_replaced(scope: ScopedNacre) -> None:
    database = scope._parts.database
    with database.write(scope.scope) as tx:
        token_vectors.add(tx, "tokens-1", token_vectors.by_seq(tx, SPACE, range(1, 20)))
        token_vectors.keep_only(tx, "tokens-1")
    scope._parts.fillings.fill_tokens(scope.scope)

    with database.read(scope.scope) as tx:
        assert len(token_vectors.by_seq(tx, SPACE, range(1, 20))) == len(TALK) + 1
        assert token_vectors.by_seq(tx, "tokens-1", range(1, 20)) == {}


def test_without_vectors_others_compare() -> None:
    with Nacre(":memory:", settings=Settings(extraction="reader", rerank="fast", worker="off")) as nacre:
        scope = nacre.scope("assistant", user="ana")
        for speaker, text in TALK:
            scope.observe("user", text, speaker=speaker, session="music")
        question = "When does the orchestra of Ines meet?"
        assert "tokens" not in scope.recall(question, explain=True)[0].channels
        scope.learned()
        assert "tokens" in scope.recall(question, explain=True)[0].channels
        assert "tokens" not in scope.recall(question, explain=True, rerank="off")[0].channels


def test_what_bears_on_a_request_is_found_without_any_of_its_words(scope: ScopedNacre) -> None:
    scope.observe("user", "my knee is shot since the ski thing", session="health")
    scope.learned()
    request = "plan a hike"
    assert "knee" not in " ".join(hit.text for hit in scope.recall(request, rerank="off"))
    assert any("knee" in hit.text for hit in scope.recall(request))
    assert "knee" in scope.context(request, session="new", profile=False).text
    assert "knee" not in scope.context("what is the capital of France?", session="other", profile=False).text


def test_what_was_compared_as_a_hit_fits_as_well_when_a_belief_rests_on_it(scope: ScopedNacre) -> None:
    question = "When does the orchestra of Ines meet?"
    tokens = scope._parts.recaller.ask(question)[0].tokens
    compared = {hit.id: hit.channels["tokens"] for hit in scope.recall(question, explain=True)}
    some = dict(list(compared.items())[:2])
    assert tokens
    assert len(compared) >= len(TALK)
    with scope._parts.database.read(scope.scope) as tx:
        assert token_ranking.item_fits(tokens, tx, set(compared), {}) == compared
        assert token_ranking.item_fits(tokens, tx, set(compared), some) == compared


def test_what_was_not_compared_keeps_its_score() -> None:
    scores = np.array([0.9, 0.8, 0.5, 0.3], np.float32)
    talk = np.zeros(4, np.bool_)
    changed = token_ranking.rescored(scores, {0: 1.0, 2: 9.0, 3: 2.0}, talk)
    assert changed[1] == scores[1]
    assert changed[2] > changed[3]
    assert (token_ranking.rescored(scores, {0: 1.0}, talk) == scores).all()


def test_what_stands_alone_keeps_more_of_the_order_it_had() -> None:
    scores = np.array([0.9, 0.6, 0.3], np.float32)
    fits = {0: 1.0, 1: 9.0, 2: 2.0}
    talk, alone = np.zeros(3, np.bool_), np.ones(3, np.bool_)
    assert token_ranking.rescored(scores, fits, talk).argmax() == 1
    assert token_ranking.rescored(scores, fits, alone).argmax() == 0


def test_hits_come_by_place_and_fit_and_scores_stay_with_places(scope: ScopedNacre) -> None:
    hits = scope.recall("music on Thursdays", limit=4).hits
    first, *_, last = hits
    fits = {hit.id: 0.0 for hit in hits}

    assert token_ranking.by_fit(hits, {}) == token_ranking.by_fit(hits, fits) == list(hits)
    ordered = token_ranking.by_fit(hits, fits | {last.id: 12.0})
    assert [hit.id for hit in ordered[:2]] == [last.id, first.id]
    assert [hit.score for hit in ordered] == [hit.score for hit in hits]


def test_what_was_said_at_the_time_that_is_asked_for_comes_forward(scope: ScopedNacre) -> None:
    hits = scope.recall("music on Thursdays", limit=4).hits
    day = timedelta(days=1)
    first, second, third, last = (replace(hit, at=hits[0].at - place * 100 * day) for place, hit in enumerate(hits))

    def ordered(since: datetime, until: datetime) -> list[UUID]:
        fits = {hit.id: 0.0 for hit in hits}
        return [hit.id for hit in token_ranking.by_fit([first, second, third, last], fits, [Period(since, until)])]

    assert ordered(last.at - day, last.at + day) == [first.id, last.id, second.id, third.id]
    # What was told a day after it counts for half.
    assert ordered(last.at - 3 * day, last.at - day) == [first.id, second.id, last.id, third.id]
    assert ordered(last.at + day, last.at + 2 * day) == [hit.id for hit in hits]


def test_what_was_not_compared_stays_behind_the_hit_that_it_follows(scope: ScopedNacre) -> None:
    hits = scope.recall("music on Thursdays", limit=4).hits
    fits = {hit.id: fit for hit, fit in zip(hits, (0.0, 0.0, 12.0), strict=False)}

    ordered = [hit.id for hit in token_ranking.by_fit(hits, fits)]

    assert ordered[:2] == [hits[2].id, hits[3].id]
