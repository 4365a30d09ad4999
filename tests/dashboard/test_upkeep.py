"""Dreams and jobs."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from nacre import ScopedNacre

LONG = "The board met on Monday. It chose Oslo for the fair. The stand costs 900 euros. Ines books the hotel. "


def test_a_dream_is_tried_before_it_is_carried_out(page: Page, site: str, scope: ScopedNacre) -> None:
    before = [each.id for each in scope.dreams.history(limit=200)]
    page.goto(f"{site}#/dreams")
    page.get_by_role("button", name="Dream now").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Choose none").click()
    dialog.get_by_role("checkbox", name="Summaries").check()
    dialog.get_by_role("checkbox", name="Decay").check()

    dialog.get_by_role("button", name="See what it would do").click()
    expect(dialog.get_by_text("This was a dry run, and nothing has changed")).to_be_visible()
    assert [each.id for each in scope.dreams.history(limit=200)] == before

    dialog.get_by_role("button", name="Carry it out").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="The dream is over")).to_be_visible()
    made, *rest = scope.dreams.history(limit=200)
    assert [each.id for each in rest] == before
    report: Any = made.report
    assert [each["name"] for each in report["passes"]] == ["summaries", "decay"]
    expect(page.locator(".dreams-cycle").first).to_contain_text("asked for")


def test_a_report_tells_what_each_pass_did_and_why(page: Page, site: str, scope: ScopedNacre) -> None:
    report: Any = scope.dreams.history(limit=1)[0].report
    passes = report["passes"]
    told = next(each for each in passes if each["changes"])
    quiet = next(each for each in passes if not each["changes"])
    page.goto(f"{site}#/dreams")
    night = page.locator(".dreams-cycle").first

    night.locator("summary", has_text=re.compile(told["name"], re.IGNORECASE)).click()
    for change in told["changes"]:
        expect(night.get_by_text(change["what"], exact=True).first).to_be_visible()
        expect(night.get_by_text(change["why"], exact=True).first).to_be_visible()
    expect(night.get_by_role("listitem").filter(has_text=quiet["name"].capitalize())).to_contain_text("Nothing")


def test_a_job_that_was_given_up_is_tried_again(page: Page, site: str, scope: ScopedNacre) -> None:
    [dead] = scope.jobs.list("dead")
    page.goto(f"{site}#/jobs")
    page.get_by_role("button", name="Given up").click()
    expect(page).to_have_url(re.compile("status=dead"))
    jobs = page.get_by_role("region", name="Jobs")
    expect(jobs).to_contain_text(dead.error or "?")

    jobs.get_by_role("button", name="Try again").click()

    expect(page.get_by_text("Nothing was given up.")).to_be_visible()
    assert scope.jobs.show(dead.id).status == "waiting"


def test_new_work_is_shown_as_it_comes_in(page: Page, site: str, scope: ScopedNacre) -> None:
    page.goto(f"{site}#/jobs?status=waiting")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    expect(page.get_by_text("Nothing waits to be done.")).to_be_visible()

    scope.remember(LONG * 3)

    assert scope.jobs.list("waiting")
    expect(page.get_by_role("region", name="Jobs")).to_contain_text("Split up a long memory")
    expect(page.get_by_role("button", name="Waiting 1")).to_be_visible()


def test_where_there_is_no_stream_the_page_asks(page: Page, site: str, scope: ScopedNacre) -> None:
    page.route("**/jobs/events*", lambda route: route.fulfill(status=404, json={}))
    page.goto(f"{site}#/jobs?status=waiting")
    expect(page.get_by_text("Asking every 5 s")).to_be_visible()

    scope.remember(LONG * 3)

    expect(page.get_by_role("region", name="Jobs")).to_contain_text("Split up a long memory")
