"""The words synthetic turns are made of."""

import random


def _listed(words: str) -> list[str]:
    return words.split()


# Roughly by how often people say them: their place decides their share.
COMMON = _listed("""
i the to a you and it that of is in for my we was have on me with so this but not are be at just what do
like it's really i'm about all they how from as if when had can would her one time his she he out been get
or there know think some up more good your them did were then now will our could very much too well also
""")

EVERYDAY = _listed("""
morning evening weekend dinner lunch coffee kitchen garden house flat street train bike car ticket flight
hotel trip mountain beach river city village market shop price order delivery invoice budget meeting call
email report deadline project team manager client plan launch release design draft review server backup
update laptop phone screen battery photo camera music guitar piano concert song album book novel chapter
library film series painting pottery dance running swimming yoga climbing football match score coach race
doctor dentist appointment medicine sleep headache allergy recipe bread soup pasta salad chocolate cake
birthday party present wedding sister brother mother father daughter son cousin neighbour friend colleague
dog cat puppy school teacher exam course degree language lesson job interview salary office contract holiday
summer winter spring autumn rain snow sunny cold warm early late busy tired happy worried proud curious
started finished moved bought sold cooked painted visited planned booked cancelled forgot learned joined
decided promised called met tried loved missed changed fixed broke found lost wrote read watched played
""")

NAMES = _listed("""
Ana John Mira Tomas Priya Kofi Lena Omar Yuki Carlos Ingrid Dmitri Fatima Sean Amara Hugo Noor Elif Pavel
Rosa Samir Greta Diego Hana Luca Zainab Emil Tara Nils Chidi Maya Viktor Leila Andre Sofia Jun Petra Malik
Clara Ravi Nadia Felix Aisha Marek Ines Theo Olga Bruno Keiko Dara
""")

PLACES = _listed("Lisbon Vilnius Osaka Nairobi Bergen Porto Kraków Toronto Lima Ghent Tbilisi Hanoi Graz Quito Cork")
FIRMS = _listed("Northwind Bluepeak Harbourline Kestrel Lumen Oakfield Pinegate Redstone Silverbay Tidewater")

# Sentences that state something, so that extraction has its usual work.
STATEMENTS = (
    "My colleague {name} works at {firm} in {place}.",
    "{name} is my {relative} and lives in {place}.",
    "I prefer {word} to {other}.",
    "We moved the {word} to {place} because of the {other}.",
    "{name} told me about the {word} at {firm}.",
    "My favourite {word} is {name}'s {other}.",
)
RELATIVES = ("sister", "brother", "cousin", "neighbour", "friend", "manager")

_ONSETS = _listed("b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w")
_VOWELS = _listed("a e i o u ai ea ie oa ou")
_CODAS = ["", "", "", "", "n", "r", "l", "t", "s", "nd", "rk", "st", "m"]
_ENDINGS = ["", "", "", "", "", "", "er", "ing", "ed", "ly", "ness", "able", "ist"]


def vocabulary(size: int, rng: random.Random) -> list[str]:
    """`size` different words, the most frequent first; past the everyday ones they are made up."""
    words = dict.fromkeys([*COMMON, *EVERYDAY])
    while len(words) < size:
        words.setdefault(made_up(rng))
    return list(words)[:size]


def made_up(rng: random.Random) -> str:
    syllables = (
        rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.choice((1, 2, 2, 2, 3)))
    )
    return "".join(syllables) + rng.choice(_ENDINGS)
