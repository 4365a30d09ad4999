"""Amounts that a statement names, as quantities: money, numbers with their units, labels and codes."""

import re
from collections.abc import Iterator

from nacre.text.letters import UNSPACED, fold
from nacre.text.measures import Measure, Quantity
from nacre.text.stems import lexicon


def _any(names: str) -> str:
    return "|".join(sorted(map(re.escape, names.split()), key=len, reverse=True))


def _read(block: str) -> frozenset[str]:
    return frozenset(block.split())


_SCALES = {"k": 3, "thousand": 3, "mil": 3, "m": 6, "million": 6, "millón": 6, "millones": 6, "bn": 9, "billion": 9}
_SCALES |= {"千": 3, "천": 3, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8}
_AMOUNT = r"(?P<amount{0}>\d+(?:[.,]\d+)*)" + rf"(?:\s?(?P<scale{{0}}>{_any(' '.join(_SCALES))})(?![^\W_{UNSPACED}]))?"
_CURRENCIES = {
    name: line.split()[0]
    for line in (
        "eur € euro euros",
        "usd $ dollar dollars dólar dólares bucks",
        "gbp £ pound pounds quid",
        "jpy ¥ yen 円",
        "cny yuan rmb 元 块",
        "krw won 원",
        "chf francs franc",
        "mxn pesos peso",
    )
    for name in line.split()
}
# No digit of a longer number or word; a script without spaces may stand before it.
_FRESH = rf"(?<![^\W{UNSPACED}])(?<![.,:/-])"
_MONEY = re.compile(
    rf"{_FRESH}(?:(?P<sign>[€$£¥])\s?{_AMOUNT.format(1)}"
    rf"|{_AMOUNT.format(2)}\s?(?P<name>{_any(' '.join(_CURRENCIES))})(?![^\W_{UNSPACED}]))",
    re.IGNORECASE,
)
# How often it is due, or for what, belongs to an amount: 39 euros a month.
_RATES = {
    name: line.split()[0]
    for line in (
        "minute min minuto",
        "hour hourly hora",
        "day daily día",
        "night noche",
        "week weekly semana",
        "month monthly mes mensuales",
        "year yearly annually año anuales",
        "person head persona",
        "user usuario",
    )
    for name in line.split()
}
_RATE = re.compile(
    rf"\s*(?:(?:/|\b(?:an?|per|each|every|por|al|a la|cada)\s)\s?)?\b(?P<rate>{_any(' '.join(_RATES))})\b",
    re.IGNORECASE,
)
# Digits with a hyphen or spaces between groups, or too many to count with.
_CODE = re.compile(
    rf"{_FRESH}(?:\+?\d[\d ]{{0,20}}[-–]\d[\d –-]{{0,30}}\d|\+\d[\d ]{{6,20}}\d|\d{{5,}}|0\d{{2,}})(?![\w.,/%])"
)
_NUMBER = re.compile(rf"{_FRESH}{_AMOUNT.format('')}(?P<percent>\s?%)?(?![\d/:-])")
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
)
_COUNTS = {word: str(number) for block in _WORDS for number, word in enumerate(block.split())}
# `One` and `uno` stand for somebody as often as they count.
_COUNT = re.compile(rf"\b(?P<count>{_any(' '.join(_COUNTS.keys() - {'one', 'uno'}))})\b(?=[\s-])", re.IGNORECASE)
# Small words as people type them.
_TYPED_SHORT = frozenset(
    ("til", "till", "cause", "cos", "cuz", "coz", "bc", "btw", "tho", "thru", "obvs", "pls", "tbh", "lol")
)
_UNIT = re.compile(rf"[\s-]?(?P<unit>[^\W\d_{UNSPACED}]+)|(?P<counter>[{UNSPACED}])")
_BEFORE = re.compile(r"(?P<word>[^\W\d_][\w'’.-]{0,40})\s+\Z")
# How far back that word may begin.
_REACH = 40
_NUMBERED = _read("""
    room bus flight gate chapter page unit apartment flat level phase step number no track line platform route highway
    terminal season episode sprint release week day quarter grade version floor building group team ticket issue table
    volume part lesson option exit zone bay desk stage round house section form class
    sala vuelo puerta capítulo página fase paso número línea andén ruta temporada versión planta piso mesa grupo
""")
_NOT_NAMES = _read("the a an is are was were at on in to of and or for by with from about el la los las un una es son")
_ALIKE = {"kilomet": "km", "kilometr": "km", "kilo": "kg", "kilogram": "kg", "minut": "min", "hour": "h", "hr": "h"}
_ALIKE |= {"metr": "m", "meter": "m", "percent": "%", "hor": "h"}


def find_money(text: str) -> Iterator[Quantity]:
    """The amounts of money of a text."""
    for found in _MONEY.finditer(text):
        shape = "1" if found["sign"] else "2"
        currency = _CURRENCIES[(found["sign"] or found["name"]).casefold()]
        rate = _RATE.match(text, found.end())
        unit = f"{currency}/{_RATES[rate['rate'].casefold()]}" if rate else currency
        worth = number_worth(found[f"amount{shape}"], found[f"scale{shape}"])
        yield Quantity(Measure.MONEY, found.start(), rate.end() if rate else found.end(), worth, unit)


def find_codes(text: str) -> Iterator[Quantity]:
    """The digits of a text that nobody counts with."""
    for found in _CODE.finditer(text):
        yield Quantity(Measure.CODE, found.start(), found.end(), re.sub(r"\D", "", found[0]))


def find_numbers(text: str) -> Iterator[Quantity]:
    """The numbers of a text, each with what it counts or names."""
    for found in _NUMBER.finditer(text):
        worth = number_worth(found["amount"], found["scale"])
        before = _BEFORE.search(text, max(0, found.start() - _REACH), found.start())
        if found["percent"]:
            yield Quantity(Measure.NUMBER, found.start(), found.end(), worth, "%")
        elif is_address(text, found.end()):
            continue
        elif before and not found["scale"] and _names(before["word"], text[: before.start()]):
            yield Quantity(Measure.LABEL, before.start(), found.end(), found["amount"], _stem(before["word"]))
        else:
            yield _counted(text, found, worth)
    for found in _COUNT.finditer(text):
        counted = _counted(text, found, _COUNTS[found["count"].casefold()])
        if counted.unit:
            yield counted


def is_address(text: str, end: int) -> bool:
    """Whether a name follows a number, which then is part of it: 4 Birch Lane."""
    following = _UNIT.match(text, end)
    return bool(following and following["unit"] and following["unit"][0].isupper() and following["unit"][1:2].islower())


def _names(word: str, before: str) -> bool:
    """Whether the number after a word names it."""
    if word.casefold() in _NOT_NAMES:
        return False
    return word.casefold() in _NUMBERED or (word[0].isupper() and bool(before.strip()))


def rate_after(text: str, end: int) -> tuple[str, int] | None:
    """How often or for what an amount that ends here is meant, and where that ends: a month, per person."""
    found = _RATE.match(text, end)
    return (_RATES[found["rate"].casefold()], found.end()) if found else None


def is_small_word(word: str) -> bool:
    """Whether a word is none that amounts count: "380 til the tins are done"."""
    plain = word.casefold()
    return plain in _TYPED_SHORT or any(lexicon(language)[plain].stop for language in ("en", "es"))


def _counted(text: str, match: re.Match[str], worth: str) -> Quantity:
    following = _UNIT.match(text, match.end())
    if following and following["counter"]:
        return Quantity(Measure.NUMBER, match.start(), match.end(), worth, following["counter"])
    word = following["unit"] if following else ""
    if not word or is_small_word(word):
        return Quantity(Measure.NUMBER, match.start(), match.end(), worth)
    end = following.end() if following else match.end()
    rate = _RATE.match(text, end)
    unit = _stem(word)
    unit = f"{_ALIKE.get(unit, unit)}{'/' + _RATES[rate['rate'].casefold()] if rate else ''}"
    return Quantity(Measure.NUMBER, match.start(), rate.end() if rate else end, worth, unit)


def _stem(word: str) -> str:
    return lexicon("en")[fold(word.casefold())].text


def number_worth(amount: str, scale: str | None) -> str:
    """What a number is worth: 1,200 and 1.200 are 1200, 39.50 is 39.5, 40k is 40000."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", amount) and not scale:
        plain = re.sub(r"[.,]", "", amount)
    else:
        whole, sign, part = amount.rpartition("." if amount.rfind(".") > amount.rfind(",") else ",")
        plain = f"{re.sub(r'[.,]', '', whole)}.{part}" if sign else part
    value = float(plain) * 10 ** _SCALES.get((scale or "").casefold(), 0)
    return f"{value:.10g}"
