import pytest

from bench import sets
from bench.errors import MissingData, UnknownSet
from bench.questions import Pool, Question, QuestionSet


def question_set(pools: int, per_pool: int) -> QuestionSet:
    return QuestionSet(
        name="made-up",
        title="Made up",
        unit="turn",
        limit=10,
        metrics=("R@5",),
        pools=tuple(
            Pool(
                key=str(pool),
                turns=(),
                questions=tuple(
                    Question(id=f"{pool}/{n}", text="?", kind="any", evidence=frozenset({"a"})) for n in range(per_pool)
                ),
            )
            for pool in range(pools)
        ),
    )


def test_missing_data_is_one_sentence_that_names_the_file(tmp_path):
    with pytest.raises(MissingData, match=r"No `locomo-dev\.json` in .*--data"):
        sets.load(["locomo"], tmp_path)


def test_an_unknown_set_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(UnknownSet, match="locomo, longmemeval"):
        sets.load(["locomotive"], tmp_path)


def test_a_sample_is_always_the_same_and_drops_pools_without_questions():
    whole = question_set(pools=20, per_pool=2)

    sample = whole.sample(5)

    assert sample == whole.sample(5)
    assert sample.question_count == 5
    assert all(pool.questions for pool in sample.pools)


def test_a_sample_larger_than_the_set_is_the_set():
    whole = question_set(pools=2, per_pool=2)

    assert whole.sample(10) is whole
