"""July and August 2026: tests, money, and people who move."""

from datetime import UTC, datetime

from telling import Conversation, Note, Said

SUMMER = (
    Conversation(
        "beta",
        datetime(2026, 7, 3, 9, 30, tzinfo=UTC),
        (
            Said(
                "Priya",
                "Beta Garden has sixty gardeners. Ben Carter grows tomatoes on a roof, Yuki Tanaka has 200 orchids.",
                (
                    "Ben Carter -member_of-> Beta Garden",
                    "Yuki Tanaka -member_of-> Beta Garden",
                    "Beta Garden -tests-> Pebble",
                    "Priya -leads-> Beta Garden",
                    "Beta Garden | size/general/gardeners = 60",
                ),
            ),
            Said(
                "Hana",
                "Ben says the sensor reads too wet in clay. Yuki wants it smaller.",
                ("Hana -works_on-> Beta Garden", "Hana -knows-> Ben Carter", "Hana -knows-> Yuki Tanaka"),
            ),
            Said(
                "Tom",
                "Clay again. Recalibrate the probes is on my list, four points down.",
                ("Tom -responsible_for-> Recalibrate the probes", "Recalibrate the probes -part_of-> Pebble"),
            ),
            Said(
                "Maya",
                "Ask Ines Duarte at TU Delft, she knows every soil in the country.",
                (
                    "Ines Duarte -works_at-> TU Delft",
                    "TU Delft -based_in-> Delft",
                    "Ines Duarte -advises-> Larkspur",
                    "Maya -knows-> Ines Duarte",
                    "Ines Duarte -knows_about-> Soil Moisture",
                ),
            ),
        ),
        (
            Note(
                "In clay the sensor reads four points too wet; Tom recalibrates it.", "project/bugs", ("clay", "probe")
            ),
        ),
    ),
    Conversation(
        "certification",
        datetime(2026, 7, 9, 14, 0, tzinfo=UTC),
        (
            Said(
                "Jonas",
                "Farid Haddad at Nordtest does our CE Certification. It takes five weeks and costs 8,400 euros.",
                (
                    "Farid Haddad -works_at-> Nordtest",
                    "Nordtest -performs-> CE Certification",
                    "CE Certification -required_for-> Launch Day",
                    "CE Certification | money/general/cost = 8,400 euros",
                    "Jonas -responsible_for-> CE Certification",
                ),
            ),
            Said(
                "Tom",
                "For that I need a Firmware Freeze on July 31.",
                (
                    "Firmware Freeze | schedule/general/date = July 31",
                    "Firmware Freeze -required_for-> CE Certification",
                    "Tom -responsible_for-> Firmware Freeze",
                ),
            ),
            Said(
                "Maya",
                "Nothing is sold before Nordtest has signed. Write that into the Launch Plan.",
                (
                    "Pebble | rules/sale/start := not before the certificate",
                    "Maya -wrote-> Launch Plan",
                    "Launch Plan -describes-> Launch Day",
                ),
            ),
        ),
        (
            Note(
                "Nothing is sold before Nordtest has signed the certificate.",
                "project/decisions",
                ("certificate",),
                0.9,
            ),
        ),
    ),
    Conversation(
        "tom-moves",
        datetime(2026, 8, 1, 18, 0, tzinfo=UTC),
        (
            Said(
                "Tom",
                "Private news: I moved from Berlin to Lisbon.",
                ("Tom -lives_in-x Berlin", "Tom -lives_in-> Lisbon", "Tom | home/general/city = Lisbon"),
            ),
            Said("Assistant", "Congratulations! Does that change when you can be reached?"),
            Said(
                "Tom",
                "Call me from nine, your time. Mornings are quiet there.",
                ("Tom | habits/calls/earliest = from nine",),
            ),
            Said(
                "Tom",
                "And please no video calls on Fridays, I surf.",
                ("Tom | habits/calls/fridays := no video calls",),
            ),
        ),
        (
            Note("I moved from Berlin to Lisbon.", "people/tom", ("home",)),
            Note("I take no video calls on Fridays.", "people/tom", ("calls",)),
        ),
        user="tom",
    ),
    Conversation(
        "team-moves",
        datetime(2026, 8, 3, 9, 0, tzinfo=UTC),
        (
            Said(
                "Maya",
                "Tom moved from Berlin to Lisbon and keeps working for us from there.",
                ("Tom -lives_in-x Berlin", "Tom -lives_in-> Lisbon", "Tom | habits/calls/earliest = from nine"),
            ),
            Said(
                "Maya",
                "And Ravi leaves BrightSoil: he was their radio engineer and joins us in September.",
                ("Ravi -works_at-> BrightSoil", "Ravi | work/general/role = radio engineer", "Maya -knows-> Ravi"),
            ),
            Said(
                "Jonas",
                "I have had enough of Jira. From today our tasks are in Linear.",
                ("Larkspur -uses-x Jira", "Larkspur -uses-> Linear", "Larkspur | tools/tasks/tracker = Linear"),
            ),
        ),
        (
            Note("Tasks moved from Jira to Linear.", "project/tools", ("linear",)),
            Note("Tom lives in Lisbon and can be called from nine.", "people/tom", ("tom",)),
        ),
    ),
    Conversation(
        "thistle",
        datetime(2026, 7, 28, 11, 0, tzinfo=UTC),
        (
            Said(
                "Priya",
                "Flutter was a mistake, half our gardeners have old phones. I am rewriting Thistle in React Native.",
                (
                    "Thistle -uses-x Flutter",
                    "Thistle -uses-> React Native",
                    "Thistle | technology/app/framework = React Native",
                    "Priya -uses-> React Native",
                ),
            ),
            Said("Maya", "Will it be there on September 1?"),
            Said(
                "Priya",
                "Yes, if Hana helps me. She is better at it than she thinks.",
                ("Hana -works_on-> Thistle", "Hana -reports_to-> Priya"),
            ),
        ),
        (
            Note(
                "Thistle is rewritten in React Native because old phones choke on Flutter.",
                "project/decisions",
                ("thistle",),
            ),
        ),
    ),
    Conversation(
        "price",
        datetime(2026, 8, 6, 15, 0, tzinfo=UTC),
        (
            Said(
                "Elena",
                "Groenveld takes 2,000 sensors if shops pay 27 euros. Clara Jansen signs next week.",
                (
                    "Groenveld -buys-> Pebble",
                    "Pebble | price/shops/unit = 27 euros",
                    "Groenveld | orders/pebble/amount = 2,000",
                    "Elena -wrote-> Price List",
                    "Price List -describes-> Pebble",
                ),
            ),
            Said(
                "Jonas",
                "Voltarc raised the cells to 2.10 euros. At 39 we earn next to nothing.",
                ("Pebble | price/parts/cell = 2.10 euros",),
            ),
            Said(
                "Maya",
                "Then 44 euros, and three for 119 as Three-Pack.",
                (
                    "Pebble | price/retail/unit = 44 euros",
                    "Three-Pack | price/retail/unit = 119 euros",
                    "Three-Pack -contains-> Pebble",
                ),
            ),
            Said(
                "Elena",
                "Batavia Logistics ships from Rotterdam, and the shop is on Shopify with Stripe.",
                (
                    "Batavia Logistics -ships_for-> Larkspur",
                    "Batavia Logistics -based_in-> Rotterdam",
                    "Larkspur -uses-> Shopify",
                    "Larkspur -uses-> Stripe",
                    "Shopify | payment/general/provider = Stripe",
                ),
            ),
        ),
        (
            Note("Pebble costs 44 euros since August, a Three-Pack 119.", "project/price", ("price",), 0.7),
            Note("Groenveld ordered 2,000 sensors at 27 euros each.", "project/sales", ("groenveld",)),
            Note(
                "Batavia Logistics picks up on Tuesdays and Fridays and keeps the stock in Rotterdam.",
                "project/shipping",
                ("shipping",),
                structured={
                    "entities": [
                        {
                            "source": "Batavia Logistics",
                            "sourceType": "organization",
                            "relationship": "based in",
                            "target": "Rotterdam",
                            "targetType": "location",
                        }
                    ],
                    "aspects": [
                        {
                            "entityName": "Batavia Logistics",
                            "aspect": "schedule",
                            "attributes": [
                                {"groupKey": "pickup", "claimKey": "days", "content": "Tuesdays and Fridays"}
                            ],
                        }
                    ],
                    "hints": ["when parcels are collected"],
                },
            ),
        ),
    ),
    Conversation(
        "maya-private",
        datetime(2026, 8, 18, 8, 0, tzinfo=UTC),
        (
            Said(
                "Maya",
                "My daughter Astrid starts school on Monday, so no meetings before ten from now on.",
                ("Maya -parent_of-> Astrid", "Maya | habits/meetings/earliest := ten o'clock"),
            ),
            Said("Assistant", "Noted. Ten it is."),
            Said(
                "Maya",
                "And my doctor took my coffee away. Book places with a good jasmine tea.",
                ("Maya | taste/drinks/favourite = jasmine tea",),
            ),
            Said("Maya", "I will miss the espresso at Blackbird.", ("Maya -likes-> Blackbird",)),
        ),
        (
            Note("I take no meetings before ten since Astrid started school.", "people/maya", ("meetings",), 0.8),
            Note("I drink jasmine tea; coffee is over.", "people/maya", ("drinks",)),
        ),
        user="maya",
    ),
    Conversation(
        "ready",
        datetime(2026, 8, 27, 16, 0, tzinfo=UTC),
        (
            Said(
                "Jonas",
                "Nordtest signed! The certificate is here, and Plastika delivered 5,000 cases.",
                ("CE Certification | state/general/result = passed", "Plastika -delivered-> Pebble"),
            ),
            Said(
                "Tom",
                "The Battery Report is done: 212 days at room temperature.",
                ("Pebble | power/battery/life = 212 days", "Battery Report -describes-> Battery Life"),
            ),
            Said(
                "Maya",
                "Wonderful. Nora Lind writes about us in Fieldnotes on September 1.",
                (
                    "Nora Lind -works_at-> Fieldnotes",
                    "Fieldnotes -writes_about-> Pebble",
                    "Maya -knows-> Nora Lind",
                ),
            ),
            Said(
                "Priya",
                "I run the stand at the Utrecht Garden Fair with 200 sensors, and Kiln Studio made the boxes.",
                (
                    "Priya -responsible_for-> Utrecht Garden Fair",
                    "Utrecht Garden Fair -held_in-> Utrecht",
                    "Kiln Studio -designed-> Three-Pack",
                    "Pebble -shown_at-> Utrecht Garden Fair",
                ),
            ),
            Said(
                "Maya",
                "One change: drop the bullet points, write my Status Report as one short paragraph.",
                ("Status Report | form/general/layout = one short paragraph",),
            ),
        ),
        (
            Note("Maya wants her weekly status as one short paragraph.", "people/maya", ("status", "preference"), 0.7),
            Note("The battery lasts 212 days at room temperature.", "project/battery", ("battery",), 0.7),
        ),
    ),
)
