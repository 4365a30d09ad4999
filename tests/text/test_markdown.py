"""Markdown as the vault reads it: pieces, links, headings and front matter, with exact offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nacre.text import markdown

# What makes a difference to the reader, in any order.
PARTS = st.sampled_from(
    [
        "# Head\n", "## Sub ##\n", "---\n", "a: b\n", "\n", "\r\n", "```\n", "```py\n", "~~~\n", "`", "``", "[[Alpha]]",
        "![[notes/Beta#Goals|the label]]", "[[", "]]", "|", "#", "**bold**", "[a](b.md)", "<!--", "-->", "word ",
        "字字。", "é", "𝄞", "A sentence. ", "x" * 1_300, "long words " * 120,
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PARTS, max_size=40).map("".join), st.text(max_size=300))


@given(TEXTS)
def test_pieces_are_the_whole_text_in_order_and_none_is_too_long(text):
    pieces = markdown.read("notes/x.md", text).pieces

    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    assert all(0 < piece.end - piece.start <= markdown.MAX_PIECE for piece in pieces)
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]


@given(TEXTS)
def test_links_stand_where_they_say_and_prose_keeps_every_offset(text):
    for link in markdown.read("x.md", text).links:
        written = text[link.start : link.end]
        assert written.startswith("![[" if link.embed else "[[")
        assert written.endswith("]]")
        assert link.target in written
    prose = markdown.prose(text)
    assert len(prose) == len(text)
    assert all(left in (right, " ") for left, right in zip(prose, text, strict=True))


@given(TEXTS, st.integers(2, 400))
def test_a_text_can_be_cut_at_any_length(text, limit):
    spans = markdown.spans(text, limit=limit)

    assert "".join(text[start:end] for start, end in spans) == text
    assert all(0 < end - start <= limit for start, end in spans)


def test_a_piece_ends_before_a_heading_else_between_paragraphs():
    body = "Some words about it. " * 20
    text = f"# One\n\n{body}\n\n{body}\n\n{body}\n\n{body}\n\n# Two\n\n{body}\n"

    pieces = [text[piece.start : piece.end] for piece in markdown.read("x.md", text).pieces]

    assert pieces[0].startswith("# One")
    assert pieces[1].startswith("Some words")
    assert pieces[2].startswith("# Two")
    assert len(pieces) == 3


def test_a_piece_knows_its_title_its_path_and_the_headings_above_it():
    body = "Nothing much. " * 20
    text = f"# Manual\n\n{body}\n\n## Setup\n\n{body}\n\n### Linux\n\n{body}\n\n## Use\n\n{body}"

    under = [piece.under for piece in markdown.read("guides/my-tool.md", text).pieces]

    assert under == [
        "Manual guides my tool",
        "Manual guides my tool\nManual",
        "Manual guides my tool\nManual\nSetup",
        "Manual guides my tool\nManual",
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From the front\n---\n# Heading", "From the front"),
        ("Words first\n\n# The *first* `heading` ##\n", "The first heading"),
        ("```\n# a comment\n```\n## Small", "Launch"),
        ("No heading at all", "Launch"),
        ("---\ntitle: ''\n---\nwords", "Launch"),
        ("---\ntitle: [a, b]\n---\nwords", "Launch"),
        ("# " + "长" * 500, "长" * 200),
    ],
)
def test_the_title_is_in_the_front_matter_else_the_first_heading_else_the_name(text, title):
    assert markdown.read("notes/Launch.md", text).title == title


def test_front_matter_is_names_with_texts_and_lists():
    text = "---\ntitle: \"Q: why?\"\ntags: [a, 'b c']\npeople:\n  - Ana\n  - Ben\nempty:\n---\nBody"

    properties, body = markdown.front_matter(text)

    assert properties == {"title": "Q: why?", "tags": ["a", "b c"], "people": ["Ana", "Ben"], "empty": ""}
    assert text[body:] == "Body"
    assert markdown.front_matter("---\ntitle: never closed") == ({}, 0)
    assert markdown.front_matter('---\ntags: [a, "b, c"]\n---\n')[0] == {"tags": ["a", "b, c"]}
    assert markdown.front_matter("---\nday: 2026-05-03\nnote: |\n  two\n  lines\ndeep: {a: b}\n---\n")[0] == {
        "day": "2026-05-03",
        "note": "two\nlines\n",
    }
    assert markdown.front_matter("---\ntitle: a: b: [\n---\nBody")[0] == {}
    assert markdown.front_matter("---\nx: " + "[" * 5_000 + "\n---\n")[0] == {}
    assert markdown.front_matter("Body\n---\na: b\n---\n") == ({}, 0)
    assert markdown.front_matter("---\r\na: b\r\n---\r\nBody")[0] == {"a": "b"}


def test_links_of_every_form_are_read_and_none_in_code():
    code = "`[[no]]` ``[[` no]]``\n\n```\n[[no]]\n```\n~~~~\n[[no]]\n~~~\n[[no]]\n"
    text = f"[[A]] [[B|b b]] [[C#Part]] ![[D]] | [[E\\|e]] | {code}"

    read = markdown.read("x.md", text).links

    assert [(link.target, link.heading, link.label, link.embed) for link in read] == [
        ("A", None, None, False),
        ("B", None, "b b", False),
        ("C", "Part", None, False),
        ("D", None, None, True),
        ("E", None, "e", False),
    ]
    assert markdown.read("x.md", "[[]] [[#here]] [[a\nb]] [[ ]] [a] [[c]d]]").links == ()


def test_backticks_that_are_not_closed_hide_nothing():
    assert len(markdown.read("x.md", "a ` b [[A]]\n\nnext ` [[B]]").links) == 2
    assert len(markdown.read("x.md", "`a` [[A]] ``` [[B]] `").links) == 2


def test_prose_keeps_what_is_read_aloud():
    text = "**Alice** leads [[alpha/x|Project Alpha]], see [the site](http://example.org/x_y) `code` <!-- not --> _so_."

    assert markdown.prose(text).split() == ["Alice", "leads", "Project", "Alpha", ",", "see", "the", "site", "so", "."]


def test_names_are_compared_without_case_accents_width_and_extension():
    assert markdown.key("Notes/Café.MD") == markdown.key("notes/cafe") == markdown.key("ｎｏｔｅｓ/CAFÉ")
    assert markdown.key("計画.md") == "計画"
    assert markdown.name_of(".md") == ".md"


def test_a_snippet_is_around_the_words():
    text = "nothing here " * 50 + "the harbour crane stands still " + "and more of nothing " * 50

    snippet = markdown.snippet(text, ["harbour", "crane"])

    assert "harbour crane" in snippet
    assert len(snippet) <= 242
    assert markdown.snippet("short\n\ntext", ["zebra"]) == "short text"
    assert markdown.snippet("x" * 500, ["zebra"]) == "x" * 240 + "…"
