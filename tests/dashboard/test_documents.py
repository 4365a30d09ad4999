"""Documents of the vault."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from nacre import ScopedNacre


def test_a_document_is_read_its_links_followed_and_it_is_archived_and_put_back(
    page: Page, site: str, scope: ScopedNacre
) -> None:
    page.goto(f"{site}#/documents")
    page.get_by_role("link", name="Launch plan").click()
    expect(page.get_by_role("heading", name="Launch plan", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="If something breaks")).to_be_visible()
    expect(page.get_by_text("pebble", exact=True)).to_be_visible()

    page.locator(".markdown").get_by_role("link", name="Recall procedure").click()
    expect(page.get_by_role("heading", name="Recall procedure", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Links").get_by_role("link", name="Launch plan")).to_be_visible()

    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_text("archived", exact=True)).to_be_visible()
    assert "runbooks/recall.md" not in {each.path for each in scope.vault.list()}
    page.get_by_role("button", name="Put back").click()
    expect(page.get_by_role("button", name="Archive")).to_be_visible()
    assert "runbooks/recall.md" in {each.path for each in scope.vault.list()}


def test_a_file_becomes_a_document(page: Page, site: str, scope: ScopedNacre, tmp_path: Path) -> None:
    note = tmp_path / "frost.md"
    note.write_text("# Frost\n\nBelow *five* degrees, see [[Nowhere]].\n<script>alert(1)</script>", encoding="utf-8")
    page.goto(f"{site}#/documents")
    page.get_by_role("button", name="Add a file").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("File").set_input_files(note)
    dialog.get_by_label("Keep it as").fill("notes/frost.md")
    dialog.get_by_role("button", name="Add it").click()

    expect(page.get_by_role("heading", name="Frost", level=1)).to_be_visible()
    expect(page.locator(".markdown em")).to_have_text("five")
    expect(page.locator(".markdown")).to_contain_text("<script>alert(1)</script>")
    expect(page.get_by_text(re.compile("No document goes by “Nowhere”"))).to_be_visible()
    assert scope.vault.get("notes/frost.md").title == "Frost"
