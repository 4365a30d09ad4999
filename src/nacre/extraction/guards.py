"""Guards against what must never become a fact. Each guard has an id, and each has its own tests.

Three lists: regions of a text that nobody said (`REGIONS`), sentences that state nothing (`SENTENCES`), and words that
name nothing (`names_nothing`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from nacre.extraction.gazetteers import common_words
from nacre.text.stopwords import STOPWORDS
from nacre.text.word_blocks import word_set


@dataclass(frozen=True, slots=True)
class Region:
    """Text that is not the speaker's own words: what `pattern` finds is blanked, and offsets stay."""

    id: str
    pattern: re.Pattern[str]
    # Cheap: without one of these the pattern is not tried.
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceGuard:
    """A sentence for which `holds` is true yields no fact; it yields names only if `names` says so."""

    id: str
    holds: Callable[[str, str], bool]
    names: bool = False


def _region(name: str, pattern: str, *needs: str) -> Region:
    return Region(name, re.compile(pattern, re.MULTILINE), needs)


_PARAGRAPH = r"[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*"

REGIONS = (
    _region("code block", r"^[ \t]*(?:```|~~~)(?:[^`~]|`(?!``)|~(?!~~))*(?:```|~~~|\Z)", "```", "~~~"),
    _region("code", r"`[^`\n]{1,300}`", "`"),
    _region("prompt block",
    r"<(system|context|memory|instructions?|tool_?\w{0,20}|think(?:ing)?)\b[^>\n]{0,200}>(?s:.*?)(?:</\1>|\Z)", "<"),
    _region("prompt block", r"<\|[^|\n]{1,40}\|>", "<|"),
    _region("prompt block", rf"^[ \t]*\[[A-Z][A-Z0-9 _:'/()-]{{3,80}}\]{_PARAGRAPH}", "["),
    _region("prompt block",
    r"^[ \t]*(?:[#*= -]{0,6})(?:Recalled from long-term memory|System prompt|Instructions?:|You are an? (?:AI"
    rf"|assistant|agent|helpful)){_PARAGRAPH}", "Recalled", "System prompt", "Instruction", "You are a"),
    _region("tool JSON", r"^[ \t]*[\[{][ \t]*(?:\n|[\"'{\[\d-])[^\n]*(?:\n[ \t]*[\"'{}\[\]\d-][^\n]*)*", "{", "["),
    _region("tool JSON",
    r"^[^\n]*\"?(?:skill_name|tool_calls?|task_graph|arguments|function_call)\"?[ \t]*[:=][^\n]*",
    "skill_name", "tool_call", "task_graph", "arguments", "function_call"),
    _region("error text",
    r"^[ \t]*Traceback \(most recent call last\)[^\n]*(?:\n[ \t]+[^\n]*)*(?:\n[^\n]*)?", "Traceback"),
    _region("error text",
    r"^[ \t]*(?:at [\w$.<>]+\(|File \"|\.\.\. \d+ more|Caused by:)[^\n]*", "at ", "File ", "...", "Caused"),
    _region("error text",
    r"^(?:[^\n]{0,80}?\b(?:\w{0,60}(?:Error|Exception|Warning)|ERROR|FATAL|WARN)|[ \t]*(?:panic|fatal|error"
    r"|warning))(?:\[\w+\])?:[^\n]*", "rror", "xception", "arning", "ERROR", "FATAL", "WARN", "panic", "fatal"),
    _region("error text", r"^[ \t\[]*\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\n]*", "-"),
    _region("quoted lines", r"^[ \t]*>[^\n]*", ">"),
    _region("headings and tables", r"^[ \t]*(?:#{1,6}[ \t]|\|)[^\n]*", "#", "|"),
    _region("brackets", r"\[[^\[\]\n]{0,300}\](?!\()", "["),
    # One or two quoted words are a title or a nickname; more are somebody's sentence.
    _region("quoted speech", r"[\"“«](?=(?:[^\"“”«»\n]{1,40} ){3})[^\"“”«»\n]{1,600}[\"”»]", '"', "“", "«"),
)  # fmt: skip


def own_words(text: str) -> tuple[str, list[str]]:
    """The text with everything blanked that is not the speaker's own words, and the ids of the guards that did it."""
    blanked, hit = text, []
    for region in REGIONS:
        if any(need in blanked for need in region.needs):
            after = region.pattern.sub(lambda found: "\n" * len(found[0]), blanked)
            if after != blanked:
                hit.append(region.id)
                blanked = after
    return blanked, list(dict.fromkeys(hit))


def _any(words: str) -> str:
    return "|".join(words.split())


_AUXILIARY = _any("""
    do does did is are was were am can could would will shall should has have had isn't aren't don't doesn't didn't
    wasn't won't can't couldn't wouldn't
""")
_ASKED_OF = _any("""
    i you he she it we they there this that these those the my your our his her any anyone anybody someone everyone
""")
_ASKS_FOR = _any("what what's who who's whose where where's when why how how's which")
_PREGUNTA = _any("qué quién quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas acaso")
_ASKED = _any("""
    do does did is are can could would will should has have what what's who where when why how which any
    qué quién cuál cómo cuándo dónde puedes podrías me algún alguna sabes conoces
""")
_ORDERED = _any("""
    search look find show tell give write create make add list explain describe summarize summarise translate generate
    draft compose send open read fetch get buy order book schedule remind set check compare calculate compute
    suggest recommend help act pretend say repeat ignore respond reply answer rewrite edit fix run execute play call
    email message ask let imagine use try consider
    busca buscar dime dame muestra muéstrame escribe crea haz explica resume traduce genera envía manda abre lee
    compra reserva programa recuérdame comprueba calcula sugiere recomienda ayúdame finge repite ignora responde
    corrige ejecuta cuéntame
""")
_DANGLING = _any("""
    a an the my your his her our their in at of to for with and or but is am are was were from by on as than because
    el la los las un una mi tu su en de del con y o pero es soy para por que
""")
_ASKING = re.compile(
    rf"(?:(?:and|so|but|y|pero|hey|also) )?(?:(?:{_AUXILIARY}) (?:{_ASKED_OF}|[\ue000-\ue006]+)(?!\w)"
    rf"|(?:(?:{_ASKS_FOR})|(?:how|what|which) \w+) (?:{_AUXILIARY})(?!\w)|(?:what|who|how|where)'s "
    rf"|(?:{_PREGUNTA})(?!\w))"
)
_TAIL = re.compile(rf"(?:[,;–—-] +|, ?| (?:and|so|but|y|pero) )(?=(?:{_ASKED})\b)")
_INDIRECT = re.compile(r"(?<!\w)(?:wondering|wonder|know|sure|ask|asked|see|check|curious) (?:if|whether)(?!\w)")
# What is only wished for, at the end of what is stated: "im 15 and play drums, wish i lived in LA".
_WISHED = re.compile(r"(?<=\w)(?:[,;–—-] +| (?:and|but|y|pero) )(?=(?:i |we )?(?:wish|if only|ojalá)(?!\w))")
_CONDITIONAL = re.compile(
    # "kitchen manager now, if you don't mind" supposes nothing.
    r"(?<!\w)(?:if(?! (?:you|u|ye) (?:do ?n['’]?t mind|do not mind|please|ask me|must know|can believe)| anyone asks)"
    r"|unless|suppose|supposing|imagine|pretend|hypothetically|wish|as though|what if|let's say|say i"
    r"|in a parallel"
    r"|si|ojalá|imagina|imagínate|supón|supongamos|en caso de que|a menos que|como si)(?!\w)"
)
# What somebody dreamt of while asleep, which is no wish.
DREAMT = r"(?:had|having) (?:a|the|this) (?:\w+ )?dream|dream(?:t|ed) (?:i|that|we)|soñ[ée] (?:que|q|con)"
_HEDGED = re.compile(
    rf"(?<!\w)(?:{DREAMT}|would|could|might|maybe|perhaps|probably|hope|hopes|hoping|dreamed|dreamt|thought|whether"
    r"|wonder|wondering|guess"
    r"|sounds? like|seems?|looks? like|pretending|joking|kidding|thinks|believes|assumes|assumed|lied|as a joke"
    r"|(?:do|does|did) not have|(?:do|does|did)n['’]?t have|no tengo|almost|nearly|never|not"
    r"|no|doubt|heard|'d|quizá|quizás|tal vez|acaso|a lo mejor|podría|creía|pensaba"
    r"|soñé|casi|nunca|dudo|espero que|no creo que)(?!\w)"
)
_FICTION = re.compile(
    r"(?<!\w)(?:in|of) (?:the|this|that|my|a) (?:movie|film|book|novel|story|show|game|series|episode|play|song"
    r"|dream|manga|anime|comic)"
    r"(?!\w)|(?<!\w)(?:main character|protagonist|en (?:la|una|el|un) (?:película|libro|novela|serie|cuento|juego"
    r"|sueño))(?!\w)"
)
_ORDER = re.compile(
    rf"(?!(?:please )?call me [\ue000\ue005])(?:(?:please|kindly|por favor|now|then|ok|okay|hey),? )?(?:{_ORDERED})"
    r"(?:me|lo|la)?(?= )(?! (?:is|was|are"
    r"|were)\b)"
)
_SECRET = re.compile(
    r"(?<!\w)(?:passwords?|passcode|pin|cvv|api key|secret key|private key|contraseña|clave privada|token)(?!\w)"
)
_OPEN_END = re.compile(rf"(?:(?<!\w)(?:{_DANGLING})|[,;:–—-]|\.\.|…)[\"'”’)]*\Z")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def asks(shadow: str, _: str) -> bool:
    return shadow.rstrip("\"'”’)* ").endswith(("?", "？")) or _ASKING.match(shadow) is not None


def supposes(shadow: str, _: str) -> bool:
    return _CONDITIONAL.search(shadow, 0, statement_part(shadow) or len(shadow)) is not None


def tells_a_story(shadow: str, _: str) -> bool:
    return _FICTION.search(shadow) is not None


def orders(shadow: str, _: str) -> bool:
    return _ORDER.match(shadow) is not None


def holds_a_secret(shadow: str, _: str) -> bool:
    return _SECRET.search(shadow) is not None


def breaks_off(shadow: str, _: str) -> bool:
    return _OPEN_END.search(shadow) is not None


def shouts(_: str, said: str) -> bool:
    """Most letters are capitals, so capitals say nothing."""
    # Few sentences have so many capitals as it takes, and every sentence is asked.
    if " " not in said or sum(map(str.isupper, said)) < 5:
        return False
    letters = [letter for letter in said if letter.isalpha()]
    return len(letters) >= 8 and sum(letter.isupper() for letter in letters) > 0.6 * len(letters)


def is_heading(_: str, said: str) -> bool:
    """Nearly every word has a capital and no sentence ends."""
    if said.endswith((".", "!", "?")):
        return False
    words = _WORD.findall(said)
    return len(words) >= 5 and sum(word[0].isupper() for word in words) >= 0.8 * len(words)


SENTENCES = (
    SentenceGuard("shouting", shouts),
    SentenceGuard("heading", is_heading),
    SentenceGuard("order", orders),
    SentenceGuard("secret", holds_a_secret),
    SentenceGuard("question", asks, names=True),
    SentenceGuard("hypothetical", supposes, names=True),
    SentenceGuard("story", tells_a_story, names=True),
    SentenceGuard("partial sentence", breaks_off, names=True),
)


def statement_part(shadow: str) -> int:
    """Where the statement before a question ends: "I moved to Rome, any tips?" states something; 0 if nothing does."""
    indirect = _INDIRECT.search(shadow) or _WISHED.search(shadow)
    end = indirect.start() if indirect else len(shadow)
    if not asks(shadow, ""):
        return end
    tail = None if _ASKING.match(shadow) else _TAIL.search(shadow)
    return min(end, tail.start()) if tail else end if indirect else 0


# "No I live in Dallas" denies what was said before, not what follows.
_OPENER = re.compile(r"\s*(?:no|nope|nah)[,.]? (?=(?:i|we|he|she|they|my|our|actually|wait|[\ue000-\ue008]+)(?!\w))")
_FOLLOWS = re.compile(r" (?:btw )?(?:so|because|cos|cuz|así que|porque) | (?:and|but|y|pero) (?:no longer|not|ya no) ")
_CLAUSE_END = re.compile(r"[,;:–—]| - | (?:but|because|so|although|though|pero|porque|aunque) ")


def is_hedged(shadow: str, start: int, end: int) -> bool:
    """Whether the clause that ends at `end` is only thought, hoped or doubted."""
    opener = _OPENER.match(shadow)
    begin = opener.end() if opener else 0
    for boundary in _CLAUSE_END.finditer(shadow, 0, start):
        begin = boundary.end()
    # What follows from a statement does not deny it: "allergic to peanuts so no satay".
    follows = _FOLLOWS.search(shadow, start, end)
    return _HEDGED.search(shadow, begin, follows.start() if follows else end) is not None


_GENERIC = word_set("""
    team company office boss manager guy guys folks lads mates girl man woman people person friend friends family kids
    everyone someone nobody something thing things stuff place home work school college job life way time day night week
    weekend month year today lot lots bit idea fact point problem issue question answer reason part kind type sort
    one ones other others same world city town country state street road house room hotel restaurant hospital church
    group club store shop bank government police internet web phone computer car dog cat baby child children mom dad
    mother father wife husband it this that these those here there him her them us me you he she they we i who what
    which where when equipo empresa oficina jefe gente persona amigo amigos familia alguien nadie algo cosa cosas
    casa trabajo escuela vida manera tiempo día noche semana mes año mundo ciudad pueblo país calle tienda banco
    hospital esto eso aquí allí
""")


_SMALL = STOPWORDS["en"] | STOPWORDS["es"]


def says_nothing(phrase: str) -> bool:
    """Whether a phrase holds only small and generic words."""
    return all(word in _GENERIC or word in _SMALL for word in phrase.casefold().replace("’", "'").split())


def names_nothing(name: str) -> bool:
    """Whether a name is a pronoun, a weekday, a generic word, a number: nothing an entity may be called."""
    words = name.casefold().replace("’", "'").split()
    if not any(letter.isalpha() for letter in name):
        return True
    return all(word in common_words() or word in _GENERIC for word in words)
