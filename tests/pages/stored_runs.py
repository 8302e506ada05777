"""Runs put into a data folder for the tests of the pages, and what a page shows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from judge_core.intake import read_paths
from judge_core.interfaces.dashboard import session
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.records.criteria import Criterion, Rubric
from judge_core.records.event import Ended
from judge_core.records.journal import Batch
from judge_core.records.spec import Goal, Spec
from judge_core.scoring.rubric.reading import read_rubric
from tests.views.streams import Stream, lost, spec, win

EXAMPLE = Path(__file__).parents[2] / "examples" / "sleep"
SAFE = ("text", "code", "dataframe", "arrow_data_frame", "plotly_chart", "echarts_chart", "vega_lite_chart")
"""Elements that interpret nothing in their content."""
PLAIN_FIELDS = ("options", "data", "value", "raw_value", "default", "placeholder", "id", "alt", "element_id")
"""Fields of widgets that are shown as they are."""
SECTIONS = ("Ranking", "Why is A above B?", "Can you trust this?", "Weights", "Matches", "How it went", "Take away")
"""Of the result page."""
PAIR_SECTIONS = ("The comparison", "Can you trust this?", "Weights", "Take away")
"""Of the result page of a single comparison."""
COURSE = ("Swiss bracket", "Elo, match by match", "Who beat whom", "Every judgment")
"""Of the section 'How it went'."""
TRUST = ("Checks", "Reliability", "Chances of each rank", "Order shown", "Judges", "Texts")
"""Of the section 'Can you trust this?'."""
METHODS: dict[str, dict[str, Any]] = {
    "swiss": {"rounds": 3},
    "round-robin": {"method": "round-robin"},
    "knockout": {"method": "knockout"},
    "adaptive": {"method": "adaptive", "rounds": 4, "goal": Goal(kind="top", ranks=(3,), probability=0.6)},
    "listwise": {"method": "listwise", "rounds": 3, "group_size": 4},
    "pointwise": {"method": "pointwise"},
    "scores first": {"rounds": 3, "warm_start": True},
}
"""A run of each method: fields of `example_spec`."""
Open = Callable[[], AppTest]


def bench() -> Workbench:
    """The workbench of the test's data folder."""
    return session.workbench()


def example_spec(**fields: Any) -> Spec:
    """The twelve example essays by the offline judge."""
    artifacts = read_paths([EXAMPLE / "essays"]).artifacts
    rubric = read_rubric((EXAMPLE / "criteria.json").read_text("utf-8")).rubric
    defaults = {"rubric": rubric, "judges": (judge_spec("offline"),), "rounds": 5, "name": "Sleep"}
    return new_spec(**{"texts": bench().keep_texts(artifacts), **defaults, **fields})


def example_run(**fields: Any) -> str:
    """A finished run of the example essays."""
    run = bench().start(example_spec(**fields))
    assert bench().wait(run, 30).status == "done"
    return run


def stored(stream: Stream, *, name: str = "A run") -> str:
    """A run with just these events. Each text says its alias."""
    own, spec = bench(), stream.spec
    for text in spec.texts:
        own.archive.keep_text(text.alias)
    run = own.journal.create(spec, name=name)
    lease = own.journal.take_lease(run, "nowhere|1|test")
    own.journal.commit(lease, Batch(events=tuple(stream.events)))
    last = stream.events[-1].event
    own.journal.release(lease, last.status if isinstance(last, Ended) else "running")
    return run


def failing() -> Stream:
    """Four texts, one round: a win, and a match whose judge gave no answer."""
    stream = Stream(spec(4, rounds=1), planned=2).round(1, ("E-001", "E-002"), ("E-003", "E-004"))
    stream.match("E-001", "E-002", win()).match("E-003", "E-004", lost("unparseable"))
    return stream.close(1).end()


def opened(app: AppTest, run: str | None = None, page: str = "result.py", **params: str) -> AppTest:
    """The page as a browser sees it that opens this address."""
    app.run()
    for name, value in ({"run": run} if run else {}).items() | params.items():
        app.query_params[name] = value
    app.switch_page(page).run()
    assert not app.exception, app.exception
    return app


def section(app: AppTest, name: str) -> AppTest:
    """The result page with that section open."""
    app.session_state["section"] = name
    if name in PAIR_SECTIONS:
        app.session_state["pair_section"] = name
    app.run()
    assert not app.exception, app.exception
    return app


def part(app: AppTest, key: str, name: str) -> AppTest:
    """The page with that part of the open section."""
    app.session_state[key] = name
    app.run()
    assert not app.exception, app.exception
    return app


def frames(app: AppTest, *columns: str) -> list[Any]:
    """The tables on the page that have all these columns."""
    return [table.value for table in app.dataframe if set(columns) <= set(table.value)]


def written(app: AppTest) -> str:
    """All that stands on the page in sinks that read markdown, one piece a line."""
    return "\n".join(piece for node in app for piece in _pieces(node))


def shown(app: AppTest) -> str:
    """The same as a reader sees it: without the marks that keep markdown from reading it."""
    return written(app).replace("\\", "").replace("\u2060", "")


def _pieces(node: Any) -> Iterator[str]:
    proto = getattr(node, "proto", None)
    if isinstance(proto, Message) and node.type not in SAFE:
        yield from _strings(proto)


def _strings(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.name in PLAIN_FIELDS and message.DESCRIPTOR.name != "ButtonGroup":
            continue
        many = field.is_repeated if hasattr(field, "is_repeated") else isinstance(value, (list, tuple))
        for item in value if many else (value,):
            if isinstance(item, Message):
                yield from _strings(item)
            elif isinstance(item, str):
                yield item


def rubric(*names: str, **fields: Any) -> Rubric:
    """A rubric with criteria of these names."""
    return Rubric(criteria=tuple(Criterion(name=name) for name in names), **fields)
