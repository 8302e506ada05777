"""Every warning code with one line that a teacher understands. A warning never changes a score."""

from __future__ import annotations

NOTICES: dict[str, str] = {
    # about a text, found when it is read
    "duplicate_text": "Another text has exactly the same words.",
    "duplicate_id": "Another text came with the same name or id; this one was given a number.",
    "encoding_guessed": "The file does not say how its letters are stored; the most likely way was taken.",
    "nul_removed": "Invisible control characters were removed.",
    "hidden_characters": "The text holds invisible or direction-changing characters: what you see may not be what the judge reads.",
    "instruction_to_judge": "A passage of the text reads like an instruction to the judge.",
    "boundary_mark": "The text holds something that looks like the mark of a text's end in a prompt.",
    "names_masked": "Names found in the text were masked before judging.",
    "formula_cell": "The cell held a formula; its stored value was read.",
    "number_rounded": "A number had more digits than a workbook keeps; it may have been rounded before it came here.",
    # about a reply
    "position_flip": "With the texts in the other order the judge chose the other one; this counts as a tie.",
    "verdict_mismatch": "The winner that the judge named is not the one that its own scores give; the scores count.",
    "score_clamped": "A score lay outside its scale and was moved to the nearest end.",
    "unknown_criterion": "The judge scored a criterion that nobody asked for; it was left out.",
    "repaired": "The first reply could not be read; the judge was asked once more.",
    "json_mended": "The reply had small faults of form (a missing brace, a stray comma) and was mended.",
    "parse_fallback": "The reply was prose instead of the asked form; only plainly stated scores and winner were taken.",
    "truncated": "The reply was cut at the token limit, after all that counts had been said.",
    "reasoning_field": "The verdict stood in the judge's reasoning and not in its answer.",
    "level_missing": "The judge did not say how far the better text is ahead; its winner counts.",
    "probability_missing": "The judge gave no probabilities for its winner; its winner counts.",
    "order_missing": "Only one of the two presentation orders brought a verdict.",
    "verbosity": "The judge preferred a text that is much longer than the other; look whether length alone was rewarded.",
    "self_preference": "The judge is of the same family of models as the author of the text that it preferred.",
    "quote_not_found": "The judge quoted a passage that does not stand in the text.",
    "ranking_completed": "The judge left one text out of its ranking; it was put in the only place left.",
    "list_order": "With the list in reverse order the judge ranked differently; both rankings were merged.",
    "verdict_unstated": "The judge scored the text without saying pass or fail; its scores decided.",
    "hedged_pass": "The judge passed the text only under a condition; that is no pass.",
    "no_evidence": "The judge calls a claim supported without naming a passage that shows it; read that claim yourself.",
    "no_passages": "There are no passages, so no claim can be found in one.",
    "identical_texts": "Both texts are the same word for word, so whatever decided was not the text.",
    "no_claims": "The answer makes no claim that could be checked, so there is nothing to measure.",
    "pattern": "The agent's steps show a way of going astray.",
    "part_missing": "One of the judge's answers is missing; the figures that rest on it are left out.",
    "unknown_passage": "The judge named a passage that was not shown; it was left out.",
    # about a call
    "provider_fallback": "Another judge answered in place of the chosen one, which could not.",
    "context_cut": "The judge counted far fewer tokens than were sent: it may not have read the whole text.",
    "temperature_refused": "The judge takes no temperature; it ran at its own default, so a rerun may differ.",
    "parameter_refused": "The judge refused a setting, and was asked again without it.",
    "system_role_refused": "The judge takes no system role; the instructions stood in the user message.",
    "usage_missing": "The provider did not say how many tokens were used; its cost is unknown.",
    "draw_on_error": "The judge gave no verdict; by the chosen policy the match was recorded as a draw.",
    # about a rating
    "unrated": "Nothing was decided about this one, so it has no rating.",
    "too_little_data": "There are too few comparisons for the interval to mean much.",
    "unbounded": "It won or lost every comparison, so without a prior its rating has no bound.",
    "not_connected": "Some texts never met the others, directly or through a chain, so they cannot be put on one scale.",
    "vetoed": "A label that a judge had last is out, whatever its points.",
    "empty_ballots": "An empty ballot counts for nothing.",
    "no_ballots": "No ballot could be counted.",
    "total_veto": "Every candidate was vetoed, so the veto decided nothing.",
    "decided_by_tiebreak": "The points were equal; the rule for ties decided.",
    # about a judge
    "offline_demo": "Offline demo judge, not an LLM",
}


def explain(code: str) -> str:
    """The line for a code; the code itself where it is unknown (a run of a newer version)."""
    return NOTICES.get(code, code)
