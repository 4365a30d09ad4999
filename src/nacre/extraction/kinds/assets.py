"""Crypto assets: what they cost, how they moved, who holds them."""

from nacre.domain.entities import EntityType
from nacre.extraction.rules import FactTemplate, TimeBound, claim, link, rule

_NUMBER = r"(?:\d[\d.,]*\d|\d)"
MONEY = (
    rf"(?P<what>(?:[$€£] ?(?:{_NUMBER})(?: ?k(?!\w)| ?m(?!\w)| million| mil)?|(?:{_NUMBER})(?: ?k)? ?(?:usd|eur"
    r"|usdt|dollars|euros|dólares|€|\$)))"
)
_CHANGE = rf"(?P<what>[+−-]? ?(?:{_NUMBER}) ?%)"
PRICE = FactTemplate(link="has_price", literal=True)

RULES = (
    rule("assets.price", "en", "#asset",
         r"<who:asset>(?:'s)?(?: price)?(?: (?:is|was|has|now|currently|just|trading|trades|hit|hits|reached|costs"
         r"|worth|at|around|about|sitting|hovering|back|dropped|fell|rose|climbed|crashed|jumped|up|down|to|above"
         rf"|below|over|under))+ {MONEY}",
         PRICE, confidence=0.9, hedges=True),
    rule("assets.price_paren", "en", "#asset",
         rf"<who:asset> ?[(:=@] ?{MONEY}",
         PRICE, confidence=0.85),
    rule("assets.fell", "en", "#asset",
         r"<who:asset>(?: (?:is|has|was|already|now))* (?:down|dropped|fell|lost|crashed|dipped|bajó|cayó|perdió"
         rf"|baja|cae|ha bajado|ha caído)(?: by| about| around| over| un)* {_CHANGE}",
         claim("market/general/change", literal=True, detail="-")),
    rule("assets.rose", "en", "#asset",
         r"<who:asset>(?: (?:is|has|was|already|now))* (?:up|rose|gained|climbed|jumped|surged|pumped|subió|ganó"
         rf"|sube|ha subido)(?: by| about| around| over| un)* {_CHANGE}",
         claim("market/general/change", literal=True, detail="+")),
    rule("assets.change_paren", "en", "#asset",
         rf"<who:asset> ?\((?:[^()]{{0,30}}[, ])?(?P<what>[+−-] ?(?:{_NUMBER}) ?%)",
         claim("market/general/change", literal=True), confidence=0.85),
    rule("assets.holds", "en", "#asset",
         r"<who>(?:<has>)?<adv> (?:own|owns|hold|holds|holding|have|has|bought|stake|staked)(?: about| around"
         rf"| some)?(?: {_NUMBER})? <asset>",
         link("owns", EntityType.ASSET), confidence=0.85),
    rule("assets.invested", "en", "#asset",
         r"<who>(?:<now>|<has>)?<adv> (?:invested|invest|invests|investing) in <asset>",
         link("owns", EntityType.ASSET, bound=TimeBound.BEGINS), confidence=0.8),
    rule("assets.precio", "es", "#asset",
         r"(?:el precio (?:de|del) )?<who:asset>(?: (?:está|cotiza|vale|cuesta|llegó|ha|alcanzado|ya|ahora|en|a|los"
         rf"|unos|casi|es|de))+ {MONEY}",
         PRICE),
    rule("assets.tengo", "es", "#asset",
         rf"(?:<who> )?(?:tengo|compré|tiene|he comprado)(?: {_NUMBER})?(?: de)? <asset>",
         link("owns", EntityType.ASSET), confidence=0.85, check="spanish first person"),
)  # fmt: skip
