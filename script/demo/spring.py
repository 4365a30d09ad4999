"""April to June 2026: a sensor, a date, and the first time the date moves."""

from datetime import UTC, datetime

from telling import Conversation, Note, Said

SPRING = (
    Conversation(
        "kickoff",
        datetime(2026, 4, 7, 9, 0, tzinfo=UTC),
        (
            Said(
                "Maya",
                "Morning! I lead Pebble, the soil sensor we are building at Larkspur. Help me keep it on track.",
                ("Maya -leads-> Pebble", "Pebble -made_by-> Larkspur", "Maya -founded-> Larkspur"),
            ),
            Said("Assistant", "Happy to. Who else works on it, and when does it ship?"),
            Said(
                "Maya",
                "Tom writes the firmware, Priya designs the app and Jonas buys the parts. We launch on June 16.",
                (
                    "Tom -works_on-> Pebble",
                    "Priya -works_on-> Pebble",
                    "Jonas -works_on-> Pebble",
                    "Tom -works_at-> Larkspur",
                    "Priya -works_at-> Larkspur",
                    "Jonas -works_at-> Larkspur",
                    "Tom | work/general/role = firmware engineer",
                    "Priya | work/general/role = app designer",
                    "Jonas | work/general/role = purchasing",
                    "Launch Day | schedule/launch/date = June 16",
                    "Pebble -launches_on-> Launch Day",
                ),
            ),
            Said(
                "Assistant", "Noted: Maya leads, Tom on firmware, Priya on design, Jonas on parts, launch on June 16."
            ),
            Said(
                "Maya",
                "We sit in Utrecht, above the bicycle shop. One sensor will cost 49 euros.",
                ("Larkspur -based_in-> Utrecht", "Maya -lives_in-> Utrecht", "Pebble | price/retail/unit = 49 euros"),
            ),
            Said(
                "Maya",
                "Send me the Status Report as bullet points, before nine on Mondays.",
                ("Status Report | form/general/layout = bullet points", "Maya -reads-> Status Report"),
            ),
        ),
        (Note("Pebble launches on June 16.", "project/launch", ("pebble", "launch"), 0.7),),
    ),
    Conversation(
        "parts",
        datetime(2026, 4, 14, 13, 30, tzinfo=UTC),
        (
            Said(
                "Tom",
                "The sensor is built around the nRF52840 and runs Zephyr. It talks Bluetooth to the phone.",
                ("Pebble -uses-> nRF52840", "Pebble -runs-> Zephyr", "Pebble -uses-> Bluetooth", "Tom -uses-> Zephyr"),
            ),
            Said(
                "Tom",
                "We measure with a Capacitive Probe, so nothing rusts in the soil.",
                ("Pebble -uses-> Capacitive Probe", "Capacitive Probe -measures-> Soil Moisture"),
            ),
            Said(
                "Jonas",
                "Cases come from Caseworks in Porto. Viktor Novak looks after us there.",
                (
                    "Caseworks -supplies-> Larkspur",
                    "Caseworks -based_in-> Porto",
                    "Viktor Novak -works_at-> Caseworks",
                    "Jonas -knows-> Viktor Novak",
                    "Pebble | supply/cases/supplier = Caseworks",
                ),
            ),
            Said(
                "Jonas",
                "Cells are from Voltarc, and Helix Foundry in Hamburg assembles the boards that Tom draws in KiCad.",
                (
                    "Voltarc -supplies-> Larkspur",
                    "Helix Foundry -supplies-> Larkspur",
                    "Helix Foundry -based_in-> Hamburg",
                    "Tom -uses-> KiCad",
                    "Pebble | supply/cells/supplier = Voltarc",
                ),
            ),
            Said(
                "Maya",
                "From now on cases must be Recycled Plastic, at least 80 percent. That is not up for discussion.",
                (
                    "Pebble | material/case/plastic := at least 80 percent recycled",
                    "Pebble -made_of-> Recycled Plastic",
                ),
            ),
        ),
        (
            Note("Cases come from Caseworks in Porto; Viktor Novak is the contact.", "project/suppliers", ("cases",)),
            Note("Pebble cases must be at least 80 percent recycled plastic.", "project/decisions", ("material",), 0.8),
        ),
    ),
    Conversation(
        "battery",
        datetime(2026, 4, 23, 14, 0, tzinfo=UTC),
        (
            Said(
                "Tom",
                "The radio empties the cell in nine days. We promised six months of Battery Life.",
                ("Pebble | power/battery/life = 9 days", "Pebble | promise/battery/life = six months"),
            ),
            Said("Assistant", "What uses the most power?"),
            Said(
                "Tom",
                "It wakes every thirty seconds. If it slept ten minutes between readings we would get seven months.",
                ("Pebble | power/radio/interval = 30 seconds", "Tom -responsible_for-> Battery Life"),
            ),
            Said("Maya", "Ten minutes is fine for a plant. How long do you need?"),
            Said(
                "Tom",
                "Four weeks, with tests. I work from Berlin until then, so call me after ten.",
                ("Tom -lives_in-> Berlin", "Tom | habits/calls/earliest = after ten"),
            ),
            Said(
                "Maya",
                "Then the launch moves from June 16 to July 14. Please tell Priya and Jonas.",
                (
                    "Launch Day | schedule/launch/date = July 14",
                    "Pebble | power/radio/interval = 10 minutes",
                    "Battery Life -delays-> Launch Day",
                ),
            ),
        ),
        (
            Note(
                "The launch moved from June 16 to July 14: the battery needs work.", "project/launch", ("launch",), 0.7
            ),
            Note(
                "Readings are ten minutes apart, for seven months of battery life.", "project/decisions", ("battery",)
            ),
        ),
    ),
    Conversation(
        "design",
        datetime(2026, 5, 6, 10, 0, tzinfo=UTC),
        (
            Said("Priya", "I tested the app with five gardeners. Nobody understood the moisture percentage."),
            Said("Assistant", "What did they expect to see?"),
            Said(
                "Priya",
                "Just 'water me' or 'I am fine'. So the Water-Me Screen is one sentence and a leaf, drawn in Figma.",
                (
                    "Priya -designed-> Water-Me Screen",
                    "Water-Me Screen -part_of-> Thistle",
                    "Priya -uses-> Figma",
                    "Thistle -part_of-> Pebble",
                    "Priya -leads-> Thistle",
                ),
            ),
            Said(
                "Priya",
                "Thistle is written in Flutter for now. The Brand Guide has the colours.",
                (
                    "Thistle -uses-> Flutter",
                    "Thistle | technology/app/framework = Flutter",
                    "Priya -wrote-> Brand Guide",
                    "Brand Guide -describes-> Pebble",
                ),
            ),
            Said(
                "Priya",
                "I am colour-blind myself, so the leaf changes its shape as well as its colour.",
                (
                    "Priya | health/general/eyes = colour-blind",
                    "Water-Me Screen | rules/leaf/state := shape and colour",
                ),
            ),
            Said("Maya", "I love it. Keep the percentage on the second screen for people like me."),
        ),
        (Note("The home screen is one sentence and a leaf; the percentage is one tap away.", "project/decisions"),),
    ),
    Conversation(
        "money",
        datetime(2026, 5, 19, 16, 0, tzinfo=UTC),
        (
            Said(
                "Maya",
                "Lucas Meyer of Greenhouse Capital wants to lead the Seed Round with 600,000 euros.",
                (
                    "Lucas Meyer -works_at-> Greenhouse Capital",
                    "Greenhouse Capital -invests_in-> Larkspur",
                    "Seed Round | money/general/amount = 600,000 euros",
                    "Lucas Meyer -leads-> Seed Round",
                    "Maya -knows-> Lucas Meyer",
                ),
            ),
            Said("Assistant", "What does he want to see first?"),
            Said(
                "Maya",
                "Orders from a chain. Elena starts on Monday, she knows Clara Jansen who buys for Groenveld.",
                (
                    "Elena -works_at-> Larkspur",
                    "Elena | work/general/role = sales",
                    "Elena -knows-> Clara Jansen",
                    "Clara Jansen -works_at-> Groenveld",
                ),
            ),
            Said(
                "Jonas",
                "If we sell to shops, 49 euros is too much. BrightSoil One costs 45 and BrightSoil is everywhere.",
                (
                    "BrightSoil -makes-> BrightSoil One",
                    "BrightSoil -competes_with-> Larkspur",
                    "BrightSoil One | price/retail/unit = 45 euros",
                    "BrightSoil One -competes_with-> Pebble",
                ),
            ),
            Said("Maya", "Then we go to 39 euros.", ("Pebble | price/retail/unit = 39 euros",)),
        ),
        (
            Note("Pebble costs 39 euros, six less than BrightSoil One.", "project/price", ("price",), 0.7),
            Note("Elena joined Larkspur in May to sell to garden centres.", "people/elena"),
        ),
    ),
    Conversation(
        "cloud",
        datetime(2026, 6, 2, 11, 0, tzinfo=UTC),
        (
            Said(
                "Sam",
                "Hello, I am Sam and I build Meadow, the cloud. Readings come in by MQTT and land in PostgreSQL.",
                (
                    "Sam -works_at-> Larkspur",
                    "Sam -builds-> Meadow",
                    "Meadow -uses-> MQTT",
                    "Meadow -uses-> PostgreSQL",
                    "Meadow -part_of-> Pebble",
                    "Sam | work/general/role = backend engineer",
                ),
            ),
            Said(
                "Sam",
                "It is written in Rust, runs at Hetzner and I watch it in Grafana.",
                ("Meadow -uses-> Rust", "Meadow -runs_on-> Hetzner", "Sam -uses-> Grafana", "Sam -uses-> Rust"),
            ),
            Said("Maya", "How long do we keep readings?"),
            Said(
                "Sam",
                "Two years, then only daily means. Nobody outside Larkspur may see where a garden is.",
                (
                    "Meadow | data/readings/retention = two years",
                    "Meadow | data/gardens/location := never leaves Larkspur",
                ),
            ),
            Said(
                "Jonas",
                "We keep tasks in Jira, and Hana starts as an intern today.",
                ("Larkspur -uses-> Jira", "Hana -works_at-> Larkspur", "Hana | work/general/role = intern"),
            ),
        ),
        (Note("Readings are kept two years, then as daily means.", "project/decisions", ("meadow", "data")),),
    ),
    Conversation(
        "suppliers",
        datetime(2026, 6, 17, 15, 0, tzinfo=UTC),
        (
            Said(
                "Jonas",
                "Caseworks cannot deliver before August, and only virgin plastic. I am looking at Plastika in Gdansk.",
                ("Plastika -based_in-> Gdansk", "Caseworks -delays-> Launch Day"),
            ),
            Said("Assistant", "July 14 cannot hold then. With Plastika, when could assembly begin?"),
            Said(
                "Jonas",
                "Agata Zielinska at Plastika promises cases by August 10, all recycled, for 1.20 euros each.",
                (
                    "Agata Zielinska -works_at-> Plastika",
                    "Jonas -knows-> Agata Zielinska",
                    "Pebble | price/parts/case = 1.20 euros",
                ),
            ),
            Said(
                "Maya",
                "Do it. We leave Caseworks and launch on September 1. That is the last time it moves.",
                (
                    "Caseworks -supplies-x Larkspur",
                    "Plastika -supplies-> Larkspur",
                    "Pebble | supply/cases/supplier = Plastika",
                    "Launch Day | schedule/launch/date = September 1",
                ),
            ),
            Said("Tom", "That gives me time to finish the Battery Report.", ("Tom -wrote-> Battery Report",)),
        ),
        (
            Note(
                "Pebble launches on September 1: the cases come from Plastika in August.",
                "project/launch",
                ("launch",),
                0.8,
            ),
            Note(
                "Plastika in Gdansk replaced Caseworks as the case supplier in June.", "project/suppliers", ("cases",)
            ),
        ),
    ),
)
