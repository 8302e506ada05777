"""The words that Podium uses, and how its numbers are made, for people who never met them."""

from __future__ import annotations

GLOSSARY = {
    "Alias": "The neutral name of a text (E-001). Judges and you see only that, unless you ask for names.",
    "Alpha (Krippendorff's)": "How far judges agree beyond chance: 1 is full agreement, 0 what chance gives.",
    "Anchor": "A text whose rating is known and held fixed, so that rankings of other days can be compared with this one.",
    "Bradley-Terry": "The statistical model behind the published rating: it finds the strengths that explain best who won against whom, whatever the order of the comparisons.",
    "Both orders": "Each pair is asked twice, with each text first once. Costs twice the calls.",
    "Cap": "A limit in dollars or calls. A run stops before it would go over.",
    "Comparison (match)": "Two texts set side by side once. Each judge of the panel gives a judgment on it.",
    "Criterion": "One thing that a judge scores, such as Evidence, with its own scale and weight.",
    "Draft grade": "A result that nobody has signed yet. Podium proposes; a person decides.",
    "Elo": "A running rating that moves after each comparison. 400 points are odds of 10 to 1. It shows the run live; the published order comes from Bradley-Terry.",
    "Faithfulness": "Of an answer with passages: the share of its claims that the passages support.",
    "Gate": "Each text passes or not: every judge gave a verdict, none refused it, and the mean score reaches the bar. What goes wrong never passes.",
    "Infit and outfit": "How well the verdicts on a text, or of a judge, fit the joint ranking: 1 is what chance gives, from 1.3 on they surprise. Infit weighs surprises among equals most, outfit upsets of far-apart texts.",
    "Interval": "The range in which the true rating lies with 95 % probability, as these judges see the texts.",
    "Judgment": "What one judge says about one pair.",
    "Item": "One thing that is judged by itself: a text, a list, an answer with its passages, an agent's run. Its neutral name is I-001.",
    "Kappa (Cohen's)": "How far two judges agree beyond chance: 1 is full agreement, 0 what chance gives.",
    "Kendall's tau": "How well two orders agree: 1 is the same order, 0 no connection. Tau 0.8 means 90 of 100 pairs stand in the right order.",
    "Kendall's W": "How far several judges' rankings agree: 1 fully, 0 not at all.",
    "Logit": "The rating model's own unit of strength: 1 logit is odds of about 27 to 10, or 174 points of rating.",
    "Mask": "Names inside the texts are replaced by [name] before anyone judges.",
    "Narrowing": "From round 3 on only the texts near a cut go on competing.",
    "Pairwise": "Judging two texts against each other. People and AI are better at that than at giving marks one by one.",
    "Panel": "Several judges who judge every pair; their say follows their weights.",
    "Position bias": "A judge's tendency to favour the text that it reads first (or last). It is measured and taken into account.",
    "Position flip": "A judge that chose the other text when the order was turned. Counts as a tie, with a warning.",
    "Prior Elo": "A rating that a text brings along, for example from last term.",
    "Round": "Every text that still competes is compared once.",
    "Quota": "How often a service may be asked by the minute and by the day. Runs keep to it together.",
    "Rubric": "The question with its criteria, weights and levels.",
    "Settled": "A text that is told apart from both its neighbours in the ranking.",
    "Sharpness": "How clearly a judge tells texts apart beside the others: 1 is the judges' mean.",
    "Stand-in (fallback)": "A judge that answers in place of a chosen one that cannot. Only where your settings name one, and always said.",
    "Swiss": "A tournament in which texts of like strength meet, as in chess. No pair meets twice.",
    "Tie group": "Texts whose order cannot be told apart on the evidence. They share their rank, and the page says tied.",
    "Token": "The unit in which AI services count and charge text: about four letters of English.",
    "W-L-T": "Meetings won, lost and tied.",
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

JUDGE_SETTINGS = {
    "PODIUM_QUOTAS": "What judges may be asked by the minute and by the day, for example "
    "groq=30rpm,6000tpm,14400rpd; openai:gpt-4.1=500rpm. rpm and rpd are requests, tpm and tpd tokens. Runs wait their turn "
    "within the minute, and stop with a reason when the day is used up.",
    "JUDGE_FALLBACK_PROVIDERS": "Judges that stand in, in their order, where a chosen one cannot answer, for example "
    "openai:gpt-4.1-mini, ollama:llama3.2. Without it no judge is ever replaced. Their prices count too.",
    "PODIUM_ALLOW_COMMANDS": "true lets people choose a program of this computer as a judge on these pages. Leave it unset "
    "where strangers can reach the server: whoever names a program starts it.",
    "OLLAMA_HOST": "Where Ollama listens, if not at 127.0.0.1:11434.",
    "LLM_JUDGE_API_BASE, LLM_JUDGE_API_KEY": "The address of another OpenAI-compatible service, and the key that goes to it alone.",
    "PODIUM_ALLOWED_HOSTS": "The only hosts that judges may have, separated by commas.",
}
"""The settings that bear on judges, each in a sentence or two."""
