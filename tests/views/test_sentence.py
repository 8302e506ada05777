"""The verdict sentence and its remarks."""

from __future__ import annotations

from judge_core.records.event import TextsWithdrawn
from judge_core.records.record import Notice
from judge_core.records.spec import Narrowing
from judge_core.views.chances import best_chance
from judge_core.views.reweighing import reweighed
from judge_core.views.sentence import Verdict, expected_order, verdict
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, both_orders, judge, lost, played, spec, text, win


def said(stream: Stream, labels: dict[str, str] | None = None) -> Verdict:
    state = fold(stream.spec, stream.events)
    return verdict(state, standings(state), labels)


def firm(texts: int = 3, rounds: int = 25, **fields: object) -> Stream:
    """So many wins of the first text over each other one that nothing is left to doubt."""
    stream = Stream(spec(texts, **fields))
    for number in range(rounds):
        for other in range(2, texts + 1):
            stream.match("E-001", f"E-00{other}", win(first=("E-001", f"E-00{other}")[number % 2]), round=number + 1)
    return stream


def test_a_clear_leader_is_named_with_the_number_of_comparisons() -> None:
    assert said(firm().end()).sentence == "E-001 is ahead of the rest on these 50 comparisons."
    assert said(firm(2).end()).sentence == "E-001 is ahead of E-002 on these 25 comparisons."


def test_a_tie_at_the_top_is_said_aloud() -> None:
    """Two texts with the very same record are level: neither leads."""
    stream = Stream(spec(4))
    for number in range(24):
        for one in ("E-001", "E-002"):
            for other in ("E-003", "E-004"):
                stream.match(one, other, win(first=(one, other)[number % 2]), round=number + 1)
    assert said(stream.end()).sentence == (
        "E-001 and E-002 cannot be separated on these 96 comparisons; 2 texts are behind them."
    )


def test_a_leader_that_is_tied_is_named_first_with_its_chance() -> None:
    """Of two that stand far above the rest, the one won more of their matches."""
    stream = firm(4)
    for number in range(25):
        for other in ("E-003", "E-004"):
            stream.match("E-002", other, win(first=("E-002", other)[number % 2]), round=number + 1)
    for number in range(20):
        stream.match("E-002", "E-001", win(first=("E-001", "E-002")[number % 2]), round=26 + number)
    table = standings(fold(stream.spec, stream.end().events))
    chance = best_chance(table, "E-001")
    assert chance is not None and 0.5 < chance < 0.95
    assert said(stream).sentence == (
        f"E-001 leads (by these verdicts {100 * chance:.0f} % likely the best), but cannot be told from E-002 on these 145 "
        "comparisons; 2 texts are behind it."
    )


def test_too_little_data_is_said() -> None:
    words = said(Stream(spec(4)).match("E-001", "E-002", win()).end()).sentence
    assert words == (
        "E-001 leads (by these verdicts 76 % likely the best of those compared), but too little is known to tell any two "
        "texts apart on this 1 comparison."
    )


def test_margins_that_measure_nothing_are_said_and_who_won_counts() -> None:
    """Always equal margins, or fewer than a unit needs; with enough that differ nothing is said."""
    level = Stream(spec(3, evidence="margins"))
    for number in range(12):
        level.match("E-001", f"E-00{2 + number % 2}", win(6, 6), round=number + 1)
    words = "The margins of openai:judge-1 are fewer than 8 or all 0"
    assert words in said(level.end()).text and "who won counts instead" in said(level).text
    assert words in said(Stream(spec(2, evidence="margins")).match("E-001", "E-002", win()).end()).text
    assert words not in said(firm(evidence="margins").end()).text
    assert words not in said(firm().end()).text


def test_scores_that_measure_nothing_are_said_beside_margins_that_do_not() -> None:
    stream = Stream(spec(3, evidence="margins")).match("E-001", "E-002", win())
    for number in (1, 2, 3):
        stream.score(f"E-00{number}", Argument=6, Style=6)
    words = said(stream.end()).text
    assert "The margins of openai:judge-1 are fewer than 8 or all 0" in words
    assert "The scores of openai:judge-1 are fewer than 2 or all the same" in words


def test_scores_that_are_all_the_same_are_said_not_to_count() -> None:
    stream = Stream(spec(3, method="pointwise"))
    for number in (1, 2, 3):
        stream.score(f"E-00{number}", Argument=5, Style=5)
    assert "The scores of openai:judge-1 are fewer than 2 or all the same" in said(stream.end()).text


def test_of_a_panel_the_judges_that_measure_nothing_are_named() -> None:
    stream = Stream(spec(3, evidence="margins", judges=(judge(), judge("openai:flat"))))
    for number in range(12):
        other = f"E-00{2 + number % 2}"
        stream.match("E-001", other, win(), win(6, 6, judge=1), round=number + 1)
    assert "The margins of openai:flat are" in said(stream.end()).text


def test_a_running_run_speaks_of_so_far() -> None:
    assert said(firm()).sentence.startswith("So far, E-001 is ahead")


def test_nothing_to_rank() -> None:
    assert said(Stream(spec(0))).sentence == "There are no texts to rank. Add at least two."
    assert said(Stream(spec(1))).sentence.startswith("There is only one text")
    assert said(Stream(spec(2))).sentence == "No text has been compared yet."
    assert said(Stream(spec(2)).end("cancelled")).sentence == "There is no ranking: no text was compared."
    failed = said(Stream(spec(2)).match("E-001", "E-002", lost()).end("failed"))
    assert failed.sentence == "There is no ranking: 1 judgment failed or could not be read, and none succeeded."


def test_a_kept_class_is_named_without_order_and_with_its_doubtful_border() -> None:
    words = said(played(8, narrowing=Narrowing(focus="class", k=2))).sentence
    assert words == (
        "E-001 and E-002 are the 2 texts kept, in no order, on these 12 comparisons. "
        "2 of them cannot be separated from texts left out."
    )


def test_the_demo_judge_is_labelled_in_every_verdict() -> None:
    alone = said(Stream(spec(2, judges=(judge("offline", provider="offline"),))))
    assert alone.remarks[0].startswith("Offline demo judge, not an LLM")
    mixed = said(Stream(spec(2, judges=(judge(), judge("offline", provider="offline")))))
    assert mixed.remarks[0] == "1 of the 2 judges is an offline demo judge, not an LLM."
    assert not any("demo" in remark for remark in said(firm()).remarks)


def test_a_verdict_without_an_overall_choice_is_not_said_to_have_failed() -> None:
    """A judge may leave its overall choice open; ranked by that choice, such judgments count for nothing, and it is said."""
    stream = firm(3, 5)
    stream.match("E-002", "E-003", win(stated=None)).match("E-003", "E-002", win(stated=None)).end()
    state = reweighed(fold(stream.spec, stream.events), choice="overall")
    words = verdict(state, standings(state)).text
    assert "In 2 judgments the judge made no overall choice; they count for nothing." in words
    assert "failed" not in words and state.ledger["unparseable"] == 0


def test_without_any_overall_choice_there_is_no_ranking_by_it() -> None:
    stream = Stream(spec(2)).match("E-001", "E-002", win(stated=None)).end()
    state = reweighed(fold(stream.spec, stream.events), choice="overall")
    table = standings(state)
    assert verdict(state, table).sentence == (
        "There is no ranking by overall choice: in 1 judgment the judge made no overall choice."
    )
    assert {row.status for row in table.rows} == {"no overall choice"}


def test_what_was_lost_drawn_or_not_made_is_counted() -> None:
    drawn = lost(result=0.5, warnings=(Notice(code="draw_on_error", message="m"),))
    flip = both_orders(
        {"Argument": (8, 4), "Style": (8, 4)}, {"Argument": (4, 8), "Style": (4, 8)}, a="E-001", b="E-004"
    )
    stream = Stream(spec(4), planned=6).match("E-001", "E-002", lost()).match("E-003", "E-004", drawn)
    words = said(stream.match("E-001", "E-004", flip).end("budget", "Cap.")).text
    assert "The run stopped at its cap: 3 of 6 judgments were not made." in words
    assert "1 of 6 judgments failed or could not be read; they count for nothing." in words
    assert "1 judgment without a verdict counted as a draw" in words
    assert "1 judgment changed with the order of the two texts" in words
    assert "1 text has no rank" in words


def test_a_withdrawn_text_is_said_to_be_withdrawn_and_not_to_lack_comparisons() -> None:
    stream = firm(4).add(TextsWithdrawn(texts=("E-004",))).end()
    words = said(stream).text
    assert "1 text was withdrawn and has no rank." in words and "no comparison was decided" not in words


def test_texts_that_never_met_are_said() -> None:
    words = said(Stream(spec(4)).match("E-001", "E-002", win()).match("E-003", "E-004", win()).end()).text
    assert "2 groups that never met" in words


def test_the_expected_order_is_between_chance_and_certainty() -> None:
    few, many = played(6, rounds=1), played(6, rounds=3)
    shares = [expected_order(standings(fold(s.spec, s.events))) for s in (few, many)]
    assert shares[0] is not None and shares[1] is not None
    assert 0.5 < shares[0] < shares[1] < 1.0
    assert expected_order(standings(fold(spec(1), []))) is None


def test_a_first_position_effect_is_spoken_of_once_it_is_certain() -> None:
    """The text shown first wins every time, whichever it is."""
    stream = Stream(spec(2))
    for number in range(30):
        first = ("E-001", "E-002")[number % 2]
        stream.match(
            "E-001", "E-002", win(8, 4, first=first) if number % 2 == 0 else win(4, 8, first=first), round=number
        )
    assert "favour the text that is shown first" in said(stream).text
    assert not any("favour" in remark for remark in said(played(4)).remarks)


def test_names_appear_only_when_they_are_given() -> None:
    named = firm(2)
    named.spec = spec([text(1, title="Ann Lee"), text(2, title="Bo Ray")])
    assert "Ann" not in said(named).text
    assert said(named, {"E-001": "Ann Lee"}).sentence.startswith("So far, Ann Lee is ahead of E-002")
