"""Which statements are taken for updates of which, whatever the graph makes of them."""

from datetime import UTC, datetime, timedelta

import pytest

from nacre.memory.statements import read_statements
from nacre.memory.updates import find_updates

pytestmark = pytest.mark.spec("N11")
AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
# The second of each gives another value of what the first speaks of: what was so, and what is so now.
UPDATES = [
    ("The launch is on June 16", "We pushed the launch to July 14", "on June 16", "July 14"),
    ("my personal best in the 5K is 27:12", "ran the 5K in 25:50 yesterday, new PB", "27:12", "25:50"),
    ("my collection has 12 postcards", "I've got 17 postcards now", "12 postcards", "17 postcards"),
    ("rent is 1,200", "rent went up to 1,350", "1,200", "1,350"),
    ("the meeting is in room 4", "they moved us to room 7", "room 4", "room 7"),
    (
        "I go to yoga twice a week",
        "I've been going to yoga four times a week lately",
        "twice a week",
        "four times a week",
    ),
    ("I'm on chapter 7 of Middlemarch", "I'm on chapter 15 of Middlemarch", "chapter 7", "chapter 15"),
    ("Standup is at 9:30", "standup got moved to 10:15", "9:30", "10:15"),
    ("my mortgage rate is 4.2%", "my mortgage rate dropped to 3.6%", "4.2%", "3.6%"),
    ("tengo 12 postales en mi colección", "ahora tengo 17 postales", "12 postales", "17 postales"),
    ("He put me on 5 mg of ramipril for a month", "So it's 10 mg from tomorrow.", "5 mg of ramipril", "10 mg"),
    ("el alquiler es de 900 euros", "el alquiler subió a 980 euros", "900 euros", "980 euros"),
    (
        "Do you like podcasts? By the way, I've finished three seasons of Serial so far. Any tips?",
        "Thanks! Oh, and I just finished my fifth season of Serial, what next?",
        "three seasons of Serial",
        "fifth season of Serial",
    ),
]
# Little of what it is about is said again: that it is new, of the same kind and size, and said by the same, must do.
LOOSE = [
    ("My landlord charges 980 a month for the attic", "Got a letter, from May on it's 1,040.", "980 a month", "1,040"),
    ("We've booked the hall for June 4", "The caterer is ill, so we took June 18 instead.", "June 4", "June 18"),
    ("My driving test is on May 6", "They've pushed me to May 27, ugh.", "on May 6", "May 27"),
    ("12 jigsaws finished this winter", "That makes 15 jigsaws.", "12 jigsaws finished", "15 jigsaws"),
    ("Ran the park 5K in 28:40, a record!", "27:55!!!", "28:40", "27:55"),
    ("Yep, we build on Node 16", "Merged it. Billing builds on Node 22 and CI is green.", "16", "22"),
    ("Our shop runs on MySQL behind a proxy", "Cutover was fine. Everything is on Postgres now.", "MySQL", "Postgres"),
    ("Corto el pelo a 12 euros", "He puesto un cartel nuevo: 14 euros.", "12 euros", "14 euros"),
]
# What is over, wrong, elsewhere or felt otherwise is named; what the second says of it is all that there is to go by.
NAMED = [
    ("I pay for Hulu and Dropbox", "Cancelled my Hulu today, good riddance.", "Hulu"),
    ("Had a second date with Farid", "Farid and I broke up.", "Farid"),
    ("Our team lead Oksana wants notes", "We report to Jens since Oksana went on to the Oslo office.", "Oksana"),
    ("Saving for a week in Corsica with my dad", "His knee is bad, so Corsica is off.", "Corsica"),
    ("my main is widowmaker", "lowkey ditched widowmaker, it's ana now", "widowmaker"),
    ("I'm a cashier at Holt Foods", "Got a goodbye card at Holt Foods, cried a bit.", "Holt Foods"),
    ("My cousin is flying to Denver on Friday", "Oops, Dover! I always mix those two up.", "Denver"),
    ("My new boss is called Marina", "Oops, Martina, not Marina.", "Marina"),
    ("Chess is in the Oak Room, every Monday", "The roof leaks, so chess sits in the Annex from now on.", "Oak Room"),
    ("My budgie Winston sings all day", "Winston has gone to live with Hannah.", "Winston"),
    ("I play in a band called Wet Paint", "We're called Dry Salt from now on.", "Wet Paint"),
    ("I love olives", "I can't stand olives.", "olives"),
    ("I love fennel in everything", "Since the flu fennel makes me gag.", "fennel"),
    ("Single since spring and fine with it", "Big news, I've got a boyfriend.", "Single since"),
    ("We're engaged, the party is in May", "Back at work as a married woman.", "We're engaged"),
    ("I'm engaged to Torben", "We called it off last night.", "I'm engaged"),
    ("Llevo dos años en el Bar Lucas", "Anoche fue mi último turno en el Lucas.", "Bar Lucas"),
    ("Mein Golf läuft noch", "Der Golf ist verschrottet.", "Golf"),
    ("Je déteste nager", "J'adore nager, finalement.", "nager"),
    ("Still in Reno, still hot.", "Drove the U-Haul through hail. Boise is lovely.", "Reno"),
    ("I work at Holt Foods, in the bakery", "First day at the Denby clinic, wish me luck.", "Holt Foods"),
    ("Vivo en Lugo con mi tía", "La mudanza ha sido eterna, pero ya duermo en Vigo.", "Lugo"),
    ("Vivo en Lugo con mi tía", "Ya estamos instalados en Vigo.", "Lugo"),
    ("Trabajo en Correos", "Me han fichado en Indra.", "Correos"),
    ("Ich wohne in Ulm", "Endlich umgezogen, sitze auf dem Boden in Kiel.", "Ulm"),
]
# Both of each are so.
BOTH = [
    ("our cat is a tabby, 9 yrs", "had a drink with Pete, 27 yrs and hes done"),
    ("I spent $40 on shoes", "I spent $60 on books"),
    ("I spent $40 on shoes", "I spent $60 on shoes"),
    ("I have a meeting at 3 pm", "I have a meeting at 5 pm"),
    ("I have a dentist appointment on March 3", "I have a dentist appointment on June 9"),
    ("My sister has 3 cats", "I have 5 cats"),
    ("Ana has 3 cats", "Ben has 5 cats"),
    ("I have 2 tickets for the Blur concert", "I have 4 tickets for the Oasis concert"),
    ("The boat in harbour 7 has 107 sails", "The boat in harbour 8 has 108 sails"),
    ("gate 7 is closed", "gate 8 is closed"),
    ("the north plant makes 40 units a day", "the south plant makes 60 units a day"),
    ("I've visited 12 museums", "I've visited 3 museums"),
    ("the car does 32 miles per gallon", "I've cycled 347 miles so far"),
    ("I have 12 postcards", "Can you suggest 17 postcards for a collection?"),
    ("I have 12 postcards", "maybe I'd buy 17 postcards"),
    ("I paid $40 for the shoes", "the new lamp was $45"),
    ("My sister is on 5 mg", "I take 10 mg now"),
    ("We met on January 20th", "In fact, I took the train on March 3rd"),
    ("I worked 10 hours on Monday", "I've slept 9 hours now"),
    ("The talk is on June 4", "The plumber moved the boiler visit to June 18"),
    ("I pay for Hulu and Dropbox", "I won't cancel my Hulu."),
    ("I pay for Hulu and Dropbox", "I might have cancelled Hulu if it cost more."),
    ("Thanks, Maria!", "Hey Maria, last week was hard."),
    ("Maria is a nurse", "Maria left her umbrella here."),
    ("I love my dance studio", "I'm working on a site to show off my dance studio."),
    ("I'm in Las Vegas", "I found a new table at West Elm"),
    ("I love olives", "I can't stand anchovies."),
    ("We had lunch in Soho", "Oops, the oven is on!"),
    ("I live in Reno", "My sister got the keys to her flat in Boise."),
    ("We're engaged, the party is in May", "My brother is a married man as of today."),
    ("I'm engaged to Torben", "The florist called it off, we need other tulips."),
    ("I love fennel in everything", "Fennel never makes me sick."),
    ("I live in Reno", "Off to Boise for a week!"),
    ("We meet at Gate 7", "Lunch is at Gate 9"),
    ("I parked on Elm Street", "Everything was fun in Boise."),
    ("Doreen can't have nuts.", "Doreen is off to live with her daughter in Moncton."),
    ("My friend Doreen plays bridge.", "Doreen has gone to live in Moncton."),
    ("Ines is allergic to nuts.", "Ines has left for Lyon."),
    ("Our cat Biscuit scratches the sofa", "Biscuit is over the moon."),
    ("Trabajo en Correos", "Hemos fichado a un chico nuevo."),
    ("My brother works at Holt Foods", "First day at the Denby clinic, wish me luck."),
]


@pytest.mark.parametrize(("before", "after", "value", "new_value"), UPDATES)
def test_another_value_of_the_same_thing_is_an_update(before, after, value, new_value):
    older, newer = read_statements(before, AT), read_statements(after, AT + timedelta(days=9))

    (update,) = find_updates(newer, older)

    assert (update.value, update.new_value) == (value, new_value)


@pytest.mark.parametrize(("before", "after", "value", "new_value"), LOOSE)
def test_a_new_value_of_the_same_kind_may_do_with_few_words(before, after, value, new_value):
    older, newer = read_statements(before, AT), read_statements(after, AT + timedelta(days=40))

    (update,) = find_updates(newer, older)

    assert (update.value, update.new_value, update.loose) == (value, new_value, True)


@pytest.mark.parametrize(("before", "after", "value"), NAMED)
def test_what_is_named_and_over_is_outdated(before, after, value):
    older, newer = read_statements(before, AT), read_statements(after, AT + timedelta(hours=9))

    update, *_ = find_updates(newer, older)

    assert update.value == value


@pytest.mark.parametrize(("before", "after"), BOTH)
def test_two_events_or_two_things_are_no_update(before, after):
    older, newer = read_statements(before, AT), read_statements(after, AT + timedelta(days=9))

    assert find_updates(newer, older) == []
