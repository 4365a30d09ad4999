"""What ids stand for."""

from uuid import uuid4


def test_ids_have_labels_whether_what_they_stand_for_is_in_force_or_not(scope):
    link = scope.graph.link("Alice", "works_on", "RockBot").id
    scope.ontology.set("Alice", "taste/general/colour", "blue")
    scope.ontology.set("Alice", "taste/general/colour", "green")
    alice = scope.graph.get("Alice").id
    blue = next(each.id for each in scope.ontology.versions(alice, "taste/general/colour") if each.value == "blue")
    scope.graph.archive(alice)

    labels = scope.knowledge.labels([alice, link, blue, uuid4()])
    told = {each.id: (each.kind, each.name, each.key, each.text) for each in labels}

    assert told == {
        alice: ("entity", "Alice", None, None),
        link: ("link", "Alice", "works_on", "RockBot"),
        blue: ("claim", "Alice", "colour", "blue"),
    }
