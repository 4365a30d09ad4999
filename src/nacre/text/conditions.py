"""Conditions: words that name what somebody suffers from, and nobody can be allergic to or own."""

import re

_WORDS = (
    r"\w{3,}(?:itis|osis)|psoriasis|(?:an|leuk|leuc)a?emia|(?:neur|my|mi|fibromy|fibromi)algia|neuropat(?:hy|ía)",
    r"h[iy]p(?:o|er)(?:th?[iy]roid|tens|gl[uy]c|chol|col|lip|activ)\w+",
    r"asthma\w*|asma\w*|copd|epoc|migra(?:ine|ña)s?|e[ck]zema|rosacea|(?:hay|glandular) ?fever",
    r"epilep\w+|diabet\w+|(?:coeliac|cel[ií]a[cq])\w*|crohn['’]?s?|ibs|pcos|lupus|gout|autis\w+|adhd|tdah",
    r"cancer|cáncer|dementia|demencia|alzheimer\w*|parkinson\w*|stroke|ictus|angina|arrhythmia|arritmia",
    r"blood pressure|tensión (?:alta|baja)|cholesterol|colesterol|bad (?:back|knee|hip|shoulder|neck|heart)s?",
    r"sciatica|ciática|hernia\w*|glaucoma|tinnitus|vertigo|vértigo|reflux|reflujo|ulcers?|úlceras?",
    r"depression|depresión|anxiety|ansiedad|insomni\w+",
)
_CONDITION = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


def names_condition(words: str) -> bool:
    """Whether some words name an illness or another state of the body that lasts."""
    return _CONDITION.search(words) is not None
