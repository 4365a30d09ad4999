"""GraphML, Turtle and Markdown, read back by somebody else's parser or a strict one of our own."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre import Invalid, Settings
from nacre.domain.operations import ArchiveEntity
from nacre.transfer import turtle
from tests import examples

NS = "{http://graphml.graphdrawing.org/xmlns}"
ODD = 'Ana "the <b>" & \\Co\u2028 東京 ]] | #1'


@pytest.fixture
def brain_settings():
    return Settings(worker="off", embedder="off")


@pytest.fixture
def filled(scope):
    said = scope.observe("assistant", "Ana works on\nNacre \x07 & tea.", ref="m1")
    scope.graph.add(ODD, type="person", aliases=["A\\na"], description="Line one\nline two", properties={"k <&>": 'v"'})
    scope.graph.link(ODD, "works_on", "Nacre", confidence=0.25, said_in=said.id, quote="Ana works on\nNacre \x07")
    scope.graph.link(ODD, "has_role", value="lead; 'CTO'")
    scope.ontology.set(ODD, "home/city", "Łódź\n.")
    scope.graph.add("Gone")
    scope.graph.link(ODD, "knows", "Gone")
    scope.ontology.apply([ArchiveEntity(entity="Gone")])
    scope.remember("Oat milk\nand cake", category="taste/drinks", tags=["tea", "odd tag"])
    return scope


def export(scope, form):
    out = io.StringIO()
    report = scope.transfer.export(out, format=form)
    return out.getvalue(), report


@pytest.mark.spec("N5")
def test_graphml_holds_entities_links_and_claims_with_typed_attributes(filled):
    text, report = export(filled, "graphml")

    root = ET.fromstring(text)
    keys = {key.get("id"): key for key in root.iter(f"{NS}key")}
    nodes = {node.get("id"): data(node) for node in root.iter(f"{NS}node")}
    edges = [(edge.get("source"), edge.get("target"), data(edge)) for edge in root.iter(f"{NS}edge")]
    assert keys["edge_confidence"].get("attr.type") == "double"
    ana, nacre = str(filled.graph.get(ODD).id), str(filled.graph.get("Nacre").id)
    assert nodes[ana]["node_name"] == ODD
    assert nodes[ana]["node_aliases"] == "A\\na"
    told = {edge["edge_predicate"]: (source, target, edge) for source, target, edge in edges}
    assert told["works_on"][:2] == (ana, nacre)
    assert float(told["works_on"][2]["edge_confidence"]) == 0.25
    assert told["works_on"][2]["edge_quote"] == "Ana works on\nNacre �"
    assert nodes[told["has_role"][1]]["node_name"] == "lead; 'CTO'"
    assert nodes[told["home/general/city"][1]]["node_name"] == "Łódź\n."
    assert all(source in nodes and target in nodes for source, target, _ in edges)
    assert report.counts["claims"] == 1


def data(element):
    return {each.get("key"): each.text or "" for each in element.iter(f"{NS}data")}


TERM = re.compile(
    r"""\s*(?:
        (?P<iri><[^\x00-\x20<>"{}|^`\\]*>)
      | (?P<literal>"(?:[^"\\\n\r]|\\[tbnrf"'\\]|\\u[0-9A-Fa-f]{4})*")(?:\^\^(?P<type>[a-z]+:[A-Za-z]+))?
      | (?P<name>[a-z]+:[A-Za-z]+|a\b)
      | (?P<sign>[.;,])
    )""",
    re.VERBOSE,
)
ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "'": "'"}


def triples(text):
    """The triples of a document, strictly: whatever is not Turtle fails."""
    body = re.sub(r"^@prefix \w+: <[^>]+> \.$", "", text, flags=re.MULTILINE)
    at, found, subject, predicate = 0, [], None, None
    expecting = "subject"
    while body[at:].strip():
        match = TERM.match(body, at)
        assert match, body[at : at + 80]
        at = match.end()
        if match["sign"]:
            assert expecting == "sign"
            expecting = {".": "subject", ";": "predicate", ",": "object"}[match["sign"]]
            continue
        term = unescaped(match["literal"]) if match["literal"] is not None else match[0].strip()
        if expecting == "subject":
            subject, expecting = term, "predicate"
        elif expecting == "predicate":
            predicate, expecting = term, "object"
        else:
            assert expecting == "object"
            found.append((subject, predicate, term))
            expecting = "sign"
    assert expecting == "subject"
    return found


def unescaped(literal):
    return re.sub(r"\\(?:u([0-9A-F]{4})|(.))", lambda m: chr(int(m[1], 16)) if m[1] else ESCAPED[m[2]], literal[1:-1])


@pytest.mark.spec("N5")
def test_turtle_holds_facts_in_one_step_and_as_statements(filled):
    text, report = export(filled, "turtle")

    found = triples(text)
    ana, nacre = (f"<urn:uuid:{filled.graph.get(name).id}>" for name in (ODD, "Nacre"))
    assert (ana, "rdfs:label", ODD) in found
    assert (ana, "<urn:nacre:predicate:works_on>", nacre) in found
    assert (ana, "<urn:nacre:claim:home/general/city>", "Łódź\n.") in found
    assert (ana, "<urn:nacre:property:k%20%3C%26%3E>", 'v"') in found
    statement = next(s for s, p, o in found if p == "rdf:predicate" and o == "<urn:nacre:predicate:works_on>")
    about = {predicate: value for subject, predicate, value in found if subject == statement}
    assert (about["rdf:subject"], about["rdf:object"]) == (ana, nacre)
    assert (about["nacre:confidence"], about["nacre:quote"]) == ("0.25", "Ana works on\nNacre \x07")
    assert report.counts == {"entities": 2, "links": 2, "claims": 1}


@given(st.text(st.characters(exclude_categories=["Cs"])))
@examples.cheap()
def test_any_text_is_a_literal_and_comes_back(text):
    match = TERM.fullmatch(turtle.literal(text))

    assert match
    assert unescaped(match["literal"]) == text


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_name_is_part_of_an_address(text):
    assert TERM.fullmatch(f"<urn:nacre:property:{turtle.part(text)}>")


@pytest.mark.spec("N5")
def test_markdown_is_a_note_for_each_entity_and_each_category(filled, tmp_path):
    report = filled.transfer.export(tmp_path / "notes", format="markdown")

    notes = {path.relative_to(tmp_path / "notes").as_posix(): path.read_text() for path in tmp_path.rglob("*.md")}
    ana = next(name for name in notes if "Ana" in name)
    assert re.fullmatch(r'entities/[^\\/:*?"<>|#^\[\]]+\.md', ana)
    links = re.findall(r"\[\[([^\]|]+)(?:\|[^\]]*)?\]\]", notes[ana])
    assert links
    assert all(f"entities/{target}.md" in notes for target in links)
    assert "- works_on [[Nacre]] (0.25)\n  > Ana works on Nacre" in notes[ana]
    assert "- **home/city**: Łódź . (1.00)" in notes[ana]
    assert notes["memories/taste/drinks.md"].startswith("# Memories: taste/drinks\n\n- Oat milk and cake (")
    assert report.counts["memories"] == 1


def test_markdown_is_one_file_where_one_is_named(filled, tmp_path):
    filled.transfer.export(tmp_path / "all.md", format="markdown")

    text = (tmp_path / "all.md").read_text()
    assert "# Nacre" in text
    assert "# Memories: taste/drinks" in text


def test_names_that_differ_by_case_or_by_nothing_a_file_can_hold_get_files_of_their_own(scope, tmp_path):
    for name in ("Ana", "ANA ", "a/b", "a:b", "..", "/", "東" * 150, "x" * 200):
        scope.graph.add(name, type="concept", slug=f"{name} slug"[:200])

    scope.transfer.export(tmp_path / "notes", format="markdown")

    assert len(list((tmp_path / "notes/entities").iterdir())) == len(scope.graph.search(limit=100))
    assert {path.parent.name for path in tmp_path.rglob("*.md")} == {"entities"}


def test_an_empty_scope_can_be_written_in_every_format(scope, tmp_path):
    for form in ("mcp", "graphml", "turtle", "markdown"):
        export(scope, form)
    scope.transfer.export(tmp_path / "rb", format="rockbot")

    assert list((tmp_path / "rb").iterdir()) == []


@pytest.mark.parametrize("form", ["mem0", "nonsense", ""])
def test_a_format_that_is_not_written_is_refused(scope, tmp_path, form):
    with pytest.raises(Invalid, match="format"):
        scope.transfer.export(tmp_path / "x", format=form)


def test_a_folder_cannot_be_written_into_a_file(scope):
    with pytest.raises(Invalid, match="must be a folder"):
        scope.transfer.export(io.StringIO(), format="rockbot")


def test_a_path_whose_folder_is_not_there_is_refused(scope):
    with pytest.raises(Invalid, match="cannot be written"):
        scope.transfer.export(Path("nowhere/at/all.jsonl"))


def test_a_folder_in_place_of_a_file_is_refused(scope, tmp_path):
    with pytest.raises(Invalid, match="cannot be written"):
        scope.transfer.export(tmp_path)
    with pytest.raises(Invalid, match="cannot be read"):
        scope.transfer.load(tmp_path, format="jsonl")
    assert [path.name for path in tmp_path.parent.iterdir() if path.suffix == ".part"] == []
