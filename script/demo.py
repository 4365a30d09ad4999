"""Give the demo agent five conversations of spring 2026 to remember, once: `demo.py DATABASE`."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nacre import Nacre, ScopedNacre, Turn

AGENT = "demo"


@dataclass(frozen=True, slots=True)
class Note:
    """A memory the agent was told to keep when a conversation ended."""

    text: str
    category: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in one session, a minute apart, and what was kept of it."""

    session: str
    began: datetime
    said: tuple[tuple[str, str], ...]
    kept: tuple[Note, ...] = ()

    def turns(self) -> list[Turn]:
        """The session as Nacre observes it."""
        return [
            Turn(
                role="assistant" if speaker == "Assistant" else "user",
                text=text,
                speaker=speaker,
                session=self.session,
                at=self.began + timedelta(minutes=minute),
            )
            for minute, (speaker, text) in enumerate(self.said)
        ]


HISTORY = (
    Conversation(
        "kickoff",
        datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
        (
            ("Maya", "Morning! I lead Pebble, the soil sensor we are building at Larkspur. Help me keep it on track."),
            ("Assistant", "Happy to. Who else works on it, and when does it ship?"),
            ("Maya", "Tom writes the firmware and Priya designs the app. We launch on April 14."),
            ("Assistant", "Noted: Maya leads, Tom on firmware, Priya on design, launch on April 14."),
            ("Maya", "Send me the weekly status as bullet points, before nine on Mondays."),
            ("Maya", "And I run on coffee, so book our reviews in a place that has a good espresso."),
        ),
        (Note("Pebble launches on April 14.", "project/launch", ("pebble", "launch")),),
    ),
    Conversation(
        "firmware",
        datetime(2026, 3, 11, 14, 30, tzinfo=UTC),
        (
            ("Tom", "The radio drains the battery in nine days. We promised six months."),
            ("Assistant", "What uses the most power?"),
            (
                "Tom",
                "It wakes every thirty seconds. If it slept ten minutes between readings we would get seven months.",
            ),
            ("Maya", "Ten minutes is fine for a plant. How long do you need?"),
            (
                "Tom",
                "Two weeks, with tests. I work from Lisbon until the end of March, so call me after ten your time.",
            ),
            ("Maya", "Then the launch moves from April 14 to April 28. Please tell Priya."),
        ),
        (
            Note("The launch moved from April 14 to April 28: the battery needs work.", "project/launch", ("launch",)),
            Note(
                "Readings are ten minutes apart, for a battery life of seven months.", "project/decisions", ("battery",)
            ),
        ),
    ),
    Conversation(
        "design",
        datetime(2026, 3, 19, 10, 0, tzinfo=UTC),
        (
            ("Priya", "I tested the app with five gardeners. Nobody understood the moisture percentage."),
            ("Assistant", "What did they expect to see?"),
            ("Priya", "Just 'water me' or 'I am fine'. So the home screen is now one sentence and a leaf."),
            ("Maya", "I love it. Keep the percentage on the second screen for people like me."),
            ("Priya", "Will do. I am colour-blind myself, so the leaf changes shape as well as colour."),
            ("Maya", "Good. By the way, my daughter starts school on Monday: no meetings before ten from now on."),
        ),
        (Note("Maya takes no meetings before ten since her daughter started school.", "people/maya", ("meetings",)),),
    ),
    Conversation(
        "suppliers",
        datetime(2026, 4, 1, 15, 0, tzinfo=UTC),
        (
            ("Maya", "The case supplier in Porto cannot deliver before April 30. What does that do to our date?"),
            ("Assistant", "April 28 cannot hold. With three days of assembly, May 6 is the first safe Wednesday."),
            ("Maya", "Fine, we launch on May 6. That is the last time it moves."),
            ("Tom", "The battery test passed: 212 days at room temperature. I am back in Berlin."),
            ("Maya", "Wonderful. My doctor took my coffee away, so a jasmine tea to celebrate."),
            ("Assistant", "Congratulations to Tom. I will book places with good tea from now on."),
        ),
        (Note("Pebble launches on May 6: the cases arrive on April 30.", "project/launch", ("pebble", "launch")),),
    ),
    Conversation(
        "launch-plan",
        datetime(2026, 4, 9, 11, 0, tzinfo=UTC),
        (
            ("Maya", "Let us plan the launch day. Who does what?"),
            ("Priya", "I will run the stand at the garden fair in Utrecht with two hundred sensors."),
            ("Tom", "I stay in Berlin and watch the servers. If the updates fail I can roll back in five minutes."),
            ("Maya", "I talk to the press. The price is 39 euros, or 99 for three."),
            ("Maya", "One change: drop the bullet points, write my weekly status as one short paragraph."),
            ("Assistant", "One paragraph it is, on Mondays, and no meeting before ten."),
        ),
        (Note("Maya wants her weekly status as one short paragraph.", "people/maya", ("status", "preference")),),
    ),
)


class HistoryClock:
    """Tells the time of the conversation that is being replayed."""

    now = HISTORY[0].began

    def __call__(self) -> datetime:
        """The time it was then."""
        return self.now


def seed(demo: ScopedNacre, clock: HistoryClock) -> None:
    """Observe every conversation when it took place."""
    for conversation in HISTORY:
        clock.now = conversation.began + timedelta(minutes=len(conversation.said))
        demo.observe_many(conversation.turns())
        for note in conversation.kept:
            demo.remember(note.text, category=note.category, tags=note.tags)


def main(database: str) -> None:
    """Seed an empty database."""
    clock = HistoryClock()
    with Nacre(database, clock=clock) as nacre:
        demo = nacre.scope(AGENT)
        if not demo.recall("launch", limit=1):
            seed(demo, clock)


if __name__ == "__main__":
    main(sys.argv[1])
