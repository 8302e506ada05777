"""The first minutes: examples in one click, a match opened, the files taken away, everything there after a reload."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SETTLED, Server, examples, grave_faults, settle

PAGES = ("/", "/new_ranking", "/result", "/improve", "/history", "/settings")


def test_a_deep_link_is_the_first_request_that_a_fresh_server_ever_gets(page: Page, server: Server) -> None:
    page.goto(server.url + "/history")
    settle(page)
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(page.get_by_role("link", name="New ranking").first).to_be_visible()


def test_the_examples_are_ranked_in_one_click_and_can_be_taken_away(page: Page, server: Server, tmp_path: Path) -> None:
    examples(page, server)
    expect(page.get_by_text("Offline demo judge, not an LLM").first).to_be_visible()
    page.get_by_role("tab", name="Take away").click()
    files = []
    for _ in range(2):
        with page.expect_download() as download:
            page.get_by_role("button", name="Ranking (CSV)").click()
        target = tmp_path / f"{len(files)}.csv"
        download.value.save_as(target)
        files.append(target.read_bytes())
    assert files[0] == files[1]
    rows = list(csv.DictReader(io.StringIO(files[0].decode("utf-8-sig"))))
    assert [row["rank"] for row in rows] == [str(n) for n in range(1, 13)]
    assert {row["id"] for row in rows} == {f"essay-{n:02d}.txt" for n in range(1, 13)}
    expect(page.get_by_role("tab", name="Take away")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text("Finished").first).to_be_visible()


def test_a_match_has_an_address_and_shows_texts_reasons_prompt_and_reply(page: Page, server: Server) -> None:
    address = examples(page, server)
    page.goto(address + "&match=3")
    settle(page)
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("Match 3, round 1")
    expect(drawer).to_contain_text("The judge saw E-0")
    expect(drawer).to_contain_text("Language and mechanics")
    page.reload()
    settle(page)
    expect(page.get_by_role("dialog")).to_contain_text("Match 3, round 1")


def test_the_keyboard_alone_ranks_the_examples(page: Page, server: Server) -> None:
    page.goto(server.url)
    settle(page)
    button = page.get_by_role("button", name="Rank the 12 example essays")
    for _ in range(40):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            break
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/result?run=**")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_accessibility_fault(server: Server, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)
    address = examples(page, server)
    faults = []
    for path in (*(server.url + path for path in PAGES if path != "/result"), address, address + "&match=2"):
        page.goto(path)
        settle(page)
        page.wait_for_timeout(500)
        faults += grave_faults(page, path)
    context.close()
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_on_a_telephone(server: Server, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(30_000)
    address = examples(page, server)
    for path in (*(server.url + path for path in PAGES if path != "/result"), address):
        page.goto(path)
        page.wait_for_selector(SETTLED)
        page.wait_for_timeout(500)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, f"{path} is {width} pixels wide"
    context.close()
