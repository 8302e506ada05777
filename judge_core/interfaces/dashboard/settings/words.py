"""The words that Podium uses, and how its numbers are made, for people who never met them."""

from __future__ import annotations

GLOSSARY = {
    "Alias": "The neutral name of a text (E-001). Judges and you see only that, unless you ask for names.",
    "Bradley-Terry": "The statistical model behind the published rating: it finds the strengths that explain best who won against whom, whatever the order of the comparisons.",
    "Both orders": "Each pair is asked twice, with each text first once. Costs twice the calls.",
    "Cap": "A limit in dollars or calls. A run stops before it would go over.",
    "Comparison (match)": "Two texts set side by side once. Each judge of the panel gives a judgment on it.",
    "Criterion": "One thing that a judge scores, such as Evidence, with its own scale and weight.",
    "Draft grade": "A result that nobody has signed yet. Podium proposes; a person decides.",
    "Elo": "A running rating that moves after each comparison. 400 points are odds of 10 to 1. It shows the run live; the published order comes from Bradley-Terry.",
    "Interval": "The range in which the true rating lies with 95 % probability, as these judges see the texts.",
    "Judgment": "What one judge says about one pair.",
    "Kendall's tau": "How well two orders agree: 1 is the same order, 0 no connection. Tau 0.8 means 90 of 100 pairs stand in the right order.",
    "Mask": "Names inside the texts are replaced by [name] before anyone judges.",
    "Narrowing": "From round 3 on only the texts near a cut go on competing.",
    "Pairwise": "Judging two texts against each other. People and AI are better at that than at giving marks one by one.",
    "Panel": "Several judges who judge every pair; their say follows their weights.",
    "Position bias": "A judge's tendency to favour the text that it reads first (or last). It is measured and taken into account.",
    "Position flip": "A judge that chose the other text when the order was turned. Counts as a tie, with a warning.",
    "Prior Elo": "A rating that a text brings along, for example from last term.",
    "Round": "Every text that still competes is compared once.",
    "Rubric": "The question with its criteria, weights and levels.",
    "Swiss": "A tournament in which texts of like strength meet, as in chess. No pair meets twice.",
    "Tie group": "Texts whose order cannot be told apart on the evidence. They share their rank, and the page says tied.",
    "Token": "The unit in which AI services count and charge text: about four letters of English.",
}

HOW = (
    (
        "From scores to a winner",
        "For each pair a judge scores both texts on each criterion. Scores are moved into their scale, weighed by your "
        "weights, and the higher total wins. The judge's own word on the winner never counts against its scores; where the "
        "two differ, you see a warning.",
    ),
    (
        "From winners to an order",
        "All comparisons together go into a Bradley-Terry model with a fixed, mild assumption that texts do not differ "
        "without bound. It gives each text a rating and an interval. Texts whose order the evidence does not settle are "
        "called tied.",
    ),
    (
        "What is never done",
        "A failed call or a reply that cannot be read is never a score, a tie or a rank. It is counted and shown beside the "
        "result. No text is cut silently. A warning never changes a score.",
    ),
    (
        "How sure is sure",
        "An interval says how well these judges were listened to, not whether they are right. Compare them with people on a "
        "few pairs before you rely on a grade.",
    ),
    (
        "What it cost",
        "Prices are fixed when a run starts, counted call by call, and held by your caps. A reply that was paid for is kept: "
        "the same question again costs nothing.",
    ),
)
