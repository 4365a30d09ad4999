"""Settings, tokens, sharing, export, and forgetting a user."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from nacre import Nacre, ScopedNacre, Settings


def test_every_setting_stands_there_with_its_variable_and_its_meaning(page: Page, site: str) -> None:
    page.goto(f"{site}#/settings")
    table = page.get_by_role("region", name="Settings")
    expect(table).to_contain_text("NACRE_DATABASE")
    rows = {row.split("\t")[0]: row for row in table.get_by_role("row").all_inner_texts()}

    for name, field in Settings.model_fields.items():
        assert (field.description or "?").replace("`", "") in rows[f"NACRE_{name.upper()}"]
    expect(page.get_by_role("region", name="What it runs on")).to_contain_text("sqlite")
    expect(page.get_by_text("healthy")).to_be_visible()


def test_a_token_is_issued_shown_once_and_revoked(page: Page, site: str, brain: Nacre) -> None:
    page.goto(f"{site}#/settings/tokens")
    page.get_by_role("button", name="Issue a token").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("laptop of Ana")
    dialog.get_by_label("Role").select_option("readonly")
    dialog.get_by_label("For the agent").select_option("demo")
    dialog.get_by_label("For the user").fill("ana")
    dialog.get_by_label("It ends").select_option("in 30 days")
    dialog.get_by_role("button", name="Issue").click()
    secret = dialog.get_by_label("Secret").input_value()

    [token] = [each for each in brain.tokens.list() if each.name == "laptop of Ana"]
    assert (token.role, token.agent, token.user) == ("readonly", "demo", "ana")
    assert secret.startswith(token.prefix)
    assert token.expires_at is not None
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_text(secret)).to_have_count(0)

    page.get_by_role("button", name="Revoke laptop of Ana").click()
    dialog.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("row", name="laptop of Ana")).to_contain_text("revoked")
    assert brain.tokens.list()[0].revoked_at is not None


def test_what_an_agent_shares_changes_only_when_confirmed(page: Page, site: str, brain: Nacre) -> None:
    page.goto(f"{site}#/settings/agent")
    switch = page.get_by_role("switch", name="Other agents may read its graph")
    before = brain.agent("demo").sharing()
    switch.click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert brain.agent("demo").sharing() == before

    checked = switch.get_attribute("aria-checked") == "true"
    switch.click()
    page.get_by_role("dialog").get_by_role("button", name="Turn it").click()

    expect(switch).to_have_attribute("aria-checked", "false" if checked else "true")
    assert brain.agent("demo").sharing().read_policy == ("isolated" if checked else "shared")


def test_a_scope_is_downloaded_as_a_file(page: Page, site: str, scope: ScopedNacre, tmp_path: Path) -> None:
    page.goto(f"{site}#/settings/agent")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()

    path = tmp_path / "out.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as out:
        scope.transfer.export(out)
    assert download.value.suggested_filename == "demo.jsonl"
    got = Path(download.value.path()).read_text("utf-8").splitlines()
    assert len(got) == len(path.read_text("utf-8").splitlines())


def test_a_user_is_forgotten_only_when_the_name_is_written_out(page: Page, site: str, brain: Nacre) -> None:
    zoe = brain.scope("demo", user="zoe")
    zoe.remember("The code word is swordfish.")
    page.goto(f"{site}#/settings/agent")
    page.get_by_role("textbox", name="User").fill("zoe")
    page.get_by_role("button", name="Forget …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Remove it for good").check()
    confirm = dialog.get_by_role("button", name="Remove for good")
    expect(confirm).to_be_disabled()

    dialog.get_by_label(re.compile("to confirm")).fill("zoe")
    confirm.click()

    expect(page.get_by_role("status").filter(has_text="zoe is forgotten for good: 1 memories")).to_be_visible()
    assert list(zoe.recall("swordfish")) == []
