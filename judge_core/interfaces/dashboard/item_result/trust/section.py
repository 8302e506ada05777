"""Can you trust this? What speaks for the verdicts and what against them; the figures with what they rest on; what was lost and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd
import streamlit as st

from judge_core.interfaces.dashboard.item_result.columns import TITLES
from judge_core.interfaces.dashboard.item_result.shown import ShownItems
from judge_core.interfaces.dashboard.item_result.trust.agreement import agreement_checks
from judge_core.interfaces.dashboard.result.sections.trust import CAREFUL, FINE, NEUTRAL, Check
from judge_core.interfaces.dashboard.result.words import ITEM_CLASSES, KINDS_OF_RUN, plural
from judge_core.interfaces.dashboard.safe import label, plain
from judge_core.records.notices import NOTICES, explain
from judge_core.views.charts.ledger import ledger_alt, ledger_figure
from judge_core.views.items.tables import frame, judges_table, ledger_table, warnings_of
from judge_core.views.items.verdicts.summary import Figure

FEW = 10
"""Values from which on a mean rests on more than a handful."""


def show_trust(shown: ShownItems) -> None:
    """The checks, the figures, the warnings, what was lost, then the judges one by one."""
    st.markdown(f"{FINE} speaks for the verdicts · {CAREFUL} read with care · {NEUTRAL} good to know")
    with st.grid(min_column_width=380, border=True):
        for check in checks(shown):
            st.markdown(f"{check.sign} **{check.head}**  \n{check.words}")
    _figures(shown)
    _warnings(shown)
    _lost(shown)
    _judges(shown)


def checks(shown: ShownItems) -> list[Check]:
    """All checks that this run allows."""
    found = [*_failures(shown), *_stand_ins(shown), *_precision(shown), *agreement_checks(shown), *_demo(shown)]
    return [*found, PEOPLE]


PEOPLE = Check(
    NEUTRAL,
    "Agreed is not the same as right",
    "Judges can agree and be wrong. Open some items yourself under Why, those that surprise you first.",
)


def _failures(shown: ShownItems) -> Iterator[Check]:
    ledger, planned = shown.state.ledger, shown.state.planned_judgments
    lost = ledger["failed"] + ledger["unparseable"]
    if lost:
        closed = " A gate does not pass an item without the word of every judge." if shown.mode == "gate" else ""
        yield Check(
            CAREFUL,
            f"{lost} of {plural(planned, 'judgment')} brought no verdict",
            f"{ledger['failed']} got no answer, {ledger['unparseable']} could not be read. They count for nothing: no zero, "
            f"no pass.{closed} Ask again for them at the top of the page.",
        )
    elif ledger["judged"]:
        yield Check(FINE, "No judgment failed", "Every reply that was asked for came and could be read.")
    open_ones = ledger["held"] + ledger["cancelled"] + ledger["waiting"]
    if open_ones:
        yield Check(
            CAREFUL, f"{plural(open_ones, 'judgment')} not made", "What is said rests on what was judged so far."
        )


def _stand_ins(shown: ShownItems) -> Iterator[Check]:
    made = [judgment for view in shown.state.items.values() for judgment in view.decided]
    swapped = Counter(turn.answered_by for judgment in made for turn in judgment.turns if turn.answered_by)
    if swapped:
        names = ", ".join(f"{label(name)} ({number})" for name, number in swapped.most_common())
        yield Check(
            CAREFUL,
            f"{plural(sum(swapped.values()), 'answer')} came from another judge",
            f"The chosen one could not answer, and your settings name others to stand in: {names}.",
        )
    elif shown.state.spec.fallbacks:
        names = ", ".join(label(judge.name) for judge in shown.state.spec.fallbacks)
        yield Check(FINE, "No other judge stood in", f"{names} would have, had a judge been out of reach.")


def _precision(shown: ShownItems) -> Iterator[Check]:
    known = [figure for figure in shown.whole.figures if figure.mean is not None]
    if not known:
        return
    unit, fewest = shown.whole.unit, min(figure.n for figure in known)
    noun = "task" if unit == "tasks" else KINDS_OF_RUN[shown.mode].noun
    if fewest < FEW:
        few = [figure for figure in known if figure.n < FEW]
        which = "All means" if len(few) == len(known) else f"Some means ({', '.join(map(_title, few))})"
        most = max(figure.n for figure in few)
        span = plural(fewest, noun) if most == fewest else f"{fewest} to {plural(most, noun)}"
        yield Check(
            CAREFUL,
            f"{which} rest on {span}",
            f"With so few, another batch may well give another mean. Read the single {noun}s, not the mean.{_fewest(few)}",
        )
    else:
        yield Check(FINE, f"Means rest on at least {plural(fewest, noun)}", "Each has its interval in the table below.")


def _fewest(few: Sequence[Figure]) -> str:
    """Which of them rests on the fewest values, where not all rest on as many."""
    least = min(figure.n for figure in few)
    names = [_title(figure) for figure in few if figure.n == least]
    return f" Fewest: {', '.join(names)} ({least})." if len(names) < len(few) else ""


def _title(figure: Figure) -> str:
    """What a figure is called, fit for markdown."""
    return label(_name(figure), 40)


def _name(figure: Figure) -> str:
    """What a figure is called; plain text, not fit for markdown."""
    if figure.kind == "criterion":
        return plain(figure.name)
    return TITLES.get(figure.name, figure.name.replace("_", " ").capitalize())


def _demo(shown: ShownItems) -> Iterator[Check]:
    if any(judge.provider == "offline" for judge in shown.state.spec.judges):
        yield Check(
            CAREFUL, "A demo judge took part", "It counts words and sentences; its opinion says nothing about quality."
        )


def _figures(shown: ShownItems) -> None:
    """Each mean with its interval and the number of values that it rests on."""
    figures = shown.whole.figures
    if not figures or not shown.whole.judged:
        return
    st.subheader("The means, and what they rest on", anchor=False)
    rows = [
        {
            "Figure": _name(f),
            "Mean": f.mean, "from": f.low, "to": f.high, "n": f.n, "Without a value": f.missing,
        }
        for f in figures
    ]  # fmt: skip
    number = st.column_config.NumberColumn
    config = {name: number(format="%.2f") for name in ("Mean", "from", "to")}
    config |= {"from": number("95 % from", format="%.2f"), "to": number("95 % to", format="%.2f")}
    table = pd.DataFrame(rows).astype({"Mean": float, "from": float, "to": float})
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        placeholder="–",
        alt="Means with intervals and counts",
        key="means",
    )
    st.caption(
        f"Intervals are Student's t over the {shown.whole.unit}; below three values none is given. "
        "What could not be measured is left out and counted, never taken as 0."
    )


def _warnings(shown: ShownItems) -> None:
    """Every warning with its number and its line of explanation."""
    counts: Counter[str] = Counter()
    for alias in shown.state.spec.by_alias:
        counts.update({code: n for code, n in warnings_of(shown.state, alias).items() if code in NOTICES})
    st.subheader("Warnings", anchor=False)
    if not counts:
        st.markdown("There is none.")
        return
    rows = [{"Times": number, "What it means": explain(code)} for code, number in counts.most_common()]
    config = {
        "Times": st.column_config.NumberColumn(width="small"),
        "What it means": st.column_config.TextColumn(width="large"),
    }
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, column_config=config, alt="Warnings with their numbers", key="warnings"
    )
    st.caption("A warning stands beside a verdict and never changes it.")


def _lost(shown: ShownItems) -> None:
    """Judgments without a verdict, by cause."""
    causes: Counter[tuple[str, str, str]] = Counter()
    for view in shown.state.items.values():
        for judgment in view.judgments:
            if not judgment.decided:
                errors = [turn.error for turn in judgment.turns if turn.error]
                judge = plain(shown.state.spec.judge_names[judgment.judge])
                causes[judge, ITEM_CLASSES[judgment.outcome], plain(errors[-1], 400) if errors else "unknown"] += 1
    if not causes:
        return
    st.subheader("Judgments without a verdict", anchor=False)
    rows = [
        {"Judgments": n, "Judge": judge, "Became": outcome, "Cause": cause}
        for (judge, outcome, cause), n in causes.most_common()
    ]
    config = {"Cause": st.column_config.TextColumn(width="large")}
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=config, alt="Lost judgments by cause", key="lost")


def _judges(shown: ShownItems) -> None:
    st.subheader("The judges", anchor=False)
    st.plotly_chart(
        ledger_figure(shown.state, shown.theme), key="item_ledger", theme=None, alt=ledger_alt(shown.state),
        config={"displayModeBar": False},
    )  # fmt: skip
    config = st.column_config
    titles = {"judge": config.TextColumn("Judge", pinned=True), "weight": config.NumberColumn("Weight", format="%g")}
    titles |= {str(name): config.NumberColumn(words.capitalize()) for name, words in ITEM_CLASSES.items()}
    titles |= {"calls": config.NumberColumn("Calls"), "cached": config.NumberColumn("From cache")}
    titles |= {"tokens": config.NumberColumn("Tokens"), "cost": config.NumberColumn("Cost in $", format="%.4f")}
    content = frame(judges_table(shown.state))
    st.dataframe(
        content, hide_index=True, column_config=titles, placeholder="unknown", key="judges",
        alt="Each judge's judgments by class, its calls and its cost",
    )  # fmt: skip
    with st.expander("Every planned judgment by class", icon=":material/table_rows:"):
        st.dataframe(frame(ledger_table(shown.state)), hide_index=True, alt="Judgments by class", key="ledger")
