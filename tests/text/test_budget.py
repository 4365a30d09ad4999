import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nacre.text import budget
from nacre.text.budget import count_tokens, fit
from tests.text.strategies import texts

ENGLISH = (
    "Last weekend we drove up to the lake with my brother and his two kids. The water was freezing, but they jumped in "
    "anyway and wouldn't come out until dinner. Anna brought her guitar, so we sat around the fire and sang old songs "
    "for hours. I'd love to go back in October when the leaves turn, maybe with the whole team from work this time."
)
SPANISH = (
    "Ayer por la tarde fui con mi hermana al mercado de la plaza para comprar verduras frescas, porque "
    "queríamos preparar una cena especial para el cumpleaños de nuestra abuela. Ella cumple ochenta y siete "
    "años este fin de semana y toda la familia se reunirá en su casa de Valladolid. Mi primo Alejandro, que "
    "trabaja como ingeniero en una empresa de telecomunicaciones, llegará en tren desde Barcelona el viernes "
    "por la noche. Me dijo que quizá traiga a su novia, aunque todavía no está seguro."
)
GERMAN = (
    "Gestern Nachmittag bin ich mit meiner Schwester zum Wochenmarkt gegangen, weil wir für den Geburtstag "
    "unserer Großmutter ein besonderes Abendessen vorbereiten wollten. Sie wird am Wochenende siebenundachtzig"
    " Jahre alt, und die ganze Verwandtschaft trifft sich in ihrem Haus bei Regensburg. Mein Cousin Friedrich,"
    " der als Ingenieur bei einem Telekommunikationsunternehmen arbeitet, kommt am Freitagabend mit dem Zug "
    "aus Hamburg. Er meinte, dass er vielleicht seine Freundin mitbringt, obwohl er sich noch nicht ganz "
    "sicher ist."
)
RUSSIAN = (
    "Вчера днём мы с сестрой ходили на рынок за свежими овощами, потому что хотели приготовить особенный ужин "
    "ко дню рождения нашей бабушки. В эти выходные ей исполняется восемьдесят семь лет, и вся семья соберётся "
    "в её доме под Нижним Новгородом. Мой двоюродный брат Александр, который работает инженером в "
    "телекоммуникационной компании, приедет на поезде из Екатеринбурга в пятницу вечером. Он сказал, что, "
    "возможно, привезёт свою девушку, хотя пока не уверен."
)
CHINESE = (
    "昨天下午我和姐姐一起去市场买新鲜蔬菜，因为我们想为奶奶的生日准备一顿特别的晚餐。这个周末她就满八十七"
    "岁了，全家人都会聚在她杭州附近的家里。我的表哥在一家通信公司当工程师，星期五晚上会坐火车从广州过来。"
    "他说也许会带女朋友来，不过现在还不确定。"
)
JAPANESE = (
    "昨日の午後、祖母の誕生日に特別な夕食を用意したかったので、姉と一緒に市場へ新鮮な野菜を買いに行きまし"
    "た。祖母は今週末に八十七歳になり、家族全員が京都の近くにある彼女の家に集まります。通信会社でエンジニ"
    "アとして働いている従兄弟の健太郎は、金曜日の夜に新幹線で福岡から来る予定です。彼女を連れて来るかもし"
    "れないと言っていましたが、まだはっきりしていません。"
)
JSON = '{"id": 4821, "user": {"name": "Marta", "tags": ["beta-tester"]}, "price": 14.99, "paid": true, "note": null}'
CODE = """\
def load_settings(path: Path, *, strict: bool = True) -> dict[str, object]:
    if not path.exists():
        raise FileNotFoundError(f"No settings at {path!r}")
    raw = json.loads(path.read_text(encoding="utf-8"))
    unknown = set(raw) - {"host", "port", "user_name", "sslMode"}
    if strict and unknown:
        raise ValueError(f"Unknown keys: {sorted(unknown)}")
    return {key.lower(): value for key, value in raw.items() if value is not None}
"""
# The larger of the counts in cl100k_base and o200k_base.
KNOWN = {
    ENGLISH: 75,
    SPANISH: 122,
    GERMAN: 132,
    RUSSIAN: 227,
    CHINESE: 149,
    JAPANESE: 205,
    JSON: 44,
    CODE: 119,
}


@pytest.mark.parametrize(("text", "tokens"), KNOWN.items(), ids=["en", "es", "de", "ru", "zh", "ja", "json", "code"])
def test_a_count_is_a_little_more_than_a_tokeniser_finds(text, tokens):
    assert tokens <= count_tokens(text) <= 1.25 * tokens


def test_nothing_costs_nothing():
    assert count_tokens("") == 0


@given(texts.filter(bool))
def test_something_costs_at_least_one_token(text):
    assert count_tokens(text) >= 1


@given(texts, st.integers(-1, 40))
@example("one two", 2)
def test_a_fitted_text_is_never_over_budget(text, budget):
    fitted = fit(text, budget)

    assert count_tokens(fitted) <= max(0, budget)


@given(texts, st.integers(0, 40))
def test_a_fitted_text_is_the_text_or_a_beginning_of_it(text, budget):
    fitted = fit(text, budget)

    assert fitted in {text, ""} or text.startswith(fitted.removesuffix("…"))
    assert (fitted == text) == (count_tokens(text) <= budget)


def test_a_cut_is_after_a_word_and_marked():
    assert fit("alpha beta gamma delta epsilon zeta", 6) == "alpha beta gamma delta…"
    assert fit("東京都に住んでいます。", 8).endswith("…")


def test_one_more_word_would_not_have_fitted():
    fitted = fit(ENGLISH, 40)
    words = ENGLISH.split()
    longer = " ".join(words[: len(fitted.split()) + 1]) + "…"

    assert count_tokens(longer) > 40


def test_a_word_longer_than_the_budget_leaves_nothing():
    assert fit("x" * 5_000 + " and more", 10) == ""


def test_a_change_of_language_is_noticed_along_the_way():
    assert count_tokens(ENGLISH * 10 + GERMAN * 10) > 1.2 * count_tokens(ENGLISH * 20)


def test_fitting_a_very_long_text_reads_only_its_beginning():
    """Reading all of it takes over a second."""
    text = f"{ENGLISH} " * 15_000
    started = time.perf_counter()

    fitted = fit(text, 1_000)

    assert time.perf_counter() - started < 0.5
    assert 950 <= count_tokens(fitted) <= 1_000


@pytest.mark.parametrize("unit", ["x", ".", " ", "\n", " .", "1", "aA", "漢", "'", "\r\n "])
def test_a_hostile_text_is_counted_in_linear_time(unit):
    assert count_tokens(unit * 300_000) > 1_000


@given(
    st.lists(st.sampled_from(["a", "Ana", "'s", " ", "  ", "\n", "\n  ", "\t", "\xa0", ".", "é", "и", "12345", "\0"]))
)
def test_a_text_cut_at_its_spaces_costs_what_its_pieces_cost(parts):
    text = "".join(parts)

    assert budget._price_of(text, "en") == sum(budget._PRICES["en"][piece] for piece in budget._PIECE.findall(text))
