"""Relations: words for people and animals by what they are to somebody, and one plain word for each."""

import re

from nacre.text.word_blocks import pairs, word_set, words

PARTNERS = words("""
    wife husband spouse partner girlfriend boyfriend fiancé fiancée fiance fiancee better_half
    boyf gf bf hubby wifey missus other_half
    esposa esposo marido mujer novia novio pareja prometida prometido
""")
FAMILY = words("""
    mother father mom mum mommy dad daddy mama papa parent brother sister sibling twin twin_brother twin_sister son
    daughter child kid grandmother grandfather grandma grandpa granny grandson granddaughter grandchild aunt auntie
    uncle cousin nephew niece stepmother stepfather stepmom stepdad stepson stepdaughter stepbrother stepsister
    half-brother half-sister mother-in-law father-in-law brother-in-law sister-in-law godmother godfather
    goddaughter godson madre padre mamá papá hermano hermana hijo hija abuelo abuela nieto nieta tío tía primo prima
    sobrino sobrina suegro suegra cuñado cuñada yerno nuera padrino madrina ahijado ahijada gemelo gemela
""")
_FRIEND = words("friend best_friend bestie buddy pal bff amigo amiga mejor_amigo mejor_amiga")
_COLLEAGUE = words("""
    colleague coworker co-worker workmate teammate collaborator co-founder cofounder business_partner
    compañero_de_trabajo compañera_de_trabajo colega compañero_de_equipo compañera_de_equipo socio socia
""")
_ABOVE = words("boss manager supervisor team_lead line_manager jefe jefa supervisora superior gerente")
_BELOW = words("employee assistant intern direct_report secretary empleado empleada asistente becario becaria")
_KNOWN = words("""
    roommate flatmate housemate neighbor neighbour classmate teacher professor tutor mentor mentee coach trainer
    doctor dentist therapist psychologist lawyer accountant landlord landlady client customer patient student
    hairdresser nanny babysitter date crush penpal ex ex-wife ex-husband ex-girlfriend ex-boyfriend
    compañero_de_piso compañera_de_piso vecino vecina compañero compañera profesor profesora maestro maestra
    entrenador entrenadora médico médica doctora psicólogo psicóloga abogado abogada casero casera cliente paciente
    alumno alumna exmarido exmujer exnovio exnovia
""")

RELATIONS: dict[str, str] = {
    **dict.fromkeys(_KNOWN, "knows"),
    **dict.fromkeys(_BELOW, "manages"),
    **dict.fromkeys(_ABOVE, "reports_to"),
    **dict.fromkeys(_COLLEAGUE, "colleague_of"),
    **dict.fromkeys(_FRIEND, "friend_of"),
    **dict.fromkeys(FAMILY, "family_of"),
    **dict.fromkeys(PARTNERS, "partner_of"),
}
RELATION_WORDS = frozenset(RELATIONS)

_PLAIN = pairs("""
    esposa=wife mujer=wife esposo=husband marido=husband novia=girlfriend novio=boyfriend pareja=partner
    prometida=fiancée prometido=fiancé madre=mother mamá=mother padre=father papá=father hermano=brother
    hermana=sister hijo=son hija=daughter abuelo=grandfather abuela=grandmother nieto=grandson nieta=granddaughter
    tío=uncle tía=aunt primo=cousin prima=cousin sobrino=nephew sobrina=niece suegro=father-in-law
    suegra=mother-in-law cuñado=brother-in-law cuñada=sister-in-law amigo=friend amiga=friend jefe=boss jefa=boss
    colega=colleague vecino=neighbour vecina=neighbour socio=business_partner socia=business_partner
    empleado=employee empleada=employee mom=mother mum=mother mommy=mother mama=mother dad=father daddy=father
    papa=father grandma=grandmother granny=grandmother grandpa=grandfather auntie=aunt neighbor=neighbour perro=dog
    kid=child perra=dog gato=cat gata=cat cachorro=puppy conejo=rabbit caballo=horse pájaro=bird loro=parrot
    tortuga=turtle
    bestie=best_friend bff=best_friend coworker=colleague co-worker=colleague yerno=son-in-law nuera=daughter-in-law
    fiance=fiancé fiancee=fiancée boyf=boyfriend bf=boyfriend gf=girlfriend hubby=husband wifey=wife missus=wife
    gatito=kitten gatita=kitten pez=fish compañero=classmate compañera=classmate
""")


def plain_relation(word: str) -> str:
    """One word for each relation, whichever language and spelling: `mamá` and `mom` are `mother`."""
    if word.startswith("mejor amig"):
        return "best friend"
    if word.startswith(("compañero de ", "compañera de ")):
        return "roommate" if word.endswith("piso") else "colleague"
    return _PLAIN.get(word, word).replace("_", " ")


_SHE = words("""
    wife girlfriend fiancée fiancee gf wifey missus mother mom mum mommy mama sister daughter grandmother grandma granny
    granddaughter aunt auntie niece stepmother stepmom stepdaughter stepsister mother-in-law sister-in-law ex-wife
    ex-girlfriend landlady twin_sister esposa mujer novia prometida madre mamá hermana hija abuela nieta tía sobrina
    suegra cuñada amiga jefa
""")
_HE = words("""
    husband boyfriend fiancé fiance bf boyf hubby father dad daddy papa brother son grandfather grandpa grandson uncle
    nephew stepfather stepdad stepson stepbrother father-in-law brother-in-law ex-husband ex-boyfriend landlord
    twin_brother esposo marido novio prometido padre papá hermano hijo abuelo nieto tío sobrino suegro cuñado amigo
    jefe
""")
KIN_HINTS = {**dict.fromkeys(_SHE, "f"), **dict.fromkeys(_HE, "m")}

ANIMALS = words("""
    guinea_pig golden_retriever german_shepherd dog puppy pup cat kitten kitty rabbit bunny hamster parrot bird fish
    goldfish turtle tortoise snake lizard gecko horse pony ferret chicken duck goat monkey pig iguana labrador
    poodle beagle bulldog corgi husky perro perra perrito perrita gato gata gatito gatita cachorro cachorra conejo
    conejito hámster loro pájaro pez tortuga caballo
""")
# Those that are kept for company, by their plain words.
PETS = words("cat kitten dog puppy bird budgie parrot rabbit hamster horse tortoise turtle fish")
# Words for any of them.
ANY_PET = word_set("pet pets animal animals mascota mascotas haustier haustiere")

# What else messages call people and animals: for short, and in languages that no rule reads.
NICKNAMES = pairs("""
    mummy=mother mutter=mother mère=mother mãe=mother vater=father père=father pai=father hubby=husband mann=husband
    mari=husband frau=wife femme=wife bf=boyfriend gf=girlfriend sohn=son fils=son filho=son tochter=daughter
    fille=daughter filha=daughter bruder=brother frère=brother irmão=brother schwester=sister sœur=sister irmã=sister
    chef=boss kitty=kitten gatos=cat gatas=cat katze=cat katzen=cat chat=cat chats=cat perros=dog hund=dog hunde=dog
    chien=dog
""")
# Words for several people at once, and what each of these may be.
SEVERAL = {
    word: word_set(plain)
    for block, plain in (
        ("parents folks padres eltern", "father mother"),
        ("kid kids children child hijos kinder enfants filhos", "son daughter child kid stepson stepdaughter baby"),
        ("siblings hermanos geschwister", "brother sister"),
    )
    for word in words(block)
}

# Who stays what they are to somebody, whatever is told of them; a boss or a boyfriend may be another one tomorrow.
_STAYING = {
    *(word for word, tie in RELATIONS.items() if tie in ("family_of", "friend_of")),
    *words("wife husband esposa esposo mujer marido neighbor neighbour vecino vecina"),
}


def _named(kinds: set[str]) -> re.Pattern[str]:
    every = "|".join(sorted(kinds, key=lambda word: (-len(word), word)))
    return re.compile(
        rf"\b(?:(?:my|our|his|her|their|mis?|nuestr[oa]|su) (?:\w+ )?)?(?:{every}),?"
        r" (?:(?:is |es )?(?:called |named |llamad[oa] )?)?(?P<name>[^\W\d_][\w'’-]*)",
        re.IGNORECASE,
    )


# Family and friends by their names, "my neighbor Greg", and with the animals: "our cat Biscuit".
NAMED_PERSON = _named(_STAYING)
NAMED_KIN = _named({*_STAYING, *ANIMALS, *PETS})
