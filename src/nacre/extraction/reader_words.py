"""Words of the reader: names, relations and clauses in the spans that it marks, as typed and as they are kept."""

import re
from dataclasses import replace

from nacre.domain.entities import EntityType
from nacre.domain.facts import ExtractedFacts, Fact, NamedEntity, Voice
from nacre.extraction import guards, paths
from nacre.extraction.gazetteers import common_words, given_names, occupations
from nacre.extraction.reader_forms import Form
from nacre.models.local_reader import LocalReader
from nacre.models.readings import (
    Conversation,
    EntityKind,
    EntityReading,
    FactReading,
    SpokenTurn,
    TextSpan,
    TurnReading,
)
from nacre.text.clauses import NEW_START
from nacre.text.contractions import ExpandedText, written_out
from nacre.text.relations import ANIMALS, RELATIONS, plain_relation
from nacre.text.word_blocks import word_set

_LEAD = (
    r"(?:my|our|your|his|her|their|its|the|an?|this|that|these|those|some|another|mi|mis|tu|su|sus|nuestr[oa]s?"
    r"|el|la|los|las|un|una|mein|meine[nr]?|unser[ae]?n?|der|die|das|den|ein|eine[nmr]?|mon|ma|mes|le|les|une|des|du"
    r"|meus?|minhas?|os?|as|uma?)"
)
_LED = re.compile(rf"(?:{_LEAD}\s+|l['’])+", re.IGNORECASE)
# The same right before some words, which are no name then.
_LED_TO = re.compile(rf"\b{_LEAD}\s{{1,3}}\Z", re.IGNORECASE)
_RELATION = "|".join(re.escape(word) for word in sorted(RELATIONS, key=len, reverse=True))
_RELATED = re.compile(rf"(?:[\w-]{{1,20}}\s{{1,3}})?(?P<relation>{_RELATION}),?\s{{1,3}}")
_RELATED_TO = re.compile(rf"\b(?:my|our|mi|nuestr[oa]|meine?|mon|ma|meu|minha)\s{{1,3}}{_RELATED.pattern}\Z")
# So many characters before a name are looked at.
_NEAR = 60
# How sure it must be that words which no list has are somebody, and how many of them.
_SURELY_SOMEBODY, _MOST_NAMES, _SHORTEST_NAME = 0.6, 2, 3
# Behind "my sister" a name is expected.
_EXPECTED = 0.5
# People who are called so and have another name.
_PEOPLE = word_set("""
    nana nan nanna nanny gran grandad gramps grampa pops papa mama mammy mam mamma da pa folks kiddo kiddos kids wee
    lad lads lass lasses bloke blokes fella fellas dude chap chick mate mates pal pals bestie besties bro bros sis fam
    gang crew squad team staff doc docs nurse vet gp physio shrink coach boss bosses gaffer landlord landlady lodger
    tenant tenants roomie roomies flatmate housemate neighbour neighbours neighbor neighbors missus missis hubby hub
    wifey babe bub bubs baby babies toddler toddlers twins triplets teen teens teenager youngest oldest eldest younger
    older middle herself himself themselves myself yourself everyone everybody someone somebody anyone whoever folk
    residents customers clients guests students pupils patients players members parents grandparents inlaws relatives
    cousins nephews nieces uncles aunts brothers sisters sons daughters grandkids grandson grandsons guys girls boys
    ladies gents men women kid child children husband wife couple family friend friends other others stranger
    chavales chicos chicas crios crías críos peques peque niños niñas nene nena abuelos padres primos tios tías suegros
    vecinos amigos amigas colegas compañeros jefes gente todos todas nadie alguien yaya yayo abu papi mami
    kinder leute eltern freunde nachbarn enfants petits père maman copains voisins crianças filhos pais vizinhos irmão
    opa oma nonna nonno baba dadi nani gogo bhaiya chettan vovó avó abue bebé hijo hermano nieto trillizo gemela gemelo
    niño niña chico chica gestor newborn kitten puppy married engaged divorced separated widowed casado casada separado
    separada divorciado divorciada viudo viuda enviudé fiancée auntie grandchildren stepkids law
    two three four five six seven eight nine ten dos tres cuatro cinco seis siete ocho dois duas deux trois zwei drei
    nueva nuevo madam new old little big builder hygienist apprentice agronomist
""")
POINTING = word_set("""
    it its her him his them they he she there here this that these those us we me i you one ones same so another too
    both everything something anything nothing everyone someone anyone everybody somebody anybody nobody people
    mine yours ours things stuff
    lo la ella él ellos ellas eso esto allí aquí ahí es sie er dort hier elle il eux y ça cela isso isto ele lá ali
""")
_OPEN = word_set("to of for with at from by and or than as because that which who de para con por und oder et ou e")
# What these mean stands elsewhere, and the rest says little without it.
_POINTED = word_set("""
    it its this that these those them there her him one ones something anything lo eso esto isso isto ça cela das es
""")
# Cried out, and tell nothing.
_CRIES = word_set("socorro auxilio ayuda help yikes argh ugh uff uf ouch phew lol lmao haha jaja jajaja thanks gracias")
# Name a kind of fact and nothing of that kind.
_KINDS = word_set("""
    pet pets other_pets allergies allergy job jobs work hobby hobbies goal goals plan plans price birthday book books
    diet habit habits skill skills friend friends family decision event events
""")
# Longer ones are addresses and noise.
_LONGEST_WORD = 60
# Words joined by dots, slashes and the like: "staging.harbor-nl.dev", "ana@example.org", "3.11".
_ADDRESS = re.compile(r"(?<![\w./@:-])[\w+-]++(?:(?:[.@/:]|://)[\w+~%?=&#-]++)++")
# What tells them from two sentences without a space between.
_HOST = re.compile(r"[@/:\d-]|\..*\.|\.(?:com|org|net|io|dev|app|ai|co|eu|uk|de|es|fr|nl|us|me|info)\Z", re.IGNORECASE)
_ALLERGIC_TO = re.compile(
    r"(?:\b\w+ )?(?:allerg(?:ic|isch|y|ies)|al[ée]rgic[oa]|alergia) (?:to|from|of|a|gegen|al?) ", re.IGNORECASE
)
_AN_ALLERGY = re.compile(r"(?:^| )(?:allerg(?:y|ies|ic)|al[ée]rgic[oa]|alergias?|intoleran(?:ce|t))$", re.IGNORECASE)
# Right before "alergia": what gives it.
_GIVES = re.compile(
    r"\b(?P<what>[^\W\d_]{1,30}(?: de [^\W\d_]{1,30})?) (?:me|le|nos|les) (?:dan?|produ\w{1,8}|provoc\w{1,8}) \Z",
    re.IGNORECASE,
)
EDGES = ' \t\n,.;:!?…"“”«»()[]*_-–—'
_CLAUSE_END = re.compile(
    r"[;–—]|:(?!\d)|, | - | (?:but|because|although|though|pero|porque|aunque|aber|weil|mais|mas) "
    rf"| (?={NEW_START}\b)(?:and|y) ",
    re.IGNORECASE,
)


def says_something(words: str, form: Form) -> bool:
    """Whether an object tells anything out of its sentence: "watched it" does not."""
    parts = [part.strip(EDGES).casefold() for part in words.split()]
    if not parts or parts[-1] in _OPEN or parts[0] in _OPEN or max(map(len, parts)) > _LONGEST_WORD:
        return False
    if form.type is EntityType.PERSON and relation_in(words.casefold()):
        return True
    if words.casefold() in _KINDS:
        return False
    told = [part for part in parts if part not in POINTING | _CRIES and not guards.says_nothing(part)]
    return bool(told) and _POINTED.isdisjoint(parts)


def overlaps(span: TextSpan, other: tuple[int, int]) -> bool:
    """Whether two places of a text share a letter."""
    return span.start < other[1] and other[0] < span.end


def whole(text: str, span: TextSpan) -> TextSpan:
    """The words of a span, with the rest of an address, a host or a version that it cuts in two."""
    start, end = span.start, span.end
    for found in _ADDRESS.finditer(text, max(0, start - _LONGEST_WORD), end + _LONGEST_WORD):
        if found.start() < end and start < found.end() and _HOST.search(found[0]):
            start, end = min(start, found.start()), max(end, found.end())
    return TextSpan(span.turn, start, end, text[start:end])


def bare(words: str) -> str:
    """The words without what leads and follows them."""
    plain = " ".join(words.split()).strip(EDGES)
    # "leeds (harehills" was cut within its brackets.
    plain = plain.partition(" (")[0] if "(" in plain and ")" not in plain else plain
    led = _LED.match(plain)
    return plain[led.end() :] if led else plain


def allergen(text: str, span: TextSpan) -> str:
    """What somebody is allergic to: "cats" of "allergic to cats", "polen" of "el polen me da alergia"."""
    given = _GIVES.search(text, 0, span.start)
    return _AN_ALLERGY.sub("", bare(_ALLERGIC_TO.sub("", bare(span.text)))) or (given["what"] if given else "")


def proper_name(words: str) -> str | None:
    """The name at the end of some words: "my sister Ana" is Ana; None where no word is written as a name."""
    parts = bare(words).removesuffix("'s").removesuffix("’s").split()
    kept_words: list[str] = []
    for part in reversed(parts):
        if part[:1].isupper() or (
            kept_words and part.casefold() in ("de", "van", "von", "der", "da", "dos", "del", "la")
        ):
            kept_words.insert(0, part)
        else:
            break
    while kept_words and not kept_words[0][:1].isupper():
        kept_words.pop(0)
    name = " ".join(kept_words)
    return name if name and not guards.names_nothing(name) and relation_in(name.casefold()) is None else None


def given_name(words: str) -> str | None:
    """A given name that was typed without its capital: "andy" is Andy, "will" may be anything."""
    plain = bare(words)
    _, everyday = given_names().get(plain, ("", True))
    return None if everyday else plain.title()


def unlisted_name(text: str, entity: EntityReading) -> str | None:
    """A person's name in small letters that no list has: "breege" in "my sister breege", but not "the lads"."""
    words = bare(entity.span.text).casefold().removesuffix("'s")
    relation = _RELATED.match(words)
    parts = words[relation.end() :].split() if relation else words.split()
    sure = entity.confidence >= (_EXPECTED if relation_before(text, entity.span) else _SURELY_SOMEBODY)
    if entity.kind is not EntityKind.PERSON or not sure or not 0 < len(parts) <= _MOST_NAMES:
        return None
    led = _LED.match(entity.span.text) or _LED_TO.search(text[max(0, entity.span.start - _NEAR) : entity.span.start])
    if (led and not relation) or any(not _is_unlisted(part) for part in parts):
        return None
    return " ".join(parts).title()


def _is_unlisted(word: str) -> bool:
    """Whether a word is nothing else than a name, as far as lists tell."""
    if not word.isalpha() or len(word) < _SHORTEST_NAME or guards.names_nothing(word) or word in given_names():
        return False
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    return all(forms.isdisjoint(known) for known in (_PEOPLE, RELATIONS, occupations()))


def relation_in(words: str) -> str | None:
    """The relation that words end in: "older sister" is a sister."""
    parts = words.split()
    for begin in range(len(parts)):
        if (word := " ".join(parts[begin:])) in RELATIONS:
            return plain_relation(word)
    return None


def relation_before(text: str, span: TextSpan) -> str | None:
    """The relation beside a name, in the same words or before them: "my sister Ana"."""
    # The words right before it: letters change their number in small letters, so places in the text would not hold.
    before = text[max(0, span.start - _NEAR) : span.start].casefold()
    related = _RELATED.match(bare(span.text).casefold()) or _RELATED_TO.search(before)
    return plain_relation(related["relation"]) if related else None


def named_by(name: str, kind: EntityType, span: TextSpan, confidence: float) -> NamedEntity:
    """An entity by its name; people and places are written with capitals, however they were typed."""
    known = kind in (EntityType.PERSON, EntityType.LOCATION) and name == name.lower()
    written = name.title() if known else name
    return NamedEntity(name=written, type=kind, start=span.start, end=span.end, confidence=confidence)


def clause(text: str, sentence: tuple[int, int], span: TextSpan) -> tuple[int, int]:
    """The part of a sentence that holds some words."""
    start, end = sentence
    for found in _CLAUSE_END.finditer(text, start, end):
        if found.end() <= span.start:
            start = found.end()
        elif found.start() >= span.end:
            end = found.start()
            break
    return start, end


def read_turn(reader: LocalReader, talk: Conversation, threshold: float) -> TurnReading:
    """What the reader finds in the last turn."""
    spelled = [written_out(each.text, _is_name) for each in talk.turns]
    turns = tuple(SpokenTurn(each.speaker, new.text) for each, new in zip(talk.turns, spelled, strict=True))
    [reading] = reader.read([Conversation(turns, talk.first)], threshold)[0]
    typed = _TypedSpans(talk, spelled)
    return replace(
        reading,
        facts=tuple(typed.fact(each) for each in reading.facts),
        entities=tuple(typed.entity(each) for each in reading.entities),
    )


class _TypedSpans:
    """Puts spans where they were in the words as typed."""

    def __init__(self, talk: Conversation, spelled: list[ExpandedText]) -> None:
        self._said = talk
        self._spelled = spelled

    def fact(self, reading: FactReading) -> FactReading:
        mention, time = reading.mention and self._span(reading.mention), reading.time and self._span(reading.time)
        return replace(reading, object=self._span(reading.object), mention=mention, time=time)

    def entity(self, reading: EntityReading) -> EntityReading:
        return replace(reading, span=self._span(reading.span))

    def _span(self, span: TextSpan) -> TextSpan:
        start, end = self._spelled[span.turn].place(span.start, span.end)
        return TextSpan(span.turn, start, end, self._said.turns[span.turn].text[start:end])


def _is_name(word: str) -> bool:
    _, everyday = given_names().get(word, ("", True))
    return not everyday and word not in common_words()


_REL = "|".join(re.escape(word) for word in sorted((*RELATIONS, *ANIMALS), key=len, reverse=True))
_OWN = re.compile(
    rf"(?:my|our|mi|nuestr[oa])\s+(?:[\w-]+\s+){{0,2}}?(?P<rel>{_REL})(?:,?\s+(?P<name>\S.*))?", re.IGNORECASE
)
_CAPITAL_TYPES = (EntityType.PERSON, EntityType.LOCATION, EntityType.PLACE)
_SMALL = re.compile(r"(?<![\w'’])(?!(?:de|la|del|van|von|der|da|di|of|the|y)\b)[^\W\d_]")


def plain(extracted: ExtractedFacts, voice: Voice) -> ExtractedFacts:
    """What was found, with every name as it is kept; who has no name is spoken of as the speaker's."""
    kept = tuple(plain_name for named in extracted.names if (plain_name := _plain(named)))
    facts = tuple(plain_fact for fact in extracted.facts if (plain_fact := _plain_fact(fact, voice)))
    return (
        extracted
        if (kept, facts) == (extracted.names, extracted.facts)
        else replace(extracted, names=kept, facts=facts)
    )


def _plain(named: NamedEntity) -> NamedEntity | None:
    """The name without the words around it; None where nothing is left."""
    own = _OWN.fullmatch(named.name.strip())
    name = own["name"] if own else named.name
    if name is None:
        return None
    start = named.end - len(name) if own else named.start
    if name.islower() and named.type in _CAPITAL_TYPES:
        name = _SMALL.sub(lambda letter: letter[0].upper(), name)
    return named if name == named.name else replace(named, name=name, start=max(start, named.start))


def _plain_fact(fact: Fact, voice: Voice) -> Fact | None:
    if fact.object and not (thing := _plain(fact.object)):
        return None
    if fact.object and thing is not fact.object:
        fact = replace(fact, object=thing)
    if not isinstance(fact.subject, NamedEntity):
        return fact
    if who := _plain(fact.subject):
        return fact if who is fact.subject else replace(fact, subject=who)
    # Somebody without a name is no entity; what is said of them is a claim about the speaker.
    own = _OWN.fullmatch(fact.subject.name.strip())
    relation = paths.snake(plain_relation(own["rel"].casefold())) if own else ""
    about = (fact.path or fact.predicate or "").rpartition("/")[2]
    value = fact.value or (fact.object.name if fact.object else None)
    path = f"relations/{relation}/{about}"
    return replace(fact, subject=voice, path=path, value=value, predicate=None, object=None, instead_of=None)


# By words and what stands behind them: "the grunter lol", "shellfish is out", "cries 2 days", "turned 4".
_RULED_OUT = {
    "role": re.compile(
        r"\|\W{0,3}(?:lol|lmao|haha|jaja|xd)"
        r"|\A(?:(?:la|el|the|a) )?(?:mayor|menor|peque\w*|bridesmaid|best man|usher|maid of honou?r)\|"
        # Who drives an old car or coaches a son's team has no job by it.
        r"|\A(?:drives?|drove) (?:an?|my|the|our)\b"
        r"(?!.*\b(?:bus|coach|truck|lorry|van|taxi|cab|tram|train|crane|forklift|tractor|ambulance|digger|rig|hearse|engine|hgv|uber)s?\b)"
        r"|\A\w+ (?:my|our|his|her) (?:daughter|son|kid|child|girl|boy|niece|nephew|grand\w+|wife|husband|mum|mom|dad)"
    ),
    "diet": re.compile(r"\| (?:is|are|'s) out\b"),
    "habit": re.compile(r"\b(?:\d+|two|three|four|five|all) (?:hours?|days?|nights?|weeks?)\|"),
    "event": re.compile(r"\A\d+\|"),
    "health": re.compile(r"\b(?:epi-?pen|inhaler|insulin pump)\|"),
    "cost": re.compile(r"\A[^|]{40}"),
}


def is_ruled_out(predicate: str, words: str, after: str) -> bool:
    """Whether words cannot be what a predicate wants, by themselves or by what stands behind them."""
    pattern = _RULED_OUT.get(predicate)
    return pattern is not None and pattern.search(f"{words}|{after}".casefold()) is not None


_INTRODUCES = re.compile(
    r"\b(?:name|called|call me|i['’]?m|i am|this is|it['’]s|it is|me llamo|soy|nombre|ich bin|heiße|je m['’]appelle"
    r"|je suis|me chamo|eu sou)\b"
)
# Who is so sure of a speaker's name needs no "I'm": "Rachel, 45". The name of another is told as theirs.
_SURELY_NAMED = 0.6
_ANOTHERS_NAME = re.compile(
    r"\b(?:her|his|their|its|the|whose|su|\w+['’]s) (?:\w+ )?(?:names?|is|nombre)(?: is)? \Z"
    r"|\b(?:my|our|mi) (?!(?:full |real |first )?name)\w+(?:['’]s| is| es) \Z"
)


def is_introduction(before: str, reading: FactReading) -> bool:
    """Whether somebody gives a name as their own, by what stands before it or by how sure the reader is."""
    known = reading.chance >= _SURELY_NAMED or _INTRODUCES.search(before) is not None
    return known and _ANOTHERS_NAME.search(before) is None
