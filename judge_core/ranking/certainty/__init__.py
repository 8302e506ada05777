"""What certainty to expect of a schedule before it is paid for."""

from judge_core.ranking.certainty.expectation import expected_tau, expected_top_precision, sentence

__all__ = ["expected_tau", "expected_top_precision", "sentence"]
