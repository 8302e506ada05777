"""New ranking: what is entered is kept, what is wrong is said, and Start uses just what is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.session import workbench
from tests.pages.entering import FILES, address, at, case, opened, press, started, stored, uploaded, widget

# the whole way


def test_uploads_to_start_in_four_steps(app: AppTest) -> None:
    uploaded(opened(app))
    for label in ("Next: Rubric", "Next: Judges", "Next: Price and data"):
        press(app, label)
    assert "Nothing leaves this computer." in [element.value for element in app.success]
    spec = started(app)
    assert {text.id for text in spec.texts} == {"a.txt", "b.txt"} and spec.judges[0].provider == "offline"


def test_starting_the_same_again_joins_or_repeats_and_the_draft_names_its_run(app: AppTest) -> None:
    uploaded(opened(app))
    started(app)
    run = address(app, "run")
    app.switch_page("new_ranking.py").run()
    assert stored(app).run == run
    press(app, "Open that run")
    assert address(app, "run") == run


def test_s_012_the_page_opened_by_its_address_has_an_empty_state_and_cannot_start(app: AppTest) -> None:
    opened(app)
    assert "No texts yet" in app.info[0].value
    at(app, "start")
    assert widget(app.button, "Start").disabled  # type: ignore[attr-defined]
    assert any("at least two" in element.value for element in app.markdown)


def test_an_address_of_a_draft_that_is_gone_says_so(app: AppTest) -> None:
    app.query_params["draft"] = "nothing"
    opened(app)
    app.query_params["draft"] = "nothing"
    app.run()
    assert not app.exception and "not in the data folder" in app.error[0].value


# keeping


def test_s_011_all_is_still_there_after_another_page_and_after_a_refresh(
    app: AppTest, open_app: Callable[[], AppTest]
) -> None:
    uploaded(opened(app), [*FILES, ("c.txt", b"The third.", "text/plain")])
    at(app, "judges")
    app.selectbox[0].set_value("groq").run()
    widget(app.selectbox, "Model").set_value("llama-3.1-8b-instant").run()  # type: ignore[attr-defined]
    app.switch_page("settings.py").run()
    app.switch_page("new_ranking.py").run()
    at(app, "judges")
    assert [box.value for box in app.selectbox] == ["groq", "llama-3.1-8b-instant"]
    assert len(app.dataframe) == 0 and len(at(app, "texts").dataframe[0].value) == 3
    fresh = open_app()
    fresh.run()
    fresh.switch_page("new_ranking.py")
    fresh.query_params["draft"] = address(app, "draft")
    fresh.run()
    assert len(fresh.dataframe[0].value) == 3


def test_s_020_two_sessions_share_neither_texts_nor_keys(app: AppTest, open_app: Callable[[], AppTest]) -> None:
    one, two = uploaded(opened(app)), opened(open_app())
    assert "No texts yet" in two.info[0].value
    uploaded(two, [("x.txt", b"Another text.", "text/plain"), ("y.txt", b"And one more.", "text/plain")])
    for session, key in ((one, "sk-one"), (two, "sk-two")):
        at(session, "judges").selectbox[0].set_value("openai").run()
        widget(session.selectbox, "Model").set_value("gpt-4o-mini").run()  # type: ignore[attr-defined]
        widget(session.text_input, "Key").set_value(key).run()  # type: ignore[attr-defined]
    assert {u.name for u in stored(one).uploads} == {"a.txt", "b.txt"}
    assert {u.name for u in stored(two).uploads} == {"x.txt", "y.txt"}
    kept = [list(s.session_state["typed_keys"][address(s, "draft")].values())[0][1] for s in (one, two)]
    assert [key.get_secret_value() for key in kept] == ["sk-one", "sk-two"]


def test_a_typed_key_is_nowhere_in_the_data_folder_or_the_address(app: AppTest, home: Path) -> None:
    uploaded(opened(app))
    at(app, "judges").selectbox[0].set_value("openai").run()
    widget(app.text_input, "Key").set_value("sk-very-secret").run()  # type: ignore[attr-defined]
    assert any("key that you typed is used" in caption.value for caption in app.caption)
    assert "secret" not in str(dict(app.query_params)) and "secret" not in stored(app).model_dump_json()
    assert not any(b"sk-very-secret" in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_a_key_typed_for_one_service_does_not_go_to_another(app: AppTest) -> None:
    opened(app, "judges").selectbox[0].set_value("openai").run()
    widget(app.text_input, "Key").set_value("sk-1").run()  # type: ignore[attr-defined]
    app.selectbox[0].set_value("address").run()
    widget(app.text_input, "Address").set_value("https://judge.example.org/v1").run()  # type: ignore[attr-defined]
    assert not any("key that you typed is used" in caption.value for caption in app.caption)


# texts


def test_texts_are_shown_blind_until_names_are_asked_for(app: AppTest) -> None:
    uploaded(opened(app))
    assert list(app.dataframe[0].value["Text"]) == ["E-001", "E-002"] and "Name" not in app.dataframe[0].value
    app.toggle(key="new_ranking:show_names").set_value(True).run()
    assert set(app.dataframe[0].value["Name"]) == {"a", "b"}


def test_a_bad_file_stands_by_name_beside_the_good_ones(app: AppTest) -> None:
    uploaded(opened(app), [*FILES, ("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(50), "image/jpeg")])
    assert list(app.dataframe[0].value["File"]) == ["photo.jpg"] and len(app.dataframe[1].value) == 2


def test_what_is_said_of_the_class_list_stands_in_its_own_part(app: AppTest) -> None:
    uploaded(opened(app))
    roster = ("class.csv", b"file,name\na.txt,Ann\nlost.txt,Bo\n", "text/csv")
    next(box for box in app.file_uploader if box.label.startswith("Class list")).set_value([roster]).run()
    assert not app.exception and not any(
        "File" in frame.value and "What to know" in frame.value for frame in app.dataframe
    )
    [told] = [f.value for f in app.dataframe if "What to know about the class list" in f.value]
    assert any("'lost.txt'" in message for message in told["What to know about the class list"])
    assert "roster" not in " ".join(str(value) for value in told.to_numpy().ravel())
    assert not any("could not be used" in expander.label for expander in app.expander)


def test_the_list_tells_only_what_a_person_should_look_at(app: AppTest) -> None:
    uploaded(opened(app))
    assert list(app.dataframe[0].value.columns) == ["Text", "Words"]
    table = b"student,essay\ns1,A long essay about sleep\ns2,Another long essay\n"
    uploaded(app, [("class.csv", table, "text/csv"), ("old.txt", "Ein schöner Tag.".encode("cp1252"), "text/plain")])
    shown = next(frame.value for frame in app.dataframe if "Words" in frame.value)
    assert sorted(set(shown["Encoding"])) == ["", "cp1252 (a guess)"]
    assert sorted(set(shown["Guessed"])) == ["", "text taken from the column essay"]
    options = [option for box in app.selectbox for option in box.options]
    assert "None: rows are named by their number" in options or "Guessed: student" in options
    assert not any("none found" in option or "Guessed: none" in option for option in options)


def test_s_013_uploaded_bytes_are_let_go_once_they_are_stored(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    held: dict[str, int] = {}
    remove = MemoryUploadedFileManager.remove_file

    def removed(self: MemoryUploadedFileManager, session_id: str, file_id: str) -> None:
        remove(self, session_id, file_id)
        held[file_id] = len(self.get_files(session_id, [file_id]))

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", removed)
    uploaded(opened(app))
    assert list(held.values()) == [0, 0] and not app.file_uploader[0].value


def test_a_file_without_a_text_can_be_removed(app: AppTest) -> None:
    uploaded(opened(app), [("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(50), "image/jpeg")])
    press(app, "Remove it")
    assert stored(app).uploads == () and "No texts yet" in app.info[0].value


def test_pasted_text_is_added_and_the_box_is_empty_again(app: AppTest) -> None:
    opened(app).text_area(key="new_ranking:paste").set_value("One.\n---\nTwo.").run()
    press(app, "Add this text")
    assert len(app.dataframe[0].value) == 2 and app.text_area(key="new_ranking:paste").value == ""


def test_a_text_can_be_taken_out_and_a_file_removed(app: AppTest) -> None:
    press(uploaded(opened(app)), "Take it out")
    assert len(stored(app).texts) == 1
    press(app, "Put back 1 text taken out")
    press(app, "Remove it")
    assert [upload.name for upload in stored(app).uploads] == ["b.txt"]


def test_a_table_shows_its_guess_and_takes_another_column(app: AppTest) -> None:
    table = b"student,essay,summary\ns1,A long essay about sleep,Short one\ns2,Another long essay,Short two\n"
    uploaded(opened(app), [("class.csv", table, "text/csv")])
    app.selectbox[0].set_value("summary").run()
    assert [workbench().archive.text(t.artifact.sha256) for t in stored(app).texts] == ["Short one", "Short two"]


@pytest.mark.parametrize("name", [*case("S-015")["strings"], "![x](http://127.0.0.1:9/p.png).txt"])
def test_s_015_hostile_names_stand_only_in_sinks_that_read_no_markdown(app: AppTest, name: str) -> None:
    uploaded(opened(app), [(name, b"id,text\na,One text\nb,Two texts\n", "text/csv"), *FILES])
    app.toggle(key="new_ranking:show_names").set_value(True).run()
    kinds = (app.markdown, app.caption, app.info, app.warning, app.error, app.success, app.subheader)
    shown = [str(element.value) for kind in kinds for element in kind]
    assert not any(
        mark in text for text in shown for mark in ("<script", "<img", "<style", "</div", "![x](", 'onmouseover="')
    )
    assert not any(element.allow_html for element in app.markdown)


@pytest.mark.parametrize("text", case("S-014")["texts"])
def test_s_014_a_text_is_shown_as_it_was_written(app: AppTest, text: str) -> None:
    opened(app).text_area(key="new_ranking:paste").set_value(f"x {text} x").run()
    press(app, "Add this text")
    press(app, "Read it")
    kept = [workbench().archive.text(t.artifact.sha256) for t in stored(app).texts]
    assert set(kept) <= {element.value for element in app.text}
