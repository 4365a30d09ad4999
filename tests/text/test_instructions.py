"""Instructions: what is meant for every reply, told from tasks for once and from stories."""

import pytest

from nacre.text.instructions import InstructionKind, find_instructions

LANGUAGE, LENGTH, FORMALITY, OTHER = InstructionKind


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("pls keep answers short, and code in Go not python", ["keep answers short", "code in Go not python"]),
        ("please dont give me long lists", ["dont give me long lists"]),
        ("no emojis please", ["no emojis"]),
        ("Give me code first, explanation after", ["Give me code first, explanation after"]),
        ("dont send me reminders after 9pm", ["dont send me reminders after 9pm"]),
        (
            "you can write longer answers now but still no emojis",
            ["you can write longer answers now", "still no emojis"],
        ),
        ("always cc my wife on invoices", ["always cc my wife on invoices"]),
        ("From now on use metric units", ["From now on use metric units"]),
        ("can you explain things like I'm five?", ["explain things like I'm five?"]),
        ("talk to me like a friend", ["talk to me like a friend"]),
        ("stop apologising all the time", ["stop apologising all the time"]),
        ("i'd rather you asked before sending anything", ["i'd rather you asked before sending anything"]),
        ("Por favor, respóndeme siempre en español", ["respóndeme siempre en español"]),
        ("bitte antworte kurz und auf Deutsch", ["antworte kurz und auf Deutsch"]),
        ("réponds-moi en français", ["réponds-moi en français"]),
        ("two lines max when you answer me", ["two lines max when you answer me"]),
        ("you can write me normal length now", ["you can write me normal length now"]),
        ("pero tutéame, nada de usted", ["tutéame, nada de usted"]),
        ("two sentences are enough for me", ["two sentences are enough for me"]),
        ("explain everything as if i had never cooked", ["explain everything as if i had never cooked"]),
        ("keep it blunt n short with me", ["keep it blunt n short with me"]),
        ("btw keep things short w me", ["keep things short w me"]),
        ("can you always reply in Spanish", ["always reply in Spanish"]),
        ("contestame cortito por favor", ["contestame cortito"]),
        ("háblame de usted y al grano", ["háblame de usted y al grano"]),
        ("please correct my spelling when i write to clients", ["correct my spelling when i write to clients"]),
        ("tratame de vos porfa", ["tratame de vos"]),
        ("Keep your answers short from now on, ok?", ["Keep your answers short from now on, ok?"]),
        ("Answer me in metric units only.", ["Answer me in metric units only"]),
        ("and kilos not pounds pls", ["kilos not pounds"]),
        (
            "and please no american measurements, grams and ml only",
            ["no american measurements, grams and ml only"],
        ),
        ("metric only please", ["metric only"]),
        ("use celsius and km please, never fahrenheit", ["use celsius and km", "never fahrenheit"]),
        ("prices in euros please", ["prices in euros"]),
        ("24 hour clock please", ["24 hour clock"]),
        ("nada de onzas, solo gramos", ["nada de onzas, solo gramos"]),
        ("tutéame siempre y respuestas cortas porfa", ["tutéame siempre", "respuestas cortas"]),
        ("ya puedes extenderte más", ["ya puedes extenderte más"]),
        ("no table please, just write", ["no table please, just write"]),
        ("im dislexic so short sentances pls", ["im dislexic so short sentances"]),
    ],
)
def test_what_is_meant_to_last_is_an_instruction_in_its_own_words(sentence, told):
    found = list(find_instructions(sentence))

    assert [each.text for each in found] == told
    assert [sentence[slice(*each.span)] for each in found] == told


@pytest.mark.parametrize(
    "sentence",
    [
        "write an email to my boss, keep it short",
        "If I ever win the lottery I'd move to Lisbon and never look at a bedpan again.",
        "give me a list of good books",
        "the recipe uses grams only",
        "no tickets left, only pounds accepted",
        "can you convert 3 cups to grams please",
        "Give me ten sentences.",
        "please make a list of things to pack",
        "write a reply to this email in Spanish",
        "my boss told me to keep emails short",
        "she always answers in Spanish",
        "we never use emojis at work",
        "I never eat meat",
        "never mind, found it",
        "never slept so badly in my life",
        "no more night shifts for me",
        "the vet was clear, no more table scraps",
        "what do you like in your answers?",
        "it matters when you suggest restaurants",
        "Lidl has got hopeless, so from now on the big shop is Aldi",
        "doing late shifts from now on, thu to sun",
    ],
)
def test_tasks_stories_and_questions_are_none(sentence):
    assert list(find_instructions(sentence)) == []


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("answer me in english", LANGUAGE),
        ("short answers only please", LENGTH),
        ("háblame de usted y al grano", FORMALITY),
        ("no jargon please", OTHER),
    ],
)
def test_a_language_a_length_and_a_formality_are_told_from_the_rest(sentence, kind):
    assert [each.kind for each in find_instructions(sentence)] == [kind]
