"""Situations: what a message is about although it does not say so.

"Suggest a dinner" shares no word with "allergic to peanuts", and neither do their vectors. What a careful assistant
would think of in a situation is general knowledge, so it is written down here: words and examples of messages that
show a situation, and the kinds of beliefs that bear on it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nacre.domain.beliefs import Belief
from nacre.models.embedders import Embedder, Matrix, Vectors
from nacre.recall.relevance import QuestionVoice, voice_of
from nacre.text import languages

# A message that is this near to an example of a situation shows it, and one with its words where it is about its
# user's own affairs or this near.
ALIKE, SOMEWHAT_ALIKE = 0.45, 0.3


@dataclass(frozen=True, slots=True)
class Situation:
    """Words and examples of messages that show it, and the predicates, claims and values that bear on it."""

    words: re.Pattern[str]
    topics: re.Pattern[str]
    # Of what may be about anything, such as plans and likes, what has to do with it.
    values: re.Pattern[str]
    examples: tuple[str, ...]
    # Values of its topics that have nothing to do with it: nobody eats penicillin.
    beside: re.Pattern[str] | None = None
    # Whether its topics bear on it always, or only where a belief is near to the message as well: an allergy is to be
    # thought of at any dinner, and a price when that thing is meant.
    standing: bool = False
    # The aspects of which everybody's claims bear on it where the message is about several people.
    shared: tuple[str, ...] = ()
    # Whether it is about others than the user where the message names any.
    of_others: bool = False


def _words(block: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(block.split())})\b", re.IGNORECASE)


def _situation(
    *,
    words: str,
    topics: str,
    values: str,
    examples: str,
    beside: str | None = None,
    standing: bool = False,
    shared: tuple[str, ...] = (),
    of_others: bool = False,
) -> Situation:
    told = tuple(line.strip() for line in examples.strip().splitlines())
    unfit = _words(beside) if beside else None
    return Situation(_words(words), re.compile(topics), _words(values), told, unfit, standing, shared, of_others)


_SEVERAL = _words("""
    we us our ours everyone everybody all family guests? team group people friends party
    nosotr[oa]s nuestr[oa]s? todos todas familia invitados equipo grupo gente amig[oa]s fiesta
""")

# Links and claims that may be about anything: their values say what they have to do with.
_ABOUT_ANYTHING = re.compile(
    r"^(?:prefers|dislikes|owns|uses|uses_tool|member_of|related_to)$|^(?:plans|taste|leisure|life|possessions|calendar"
    r"|schedule|notes|views|state|health|prices|price)/"
)

# Of these, what lasts: what somebody likes, has, and does again and again.
_LASTING = re.compile(r"^(?:prefers|dislikes|owns|member_of)$|^(?:taste|leisure)/|/habits$")

_FOOD = r"""
    food\w* \w*fish seafood trout salmon tuna meat\w* chicken beef pork vegetarian\w* vegan\w* spicy sweets? coffee tea
    wine beer cheese bread rice pasta pizza sushi curry soup\w* salads? chocolate olives? coriander cilantro mushrooms?
    onions? tomato\w* eggs? \w*nuts? almonds? milk dairy gluten lactose c?o?eliac diabet\w* fruits? vegetables? garlic
    cook\w* bak\w* eats? eating drinks? restaurants? halal kosher comida mariscos? pescado carne café leche huevos?
    queso vegetarian[oa] vegan[oa] sal
"""
_SPORT = r"""
    sports? swim\w* runn?\w* jog\w* gym workout\w* yoga pilates climb\w* boulder\w* cycl\w* bik\w* football soccer
    basketball tennis padel volleyball rugby hockey golf marathon\w* \w*race ski\w* surf\w* row\w* hik\w* box\w* judo
    karate martial danc\w* train\w* fitness pool deporte\w* nadar natación correr fútbol gimnasio escalada ciclismo
"""
_SITUATIONS = (
    _situation(
        words="""
            dinners? lunch\\w* breakfasts? brunch supper meals? cook\\w* recipes? eat eats eating food foods menus?
            allerg\\w* alérgi\\w* intoleran\\w* vegetarian\\w* vegan\\w* diets? dietary restaurants? snacks? bak\\w*
            cakes? desserts? groceries takeaway takeout pizza hungry feed feeding pudding picnic barbecue bbq
            cenas? cenar comidas? comer almuerzos? almorzar desayun\\w* recetas? cocin\\w* restaurantes? menú postres?
            tapas abendessen essen kochen rezept\\w* mittagessen frühstück dîner repas manger recettes? jantar almoço
        """,
        topics=r"^diet/|allerg|avoid|intoleran|favourite_(?:food|dish|drink|dessert|fruit|snack|coffee|restaurant)",
        values=_FOOD,
        examples="""
            suggest a dinner for tonight
            what should we eat on Friday?
            I am making soup for my guests, ideas?
            book us a table somewhere nice
            what can I order at the café?
        """,
        standing=True,
        shared=("diet", "health"),
        beside=r"\w*cillin aspirin ibuprofen antibiotic\w* latex pollen dust cats? dogs? bees? wasps? penicilina polen",
    ),
    _situation(
        words="""
            live lives living reside home hometown vivo vives vive vivimos vivir commut\\w* trains? bus buses drive
            driving routes? flights? fly flying airport hotels? trips? travel\\w* itinerary pack packing directions
            nearby weather deliver\\w* parcels? couriers? landlord\\w* apartment
            viajes? viajar tren vuelos? aeropuerto rutas? cerca envíos? paquetes? mudanza
        """,
        topics=r"^(?:lives_in|based_at)$|^home/|/city$|/address$|time_?zone",
        values=r"""
            trains? bus flights? fly\w* trip\w* travel\w* move moving visit\w* holidays? vacation
            airport hotel passport rent mortgage flat house apartment garden viaj\w* tren vuelo mudar\w* casa piso
        """,
        examples="""
            plan my commute
            how do I get to work from here?
            find me a gym near my place
            what is the weather going to be like this weekend?
            we need a place to stay on our holiday
        """,
        standing=True,
    ),
    _situation(
        words="""
            works? working worked cv résumé jobs? interviews? linkedin bio salary boss\\w* manager colleagues?
            employers? offices? out-of-office career promotion commut\\w*
            trabaj\\w* currículum entrevistas? sueldo jefe jefa oficina empleo
        """,
        topics=r"^(?:works_at|works_on|reports_to|manages|has_role)$|^work/",
        values=r"work\w* job\w* shifts? office boss salary interview\w* project\w* deadline\w* trabajo turnos? oficina",
        examples="""
            write a short bio of me
            help me prepare for my job interview
            draft an email to my boss
            what do I do for a living?
        """,
        standing=True,
    ),
    _situation(
        words="gifts? presents? regalos? geschenke? cadeaux? presentes? birthdays? cumpleaños anniversar\\w*",
        topics=r"^(?:prefers|dislikes|family_of|partner_of)$|birthday|favourite_|^relations/|^taste/|^leisure/",
        values=r"gifts? presents? birthdays? regalos? cumpleaños",
        examples="""
            what should I get her for her birthday?
            present ideas for my brother
            what could I give him for Christmas?
        """,
        standing=True,
        of_others=True,
    ),
    _situation(
        words="""
            doctors? medicines? medications? pharmacy sick ill pains? symptoms? health healthy prescriptions? allerg\\w*
            painkillers? pills? tablets? headaches? hospital dentist
            médic[oa]s? medicinas? farmacia enferm[oa]s? dolor(?:es)? síntomas salud alérgi\\w* receta
        """,
        topics=r"^health/|allerg",
        values=r"doctor\w* dentist\w* hospital\w* surgery pills? tablets? medic\w* physio\w* therap\w* vaccin\w*",
        examples="""
            what can I take for a headache?
            fill in the health form for me
            I have a sore throat, which tablets are fine for me?
            is there anything I am allergic to?
        """,
        standing=True,
    ),
    _situation(
        words="""
            family married boyfriend girlfriend novio novia marido wife husband partner kids children sons? daughters?
            sisters? brothers? mother father mum mom dad parents niece nephew grand\\w+ siblings?
            familia esposa hijos hija hijo hermanas? hermanos? madre padre sobrin[oa]s? abuel[oa]s?
        """,
        topics=r"^(?:family_of|partner_of)$|^relations/|marital_status",
        values=r"wedding\w* married famil\w* baby pregnan\w* boda familia bebé",
        examples="""
            who is in my family?
            what are my kids called?
        """,
    ),
    _situation(
        words="""
            sports? sporty exercis\\w* workouts? gyms? training fitness hobb(?:y|ies) leisure swim\\w* runs? running
            yoga climb\\w* cycling football tennis active free-time pastimes?
            deportes? ejercicio gimnasio entren\\w* aficion\\w* tiempo\\ libre nadar correr
        """,
        topics=r"^leisure/|hobb|^plans/general/goals$|sport",
        values=_SPORT,
        examples="""
            what sport am I doing these days?
            what do I do in my free time?
            how is my training going?
            make me a workout plan
        """,
        standing=True,
    ),
    _situation(
        words="""
            meetings? meet schedul\\w* appointments? calendar diary agenda reschedul\\w* deadlines? upcoming
            reuni\\w+ citas? llamadas? quedar plazos?
        """,
        topics=r"^(?:calendar|schedule)/|time_?zone|working_hours|^plans/general/plans$",
        values=r"meeting\w* morning\w* evening\w* afternoon\w* early late calls? \w+days? deadline\w* appointment\w*",
        examples="""
            what is on my calendar next week?
            when am I free on Thursday?
            what do I have coming up this month?
            find a slot for a call with the team
        """,
    ),
    _situation(
        words="""
            budget\\w* money costs? spend\\w* rent mortgage bills? savings? afford prices? salary pay paying
            presupuesto dinero gast\\w+ alquiler hipoteca facturas? ahorr\\w+ precios? sueldo
        """,
        topics=r"^prices?/|salary|budget|income|^has_price$",
        values=r"euros? dollars? budget sav(?:e|ing|ings) salary rent mortgage debt loan alquiler ahorr\w+ sueldo",
        examples="""
            how much do I spend a month?
            what does it all cost together?
            can I afford it?
        """,
    ),
    _situation(
        words="""
            pets? dogs? cats? vets? animals? puppy kitten walkies birds? budgies? parrots? rabbits? hamsters? tortoises?
            turtles? mascotas? perr[oa]s? gat[oa]s? tortugas? conejos? pájaros? veterinari[oa]
        """,
        topics=r"^possessions/(?:pets/|general/pets)",
        values=r"""
            pets? dogs? cats? puppy kitten rabbits? hamster parrots? budgies? birds? horse pony goldfish fish turtles?
            tortoises? hens? chickens? lizard snake vet mascotas? perr[oa]s? gat[oa]s? tortugas? conejos?
            pájaros? loro pez peces caballo
        """,
        examples="""
            do I have pets?
            who looks after the animals while I am away?
            the vet wants to know about my cat
        """,
        standing=True,
    ),
    _situation(
        words="""
            study\\w* studies exams? course courses class classes homework degree thesis university school languages?
            estudi\\w+ exámen\\w* examen cursos? clases? deberes tesis universidad escuela idiomas?
        """,
        topics=r"^study/|^profile/languages/|skills",
        values=r"stud\w+ exams? courses? class\w* degree thesis essay\w* modules? learn\w* universit\w+ examen curso",
        examples="""
            help me study for the exam
            which languages do I speak?
            how far am I with the course?
        """,
    ),
    _situation(
        words="""
            laptops? computers? phones? chargers? devices? tools? cars? vans? bikes? camera
            ordenador portátil móvil cargador coche bici
        """,
        topics=r"^possessions/general/(?:things|tools)$",
        values=r"""
            laptop\w* computer\w* phone\w* \w*book\w* tablet camera cars? vans? bikes? bicycle motorbike thinkpad iphone
            android linux windows ordenador portátil móvil coche bici
        """,
        examples="""
            which laptop do I have?
            what car do we drive?
        """,
    ),
    _situation(
        words="add?ress phone e-?mail contact dirección teléfono correo",
        topics=r"^profile/contact/|/address$|^contact/",
        values=r"phone e-?mail address teléfono correo dirección",
        examples="""
            what is my address?
            what was her phone number?
        """,
        standing=True,
    ),
)


def find_situations(
    message: str, embedder: Embedder | None = None, vectors: Vectors | None = None, *, names: bool = False
) -> list[Situation]:
    """The situations that a message shows by its words, or by what it is like; `vectors` is the message's own.

    `names` says that it names somebody or something known. A riddle about trains has the words of a commute, and is
    neither like one nor about anybody's own.
    """
    near = _likeness(embedder, vectors)
    # The local embedder knows English alone: elsewhere the words must do.
    own = names or voice_of(message) is not QuestionVoice.NOBODY or languages.detect(message) != "en"
    return [
        each
        for each, likeness in zip(_SITUATIONS, near, strict=True)
        if likeness >= ALIKE or ((own or likeness >= SOMEWHAT_ALIKE) and each.words.search(message))
    ]


_VECTORS: dict[str, tuple[Matrix, ...]] = {}


def speaks_of_several(message: str) -> bool:
    """Whether a message is about more people than who sends it."""
    return _SEVERAL.search(message) is not None


def _likeness(embedder: Embedder | None, vectors: Vectors | None) -> Sequence[float]:
    """How near a message is to the nearest example of each situation; where that cannot be told, somewhat."""
    if embedder is None or vectors is None or not embedder.local:
        return [SOMEWHAT_ALIKE] * len(_SITUATIONS)
    return [float((rows @ vectors.matrix[0]).max()) for rows in _examples(embedder, vectors.space)]


def _examples(embedder: Embedder, space: str) -> tuple[Matrix, ...]:
    """The vectors of the examples of each situation, worked out once for each space."""
    if space not in _VECTORS:
        _VECTORS[space] = tuple(embedder.embed(each.examples).matrix for each in _SITUATIONS)
    return _VECTORS[space]


def bears_on(belief: Belief, shown: Iterable[Situation], *, near: bool, of_other: bool) -> bool:
    """Whether a belief bears on one of some situations.

    `near` says that it is near in meaning to the message, `of_other` that the message names others than whom it is
    about.
    """
    return any(_concerns(each, belief, near=near) for each in shown if not (each.of_others and of_other))


def _concerns(situation: Situation, belief: Belief, *, near: bool) -> bool:
    if situation.topics.search(belief.topic) and (situation.standing or near):
        return not (situation.beside and situation.beside.search(belief.value))
    telling = near or (situation.standing and _LASTING.search(belief.topic))
    return bool(telling and _ABOUT_ANYTHING.search(belief.topic) and situation.values.search(belief.statement))


# How somebody wants to be answered bears on whatever they ask.
STANDING = re.compile(r"^replies/")

# Those of the family who are no part of a household as a rule: of them a first turn seldom speaks.
_REMOTER = re.compile(
    r"^'s (?:nephew|niece|cousin|uncle|aunt|great-?\w+|grand\w+|[\w-]+-in-law|sobrin[oa]|prim[oa]|t[ií][oa]|abuel[oa]"
    r"|niet[oa]|cuñad[oa]|suegr[oa]) is "
)
# What a profile begins with; the first pattern that fits says how much a belief is worth knowing.
_WORTH: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"^health/general/allergy|allerg|^diet/"), 1.0),
    (STANDING, 0.97),
    (re.compile(r"^profile/general/(?:name|nickname)$"), 0.95),
    (re.compile(r"^lives_in$|^home/"), 0.9),
    (re.compile(r"^works_at$|^work/general/role$|^has_role$"), 0.85),
    (re.compile(r"^(?:partner_of|family_of)$|^relations/general/partner$|^health/"), 0.8),
    (re.compile(r"^possessions/pets/|^works_on$|^work/|time_?zone"), 0.7),
    (re.compile(r"^profile/|^study/"), 0.65),
    # That somebody has a mother is little; what is told of her is for when she is spoken of.
    (re.compile(r"^relations/"), 0.45),
    (re.compile(r"^(?:prefers|dislikes)$|^taste/|^leisure/|^plans/general/goals$"), 0.5),
    (re.compile(r"^(?:friend_of|colleague_of|knows|owns|uses_tool|uses|member_of)$"), 0.4),
)
_OF_REMOTER, _LEAST_WORTH = 0.45, 0.2


def worth(belief: Belief) -> float:
    """How much a belief is worth knowing of somebody before anything is asked."""
    if belief.topic == "family_of" and _REMOTER.search(belief.statement):
        return _OF_REMOTER * belief.confidence
    fitting = (value for pattern, value in _WORTH if pattern.search(belief.topic))
    return next(fitting, _LEAST_WORTH) * belief.confidence
