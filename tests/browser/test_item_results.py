"""Results of runs that judge items, in a browser: a gate and retrieval answers, opened, read and taken away."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from judge_core.interfaces.library.options import ItemOptions, item_spec
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.criteria import Rubric
from judge_core.records.spec import ItemMode
from tests.browser.conftest import Server, settle
from tests.pages import stored_item_runs
from tests.pages.stored_item_runs import KIND, OTHER, read, register


def made(home: Path, mode: ItemMode) -> str:
    """A finished run in the server's data folder, made before it looks there."""
    register()
    bench = Workbench(Settings(home=home))
    try:
        rubric = Rubric() if mode == "rag" else Rubric(criteria=stored_item_runs.CRITERIA)
        options = ItemOptions(judges=(KIND, OTHER), name=f"My {mode}")
        run = bench.start(item_spec(bench, mode, bench.keep_items(read(mode)), rubric, options))
        assert bench.wait(run, 30).status == "done"
        return run
    finally:
        bench.close()


def rows_of(page: Page, button: str) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"))))


def open_by_name(page: Page, name: str) -> None:
    box = page.get_by_role("combobox", name="Open item")
    box.click()
    box.fill(name)
    page.get_by_role("option", name=name).first.click()
    settle(page)


def test_a_gate_is_read_from_verdict_to_reason_and_taken_away(page: Page, server: Server) -> None:
    run = made(server.home, "gate")
    page.goto(f"{server.url}/history")
    settle(page)
    expect(page.get_by_text("1 run, newest first")).to_be_visible()
    page.goto(f"{server.url}/result?run={run}")
    settle(page)
    expect(page.get_by_role("heading", name="texts pass the bar of 3.5")).to_be_visible()
    page.get_by_text("Show names").first.click()
    settle(page)
    open_by_name(page, "short")
    assert re.search(r"item=I-\d+", page.url), "the address names the item"
    expect(page.get_by_text("✗ below the bar")).to_be_visible()
    expect(page.get_by_text("All good.", exact=True).first).to_be_visible()
    address = page.url
    page.reload()
    settle(page)
    assert page.url == address
    expect(page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Previous item").click()
    settle(page)
    page.get_by_role("tab", name="Take away").click()
    settle(page)
    rows = rows_of(page, "Gate (CSV)")
    assert {row["id"]: row["passed"] for row in rows} == {
        "long report.txt": "yes", "middle note.txt": "yes", "short.txt": "no",
    }  # fmt: skip


def test_a_claim_is_read_beside_its_passage(page: Page, server: Server) -> None:
    run = made(server.home, "rag")
    page.goto(f"{server.url}/result?run={run}")
    settle(page)
    open_by_name(page, "How often does bus 4")
    passage = page.get_by_text("Bus 4, Sundays: runs every 40 minutes").first
    claim = page.get_by_text("The last bus leaves at noon.", exact=True).first
    expect(passage).to_be_visible()
    expect(claim).to_be_visible()
    left, right = passage.bounding_box(), claim.bounding_box()
    assert left and right and left["x"] + left["width"] <= right["x"] + 1, "they stand side by side"
    expect(page.get_by_text(re.compile("contradicted$")).first).to_be_visible()
    page.get_by_text("Exact prompts and raw replies").scroll_into_view_if_needed()
    page.get_by_text(re.compile(r"^1\. scripted, claims: read")).click()
    expect(page.get_by_text("Raw reply").first).to_be_visible()
    page.get_by_role("tab", name="Take away").click()
    settle(page)
    claims = rows_of(page, "Claims (CSV)")
    assert {row["verdict"] for row in claims} >= {"supported", "contradicted"}
    with page.expect_download() as download:
        page.get_by_role("button", name="Everything (JSON)").click()
    assert json.loads(Path(download.value.path()).read_bytes())["run"] == run


@pytest.mark.parametrize("width", [1440, 390])
def test_no_result_is_wider_than_its_page(page: Page, server: Server, width: int) -> None:
    """Tables and charts scroll by themselves; the page does not scroll sideways."""
    runs = [made(server.home, mode) for mode in ("gate", "listwise", "rag", "agent")]
    page.set_viewport_size({"width": width, "height": 900})
    for run in runs:
        page.goto(f"{server.url}/result?run={run}")
        settle(page)
        for section in ("Results", "Why", "Can you trust this?", "Take away"):
            page.get_by_role("tab", name=section).click()
            settle(page)
            assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"), section


def test_the_words_over_the_rows_of_a_chart_are_seen_whole_on_a_telephone(page: Page, server: Server) -> None:
    runs = [made(server.home, mode) for mode in ("gate", "rag", "agent")]
    page.set_viewport_size({"width": 390, "height": 900})
    for run in runs:
        page.goto(f"{server.url}/result?run={run}")
        settle(page)
        lines = page.locator(".js-plotly-plot .annotation-text")
        expect(lines.first).to_be_visible()
        for box in [line.bounding_box() for line in lines.all()]:
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
