"""What each kind of rule takes from a sentence, in English and in Spanish."""

import pytest

from nacre.domain.entities import EntityType
from nacre.domain.links import PREDICATES
from nacre.extraction.kinds import RULES
from nacre.extraction.rule_extraction import extract

pytestmark = pytest.mark.spec("W1")

PEOPLE = [
    ("My colleague John works on DevOps.", ["user colleague_of John", "John work/general/area DevOps"]),
    ("My wife Ana is here.", ["user partner_of Ana"]),
    ("My older brother, Tom, is visiting.", ["user family_of Tom"]),
    ("My friends Rachel and Mike came over.", ["user friend_of Rachel", "user friend_of Mike"]),
    ("My boss is called Sarah Connor.", ["user reports_to Sarah Connor"]),
    ("I have a son named Ben.", ["user family_of Ben"]),
    ("Tom is my best friend.", ["user friend_of Tom"]),
    ("Jean-Luc O'Neil, my uncle, called.", ["user family_of Jean-Luc O'Neil"]),
    ("John's wife Mary called me.", ["John partner_of Mary"]),
    ("Mary is John's sister.", ["John family_of Mary"]),
    ("I'm married to Tom.", ["user partner_of Tom"]),
    ("Monica and I are engaged.", ["user partner_of Monica", "user profile/general/marital_status engaged"]),
    ("I'm friends with Ross.", ["user friend_of Ross"]),
    ("Ana reports to Luis.", ["Ana reports_to Luis"]),
    ("Ana manages Tom and Sue.", ["Ana manages Tom", "Ana manages Sue"]),
    ("My colleague 田中 helps.", ["user colleague_of 田中"]),
    ("Mi hermana María vino.", ["user family_of María"]),
    ("Tengo un hermano que se llama Pablo.", ["user family_of Pablo"]),
    ("Luis es mi jefe.", ["user reports_to Luis"]),
    ("Carmen es la prima de Luis.", ["Luis family_of Carmen"]),
    ("Estoy casada con Pedro.", ["user partner_of Pedro"]),
    ("Pedro y Carmen se casan en mayo.", ["Pedro partner_of Carmen"]),
    ("Tom and Kate are getting married.", ["Tom partner_of Kate"]),
    ("Tom and Kate are getting lunch.", []),
    ("Mi compañero de trabajo Iker ayuda.", ["user colleague_of Iker"]),
]
PROFILES = [
    ("My name is Robert Smith.", ["user profile/general/name Robert Smith"]),
    ("I'm a software engineer.", ["user work/general/role software engineer"]),
    (
        "I'm a Digital Marketing Specialist at Acme.",
        ["user work/general/role Digital Marketing Specialist", "user works_at Acme"],
    ),
    ("Ana works as a nurse.", ["Ana work/general/role nurse"]),
    ("My wife is a doctor.", ["user relations/wife/role doctor"]),
    ("I'm 34 years old.", ["user profile/general/age 34"]),
    ("My birthday is on March 3.", ["user profile/general/birthday March 3"]),
    ("I'm originally from Sweden.", ["user profile/general/origin Sweden"]),
    ("I grew up in Ohio.", ["user profile/general/origin Ohio"]),
    (
        "I'm allergic to peanuts and shellfish.",
        ["user health/general/allergy peanuts", "user health/general/allergy shellfish"],
    ),
    ("allergic to walnuts here, ended up on a drip once", ["user health/general/allergy walnuts"]),
    ("Nora blew out seven candles on Sunday.", ["Nora profile/general/age seven"]),
    ("Leo sopló cuatro velas ayer.", ["Leo profile/general/age cuatro"]),
    ("Came home as a married woman.", ["user profile/general/marital_status married"]),
    ("My badge reads senior planner now.", ["user work/general/role senior planner"]),
    ("Thirty days without wine, I sleep again.", ["user life/general/habits Thirty days without wine"]),
    ("Thirty days without rain.", []),
    ("We're 14 and the hall is full.", []),
    ("I'm allergic to dust and to cats.", ["user health/general/allergy dust", "user health/general/allergy cats"]),
    ("I went vegetarian in March and never looked back.", ["user diet/general/diet vegetarian"]),
    ("My favorite color is blue.", ["user taste/general/favourite_colour blue"]),
    ("My favourite colour is blue.", ["user taste/general/favourite_colour blue"]),
    ("My email is ana@example.com.", ["user profile/contact/email ana@example.com"]),
    ("My phone number is +34 600 123 456.", ["user profile/contact/phone +34 600 123 456"]),
    ("I speak French.", ["user profile/languages/french French"]),
    ("Me llamo Luis.", ["user profile/general/name Luis"]),
    ("Soy ingeniera de software.", ["user work/general/role ingeniera de software"]),
    ("Ana es médica.", ["Ana work/general/role médica"]),
    ("Tengo 34 años.", ["user profile/general/age 34"]),
    ("Soy de Bogotá.", ["user profile/general/origin Bogotá"]),
    ("Mi color favorito es el verde.", ["user taste/general/favourite_colour verde"]),
    ("Soy alérgica a los cacahuetes.", ["user health/general/allergy cacahuetes"]),
    ("Mi correo es ana@example.com.", ["user profile/contact/email ana@example.com"]),
]
WORK = [
    ("Hollin Press took me on.", ["user works_at Hollin Press"]),
    ("Hollin Press took me on a tour.", []),
    ("The new post at Hollin Press is busy.", ["user works_at Hollin Press"]),
    ("The new post at Hollin Press is open.", []),
    ("Two months into the Hollin Press job.", ["user works_at Hollin Press"]),
    ("I work at Google.", ["user works_at Google"]),
    ("I've worked at Siemens for years.", ["user works_at Siemens"]),
    ("I got a new job at Initech.", ["user works_at Initech"]),
    ("Ana joined Acme Corp.", ["Ana works_at Acme Corp"]),
    ("My brother works for IBM.", ["user relations/brother/works_at IBM"]),
    ("I volunteer at the Red Cross.", ["user member_of Red Cross"]),
    ("Acme Corp is based in Berlin.", ["Acme Corp located_in Berlin"]),
    ("Trabajo en Telefónica.", ["user works_at Telefónica"]),
    ("Me han cogido en Telefónica.", ["user works_at Telefónica"]),
    ("A Ana le han dado trabajo en el Prado.", ["Ana works_at Prado"]),
    ("Ana trabaja para Google.", ["Ana works_at Google"]),
    ("Alice manages Project Alpha.", ["Alice manages Project Alpha"]),
    ("Bob works on Project Alpha.", ["Bob works_on Project Alpha"]),
    ("Project Alpha uses GraphQL.", ["Project Alpha uses GraphQL"]),
    ("I use postgres and Docker.", ["user uses_tool PostgreSQL", "user uses_tool Docker"]),
    ("I code in Python.", ["user uses_tool Python"]),
    ("I prefer Python over Java.", ["user prefers Python"]),
    ("Uso Python.", ["user uses_tool Python"]),
    ("Programo en TypeScript.", ["user uses_tool TypeScript"]),
]
PLACES = [
    ("Found a tiny flat in Ghent, third floor.", ["user lives_in Ghent"]),
    ("Found a tiny flat in Ghent for the weekend.", []),
    ("We got a cottage in Ghent, 12 to 19 April.", []),
    ("The new place in Ghent has a garden.", ["user lives_in Ghent"]),
    ("The new place in Ghent has great noodles.", []),
    ("I live in Rome.", ["user lives_in Rome"]),
    ("We live near Lake Tahoe.", ["user lives_in Lake Tahoe"]),
    ("Rachel and Mike live in Seattle.", ["Rachel lives_in Seattle", "Mike lives_in Seattle"]),
    ("I moved from Boston to Denver.", ["user lives_in Denver", "not user lives_in Boston"]),
    ("Moved to Denver.", ["user lives_in Denver"]),
    ("I visited Kyoto and Osaka.", ["user related_to Kyoto", "user related_to Osaka"]),
    ("I live at 12 Main Street.", ["user home/general/address 12 Main Street"]),
    ("Vivo en Sevilla.", ["user lives_in Seville"]),
    ("Ana vive en Madrid y trabaja en Telefónica.", ["Ana lives_in Madrid", "Ana works_at Telefónica"]),
    ("Me mudé de Madrid a Valencia.", ["user lives_in Valencia", "not user lives_in Madrid"]),
    ("My server is at 10.0.0.5.", ["user owns 10.0.0.5"]),
    ("My website is https://ana.dev/about.", ["user contact/web/website https://ana.dev/about"]),
]
ASSETS = [
    ("Got myself a Nokia 8 today.", ["user owns Nokia 8"]),
    ("Typing this on a Nokia 8.", ["user owns Nokia 8"]),
    ("BTC is at $67,000.", ["BTC has_price $67,000"]),
    ("Bitcoin is trading at $67.5k today.", ["BTC has_price $67.5k"]),
    ("ETH is down 1.68%.", ["ETH market/general/change -1.68%"]),
    ("ADA ($0.45, -0.99% today)", ["ADA has_price $0.45", "ADA market/general/change -0.99%"]),
    ("I own 2.5 BTC.", ["user owns BTC"]),
    ("BTC cotiza a 67.000 €.", ["BTC has_price 67.000 €"]),
    ("ETH subió un 3%.", ["ETH market/general/change +3%"]),
]
EVENTS = [
    ("My dentist appointment is on May 20.", ["user calendar/general/dentist_appointment 2026-05-20"]),
    ("I have a job interview next Monday.", ["user calendar/general/job_interview 2026-05-18"]),
    ("Mi boda es el 3 de junio.", ["user calendar/general/wedding 2026-06-03"]),
]
TASTES = [
    ("I prefer dark mode.", ["user prefers dark mode"]),
    ("I love hiking, swimming and reading.", ["user prefers hiking", "user prefers swimming", "user prefers reading"]),
    ("Ana hates mushrooms.", ["Ana dislikes mushrooms"]),
    ("I don't like horror films.", ["user dislikes horror films"]),
    ("I'm a big fan of jazz.", ["user prefers jazz"]),
    ("I play the piano.", ["user related_to piano"]),
    ("Me gusta el café y la música.", ["user prefers café", "user prefers música"]),
    ("A Ana le encanta el chocolate.", ["Ana prefers chocolate"]),
    ("No me gustan los gatos.", ["user dislikes gatos"]),
    ("Prefiero el té.", ["user prefers té"]),
    (
        "I have a dog named Rex and two cats named Luna and Oliver.",
        ["user owns Rex", "user owns Luna", "user owns Oliver"],
    ),
    ("Our cat is called Miso.", ["user owns Miso"]),
    ("I love discovering unique and handmade things.", []),
    ("I like holding them.", []),
    ("Marrying my partner was fun.", []),
    ("I bought a used car.", ["user owns car"]),
    ("Tengo un perro que se llama Toby.", ["user owns Toby"]),
]
GONE = [
    ("I no longer work at Google.", ["not user works_at Google"]),
    ("I don't live in Paris anymore.", ["not user lives_in Paris"]),
    ("I used to live in Paris.", ["not user lives_in Paris"]),
    ("I stopped using Slack.", ["not user uses_tool Slack"]),
    ("John quit his job at IBM.", ["not John works_at IBM"]),
    ("I left Google.", ["not user works_at Google"]),
    ("Lost my job as a banker.", ["not user work/general/role banker", "not user works_at None"]),
    ("I broke up with Tom.", ["not user partner_of Tom"]),
    ("I sold my car.", ["not user owns car"]),
    ("Tess has outgrown her egg allergy.", ["not Tess health/general/allergy egg"]),
    ("The clinic cleared Tess for walnuts.", ["not Tess health/general/allergy walnuts"]),
    ("I'm no longer allergic to cats.", ["not user health/general/allergy cats"]),
    ("I'm no longer a nurse.", ["not user work/general/role nurse"]),
    ("Ya no trabajo en Google.", ["not user works_at Google"]),
    ("Juan ya no vive en Madrid.", ["not Juan lives_in Madrid"]),
    ("Ya no me gusta el café.", ["not user prefers café"]),
    ("Dejé de usar Slack.", ["not user uses_tool Slack"]),
    ("Vendí mi coche.", ["not user owns coche"]),
]


@pytest.mark.parametrize(
    ("text", "facts"),
    [*PEOPLE, *PROFILES, *WORK, *PLACES, *ASSETS, *EVENTS, *TASTES, *GONE],
    ids=lambda value: str(value)[:50],
)
def test_a_sentence_says_exactly_this(said, text, facts):
    assert sorted(said(text)) == sorted(facts)


def test_the_relation_itself_is_kept_beside_the_predicate():
    (fact,) = extract("Mi hermana María vino.").facts

    assert (fact.predicate, fact.detail) == ("family_of", "sister")
    (fact,) = extract("Oscar is my guinea pig.").facts
    assert (fact.predicate, fact.detail) == ("owns", "guinea pig")


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("I work at Initech.", "Initech", EntityType.ORGANIZATION),
        ("I live in Springfield.", "Springfield", EntityType.LOCATION),
        ("My brother Zed called.", "Zed", EntityType.PERSON),
        ("I use Foobarizer.", "Foobarizer", EntityType.TECHNOLOGY),
    ],
)
def test_a_rule_gives_an_unknown_name_its_type(text, name, kind):
    found = extract(text)

    assert [(each.name, each.type) for each in found.names] == [(name, kind)]
    assert found.facts[0].object is not None
    assert found.facts[0].object.type == kind


def test_every_rule_uses_the_vocabulary_and_has_an_id_of_its_own():
    assert len({rule.id for rule in RULES}) == len(RULES)
    links = {wanted.link for rule in RULES for wanted in rule.yields if wanted.link}
    assert links - {"@rel"} <= PREDICATES


def test_every_kind_has_rules_in_both_languages():
    kinds = {rule.kind for rule in RULES}
    assert {(rule.kind, rule.language) for rule in RULES} == {
        (kind, language) for kind in kinds for language in ("en", "es")
    }


def test_every_rule_can_be_reached():
    """A rule without a word to find it by would never be tried."""
    assert [rule.id for rule in RULES if not rule.words] == []
