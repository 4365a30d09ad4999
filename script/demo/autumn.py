"""September to November 2026: after the launch."""

from datetime import UTC, datetime

from telling import Conversation, Note, Said

AUTUMN = (
    Conversation(
        "launch-day",
        datetime(2026, 9, 1, 19, 0, tzinfo=UTC),
        (
            Said("Maya", "We did it! 1,340 orders on Launch Day.", ("Launch Day | result/orders/count = 1,340",)),
            Said(
                "Sam",
                "Meadow held, with 40 readings a second. One alarm in Grafana, a full disk at Hetzner.",
                ("Meadow | load/launch/peak = 40 readings a second", "Grafana -watches-> Meadow"),
            ),
            Said(
                "Elena",
                "Stripe blocked us for two hours. I want Mollie instead.",
                ("Stripe -delays-> Launch Day", "Elena -prefers-> Mollie"),
            ),
            Said("Tom", "No crash so far. I sleep now.", ("Pebble | quality/crashes/first_day = none",)),
        ),
        (Note("Launch day brought 1,340 orders.", "project/sales", ("launch", "orders"), 0.8),),
    ),
    Conversation(
        "new-people",
        datetime(2026, 9, 14, 9, 0, tzinfo=UTC),
        (
            Said(
                "Maya",
                "Ravi is here: he left BrightSoil and works on the Pebble Gateway with LoRaWAN.",
                (
                    "Ravi -works_at-x BrightSoil",
                    "Ravi -works_at-> Larkspur",
                    "Ravi -works_on-> Pebble Gateway",
                    "Pebble Gateway -uses-> LoRaWAN",
                    "Pebble Gateway -connects-> Pebble",
                    "Ravi -knows_about-> LoRaWAN",
                ),
            ),
            Said(
                "Ravi",
                "We should move to the nRF54L15, it halves the power. Tom and I draw the board this month.",
                ("Ravi -works_on-> Pebble Pro", "Pebble Pro -uses-> nRF54L15", "Ravi -knows-> Tom"),
            ),
            Said(
                "Maya",
                "Hana finished her internship and now leads support, with Zendesk.",
                (
                    "Hana | work/general/role = support lead",
                    "Hana -uses-> Zendesk",
                    "Hana -reports_to-x Priya",
                    "Hana -reports_to-> Maya",
                ),
            ),
        ),
        (
            Note("Ravi came from BrightSoil to Larkspur in September to build the gateway.", "people/ravi"),
            Note("Hana leads support since September.", "people/hana"),
        ),
    ),
    Conversation(
        "payments",
        datetime(2026, 9, 22, 10, 0, tzinfo=UTC),
        (
            Said(
                "Elena",
                "Payments run through Mollie now, Stripe is gone.",
                (
                    "Larkspur -uses-x Stripe",
                    "Larkspur -uses-> Mollie",
                    "Shopify | payment/general/provider = Mollie",
                    "Elena -responsible_for-> Shopify",
                ),
            ),
            Said(
                "Elena",
                "Sprout Foundation asks for 300 sensors for School Gardens, at cost.",
                (
                    "Sprout Foundation -funds-> School Gardens",
                    "School Gardens -uses-> Pebble",
                    "School Gardens | orders/pebble/amount = 300",
                ),
            ),
            Said("Maya", "Yes, and Hana takes care of it.", ("Hana -leads-> School Gardens",)),
        ),
        (Note("Payments moved from Stripe to Mollie in September.", "project/tools", ("payments",)),),
    ),
    Conversation(
        "orchard",
        datetime(2026, 10, 5, 14, 0, tzinfo=UTC),
        (
            Said(
                "Ines Duarte",
                "For the Orchard Pilot I need 200 probes of half a metre, that is what Pebble Pro is for.",
                (
                    "Ines Duarte -leads-> Orchard Pilot",
                    "Orchard Pilot -uses-> Pebble Pro",
                    "TU Delft -funds-> Orchard Pilot",
                    "Pebble Pro | shape/probe/length = half a metre",
                    "Pebble Pro -made_by-> Larkspur",
                ),
            ),
            Said(
                "Ravi",
                "The first ten are in the ground near Delft, online through the Pebble Gateway.",
                (
                    "Orchard Pilot -uses-> Pebble Gateway",
                    "Orchard Pilot -located_in-> Delft",
                    "Ravi -works_on-> Orchard Pilot",
                ),
            ),
            Said(
                "Ines Duarte",
                "The readings should become Open Data, without the places.",
                ("Orchard Pilot -publishes-> Open Data", "Ines Duarte -prefers-> Open Data"),
            ),
            Said(
                "Maya",
                "Pebble Pro will cost 89 euros.",
                ("Pebble Pro | price/retail/unit = 89 euros", "Maya -leads-> Pebble Pro"),
            ),
        ),
        (Note("The orchard pilot near Delft runs on ten Pebble Pro probes.", "project/orchard", ("orchard",)),),
    ),
    Conversation(
        "cold",
        datetime(2026, 10, 19, 11, 0, tzinfo=UTC),
        (
            Said(
                "Hana",
                "Forty people write that the battery dies in the first frost.",
                ("Hana -reported-> Battery Life", "Pebble | quality/complaints/frost = 40"),
            ),
            Said(
                "Tom",
                "In the lab it was 212 days. The data sheet from Voltarc promises 180 below five degrees.",
                ("Voltarc -makes-> Coin Cell", "Pebble -uses-> Coin Cell"),
            ),
            Said(
                "Jonas",
                "We offer a new cell to everyone in the north. The Recall Procedure is ready in case it gets worse.",
                ("Jonas -wrote-> Recall Procedure", "Recall Procedure -describes-> Pebble"),
            ),
            Said(
                "Maya",
                "BrightSoil went down to 39, so we go to 42 euros before Christmas.",
                ("BrightSoil One | price/retail/unit = 39 euros", "Pebble | price/retail/unit = 42 euros"),
            ),
        ),
        (
            Note(
                "Forty customers say that the battery dies in the first frost.",
                "project/bugs",
                ("battery", "frost"),
                0.8,
            ),
            Note("Pebble costs 42 euros until Christmas.", "project/price", ("price",), 0.7),
        ),
    ),
    Conversation(
        "design-week",
        datetime(2026, 10, 26, 17, 0, tzinfo=UTC),
        (
            Said(
                "Priya",
                "We were at Dutch Design Week. Eindhoven is mad about the leaf. Kiln Studio got us a corner.",
                (
                    "Dutch Design Week -held_in-> Eindhoven",
                    "Pebble -shown_at-> Dutch Design Week",
                    "Priya -attended-> Dutch Design Week",
                    "Kiln Studio -attended-> Dutch Design Week",
                ),
            ),
            Said(
                "Maya",
                "Priya becomes head of product in November. Nobody decides about the leaf but her.",
                ("Priya | work/general/role = head of product", "Water-Me Screen | rules/leaf/owner := Priya"),
            ),
        ),
        (Note("Priya is head of product from November on.", "people/priya", ("priya",)),),
    ),
    Conversation(
        "priya-notes",
        datetime(2026, 11, 3, 12, 0, tzinfo=UTC),
        (
            Said(
                "Priya",
                "For my own notes: I want to hire a motion designer in January, and Maya does not know yet.",
                ("Priya | plans/team/hire = motion designer in January",),
            ),
            Said("Assistant", "I keep it to you alone."),
            Said(
                "Priya",
                "I changed my mind about dark mode: the app should follow the phone, not be dark for everyone.",
                ("Thistle | look/theme/default = follow the phone", "Priya | taste/design/theme = follow the phone"),
            ),
        ),
        (Note("I plan to hire a motion designer in January.", "people/priya", ("hiring",)),),
        user="priya",
    ),
    Conversation(
        "november",
        datetime(2026, 11, 10, 9, 30, tzinfo=UTC),
        (
            Said(
                "Maya",
                "Where are we? Pebble Pro should be in shops on March 2, and the Seed Round closed with 750,000 euros.",
                (
                    "Pebble Pro | schedule/launch/date = March 2, 2027",
                    "Seed Round | money/general/amount = 750,000 euros",
                    "Seed Round -funds-> Pebble Pro",
                ),
            ),
            Said(
                "Sam",
                "I moved readings older than a year to cold storage, so we keep five years now.",
                ("Meadow | data/readings/retention = five years",),
            ),
            Said(
                "Tom",
                "The frost fix is in: the radio waits when it is cold. I measured 196 days at two degrees.",
                ("Tom -fixed-> Battery Life", "Pebble | power/battery/life += 196 days at two degrees"),
            ),
            Said(
                "Hana",
                "Support answers within three hours. What is left on my list: Hire a support lead for the weekends.",
                ("Hana -responsible_for-> Hire a support lead", "Zendesk | service/answers/time = three hours"),
            ),
            Said("Assistant", "So: Pebble Pro on March 2, money until spring, frost fixed, weekends open."),
        ),
        (
            Note("Pebble Pro is in shops on March 2, 2027.", "project/launch", ("pebble-pro", "launch"), 0.8),
            Note("The seed round closed with 750,000 euros.", "company/money", ("seed",), 0.7),
        ),
    ),
    Conversation(
        "weekend",
        datetime(2026, 11, 13, 17, 0, tzinfo=UTC),
        (
            Said(
                "Jonas",
                "Helix Foundry is late, the boards for Pebble Pro come on December 4.",
                ("Helix Foundry -delays-> Pebble Pro", "Pebble Pro | supply/boards/arrival = December 4"),
            ),
            Said(
                "Elena",
                "Groenveld orders 5,000 more for spring, at 26 euros.",
                ("Groenveld | orders/pebble/amount = 7,000", "Pebble | price/shops/unit = 26 euros"),
            ),
            Said("Maya", "Good week. Everyone go home.", ()),
        ),
        (Note("Groenveld pays 26 euros and has ordered 7,000 sensors in all.", "project/sales", ("groenveld",)),),
    ),
)
