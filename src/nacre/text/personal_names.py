"""Names of persons compared: first, full, short and titled names of one person, and names that two people have."""

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from nacre.text.letters import fold


class Likeness(IntEnum):
    """What two names say of those who have them; the higher is the surer that it is one person."""

    AGAINST = 0
    NONE = 1
    MAYBE = 2
    SAME = 3


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


_MALE = _words("mr mister sir herr senor sr don")
_FEMALE = _words("mrs ms miss madam madame frau senora sra senorita srta dona")
_TITLES = _MALE | _FEMALE | _words("mx dr doctor doctora dra prof professor profesor profesora captain lord lady")
_AFTER = _words("jr junior ii iii iv phd md esq")
_CONNECTORS = _words("de la del las los van von der den da di do dos du le bin ibn al el y")
# What stands for anybody is nobody's name, and cannot be part of one.
_LABELS = _words("user usuario assistant agent bot speaker human me you system guest admin unknown anonymous")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_NO_NAME = re.compile(r"[\d_@/\\#:]")
# Letters without which a short form says too little.
_SHORTEST = 3

# Short forms, and the names that they are short for. Only those that people use for each other today.
_SHORT_FOR = """
abby=abigail alex=alexander,alexandra,alexis,alejandro,alejandra alejo=alejandro ale=alejandro,alejandra
andy=andrew,andrea,andres angie=angela annie=ann,anna,anne,annabel ani=ana anita=ana archie=archibald barb=barbara
barbie=barbara bart=bartholomew bea=beatrice,beatriz becca=rebecca becky=rebecca bella=isabella,isabel
ben=benjamin,benedict benny=benjamin,benedict bernie=bernard bert=albert,robert bess=elizabeth
beth=elizabeth,bethany betsy=elizabeth betty=elizabeth bill=william billy=william bob=robert bobby=robert
brad=bradley bri=brianna,brian cal=calvin cami=camila caro=carolina,caroline carrie=caroline,carolyn
cassie=cassandra cat=catherine,catalina cate=catherine cathy=catherine charlie=charles,charlotte chaz=charles
chelo=consuelo chema=jose chris=christopher,christine,christina,christian,cristina chrissy=christine,christina
christy=christine,christina chuck=charles chus=jesus,maria cindy=cynthia cris=cristina,cristian dan=daniel
danny=daniel dani=daniel,daniela dave=david davy=david deb=deborah debbie=deborah denny=dennis dick=richard
dom=dominic dora=dorothy,theodora dot=dorothy doug=douglas drew=andrew ed=edward,edmund,edwin,eduardo
eddie=edward,edmund,eduardo edu=eduardo eli=elijah,elias ellie=eleanor,elizabeth,ellen emi=emilia,emilio
em=emma,emily ernie=ernest fede=federico,federica fer=fernando,fernanda flo=florence
fran=frances,francis,francisco,francisca frank=francis,franklin frankie=francis,frank fred=frederick,alfred
freddie=frederick gabe=gabriel gabby=gabriella,gabrielle gabi=gabriel,gabriela gene=eugene geoff=geoffrey
gerry=gerald,gerard gonza=gonzalo greg=gregory guille=guillermo gus=augustus,gustavo hal=harold hank=henry
herb=herbert ike=isaac isa=isabel,isabella izzy=isabel,isabella,isidore jake=jacob jamie=james javi=javier
jeff=jeffrey jen=jennifer jenny=jennifer jess=jessica jessie=jessica jim=james jimmy=james
jo=joanna,josephine,joanne joe=joseph joey=joseph johnny=john jon=jonathan jono=jonathan josh=joshua
josie=josephine juanjo=juan juanma=juan judy=judith jules=julia,julian,julius juli=julia,julieta
kat=katherine,kathryn kate=katherine,kathryn,caitlin katie=katherine,kathryn kathy=katherine,kathleen
katy=katherine ken=kenneth kenny=kenneth kim=kimberly kit=christopher lali=eulalia larry=lawrence,laurence
lenny=leonard leo=leonard,leonardo,leopold lexi=alexandra,alexis libby=elizabeth lilly=lillian liz=elizabeth
lizzie=elizabeth lola=dolores loli=dolores lou=louis,louise luismi=luis lucho=luis lupe=guadalupe
maddie=madeleine,madison maggie=margaret mandy=amanda manny=emmanuel,manuel manolo=manuel manu=manuel,manuela
marge=margaret margie=margaret marty=martin matt=matthew matty=matthew mati=matias max=maximilian,maxwell,maximo
meg=margaret,megan mel=melanie,melissa,melinda mick=michael mickey=michael mike=michael mikey=michael
milly=mildred,millicent mindy=melinda missy=melissa mitch=mitchell moe=moses nacho=ignacio nando=fernando
nat=nathan,nathaniel,natalie nate=nathan,nathaniel nati=natalia ned=edward nell=eleanor,helen nelly=eleanor,helen
nick=nicholas nicky=nicholas,nicole nico=nicolas norm=norman oli=oliver,olivia ollie=oliver olly=oliver
paco=francisco pam=pamela pancho=francisco pat=patrick,patricia patty=patricia pati=patricia peg=margaret
peggy=margaret pepa=josefa pepe=jose penny=penelope pete=peter phil=philip,phillip pippa=philippa quique=enrique
rafa=rafael ralphie=ralph randy=randall ray=raymond reggie=reginald rich=richard rick=richard,ricardo
ricky=richard,ricardo rob=robert robbie=robert robby=robert rod=rodney,roderick ron=ronald ronnie=ronald,veronica
rosie=rose,rosemary roxy=roxanne rudy=rudolph russ=russell sam=samuel,samantha sammy=samuel,samantha
sandy=sandra,alexander santi=santiago sebas=sebastian seb=sebastian shelly=michelle sid=sidney sofi=sofia
stan=stanley steff=stephanie steph=stephanie,stephen steve=steven,stephen stevie=steven,stephen,stephanie
stew=stewart stu=stuart sue=susan susie=susan suzie=suzanne,susan tammy=tamara tasha=natasha ted=theodore,edward
teddy=theodore,edward teo=mateo,teodoro terry=terence,teresa tere=teresa tess=theresa,tessa theo=theodore
tiff=tiffany tim=timothy timmy=timothy tina=christina,martina,cristina tom=thomas,tomas tommy=thomas,tomas
toni=antonio,antonia tony=anthony,antonio tonio=antonio tori=victoria trish=patricia val=valerie,valentina,valentin
vale=valeria,valentina vero=veronica vic=victor,victoria vicky=victoria vince=vincent vinny=vincent viv=vivian
wally=walter walt=walter wes=wesley will=william willy=william xavi=xavier zach=zachary zack=zachary
"""
_FORMAL: dict[str, frozenset[str]] = {
    short: frozenset(formal.split(",")) for short, formal in (pair.split("=") for pair in _SHORT_FOR.split())
}
_PET_ENDS = ("ito", "ita", "y", "ie")


class PersonalName(NamedTuple):
    """A person's name in parts, in plain letters; a lone word without a title is `given`, and may be a surname."""

    title: str | None
    given: str | None
    surnames: tuple[str, ...]

    @property
    def is_lone(self) -> bool:
        """Whether it is one word, of which nobody knows whether it is a given name or a surname."""
        return not self.surnames


@lru_cache(maxsize=4_096)
def parse(name: str) -> PersonalName | None:
    """The parts of a person's name; None for what cannot be one, such as a user id."""
    if _NO_NAME.search(name):
        return None
    found = [fold(word.casefold().rstrip(".")) for word in _WORD.findall(name)]
    words = [word for word in found if word not in _AFTER]
    title = None
    while len(words) > 1 and words[0] in _TITLES:
        title, words = title or words[0], words[1:]
    if not words or len(words) > 5 or words[0] in _LABELS or words[0] in _TITLES:
        return None
    rest = tuple(word for word in words[1:] if word not in _CONNECTORS and len(word) > 1)
    if not rest:
        return PersonalName(title, None, (words[0],)) if title else PersonalName(None, words[0], ())
    return PersonalName(title, words[0], rest)


def formal(word: str) -> frozenset[str]:
    """The names that a word in plain letters is short for."""
    return _FORMAL.get(word, frozenset())


@lru_cache(maxsize=4_096)
def block_keys(name: str) -> frozenset[str]:
    """Keys of which names that are alike share one: each surname, and how a given name and its long forms begin."""
    parts = parse(name)
    if parts is None:
        return frozenset()
    surnames = {f"-{word}" for word in (*parts.surnames, parts.given if parts.is_lone else None) if word}
    return frozenset(surnames | {word[:2] for word in _beginnings(parts.given)} if parts.given else surnames)


def _beginnings(given: str) -> set[str]:
    stem = _stem(given)
    # "Lito" is a Leo.
    small = {f"{stem}{letter}" for letter in "ic"} if len(stem) == 1 else set()
    return {given, *formal(given), *small}


def compare(one: str, other: str) -> Likeness:
    """Whether two names may be of one person, by the names alone."""
    a, b = parse(one), parse(other)
    if a is None or b is None:
        return Likeness.NONE
    if (a.title in _MALE and b.title in _FEMALE) or (b.title in _MALE and a.title in _FEMALE):
        return Likeness.AGAINST
    if a.surnames and b.surnames:
        return _full(a, b)
    lone, whole = (a, b) if a.is_lone else (b, a)
    word = lone.given or ""
    if word in whole.surnames:
        return Likeness.SAME
    return _given(word, whole.given) if whole.given else Likeness.NONE


def _full(a: PersonalName, b: PersonalName) -> Likeness:
    if not set(a.surnames) & set(b.surnames):
        # A titled surname says nothing of somebody with another.
        return Likeness.AGAINST if a.given and b.given and _given(a.given, b.given) > Likeness.NONE else Likeness.NONE
    if a.given is None or b.given is None or _is_initial(a.given, b.given):
        return Likeness.SAME
    alike = _given(a.given, b.given)
    return alike if alike is not Likeness.NONE else Likeness.AGAINST


def _is_initial(a: str, b: str) -> bool:
    return 1 in (len(a), len(b)) and a[0] == b[0]


def _given(a: str, b: str) -> Likeness:
    """How alike two given names are: the same, one short for the other, or one the beginning of the other."""
    short_for = a in _FORMAL or b in _FORMAL
    if a == b or (short_for and {a, *formal(a)} & {b, *formal(b)}) or _is_pet_form(a, b) or _is_pet_form(b, a):
        return Likeness.SAME
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    return Likeness.MAYBE if len(short) >= _SHORTEST and long.startswith(short) else Likeness.NONE


def _is_pet_form(pet: str, name: str) -> bool:
    """ "Tommy" and "Tomasito": the name with an ending that only makes it small."""
    # Most names are told apart by their ends: each is compared with hundreds of others.
    if len(name) < _SHORTEST or not pet.endswith(_PET_ENDS):
        return False
    stem = _stem(name)
    doubled = name + name[-1]
    endings = (*(f"{stem}{end}" for end in ("ito", "ita", "cito", "cita")), *(f"{doubled}{end}" for end in ("y", "ie")))
    return pet in endings


def _stem(name: str) -> str:
    return name.rstrip("aeo") if name[-1] in "ao" else name
