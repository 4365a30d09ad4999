from typing import Any

from bench.multihop import load


def musique(key: str, *paragraphs: tuple[str, str, bool]) -> dict[str, Any]:
    return {
        "id": key,
        "question": "Who?",
        "paragraphs": [
            {"title": title, "paragraph_text": text, "is_supporting": supporting}
            for title, text, supporting in paragraphs
        ],
    }


def wiki(key: str, context: list[Any], support: list[str]) -> dict[str, Any]:
    return {
        "_id": key,
        "question": "Who?",
        "type": "bridge",
        "context": context,
        "supporting_facts": [[title, 0] for title in support],
    }


def test_a_paragraph_of_two_questions_is_pooled_once(written):
    folder = written(
        "musique-dev.json",
        [
            musique("2hop__1_2", ("Lima", "A city.", True), ("Oslo", "Another.", False)),
            musique("3hop__3_4", ("Lima", "A city.", True)),
        ],
    )

    (pool,) = load(folder, "musique").pools

    assert [(turn.ref, turn.session, turn.text) for turn in pool.turns] == [
        ("p0", "p0", "Lima: A city."),
        ("p1", "p1", "Oslo: Another."),
    ]
    assert [(question.kind, question.evidence) for question in pool.questions] == [
        ("2-hop", frozenset({"p0"})),
        ("3-hop", frozenset({"p0"})),
    ]


def test_support_is_named_by_title_within_the_question_s_own_context(written):
    folder = written(
        "hotpot-dev.json",
        [
            wiki("q1", [["Lima", ["A city.", " In Peru."]], ["Oslo", ["Another."]]], ["Lima"]),
            wiki("q2", [["Lima", ["A bean."]]], ["Lima"]),
        ],
    )

    (pool,) = load(folder, "hotpot").pools

    assert [turn.text for turn in pool.turns] == ["Lima: A city. In Peru.", "Oslo: Another.", "Lima: A bean."]
    assert [question.evidence for question in pool.questions] == [{"p0"}, {"p2"}]


def test_questions_without_a_context_are_left_out(written):
    without = {"_id": "q1", "question": "Who?", "type": "bridge"}
    folder = written("wikihop-dev.json", [without, wiki("q2", [["Lima", ["A city."]]], ["Lima"])])

    assert [question.id for question in load(folder, "wikihop").pools[0].questions] == ["q2"]
