"""Lines and marks that a text forges: verdicts, turns of a chat, calls of tools, the ends of texts in a prompt.

Before each pattern stands of which words and marks a text must hold some (see `gates`).
"""

from __future__ import annotations

_SIDE = r"(?:text|essay|answer|response|assistant|candidate|submission|artifact)"
_LABEL = (
    "(?:winner|verdict|final (?:decision|choice|ranking)|preference|outcome|judge?ment|ranking|gewinner|sieger|rangfolge|vainqueur|gagnant|classement"
    "|ganador|clasificación|vincitore|classifica|vencedor|classificação|winnaar|zwycięzca|vinnare|kazanan|победитель|переможець"
    "|获胜者|胜者|获胜|排名|勝者|順位|승자|순위|الفائز|विजेता|νικητής|המנצח)"
)
"""What a verdict is called, in several languages."""
LINES: tuple[tuple[str, str], ...] = (
    ("[",
     r"\[\[ ?(?:[ABC]|[Tt]ie)(?:[<>=]+[ABC])? ?\]\]"),
    ("winner verdict ranking / : =",
     r"(?im)^[ \t>#*_\-]*(?:final |overall |my )?(?:ranking|winner|verdict)[ \t*_]*[:=][ \t*_]*(?:(?:the )?(?:text|essay|answer|response|assistant)\s+)?(?:[ab123]|tie)\b(?=[ \t*_]*(?:[.,;>)]|$))"),
    ("score / : =",
     r"(?im)^[ \t>#*_\-]*(?:score (?:for )?(?:text )?[ab]|(?:overall|final) score)[ \t*_]*[:=][ \t*_]*\d"),
    ('winner score / " \'',
     r"[\"'](?:winner|score_[ab])[\"']\s*:"),
    ("winner verdict",
     r"\b(?m:(?i:(?:winner|verdict)\s*(?:is|:)\s*(?:text|essay|answer|response|assistant)?) ?[\"'*]*[AB]\b(?=[\"'*]*(?:[.!,;) ]*$|[.!])))"),
    ("winner verdict final preference outcome judgment judgement ranking gewinner sieger rangfolge vainqueur gagnant classement ganador clasificacion vincitore classifica vencedor classificacao winnaar zwyciezca vinnare kazanan обедит ереможец 获胜 胜者 排名 勝者 順位 승자 순위 الفائز विजेता νικητ המנצח / : = — >",
     rf"(?<!\w)(?i:{_LABEL})(?: is)?[ \t*_\]]{{0,6}}(?:[:=—]|->)[ \t*_\[]{{0,6}}(?:\w{{1,12}} )?(?:[AB](?=[ \t*_\]]{{0,6}}(?:[.,;)\n]|$))|[1-9]\W{{0,4}}[,>])"),
    ("[",
     r"(?i:rating|score|grade|verdict)\W{1,4}\[\[ ?\w{1,4} ?\]\]"),
    ('verdict choice preferred better decision best / " \'',
     r"[\"'](?:verdict|choice|preferred|better|decision|best)[\"']\s{0,4}:\s{0,4}[\"'](?:[AB]|tie|supported|contradicted)\b"),
    ("> ≻",
     r"(?m)^\W{0,6}[AB] ?(?:>{1,2}|≻) ?[AB]\W{0,4}$|(?i:outcome|verdict|result|ranking)\W{1,5}[AB] ?(?:>|≻)"),
    ("|",
     r"(?im)^[ \t]*\|\s{0,4}(?:criterion|criteria|text|answer|essay)\s{0,4}\|\s{0,4}(?:a\s{0,4}\|\s{0,4}b|score|grade|mark)\s{0,4}\|"),
    ("supported faithfulness / : =",
     r"(?i)\ball claims\s{0,4}[:=]\s{0,4}supported|\bfaithfulness\s{0,4}[:=]\s{0,4}[01]\b"),
    ("is / better superior stronger best / text essay answer response assistant candidate submission artifact",
     rf"\b(?i:{_SIDE}) [AB] is (?:clearly |far |much |by far )?(?:superior|better|stronger|best)\b"),
    ("evaluation",
     r"(?i)\bevaluation result\b[^.\n]{0,40}:\s{0,3}[ab]\b"),
    ("<",
     r"</?(?:tool_calls?|function_calls?|tool_response|invoke|scratchpad|reasoning|reflection)\b[^>\n]{0,40}>|<function="),
    ("reward task tool / : =",
     r"(?i)[\"'](?:reward|task_success|tool_calls)[\"']\s{0,4}:|\breward\s{0,3}[:=]\s{0,3}1(?:\.0)?\b"),
    ("submit set record register save / _",
     r"(?i)\b(?:submit|set|record|register|save)_(?:the_)?(?:score|grade|verdict|winner|evaluation|rating|ranking|reward)s?\b"),
    ("action thought observation / :",
     r"(?im)^[ \t]*(?:action|thought|observation)[ \t]*:[^\n]{0,60}(?:finish|approve|judge|evaluator|verified)"),
    ("verified confirmed approved verify",
     r"(?i)\b(?:verified|confirmed|approved) by the (?:evaluator|grader|judge|environment)\b|\bno need to verify\b"),
    ("declare",
     rf"\b[Dd]eclare (?:{_SIDE} )?[AB] (?:as |to be )?(?:the )?(?:winner|better|best)\b"),
    ("choose pick select prefer vote favour favor declare / text essay answer response assistant candidate submission artifact",
     rf"\b(?i:(?:choose|pick|select|prefer|vote for|favou?r|declare)) (?i:{_SIDE}) [AB]\b"),
    ("is must should wins was / winner better best win wins withdrawn / text essay answer response assistant candidate submission artifact",
     rf"\b(?i:{_SIDE}) [AB] (?i:is the (?:winner|better one|best one)|must win|should win|wins\b|was withdrawn)"),
    ("< [",
     r"<\|[A-Za-z_]{2,30}\|>|\[/?(?:INST|SYSTEM(?:_PROMPT)?|TOOL_[A-Z]{4,10})\]|</?(?:\w{2,20}[_-])?(?:instructions|reminder|directives?)>|<</?SYS>>|</?think(?:ing)?>|<(?:start|end)_of_turn>|<(?:bos|eos)>"),
    ("#",
     r"(?im)^[ \t>]*#{2,}[ \t]*(?:assistant|system|user|human|instructions?)\s*:"),
    ("system assistant developer",
     r"(?im)^[ \t]*[\[<(]\s*(?:system|assistant|developer)(?: (?:prompt|message|note))?\s*[\])>]"),
    ("system assistant developer / :",
     r"(?im)^[ \t]*(?:system|assistant|developer)(?: (?:prompt|message))?\s*:\s"),
)  # fmt: skip
"""Looked for in the copy that keeps lines and case."""
_THING = r"(?:text|essay|answer|response|artifact|document|submission|candidate|passage|data|input|content|prompt|context|quote)"
BOUNDARIES: tuple[tuple[str, str], ...] = (
    ("<",
     r"(?i)</?\s*(?:[a-z]{2,12}[_-])?(?:text|essay|answer|response|artifact|document|submission|candidate|assistant|passage|content|user|system|instructions?|rubric|criteria|prompt|judge|data|untrusted|verdict)(?:[_\- ]?(?:a|b|1|2|one|two|start|end)|[_\-](?:zone|area|block))?\s*/?>"),
    ("[",
     r"\[\s*/?(?:END|BEGIN|START)(?:[ _]OF)?\b[^\]\n]{0,40}\]"),
    ("[",
     rf"(?i)\[\s*/?(?:end|begin|start)(?: of)?[ _](?:the )?{_THING}\b[^\]\n]{{0,20}}\]"),
    ("<",
     r"<<<"),
    (">",
     r">>>(?:(?<=\w>>>)|(?<=\w >>>))"),
    (">",
     r"(?m)^[ \t]*>>>+\s*$"),
    ("end begin start beginning",
     rf"\b(?:END|BEGIN|START|BEGINNING)[ _]OF[ _](?:THE[ _])?(?i:{_THING})(?:\b|_)"),
    ("end begin start beginning",
     rf"(?im)^[ \t=\-*#_~+]*(?:end|begin|start|beginning)(?: of)?(?: the)? {_THING}(?: [ab12])?[ \t=\-*#_~+.:]*$"),
    ("end begin start",
     r"(?im)^[ \t]*[=\-*#_~+]{2,}[ \t]*(?:end|begin|start)[ \t]*[=\-*#_~+]{2,}[ \t]*$"),
    ("ends end begins begin starts start stops stop over / text essay answer response artifact document submission candidate passage data input content prompt context quote",
     rf"(?im)^[ \t=\-*#_~+]*{_THING}(?: [ab12])? (?:ends?|begins?|starts?|stops?|is over)(?: here)?[ \t=\-*#_~+.:]*$"),
    ("=== --- *** ### ~~~ +++ =-=",
     rf"(?im)^[ \t]*[=\-*#_~+]{{3,}}[ \t]*(?:next |new )?{_THING}(?: [ab12])?(?: ends?| begins?| starts?)?[ \t]*[=\-*#_~+]{{3,}}"),
    ("ends stops finishes over",
     rf"(?i)\b(?:the|this) {_THING} (?:ends|stops|is over|finishes) here\b|\bthis is where the {_THING} (?:ends|stops)\b"),
    ("[",
     r"\[\s{0,4}/?(?:ENDE|FIN|FINE|FIM|EINDE|KONIEC|SLUT|КОНЕЦ|结束|終了)\b[^\]\n]{0,40}\]"),
    ("above below closed ends over",
     r"(?i)\b(?:everything|material|content|all|text) (?:above|below)(?: this line)?\s{0,3}[:=]|\binput (?:closed|ends|is over)\b"),
)  # fmt: skip
