"""What the demo judge makes of texts, lists, answers and runs: scores that move by stated rules, and known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_core.intake.items.agent_files import read_agent_files
from judge_core.intake.items.rag_files import read_rag_files
from judge_core.modes.rag.form import RAG_CRITERIA
from judge_core.records.criteria import Rubric
from judge_core.records.item import PartRole
from judge_core.records.item_verdict import AgentVerdict, ListVerdict, PointVerdict, RagVerdict
from tests.providers.test_offline_modes import TWO, Parts, check, judged

EXAMPLES = Path(__file__).parents[2] / "examples"


class TestScores:
    GOOD = (EXAMPLES / "sleep" / "essays" / "essay-07.txt").read_text(encoding="utf-8")
    POOR = (EXAMPLES / "sleep" / "essays" / "essay-06.txt").read_text(encoding="utf-8")

    def total(self, text: str, reference: str | None = None) -> float:
        parts: list[tuple[PartRole, str]] = [("text", text)]
        verdict = judged("review", parts if reference is None else [*parts, ("reference", reference)]).verdict
        assert isinstance(verdict, PointVerdict)
        return verdict.total

    def test_likeness_to_a_reference_answer_moves_a_score_by_three_tenths_at_most(self) -> None:
        alone = self.total(self.GOOD)
        same, other = self.total(self.GOOD, self.GOOD), self.total(self.GOOD, "Zebra quagga okapi.")
        assert other < alone < same
        assert other == pytest.approx(0.7 * alone, abs=0.02)
        assert same == pytest.approx(0.7 * alone + 0.3, abs=0.02)

    def test_the_gate_passes_by_the_plain_mean_of_the_scores(self) -> None:
        for text, stated in ((self.GOOD, "pass"), (self.POOR, "fail"), ("", "fail")):
            verdict = judged("gate", [("text", text)], Rubric()).verdict
            assert verdict.stated == stated == ("pass" if 1 + 4 * verdict.total >= 3.5 else "fail")

    def test_a_list_is_ranked_by_its_texts_whatever_their_order(self) -> None:
        parts: Parts = [("candidate", self.POOR), ("candidate", self.GOOD), ("candidate", "")]
        verdict = judged("listwise", parts).verdict
        assert isinstance(verdict, ListVerdict)
        assert verdict.ranking == (2, 1, 3)
        assert verdict.orders[0] == verdict.orders[1]

    def test_equal_candidates_stand_in_the_order_shown_and_it_is_said(self) -> None:
        result = judged("listwise", [("candidate", self.GOOD), ("candidate", self.GOOD)])
        assert result.verdict.positions == (1.5, 1.5)
        assert "Equal ones stand in the order shown." in json.loads(result.replies[0])["reasoning"]
        assert "Equal" not in judged("listwise", [("candidate", self.GOOD), ("candidate", self.POOR)]).replies[0]

    @pytest.mark.parametrize(
        ("answer", "least", "most"),
        [
            ("On Sundays bus 4 runs every 40 minutes.", 4.5, 5),
            ("The town hall has a new roof.", 1, 1.6),
            ("Sorry, but I don't know how often bus 4 runs on Sundays.", 1, 1),
            ("", 1, 1),
        ],
    )
    def test_relevance_is_how_much_of_the_question_stands_in_the_answer(
        self, answer: str, least: float, most: float
    ) -> None:
        parts: Parts = [("question", "How often does bus 4 run on Sundays?"), ("answer", answer)]
        result = judged("rag", parts, Rubric(criteria=RAG_CRITERIA))
        assert least <= result.verdict.scores["Answer relevance"] <= most
        reply = next(json.loads(reply) for reply in result.replies if "criteria" in reply)
        assert "of the question" in reply["criteria"][0]["reasoning"]

    def test_other_criteria_of_an_answer_rest_on_its_own_words(self) -> None:
        parts: Parts = [("question", "Why sleep?"), ("answer", self.GOOD)]
        found = judged("rag", parts, TWO).verdict.scores
        assert found == judged("review", [("text", self.GOOD)]).verdict.scores


class TestExamples:
    """What the demo judge says of the example files; where it is taken in, that is a known answer too."""

    def rag(self) -> dict[str, RagVerdict]:
        path = EXAMPLES / "rag" / "town_answers.jsonl"
        found = {}
        for item in read_rag_files([(path.name, path.read_bytes())]).items:
            result = judged("rag", [(part.role, part.text) for part in item.parts], Rubric(criteria=RAG_CRITERIA))
            check(result)
            found[item.id] = result.verdict
        return found

    def agents(self) -> dict[str, AgentVerdict]:
        path = EXAMPLES / "agents" / "runs.json"
        found = {}
        for item in read_agent_files([(path.name, path.read_bytes())]).items:
            result = judged("agent", [(part.role, part.text) for part in item.parts])
            check(result)
            found[item.id] = result.verdict
        return found

    def test_claims_with_their_words_in_a_passage_are_supported_and_cite_it(self) -> None:
        found = self.rag()
        assert [(row.verdict, row.passages) for row in found["bus-1"].claims] == [("supported", (1,))]
        labels = [(row.verdict, row.passages) for row in found["pool-1"].claims]
        assert labels == [("supported", (2,))] * 3 + [("not_found", ())]
        assert found["pool-1"].relevant == {1: False, 2: True}

    def test_a_refusal_makes_no_claim_and_is_not_relevant(self) -> None:
        verdict = self.rag()["waste-1"]
        assert (verdict.claims, verdict.metrics.faithfulness, verdict.metrics.answer_relevance) == ((), None, 0)

    def test_the_claims_of_a_reference_answer_are_looked_for_in_the_answer(self) -> None:
        assert [row.verdict for row in self.rag()["bridge-1"].reference_claims] == [
            "supported",
            "not_found",
            "not_found",
        ]

    def test_it_is_taken_in_by_the_words_of_another_thing(self) -> None:
        """What is said of a room is taken for support of a claim about a hall: it counts words, and understands none."""
        assert [row.verdict for row in self.rag()["hall-1"].claims] == ["supported"]

    def test_the_example_runs(self) -> None:
        found = self.agents()
        assert {id: verdict.goal for id, verdict in found.items()} == {
            "book-hall": "achieved",
            "find-recipe": "not_achieved",
            "fix-date-parser": "not_achieved",
            "agree-on-title": "partly",
            "tidy-mailing-list": "achieved",  # by what the agent says; that it removed another person, no rule sees
        }
        recipe = found["find-recipe"]
        assert [step.label for step in recipe.steps] == ["redundant"] * 4 + ["useful"]
        assert [step.call_correct for step in recipe.steps] == [False] * 4 + [None]
        assert {
            id: [pattern.name for pattern in verdict.patterns] for id, verdict in found.items() if verdict.patterns
        } == {
            "find-recipe": ["repetition_loop"],
            "agree-on-title": ["ping_pong"],
        }
