"""Other jobs in a browser: two pasted texts, the sample of answers, and a page that reads well in both themes and on a telephone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from judge_core.interfaces.dashboard.jobs.kinds import JOBS
from tests.browser.conftest import Server, grave_faults, settle, too_wide

LONG = "Because days grow short, the tree seals each stem, and the wind does the rest."


def job(page: Page, server: Server, name: str) -> None:
    """The page by its link."""
    page.goto(f"{server.url}/other_jobs?job={name}")
    expect(page.get_by_role("heading", name="Price and data")).to_be_visible()
    settle(page)


def finished(page: Page) -> None:
    """Run is pressed and the run's own page says that it is over."""
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_enabled()
    run.click()
    page.wait_for_url("**/result?run=**")
    expect(page.get_by_text("Finished").first).to_be_visible()
    settle(page)


def test_two_pasted_texts_are_compared(page: Page, server: Server) -> None:
    job(page, server, "compare")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    page.get_by_label("Text A", exact=True).fill("Wind.")
    page.get_by_label("Text B", exact=True).fill(LONG)
    page.get_by_label("Question or task").click()
    expect(page.get_by_text("Nothing leaves this computer.")).to_be_visible()
    finished(page)
    expect(page.get_by_text("Offline demo judge, not an LLM").first).to_be_visible()
    expect(page.get_by_role("heading", name="Text B is the better one")).to_be_visible()
    expect(page.get_by_role("tab", name="The comparison")).to_have_attribute("aria-selected", "true")
    page.get_by_role("link", name="Other jobs").click()
    expect(page.get_by_label("Text B", exact=True)).to_have_value(LONG)


def test_what_is_typed_while_another_text_is_being_stored_stays(page: Page, server: Server) -> None:
    job(page, server, "compare")
    page.get_by_label("Text A", exact=True).fill(LONG)
    page.get_by_label("Text B", exact=True).click()
    page.keyboard.type(LONG, delay=15)
    expect(page.get_by_label("Text B", exact=True)).to_have_value(LONG)
    page.get_by_label("Question or task").click()
    finished(page)


def test_text_that_was_just_typed_is_not_lost_to_a_quick_run(page: Page, server: Server) -> None:
    job(page, server, "score")
    page.get_by_label("The text", exact=True).fill("Wind.")
    page.get_by_label("Question or task").fill("Why do leaves fall?")
    page.get_by_label("The text", exact=True).fill(LONG)
    finished(page)
    page.get_by_role("link", name="Other jobs").click()
    expect(page.get_by_label("The text", exact=True)).to_have_value(LONG)
    expect(page.get_by_label("Question or task")).to_have_value("Why do leaves fall?")


def test_the_sample_of_answers_is_judged(page: Page, server: Server) -> None:
    job(page, server, "rag")
    page.get_by_role("button", name="Try the sample").click()
    expect(page.get_by_text("7 answers")).to_be_visible()
    finished(page)


def test_a_job_chosen_by_keyboard_stands_in_the_address_and_survives_a_reload(page: Page, server: Server) -> None:
    job(page, server, "compare")
    page.get_by_role("radio", name="Compare two texts").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name="Score one text")).to_be_visible()
    page.wait_for_url("**job=score**")
    page.reload()
    expect(page.get_by_role("heading", name="Score one text")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_job_has_a_serious_accessibility_fault_or_sticks_out(server: Server, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)
    faults: list[object] = []
    for name in JOBS:
        page.set_viewport_size({"width": 1440, "height": 900})
        job(page, server, name)
        sample = page.get_by_role("button", name="Try ")
        if sample.count():
            sample.first.click()
            expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
            settle(page)
        faults += grave_faults(page, name)
        faults += too_wide(page, name)
    context.close()
    assert faults == []
