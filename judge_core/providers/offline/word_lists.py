"""Short English word lists of our own: marks of reasons, of other views, of order and of evidence; slips; vague words;
words that carry nothing; numbers."""

from __future__ import annotations


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


REASON = (
    "because", "therefore", "thus", "hence", "as a result", "consequently", "so that", "which means",
    "leads to", "led to", "this means", "that is why", "in order to", "due to", "otherwise", "explains",
)  # fmt: skip
CONCESSION = (
    "although", "though", "however", "while", "whereas", "even if", "despite", "on the other hand", "critics",
    "opponents", "some people", "it is true", "admittedly", "nevertheless", "yet", "instead", "rather than", "unless",
    "granted", "objection", "some argue", "others argue",
)  # fmt: skip
CONNECTIVE = (
    "first", "firstly", "second", "secondly", "third", "finally", "next", "then", "moreover", "furthermore",
    "in addition", "also", "another", "for this reason", "in conclusion", "overall", "in short", "to begin with",
    "meanwhile", "later", "eventually", "after", "before", "when", "until", "above all", "in the end",
)  # fmt: skip
EVIDENCE = (
    "for example", "for instance", "such as", "according to", "study", "studies", "survey", "research", "researchers",
    "report", "reported", "found that", "shows that", "showed", "evidence", "data", "percent", "per cent", "average",
    "experiment", "university", "in particular", "compared", "measured",
)  # fmt: skip
COMMON = _words("the and of to is that it for my are be with have this as not they")
"""By which a text is known to be English."""

VAGUE = _words("""
    very really stuff thing things lot lots good bad nice big got get gets great kinda basically actually literally
    just whatever something someone everybody everyone always never
""")

MISSPELT = _words("""
    teh recieve recieved definately definatly alot seperate becuase becouse beacuse becasue becase beleive belive wierd untill
    truely goverment enviroment occured tommorow tommorrow freind freinds thier alway allways probaly realy wich
    dont cant doesnt didnt isnt wasnt arent werent im ive youre theyre thats whats shouldnt couldnt wouldnt hasnt havent
    gonna wanna gotta cuz coz bcoz cos becuz u ur thx pls plz tho thru wat wen dat lol omg
    espeacilly especialy begining beggining comming diffrent intresting knowlege neccessary neccesary arguement oppertunity
    peple poeple restaraunt sucess succesful suprise tierd writting studing studys shoud woud mornig tomorow wether
""")
"""Words often misspelt, contractions without their apostrophe, and chat spelling."""

STOP = _words("""
    a about after again all also am an and any are as at be because been before being between both but by can could did
    do does doing during each either else ever every few for from further get gets got had has have having he her here
    hers him his how i if in into is it its itself just let like made make makes many may me might more most much must my
    neither no nobody none nor not nothing now of off often on once only or other our out over own per please quite
    rather really same shall she should since so some such than that the their them then there these they this those
    through to too under until up upon us use used using very via was we well were what when where whether which while
    who whom whose why will with within without would yes yet you your never cannot
    it's don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't hasn't haven't hadn't
    i'm i've i'll you're we're they're that's there's let's he's she's
""")
"""Words that carry nothing of a text's matter."""

NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12",
}  # fmt: skip
"""'one' is left out: it is a number less often than not."""
