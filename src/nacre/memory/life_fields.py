"""Fields of life: the words by which people speak of how things stand at home, at work or in their studies."""

from dataclasses import dataclass

from nacre.text.caseless_patterns import CaselessPattern, caseless


def read_phrases(lines: str) -> str:
    """Any of these phrases, one a line or parted by bars, as whole words."""
    every = "|".join(each.strip() for each in lines.replace("\n", "|").split("|") if each.strip())
    return rf"(?<![\w'’-])(?:{every})(?![\w-])"


def _spoken(lines: str) -> CaselessPattern:
    return caseless(read_phrases(lines))


@dataclass(frozen=True, slots=True)
class Field:
    """How people speak of a field of life as it is, and of a beginning there; what is a value of it, if not names."""

    name: str
    stands: CaselessPattern
    begins: CaselessPattern
    named: bool = False
    placed: bool = False


FIELDS = (
    Field(
        name="home",
        stands=_spoken(r"""
            live|living|based|rent|renting|(?:here|still|stuck|back|home|house|flat|apartment|studio|place|room) in
            our place|i['’]m here|the flat|wohne?n?|lebe|vivo|vivimos|moro|moramos|habite|vis"""),
        begins=_spoken(r"""
            (?<!was )(?<!were )(?<!been )(?<!got )moved (?:to|in|into)
            moving (?:van|truck|boxes)|the van with|u-?haul|keys (?:to|in|are|r)|unpack(?:ed|ing)
            last box|mattress on|furniture|hung the last|new (?:place|flat|apartment|house|window|street) in
            found (?:a|an) (?:\w+ )?(?:studio|flat|apartment|place|room)|sublet|signed the lease|mudanza|mudança
            me mud(?:é|ei)|nos mud\w+|ventana nueva|piso nuevo|casa nueva|nuevo piso|umzug\w*|umgezogen|eingezogen
            neue wohnung|emménag\w+|déménag\w+|nouvel appart\w*|casa nova|apê novo
            instalad[oa]s? en|estren(?:o|amos|ado|ando) (?:piso|casa)"""),
        named=True,
        placed=True,
    ),
    Field(
        name="work",
        stands=_spoken(r"""
            work (?:at|for)|working (?:at|for|as)|job at|years (?:into|at)|(?:i['’]m|i am) an? (?:\w+ ){1,3}?at
            trabajo (?:en|de|como)|llevo \w+ años (?:de|en)|arbeite|travaille|trabalho|je suis \w+ chez"""),
        begins=_spoken(r"""
            first (?:day|morning|week|shift) (?:at|of|as|in|with|on)|started at|took me on|hired me|primer (?:día|turno)
            primera semana|empecé en|erster (?:arbeits)?tag|premier jour|primeiro dia
            me (?:ha|han) fichado|(?:he|hemos) fichado por|fiché por"""),
        placed=True,
    ),
    Field(
        name="study",
        stands=_spoken(r"""
            my \w+ degree|i['’]m studying|majoring in|curso de|carrera de|studiere|étudie"""),
        begins=_spoken(r"""
            changed my major|switched (?:my )?majors?|an? \w+ (?:student|major) (?:now|as of|since)|entrei em|entré en
            me cambié a|mudei para|gewechselt zu"""),
    ),
    Field(
        name="couple",
        stands=_spoken(r"""
            (?:i['’]m|i am|we['’]re|we are|been|years|months|still|happily) (?:single|engaged|married|dating|a couple
            |together)|single (?:for|since|again|and)|married to|engaged to|dating an?|seeing someone|my fianc[ée]e?
            estoy (?:solter[oa]|casad[oa]|prometid[oa])|bin (?:single|verlobt|verheiratet)
            je suis (?:célibataire|fiancée?|mariée?)|sou (?:solteir[oa]|casad[oa])"""),
        begins=_spoken(r"""
            (?:i|we)(?:['’]ve|\shave)? (?:just )?(?:called (?:it|everything) off|broke(?:n)? (?:it off|up)|split up)
            called (?:the (?:wedding|engagement) off|off the (?:wedding|engagement))
            (?:wedding|engagement) is off|the decree|divorce (?:is|came|went) (?:final|through)|divorce papers
            we eloped|tied the knot|(?:just|newly) married|a married (?:man|woman|couple)
            (?:got|getting|have|found) a (?:new )?(?:boyfriend|girlfriend)|nos casamos|me casé|rompimos|lo dejamos
            haben geheiratet|frisch verheiratet|haben uns getrennt|nous sommes (?:mariés|séparés)|nos casámos"""),
    ),
)


def fields_of(text: str) -> set[str]:
    """The fields of life that a text speaks of."""
    return {each.name for each in FIELDS if each.stands.search(text) or each.begins.search(text)}
