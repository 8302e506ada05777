"""The judges of the workbench: prices, keys, who stands in for whom, and where the texts go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from judge_core.interfaces.bench.lengths import check_lengths
from judge_core.interfaces.bench.panel import destination, destinations
from judge_core.interfaces.settings import Settings
from judge_core.interfaces.workbench import Workbench, new_spec
from judge_core.providers.registry import judge_spec
from judge_core.providers.wrappers.fallback import Fallback
from judge_core.records.criteria import Rubric
from judge_core.records.errors import InputError
from judge_core.records.spec import Price, TextRef
from tests.engine.item_world import ItemServer, spec_of, stored

AWAY = judge_spec("https://judges.example.org/v1#m")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(Settings(home=tmp_path / "home"))
    yield bench
    bench.close()


def test_the_users_price_table_goes_before_ours_and_an_entered_price_before_both(bench: Workbench) -> None:
    bench.home.prices.write_text(json.dumps({"judges.example.org/m": {"input": 3, "output": 4}}), "utf-8")
    assert bench.priced(AWAY).price == Price(input=3, output=4)
    entered = AWAY.model_copy(update={"price": Price(input=1, output=1)})
    assert bench.priced(entered) == entered
    assert bench.priced(judge_spec("https://judges.example.org/v1#other")).price is None


def test_nobody_stands_in_unless_a_person_chose_so(tmp_path: Path, bench: Workbench) -> None:
    assert bench.panel.fallbacks() == ()
    chosen = Workbench(Settings(home=tmp_path / "other", fallback_judges=("offline",)))
    assert [judge.name for judge in chosen.panel.fallbacks(temperature=0.0)] == ["offline"]
    chosen.close()


def test_a_judge_never_stands_in_for_itself(bench: Workbench) -> None:
    offline = judge_spec("offline")
    alone = bench.panel.open(offline, stand_ins=(offline,))
    pair = bench.panel.open(AWAY, {AWAY.name: SecretStr("k")}, (offline,))
    assert not isinstance(alone, Fallback) and isinstance(pair, Fallback)


def test_judges_beyond_this_computer_without_a_key_are_told(bench: Workbench) -> None:
    spec = spec_of("gate", judges=(judge_spec("offline"), judge_spec("http://127.0.0.1:9/v1#m"), AWAY))
    assert bench.panel.keyless(spec, {}) == (AWAY,)
    assert bench.panel.keyless(spec, {AWAY.name: SecretStr("k")}) == ()


def test_where_texts_go_is_told_once_each_with_those_that_may_stand_in(bench: Workbench) -> None:
    spec = spec_of("gate", judges=(judge_spec("offline"), AWAY), fallbacks=(AWAY, judge_spec("openai:gpt-4.1")))
    assert destinations((*spec.judges, *spec.fallbacks)) == ["judges.example.org", "api.openai.com"]
    assert destination(judge_spec("offline")) is None


def test_a_stand_in_without_its_key_is_refused_before_the_start(bench: Workbench) -> None:
    with ItemServer() as server:
        spec = stored(bench, "gate", server, fallbacks=(judge_spec("openai:gpt-4.1"),))
        with pytest.raises(InputError, match="OPENAI_API_KEY"):
            bench.start(spec)
        assert server.requests == 0 and bench.runs() == []


def test_a_cap_in_dollars_needs_the_price_of_whoever_may_stand_in(bench: Workbench) -> None:
    with ItemServer() as server:
        spec = stored(bench, "gate", server, fallbacks=(judge_spec(server.url + "#other"),), caps={"max_cost": 1})
        with pytest.raises(InputError, match="#other is unknown"):
            bench.check(spec)


def test_a_probe_asks_once_and_closes(bench: Workbench) -> None:
    with ItemServer() as server:
        bench.test_judge(judge_spec(server.url + "#m"))
        assert server.requests == 1


def test_a_text_that_the_vendor_refuses_for_its_length_is_refused_before_anything_is_asked() -> None:
    judge = judge_spec("minimax:MiniMax-M2")
    texts = [
        TextRef(alias=f"E-00{n}", id=f"{n}.txt", title="t", sha256=str(n), words=1, characters=n) for n in (9, 50_001)
    ]
    with pytest.raises(InputError, match="50,000 bytes.*'50001.txt'"):
        check_lengths(new_spec(rubric=Rubric(), texts=texts, judges=(judge,)))
    check_lengths(new_spec(rubric=Rubric(), texts=texts[:1], judges=(judge,)))
