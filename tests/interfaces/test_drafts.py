"""Drafts: what is gathered for a ranking, kept in the archive, and turned into a spec."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_core.interfaces.bench.panel import destinations
from judge_core.interfaces.drafts import (
    Draft,
    JudgeDraft,
    add_examples,
    blockers,
    change,
    load,
    shelf,
    spec_of,
    unfinished,
)
from judge_core.interfaces.drafts.judging import judge_faults, judge_of
from judge_core.interfaces.drafts.planning.choices import choices
from judge_core.interfaces.drafts.planning.expected import expectation
from judge_core.interfaces.drafts.planning.foresight import amount
from judge_core.interfaces.drafts.records import Plan, Rows, RubricDraft
from judge_core.interfaces.drafts.rubrics import (
    discarded,
    made_100,
    table_rows,
    weight_sum,
    with_json,
    with_levels,
    with_rows,
    with_strict,
)
from judge_core.interfaces.drafts.texts import (
    add_files,
    add_paste,
    add_roster,
    choose_columns,
    class_list_problems,
    file_problems,
    leave_out,
    remove_upload,
    settled,
    take_back,
)
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench
from judge_core.records.criteria import Criterion, Level, Rubric
from judge_core.records.errors import InputError

CASES = Path(__file__).parents[1] / "cases"
GOOD = RubricDraft(
    rubric=Rubric(
        criteria=(Criterion(name="Clarity", weight=0.5), Criterion(name="Depth", weight=0.5)), question="Why?"
    )
)


def case(id: str) -> dict[str, object]:
    lines = (CASES / "cases.jsonl").read_text("utf-8").splitlines()
    return next(found for line in lines if (found := json.loads(line))["id"] == id)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    for name in ("OPENAI_API_KEY", "GROQ_API_KEY", "MINIMAX_API_KEY", "LLM_JUDGE_API_KEY", "LLM_JUDGE_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def two_texts(bench: Workbench) -> Draft:
    return add_files(bench.archive, Draft(), [("a.txt", b"First text of two."), ("b.txt", b"Second text of two.")])


# keeping


def test_a_draft_comes_back_equal_from_the_archive(bench: Workbench) -> None:
    id = change(bench.archive, None, lambda draft: add_examples(bench.archive, draft))
    again = change(bench.archive, id, lambda draft: draft.with_plan(preset="quick"))
    found = load(bench.archive, id)
    assert again == id and found is not None
    assert len(found.texts) == 12 and found.plan.preset == "quick" and found.rubric.rubric.question


def test_an_unknown_or_unreadable_draft_is_none(bench: Workbench) -> None:
    assert load(bench.archive, "nothing") is None
    assert load(bench.archive, bench.archive.new_draft('{"who":"knows"}')) is None


def test_only_drafts_with_texts_and_without_a_run_are_unfinished(bench: Workbench) -> None:
    change(bench.archive, None, lambda draft: draft.model_copy(update={"name": "empty"}))
    open_one = change(bench.archive, None, lambda _: two_texts(bench))
    change(bench.archive, None, lambda _: two_texts(bench).model_copy(update={"run": "r"}))
    assert [id for id, _, _ in unfinished(bench.archive, 5)] == [open_one]


# texts


def test_a_file_that_comes_twice_is_kept_once_and_its_words_are_in_the_archive(bench: Workbench) -> None:
    draft = add_files(bench.archive, two_texts(bench), [("a.txt", b"First text of two.")])
    assert [upload.name for upload in draft.uploads] == ["a.txt", "b.txt"]
    assert all(text.artifact.text == "" for text in draft.texts)
    assert {bench.archive.text(text.artifact.sha256) for text in draft.texts} == {
        "First text of two.",
        "Second text of two.",
    }


def test_a_bad_file_is_named_and_loses_no_good_one(bench: Workbench) -> None:
    draft = add_files(bench.archive, two_texts(bench), [("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(50))])
    assert len(draft.texts) == 2
    assert [problem.file for problem in draft.reading_problems] == ["photo.jpg"]


def test_copies_are_told_of_across_files_and_no_longer_once_one_is_taken_out(bench: Workbench) -> None:
    draft = add_files(bench.archive, Draft(), [("a.txt", b"The same."), ("b.txt", b"The same.")])
    assert [[n.code for n in text.artifact.warnings] for text in draft.texts] == [["duplicate_text"]] * 2
    alone = leave_out(bench.archive, draft, [draft.texts[0].key])
    assert [text.artifact.warnings for text in alone.texts] == [()]
    assert take_back(bench.archive, alone).texts == draft.texts


def test_removing_a_file_forgets_what_was_taken_out_of_it(bench: Workbench) -> None:
    draft = two_texts(bench)
    without = remove_upload(bench.archive, leave_out(bench.archive, draft, [draft.texts[0].key]), draft.uploads[0].key)
    assert [text.artifact.id for text in without.texts] == ["b.txt"] and without.left_out == ()


def test_a_paste_makes_a_text_of_each_piece_between_hyphens(bench: Workbench) -> None:
    draft = add_paste(bench.archive, Draft(), "One.\n---\nTwo.")
    assert [bench.archive.text(text.artifact.sha256) for text in draft.texts] == ["One.", "Two."]


def test_chosen_columns_take_the_place_of_the_guess(bench: Workbench) -> None:
    table = b"student,essay,summary\ns1,A long essay about sleep,Short one\ns2,Another long essay,Short two\n"
    draft = add_files(bench.archive, Draft(), [("class.csv", table)])
    assert draft.uploads[0].columns == ("student", "essay", "summary")
    chosen = choose_columns(
        bench.archive, draft, draft.uploads[0].key, {"text_column": "summary", "id_column": "student"}
    )
    assert [bench.archive.text(t.artifact.sha256) for t in chosen.texts] == ["Short one", "Short two"]
    assert [t.artifact.id for t in chosen.texts] == ["s1", "s2"]


def test_masked_names_are_gone_from_what_is_judged(bench: Workbench) -> None:
    draft = add_files(bench.archive, Draft(), [("Weber.txt", b"I am Anna Weber."), ("Keller.txt", b"Sleep is good.")])
    draft = add_roster(bench.archive, draft, "class.csv", b"file,name\nWeber.txt,Anna Weber\nKeller.txt,Tom Keller\n")
    assert draft.names_found == {"Anna": 1, "Anna Weber": 1, "Weber": 1}
    masked = settled(bench.archive, draft.model_copy(update={"mask": True}))
    assert [bench.archive.text(t.artifact.sha256) for t in masked.texts] == ["I am [name].", "Sleep is good."]
    assert [t.artifact.columns["name"] for t in masked.texts] == ["Anna Weber", "Tom Keller"]


def test_a_roster_that_is_no_table_is_refused(bench: Workbench) -> None:
    with pytest.raises(InputError):
        add_roster(bench.archive, two_texts(bench), "class.jpg", b"\xff\xd8\xff")


def test_what_is_said_of_the_class_list_stands_apart_from_files(bench: Workbench) -> None:
    draft = add_files(bench.archive, two_texts(bench), [("class.csv", b"id,text\n1,A row\n2,\n")])
    draft = add_roster(bench.archive, draft, "class.csv", b"file,name\na.txt,Ann\nlost.txt,Bo\n")
    assert [p.file for p in file_problems(draft)] == ["class.csv"]
    told = " ".join(p.message for p in class_list_problems(draft))
    assert "'lost.txt'" in told and "'b.txt' is not in the class list" in told and "roster" not in told.casefold()
    assert len(draft.reading_problems) == len(file_problems(draft)) + len(class_list_problems(draft))


# rubric


@pytest.mark.parametrize("name", [n for n in case("U-036")["input"]["criteria_texts"] if n != "object_not_list"])  # type: ignore[index]
def test_u_036_faulty_criteria_are_refused_with_their_place_and_the_last_good_ones_stay(name: str) -> None:
    text = case("U-036")["input"]["criteria_texts"][name]  # type: ignore[index]
    draft = with_json(GOOD, text)
    assert draft.rubric == GOOD.rubric
    assert draft.json_text == text and draft.faults and all(":" in fault for fault in draft.faults)


def test_json_keeps_the_question_that_it_leaves_out() -> None:
    draft = with_json(GOOD, '[{"name": "Evidence"}]')
    assert draft.rubric.question == "Why?" and [c.name for c in draft.rubric.criteria] == ["Evidence"]


def test_the_last_edit_counts_between_table_and_json() -> None:
    edited = with_rows(GOOD, tuple({**row, "scale_max": 5} for row in table_rows(GOOD)))
    assert [c.scale_max for c in edited.rubric.criteria] == [5, 5]
    replaced = with_json(edited, '[{"name": "Evidence"}]')
    assert [row["name"] for row in table_rows(replaced)] == ["Evidence"]
    faulty = with_json(edited, "[")
    assert with_rows(faulty, table_rows(edited)).json_text is None


def test_r_034_a_wrong_sum_is_said_and_used_in_proportion_or_refused() -> None:
    rows = tuple({**row, "weight_percent": w} for row, w in zip(table_rows(GOOD), (50, 60), strict=True))
    loose = with_rows(GOOD, rows)
    assert weight_sum(loose) == 110 and not loose.faults and "110" in loose.notes[0]
    assert sum(c.weight for c in loose.rubric.criteria) == pytest.approx(1)
    strict = with_strict(loose, True)
    assert strict.faults and strict.rubric == loose.rubric
    mended = made_100(strict)
    assert weight_sum(mended) == pytest.approx(100) and not mended.faults


def test_faulty_levels_stay_to_be_mended_when_the_table_is_edited() -> None:
    faulty = with_levels(GOOD, "Clarity", ({"score": None, "label": "Good", "descriptor": None},))
    assert faulty.faults and faulty.rubric == GOOD.rubric
    edited = with_rows(faulty, tuple({**row, "description": "x"} for row in table_rows(faulty)))
    assert edited.faults and edited.level_rows
    assert discarded(edited).faults == ()


def test_levels_become_part_of_the_rubric() -> None:
    rows: Rows = (
        {"score": 0, "label": "Poor", "descriptor": "Nothing"},
        {"score": 10, "label": "Good", "descriptor": "All"},
    )
    draft = with_levels(GOOD, "Depth", rows)
    assert draft.rubric.criteria[1].levels[1] == Level(score=10, label="Good", descriptor="All")


def test_a_saved_rubric_comes_back_by_its_name_and_no_name_leaves_the_folder(tmp_path: Path) -> None:
    path = shelf.save(tmp_path, GOOD.rubric, "../../etc/7b; essay")
    assert path.parent == tmp_path / "rubrics"
    assert shelf.saved(tmp_path)["../../etc/7b; essay"].criteria == GOOD.rubric.criteria
    with pytest.raises(InputError):
        shelf.save(tmp_path, GOOD.rubric, "  ")


# judges and plan


def test_a_vendor_without_a_key_is_a_fault_until_one_is_typed(bench: Workbench) -> None:
    judge = JudgeDraft(key="x", kind="openai", model="gpt-4o-mini")
    assert "OPENAI_API_KEY" in next(judge_faults(judge, bench.settings, ()))
    assert list(judge_faults(judge, bench.settings, {"x"})) == []


def test_a_typed_key_that_is_gone_is_asked_for_again(bench: Workbench) -> None:
    judge = JudgeDraft(key="x", kind="address", model="m", base_url="https://judge.example.org/v1", keyed=True)
    assert "Type it again" in next(judge_faults(judge, bench.settings, ()))
    assert list(judge_faults(judge, bench.settings, {"x"})) == []


def test_a_host_that_is_not_allowed_is_a_fault(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, allowed_hosts="api.openai.com")
    judge = JudgeDraft(key="x", kind="address", model="m", base_url="https://judge.example.org/v1")
    assert "judge.example.org" in next(judge_faults(judge, settings, ()))


def test_an_incomplete_judge_names_its_field(bench: Workbench) -> None:
    with pytest.raises(InputError) as caught:
        judge_of(JudgeDraft(key="x", kind="address", model="m"), bench.settings)
    assert caught.value.field == "base_url"


@pytest.mark.parametrize(
    ("preset", "n", "rounds", "said"),
    [
        ("quick", 40, 3, "60 comparisons"),
        ("standard", 40, 20, "400 comparisons"),
        ("standard", 12, 11, "every pair once"),
    ],
)
def test_presets_state_their_exact_amount(preset: str, n: int, rounds: int, said: str) -> None:
    plan = Plan.model_validate({"preset": preset})
    assert choices(plan, n)["rounds"] == rounds and said in amount(plan, n)


def test_each_plan_says_what_certainty_to_expect() -> None:
    for preset in ("quick", "standard", "lists", "custom"):
        assert "%" in expectation(Plan.model_validate({"preset": preset}), 40)
    assert "%" in expectation(Plan(preset="top", top_focus="class"), 40)
    assert "ends after 400 comparisons" in expectation(Plan(preset="top"), 40)


def test_a_draft_without_texts_is_blocked_and_the_examples_are_not(bench: Workbench) -> None:
    assert [blocker.step for blocker in blockers(bench, Draft())] == ["texts"]
    assert blockers(bench, add_examples(bench.archive, Draft())) == []


def test_a_faulty_edit_blocks_the_start(bench: Workbench) -> None:
    draft = two_texts(bench).model_copy(update={"rubric": with_json(GOOD, "[{]")})
    assert [blocker.step for blocker in blockers(bench, draft)] == ["rubric"]


def test_a_money_cap_with_an_unknown_price_needs_a_cap_on_calls(bench: Workbench) -> None:
    judge = JudgeDraft(key="x", kind="address", model="m", base_url="http://127.0.0.1:9/v1")
    draft = two_texts(bench).model_copy(update={"judges": (judge,)}).with_plan(max_cost=1.0)
    assert "unknown" in blockers(bench, draft)[0].message
    assert blockers(bench, draft.with_plan(max_calls=10)) == []
    assert blockers(bench, draft.with_judge("x", price_input=1.0, price_output=2.0)) == []


def test_a_pair_that_does_not_fit_the_context_blocks_the_start(bench: Workbench) -> None:
    judge = JudgeDraft(key="x", kind="address", model="m", base_url="http://127.0.0.1:9/v1", context_tokens=100)
    draft = two_texts(bench).model_copy(update={"judges": (judge,)})
    assert [blocker.step for blocker in blockers(bench, draft)] == ["judges"]


def test_hosts_outside_this_computer_are_named_once(bench: Workbench) -> None:
    judges = (
        JudgeDraft(key="1"),
        JudgeDraft(key="2", kind="address", model="m", base_url="http://127.0.0.1:9/v1"),
        JudgeDraft(key="3", kind="openai", model="gpt-4o"),
        JudgeDraft(key="4", kind="openai", model="gpt-4o-mini"),
    )
    spec = spec_of(bench, two_texts(bench).model_copy(update={"judges": judges}))
    assert destinations(spec.judges) == ["api.openai.com"]
    assert spec.judges[0].free and spec.judges[2].price is not None


def test_the_users_price_table_goes_before_the_shipped_one(bench: Workbench) -> None:
    bench.home.prices.write_text('{"api.openai.com/gpt-4o": {"input": 1.5, "output": 3.5}}', "utf-8")
    draft = two_texts(bench).model_copy(update={"judges": (JudgeDraft(key="1", kind="openai", model="gpt-4o"),)})
    price = spec_of(bench, draft).judges[0].price
    assert price is not None and (price.input, price.output) == (1.5, 3.5)


def test_a_prior_elo_comes_from_its_column_and_a_word_in_it_is_refused(bench: Workbench) -> None:
    table = b"id,text,elo\na,First text,1600\nb,Second text,\n"
    draft = add_files(bench.archive, Draft(), [("t.csv", table)]).with_plan(preset="custom", prior_column="elo")
    assert {text.id: text.prior_elo for text in spec_of(bench, draft).texts} == {"a": 1600.0, "b": None}
    wrong = add_files(bench.archive, Draft(), [("t.csv", table.replace(b"1600", b"good"))])
    with pytest.raises(InputError, match="no rating"):
        spec_of(bench, wrong.with_plan(preset="custom", prior_column="elo"))


def test_i_019_no_file_name_reaches_the_prompt(bench: Workbench) -> None:
    folder = CASES / "files" / "I-019"
    draft = add_files(bench.archive, Draft(), [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())])
    spec = spec_of(bench, draft)
    assert {text.alias for text in spec.texts} == {"E-001", "E-002"}
    run = bench.start(spec)
    bench.wait(run, 30)
    from judge_core.interfaces.detail.match import match_detail

    prompts = [message.content for e in match_detail(bench, run, 1).exchanges for message in e.prompt]
    assert prompts and not any("BEST" in prompt or "rejected_old" in prompt for prompt in prompts)
