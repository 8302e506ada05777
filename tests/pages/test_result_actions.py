"""What can be done on the result page: other weights, going on, stopping, taking files away."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from judge_core.interfaces.dashboard.result.sections import take_away
from judge_core.interfaces.library.results import FILES, Ranking
from judge_core.providers import registry
from judge_core.providers.offline import OfflineJudge
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.prompt import Completion, Prompt
from judge_core.records.spec import Caps
from tests.pages.stored_runs import (
    bench,
    example_run,
    example_spec,
    opened,
    section,
    shown,
    stored,
    written,
)
from tests.views.streams import Stream, decided, judge, spec

# weights


def contrary() -> Stream:
    """E-001 argues better, E-002 writes better; argument weighs three times as much."""
    criteria = (Criterion(name="Argument", weight=3), Criterion(name="Style", weight=1))
    stream = Stream(spec(2, rounds=2, rubric=Rubric(criteria=criteria)), planned=1).round(1, ("E-001", "E-002"))
    verdicts = decided({"Argument": (9, 3), "Style": (3, 9)}, criteria)
    return stream.match("E-001", "E-002", verdicts).close(1).end()


def test_other_weights_rank_anew_without_a_call_and_can_be_taken_back(app: AppTest) -> None:
    """C-005."""
    run = stored(contrary())
    section(opened(app, run), "Weights")
    before = bench().journal.last_seq(run)
    style = next(field for field in app.number_input if field.label == "Style")
    style.set_value(90.0).run()
    section(app, "Ranking")
    assert list(app.dataframe[0].value["text"]) == ["E-002", "E-001"]
    assert bench().journal.last_seq(run) == before
    section(app, "Weights")
    app.button(key="weights_reset").click().run()
    assert next(field for field in app.number_input if field.label == "Style").value == 25.0
    section(app, "Ranking")
    assert list(app.dataframe[0].value["text"]) == ["E-001", "E-002"]


def test_weights_that_are_all_zero_show_no_ranking_by_other_numbers(app: AppTest) -> None:
    """Neither by the run's own weights nor by those that were set before."""
    run = stored(contrary())
    section(opened(app, run), "Weights")
    next(field for field in app.number_input if field.label == "Style").set_value(90.0).run()
    for field in app.number_input:
        field.set_value(0.0)
    app.run()
    assert not app.exception
    assert "At least one weight must be above 0" in shown(app)
    assert not app.dataframe and "These ranks rest on what you set" not in shown(app)
    app.button(key="weights_reset").click().run()
    assert [field.value for field in app.number_input] == [75.0, 25.0] and app.dataframe


def test_shares_of_weights_sum_to_100(app: AppTest) -> None:
    rubric = Rubric(criteria=tuple(Criterion(name=name, weight=1) for name in ("One", "Two", "Three")))
    stream = Stream(spec(2, rounds=2, rubric=rubric), planned=1).round(1, ("E-001", "E-002"))
    scores = {name: (8.0, 4.0) for name in ("One", "Two", "Three")}
    run = stored(stream.match("E-001", "E-002", decided(scores, rubric.criteria)).close(1).end())
    section(opened(app, run), "Weights")
    assert "Shares now: One 33.4 %, Two 33.3 %, Three 33.3 %" in shown(app)


# what can be done


def test_a_run_that_waits_starts_at_a_press(app: AppTest) -> None:
    run = waiting_run()
    opened(app, run)
    assert "Not started" in shown(app)
    app.button(key="resume").click().run()
    assert bench().wait(run, 30).status == "done"
    app.run()
    assert "Finished" in shown(app)


def waiting_run() -> str:
    """A run that was written and never started."""
    return bench().journal.create(example_spec())


def test_cancelling_ends_a_run_for_good(app: AppTest) -> None:
    run = waiting_run()
    opened(app, run)
    app.button(key="cancel").click().run()
    assert bench().wait(run, 30).status == "cancelled"
    app.run()
    assert "Cancelled" in shown(app)
    assert "resume" not in {button.key for button in app.button}


def test_a_run_that_nobody_works_on_is_interrupted_and_offers_to_resume(app: AppTest) -> None:
    stream = Stream(
        spec(2, rounds=1, judges=(judge("https://judge.invalid/v1#m", base_url="https://judge.invalid/v1"),))
    )
    opened(app, stored(stream.round(1, ("E-001", "E-002"))))
    assert "This run was interrupted" in shown(app)
    assert app.button(key="resume").label == "Resume"


def test_resume_asks_for_a_missing_key_and_keeps_it_off_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_ALLOWED_HOSTS", "127.0.0.1")
    judges = (judge("https://judge.invalid/v1#m", base_url="https://judge.invalid/v1"),)
    run = stored(Stream(spec(2, rounds=1, judges=judges)).round(1, ("E-001", "E-002")))
    opened(app, run)
    app.text_input(key="resume_key_0").input("sk-secret-1234")
    app.button(key="resume").click().run()
    assert "judge.invalid" in app.error[0].value.replace("\\", ""), "the host is not allowed, and the page says so"
    assert not app.text_input, "it is kept for this run, and not asked for twice"
    assert "sk-secret" not in written(app) + str(app.session_state.to_dict())


def test_a_key_that_failed_is_asked_for_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_ALLOWED_HOSTS", "127.0.0.1")
    judges = (judge("https://judge.invalid/v1#m", base_url="https://judge.invalid/v1"),)
    stream = Stream(spec(2, rounds=1, judges=judges)).round(1, ("E-001", "E-002"))
    opened(app, stored(stream.end("failed", "The key was refused.")))
    app.text_input(key="resume_key_0").input("sk-wrong")
    app.button(key="resume").click().run()
    assert app.text_input(key="resume_key_0").value == ""


def test_a_run_of_another_process_is_said_to_be_one(app: AppTest) -> None:
    run = waiting_run()
    bench().journal.take_lease(run, "elsewhere|1|other")
    opened(app, run)
    assert "Another Podium process works on this run" in shown(app)
    assert app.button(key="pause").disabled


def test_what_broke_a_run_is_said_plainly(app: AppTest) -> None:
    run = bench().journal.create(spec(2, rounds=1, judges=example_spec().judges))  # its texts were never stored
    opened(app, run)
    app.button(key="resume").click().run()
    with pytest.raises(Exception, match="not in this data folder"):
        bench().wait(run, 30)
    app.run()
    assert "The run broke off." in shown(app)


class Moody:
    """A judge that talks nonsense while it is ill."""

    def __init__(self) -> None:
        self.ill, self._well = True, OfflineJudge()

    async def complete(self, prompt: Prompt) -> Completion:
        return Completion(text="Who can say?") if self.ill else await self._well.complete(prompt)

    async def aclose(self) -> None:
        await self._well.aclose()


def test_failed_judgments_can_be_asked_for_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    moody = Moody()
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    registry.register_provider("moody", lambda judge, access: moody)
    run = bench().start(example_spec(rounds=1, judges=(judge("moody", provider="moody"),)))
    assert bench().wait(run, 30).ledger["unparseable"] == 6
    opened(app, run)
    assert app.button(key="retry").label == "Ask again for the 6 failed judgments"
    moody.ill = False
    app.button(key="retry").click().run()
    assert bench().wait(run, 30).ledger["unparseable"] == 0
    app.run()
    assert "retry" not in {button.key for button in app.button}


def test_a_run_at_its_cap_says_so_and_goes_on_with_a_higher_one(app: AppTest) -> None:
    run = bench().start(example_spec(caps=Caps(max_calls=8)))
    assert bench().wait(run, 30).status == "budget"
    opened(app, run)
    assert "Stopped at the cap" in shown(app)
    app.number_input(key="cap_calls").set_value(500)
    next(button for button in app.button if button.label == "Set the cap and go on").click().run()
    assert bench().wait(run, 30).status == "done"


# files


def test_the_files_are_the_same_at_each_press(app: AppTest) -> None:
    """S-001, S-002."""
    run = example_run()
    section(opened(app, run), "Take away")
    assert [button.label for button in app.download_button] == [
        "Ranking (CSV)", "Ranking (Excel)", "Report (text)", "Judgments (CSV)", "Whole run (zip)",
    ]  # fmt: skip
    for name in ("ranked.csv", "ranked.xlsx", "report.txt", "judgments.csv"):
        assert len({FILES[name].content(Ranking.of(bench(), run)) for _ in range(3)}) == 1
    assert all(button.proto.ignore_rerun for button in app.download_button)


def test_the_report_is_the_ranking_on_the_page_and_says_whose_weights_it_follows(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, bytes] = {}
    monkeypatch.setattr(take_away, "file_row", lambda words, name, mime, about, content: made.update({name: content()}))
    run = stored(contrary())
    section(opened(app, run), "Take away")
    assert made["report.txt"] == FILES["report.txt"].content(Ranking.of(bench(), run))
    section(app, "Weights")
    next(field for field in app.number_input if field.label == "Style").set_value(90.0).run()
    section(app, "Take away")
    assert "Ranked by the weights set on the result page" in made["report.txt"].decode()
