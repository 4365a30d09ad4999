from bench.pages import markers, publish, rewritten

BEGIN, END = markers("quality")


def test_only_what_is_between_the_markers_is_rewritten():
    page = f"# Title\n\nBefore.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n"

    assert rewritten(page, "quality", "new") == f"# Title\n\nBefore.\n\n{BEGIN}\nnew\n{END}\n\nAfter.\n"


def test_rewriting_twice_changes_nothing_more():
    once = rewritten("# Title\n", "quality", "figures")

    assert rewritten(once, "quality", "figures") == once


def test_a_missing_section_is_added_at_the_end():
    assert rewritten("# Title\n", "quality", "figures") == f"# Title\n\n{BEGIN}\nfigures\n{END}\n"


def test_sections_do_not_touch_each_other():
    page = rewritten(rewritten("# Title\n", "quality", "how good"), "speed", "how fast")

    page = rewritten(page, "quality", "how good now")

    assert "how good now" in page
    assert "how fast" in page
    assert "how good\n" not in page


def test_sections_whose_names_begin_alike_are_kept_apart():
    page = rewritten(rewritten("", "quality-other", "another"), "quality", "plain")

    assert page.count("bench:quality:begin") == 1
    assert "another" in page


def test_a_page_that_is_not_there_is_created_with_an_introduction(tmp_path):
    page = tmp_path / "docs" / "benchmarks.md"

    publish("quality", "figures", page)

    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks\n")
    assert f"{BEGIN}\nfigures\n{END}" in text


def test_long_lines_of_prose_are_broken_and_rows_of_tables_are_not():
    row = f"| {'cell ' * 40}|"
    long = "measured " * 30

    assert rewritten("", "quality", f"{long}\n{row}").split("\n")[-3] == row
    assert max(map(len, rewritten("", "quality", long).split("\n"))) <= 140
