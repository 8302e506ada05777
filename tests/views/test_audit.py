"""Why one text stands above another."""

from __future__ import annotations

import pytest

from judge_core.views.audit import chain_between, why_above
from judge_core.views.standings import standings
from judge_core.views.state import fold
from tests.views.streams import Stream, lost, spec, win


def test_direct_matches_come_first_and_the_chain_is_the_shortest() -> None:
    stream = (
        Stream(spec(5)).match("E-001", "E-002", win()).match("E-002", "E-003", win()).match("E-003", "E-004", win())
    )
    stream.match("E-002", "E-004", win(), round=2).match("E-004", "E-001", lost(), round=2)
    state = fold(stream.spec, stream.events)
    table = standings(state)
    direct = why_above(state, table, "E-002", "E-001")
    assert [view.place for view in direct.direct] == [1] and direct.chain == ()
    assert direct.probability is not None and direct.probability < 0.5
    far = why_above(state, table, "E-001", "E-003")
    assert far.direct == () and [view.place for view in far.chain] == [1, 2]
    assert why_above(state, table, "E-001", "E-005").probability is None
    assert [view.place for view in chain_between(state, "E-004", "E-001")] == [4, 1]
    assert chain_between(state, "E-001", "E-005") == ()
    with pytest.raises(KeyError):
        why_above(state, table, "E-001", "E-999")
