"""Wikilinks: where they lead, what leads back, and which lead nowhere."""

import pytest


@pytest.mark.spec("G14")
def test_wikilinks_lead_by_path_then_by_name_then_by_title(scope):
    paths = ["Alpha.md", "deep/notes/Beta.md", "x/gamma.md", "y/gamma.md", "titled.md"]
    for path in paths:
        scope.vault.save(path, "# Δelta Título\n" if path == "titled.md" else f"# {path}\n")
    targets = {
        "alpha": "Alpha.md",
        "ALPHA.md": "Alpha.md",
        "beta": "deep/notes/Beta.md",
        "notes/beta": "deep/notes/Beta.md",
        "y/Gamma": "y/gamma.md",
        "gamma": "x/gamma.md",
        "δelta titulo": "titled.md",
        "otes/beta": None,
        "missing": None,
    }
    scope.vault.save("start.md", " ".join(f"[[{target}#Part|label]]" for target in targets))

    links = scope.vault.links("start.md")

    assert {link.target: link.document and link.document.path for link in links.outgoing} == targets
    assert {(link.heading, link.label, link.source.path) for link in links.outgoing} == {("Part", "label", "start.md")}
    assert [link.target for link in scope.vault.links("deep/notes/Beta.md").backlinks] == ["beta", "notes/beta"]
    assert [link.target for link in scope.vault.broken()] == ["otes/beta", "missing"]
    assert [link.target for link in scope.vault.broken(limit=1)] == ["otes/beta"]


def test_a_broken_link_is_whole_as_soon_as_its_target_is_there_and_circles_are_fine(scope):
    scope.vault.save("a.md", "To [[b]] and to myself [[a]].")
    assert [link.document is None for link in scope.vault.links("a.md").outgoing] == [True, False]

    scope.vault.save("b.md", "Back to [[a]].")

    assert [link.document.path for link in scope.vault.links("a.md").outgoing if link.document] == ["b.md", "a.md"]
    assert sorted(link.source.path for link in scope.vault.links("a.md").backlinks) == ["a.md", "b.md"]
    assert scope.vault.broken() == []
    scope.vault.archive("b.md")
    assert [link.target for link in scope.vault.broken()] == ["b"]
    scope.vault.save("a.md", "No link any more.")
    assert scope.vault.broken() == []
