"""Drafts: which method, goal and options a plan stands for, and what is said where they cannot be met."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from judge_core.interfaces.drafts import Draft, JudgeDraft, blockers, change, load, spec_of
from judge_core.interfaces.drafts.planning.choices import PRESETS, ranks_in, ratings_in
from judge_core.interfaces.drafts.planning.expected import expectation, expected_briefly
from judge_core.interfaces.drafts.planning.foresight import amount, calls_of, remarks, sketch
from judge_core.interfaces.drafts.planning.methods import METHODS
from judge_core.interfaces.drafts.records import Plan
from judge_core.interfaces.drafts.texts import add_files
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.errors import InputError
from judge_core.records.spec import Goal, Method, Narrowing, Spec

LATER_IN_PLAN = (
    "method", "lists", "most_rounds", "goal", "goal_k", "goal_ranks", "goal_ratings", "certainty", "group_size",
    "reversed_percent", "scores_first", "rematches", "third_place", "evidence", "judges_per_match", "anchor_column",
)  # fmt: skip
ALL_CHOSEN = {
    "preset": "custom", "rounds": 7, "lists": 4, "focus": "class", "k": 3, "rematches": True, "scores_first": True,
    "third_place": False, "evidence": "levels", "group_size": 5, "reversed_percent": 25, "judges_per_match": 1,
}  # fmt: skip


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    for name in ("OPENAI_API_KEY", "GROQ_API_KEY", "MINIMAX_API_KEY", "LLM_JUDGE_API_KEY", "LLM_JUDGE_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def six_texts(bench: Workbench, known: str = "") -> Draft:
    rows = "".join(f"t{number},Text number {number} of six,{known if number == 1 else ''}\n" for number in range(6))
    return add_files(bench.archive, Draft(), [("t.csv", f"id,text,known\n{rows}".encode())])


def custom(bench: Workbench, **plan: object) -> Spec:
    return spec_of(bench, six_texts(bench).with_plan(**{"preset": "custom", **plan}))


def starts(bench: Workbench, draft: Draft) -> list[str]:
    return [blocker.message for blocker in blockers(bench, draft)]


# drafts from before


def test_a_draft_from_before_there_were_methods_opens_and_makes_the_same_run(bench: Workbench) -> None:
    now = six_texts(bench).with_plan(preset="top", top_focus="class", top_k=2)
    body = now.model_dump(mode="json")
    del body["order_check"]
    for field in LATER_IN_PLAN:
        del body["plan"][field]
    before = load(bench.archive, bench.archive.new_draft(json.dumps(body)))
    assert before is not None and before.orders == "once"
    spec = spec_of(bench, before)
    assert (spec.method, spec.rounds, spec.narrowing, spec.goal) == ("swiss", 5, Narrowing(focus="class", k=2), None)
    assert not spec.order_check and not spec.both_orders


def test_a_new_draft_checks_a_part_of_its_pairs_and_keeps_what_was_chosen(bench: Workbench) -> None:
    id = change(bench.archive, None, lambda _: six_texts(bench))
    found = load(bench.archive, id)
    assert found is not None and spec_of(bench, found).order_check
    change(bench.archive, id, lambda draft: draft.with_orders("both"))
    again = load(bench.archive, id)
    assert again is not None and again.orders == "both"
    spec = spec_of(bench, again)
    assert spec.both_orders and not spec.order_check


def test_a_draft_that_is_no_draft_does_not_open(bench: Workbench) -> None:
    for body in ("[]", "3", "null", '{"plan":{"method":"coin"}}'):
        assert load(bench.archive, bench.archive.new_draft(body)) is None


# what a plan stands for


def test_presets_name_their_method(bench: Workbench) -> None:
    plans = {name: spec_of(bench, six_texts(bench).with_plan(preset=name, top_k=2)) for name in PRESETS}
    assert {name: spec.method for name, spec in plans.items()} == {
        "quick": "swiss", "standard": "swiss", "top": "adaptive", "lists": "listwise", "custom": "swiss",
    }  # fmt: skip
    assert plans["top"].goal == Goal(kind="top", ranks=(2,), probability=0.9)
    assert (plans["lists"].rounds, plans["lists"].group_size, plans["lists"].order_check) == (8, 8, False)


@pytest.mark.parametrize(
    ("method", "fitting"),
    [
        ("swiss", {"rounds": 7, "narrowing": Narrowing(focus="class", k=3), "rematches": True, "warm_start": True}),
        ("adaptive", {"rounds": 7, "rematches": True, "warm_start": True}),
        ("round-robin", {"rounds": 7, "rematches": True, "warm_start": True}),
        ("knockout", {"third_place": False, "warm_start": True}),
        ("listwise", {"rounds": 4, "group_size": 5, "reverse_share": 0.25}),
        ("pointwise", {}),
    ],
)
def test_a_method_takes_the_choices_that_fit_it_and_no_other(
    bench: Workbench, method: Method, fitting: dict[str, object]
) -> None:
    spec = custom(bench, method=method, **ALL_CHOSEN)
    pairs = method not in ("listwise", "pointwise")
    wanted = {**fitting, "method": method, "judges_per_match": 1, "order_check": pairs}
    wanted |= {"evidence": "levels"} if pairs else {}
    plain = Spec.model_validate(
        {"rubric": spec.rubric, "texts": spec.texts, "judges": spec.judges, "prompt_version": "3"}
    )
    fields = {
        "method", "rounds", "narrowing", "rematches", "warm_start", "third_place", "group_size", "reverse_share",
        "evidence", "judges_per_match", "order_check", "both_orders", "goal",
    }  # fmt: skip
    assert {f: getattr(spec, f) for f in fields} == {f: wanted.get(f, getattr(plain, f)) for f in fields}


@pytest.mark.parametrize(
    ("chosen", "goal"),
    [
        ({"goal": "order", "certainty": 85}, Goal(kind="order", probability=0.85)),
        ({"goal": "top", "goal_k": 2}, Goal(kind="top", ranks=(2,), probability=0.9)),
        ({"goal": "cut", "goal_ranks": "4; 2"}, Goal(kind="cut", ranks=(2, 4), probability=0.9)),
    ],
)
def test_a_goal_ends_the_run_and_its_limit_takes_the_place_of_the_rounds(
    bench: Workbench, chosen: dict[str, object], goal: Goal
) -> None:
    for method, most in (("swiss", 30), ("adaptive", 30), ("listwise", 30), ("round-robin", 3)):
        spec = custom(bench, method=method, **chosen)
        assert (spec.goal, spec.rounds) == (goal, most)
    assert custom(bench, method="knockout", **chosen).goal is None


def test_probabilities_are_asked_for_where_a_judge_may_give_them_and_refused_where_not(bench: Workbench) -> None:
    able = (JudgeDraft(key="2", kind="ollama", model="m"),)
    draft = six_texts(bench).with_plan(preset="custom", evidence="probabilities")
    asked = draft.model_copy(update={"judges": able})
    assert [judge.log_probabilities for judge in spec_of(bench, asked).judges] == [True] and starts(bench, asked) == []
    assert not any(judge.log_probabilities for judge in custom(bench).judges)
    assert "offline cannot say how probable its winner is" in starts(bench, draft)[0]


def test_known_ratings_come_from_their_column(bench: Workbench) -> None:
    draft = six_texts(bench, known="1620").with_plan(
        preset="custom", anchor_column="known", goal="ratings", goal_ratings="1550"
    )
    spec = spec_of(bench, draft)
    assert {text.id: text.anchor for text in spec.texts if text.anchor} == {"t1": 1620.0}
    assert starts(bench, draft) == [] and spec.goal == Goal(kind="cut", ratings=(1550.0,), probability=0.9)


# what cannot be met


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"goal": "top", "goal_k": 6}, "The best 6 of 6 texts are all of them. Enter 5 at most."),
        ({"goal": "cut", "goal_ranks": "2, 9"}, "Rank 9 draws no line among 6 texts"),
        ({"goal": "cut", "goal_ranks": "2, two"}, "'two' is no rank"),
        ({"goal": "cut", "goal_ranks": " , "}, "Enter the ranks at which to draw a line"),
        ({"goal": "ratings", "goal_ratings": "1500"}, "Choose their column, or draw the lines after ranks"),
        ({"judges_per_match": 2}, "the panel has 1. Add judges, or enter 1 at most."),
        ({"anchor_column": "known"}, "holds no rating of any of these texts"),
    ],
)
def test_what_cannot_be_met_is_said_with_its_remedy(bench: Workbench, chosen: dict[str, object], said: str) -> None:
    found = starts(bench, six_texts(bench).with_plan(preset="custom", **chosen))
    assert len(found) == 1 and said in found[0]


def test_a_known_rating_that_is_a_word_is_refused_by_its_text(bench: Workbench) -> None:
    draft = six_texts(bench, known="good").with_plan(preset="custom", anchor_column="known")
    assert "'good', which is no rating" in starts(bench, draft)[0]


def test_lists_that_do_not_fit_a_judge_can_be_made_shorter(bench: Workbench) -> None:
    judge = JudgeDraft(key="x", kind="address", model="m", base_url="http://127.0.0.1:9/v1", context_tokens=100)
    draft = six_texts(bench).model_copy(update={"judges": (judge,)}).with_plan(preset="lists")
    assert "smaller size of the lists" in starts(bench, draft)[0]


@pytest.mark.parametrize("typed", ["0", "-3", "1.5", "1e3", "nan", "inf", "５", "<b>", "99999999999"])
def test_only_ranks_are_ranks(typed: str) -> None:
    with pytest.raises(InputError, match="is no rank"):
        ranks_in(typed)


@pytest.mark.parametrize("typed", ["nan", "1e9", "inf", "$x$", "1450r"])
def test_only_numbers_are_ratings(typed: str) -> None:
    with pytest.raises(InputError, match="is no rating"):
        ratings_in(typed)


# foresight


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "10 rounds, 80 comparisons: each text meets about 10 others."),
        ({"rounds": 40, "rematches": True}, "40 rounds, 320 comparisons: every pair, some more than once."),
        ({"focus": "class", "k": 4}, "10 rounds, 26 comparisons: everyone meets two others, then only the texts near rank 4 go on."),
        ({"method": "adaptive"}, "80 comparisons, chosen for what they tell: about 10 for each text."),
        ({"method": "round-robin"}, "120 comparisons: all pairs, each once."),
        ({"method": "knockout"}, "16 comparisons: who loses is out."),
        ({"method": "knockout", "scores_first": True}, "16 scores first, then 16 comparisons: who loses is out."),
        ({"method": "listwise", "reversed_percent": 0}, "8 rounds, 16 lists of up to 8 texts."),
        ({"method": "pointwise"}, "16 scores: each text by itself, none compared."),
        ({"method": "adaptive", "goal": "order"}, "At most 120 comparisons"),
    ],
)  # fmt: skip
def test_each_method_states_its_amount(chosen: dict[str, object], said: str) -> None:
    assert amount(Plan.model_validate({"preset": "custom", **chosen}), 16).startswith(said)


def test_the_calls_are_those_of_the_estimate(bench: Workbench) -> None:
    panel = (JudgeDraft(key="1"), JudgeDraft(key="2"))
    for plan in (
        {}, {"method": "listwise"}, {"method": "pointwise"}, {"scores_first": True}, {"judges_per_match": 1},
        {"method": "knockout"}, {"method": "adaptive", "goal": "order"},
    ):  # fmt: skip
        for orders in ("once", "check", "both"):
            draft = six_texts(bench).model_copy(update={"judges": panel}).with_orders(orders)
            draft = draft.with_plan(preset="custom", **plan)
            assert calls_of(draft, draft.plan) == bench.estimate(spec_of(bench, draft)).calls


def test_every_method_says_what_to_expect_at_every_size() -> None:
    assert set(METHODS) == set(get_args(Method))
    for method in METHODS:
        for goal in ("none", "order", "top"):
            plan = Plan.model_validate({"preset": "custom", "method": method, "goal": goal})
            for n in (0, 1):
                assert amount(plan, n).startswith("Add texts") and "text" in expectation(plan, n)
            for n in (2, 3, 7, 64, 500):
                assert len(expectation(plan, n)) > 40 and expected_briefly(sketch(plan, n)) and amount(plan, n)


def test_lines_that_cannot_be_read_yet_do_not_hide_the_amount() -> None:
    plan = Plan(preset="custom", goal="cut", goal_ranks="five", most_rounds=4)
    assert amount(plan, 16).startswith("4 rounds, 32 comparisons")


def test_rounds_that_cannot_bring_anything_are_told_unless_they_are_a_limit_or_rematches() -> None:
    plan = Plan(preset="custom", rounds=30, most_rounds=30)
    assert "5 rounds will be run instead of 30" in remarks(plan, 6)[0]
    assert remarks(plan.model_copy(update={"goal": "order"}), 6) == ()
    assert remarks(plan.model_copy(update={"rematches": True}), 6) == ()
