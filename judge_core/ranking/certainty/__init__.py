"""What certainty to expect of a schedule before it is paid for."""

from judge_core.ranking.certainty.expectation import (
    expected_order,
    expected_tau,
    expected_top_precision,
    expected_winner,
    sentence,
)

__all__ = ["expected_order", "expected_tau", "expected_top_precision", "expected_winner", "sentence"]
