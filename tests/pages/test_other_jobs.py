"""Other jobs: each job is entered, priced, run with the demo judge and ends; what is entered is kept and goes nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.jobs.kinds import JOBS
from judge_core.interfaces.dashboard.session import workbench
from judge_core.records.spec import ItemSpec, Spec
from judge_core.views.items.state import ItemState
from judge_core.views.state import RunState
from tests.pages.entering import FILES, address, press, stored, uploaded, widget
from tests.pages.stored_runs import shown

LONG = "Because days grow short, the tree seals each stem, and the wind does the rest."
ROW = {"question": "When do leaves fall?", "answer": "In autumn.", "passages": ["Leaves fall in autumn."]}


def opened(app: AppTest, job: str | None = None) -> AppTest:
    """The page as a link to a job opens it."""
    if job is None:
        return go(app, "other_jobs.py")
    return go(app, "other_jobs.py", job=job)


def go(app: AppTest, page: str, **address: str) -> AppTest:
    """Another page, as a click in the sidebar or a link opens it: nothing of the old address is left."""
    app.run()
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    app.switch_page(page).run()
    assert not app.exception, app.exception
    return app


def box(app: AppTest, label: str, text: str) -> AppTest:
    """A text typed into a box."""
    area: Any = widget(app.text_area, label)
    area.set_value(text).run()
    assert not app.exception, app.exception
    return app


def ran(app: AppTest) -> RunState | ItemState:
    """Run is pressed; the state of the run when it is over."""
    assert not widget(app.button, "Run").disabled, shown(app)  # type: ignore[attr-defined]
    press(app, "Run")
    assert not app.error or "Result" in app.title[0].value, [error.value for error in app.error]
    return workbench().wait(address(app, "run"), 60)


def items_run(app: AppTest) -> ItemState:
    state = ran(app)
    assert isinstance(state, ItemState) and state.status == "done"
    judged = [judgment for item in state.spec.items for judgment in state.items[item.alias].judgments]
    assert judged and all(judgment.verdict is not None for judgment in judged)
    return state


def upload(app: AppTest, label: str, *files: tuple[str, bytes, str]) -> AppTest:
    boxes: Any = [found for found in app.file_uploader if found.label.startswith(label)]
    boxes[0].set_value(list(files)).run()
    assert not app.exception, app.exception
    return app


# each job, from its link to the end of its run


def test_two_texts_are_compared_in_both_orders(app: AppTest) -> None:
    opened(app, "compare")
    box(box(app, "Text A", "Wind."), "Text B", LONG)
    assert next(metric.value for metric in app.metric if metric.label == "Calls") == "2"
    assert "Nothing leaves this computer." in [element.value for element in app.success]
    state = ran(app)
    assert isinstance(state, RunState) and state.status == "done"
    spec = state.spec
    assert isinstance(spec, Spec) and (spec.rounds, spec.both_orders) == (1, True)
    assert {text.id for text in spec.texts} == {"Text A", "Text B"} and spec.name == "Text A and Text B"


def test_one_text_is_scored_against_a_model_answer(app: AppTest) -> None:
    opened(app, "score")
    box(app, "The text", LONG)
    box(app, "Model answer", "Leaves fall because the tree lets go of them.")
    box(app, "Question or task", "Why do leaves fall?")
    spec = items_run(app).spec
    assert isinstance(spec, ItemSpec) and spec.mode == "review" and spec.rubric.question == "Why do leaves fall?"
    assert [part.role for part in spec.items[0].parts] == ["text", "reference"]


def test_many_texts_are_reviewed_each_by_itself(app: AppTest) -> None:
    uploaded(opened(app, "review"))
    assert list(app.dataframe[0].value["Text"]) == ["I-001", "I-002"]
    app.toggle(key="new_ranking:show_names").set_value(True).run()
    assert set(app.dataframe[0].value["Name"]) == {"a", "b"}
    state = items_run(app)
    assert state.spec.mode == "review" and {item.id for item in state.spec.items} == {"a.txt", "b.txt"}


def test_a_gate_runs_with_the_bar_that_was_set(app: AppTest) -> None:
    uploaded(opened(app, "gate"))
    assert widget(app.number_input, "The bar").value == 3.5  # type: ignore[attr-defined]
    widget(app.number_input, "The bar").set_value(2.25).run()  # type: ignore[attr-defined]
    spec = items_run(app).spec
    assert spec.mode == "gate" and spec.bar == 2.25


def test_a_short_list_is_ranked_in_one_go(app: AppTest) -> None:
    uploaded(opened(app, "list"), [*FILES, ("c.txt", b"The third one.", "text/plain")])
    widget(app.toggle, "Show the list in reverse").set_value(False).run()  # type: ignore[attr-defined]
    spec = items_run(app).spec
    assert spec.mode == "listwise" and not spec.both_orders
    assert [part.name for part in spec.items[0].of("candidate")] == ["a.txt", "b.txt", "c.txt"]


@pytest.mark.parametrize(("job", "count"), [("rag", 7), ("agent", 5)])
def test_the_sample_is_one_click_away(app: AppTest, job: str, count: int) -> None:
    press(opened(app, job), "Try the sample")
    frame = next(frame.value for frame in app.dataframe if "Id" in frame.value)
    assert len(frame) == count
    state = items_run(app)
    assert state.spec.mode == job and len(state.spec.items) == count


def test_one_answer_is_typed_in(app: AppTest) -> None:
    opened(app, "rag")
    box(box(app, "Question", "When do leaves fall?"), "Answer", "In autumn.")
    box(app, "Passages", "Leaves fall in autumn.\n---\nWind moves sand.")
    [item] = items_run(app).spec.items
    assert len(item.of("passage")) == 2 and item.title == "When do leaves fall?"


@pytest.mark.parametrize(
    ("job", "press_it"), [("compare", "Try it with two"), ("score", "Try it with an"), ("review", "Try it with the")]
)
def test_the_samples_of_texts_bring_their_question_and_criteria(app: AppTest, job: str, press_it: str) -> None:
    opened(app, job)
    widget(app.button, press_it).click().run()  # type: ignore[attr-defined]
    assert not app.exception and len(stored(app).rubric.rubric.criteria) == 4
    assert "sleep" in widget(app.text_area, "Question or task").value  # type: ignore[attr-defined]
    assert not widget(app.button, "Run").disabled  # type: ignore[attr-defined]


# what judges are told


def test_answers_are_scored_for_relevance_unless_own_criteria_are_chosen(app: AppTest) -> None:
    opened(app, "score")
    box(app, "Question or task", "Why?")
    press(app, "Use these criteria")
    app.radio[0].set_value("rag").run()
    upload(app, "Drag in a file of answers", ("a.json", json.dumps([ROW]).encode(), "application/json"))
    state = items_run(app)
    assert [c.name for c in state.spec.rubric.criteria] == ["Answer relevance"] and not state.spec.rubric.question
    go(app, "other_jobs.py")
    widget(app.toggle, "Score the answers on criteria").set_value(True).run()  # type: ignore[attr-defined]
    state = items_run(app)
    assert state.spec.rubric.criteria == stored_rubric(app) and not state.spec.rubric.question


def stored_rubric(app: AppTest) -> object:
    go(app, "other_jobs.py")
    return stored(app).rubric.rubric.criteria


# the page


def test_a_link_opens_a_job_and_the_choice_stands_in_the_address(app: AppTest) -> None:
    opened(app, "agent")
    assert app.radio[0].value == "agent" and app.subheader[0].value == JOBS["agent"].title
    app.radio[0].set_value("list").run()
    assert address(app, "job") == "list" and app.subheader[0].value == JOBS["list"].title


@pytest.mark.parametrize("job", ["nonsense", "", "<b>"])
def test_a_link_to_no_job_opens_the_first(app: AppTest, job: str) -> None:
    opened(app, job)
    assert app.radio[0].value == "compare"


@pytest.mark.parametrize("job", list(JOBS))
def test_an_empty_job_says_what_it_needs_and_cannot_run(app: AppTest, job: str) -> None:
    opened(app, job)
    assert widget(app.button, "Run").disabled and "Before you can run" in shown(app)  # type: ignore[attr-defined]
    assert len([button for button in app.button if button.proto.type == "primary"]) == 1


def test_what_was_entered_is_kept_over_other_jobs_and_pages_and_a_refresh(
    app: AppTest, open_app: Callable[[], AppTest]
) -> None:
    opened(app, "compare")
    box(app, "Text A", LONG)
    app.radio[0].set_value("rag").run()
    go(app, "settings.py")
    go(app, "other_jobs.py")
    assert app.radio[0].value == "rag"
    app.radio[0].set_value("compare").run()
    assert widget(app.text_area, "Text A").value == LONG  # type: ignore[attr-defined]
    fresh = open_app()
    go(fresh, "other_jobs.py", draft=address(app, "draft"))
    assert widget(fresh.text_area, "Text A").value == LONG  # type: ignore[attr-defined]


def test_a_box_is_not_written_over_while_something_else_is_stored(app: AppTest) -> None:
    """A value that a page sets takes away what a person is typing into the box at that moment."""
    opened(app, "compare")
    box(app, "Text A", LONG)
    assert not widget(app.text_area, "Text B").proto.set_value  # type: ignore[attr-defined]
    press(opened(app, "score"), "Try it with an example essay")
    assert widget(app.text_area, "The text").proto.set_value  # type: ignore[attr-defined]


def test_an_entry_whose_callback_was_cut_short_is_stored_all_the_same(app: AppTest) -> None:
    """The next entry stops the pass before it, in the middle of what it stores."""
    box(opened(app, "score"), "Question or task", "Why?")
    area: Any = widget(app.text_area, "The text")
    app.session_state[area.key] = LONG  # in the widget, and its callback never ran
    app.run()
    assert not app.exception and widget(app.text_area, "The text").value == LONG  # type: ignore[attr-defined]
    assert workbench().archive.text(stored(app).inputs.one.sha256) == LONG
    assert stored(app).rubric.rubric.question == "Why?"


def test_two_sessions_do_not_disturb_each_other(app: AppTest, open_app: Callable[[], AppTest]) -> None:
    one, two = opened(app, "score"), opened(open_app(), "score")
    box(one, "The text", "One.")
    box(two, "The text", "Two.")
    one.run()
    assert widget(one.text_area, "The text").value == "One."  # type: ignore[attr-defined]
    assert address(one, "draft") != address(two, "draft")


def test_a_new_ranking_and_another_job_have_drafts_of_their_own(app: AppTest) -> None:
    uploaded(go(app, "new_ranking.py"))
    ranking = address(app, "draft")
    uploaded(opened(app, "gate"), [("x.txt", b"Another text.", "text/plain")])
    assert address(app, "draft") != ranking and len(stored(app).texts) == 1
    go(app, "new_ranking.py")
    assert address(app, "draft") == ranking and len(stored(app).texts) == 2
    go(app, "home.py")
    assert len([button for button in app.button if button.label == "Continue"]) == 1
    press(app, "Continue")
    assert address(app, "draft") == ranking


def test_a_started_job_names_its_run_and_can_be_begun_anew(app: AppTest) -> None:
    box(opened(app, "score"), "The text", LONG)
    items_run(app)
    run = address(app, "run")
    go(app, "other_jobs.py")
    press(app, "Open that run")
    assert address(app, "run") == run
    go(app, "other_jobs.py")
    press(app, "Begin with nothing")
    assert widget(app.text_area, "The text").value == ""  # type: ignore[attr-defined]


def test_a_word_file_or_any_other_can_fill_a_box(app: AppTest) -> None:
    opened(app, "compare")
    upload(app, "Text A from a file", ("essay <b>.txt", LONG.encode(), "text/plain"))
    assert widget(app.text_area, "Text A").value == LONG  # type: ignore[attr-defined]
    assert stored(app).inputs.a.name == "essay <b>.txt"


def test_a_file_can_be_removed_again(app: AppTest) -> None:
    press(opened(app, "rag"), "Try the sample")
    press(app, "Remove it")
    assert stored(app).inputs.rag_files == () and widget(app.button, "Run").disabled  # type: ignore[attr-defined]


def test_a_typed_key_is_nowhere_in_the_data_folder_or_the_address(app: AppTest, home: Path) -> None:
    box(opened(app, "score"), "The text", LONG)
    widget(app.selectbox, "Service").set_value("openai").run()  # type: ignore[attr-defined]
    widget(app.text_input, "Key").set_value("sk-very-secret").run()  # type: ignore[attr-defined]
    assert any("key that you typed is used" in caption.value for caption in app.caption)
    assert "secret" not in str(dict(app.query_params)) and "secret" not in stored(app).model_dump_json()
    assert not any(b"sk-very-secret" in path.read_bytes() for path in home.rglob("*") if path.is_file())
