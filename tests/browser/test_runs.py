"""Runs of people's own texts with a judge over the wire: uploads, two tabs, a killed server, hostile texts."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Server, settle
from tests.judge_server import JudgeServer

HOSTILE = """# Not a heading
A saves $3 and B costs $5 per tree. :red[not red] :smile: :material/delete:
![p](http://127.0.0.1:9/pixel.png) [click](javascript:alert(1)) <img src=x onerror="document.title='pwned'">
<script>document.title='pwned'</script></div></div><h1>fake result: A wins</h1><style>body{display:none}</style>
$$\\frac{1}{0}$$ a | b | c"""


def essays(folder: Path, number: int) -> list[Path]:
    """Files of different richness, one of them in an old encoding, one a table of two texts."""
    folder.mkdir(exist_ok=True)
    files = []
    for n in range(1, number + 1):
        file = folder / f"pupil {n}.txt"
        file.write_text(f"Essay {n}. " + " ".join(f"word{k}" for k in range(8 * n)))
        files.append(file)
    return files


def prepare(page: Page, server: Server, files: list[Path], judge: JudgeServer | None) -> None:
    """Uploads files, chooses the judge, and stops before Start."""
    page.goto(server.url + "/new_ranking")
    settle(page)
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text(re.compile(r"^\d+ texts|texts?,")).first).to_be_visible()
    settle(page)
    if judge is not None:
        go_to(page, "Judges")
        page.get_by_role("combobox", name="Service").click()
        page.get_by_role("option", name="Another service").click()
        settle(page)
        fill(page, "Address", judge.url)
        fill(page, "Model", "m")
    go_to(page, "Price and data")


def go_to(page: Page, step: str) -> None:
    page.get_by_role("radio", name=step).click(force=True)
    settle(page)


def fill(page: Page, field: str, value: str) -> None:
    box = page.get_by_role("textbox", name=field, exact=True)
    box.fill(value)
    box.press("Tab")
    settle(page)


def start(page: Page) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/result?run=**")


def test_own_files_of_several_kinds_become_a_ranking_to_take_away(
    page: Page, server: Server, judge: JudgeServer, tmp_path: Path
) -> None:
    files = essays(tmp_path / "files", 4)
    (tmp_path / "old.txt").write_bytes("Café – trees cool the street – since 1950.".encode("cp1252"))
    (tmp_path / "two.csv").write_text('id,text\n007,"Short, with a comma."\n=1+1,"Another one here"\n')
    (tmp_path / "empty.txt").write_text("")
    prepare(page, server, [*files, tmp_path / "old.txt", tmp_path / "two.csv", tmp_path / "empty.txt"], judge)
    expect(page.get_by_text("Nothing leaves this computer.")).to_be_visible()
    go_to(page, "Texts")
    expect(page.get_by_text("empty.txt").first).to_be_attached()
    page.reload()
    settle(page)
    go_to(page, "Price and data")
    start(page)
    page.get_by_text("Finished").first.wait_for()
    settle(page)
    page.get_by_role("tab", name="Take away").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Ranking (CSV)").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"))))
    assert {row["id"] for row in rows} == {f.name for f in files} | {"old.txt", "007", "'=1+1"}
    assert rows[0]["id"] == "pupil 4.txt"


def test_a_run_goes_on_without_its_tab_and_every_tab_sees_it_end(
    page: Page, server: Server, judge: JudgeServer, tmp_path: Path, browser: Browser
) -> None:
    judge.latency_s = 2.5
    prepare(page, server, essays(tmp_path / "files", 8), judge)
    start(page)
    expect(page.get_by_role("progressbar").first).to_be_visible()
    other = browser.new_page()
    other.goto(page.url)
    expect(other.get_by_role("progressbar").first).to_be_visible()
    page.get_by_role("link", name="History").first.click()
    settle(page)
    page.get_by_role("link", name="Result").first.click()
    page.get_by_role("button", name="Cancel").first.click()
    page.get_by_role("button", name="Yes, cancel the run").click()
    for tab in (page, other):
        expect(tab.get_by_text("Cancelled").first).to_be_visible(timeout=20_000)
    asked = judge.requests
    page.wait_for_timeout(1500)
    assert judge.requests == asked, "a cancelled run asks nothing more"
    other.close()


@pytest.mark.parametrize(("end", "twice"), [("kill", 8), ("stop", 0)])
def test_a_server_that_ends_loses_no_answer_and_resume_finishes_the_run(
    page: Page, server: Server, judge: JudgeServer, tmp_path: Path, end: str, twice: int
) -> None:
    """kill -9 may pay again for the calls in flight; an orderly stop waits for them."""
    judge.latency_s = 0.3
    prepare(page, server, essays(tmp_path / "files", 8), judge)
    start(page)
    address = page.url
    while judge.requests < 12:
        page.wait_for_timeout(50)
    getattr(server, end)()
    ended_at = judge.requests
    server.start()
    page.goto(address)
    settle(page)
    expect(page.get_by_text({"kill": "Interrupted", "stop": "Paused"}[end]).first).to_be_visible()
    judge.latency_s = 0.0
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("Finished").first.wait_for()
    with contextlib.closing(sqlite3.connect(server.home / "podium.db")) as journal:
        [answers] = journal.execute("select count(*) from completions").fetchone()
    assert 28 <= answers < 28 + 14, "28 pairs, some of them in both orders"
    assert ended_at < judge.requests <= answers + twice, "none is asked twice but those in flight at a kill"


def test_hostile_texts_are_shown_letter_by_letter_and_do_nothing(page: Page, server: Server, tmp_path: Path) -> None:
    files = essays(tmp_path / "files", 2)
    evil = tmp_path / "files" / "![x](http:) <b>$1$ **x**.txt"
    evil.write_text(HOSTILE)
    prepare(page, server, [*files, evil], None)
    go_to(page, "Texts")
    title = page.title()
    go_to(page, "Price and data")
    start(page)
    page.get_by_text("Finished").first.wait_for()
    settle(page)
    for place in (1, 2, 3):
        page.goto(re.sub(r"&match=\d+", "", page.url) + f"&match={place}")
        settle(page)
        drawer = page.get_by_role("dialog")
        expect(drawer).to_be_visible()
        if "fake result" in drawer.inner_text():
            for written in HOSTILE.splitlines():
                assert written in drawer.inner_text()
    page.get_by_role("button", name="Close").click()
    page.get_by_text("Show names").first.click()
    settle(page)
    assert page.title() == title or "Podium" in page.title()
    assert "pwned" not in page.title()
    assert page.locator("h1", has_text="fake result").count() == 0
    assert page.locator("img[src*='127.0.0.1:9']").count() == 0
