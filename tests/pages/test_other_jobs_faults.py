"""Other jobs: what cannot be judged is said in plain words before anything is asked, and hostile names stay harmless."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.intake.items.rag_files import RAG_FORMAT
from judge_core.interfaces.dashboard.jobs.item_files import ANSWER_FIELDS
from judge_core.interfaces.dashboard.session import close_workbenches, workbench
from judge_core.interfaces.drafts import change
from judge_core.interfaces.drafts.rubrics import with_json
from tests.pages.entering import FAULTY, FILES, address, case, press, stored, uploaded, widget
from tests.pages.stored_runs import shown, written
from tests.pages.test_other_jobs import LONG, ROW, box, items_run, opened, upload

HOSTILE = [*case("S-014")["texts"], *case("S-015")["strings"], "![x](http://127.0.0.1:9/p.png)"]


def lines(*rows: object) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def refused(app: AppTest, words: str) -> None:
    """Run is closed, and the page says why."""
    assert widget(app.button, "Run").disabled and words in shown(app), shown(app)  # type: ignore[attr-defined]


def service(app: AppTest, kind: str, model: str = "", label: str = "Model") -> AppTest:
    """Another judge in the panel's first row."""
    choice: Any = widget(app.selectbox, "Service")
    choice.set_value(kind).run()
    if model:
        named: Any = widget([*app.text_input, *app.selectbox], label)
        named.set_value(model).run()
    assert not app.exception, app.exception
    return app


# texts


def test_a_text_of_blanks_is_empty(app: AppTest) -> None:
    opened(app, "compare")
    box(box(app, "Text A", LONG), "Text B", " \n\u200b ")
    refused(app, "Text B is empty")
    assert "Text A is empty" not in shown(app)


def test_equal_texts_can_be_compared_and_stay_two(app: AppTest) -> None:
    opened(app, "compare")
    box(box(app, "Text A", LONG), "Text B", LONG)
    assert not widget(app.button, "Run").disabled  # type: ignore[attr-defined]


def test_a_table_of_texts_does_not_fit_into_a_box(app: AppTest) -> None:
    opened(app, "score")
    upload(app, "The text from a file", ("class.csv", b"id,text\na,One text here\nb,Another text here\n", "text/csv"))
    assert "2 texts" in app.error[0].value and "takes one" in app.error[0].value
    assert stored_nothing(app)


def test_a_file_that_cannot_be_read_changes_nothing_and_says_why(app: AppTest) -> None:
    box(opened(app, "score"), "The text", LONG)
    upload(app, "The text from a file", ("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(50), "image/jpeg"))
    assert "photo\\.jpg" in app.error[0].value
    assert widget(app.text_area, "The text").value == LONG  # type: ignore[attr-defined]


def stored_nothing(app: AppTest) -> bool:
    return "draft" not in app.query_params or not stored(app).inputs.one.sha256


def test_blank_rows_of_a_table_are_told_and_the_others_judged(app: AppTest) -> None:
    table = b"id,text\na,A first essay of some words\nb,\nc,Another essay of some words\n"
    uploaded(opened(app, "review"), [("class.csv", table, "text/csv")])
    told = " ".join(str(frame.value.to_numpy().tolist()) for frame in app.dataframe if "What to know" in frame.value)
    assert "class.csv" in told and ("row 3" in told.lower() or "empty" in told.lower() or "blank" in told.lower())
    assert len(items_run(app).spec.items) == 2


@pytest.mark.parametrize(("count", "words"), [(1, "at least two"), (21, "from 2 to 20")])
def test_a_list_that_is_too_short_or_too_long_is_refused_with_the_remedy(app: AppTest, count: int, words: str) -> None:
    files = [(f"{n}.txt", f"Text number {n}.".encode(), "text/plain") for n in range(count)]
    uploaded(opened(app, "list"), files)
    refused(app, words)


@pytest.mark.parametrize("bar", [0.5, 5.01, -3.0])
def test_a_bar_off_the_scale_is_refused_and_the_last_good_one_stays(app: AppTest, bar: float) -> None:
    uploaded(opened(app, "gate"))
    widget(app.number_input, "The bar").set_value(bar).run()  # type: ignore[attr-defined]
    assert "scale of 1 to 5" in app.error[0].value
    assert widget(app.number_input, "The bar").value == 3.5  # type: ignore[attr-defined]


def test_criteria_with_a_fault_stop_every_job_that_uses_them(app: AppTest) -> None:
    box(opened(app, "score"), "The text", LONG)
    change(
        workbench().archive,
        address(app, "draft"),
        lambda d: d.model_copy(update={"rubric": with_json(d.rubric, FAULTY)}),
    )
    app.run()
    refused(app, "criteria that you typed have a fault")
    app.radio[0].set_value("agent").run()
    press(app, "Try the sample")
    assert not widget(app.button, "Run").disabled  # type: ignore[attr-defined]
    app.radio[0].set_value("score").run()
    press(app, "Drop this edit")
    assert not widget(app.button, "Run").disabled  # type: ignore[attr-defined]


# files of answers and runs


def test_faulty_lines_are_named_and_the_good_ones_judged(app: AppTest) -> None:
    data = lines({**ROW, "id": "good"}, {"question": "Why?", "passages": []}, "{broken", {**ROW, "id": "fine"})
    upload(opened(app, "rag"), "Drag in a file of answers", ("answers.jsonl", data, "application/json"))
    problems = next(frame.value for frame in app.dataframe if "What to know" in frame.value)
    told = " ".join(problems["What to know"])
    assert set(problems["File"]) == {"answers.jsonl"} and "Line 2" in told and "Line 3" in told
    assert {item.id for item in items_run(app).spec.items} == {"good", "fine"}


@pytest.mark.parametrize(("job", "label"), [("rag", "Drag in a file of answers"), ("agent", "Drag in a file of agent")])
@pytest.mark.parametrize("data", [b"", b"{", b"[1, 2]", b"\xff\xfe\x00", b'[{"a": 1}]'])
def test_a_file_without_anything_to_judge_is_refused(app: AppTest, job: str, label: str, data: bytes) -> None:
    upload(opened(app, job), label, ("file.json", data, "application/json"))
    refused(app, "Nothing in these files can be judged")
    assert any("What to know" in frame.value for frame in app.dataframe)


@pytest.mark.parametrize(("filled", "missing"), [("Question", "answer"), ("Answer", "question")])
def test_a_typed_answer_that_is_not_whole_says_what_is_missing(app: AppTest, filled: str, missing: str) -> None:
    box(opened(app, "rag"), filled, "Some words.")
    refused(app, f"has no {missing}")
    refused(app, "has no passages")


def test_what_a_file_brought_stays_in_sight_while_an_answer_is_typed(app: AppTest) -> None:
    press(opened(app, "rag"), "Try the sample")
    box(app, "Answer", "Some words.")
    refused(app, "has no question")
    assert any("Passages" in frame.value for frame in app.dataframe)


def test_each_field_that_the_page_names_is_one_that_is_read() -> None:
    for name, _, _, others in ANSWER_FIELDS:
        assert all(word in RAG_FORMAT for word in (name, *others.split(", ")))


# judges, price and data


def test_where_the_texts_go_is_said_before_run_and_an_unknown_price_is_not_zero(app: AppTest) -> None:
    press(opened(app, "rag"), "Try the sample")
    service(app, "address", "m")
    widget(app.text_input, "Address").set_value("https://judge.example.org/v1").run()  # type: ignore[attr-defined]
    assert "7 answers with question and passages will be sent to **judge\\.example\\.org**" in app.warning[0].value
    assert next(metric.value for metric in app.metric if metric.label.startswith("Price")) == "unknown"
    widget(app.number_input, "Spend at most").set_value(5.0).run()  # type: ignore[attr-defined]
    refused(app, "cap in dollars cannot hold")
    widget(app.number_input, "Call at most").set_value(100).run()  # type: ignore[attr-defined]
    assert not widget(app.button, "Run").disabled  # type: ignore[attr-defined]


def test_a_service_without_a_key_is_told_before_run(app: AppTest) -> None:
    box(opened(app, "score"), "The text", LONG)
    service(app, "openai", "gpt-4o-mini")
    refused(app, "OPENAI_API_KEY")


def test_judges_of_this_computer_need_no_key_and_say_where_the_texts_go(app: AppTest) -> None:
    box(opened(app, "score"), "The text", LONG)
    service(app, "ollama", "llama3")
    assert any("Texts stay on this computer." in caption.value for caption in app.caption)
    assert "Nothing leaves this computer." in [element.value for element in app.success]
    assert next(metric.value for metric in app.metric if metric.label.startswith("Price")) == "$0"
    service(app, "local", "/models/judge.bin", "Path of the file")
    refused(app, "no GGUF file")


def test_a_program_is_not_offered_where_it_is_not_allowed(app: AppTest) -> None:
    opened(app, "score")
    assert "Program on this computer" not in widget(app.selectbox, "Service").options  # type: ignore[attr-defined]


def test_a_program_that_is_allowed_is_said_to_send_the_texts_on(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_ALLOW_COMMANDS", "true")
    box(opened(app, "score"), "The text", LONG)
    service(app, "cli", "claude", "Program")
    assert "which may send them on" in app.warning[0].value and not app.success
    monkeypatch.delenv("PODIUM_ALLOW_COMMANDS")
    close_workbenches()  # the server starts again with other settings
    app.run()
    refused(app, "Programs may not be judges here")


def test_judges_that_may_stand_in_are_named(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_FALLBACK_PROVIDERS", "https://spare.example.org/v1#m")
    box(opened(app, "score"), "The text", LONG)
    assert "spare\\.example\\.org" in app.warning[0].value
    assert any("stand in" in caption.value and "spare" in caption.value for caption in app.caption)


# hostile text


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_names_and_texts_stand_only_in_sinks_that_read_no_markdown(app: AppTest, words: str) -> None:
    """S-014, S-015: as file name, text, id, question, goal, criterion and name of the run."""
    opened(app, "review")
    uploaded(app, [(f"{words.replace('/', '_')}.txt", f"x {words}".encode(), "text/plain"), *FILES])
    app.toggle(key="new_ranking:show_names").set_value(True).run()
    widget(app.text_input, "Name of this run").set_value(words).run()  # type: ignore[attr-defined]
    pages = [written(app)]
    rag = json.dumps([{**ROW, "id": words, "question": words, "answer": words}, {"x": words}]).encode()
    runs = json.dumps(
        [{"id": words, "goal": words, "steps": [{"role": "assistant", "content": words}]}, words]
    ).encode()
    for job, label, data in (("rag", "Drag in a file of answers", rag), ("agent", "Drag in a file of agent", runs)):
        app.radio[0].set_value(job).run()
        upload(app, label, (f"{words.replace('/', '_')}.json", data, "application/json"))
        pages.append(written(app))
    for page in pages:
        assert not re.search(rf"(?<!\\){re.escape(words)}", page), words
    assert not any(element.allow_html for element in app.markdown)
