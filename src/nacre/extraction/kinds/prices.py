"""Prices of things that have no name of their own, and of those that do."""

from nacre.extraction.kinds.assets import MONEY, PRICE
from nacre.extraction.rules import claim, rule

_NOW = (
    r"(?:(?:now |currently |only )?(?:costs?|cost)|(?:has |have |just )*(?:went|gone|goes|going) (?:up|down) to"
    r"|goes for"
    r"|(?:has |have |just )*(?:rose|risen|dropped|fell|fallen|increased|jumped|climbed|decreased|raised|reduced|cut) to"
    r"|(?:is|are)(?: now| currently| only| at)?)(?: about| around| only| just)?"
)
# A budget is no price, nor is what something else was for.
_THING = (
    r"(?<!for\x20)(?<!of\x20)(?<!than\x20)(?:my|our|the) (?!(?:[a-z-]+ )?(?:budget|income|salary|amount|total|one"
    r"|goal|limit|asking"
    r"|regular|original|final|difference|rest)\b)(?P<of>[a-z-]+(?: (?!that|which|who)[a-z-]+)??)(?: price| cost| fee)?"
)
_PAID = claim("prices/{of}/price", of="speaker", literal=True)

RULES = (
    rule("prices.thing", "en", "costs cost went gone goes rose risen dropped fell is are was increased now",
         rf"{_THING} {_NOW} {MONEY}(?!\.?\d)(?=<stop>| per| each|/| an? )",
         _PAID, confidence=0.8),
    rule("prices.price_of", "en", "price cost",
         rf"the (?:price|cost) (?:of|for) (?:my |our |the |a )?(?P<of>[a-z-]+(?: [a-z-]+)??) {_NOW} {MONEY}",
         _PAID),
    rule("prices.raised", "en", "raised increased lowered cut dropped reduced put changed",
         r"(?:i|we|they|he|she|my landlord|the landlord|[\ue000\ue001\ue005]++)(?: have| has|'ve| just)* (?:raised"
         r"|increased"
         r"|lowered|cut|dropped|reduced|put|changed|bumped) (?:my|our|the) (?P<of>[a-z-]+(?: [a-z-]+)??)(?: price"
         r"| cost| fee)?"
         rf"(?: up| down)? (?:to|at) {MONEY}",
         _PAID),
    rule("prices.named", "en", "costs cost went gone goes rose price",
         r"(?P<who>[\ue001\ue003\ue005]++)(?: now)? (?:costs?|(?:has )?(?:went|gone) (?:up|down) to|(?:has )?(?:rose"
         r"|risen|dropped"
         rf"|increased) to|goes for)(?: about| around| only| just| now)? {MONEY}",
         PRICE, confidence=0.8),
    rule("prices.precio", "es", "cuesta vale subió bajó precio",
         rf"(?:el precio de )?(?:mi|el|la) (?P<of>[a-záéíóúñ-]+)(?: ahora)? (?:cuesta|vale|subió a|bajó a|es de"
         rf"|ha subido a"
         rf"|ha bajado a)(?: ahora| unos)? {MONEY}",
         _PAID),
)  # fmt: skip
