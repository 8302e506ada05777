"""The verbs `rank` and `estimate`: what is ranked, what is said, what machines get, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.interfaces.doors import ESSAYS, EXAMPLES, Cli, lines, write_texts
from tests.judge_server import JudgeServer


def test_the_examples_are_ranked_with_no_option_at_all(cli: Cli) -> None:
    """Twelve essays, their own criteria, no key; README and the key of levels beside them are not judged."""
    result = cli.run("rank", "examples")
    assert result.exit_code == 0
    assert "12 texts, 4 criteria. Judges: offline." in result.stderr
    assert "6 files are left out" in result.stderr and "podium inspect says why" in result.stderr
    assert "criteria.json (beside the texts)" in result.stderr
    assert "Nothing leaves this computer." in result.stderr
    assert "Expect about 3 in 4 pairs in the right order" in result.stderr
    assert "Offline demo judge, not an LLM" in result.stdout
    assert all(f"essay-{n:02d}.txt" in result.stdout for n in range(1, 13))
    assert "Judgments: 18 planned: " in result.stdout
    assert "18 calls, 0 cached, $0.00." in result.stdout


def test_with_json_the_output_is_the_events_and_the_record_that_ends_them(cli: Cli) -> None:
    result = cli.run("rank", EXAMPLES, "--json")
    events = lines(result.stdout)
    assert result.exit_code == 0
    assert [event["type"] for event in events].count("ended") == 1
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    end = events[-1]
    assert end["type"] == "ended" and end["status"] == "done"
    assert end["calls"] == 18 and end["cached"] == 0 and end["cost"] == 0
    assert {row["id"] for row in end["standings"]} == {path.name for path in ESSAYS.iterdir()}
    wanted = "rank tied_with id title rating rating_low rating_high elo wins losses ties comparisons status warnings"
    assert set(wanted.split()) <= set(end["standings"][0])
    assert sum(end["judgments"].values()) == 18


def test_a_rerun_asks_nothing_and_ranks_the_same(cli: Cli) -> None:
    first, again = cli.json("rank", EXAMPLES, "--json"), cli.json("rank", EXAMPLES, "--json")
    assert (again["calls"], again["cached"]) == (0, 18)
    assert again["standings"] == first["standings"]
    assert again["run"] != first["run"]


@pytest.mark.parametrize("name", ["ranked.csv", "ranked.xlsx"])
def test_out_writes_the_ranking_in_the_form_of_its_ending(cli: Cli, name: str) -> None:
    end = cli.json("rank", EXAMPLES, "--json", "--out", name)
    content = Path(name).read_bytes()
    if name.endswith(".csv"):
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    else:
        rows = [list(row) for row in load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)]
    assert rows[0][:4] == ["rank", "tied_with", "id", "title"]
    assert [row[2] for row in rows[1:]] == [row["id"] for row in end["standings"]]


@pytest.mark.parametrize(("share", "lists"), [("0", 6), ("0.1", 7), ("1", 12)])
def test_a_share_of_the_lists_is_asked_again_in_reverse(cli: Cli, share: str, lists: int) -> None:
    options = ["--method", "listwise", "--group-size", "4", "--rounds", "2", "--reverse-share", share]
    assert sum(cli.json("rank", EXAMPLES, *options, "--json")["judgments"].values()) == lists


@pytest.mark.parametrize("out", ["no/such/folder/x.csv", ".", "x.pdf"])
def test_an_output_that_cannot_be_written_is_said_before_the_run(cli: Cli, out: str) -> None:
    result = cli.run("rank", EXAMPLES, "--out", out)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert cli.json("runs", "list", "--json") == []


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--method", "sorting"], "Choose from: swiss"),
        (["--until", "best:3"], "top:5@0.9"),
        (["--until", "top:99"], "99"),
        (["--until", "top:5_0@0.95"], "top:5_0@0.95"),
        (["--until", "top:٣"], "top:5@0.9"),
        (["--until", "cut:1_450r"], "cut:1450r"),
        (["--until", "order@nan"], "order@nan"),
        (["--until", "order@0_9"], "order@0_9"),
        (["--anchor", "essay-01.txt=inf"], "ID=RATING"),
        (["--anchor", "essay-01.txt=1_500"], "ID=RATING"),
        (["--anchor", "essay-01.txt=1500", "--anchor", "essay-01.txt=1600"], "'essay-01.txt' is given two anchors"),
        (["--keep", "rank:1٣"], "rank:5"),
        (["--evidence", "guesses"], "margins"),
        (["--group-size", "2"], "group_size"),
        (["--reverse-share", "1.5"], "reverse_share"),
        (["--reverse-share", "-0.1"], "reverse_share"),
        (["--reverse-share", "nan"], "reverse_share"),
        (["--anchor", "x"], "ID=RATING"),
        (["--anchor", "nobody=1500"], "nobody"),
        (["--keep", "rank:3", "--method", "adaptive"], "--until"),
        (["--both-orders", "--order-check"], "order check"),
        (["--judges-per-match", "2"], "panel of 1"),
        (["--scores-first", "--method", "listwise"], "listwise"),
        (["--judge", "opnai:gpt-4o"], "Did you mean openai?"),
        (["--judge", "http://example.org/v1#m"], "unprotected"),
        (["--keep", "best:3"], "rank:5"),
        (["--keep", "rank:0"], "rank:5"),
        (["--rounds", "0"], "rounds"),
        (["--rounds", "1000000000", "--rematches"], "1 to 1,000"),
        (["--max-calls", "-1"], "max_calls"),
        (["--max-cost", "nan"], "max_cost"),
        (["--temperature", "3"], "temperature"),
        (["--concurrency", "0"], "concurrency"),
        (["--on-error", "hope"], "on_error"),
        (["--max-tokens", "0"], "max_tokens"),
        (["--criteria", "persuasive esay"], "Did you mean 'persuasive essay'?"),
        (["--criteria", "no/such/file.json"], "neither a file that can be read nor a preset"),
    ],
)
def test_a_choice_that_cannot_be_is_named_with_its_remedy(cli: Cli, options: list[str], word: str) -> None:
    """Exit status 2, the message on the error stream, the JSON still on the standard output, nothing started or priced."""
    for verb in ("rank", "estimate"):
        result = cli.run(verb, EXAMPLES, "--json", *options)
        assert result.exit_code == 2
        assert word in result.stderr and "Traceback" not in result.output
        [said] = lines(result.stdout)
        assert said["type"] == "error" and word in said["error"]


@pytest.mark.parametrize(
    "options",
    [["--rounds", "5_0"], ["--rounds", "٣"], ["--max-calls", "1e5"], ["--max-cost", "inf"], ["--temperature", "nan"]],
)
def test_numbers_are_plain_digits(cli: Cli, options: list[str]) -> None:
    """What Python reads as a number and a person hardly means is refused, named."""
    result = cli.run("estimate", EXAMPLES, *options)
    assert result.exit_code == 2 and options[1] in result.stderr and options[0][2:5] in result.stderr
    assert cli.json("runs", "list", "--json") == []


@pytest.mark.parametrize(("number", "word"), [(0, "none that can be read"), (1, "only one, 'text-01.txt'")])
def test_r_016_one_text_or_none_is_no_ranking(cli: Cli, number: int, word: str) -> None:
    result = cli.run("rank", write_texts(Path("texts"), number), "--task", "Which is better?")
    assert result.exit_code == 2
    assert word in result.stderr and "at least two" in result.stderr


def test_a_ranking_needs_a_task(cli: Cli) -> None:
    result = cli.run("rank", write_texts(Path("texts"), 2))
    assert result.exit_code == 2
    assert "--task" in result.stderr


def test_a_task_takes_the_place_of_the_question_in_the_criteria(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--task", "Who writes best?", "--json")
    state = cli.json("runs", "show", end["run"], "--json")
    assert state["spec"]["rubric"]["question"] == "Who writes best?"


def test_criteria_may_be_a_preset_and_then_those_in_the_folder_are_left_alone(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--task", "?", "--criteria", "Writing", "--json")
    assert list(end["weights"]) == ["Content", "Organisation", "Style", "Conventions"]


def test_without_criteria_there_is_one_called_overall(cli: Cli) -> None:
    end = cli.json("rank", write_texts(Path("texts"), 3), "--task", "?", "--json")
    assert list(end["weights"]) == ["Overall"]


def test_criteria_may_stand_in_a_table(cli: Cli) -> None:
    Path("rubric.csv").write_text(
        "Criterion,Description,Weight\nClarity,Can be followed,60\nProof,Shows why,40\n", "utf-8"
    )
    end = cli.json("rank", write_texts(Path("texts"), 2), "--task", "?", "--criteria", "rubric.csv", "--json")
    assert end["weights"] == pytest.approx({"Clarity": 0.6, "Proof": 0.4})


def test_several_criteria_files_must_be_chosen_from(cli: Cli) -> None:
    for name in "xy":
        write_texts(Path("all", name), 2).joinpath("criteria.json").write_text('[{"name":"A"}]', "utf-8")
    result = cli.run("rank", "all", "--task", "?")
    assert result.exit_code == 2
    assert "--criteria" in result.stderr and "x" in result.stderr


def test_a_table_with_a_text_column_is_read_beside_documents_and_a_roster_is_not(cli: Cli) -> None:
    folder = write_texts(Path("texts"), 2)
    folder.joinpath("more.csv").write_text("id,essay\ne1,Trees cool the street.\n", "utf-8")
    folder.joinpath("roster.csv").write_text("id,class\ntext-01.txt,9b\n", "utf-8")
    end = cli.json("rank", folder, "--task", "?", "--json")
    assert {row["id"] for row in end["standings"]} == {"text-01.txt", "text-02.txt", "e1"}


def test_a_file_that_is_named_itself_is_always_read(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES / "sleep" / "README.md", ESSAYS / "essay-01.txt", "--task", "?", "--json")
    assert {row["id"] for row in end["standings"]} == {"README.md", "essay-01.txt"}


def test_columns_of_a_table_can_be_chosen(cli: Cli) -> None:
    Path("t.csv").write_text("nr,a,b\n7,one text here,x\n007,another text here,y\n", "utf-8")
    end = cli.json("rank", "t.csv", "--text-column", "a", "--id-column", "nr", "--task", "?", "--json")
    assert {row["id"] for row in end["standings"]} == {"7", "007"}


def test_more_rounds_than_there_are_opponents_are_not_run(cli: Cli) -> None:
    result = cli.run("rank", write_texts(Path("texts"), 2), "--task", "?", "--both-orders")
    assert result.exit_code == 0
    assert "only 1 distinct match" in result.stderr


@pytest.mark.parametrize(
    ("method", "limit", "unlikely"),
    [
        ("swiss", "after 66 matches at the latest, when every two texts have met.", False),
        ("adaptive", "after 66 matches at the latest, when every two texts have met.", False),
        ("knockout", "after 12 matches at the latest.", True),
        ("pointwise", "after 12 scores at the latest.", True),
    ],
)
def test_a_goal_is_told_with_the_limit_that_its_method_has(cli: Cli, method: str, limit: str, unlikely: bool) -> None:
    told = cli.run("estimate", EXAMPLES, "--method", method, "--until", "top:3@0.95").stdout
    assert limit in told and "60" not in told
    assert ("unlikely to be settled there" in told) is unlikely


def test_a_goal_that_is_not_settled_is_shown_with_its_certainty_and_what_more_would_take(cli: Cli) -> None:
    shown = cli.run("rank", EXAMPLES, "--rounds", "3", "--until", "top:3@0.75").stdout
    assert re.search(r"About [\d,]+ more judgments? .*would probably settle the top 3, .* \(now \d+%\)\.", shown)
    shown = cli.run("rank", EXAMPLES, "--method", "knockout", "--until", "top:3@0.95").stdout
    assert re.search(r"Probably not settled by the 54 judgments still possible, .* \(now \d+%\)", shown)
    shown = cli.run("rank", write_texts(Path("texts"), 3), "--task", "?", "--until", "order@0.97").stdout
    assert "Cannot be settled with these texts and this judge (now " in shown


def test_an_anchor_is_named_by_its_alias_too(cli: Cli) -> None:
    rows = cli.json("rank", EXAMPLES, "--anchor", "E-001=1700", "--json")["standings"]
    assert next(row["rating"] for row in rows if row["alias"] == "E-001") == pytest.approx(1700, abs=0.5)
    name = next(row["id"] for row in rows if row["alias"] == "E-001")
    error = cli.json("estimate", EXAMPLES, "--anchor", "E-001=1700", "--anchor", f"{name}=1600", "--json", status=2)
    assert "given to already" in error["error"]


def test_an_order_check_is_announced_and_reported(cli: Cli) -> None:
    result = cli.run("rank", EXAMPLES, "--order-check", "--rounds", "6")
    assert re.search(r"36 matches \(1 in 10, by lot, in both orders\), about 40 calls, ", result.stderr)
    told = re.search(r"(\d+) of 36 pairs were asked in both orders; in (\d+) the verdict was the same\.", result.stdout)
    assert told and int(told[1]) >= int(told[2])
    assert f"{36 + int(told[1])} calls, 0 cached" in result.stdout
    assert told[0] in cli.run("runs", "show", "last").stdout
    again = cli.run("rank", EXAMPLES, "--order-check", "--rounds", "7").stdout
    assert re.search(r"\d+ replies: \d+ calls, \d+ cached, \$0\.00", again)
    assert "both orders" not in cli.run("rank", EXAMPLES).stdout


def test_an_anchor_is_marked_in_the_table(cli: Cli) -> None:
    shown = cli.run("rank", EXAMPLES, "--anchor", "essay-03.txt=1700").stdout
    line = next(line for line in shown.splitlines() if " essay-03.txt " in line and "held" in line)
    assert re.search(r"1700\s+\d+-\d+-\d+ .*rated, held at 1700", line)


def test_the_stages_of_a_bracket_are_named_and_not_numbered(cli: Cli) -> None:
    told = cli.run("rank", EXAMPLES, "--method", "knockout").stderr
    stages = ("Round of 16 is", "Quarter-finals are", "Semi-finals are", "Third place is", "Final is")
    assert all(f"\n{stage} judged." in told for stage in stages) and "Round 5" not in told
    cli.run("runs", "export", "last", "--format", "report", "--out", "report.txt")
    report = Path("report.txt").read_text("utf-8")
    assert "\nFinal\n" in report and "Round 5" not in report


def test_keep_marks_who_is_kept(cli: Cli) -> None:
    end = cli.json("rank", EXAMPLES, "--keep", "class:3", "--json")
    assert sum(row["group"] == "kept" for row in end["standings"]) == 3


def test_names_with_escape_codes_cannot_reach_the_terminal(cli: Cli) -> None:
    folder = write_texts(Path("texts"), 2)
    folder.joinpath("red\x1b[31m[bold]x.txt").write_text("A third text.", "utf-8")
    result = cli.run("rank", folder, "--task", "?")
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "[bold]x.txt" in result.stdout


def test_a_cap_ends_the_run_with_status_1_and_says_how_to_go_on(cli: Cli) -> None:
    result = cli.run("rank", EXAMPLES, "--max-calls", "6")
    assert result.exit_code == 1
    assert "stopped at its cap" in result.stdout
    assert "podium runs resume" in result.stderr and "--max-calls" in result.stderr


def test_a_judge_that_refuses_the_key_ends_the_run_with_status_1(cli: Cli, server: JudgeServer) -> None:
    server.refuse = 401
    result = cli.run("rank", write_texts(Path("texts"), 4), "--task", "?", "--judge", f"{server.url}#m", "--json")
    assert result.exit_code == 1
    end = lines(result.stdout)[-1]
    assert end["status"] == "failed" and all(row["rank"] is None for row in end["standings"])
    assert "key" in result.stderr
    assert server.requests == 1


def test_a_panel_on_loopback_is_asked_and_its_unknown_price_is_not_zero(cli: Cli, server: JudgeServer) -> None:
    folder = write_texts(Path("texts"), 4)
    result = cli.run("rank", folder, "--task", "?", "--judge", f"{server.url}#m", "--judge", "offline")
    assert result.exit_code == 0
    assert "price unknown" in result.stderr and "Nothing leaves this computer." in result.stderr
    assert server.requests == 6


def test_a_cap_in_dollars_needs_a_known_price(cli: Cli, server: JudgeServer) -> None:
    folder = write_texts(Path("texts"), 2)
    options = ["rank", folder, "--task", "?", "--judge", f"{server.url}#m", "--max-cost", "1"]
    assert "price" in cli.run(*options).stderr
    prices = {f"{server.url.removeprefix('http://').removesuffix('/v1')}/*": {"input": 1.0, "output": 1.0}}
    (cli.home / "prices.json").write_text(json.dumps(prices), "utf-8")
    assert cli.json(*options, "--json")["cost"] == pytest.approx(550e-6)


def test_estimate_says_calls_tokens_cost_and_seconds_and_asks_nobody(cli: Cli, server: JudgeServer) -> None:
    said = cli.json("estimate", EXAMPLES, "--judge", f"{server.url}#m", "--judge", "offline", "--both-orders", "--json")
    assert said["calls"] == 2 * 2 * 18 and said["tokens"] > 0 and said["cost"] is None and said["seconds"] > 0
    assert server.requests == 0
    assert cli.json("runs", "list", "--json") == []


def test_estimate_is_plain_for_people(cli: Cli) -> None:
    result = cli.run("estimate", EXAMPLES)
    assert result.exit_code == 0
    assert "18 matches, 18 calls" in result.stdout and "$0.00" in result.stdout


def test_a_log_is_written_only_where_it_is_asked_for(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "match_judged" not in cli.run("rank", EXAMPLES).output
    monkeypatch.setenv("PODIUM_LOG_LEVEL", "INFO")
    result = cli.run("rank", EXAMPLES)
    assert "event='match_judged'" in result.stderr and "match_judged" not in result.stdout


def test_an_empty_path_is_refused_and_not_read_as_the_current_folder(cli: Cli) -> None:
    (Path.cwd() / "private.txt").write_text("Nobody asked for this to be judged.")
    result = cli.run("rank", "", "--task", "Which?")
    assert result.exit_code == 2 and "empty" in result.stderr.lower()


def test_a_missing_path_is_named_before_anything_else_is_asked_for(cli: Cli) -> None:
    result = cli.run("rank", "nowhere")
    assert result.exit_code == 2 and "nowhere" in result.stderr and "--task" not in result.stderr
