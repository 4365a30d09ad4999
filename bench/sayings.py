"""What people say in a simulated month: how they tell a fact, tell it again, take it back, and talk of other things.

Written as people talk, before anything was measured with it, and not changed for what the rules of extraction can read.
`{v}` is the value, `{w}` another one that it replaces or is mistaken for, `{s}` the person it is about.
"""


def _lines(block: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in block.strip().splitlines())


CITIES = (
    "Porto",
    "Leeds",
    "Graz",
    "Turin",
    "Ghent",
    "Malmö",
    "Bristol",
    "Lyon",
    "Gdańsk",
    "Bergen",
    "Utrecht",
    "Sevilla",
)
FIRMS = (
    "Kestrel Labs",
    "Northwind",
    "Banco Azul",
    "Halden Energy",
    "Pixelry",
    "Ortega & Sons",
    "Quillon",
    "Verdant Foods",
    "Tidewater",
    "Lumen Health",
    "Grupo Salinas",
    "Foxglove Studio",
)
PARTNERS = (
    "Elena",
    "Tobias",
    "Priya",
    "Callum",
    "Noor",
    "Henrik",
    "Sofía",
    "Dario",
    "Ingrid",
    "Mateo",
    "Yusuf",
    "Hanna",
)
PETS = ("Biscuit", "Luna", "Pickle", "Rocky", "Mochi", "Nala", "Otto", "Canela", "Fig", "Bruno", "Tofu", "Saffron")
DRINKS = ("oolong tea", "black coffee", "ginger beer", "horchata", "iced matcha", "sparkling water", "hot chocolate")
FOODS = ("olives", "cilantro", "mushrooms", "anchovies", "blue cheese", "liver", "beetroot", "aubergine")
ALLERGENS = ("peanuts", "shellfish", "penicillin", "latex", "pollen", "kiwi")
DATES = ("3 May", "12 August", "27 October", "9 January", "18 March", "30 November", "6 July", "21 February")

VALUES = {
    "home": CITIES,
    "employer": FIRMS,
    "partner": PARTNERS,
    "pet": PETS,
    "drink": DRINKS,
    "dislike": FOODS,
    "allergy": ALLERGENS,
    "birthday": DATES,
}

Templates = dict[str, tuple[str, ...]]

# By kind, what is done (state, change, end) and who speaks of whom.
SAYINGS: dict[str, dict[str, Templates]] = {
    "home": {
        "state": {
            "own": (
                "I live in {v}, by the way.",
                "I'm based in {v}.",
                "Home is {v} for me, has been for years.",
                "We're a bit far out, {v}, so count on me being late.",
            ),
            "other": ("{s} lives in {v}.", "I think {s}'s place is in {v}."),
            "es": ("Vivo en {v}.", "Yo soy de fuera, pero mi casa está en {v}."),
        },
        "change": {
            "own": (
                "It's official: I moved to {v} on the weekend.",
                "Boxes everywhere, but I'm in {v} now.",
                "Signed the lease. From today {v} is home.",
                "We left {w} for good. {v} it is!",
                "I've moved from {w} to {v}, in case anybody still sends post.",
            ),
            "other": ("{s} moved to {v}, did you hear?", "{s} lives in {v} now, not in {w} anymore."),
            "es": ("Me he mudado a {v}, por fin.", "Dejamos {w}, ahora vivo en {v}."),
        },
    },
    "employer": {
        "state": {
            "own": (
                "I work at {v}.",
                "I'm with {v}, in logistics.",
                "My day job is at {v}, don't tell my boss I'm here.",
            ),
            "other": ("{s} works at {v}, as far as I know.", "{s} is at {v}."),
            "es": ("Trabajo en {v}.", "Yo curro en {v}, ya sabes."),
        },
        "change": {
            "own": (
                "First day at {v} today!",
                "I've switched to {v}. Same work, better coffee.",
                "Guess who got hired by {v}. Me!",
                "I left {w}, I'm working for {v} now.",
            ),
            "other": ("{s} got a job at {v}!", "{s} went from {w} to {v}."),
            "es": ("He empezado a trabajar en {v}.", "He dejado {w} y ahora estoy en {v}."),
        },
        "end": {
            "own": (
                "I quit {v} yesterday.",
                "I don't work at {v} anymore.",
                "They let me go at {v}. Not great.",
                "That's it with {v}, I handed in my badge.",
            ),
            "other": ("{s} left {v}.", "{s} doesn't work at {v} any longer."),
            "es": ("Ya no trabajo en {v}.",),
        },
    },
    "partner": {
        "state": {
            "own": ("My partner {v} says hi.", "{v} and I have been together for ages.", "I'm married to {v}."),
            "other": ("{s} is with {v}, you knew that.", "{s}'s partner is called {v}."),
            "es": ("Mi pareja se llama {v}.",),
        },
        "change": {
            "own": (
                "I'm seeing {v} now, and it's serious.",
                "{v} and I are together!",
                "I got engaged to {v} last night.",
            ),
            "other": ("{s} is dating {v}.",),
            "es": ("Estoy saliendo con {v}.",),
        },
        "end": {
            "own": ("{v} and I broke up.", "I'm single again, {v} moved out."),
            "other": ("{s} and {v} split up, sadly.",),
            "es": ("Lo he dejado con {v}.",),
        },
    },
    "pet": {
        "state": {
            "own": ("My dog {v} ate half a sofa once.", "I have a cat called {v}."),
            "other": ("{s} has a dog named {v}.",),
            "es": ("Tengo un perro que se llama {v}.",),
        },
        "change": {
            "own": (
                "We adopted a dog, his name is {v}.",
                "Meet {v}, our new cat.",
                "I got a puppy and called her {v}!",
            ),
            "other": ("{s} adopted a cat, {v}.",),
            "es": ("Hemos adoptado una gata, {v}.",),
        },
        "end": {
            "own": ("{v} died last night. Best dog I ever had.", "We had to give {v} away."),
            "other": ("{s}'s dog {v} died.",),
            "es": ("Se ha muerto {v}.",),
        },
    },
    "drink": {
        "state": {
            "own": ("My favourite drink is {v}.", "I could live on {v}, honestly.", "Nothing beats {v}."),
            "other": ("{s} always orders {v}.", "{s}'s favourite drink is {v}."),
            "es": ("Mi bebida favorita es {v}.",),
        },
        "change": {
            "own": (
                "I've gone off {w}, it's {v} for me now.",
                "{v} is my new favourite drink.",
                "I prefer {v} these days.",
            ),
            "other": ("{s} doesn't drink {w} anymore, only {v}.",),
            "es": ("Ahora prefiero {v}.",),
        },
    },
    "dislike": {
        "state": {
            "own": ("I can't stand {v}.", "I hate {v}, keep it off my plate.", "{v}? No thanks, never liked it."),
            "other": ("{s} hates {v}.",),
            "es": ("No soporto {v}.", "Odio {v}."),
        },
        "end": {
            "own": ("Turns out I like {v} after all.", "I don't hate {v} anymore."),
            "other": ("{s} has come round to {v}.",),
            "es": ("Al final me gusta {v}.",),
        },
    },
    "allergy": {
        "state": {
            "own": (
                "I'm allergic to {v}.",
                "Careful with {v}, I'm allergic.",
                "The doctor says it's {v}. An allergy, at my age.",
            ),
            "other": ("{s} has an allergy to {v}.",),
            "es": ("Tengo alergia a {v}.",),
        },
    },
    "birthday": {
        "state": {
            "own": ("My birthday is on {v}.", "I was born on {v}.", "I turn thirty-six on {v}."),
            "other": ("{s}'s birthday is {v}.",),
            "es": ("Mi cumpleaños es el {v}.",),
        },
    },
}

CORRECTIONS = (
    "Sorry, I meant {v}, not {w}.",
    "Correction: {v}. I don't know why I said {w}.",
    "Not {w}, {v}. Long day.",
)

# What a careless reader would take for a fact.
TRAPS = _lines("""
    When I lived in {city} we had no heating.
    I'd love to move to {city} one day.
    Should I apply at {firm}?
    If I worked at {firm} I'd be rich by now.
    My cousin used to work at {firm}, he hated it.
    Does anyone here live in {city}?
    I dreamt that I lived in {city} with forty cats.
    The recruiter from {firm} called again and I said no.
    They say {city} is lovely in spring.
    {other} joked about marrying {partner}.
    Imagine me with a snake called {pet}.
    We almost bought a flat in {city} back then.
    I read that {firm} is hiring in {city}.
    Me encantaría vivir en {city} algún día.
    ¿Quién trabaja en {firm}?
    My brother hates {food}, I'm the opposite.
    {partner} from accounting lives in {city}, I believe.
""")

SMALL_TALK = _lines("""
    Morning all!
    Ugh, rain again.
    Did anybody watch the match last night?
    lol
    Can't talk, in a meeting.
    What's for lunch?
    Happy Friday!
    Has someone seen my charger?
    The printer is jammed. Again.
    So tired today.
    Coffee at four?
    That made my day.
    Who's bringing dessert on Sunday?
    The bus was late, sorry.
    Nice one!
    Ok, see you there.
    I'm reading that book you gave me, it's slow but good.
    My knee hurts from running.
    Can you send me the link again?
    The update broke my calendar.
    Buenos días a todos.
    Qué calor hace hoy, madre mía.
    ¿Quedamos mañana?
    Tell {other} I said hi.
    {other} still owes me a pizza.
    Are we still on for Thursday?
    I can't find the spreadsheet.
    What was the name of that film?
    The plumber came, finally.
    Jajaja, qué bueno.
    Remind me to call the bank tomorrow.
    I burnt the rice.
    Do you have a screwdriver I could borrow?
    The kids were up at five.
    New season is out!
    It's fine, I'll walk.
    My back is killing me.
    Two more weeks till holidays.
    Somebody parked in front of the gate.
    I think I left the stove on.
    {other}, did you get my message?
""")

REPLIES = _lines("""
    Got it.
    Thanks for letting me know.
    I've noted that.
    Sure, I can help with that.
    Would you like me to remind you?
    That sounds like a lot.
    Here is the link again.
    I don't have that information.
    Done.
    Sorry to hear that.
    It will rain until six, then clear up.
    The next bus leaves in 12 minutes.
    Congratulations!
    Good morning! How can I help?
""")
