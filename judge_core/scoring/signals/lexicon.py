"""Words of orders to a judge, each with a one-letter class, and the sequences of classes that make such an order.

A text of words becomes a string of classes, a sixth as long; what is not in the lexicon is `x`. So one sequence stands
for all wordings of it, and is found in time that grows with the text's length alone.
"""

from __future__ import annotations

CLASSES: dict[str, str] = {
    "I": "ignore ignoring disregard forget override overrule bypass suspend skip dismiss neglect overlook abandon cancel",
    "E": "previous prior above preceding earlier foregoing original initial before previously beforehand",
    "U": "instruction instructions prompt prompts directions directives rubric rubrics guideline guidelines guide criteria",
    "O": "rules orders commands constraints requirements policies scheme",
    "Q": "told said instructed given asked ordered commanded shown",
    "G": "give assign award grant allot allocate set put add enter record authorise authorize assigns awards gives giving awarding",
    "S": "score rate grade mark rank label labelled labeled rated scored ranked graded classify evaluate assess value",
    "C": "choose pick select prefer favour favor vote declare crown approve announce praise",
    "R": "report return reply respond write emit state conclude recommend",
    "H": "highest maximum maximal max top best full perfect excellent outstanding flawless perfectly exemplary",
    "Z": "zero lowest minimum low worst last losing",
    "N": "10 100 ten hundred 5 five 9 nine",
    "P": "points point marks grades scores rating ratings credit stars percent",
    "W": "essay answer text response submission article paper candidate entry texts essays answers responses submissions passage passages "
    "document documents source sources position output artifact artifacts work piece page trajectory run one contribution",
    "T": "this my",
    "o": "other second opposing competing rival first opponent others remaining contrary another",
    "J": "judge grader evaluator rater examiner assessor reviewer judges graders evaluators raters examiners assessors reviewers",
    "A": "ai llm llms gpt chatbot chatbots ais",
    "g": "language",
    "M": "model models",
    "B": "assistant assistants",
    "m": "must shall required obliged has have",
    "n": "not never no longer without cannot",
    "X": "stop end cease halt quit finish",
    "Y": "evaluating grading scoring comparing judging assessment assessing evaluation comparison marking",
    "K": "criterion category dimension",
    "V": "receive get win lose deserve deserves receives gets wins earn earns",
    "v": "winner won victor victory superior",
    "a": "apply applies exist exists count counts valid",
    "c": "compare check verify consult deduct penalise penalize criticise criticize question",
    "D": "pretend imagine assume treat act consider regard suppose",
    "q": "claim claims statement statements",
    "z": "supported verified correct true factual relevant",
    "F": "obey follow heed",
    "l": "line paragraph message sentence note",
    "1": "only nothing solely exclusively alone single merely",
    "y": "you your yourself",
    "j": "task job goal role assignment mission purpose objective",
    "h": "changed new now updated",
    "e": "reading readers reader read reads quotes summarise summarize retrieves retrieve cite cites processing",
    "f": "if attention when whenever dear",
    "p": "list quote print repeat reveal tell show disclose recite display leak",
    "s": "system hidden secret internal confidential",
    "w": "with",
    "d": "do",
    "!": "please kindly simply just and then so therefore also instead always",
    "k": "the a an of to all any every each it is be as for in on that are by from or at these those "
    "its their our which was were whatever i me both will should",
}
_W, _W2, _W3, _W4 = "[^.,:]?", "[^.,:]{0,2}", "[^.,:]{0,3}", "[^.,:]{0,4}"
"""Up to one, two, three, four words of whatever class."""
ANYWHERE: dict[str, tuple[str, ...]] = {
    "I": (rf"{_W3}[Ey]{_W2}[UO]", rf"{_W3}U{_W3}E", rf"{_W3}y{_W2}Q", rf"{_W2}[cY]{_W2}[TUOC]"),
    "U": ("k?xn[na]{1,2}", "nn?a"),
    "O": ("k?xn[na]{1,2}", "nn?a"),
    "o": (rf"W{_W3}[.,]S{_W3}Z", rf"WmV{_W2}K"),
    "T": (rf"Wm{_W}(?:V{_W3}[HNPK]|kS{_W2}[HNo]|[SC])",),
    "R": (rf"{_W2}(?:TW|TWk|W{_W})v",),
    "y": (
        rf"m!?k?[CGSD]{_W2}[TW]",
        rf"S{_W}TW,!?[CGSRDW]",
        rf"{_W}W{_W4}1{_W}[xl]",
        "[YsE]U",
        rf"{_W}j[mk]{{0,2}}h",
        "[h1]j",
        rf"k{{1,3}}{_W2},k?J",
        "[mx]?nU",
    ),
    "Y": (rf"{_W}TW,!?[CGSRDW]",),
    "W": (rf"{_W2}TlV",),
    "1": (rf"k?K{_W3}a",),
    "A": (rf"{_W}M?{_W2}[ep]T", rf"{_W3}eTW"),
    "g": (rf"M{_W}M?{_W2}[ep]T",),
    "l": ("k{1,2}(?:A|gM)[eM]?[,:]",),
    "f": ("f?k?(?:AM?|gM|AJ)[.,:]", "yk{1,2}(?:A|gM)", rf"kA{_W2}e"),
    "B": (rf"{_W3}eTW", rf"{_W4}mk?[GSCRW]"),
    "J": (rf"m{_W}[CGSRFD]", rf"k[mQ]k{_W}[CGSRFD]", rf"{_W2}S{_W}TW"),
    "Q": (rf"{_W2}J{_W2}[CGSR]",),
    "j": (rf"{_W}kJ",),
    "q": (rf"{_W4}{_W3}[SRW]z",),
}
"""Sequences by their first class, wherever they stand in a sentence."""
AT_START: dict[str, tuple[str, ...]] = {
    "I": (rf"{_W3}[UY]", rf"{_W2}[os]{_W}W"),
    "1": ("E[Tk]",),
    "X": (rf"{_W2}Y",),
    "D": (rf"{_W3}oW", rf"{_W3}E[UO]", rf"{_W4}[UJ]", rf"{_W3}q{_W3}z"),
    "G": (
        rf"{_W}TW{_W3}[HNv]",
        rf"{_W2}[HN]{_W3}(?:TW|K)",
        rf"{_W3}P{_W2}T[W.,:]",
        rf"{_W2}oW{_W4}[ZNHP]",
        rf"{_W3}q{_W3}z",
    ),
    "S": (rf"{_W}TW{_W3}[HNv]", rf"{_W2}K{_W3}[HN]", rf"{_W2}oW{_W4}[ZNHP]", rf"{_W3}q{_W3}z"),
    "C": (rf"{_W}TW(?:{_W3}[HNv]|[.,:])", rf"{_W}oW[.,]"),
    "n": (rf"G{_W2}oW{_W3}[ZNP]", rf"[cS]{_W2}[TW]"),
    "d": (rf"n[cS]{_W2}[TW]",),
    "R": ("1w", rf"w{_W3}1", rf"{_W4}v"),
    "p": (rf"{_W4}[ys]{_W2}U", rf"{_W4}U{_W4}Q", rf"{_W4}{_W}E"),
    "F": (rf"{_W}1{_W3}[UOTlW]",),
    "J": (rf"{_W2}[TW]{{1,2}}:",),
}
"""Sequences by their first class, where a sentence or a part of it begins."""
