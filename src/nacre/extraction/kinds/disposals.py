"""Disposals: things and animals that somebody sold, gave away or lost. What is held tells which."""

from nacre.domain.facts import Polarity
from nacre.extraction.rules import TimeBound, link, rule

_GONE = link("owns", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.ENDS)
_DID = r"<who>(?:<has>| had to| just| finally| recently)*<adv>"
_TO_WHOM = (
    r"(?:[\ue000\ue005]++|(?:my|our|his|her|the|a|some|mi|su) [a-z'-]+(?: [a-z'-]+)?|him|her|them|someone|charity)"
)
_NO_MORE = r"(?: any ?more| now| these days)"

RULES = (
    rule("disposals.sold", "en", "sold donated rid traded scrapped wrecked totaled totalled rehomed parted threw lost"
         " returned crashed pawned ditched let gave",
         rf"{_DID} (?:sold(?: off)?|donated|got rid of|gotten rid of|traded in|traded|scrapped|wrecked|totall?ed"
         rf"|rehomed"
         r"|parted with|threw (?:away|out)|lost|returned|pawned|ditched|let go of|gave away|given away|gave up)"
         r" (?!(?:my|his|her|their|our|the) (?:other )?(?:job|position|role|post|way|mind|game|match|weight|will)\b)"
         r"(?!(?:sight|track|count|touch|interest|weight|hope|patience|out|about|time|a total|some|\d+|ours"
         r"|theirs)\b)<words>",
         _GONE, confidence=0.8),
    rule("disposals.gave", "en", "gave given give",
         rf"{_DID} (?:gave|given|give|passed|handed) (?!(?:her|him|them|me|us|you|it|way|birth"
         rf"|in) )(?P<what>[^,.;:!?()]{{2,40}}?) (?:away|up(?: for adoption)?|back"
         rf"|on)?(?: ?to {_TO_WHOM})(?! a )",
         _GONE, confidence=0.8),
    rule("disposals.gave_away", "en", "gave given give",
         rf"{_DID} (?:gave|given|give) (?P<what>[^,.;:!?()]{{2,40}}?) (?:away|up for adoption|up(?=<stop>))",
         _GONE, confidence=0.8),
    rule("disposals.gave_them", "en", "gave given",
         rf"{_DID} (?:gave|given) {_TO_WHOM} (?:my|our) (?P<what>[a-z\ue000-\ue008 ]{{2,30}}?)(?=<stop>)",
         _GONE, confidence=0.75),
    rule("disposals.was_lost", "en", "stolen totaled totalled wrecked gone sold scrapped burned burnt off",
         r"(?P<who>my|our|his|her|\ue000++'s) (?P<what>[a-z\ue001\ue003\ue005 ]{2,30}?)(?: has| was| got| is| been"
         r"| just)*"
         r" (?:stolen|totall?ed|wrecked|sold|scrapped|destroyed|burned down|burnt down|written off|a write-off|gone)"
         r"(?=<stop>)",
         _GONE, check="possessive"),
    rule("disposals.the_thing", "en", "gone stolen sold sank",
         r"(?:my|our|the) (?P<what>[a-z\ue001\ue003\ue005]+(?: (?!is|was|got|has)[a-z]+)?)(?: (?:is|was|got|has"
         r"|been))* (?:gone|stolen|sold|sank|sunk)"
         r"(?=<stop>)",
         link("owns", of="speaker", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.ENDS), confidence=0.75),
    rule("disposals.new_home", "en", "home homes",
         r"(?:i|we)(?: have|'ve| had to)*+ (?:found|find) (?:my |our "
         r"|the )?(?P<was>[\w\ue000-\ue008'-]+(?: [\w\ue000-\ue008'-]+)?) (?:a|another) (?:new |good |loving )*home",
         link("owns", of="speaker", what="was", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.ENDS)),
    rule("disposals.bought_off", "en", "bought took taken",
         r"(?:bought|took|taken) (?:my|our|the|that) (?P<what>[^,.;:!?()]{2,30}?) off (?:me|us|(?:my|our) hands)"
         r"(?=[\s,.;:!?]|\Z)",
         link("owns", of="speaker", loose=True, polarity=Polarity.RETRACTED, bound=TimeBound.ENDS), confidence=0.8),
    rule("disposals.crashed", "en", "crashed",
         r"<who><adv> crashed <words> and (?:it's|it is|it was) (?:a write-off|totall?ed|gone|wrecked)",
         _GONE),
    rule("disposals.no_longer", "en", "longer anymore more",
         rf"<who>(?: no longer (?:have|has|own|owns|drive|drives)| (?:don't|doesn't|do not|does not) (?:have|own|drive)"
         rf"(?=.*\bany ?more)) <words>(?:{_NO_MORE})?",
         _GONE, hedges=False),
    rule("disposals.vendi", "es", "vendí vendió regalé regaló doné donó perdí perdió robaron vendimos regalamos",
         r"(?:<who> )?(?:vendí|vendió|vendimos|he vendido|regalé|(?<!me\x20)(?<!le\x20)regaló|regalamos|doné|donó"
         r"|me deshice de|perdí|perdió"
         r"|me robaron|nos robaron|di en adopción a) <words>",
         _GONE, confidence=0.8, check="spanish first person"),
    rule("disposals.cambie", "es", "cambié cambiamos cambiado",
         r"(?:<who> )?(?:cambié|cambiamos|he cambiado|hemos cambiado) (?:el|la|mi|nuestr[oa])"
         r" (?P<what>[^,.;:!?()]{2,30}?) por (?:un|una|otr[oa]) ",
         _GONE, confidence=0.8, check="spanish first person"),
    rule("disposals.ya_no_tiene", "es", "ya",
         r"(?:<who> )?ya no (?:tengo|tiene|tenemos) <words>",
         _GONE, hedges=False, check="spanish first person"),
)  # fmt: skip
