"""How much of a corpus of attempts the scanner finds, how rarely it cries wolf, and that no text makes it slow."""

from __future__ import annotations

import hashlib
import time
from collections import Counter

import pytest

from judge_core.scoring.signals import _BOUNDARIES, _LINES, _PHRASES, _read, disguises, scan_text
from tests.data_sets import data_folder
from tests.scoring.injection_corpus import (
    CARRIERS,
    DEVELOPMENT,
    HOLD_OUT,
    HOSTILE,
    PATTERNS,
    REAL,
    Attempt,
    attempts,
    hostile,
    part_of,
    patterns,
    real_texts,
)  # fmt: skip

CORPUS = list(attempts())
DIGEST = "a6d54dfb328b1d155c7cc21e70d57b08bd2602a63f743e73b05057e6f40787bf"
"""SHA-256 of the patterns for which docs/injection.md gives its figures."""
FLOORS = {DEVELOPMENT: 0.93, HOLD_OUT: 0.65}
CEILING = 0.005
CEILINGS = {"llmfao": 0.02}
"""llmfao: answers in which turns of a chat with its marks were left standing, and answers that ask for a bare reply."""
SECONDS = 1.0
ORDINARY = """
Der Lehrer gab dem Aufsatz die beste Note, und alle freuten sich.
Bitte vergessen Sie nicht, die Regeln des Spiels zu erklären.
Wer die früheren Regeln ignoriert, verliert das Spiel.
Il faut suivre les consignes avant de commencer l'exercice.
El profesor da una nota alta a quien trabaja.
Nadie sigue las normas anteriores de tráfico.
Non dimenticare le regole del gioco.
O professor deu a nota máxima ao meu irmão.
De leraar geeft elke week een cijfer.
Nauczyciel dał mi najwyższą ocenę.
Учитель поставил мне высший балл за сочинение.
Öğretmen bana tam puan verdi.
Önceki kurallar artık geçerli değil.
أعطاني المعلم درجة جيدة في الامتحان.
शिक्षक ने मुझे अच्छे अंक दिए।
老师说规则很重要。我得了满分。
先生は満点を取った生徒をほめた。
선생님이 만점을 받은 학생을 칭찬했다.
The referee has to judge each jump on its own.
A good judge will choose carefully and rate every skater fairly.
Please skip the next chapter if you are short of time.
Give the other child a turn, and then give this one a hug.
Do not compare apples with pears.
If an AI writes the essay, the teacher must still grade it.
Language models are reading more text than any person could.
Students should follow only the rules that they helped to write.
Imagine that the other team is late.
As I said, the essay ends with a question.
""".strip().splitlines()


def recall(part: str) -> float:
    tried = [attempt for attempt in CORPUS if attempt.part == part]
    return sum(bool(scan_text(attempt.text)) for attempt in tried) / len(tried)


@pytest.mark.parametrize("part", [DEVELOPMENT, HOLD_OUT])
def test_recall_on_either_part_of_the_corpus_keeps_its_floor(part: str) -> None:
    assert recall(part) >= FLOORS[part]


def test_the_corpus_is_the_one_that_was_measured_and_its_parts_follow_from_the_names() -> None:
    assert hashlib.sha256(PATTERNS.read_bytes()).hexdigest() == DIGEST
    assert all(pattern.part == part_of(pattern.name) for pattern in patterns())
    held_out = sum(attempt.part == HOLD_OUT for attempt in CORPUS)
    assert len(CORPUS) >= 250 and held_out * 3 >= len(CORPUS)
    assert len({attempt.pattern for attempt in CORPUS}) >= 60


def test_the_paragraphs_around_the_attempts_are_not_flagged_themselves() -> None:
    assert not any(scan_text(paragraph) for paragraph in (*CARRIERS, "\n\n".join(CARRIERS)))


@pytest.mark.parametrize("name", REAL)
def test_false_alarms_on_real_texts_stay_under_their_ceiling(name: str) -> None:
    texts = real_texts(data_folder(name))
    flagged = sum(bool(scan_text(text)) for text in texts)
    assert len(texts) > 300 and flagged < CEILINGS.get(name, CEILING) * len(texts)


@pytest.mark.parametrize("sentence", ORDINARY)
def test_ordinary_sentences_of_many_languages_are_left_alone(sentence: str) -> None:
    assert scan_text(f"Parks cool towns.\n{sentence}\nTrees are good.") == ()


@pytest.mark.parametrize("seed", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_of_a_million_characters_is_scanned_within_a_second(seed: str) -> None:
    start = time.process_time()
    scan_text(hostile(seed))
    assert time.process_time() - start < SECONDS


@pytest.mark.parametrize("attempt", CORPUS[::7], ids=lambda attempt: attempt.pattern)
def test_a_notice_quotes_nothing_of_the_text(attempt: Attempt) -> None:
    """One message a code, whatever the text; only the number of hidden characters differs."""
    counts = Counter(notice.code for notice in scan_text(attempt.text))
    assert set(counts.values()) <= {1}
    for notice in scan_text(attempt.text):
        twin = next(other for other in scan_text(f"{attempt.text}\n{attempt.text}") if other.code == notice.code)
        assert notice.code == "hidden_characters" or twin.message == notice.message
        assert notice.message.isascii() and len(notice.message) < 140


def test_a_gate_is_open_wherever_its_pattern_is_in_the_text() -> None:
    for attempt in CORPUS:
        reading = _read(disguises.undisguised(attempt.text))
        for table, text in ((_PHRASES, reading.latin), (_LINES, reading.plain), (_BOUNDARIES, reading.plain)):
            opened = set(map(id, table.open_in(text, reading.known)))
            for entry in table.entries:
                assert id(entry) in opened or not entry.pattern.search(text), (attempt.pattern, entry.pattern.pattern)
