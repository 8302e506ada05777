"""Improve a text in a browser: the demo in one click to its end, what changed, an own text; both themes, a telephone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS, Server, grave_faults, settle, too_wide

FAULTY = "Trees are very very important for the the city. ![x](http://192.0.2.1/leak)"


def demo(page: Page, server: Server) -> None:
    """One click on the page, then the run's own page says how it ended."""
    page.goto(server.url + "/improve")
    page.get_by_role("button", name="Improve an example essay").click()
    page.wait_for_url("**/result?run=**")
    expect(page.get_by_role("heading", name="Converged after 3 passes")).to_be_visible(timeout=PATIENCE_MS)
    settle(page)


def test_the_demo_ends_and_shows_what_changed(page: Page, server: Server) -> None:
    demo(page, server)
    expect(page.get_by_text("AI-rewritten").first).to_be_visible()
    page.get_by_role("tab", name="What changed").click()
    settle(page)
    expect(page.get_by_role("combobox", name="After")).to_have_value("The text as it stands")
    expect(page.get_by_text("2 words taken out, 0 words put in")).to_be_visible()
    marked = page.locator("[class*='st-key-quoted_before_']").get_by_text("very")
    assert marked.count() == 2
    line = marked.first.evaluate("node => getComputedStyle(node).textDecorationLine")
    assert line == "underline"
    page.get_by_role("tab", name="Passes").click()
    settle(page)
    expect(page.get_by_role("heading", name="What the critic found")).to_be_visible()
    page.get_by_text("Judge 1, offline", exact=False).first.click()
    expect(page.get_by_text("It did not know which is which.").first).to_be_visible()


def test_an_own_text_goes_through_the_steps_and_can_go_on_after_its_end(page: Page, server: Server) -> None:
    page.goto(server.url + "/improve")
    page.get_by_label("The text to improve").fill(FAULTY)
    page.get_by_role("button", name="Next: Task and criteria").click()
    page.get_by_label("Question or task").fill("Say why trees matter.")
    page.get_by_role("button", name="Next: Roles and judges").click()
    page.get_by_text("Quick", exact=True).click()
    page.get_by_role("button", name="Next: Price and data").click()
    expect(page.get_by_text("3 passes of 4 calls")).to_be_visible()
    expect(page.get_by_text("Nothing leaves this computer.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Start improving").click()
    page.wait_for_url("**/result?run=**")
    expect(page.get_by_role("heading", name="Converged after")).to_be_visible(timeout=PATIENCE_MS)
    settle(page)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Go on").last.click()
    expect(page.get_by_role("heading", name="Converged after 3 passes")).to_be_visible(timeout=PATIENCE_MS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_result_reads_well_and_fits_a_telephone(server: Server, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page, faults = context.new_page(), []
    page.set_default_timeout(30_000)
    demo(page, server)
    for name in ("The text", "What changed", "Passes", "Take away"):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_role("tab", name=name).click()
        settle(page)
        page.wait_for_timeout(500)
        faults += grave_faults(page, name)
        faults += too_wide(page, name)
    context.close()
    assert faults == []
