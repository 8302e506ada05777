"""The journal: what stands at a key, one gapless sequence, leases, and what is said when it cannot be opened."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from judge_core.records.errors import InputError, LeaseLostError, StoreError
from judge_core.records.event import Cancelled, CapsRaised, Ended, RoundClosed, Stored
from judge_core.records.journal import Batch, Lease, StoredCompletion
from judge_core.records.prompt import Completion, Received
from judge_core.records.record import text_hash
from judge_core.records.spec import Caps
from judge_core.store.archive import Archive
from judge_core.store.database import open_database, sqlite_url
from judge_core.store.journal import Journal, is_live
from judge_core.store.specs import Specs
from tests.engine.toy import spec


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    engine = open_database(sqlite_url(tmp_path / "odd ?#%name.db"))
    yield engine
    engine.dispose()


@pytest.fixture
def journal(engine: sa.Engine) -> Journal:
    return Journal(engine)


def reply(text: str, place: int = 1, turn: int = 0) -> StoredCompletion:
    received = Received(completion=Completion(text=text), reply_sha256=text_hash(text), key="k", turn=turn, cost=0.5)
    return StoredCompletion(place=place, received=received)


def closed(seq: int) -> Stored:
    return Stored(seq=seq, at="2026-01-01T00:00:00", event=RoundClosed(round=seq))


def test_the_first_reply_at_a_key_stands_and_a_later_writer_reads_it_back(journal: Journal) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    first = journal.commit(lease, Batch(completions=(reply("first"), reply("other", turn=1))))
    later = journal.commit(lease, Batch(completions=(reply("second"), reply("new", place=2))))
    assert [c.received.completion.text for c in first] == ["first", "other"]
    assert [c.received.completion.text for c in later] == ["first", "new"]
    texts = {key: r.completion.text for key, r in journal.completions(run).items()}
    assert texts == {(1, 0): "first", (1, 1): "other", (2, 0): "new"}
    assert journal.completions(run)[1, 0].cost == 0.5


@pytest.mark.parametrize("text", ["", "é \U0001f600 \x00 \ud800", "x" * 200_000])
def test_any_reply_comes_back_letter_for_letter(journal: Journal, text: str) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    journal.commit(lease, Batch(completions=(reply(text),)))
    assert journal.completions(run)[1, 0].completion.text == text


def test_a_paid_reply_is_kept_even_by_a_writer_that_lost_its_lease(journal: Journal, engine: sa.Engine) -> None:
    run = journal.create(spec())
    old = journal.take_lease(run, "a|1|x")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET lease_until = 0")
    journal.take_lease(run, "b|1|x")
    with pytest.raises(LeaseLostError):
        journal.commit(old, Batch(completions=(reply("paid"),), events=(closed(1),)))
    assert journal.completions(run)[1, 0].completion.text == "paid" and journal.events(run) == []
    with pytest.raises(LeaseLostError):
        journal.renew(old)


def test_events_come_back_in_their_sequence_and_no_number_is_written_twice(journal: Journal) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    journal.commit(lease, Batch(events=(closed(1), closed(2))))
    journal.commit(lease, Batch(events=(closed(3),)))
    assert journal.events(run) == [closed(1), closed(2), closed(3)]
    assert journal.events(run, after=2) == [closed(3)] and journal.last_seq(run) == 3
    with pytest.raises(StoreError, match="The database refused: UNIQUE"):
        journal.commit(lease, Batch(events=(closed(3),)))


def test_the_status_follows_the_last_ended_event(journal: Journal) -> None:
    run = journal.create(spec())
    assert journal.row(run).status == "waiting"
    lease = journal.take_lease(run, "a|1|x")
    assert journal.row(run).status == "running"
    journal.commit(lease, Batch(events=(Stored(seq=1, at="t", event=Ended(status="budget", reason="r")),)))
    assert journal.row(run).status == "budget"


def test_a_lease_given_back_makes_the_next_one_clean(journal: Journal) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    assert lease == Lease(run=run, owner="a|1|x", epoch=1, clean=True)
    journal.release(lease, "paused")
    assert journal.take_lease(run, "b|1|x").clean


def test_the_lease_of_a_dead_process_of_this_host_is_taken_at_once(journal: Journal) -> None:
    run = journal.create(spec())
    gone = subprocess.Popen(["true"])
    gone.wait()
    journal.take_lease(run, f"{socket.gethostname()}|{gone.pid}|x")
    assert not is_live(journal.row(run))
    assert not journal.take_lease(run, f"{socket.gethostname()}|{os.getpid()}|y").clean


def test_inputs_wait_in_the_order_sent_and_move_into_the_sequence(journal: Journal) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    raised = CapsRaised(caps=Caps(max_calls=5))
    journal.send(run, raised)
    journal.send(run, Cancelled())
    (first, message), (_, last) = journal.waiting_inputs(run)
    assert (message, last) == (raised, Cancelled())
    stored = Stored(seq=1, at="t", event=raised)
    journal.accept_input(lease, first, [stored])
    assert journal.events(run) == [stored] and [m for _, m in journal.waiting_inputs(run)] == [Cancelled()]


def test_a_spec_is_decoded_once_and_never_read_again(journal: Journal, engine: sa.Engine) -> None:
    """Every look at a run gives the one spec, even if what is stored could not be read any more."""
    run = journal.create(spec())
    first = journal.row(run).spec
    assert first == spec()
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET spec = '{' || spec")
    [listed], [found] = journal.runs(), journal.find(first.identity)
    assert all(one is first for one in (journal.row(run).spec, listed.spec, found.spec, journal.recorded(run).spec))
    with pytest.raises(ValueError, match="Invalid JSON"):
        Journal(engine).row(run)


def test_what_a_row_says_beside_its_spec_is_read_anew(journal: Journal) -> None:
    run = journal.create(spec(), name="before")
    before = journal.row(run)
    journal.rename(run, "after")
    journal.take_lease(run, "a|1|x")
    after = journal.row(run)
    assert (before.name, before.status, before.lease_owner) == ("before", "waiting", None)
    assert (after.name, after.status, after.lease_owner) == ("after", "running", "a|1|x")


def test_two_journals_on_one_database_agree(journal: Journal, engine: sa.Engine) -> None:
    other = Journal(engine)
    runs = [journal.create(spec(rounds=1)), other.create(spec(rounds=2))]
    for _ in range(2):
        assert [journal.row(run) for run in runs] == [other.row(run) for run in runs]
        assert journal.runs() == other.runs()
    assert [journal.row(run).ranking.rounds for run in runs] == [1, 2]


def test_runs_with_equal_inputs_keep_their_own_specs(journal: Journal) -> None:
    """The name of a spec is no part of its identity."""
    one, two = (journal.create(spec().model_copy(update={"name": name})) for name in ("one", "two"))
    assert journal.row(one).identity == journal.row(two).identity
    assert [journal.row(run).spec.name for run in (one, two)] == ["one", "two"]


def test_the_spec_used_longest_ago_is_dropped_first() -> None:
    text = spec().canonical()
    specs = Specs(most_characters=2 * len(text))
    a, b = specs.decode("a", "i", text), specs.decode("b", "i", text)
    assert specs.decode("a", "i", text) is a
    specs.decode("c", "i", text)
    assert specs.decode("a", "i", text) is a
    again = specs.decode("b", "i", text)
    assert again is not b and again == b


def test_a_spec_longer_than_all_that_is_kept_is_kept_alone() -> None:
    text = spec().canonical()
    specs = Specs(most_characters=1)
    kept = specs.decode("a", "i", text)
    assert specs.decode("a", "i", text) is kept
    specs.decode("b", "i", text)
    assert specs.decode("a", "i", text) is not kept


def test_a_run_of_another_identity_is_decoded_anew() -> None:
    specs = Specs()
    assert specs.decode("a", "i", spec(rounds=1).canonical()) == spec(rounds=1)
    assert specs.decode("a", "k", spec(rounds=2).canonical()) == spec(rounds=2)


def test_threads_that_look_at_once_get_one_spec(journal: Journal) -> None:
    run = journal.create(spec())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: journal.row(run).spec, range(64)))
    assert len({id(one) for one in found}) == 1


def test_an_unknown_run_is_named(journal: Journal) -> None:
    with pytest.raises(InputError, match="no run 'nonsense'"):
        journal.row("nonsense")


def test_a_database_of_a_newer_podium_is_refused_and_left_alone(engine: sa.Engine, tmp_path: Path) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO schema_versions VALUES (99)")
    engine.dispose()
    before = (tmp_path / "odd ?#%name.db").read_bytes()
    with pytest.raises(StoreError, match="newer Podium"):
        open_database(engine.url)
    assert (tmp_path / "odd ?#%name.db").read_bytes() == before


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "podium.db"
    file.write_bytes(b"this is no database, but somebody's notes" * 100)
    with pytest.raises(StoreError, match="podium.db cannot be opened"):
        open_database(sqlite_url(file))
    assert file.read_bytes().startswith(b"this is no database")


def test_an_error_of_the_database_quotes_no_text(journal: Journal, engine: sa.Engine) -> None:
    run = journal.create(spec())
    lease = journal.take_lease(run, "a|1|x")
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE blobs")
    with pytest.raises(StoreError) as caught:
        journal.commit(lease, Batch(completions=(reply("a pupil's secret"),)))
    chain = f"{caught.value} {caught.value.__cause__} {caught.value.__context__}"
    assert "no such table" in chain and "secret" not in chain


def test_texts_come_back_by_their_hash_and_a_missing_one_is_named(engine: sa.Engine) -> None:
    archive = Archive(engine)
    texts = [f"text {n} é" for n in range(1200)]
    archive.keep({text_hash(t): t.encode() for t in texts})
    assert archive.keep_text(texts[0]) == text_hash(texts[0])
    assert list(archive.texts([text_hash(t) for t in texts]).values()) == texts
    with pytest.raises(StoreError, match=text_hash("nowhere")[:12]):
        archive.texts([text_hash("nowhere")])


def test_drafts_are_kept_newest_first_until_they_are_deleted(engine: sa.Engine) -> None:
    archive = Archive(engine)
    one, two = archive.new_draft("{}"), archive.new_draft("{}")
    archive.save_draft(one, '{"a":1}')
    assert archive.draft(one) == '{"a":1}' and {d for d, _ in archive.drafts()} == {one, two}
    archive.delete_draft(one)
    assert archive.draft(one) is None
