from itertools import pairwise

from bench.probes import REFRESHES, SINGLES, SMALLEST, parts
from bench.synthetic import SESSION_TURNS, queries, turns


def test_the_same_seed_gives_the_same_turns():
    assert turns(200) == turns(200)
    assert turns(200) != turns(200, seed=1)


def test_a_longer_conversation_begins_with_the_shorter_one():
    assert turns(300)[:100] == turns(100)


def test_turns_have_2_to_40_words_and_vary():
    lengths = [len(turn.text.split()) for turn in turns(2000)]

    assert (min(lengths), max(lengths)) == (2, 40)
    assert 10 < sum(lengths) / len(lengths) < 20


def test_words_follow_a_steep_curve_with_a_long_tail():
    words = [word for turn in turns(2000) for word in turn.text.lower().split()]

    assert 0.02 < words.count("the") / len(words) < 0.08
    assert len(set(words)) > 5000


def test_sessions_have_twenty_turns_and_time_moves_on():
    spoken = turns(3 * SESSION_TURNS)

    assert [turn.session for turn in spoken[::SESSION_TURNS]] == ["s0", "s1", "s2"]
    times = [turn.at for turn in spoken if turn.at]
    assert len(times) == len(spoken)
    assert all(before < after for before, after in pairwise(times))
    assert len({turn.ref for turn in spoken}) == len(spoken)


def test_queries_are_the_same_each_time_and_made_of_the_turns_words():
    said = {word.strip(".?!") for turn in turns(500) for word in turn.text.split()}

    asked = queries(500, 50)

    assert asked == queries(500, 50)
    assert len(asked) == 50
    assert all(word in said for query in asked for word in query.removesuffix("?").split()[2:])


def test_the_parts_of_a_speed_run_are_the_whole_conversation():
    spoken = turns(SMALLEST)

    bulk, singles, refreshes = parts(spoken)

    assert [*bulk, *singles, *refreshes] == spoken
    assert (len(singles), len(refreshes)) == (SINGLES, REFRESHES)
