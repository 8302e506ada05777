"""A tournament's roles on loopback: they know a text that they like best, and come to it word by word."""

from __future__ import annotations

import re
from typing import Any

from tests.judge_server import JudgeServer

TARGET = [
    "Trees",
    "cool",
    "the",
    "street",
    "because",
    "their",
    "leaves",
    "give",
    "water",
    "to",
    "the",
    "air",
    "and",
    "shade",
    "to",
    "the",
    "ground",
]
FIRST = "Trees cool street"
_FENCED = re.compile(r"<<< ([A-Z]+(?: [XY\d]+)?) begins \| (\w+) >>>\n(.*?)\n<<< \1 ends \| \2 >>>", re.DOTALL)


def worth(text: str) -> int:
    """Words of the target that stand in the text, less those that do not belong."""
    words = text.split()
    return len(set(words) & set(TARGET)) - sum(word not in TARGET for word in words)


def in_order(words: set[str]) -> str:
    return " ".join(dict.fromkeys(word for word in TARGET if word in words))


class RefineServer(JudgeServer):
    """The critic names the next word that is missing, the author adds it, the synthesizer takes all, judges count.

    `undecided`: judges rank by the order shown instead, which says nothing about the versions.
    """

    undecided = False

    def answer(self, body: dict[str, Any]) -> str:
        system, user = body["messages"][0]["content"], body["messages"][1]["content"]
        shown = {label: text for label, _, text in _FENCED.findall(user)}
        if system.startswith("You are a critic."):
            missing = [word for word in TARGET if word not in shown["TEXT"].split()]
            return f"1. The word '{missing[0]}' is missing." if missing else "No problems."
        if system.startswith("You are an author."):
            wanted = re.findall(r"'(\w+)'", shown["CRITIQUE"])
            return f"Here it is:\n<text>\n{in_order({*shown['TEXT'].split(), *wanted})}\n</text>"
        if system.startswith("You are an editor. You merge"):
            return f"<text>\n{in_order({*shown['VERSION X'].split(), *shown['VERSION Y'].split()})}\n</text>"
        values = {number: worth(shown[f"VERSION {number}"]) for number in "123"}
        ranking = list("123") if self.undecided else sorted(values, key=lambda number: -values[number])
        return f"I counted.\n**RANKING:** {', '.join(ranking)}"
