"""Plain statements are told and counted, each about whom it is said of."""

from bench.statements import judge, tables


def test_what_is_known_and_what_is_believed_wrongly_are_counted():
    told = {
        "turns": ["My husband Alun can't eat gluten.", "I live in Leeds."],
        "must": [["user", ["alun"]], ["Alun", ["gluten"]], ["user", ["leeds", "york"]], ["user", ["paris"]]],
        "not": [["user", "gluten"], ["Alun", "gluten"]],
    }

    assert judge(told) == {"said": 4, "known": 3, "denied": 2, "believed": 1}


def test_shares_are_shown_by_writer():
    figures = {"said": 4, "known": 3, "denied": 2, "believed": 1}

    (table,) = tables({"statements": {"fresh": figures}})

    assert table.rows == (("fresh", "3 of 4", "75.0 %", "1 of 2"),)
