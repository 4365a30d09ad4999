"""How a statement is said: as a change, as a guess, as what happened once, as one of many.

English and Spanish, with a few words of Chinese, Japanese and Korean; what `graph.beliefs.markers` tells is not told
again.
"""

import re
from functools import lru_cache

from nacre.text.caseless_patterns import CaselessPattern, caseless


def read_words(block: str) -> frozenset[str]:
    """The words of a block."""
    return frozenset(block.split())


def _any(block: str) -> str:
    return "|".join(block.split())


def _phrases(spaced: str, unspaced: str = "") -> CaselessPattern:
    """Any of these phrases, one a line or parted by bars, as whole words; unspaced ones, parted by spaces, anywhere."""
    whole = "|".join(phrase.strip() for phrase in spaced.replace("\n", "|").split("|") if phrase.strip())
    return caseless(rf"(?<![\w'’-])(?:{whole})(?![\w-])|{_any(unspaced) or '(?!)'}")


# Verbs of a change: alone they say nothing of what changed.
_TURNED = """
    moved pushed postponed delayed rescheduled extended shifted slipped raised increased reduced lowered bumped changed
    updated switched replaced renamed swapped transferred migrated upgraded downgraded adjusted dropped
    cambió movió mudó aplazó retrasó adelantó pospuso trasladó subió bajó aumentó redujo pasó sustituyó reemplazó
    renombró
"""
_TURNED_SINCE = "cambiado movido aplazado retrasado subido bajado pasado sustituido"
CHANGING = read_words(f"""
    {_TURNED} {_TURNED_SINCE} moves replaces cut set put brought pulled rose fell went goes gone up down back out off
    forward over became becomes become took taken takes handed hands passed succeeded succeeds turned got get been
""")
_AWAY = r"(?: up| down| out| off| back| forward| over)?"
_TOWARDS = r"(?= (?:to|from|until|by|with|for|as|a|al|de|del|por|hasta)\b)"
_MOVED = _phrases(
    rf"""(?:{_any(_TURNED)}|cut|set|put|brought|moves|goes|went|gone|rose|fell){_AWAY}{_TOWARDS}
    (?:moved|switched|migrated|transferred|changed|replaced|swapped)(?= (?:\w+ ){{1,4}}?(?:from|with|for)\b)
    (?:ha|han|he|hemos) (?:{_any(_TURNED_SINCE)})
    took over|taken over|takes over|hand(?:ed|s) (?:\w+ ){{0,4}}?over to|passed (?:\w+ ){{0,4}}?on to|succeed(?:s|ed)
    became|becomes|turned into|instead|rather than|in place of|no longer|any ?more|any longer
    en vez de|en lugar de|ya no""",
    """改为 改成 改到 改名 改用 换成 换到 搬到 推迟到 提前到 延期 涨到 降到
    変更 に変わ 変わり 引っ越 になり 변경 바뀌 바뀐 바꿨 옮겼 연기""",
)
_VALUES = """
    date day time price cost fee rate rent budget limit deadline number password address version owner lead
    fecha hora precio alquiler plazo número presupuesto
"""
_RENEWED = _phrases(
    rf"""(?:new|updated|revised|nuevo|nueva)(?= (?:\w+ )?(?:{_any(_VALUES)})\b)
    as of|with effect from|effective""",
    "新的 新しい 새로운",
)
_NEW = _phrases("new|newly|latest|nuevo|nueva|nuevos|nuevas")
_NOW = _phrases(
    """now|currently|nowadays|these days|from now on|actually|in fact|correction:?
    ahora|actualmente|desde ahora|en realidad""",
    "现在 目前 如今 今は 現在 이제 현재",
)
_GUESSED = _phrases(
    r"""might|(?-i:may)|maybe|perhaps|could|would|should|probably|possibly|likely|considering|thinking|thinks
    proposed?|proposes|suggest(?:s|ed)?|wants?|hopes?|wishes|if|unless|whether|supposed|rumou?red|apparently|asks?
    asked|option|tentative(?:ly)?|tal vez|quizás?|podría|podríamos|propone|propuso|sugiere|quiere|si|parece""",
    r"可能 也许 如果 かもしれ もし 아마 만약 [?？]\s*\Z",
)
# What stands right before a value tells whether it is given as a fact of now: is on, costs, the colon of a label.
_LEADING = """
    now only just still currently exactly approximately roughly about around almost over on at in for by due planned
    scheduled set the de a el la en para ahora
"""
_BETWEEN = rf"(?:\s+(?:up\ to|{_any(_LEADING)}))*\s*\Z"
_COPULA = r"\b(?:is|are|am|will\ be|it['’]s|es|son|está|están|será|serán)\b"
_PRESENT = r"""\b(?:has|have|costs?|needs?|tienen?|cuestan?|valen?|pesan?|miden?|duran?
    |[a-z]+(?<![su])s|(?:I|we|they|you)\ [a-z]+)\b"""
# Happen once, on one day: what other verbs say may be so on several.
_BOUNDARY = r"""\b(?:(?:launch|releas|ship|start|begin|end|finish|open|clos|expir|premier|land|retir|graduat)(?:e?s)?
    |go(?:es)?\ live|runs?\ out|cierran?|abren?|empiezan?|comienzan?|terminan?|acaban?|vencen?|caducan?)\b"""
_TOLD = r"(?:[:：は은는是为在]|です)\s*\Z"
_GIVES_AMOUNT = re.compile(rf"(?:{_COPULA}|{_PRESENT}){_BETWEEN}|{_TOLD}", re.IGNORECASE | re.VERBOSE)
_GIVES_TIME = re.compile(rf"(?:{_COPULA}|{_BOUNDARY}){_BETWEEN}|{_TOLD}", re.IGNORECASE | re.VERBOSE)
_STATE = re.compile(
    r"\b(?:is|are|am|be|it's|\w+['’]s)(?: (?:now|still|currently|usually|always|often|only))* \w+ed\b", re.IGNORECASE
)
_NO_PAST = "need feed speed seed weed breed indeed exceed proceed hundred"
_PAST = """
    was were ran paid bought went met saw spent took ate drank got sold won lost had said told came left gave made did
    flew drove sent wrote began grew found felt kept held cost slept woke swam hit broke caught taught thought brought
    built chose fell rose led read sang sat stood threw wore forgot knew
    fue fueron hizo tuvo vino dijo era eran tenía vivía había pagué compré gasté corrí
"""
_HAPPENED = re.compile(
    rf"\b(?!(?:{_any(_NO_PAST)}|bed|red)\b)[a-z]+ed\b|\b(?:{_any(_PAST)})\b|\b\w+(?:ó|aron|ieron)\b"
    r"|[了た](?=[。\s]*\Z)|했|었습|았습",
    re.IGNORECASE,
)
_WAS_MOVED = re.compile(r"\b(?:was|were)\s*(?=\Z|(?:to|from|until|by)\b)", re.IGNORECASE)
_TASKS = """
    call email mail send buy pay remind book schedule meet visit ask tell pick bring order renew check submit review
    finish prepare get make take see write talk go return
    llamar llama enviar comprar pagar recordar reservar visitar preguntar pedir renovar revisar entregar
"""
_TASK = re.compile(
    rf"\s*(?:please\s+|to ?do:?\s*|remember to\s+|don['’]t forget to\s+)?(?:{_any(_TASKS)})\b", re.IGNORECASE
)
_SOME = re.compile(
    r"\b(?:an?|some|several|many|any|un|una|unos|unas|algún|alguna|varios|varias)\s+"
    r"(?!(?:day|week|month|year|hour|minute|night|person|lot|little|few)\b)",
    re.IGNORECASE,
)
# There are many of each, with a day, an hour or a price of its own.
_OCCASIONS = """
    meeting call appointment train bus flight ferry boat tram class lesson session shift alarm reminder dose pill
    payment dinner lunch breakfast brunch party concert gig workshop webinar meetup seminar training rehearsal demo
    invoice order ticket delivery race match game show film movie lecture exam test visit interview trip meal booking
    reservation
    reunión llamada cita tren autobús vuelo barco clase sesión turno alarma pago factura pedido entrada entrega partido
    película examen visita entrevista viaje reserva cena comida fiesta concierto taller ensayo
"""
_OCCASION = re.compile(rf"\b(?:{_any(_OCCASIONS)})(?:e?s)?\b|会议|会議|회의", re.IGNORECASE)


def unchanged(text: str) -> str:
    """A statement without its words of a change."""
    for words in (_MOVED, _NOW, _NEW):
        text = words.sub(" ", text)
    return " ".join(text.split())


# A statement is compared with many others.
@lru_cache(maxsize=1_000)
def is_switched(text: str) -> bool:
    """Whether it says that something was one way and is another."""
    return bool(_MOVED.search(text))


def is_renewed(text: str) -> bool:
    """Whether it gives a value as the new one: the new price is."""
    return bool(_RENEWED.search(text))


def is_new(text: str) -> bool:
    """Whether it speaks of a new thing, which may stand beside the old one: the new gym."""
    return bool(_NEW.search(text))


def is_guessed(text: str) -> bool:
    """Whether it may be so, or somebody wants it to be."""
    return bool(_GUESSED.search(text))


def gives_amount(head: str) -> bool:
    """Whether what stands before an amount says that something is, has or costs so much now."""
    return bool(_GIVES_AMOUNT.search(head))


def gives_time(head: str) -> bool:
    """Whether what stands before a day or an hour says that something is, begins or ends then."""
    return bool(_GIVES_TIME.search(head))


@lru_cache(maxsize=1_000)
def is_event(text: str) -> bool:
    """Whether it says what happened, which stays so whatever happens next. A change is none, nor is a state."""
    plain = " ".join(word for word in _STATE.sub(" ", text).split() if word.casefold().strip(".,;!") not in CHANGING)
    return bool(_HAPPENED.search(_WAS_MOVED.sub("", plain)))


def is_one_of_many(text: str) -> bool:
    """Whether there may be others of its kind beside it: a task, a train, some meeting."""
    return bool(_TASK.match(text) or _SOME.search(text) or _OCCASION.search(text))
