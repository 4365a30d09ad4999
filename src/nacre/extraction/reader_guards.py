"""Reader guards: what the words around a fact of the reader say about it that the reader overlooked."""

import re

from nacre.domain.entities import EntityType
from nacre.extraction import guards, people_guards, place_guards
from nacre.extraction.gazetteers import occupations
from nacre.extraction.reader_forms import FORMS
from nacre.extraction.reader_words import (
    bare,
    clause,
    given_name,
    is_introduction,
    is_ruled_out,
    proper_name,
    relation_in,
)
from nacre.models.readings import PREDICATES, EntityKind, EntityReading, FactReading, SubjectKind
from nacre.text.conditions import names_condition
from nacre.text.medicines import medicine_in

# How sure a fact must be, all in all: subject, object and predicate. Measured by reading what was learned from open
# conversations; where more was wrong than elsewhere, more is asked for.
LEAST_SURE = 0.45
_SURER = {
    **dict.fromkeys(("works_on", "opinion", "decision", "studies", "knows"), 0.6),
    **dict.fromkeys(("works_at", "dislikes", "made", "favourite", "status", "other"), 0.55),
    **dict.fromkeys(("goal", "did", "event", "plan", "family"), 0.4),
}
# What is less sure than all of these need not be read.
READ_FROM = min(LEAST_SURE, *_SURER.values())
_CONSIDERED = re.compile(
    r"\b(?:consider(?:ing|ed)?|thinking (?:of|about)|looking (?:at|into|for)|eyeing|deciding|undecided|instead of"
    r"|rather than|(?:got|have|has|had) (?:my|your|his|her|their) back"
    r"|(?:keeps?|kept) (?:on )?(?:saying|telling|asking)|(?:should|shd|ought to) (?:move|quit|leave|get|buy|try)"
    rf"|{guards.DREAMT})\b"
)
# What is offered is somebody's only where they take it.
_OFFERED = re.compile(
    r"\b(?:offer(?:ed|s|ing)? (?:me|us|him|her|them)|me (?:ofreci(?:eron|ó|o)|han ofrecido|propus\w+))\b[^.!?]*\Z"
)
_TAKEN = re.compile(r"\b(?:took|tak(?:e|ing)|accept\w*|yes|start\w*|sign\w*|acept\w*|empiez\w*|empec\w*|s[ií] )")
_OF_ANOTHER = re.compile(
    r"(?:\w['’]s|\b(?:his|her|their|ex|ex-|late|former|old|no|don['’]?t have an?|su))(?:[ -]++\w++){0,4}[ -]*\Z"
)
# In Spanish the verb alone tells that it is somebody else: "javi es celiaco", "mi madre se llama Pilar, tiene 61".
_OTRO = re.compile(
    r"\b(?:es|está|esta|tiene|toma)(?: (?:un|una|el|la|en|de|a))? \Z"
    r"|\b(?:vive|trabaja|estudia|vaya|vayamos|mude|mudemos)\b(?! conmigo)[^.;!?]{0,40} \Z"
)
# Somebody else does it: "she's got a new friend called", "they have a dog".
_ANOTHER_DOES = re.compile(r"\b(?:he|she|they|él|ella|ellos|ellas|elle|ils?|elles|ele|ela|eles)(?:['’]\w+)?\b")
_I_DO = re.compile(
    r"\b(?:i|im|ive|i['’]\w+|me|my|we|we['’]\w+|our|us|yo|mi|mis|me|nos|nuestr[oa]s?|ich|mir|mich|mein\w*|wir|je|j|moi"
    r"|mon|ma|mes|nous|eu|meu|minha|n[óo]s)\b"
)
_FOR_ANOTHER = re.compile(
    r"[\w ]{0,30}\b(?:for|para|für|pour)"
    r" (?:her|him|them|my|our|his|their|the|ella|él|ellos|mi|sie|ihn|elle|lui|[A-Z]\w+)\b"
)
_BOUGHT_FOR = re.compile(r"\bfor (?:my|our|his|her|their|a|[A-Z]\w+)\b")
_TO_ANOTHER = re.compile(r"\b(?:got|get|bought|gave|ordered) (?:him|her|them|the kids|my \w+) (?:an? |the |some )?\Z")
_DENIED = re.compile(
    r"\b(?:not|never|neither|\w+n['’]t|(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|ai)nt"
    r"|no (?=soy|es|está|estoy|tengo|tiene|como|come|vivo|vive|trabajo|trabaja)|kein\w*|nicht)"
    r"(?! (?:only|just|sure|wait|know))(?:[ -]++[\w'’]++){0,3}[ -]*\Z"
)
# Right before what something turned out not to be: "it's coeliac, not lactose", "so it's not gluten after all".
_NOT_IT = re.compile(
    r"\b(?:it|that|this)(?: is|['’]?s| was| turn(?:s|ed) out)(?: to be)?(?:,? [\w'’]{1,20}){0,3},? not (?:the |an? )?\Z"
)
# Right before what one eats all the same: one cannot do without it, or went back to it.
_EATEN = re.compile(
    r"(?:\b(?:can(?:not|['’]?t)|could(?: not|n['’]?t)|no puedo|no sé) (?:\w+ ){0,3}(?:without|sin)"
    r"|\bback (?:to|on)(?: eating)?) (?:my |mi )?\Z"
)
# Right before the diet that somebody has begun: who has gone vegan is no vegan that has gone.
_TURNED_TO = re.compile(r"\b(?:gone|going|went|turned|hecho|vuelto|volví|hice)(?: \w+ly| full| all)? \Z")
_ALL_BUT = re.compile(
    r"\b(?:except(?: for)?|apart from|all but|(?:every|any)thing but|excepto|menos|salvo) (?:the )?\Z"
)
_NO_LONGER = re.compile(r"\b(?:no longer|any ?more|ya no|nicht mehr|kein\w* \w+ mehr|ne \w+ plus|não \w+ mais)\b")
# Right before the thing that somebody has left behind.
_LEFT_BEHIND = re.compile(
    r"\b(?:quit|quitting|gave up|given up|giving up|jack(?:ed|ing) in|pack(?:ed|ing) in|stopped(?: \w+ing)?|ditched"
    r"|dropped|got rid of|used to \w+(?: in| at| for)?|(?:switched|moved|migrated|changed|went) (?:away )?from"
    r"|dejé(?: de \w+| el| la)?|he dejado(?: de \w+)?|ya no \w+(?: en| a| de)?|aufgehört mit|arrêté (?:de|le|la))"
    r" (?:the |my |our |a |an |all |el |la |los |las )*\Z"
)
# Those of whom this is said are no couple any more.
_PARTED = re.compile(
    r"\b(?:split(?:ting)? up|split(?=[,.!]|\Z)|br(?:oke|eak|eaking|oken) up|separat(?:ed|ing)|divorc\w+|ended things"
    r"|called it off|not together|lo dejamos|rompimos|hemos roto|nos separamos|getrennt|schluss gemacht|rompu)\b"
)
# Right before a medicine: taken, or not any more.
_NO_MORE = (
    r"(?:stopp(?:ed|ing)|finish(?:ed|ing)|(?:c(?:ame|ome|oming)|weaned(?: myself)?|i['’]?m) off|done with|quit"
    r"|binn(?:ed|ing)|chuck(?:ed|ing)(?: out| away)?|(?:threw|thrown) (?:out|away)|toss(?:ed|ing)(?: out)?|flushed"
    r"|ditched|dumped|got rid of|dej(?:[éo]|ado)(?: de tomar)?|tir(?:é|ado)|abgesetzt)"
)
_TAKES = re.compile(
    rf"\b(?:tak(?:es?|ing|en)|took|prescribed|put (?:me|him|her) on|started (?:on|taking)|swap(?:ped)? to|switched to"
    rf"|tom[oa]|nehme|prends|{_NO_MORE})(?: (?:taking|on|an?|the|my|some|new|daily|el|la)){{0,4}} \Z"
)
_TAKES_NO_MORE = re.compile(rf"\b{_NO_MORE}(?: (?:with|taking|the|my|all|old|last|of|el|la)){{0,4}} \Z")
_ALLERGIC = re.compile(r"\b(?:allerg|al[ée]rg|intoleran)", re.IGNORECASE)
# Right before somebody of a group that is no family: "8 kids coming, one of them, Aisha, is allergic to nuts".
_ONE_OF_THEM = re.compile(
    r"\bone of (?:them|these|those|the (?:kids|children|girls|boys|guests|others|mums|dads|parents)),? (?:is )?\Z"
)
# Behind some words: that somebody is allergic to these, and not "to cats": "asthma, allergic to cats".
_ALLERGIC_TO_IT = re.compile(
    r"\b(?:allergi(?:c|sch|que)|al[ée]rgic[oa]s?|intolerant)\b"
    r"(?!,? (?:to|a|al|gegen|au|aux|à) (?!(?:it|them|those|these|both|all|everything|ell[oa]s|tod[oa]s?|ambos)\b))",
    re.IGNORECASE,
)
_ALLERGIES = re.compile(r"(?:(?:,|,? and|,? or| ?/) ?\w+){0,3}[ -]allergies\b|[ -]allergy\b", re.IGNORECASE)
_ANOTHER_IS = re.compile(r"(?:[,;]| and| but| y)(?: (?!i ?\b|i['’]?m\b|we\b)[\w'’]{1,20}){1,3} \Z", re.IGNORECASE)
# After an allergy: something else that somebody has, or what the allergy does.
_NO_ALLERGEN = re.compile(
    r"[.!?;]|\b(?:has|have|had|got|gets|goes|tiene|tengo|hives|rash(?:es)?|swell\w*|itch\w*|sneez\w*|breath\w*"
    r"|urticaria|ronchas)\b",
    re.IGNORECASE,
)
_MEDICINE = re.compile(r"(?:tablets?|pills?|inhaler|injections?|antibiotics?)\b")
# "Idris (9) and Sami": whose age it is.
_BESIDE = re.compile(r"(?<!\w)(\w++) ?\(\Z")
# A verb comes next, and no noun.
_SAYS_I = re.compile(r"\b(?:i|we|he|she|they|you|yo|ella|él)(?: (?:now|still|also|just|only|used to|always))? \Z")
_HAD = re.compile(r"\b(?:i|we|he|she|they)(?: once| also)? had (?:an?|our|my|two|another)\b[^.;!?]{0,30}\Z")
_ODD = re.compile(r"(?:the )?odd ", re.IGNORECASE)
_PERFORMS = re.compile(
    r"\b(?:sings?|singing|sang|plays?|playing|played)(?: the)? \Z|(?<!\bhe)(?<!she)(?<!who)['’]s \Z"
    r"|\bhech[oa]s?(?: una?)? \Z"
)
_HAS_GONE = re.compile(r"\bse (?:ha|han|fue|fueron|va|van|mud[oó]|march[oó]|traslad[oó])\b")
_HERE_I_AM = re.compile(r"\b(?:here i am|this is|i['’]?m|i am),? \Z")
_IN = re.compile(r"\b(?:in|en|auf|em) \Z")
_STUDIES = re.compile(
    r"\b(?:stud\w+|learn\w*|course|class(?:es)?|degree|uni\w*|college|school|year|phd|masters?|[bm]sc|[bm]a|major\w*"
    r"|exams?|thesis|dissertation|lessons?|training|apprentic\w+|read(?:s|ing)?|doing|enrol\w*|graduat\w+|estudi\w+"
    r"|aprend\w+|clases?|curso|carrera|escuela|universidad|facultad|máster|grado|lern\w*|étudi\w+|cours|licence)\b"
)
# A price that is the most somebody would pay is none of the thing.
_AT_MOST = re.compile(
    r"\b(?:max(?:imum)?|up to|at most|under|below|(?:no more|less) than|budget(?: is| of)?|afford|limit(?: is| of)?"
    r"|hasta|como mucho|höchstens|maximal)\b[ :€$£a-z]{0,6}\Z"
)
_OR_LESS = re.compile(r"[ €$£]{0,2}(?:\w{1,5} (?:a|per) \w+|euros?|pounds?)? ?(?:max(?:imum)?|tops|at most|or less)\b")
_DOSE = re.compile(r"\d[\d.,]* ?(?:mg|mcg|ml|g|kg|units?|tablets?|pills?|puffs?)\b")
_OFF = re.compile(r"\boff (?:my |the |all )?\Z")
_OF_THE_MOUTH = frozenset(("diet", "habit", "likes", "favourite", "uses"))
# What is done for others, or to them, is no condition of one's own.
_TREATS = re.compile(
    r"\b(?:treat\w*|nurs(?:e|ed|ing)|look\w* after|car(?:e|ing) for|(?:do|see|get) (?:mostly|mainly|a lot of|lots of)"
    r"|(?:mostly|mainly) (?:do|see|get)|patients? with)\b[^.!?]*\Z"
    r"|\b(?:i['’]?m an? |i am an? |work(?:s|ing)? as )[^.!?]{0,60}\b(?:mostly|mainly|specially|especially)\W+\Z"
)
# Somewhere one goes, or somebody one sees, and not what one is.
_GOES_TO = re.compile(
    r"\b(?:go|going|goes|gone|went|been|off|back|send|sent|call\w*|see|seeing|saw|seen|visit\w*|text\w*|email\w*|ask\w*"
    r"|told|tell|applied|applying|apply)\b(?: to| for| with| from| at)?(?: the| my| our| a| an)* *\Z"
)
# Right before an employer or a home that somebody gave up.
_GAVE_UP = re.compile(
    r"\b(?:gave up|giving up|given up|quit|quitting|left|leaving|lost|resigned|stopped|finished|last day)\b"
    r"(?: [\w'’]+){0,4} (?:at|with|in|from) (?:the |my |our )?\Z"
)
_AT_IT = re.compile(r" (?:at|with|for|of|in|from|bei|chez|en|de) (?:the |an? |our |my )?")
_DOING = re.compile(r"\w+(?:ando|iendo)\b|(?:sing|play|(?:look|work|go|try|do|gett|mak|apply|wait)ing)\b")
_COUNTED = re.compile(r"\b(?:(?:hoy|est[aá]bamos|estamos)(?: es| a| el)*|we(?: are|['’]?re)|my|our|his|her) \Z")
_NUMBER = re.compile(r"\d")
# Nothing but a number, with its unit.
_AGE = re.compile(
    r"\W{0,3}(?:\d{1,3}|\w+(?:[ -]\w+)?)(?: ?(?:and a half|½|years?|months?|weeks?|days?|años|meses|yrs?|y|m"
    r"|Jahre|ans|anos|mths?|old|of age|year-old)){0,3}\W{0,3}",
    re.IGNORECASE,
)
# How many there are, and not how they are called.
_SEVERAL_ANIMALS = re.compile(
    r"(?:two|three|four|five|six|several|some|both|the|dos|tres|cuatro|zwei|drei|deux|trois|dois|\d+) "
)
# "The choir goes by Blue Harbour": the name comes next, and is the one to keep.
_CALLED = re.compile(r",? (?:(?:is |was )?(?:called|named)|goes by|se llama|llamad[oa]) ", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(r"[,;:–—]| (?:but|and|pero|y|aber|und|mais|et|mas|e) ")
_VERB_INSIDE = re.compile(r"\b(?:is|are|was|were|es|ist|sind|est|sont)\b")
# From a thing to its price or its day no more is said.
_NEAR = 60
# What people and animals are, have and do; things may have the others.
_OF_THINGS = (
    "uses plan event did age birthday date member_of works_on made opinion cost decision status located_in part_of"
)
_OF_THE_LIVING = frozenset(PREDICATES).difference((*_OF_THINGS.split(), "other"))


# Labels leave much unsaid that is true: of the facts that the reader gives a chance of one half, three in four are
# right to one who reads them. `confidence` of a fact says that.


def is_sure(reading: FactReading) -> bool:
    """Whether a fact of the reader is sure enough to be learned."""
    return reading.chance >= _SURER.get(reading.predicate, LEAST_SURE)


def is_allergy(text: str, reading: FactReading) -> bool:
    """Whether somebody is allergic to it; hives and a bad knee may be told beside an allergy, and are none."""
    start, end = reading.object.start, reading.object.end
    told = max((found.end() for found in _ALLERGIC.finditer(text, 0, end)), default=None)
    if told is None or told <= start:
        if names_condition(reading.object.text):
            return False
        if _ALLERGIES.match(text, end):
            return True
    if told is not None:
        return _NO_ALLERGEN.search(text, told, end) is None
    # "because of my statin, and Kwabena is allergic"
    behind = _ALLERGIC_TO_IT.search(text, end)
    return behind is not None and _ANOTHER_IS.search(text, end, behind.start()) is None


def is_medicine(text: str, reading: FactReading) -> bool:
    """Whether what is told of somebody's health is something they take, or took."""
    before = text[: reading.object.start].casefold()
    said = reading.object.text.casefold()
    return bool(_TAKES.search(before) or _MEDICINE.search(said) or medicine_in(said))


def is_for_another(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether something was bought, and is not the buyer's own."""
    if reading.predicate == "bought" and _BOUGHT_FOR.search(text, reading.object.start, sentence[1]):
        return True
    before = text[sentence[0] : reading.object.start].casefold()
    return reading.predicate in ("bought", "owns") and _TO_ANOTHER.search(before) is not None


def is_hedged(text: str, reading: FactReading, start: int) -> bool:
    """Whether what would hold now or have happened is only thought of or wished for."""
    if reading.predicate in ("goal", "plan", "opinion", "decision") or reading.mode in ("plan", "not", "ended"):
        return False
    sentence = text[start : reading.object.end].casefold()
    begin, _ = clause(text, (start, reading.object.end), reading.object)
    if _CONSIDERED.search(sentence, begin - start):
        return True
    if _OFFERED.search(sentence) and not _TAKEN.search(text[reading.object.end :].casefold()):
        return True
    return guards.is_hedged(sentence, reading.object.start - start, len(sentence))


def mode(text: str, reading: FactReading, sentence: tuple[int, int]) -> str:
    """When a fact holds: words that deny or end it count for more than what the reader makes of them."""
    begin, end = clause(text, sentence, reading.object)
    before, whole = text[begin : reading.object.start].casefold(), text[begin:end].casefold()
    if reading.mode == "not" and _EATEN.search(before):
        return "now"
    if reading.mode == "ended" and reading.predicate == "diet" and _TURNED_TO.search(before):
        return "now"
    if reading.mode != "now":
        return reading.mode
    off = reading.predicate in _OF_THE_MOUTH and _OFF.search(before)
    gave_up = reading.predicate in ("works_at", "lives_in") and _GAVE_UP.search(before)
    parted = reading.predicate == "partner" and _PARTED.search(whole)
    stopped = reading.predicate == "health" and _TAKES_NO_MORE.search(before)
    if reading.predicate in ("diet", "likes") and _ALL_BUT.search(before):
        return "not"
    if off or gave_up or parted or stopped or _LEFT_BEHIND.search(before) or _NO_LONGER.search(whole):
        return "ended"
    return "not" if _DENIED.search(before) else reading.mode


def is_misled(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether the words around an object rule out what the reader makes of it."""
    before = text[sentence[0] : reading.object.start].casefold()
    after = text[reading.object.end : sentence[1]]
    if _is_no_such(reading, before, after) or is_ruled_out(reading.predicate, reading.object.text, after):
        return True
    called = reading.object.text if _about_people(reading) or reading.predicate == "age" else ""
    if _VERB_INSIDE.search(called) or (reading.mention and _VERB_INSIDE.search(reading.mention.text)):
        return True
    if reading.subject is SubjectKind.MENTION:
        # "My brother Tom" tells what Tom is to the speaker, and nothing of a brother of Tom's.
        of_it = _is_of_its_place(text, reading) or (_about_people(reading) and proper_name(reading.object.text) is None)
        return of_it or _is_named_later(reading, sentence)
    if people_guards.is_of_others(text, reading, sentence):
        return True
    return _is_not_the_speakers(text, reading, sentence, before)


def _is_named_later(reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether a fact would be of somebody or something that only a later sentence names: nine in ten are of another."""
    mention = reading.mention
    return mention is not None and mention.turn == reading.object.turn and mention.start >= sentence[1]


def _is_no_such(reading: FactReading, before: str, after: str) -> bool:
    """Whether an object is no age, role, home, employer, price or thing, whosever it may be."""
    words = reading.object.text
    match reading.predicate:
        case "age":
            beside, called = _BESIDE.search(before), reading.mention.text.casefold() if reading.mention else ""
            of_other = beside is not None and beside[1] not in called
            dose = medicine_in(" ".join(before.split()[-2:]))
            counted = words.isdecimal() and _COUNTED.search(before)
            wrong = bool(dose or of_other or counted) or _AGE.fullmatch(words) is None
        case "pet":
            wrong = _SEVERAL_ANIMALS.match(words.casefold()) is not None or _HAD.search(before) is not None
        case "role":
            wrong = _is_no_role(before, bare(words).casefold())
        case "lives_in":
            wrong = place_guards.is_no_home(before, words, after)
        case "works_at":
            wrong = place_guards.is_no_employer(before, words)
        case "member_of":
            wrong = _CALLED.match(after) is not None
        case "cost":
            taken = reading.mention is not None and medicine_in(reading.mention.text) is not None
            wrong = taken or bool(_AT_MOST.search(before) or _OR_LESS.match(after.casefold()))
        case "studies":
            wrong = bool(_IN.search(before)) and _STUDIES.search(f"{before}{words}{after}".casefold()) is None
        case "uses" | "owns" | "bought" | "health":
            wrong = _DOSE.match(words) is not None
        case _:
            wrong = False
    return wrong


def _is_no_role(before: str, words: str) -> bool:
    """Whether words name whom one goes to or has, what one does, or what one is to one's kin: "Baraka's headmaster"."""
    verb = " " not in words and _SAYS_I.search(before) is not None
    spoken = _GOES_TO.search(before) or _DOING.match(words) or _PERFORMS.search(before)
    return verb or bool(spoken) or relation_in(words) is not None


def _is_of_its_place(text: str, reading: FactReading) -> bool:
    """Whether a fact is told of words of its object, or of the place right behind it: "deputy head at St Bride's"."""
    said, mention = reading.object, reading.mention
    if mention is None or mention.turn != said.turn:
        return False
    inside = said.start <= mention.start < said.end
    return inside or (mention.start >= said.end and _AT_IT.fullmatch(text, said.end, mention.start) is not None)


def _is_not_the_speakers(text: str, reading: FactReading, sentence: tuple[int, int], before: str) -> bool:
    if reading.predicate == "name":
        return not is_introduction(before, reading)
    if reading.predicate == "health" and (_TREATS.search(before) or _ODD.match(reading.object.text)):
        return True
    other = reading.predicate in ("age", "health", "diet", "lives_in", "works_at", "role") and _OTRO.search(before)
    # "Nacho se ha ido a Toulouse", and "here I am, Harold Whitcombe".
    if other or (reading.predicate in ("lives_in", "works_at") and _HAS_GONE.search(before)):
        return True
    no_food = reading.predicate == "diet" and (
        _FOR_ANOTHER.match(text, reading.object.end, sentence[1]) or _NOT_IT.search(before)
    )
    of_others = reading.predicate == "family" and _ONE_OF_THEM.search(before)
    if no_food or of_others or (_about_people(reading) and _HERE_I_AM.search(before)):
        return True
    # "My neighbour's wife Linda" is nobody's wife here, and an "ex" is none any more.
    return (_about_people(reading) and bool(_OF_ANOTHER.search(before))) or _is_anothers(text, reading, sentence)


def is_far(text: str, reading: FactReading, sentence: tuple[int, int], entity: EntityReading | None) -> bool:
    """Whether the price or the day of a thing is told of something else: others stand between, or too much does.

    People and places have neither: "we moved to Sowerby Bridge on June 20" is no day of Sowerby Bridge.
    """
    mention = reading.mention
    if reading.predicate in ("date", "cost") and entity and entity.kind in (EntityKind.PERSON, EntityKind.PLACE):
        return True
    if mention is None or mention.turn != reading.object.turn:
        return False
    if _VERB_INSIDE.search(mention.text):
        return True
    between = text[min(mention.end, reading.object.end) : max(mention.start, reading.object.start)]
    apart = mention.start < sentence[0] or mention.end > sentence[1]
    # "New clients 450 a day, Brightwell stays on 380": what is told first is not of what comes after.
    apart = apart or (mention.start > reading.object.end and _NEXT_CLAUSE.search(between) is not None)
    return apart or len(between) > _NEAR or _NUMBER.search(between) is not None


def is_of_nobody(reading: FactReading, entity: EntityReading | None) -> bool:
    """Whether a fact of the living is told of a thing, or of a calling: "gp reckons peanut allergy"."""
    if reading.mention is None or reading.predicate not in _OF_THE_LIVING:
        return False
    called = bare(reading.mention.text).casefold()
    living = entity is not None and entity.kind in (EntityKind.PERSON, EntityKind.ANIMAL)
    nameless = not living and proper_name(reading.mention.text) is None and given_name(called) is None
    return called in occupations() or (nameless and relation_in(called) is None)


def _is_anothers(text: str, reading: FactReading, sentence: tuple[int, int]) -> bool:
    """Whether somebody else is the one of whom the clause tells: "she's got a new friend" is not of the speaker."""
    begin, _ = clause(text, sentence, reading.object)
    before = text[begin : reading.object.start].casefold()
    others = list(_ANOTHER_DOES.finditer(before))
    return bool(others) and _I_DO.search(before, others[-1].end()) is None


def _about_people(reading: FactReading) -> bool:
    return FORMS[reading.predicate].type is EntityType.PERSON
