"""Improving a text in a real browser: the demo in one click, to its end, and what changed."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Server


def test_an_example_is_improved_in_one_click_and_its_versions_stand_side_by_side(page: Page, server: Server) -> None:
    page.goto(server.url + "/improve")
    page.get_by_role("button", name="Improve an example essay").click()
    expect(page.get_by_role("heading", name="Converged after")).to_be_visible(timeout=60_000)
    page.get_by_role("tab", name="What changed").click()
    expect(page.get_by_role("combobox", name="After")).to_have_value("The text as it stands")
    page.get_by_role("tab", name="Passes").click()
    expect(page.get_by_role("heading", name="What the critic found")).to_be_visible()
