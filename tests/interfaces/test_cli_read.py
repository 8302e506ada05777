"""The verbs that ask no judge: `inspect`, `read-reply`, `rate`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.doors import CASES, EXAMPLES, Cli, lines, write_texts

CRITERIA = '[{"name": "Clarity", "weight": 0.5}, {"name": "Evidence", "weight": 0.5}]'
REPLY = (
    '{"criteria": [{"name": "Clarity", "score_a": 7, "score_b": 4, "reasoning": "x"},'
    ' {"name": "Evidence", "score_a": 12, "score_b": 6, "reasoning": "y"}], "winner": "B", "reasoning": "z"}'
)


def cases(*ids: str) -> list[dict[str, Any]]:
    every = [json.loads(line) for line in (CASES / "cases.jsonl").read_text("utf-8").splitlines()]
    return [case for case in every if case["id"] in ids]


# inspect


def test_inspect_lists_texts_with_their_figures_and_what_is_left_out(cli: Cli) -> None:
    said = cli.json("inspect", EXAMPLES, "--json")
    assert len(said["artifacts"]) == 12
    first = said["artifacts"][0]
    assert {"id", "title", "text", "words", "characters", "sha256", "encoding", "warnings"} <= set(first)
    assert (first["id"], first["encoding"], first["words"]) == ("essay-01.txt", "utf-8", 232)
    left_out = ["README.md", "README.md", "README.md", "intended_order.csv", "runs.json", "town_answers.jsonl"]
    assert sorted(problem["file"] for problem in said["problems"]) == left_out
    assert all(problem["message"].startswith("Left out: ") for problem in said["problems"])


def test_inspect_shows_guesses_and_warnings_to_people(cli: Cli) -> None:
    result = cli.run("inspect", CASES / "files" / "U-014" / "dup_ids.csv")
    assert result.exit_code == 0
    assert "'e1'" in result.stdout and "delimiter" in result.stdout


@pytest.mark.parametrize("file", ["U-028/scan.pdf", "C-012/truncated.db", "U-025/climb.zip"])
def test_what_cannot_be_read_is_a_message_and_never_a_traceback(cli: Cli, file: str) -> None:
    result = cli.run("inspect", CASES / "files" / file, "--json")
    [said] = lines(result.stdout)
    assert said["problems"]
    assert result.exit_code == (0 if said["artifacts"] else 2)


def test_inspect_of_nothing_has_status_2_and_still_writes_its_json(cli: Cli) -> None:
    said = cli.json("inspect", "nowhere", "--json", status=2)
    assert said["artifacts"] == [] and said["problems"][0]["file"] == "nowhere"


def test_hidden_files_and_links_of_a_folder_are_named_and_not_read(cli: Cli) -> None:
    folder = write_texts(Path("texts"), 1)
    folder.joinpath(".hidden.txt").write_text("secret", "utf-8")
    folder.joinpath("link.txt").symlink_to("/etc/hostname")
    said = cli.json("inspect", folder, "--json")
    assert [a["id"] for a in said["artifacts"]] == ["text-01.txt"]
    assert {problem["file"] for problem in said["problems"]} == {".hidden.txt", "link.txt"}


@pytest.mark.parametrize("path", ["", " "])
def test_an_empty_path_is_not_the_current_folder(cli: Cli, path: str) -> None:
    write_texts(Path(), 2)
    said = cli.json("inspect", path, "--json", status=2)
    assert f"The path {path!r} is empty" in said["error"]
    assert len(cli.json("inspect", ".", "--json")["artifacts"]) == 2


# read-reply


@pytest.mark.parametrize("way", ["file", "standard input", "criteria file"])
def test_a_reply_is_read_with_scores_clamped_and_the_winner_recomputed(cli: Cli, way: str) -> None:
    Path("reply.txt").write_text(REPLY, "utf-8")
    Path("criteria.json").write_text(CRITERIA, "utf-8")
    criteria = "criteria.json" if way == "criteria file" else CRITERIA
    file = "-" if way == "standard input" else "reply.txt"
    said = cli.json("read-reply", "--mode", "pairwise", "--criteria", criteria, file, input=REPLY)
    assert said["status"] == "ok" and said["winner"] == "A" and said["error"] is None and said["ranking"] is None
    assert said["scores"] == {"Clarity": [7, 4], "Evidence": [10, 6]}
    assert said["totals"] == pytest.approx({"A": 0.85, "B": 0.5})
    assert {warning["code"] for warning in said["warnings"]} == {"score_clamped", "verdict_mismatch"}


def test_a_pointwise_reply_has_one_score_a_criterion(cli: Cli) -> None:
    reply = '{"criteria": [{"name": "Overall", "score": 7}]}'
    said = cli.json("read-reply", "--mode", "pointwise", "-", input=reply)
    assert said["scores"] == {"Overall": 7} and said["totals"] == pytest.approx(0.7)


@pytest.mark.parametrize("reply", ["", "no verdict here", "\x00\ufffe", "[]", '{"criteria": []}'])
def test_an_unreadable_reply_has_status_1_and_its_error_as_json(cli: Cli, reply: str) -> None:
    said = cli.json("read-reply", "--mode", "pairwise", "--criteria", CRITERIA, input=reply, status=1)
    assert said["status"] == "parse_error" and said["error"]
    assert said["winner"] is None


def test_a_whole_assistant_message_is_read_too(cli: Cli) -> None:
    message = json.dumps({"role": "assistant", "content": REPLY})
    assert cli.json("read-reply", "--mode", "pairwise", "--criteria", CRITERIA, input=message)["winner"] == "A"


RANKED = '{"ranking": ["3", "1", "2"], "reasoning": "r"}'


def test_a_list_is_read_by_the_labels_given_or_else_by_those_named(cli: Cli) -> None:
    said = cli.json("read-reply", "--mode", "listwise", "--labels", "1, 2,3", input=RANKED)
    assert (said["status"], said["ranking"], said["scores"], said["winner"]) == ("ok", ["3", "1", "2"], {}, None)
    assert cli.json("read-reply", "--mode", "listwise", input=RANKED) == said
    said = cli.json("read-reply", "--mode", "listwise", "--labels", "1,2,3,4,5", input=RANKED, status=1)
    assert (said["status"], said["ranking"]) == ("parse_error", None) and "1, 2, 3, 4, 5" in said["error"]


def test_a_ballot_that_is_none_abstains(cli: Cli) -> None:
    said = cli.json("read-reply", "--mode", "refine", input="Fine prose.\n**RANKING: 2, 1, 3**")
    assert (said["status"], said["ranking"], said["error"]) == ("ok", ["2", "1", "3"], None)
    said = cli.json("read-reply", "--mode", "refine", input="RANKING: 3,", status=1)
    assert (said["status"], said["ranking"]) == ("abstain", None) and said["error"]
    said = cli.json("read-reply", "--mode", "refine", "--labels", "A,B", input="RANKING: B > A")
    assert said["ranking"] == ["B", "A"]


def test_labels_of_claims_bring_figures_and_every_claim_must_have_one(cli: Cli) -> None:
    reply = (
        '{"claims": [{"id": 1, "verdict": "supported", "passages": [1]}], "passages": [{"id": 1, "relevant": true}]}'
    )
    said = cli.json("read-reply", "--mode", "rag", "--claims", "1", input=reply)
    assert (said["status"], said["metrics"]["faithfulness"]) == ("ok", 1.0)
    assert said["claims"] == [{"id": 1, "verdict": "supported", "passages": [1]}]
    assert said["passages"] == [{"id": 1, "relevant": True}]
    assert cli.json("read-reply", "--mode", "rag", "--claims", "2", input=reply, status=1)["status"] == "parse_error"
    assert (
        cli.json("read-reply", "--mode", "rag", "--claims", "0", input='{"claims": []}')["metrics"]["faithfulness"]
        is None
    )


def test_a_gate_keeps_what_the_judge_said_itself(cli: Cli) -> None:
    reply = '{"criteria": [{"name": "Overall", "score": 7}], "verdict": "pass, if the sources are added"}'
    assert cli.json("read-reply", "--mode", "gate", input=reply)["stated"] == "hedged"


@pytest.mark.parametrize(
    ("mode", "reply"),
    [
        ("pointwise", '{"criteria": [{"name": "Overall", "score": 7}]}'),
        ("gate", '{"criteria": [{"name": "Overall", "score": 7}], "verdict": "pass"}'),
        ("listwise", RANKED),
        ("refine", "RANKING: 2, 1, 3"),
        ("rag", '{"claims": [{"id": 1, "verdict": "not_found", "passages": []}], "passages": []}'),
        ("agent", '{"goal": "achieved", "steps": [{"step": 1, "label": "useful"}]}'),
    ],
)
def test_a_whole_message_is_read_like_its_text_in_every_mode(cli: Cli, mode: str, reply: str) -> None:
    message = json.dumps({"role": "assistant", "content": reply, "finish_reason": "stop"})
    said = cli.json("read-reply", "--mode", mode, input=message)
    assert said["status"] == "ok" and said == cli.json("read-reply", "--mode", mode, input=reply)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--mode", "listwize"), "pairwise, pointwise, gate, listwise, refine, rag, agent"),
        (("--mode", "listwise", "--labels", "1,1"), "'1', '1'"),
        (("--mode", "refine", "--labels", "1"), "at least two"),
        (("--mode", "refine", "--labels", "1,,2"), "at least two"),
        (("--mode", "rag", "--claims", "-1"), "-1 claims"),
    ],
)
def test_a_mode_or_labels_that_cannot_be_are_bad_usage_with_the_remedy(
    cli: Cli, options: tuple[str, ...], named: str
) -> None:
    assert named in cli.json("read-reply", *options, input=RANKED, status=2)["error"]


def test_a_reply_file_that_is_not_there_is_named(cli: Cli) -> None:
    assert "'gone.txt'" in cli.json("read-reply", "--mode", "pairwise", "gone.txt", status=2)["error"]


# rate


@pytest.mark.parametrize("case", cases("R-006", "R-012"), ids=lambda case: case["id"])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_elo_of_recorded_matches_has_the_known_values(cli: Cli, case: dict[str, Any], form: str) -> None:
    sets = [case["input"]["matches"]] if "matches" in case["input"] else case["input"]["cases"]
    wanted = case["expect"]["elo"] if isinstance(case["expect"]["elo"], list) else [case["expect"]["elo"]]
    for matches, elo in zip(sets, wanted, strict=True):
        rows = "".join(f"{m['a']},{m['b']},{m['result']}\n" for m in matches)
        text = f"a,b,result\n{rows}" if form == "csv" else json.dumps({"matches": matches})
        Path(f"m.{form}").write_text(text, "utf-8")
        said = cli.json("rate", f"m.{form}", "--method", "elo", "--json")
        found = {item["id"]: item["elo"] for item in said["items"]}
        assert found == pytest.approx(elo, abs=case["expect"]["tolerance"])


def test_five_thousand_matches_as_bare_lists_are_rated_without_drift(cli: Cli) -> None:
    [case] = cases("R-007")
    said = cli.json("rate", CASES / case["input_file"], "--json")
    found = {item["id"]: item["elo"] for item in said["items"]}
    assert found == pytest.approx(case["expect"]["elo"], abs=1e-3)


def test_an_unknown_result_is_refused_with_its_row_and_value(cli: Cli) -> None:
    [case] = cases("R-008")
    said = cli.json("rate", "-", "--json", input=json.dumps(case["input"]), status=2)
    assert "Match 2" in said["error"] and "tie (bothbad)" in said["error"]


def test_bradley_terry_rates_on_the_elo_scale_with_intervals(cli: Cli) -> None:
    table = "a,b,result,judge,weight\nx,y,a,j,1\ny,z,a,j,2\nx,z,a,k,1\n"
    said = cli.json("rate", "-", "--method", "bradley-terry", "--json", input=table)
    items = {item["id"]: item for item in said["items"]}
    assert sum(item["rating"] for item in items.values()) == pytest.approx(3 * 1500)
    assert items["x"]["low"] < items["x"]["rating"] < items["x"]["high"]
    unbounded = cli.json("rate", "-", "--method", "bradley-terry", "--prior", "none", "--json", input=table)
    assert all(item["unbounded"] for item in unbounded["items"])


def test_k_and_start_are_options(cli: Cli) -> None:
    said = cli.json("rate", "-", "--k", "16", "--start", "1000", "--json", input="a,b,result\nx,y,a\n")
    assert {item["id"]: item["elo"] for item in said["items"]} == {"x": 1008, "y": 992}


def test_r_004_elo_to_begin_with_can_differ_by_item(cli: Cli) -> None:
    [case] = cases("R-004")
    for matches, elo in zip(case["input"]["cases"], case["expect"]["elo"], strict=True):
        record = json.dumps({"matches": matches, "start": case["input"]["start"]})
        said = cli.json("rate", "-", "--json", input=record)
        assert {item["id"]: item["elo"] for item in said["items"]} == pytest.approx(elo, abs=1e-6)


def test_r_016_an_item_without_a_match_stands_at_the_start_marked_unrated(cli: Cli) -> None:
    said = cli.json("rate", "-", "--json", input='{"items": ["only"], "matches": []}')
    [row] = said["items"]
    assert (row["rank"], row["elo"], row["wins"] + row["losses"] + row["ties"]) == (1, 1500, 0)
    assert "unrated" in {warning["code"] for warning in said["warnings"]}
    assert cli.json("rate", "-", "--json", input='{"matches": []}')["items"] == []
    assert "no matches" in cli.run("rate", "-", input="a,b,result\n").stdout


def test_ballots_are_counted_as_given_and_ties_go_to_the_first_label(cli: Cli) -> None:
    record = '{"labels": ["A", "B", "AB"], "rankings": [["A", "B", "AB"], ["B", "A", "AB"], null]}'
    said = cli.json("rate", "-", "--method", "borda", "--json", input=record)
    assert said["scores"] == {"A": 5, "B": 5, "AB": 2}
    assert (said["winner"], said["valid_judges"]) == ("A", 2)
    said = cli.json("rate", "-", "--method", "veto", "--json", input=record)
    assert said["scores"]["AB"] == 0


@pytest.mark.parametrize(
    ("record", "options", "word"),
    [
        ("a,b,result\nx,y,a\n", ["--method", "veto"], "elo or bradley-terry or borda"),
        ('{"labels": ["A"], "rankings": []}', ["--method", "elo"], "borda or veto or plackett-luce"),
        ("x,y\n1,2\n", [], "a, b, result are missing in 'x,y'"),
        ("", [], "empty"),
        ("{broken", [], "no JSON"),
        ('{"matches": 3}', [], "no list"),
        ('{"matches": [3]}', [], "Match 1"),
        ('{"something": 3}', [], "neither matches nor ballots"),
        ('{"labels": ["A"], "rankings": 3}', ["--method", "borda"], "rankings"),
        ('{"matches": [], "start": 3}', [], "start"),
        ("a,b,result\nx,x,a\n", [], "against itself"),
        ("a,b,result\nx,y,a\n", ["--prior", "big", "--method", "bradley-terry"], "'big'"),
        ("a,b,result\nx,y,a\n", ["--k", "0"], "K must be above 0"),
    ],
)
def test_a_record_that_cannot_be_rated_is_refused_in_words(
    cli: Cli, record: str, options: list[str], word: str
) -> None:
    said = cli.json("rate", "-", *options, "--json", input=record, status=2)
    assert word in said["error"]


@pytest.mark.parametrize(
    "table", ["a;b;result\r\nx;y;a\r\n", "\ufeffA,B,Result\n\nx,y,A\n", "note\ta\tb\tresult\n-\tx\ty\ta\n"]
)
def test_tables_of_every_office_are_read(cli: Cli, table: str) -> None:
    assert [item["id"] for item in cli.json("rate", "-", "--json", input=table)["items"]] == ["x", "y"]


def test_rate_shows_people_a_table(cli: Cli) -> None:
    result = cli.run("rate", "-", input="a,b,result\nx,y,a\n")
    assert result.exit_code == 0
    assert "1516.0" in result.stdout and "1484.0" in result.stdout


MARGINS = "a,b,result,margin,words_a,words_b,judge\n" + "x,y,a,4,300,100,j\ny,z,a,1,100,80,k\nx,z,a,5,300,80,j\n" * 4


def test_rate_takes_margins_lengths_judges_and_anchors(cli: Cli) -> None:
    options = ["--margins", "--length", "--discrimination", "--anchor", "x=1800", "--anchor", "z=1500"]
    said = cli.json("rate", "-", "--method", "bradley-terry", *options, "--json", input=MARGINS)
    ratings = {item["id"]: item["rating"] for item in said["items"]}
    assert ratings["x"] == pytest.approx(1800, abs=1) and 1400 < ratings["y"] < 1800
    assert set(said["effects"]) == {"length"} and set(said["judges"]) == {"j", "k"}
    shown = cli.run("rate", "-", "--method", "bradley-terry", "--length", input=MARGINS).stdout
    assert re.search(r"A doubling of words (gains|costs) \d+ rating points \(standard deviation \d+\)", shown)
    shown = cli.run(
        "rate", "-", "--method", "bradley-terry", "--discrimination", "--first-position", input=MARGINS
    ).stdout
    assert re.search(r"To be shown first (gains|costs) \d+ rating points", shown)
    assert re.search(r"j tells items apart \d\.\d\d times as sharply", shown)


def test_an_anchor_stands_just_where_it_is_held(cli: Cli) -> None:
    said = cli.json("rate", "-", "--method", "bradley-terry", "--anchor", "x=1700", "--json", input=MARGINS)
    row = next(item for item in said["items"] if item["id"] == "x")
    assert row["low"] == row["rating"] == row["high"] == 1700
    shown = cli.run("rate", "-", "--method", "bradley-terry", "--anchor", "x=1700", input=MARGINS).stdout
    assert "Held at its known rating: x=1700" in shown


def test_vetoes_and_empty_ballots_are_said(cli: Cli) -> None:
    record = '{"labels": ["A", "B", "C"], "rankings": [["A", "B", "C"], ["A", "C", "B"], ["A", "C", "B"], null]}'
    shown = cli.run("rate", "-", "--method", "veto", input=record).stdout
    assert "Vetoed, and therefore at 0 points: B (last on 2 ballots), C (last on 1 ballot)." in shown
    assert "1 of 4 ballots is empty and does not count." in shown
    assert "1 of 4 ballots is empty" in cli.run("rate", "-", "--method", "plackett-luce", input=record).stdout


def test_without_a_prior_no_interval_is_laid_to_one(cli: Cli) -> None:
    table = "a,b,result\nx,y,a\ny,x,a\n"
    options = ("rate", "-", "--method", "bradley-terry")
    assert "show little but the prior" in cli.run(*options, input=table).stdout
    without = cli.run(*options, "--prior", "none", input=table).stdout
    assert "rest on these few alone" in without and "but the prior" not in without


def test_results_may_be_draws_and_names_of_winners(cli: Cli) -> None:
    table = "a,b,result\nx.txt,y.txt,x.txt\nx.txt,y.txt,y.txt\nx.txt,y.txt,Draw\nx.txt,y.txt,a\n"
    rows = {item["id"]: item for item in cli.json("rate", "-", "--json", input=table)["items"]}
    assert [rows["x.txt"][each] for each in ("wins", "losses", "ties")] == [2, 1, 1]


def test_the_words_for_a_result_stand_for_themselves_unless_winners_are_named(cli: Cli) -> None:
    columns = "a,b,result\nb,a,a\n"
    assert cli.json("rate", "-", "--json", input=columns)["items"][0]["id"] == "b"
    assert "could mean either" in cli.json("rate", "-", "--json", input=f"{columns}x,y,x\n", status=2)["error"]
    tie = "a,b,result\ntie,y,tie\nx,y,x\n"
    assert "Match 1 has the result 'tie'" in cli.json("rate", "-", "--json", input=tie, status=2)["error"]


def test_rate_rates_ballots_as_lists(cli: Cli) -> None:
    record = '{"labels": ["A", "B", "AB"], "rankings": [["AB", "A", "B"], ["AB", "B"], null]}'
    said = cli.json("rate", "-", "--method", "plackett-luce", "--json", input=record)
    assert (said["winner"], said["valid_judges"], said["items"][0]["id"]) == ("AB", 2, "AB")
    assert all(item["low"] < item["rating"] < item["high"] for item in said["items"])
    from_best = cli.json("rate", "-", "--method", "plackett-luce", "--from-best", "--json", input=record)
    assert from_best["items"][0]["rating"] != said["items"][0]["rating"]
    assert "Winner: AB (2 ballots)" in cli.run("rate", "-", "--method", "plackett-luce", input=record).stdout


def test_rate_counts_points_of_matches(cli: Cli) -> None:
    said = cli.json("rate", "-", "--method", "borda", "--json", input="a,b,result\nx,y,a\nx,z,tie\ny,z,b\n")
    assert (said["scores"], said["winner"]) == ({"x": 1.5, "y": 0, "z": 1.5}, "x")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--margins"], "--margins says nothing to elo"),
        (["--method", "bradley-terry", "--anchor", "1700"], "Give ID=RATING"),
        (["--method", "bradley-terry", "--anchor", "q=1700"], "'q'"),
        (["--method", "bradley-terry", "--anchor", "x=1700", "--anchor", "x=1700"], "'x' is given two anchors"),
        (["--method", "bradley-terry", "--discrimination"], "two judges"),
        (["--method", "bradley-terry", "--prior", "none", "--anchor", "x=1700"], "Give a prior"),
    ],
)
def test_an_option_that_cannot_be_met_is_refused_in_words(cli: Cli, options: list[str], word: str) -> None:
    assert word in cli.json("rate", "-", *options, "--json", input="a,b,result\nx,y,a\n", status=2)["error"]
