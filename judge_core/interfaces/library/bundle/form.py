"""What a bundle holds: its entries, its lines and its bounds."""

from __future__ import annotations

import re

from judge_core.records.prompt import Message, Received
from judge_core.records.record import Record

FORMAT = 1
MOST_BYTES = 1_000_000_000
"""Of all that a bundle holds, unpacked."""
MOST_ENTRIES = 100_000
COMMIT_SIZE = 500
KNOWN = re.compile(
    r"artifacts/[0-9a-f]{64}\.txt|journal/(events|replies)\.jsonl|manifest\.json|spec\.json|README\.txt"
    r"|[a-z_]{1,40}\.csv"
    r"|initial_a\.md|final_output\.md|history\.json|incumbent_after_\d{2,4}\.md"
    r"|pass_\d{2,4}/(version_a|critic|version_b|version_ab|note_\d{2,4})\.md|pass_\d{2,4}/result\.json"
)
README = """This archive holds one run of Podium, complete.

ranked.csv              the ranking: one row a text, with rating, interval, wins, losses, ties and warnings
                        (a run that judges items has review.csv, gate.csv, listwise.csv, rag.csv or agent.csv in its
                        place, with the labels in claims.csv, passages.csv and steps.csv, and summary.csv)
initial_a.md, pass_NN/  a refinement in place of all tables: each version, critique and result of each pass, the
                        text that stands at its end (final_output.md), and history.json
judgments.csv           one row a judgment: who judged what, in which order, with which scores and reasons
texts.csv               which text is which: alias, id, title, and the SHA-256 that names its file
artifacts/HASH.txt      the texts as they were judged; the name is the SHA-256 of the content
spec.json               all that decided what was asked: texts or items, question, criteria, judges, limits
journal/events.jsonl    the events of the run, one JSON object a line; every number is made from them
journal/replies.jsonl   each prompt as it was sent, and the judge's raw reply
manifest.json           the SHA-256 of each file here

It holds the texts and the names given to them: hand it on only to people who may see these.
To open it again: python -m judge_core runs import FILE
"""


class ReplyLine(Record):
    """A line of `journal/replies.jsonl`."""

    place: int
    turn: int
    judge: int | None = None
    """Index into the spec's judges; None while the match is not judged yet."""
    prompt: tuple[Message, ...] = ()
    """Empty while the match is not judged yet, or where a text was erased."""
    reply: str | None
    """None where it was erased."""
    received: Received
    """All else that is known of the reply; its text is left out here."""


class Manifest(Record):
    """What the bundle is, and the hashes of its files."""

    format: int
    app_version: str
    run: str
    name: str
    created_at: str
    status: str
    files: dict[str, str]
