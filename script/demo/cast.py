"""Whom and what the demo's history speaks of."""

from telling import Kind

PEOPLE = {
    "Maya": Kind("person", "Founder of Larkspur; leads Pebble", ("Maya Lindqvist",)),
    "Tom": Kind("person", "Writes the firmware", ("Tom Becker",)),
    "Priya": Kind("person", "Designs the app", ("Priya Nair",)),
    "Jonas": Kind("person", "Runs operations and purchasing", ("Jonas Weber",)),
    "Elena": Kind("person", "Sells to garden centres", ("Elena Rossi",)),
    "Sam": Kind("person", "Builds the backend", ("Sam Okafor",)),
    "Hana": Kind("person", "Joined as an intern", ("Hana Kim",)),
    "Ravi": Kind("person", "Radio engineer", ("Ravi Patel",)),
    "Ines Duarte": Kind("person", "Soil scientist", ("Dr. Duarte",)),
    "Viktor Novak": Kind("person", "Account manager for plastic cases"),
    "Agata Zielinska": Kind("person", "Plant manager"),
    "Lucas Meyer": Kind("person", "Investor"),
    "Clara Jansen": Kind("person", "Buyer for 40 garden centres"),
    "Nora Lind": Kind("person", "Journalist"),
    "Ben Carter": Kind("person", "Grows tomatoes on a roof; beta tester", ("Ben",)),
    "Yuki Tanaka": Kind("person", "Beta tester with 200 orchids", ("Yuki",)),
    "Farid Haddad": Kind("person", "Certification engineer"),
    "Astrid": Kind("person", "Maya's daughter"),
}

ORGANIZATIONS = {
    "Larkspur": Kind("organization", "Makes sensors for people who garden"),
    "Caseworks": Kind("organization", "Case supplier in Porto"),
    "Plastika": Kind("organization", "Case supplier in Gdansk"),
    "Voltarc": Kind("organization", "Makes coin cells"),
    "Greenhouse Capital": Kind("organization", "Seed fund"),
    "Groenveld": Kind("organization", "Chain of garden centres"),
    "BrightSoil": Kind("organization", "Competitor"),
    "TU Delft": Kind("organization", "University"),
    "Fieldnotes": Kind("organization", "Magazine for gardeners"),
    "Batavia Logistics": Kind("organization", "Ships for small companies"),
    "Sprout Foundation": Kind("organization", "Gives sensors to school gardens"),
    "Nordtest": Kind("organization", "Certification laboratory"),
    "Kiln Studio": Kind("organization", "Packaging designers"),
    "Helix Foundry": Kind("organization", "Assembles circuit boards"),
}

WORK = {
    "Pebble": Kind("product", "A soil sensor the size of a pebble", ("Pebble One",)),
    "Pebble Pro": Kind("product", "A longer probe for orchards"),
    "Pebble Gateway": Kind("product", "Brings sensors without a phone online"),
    "Three-Pack": Kind("product", "Three sensors in one box"),
    "BrightSoil One": Kind("product", "The competitor's sensor"),
    "Meadow": Kind("system", "The cloud that keeps readings"),
    "Thistle": Kind("project", "The app, drawn anew"),
    "Beta Garden": Kind("project", "Sixty gardeners who test before others"),
    "Orchard Pilot": Kind("project", "Two hundred probes between apple trees"),
    "School Gardens": Kind("project", "Sensors for children"),
    "Seed Round": Kind("event", "Money until spring 2027"),
    "Utrecht Garden Fair": Kind("event", "Where Pebble is shown first"),
    "Launch Day": Kind("event", "The day on which orders open"),
    "Firmware Freeze": Kind("event", "After it only fixes go in"),
    "Dutch Design Week": Kind("event", "Nine days in Eindhoven"),
    "CE Certification": Kind("event", "Needed before anything is sold"),
    "Battery Report": Kind("document", "What the cells did in ten weeks"),
    "Launch Plan": Kind("document", "Who does what on the day"),
    "Brand Guide": Kind("document", "Colours, words, and a leaf"),
    "Price List": Kind("document", "What shops pay"),
    "Recall Procedure": Kind("document", "What to do if sensors fail"),
    "Status Report": Kind("document", "What Maya reads on Mondays"),
    "Print the manuals": Kind("task", "In four languages"),
    "Recalibrate the probes": Kind("task", "Clay reads four points too wet"),
    "Hire a support lead": Kind("task", "Before the winter"),
}

PLACES = {
    name: Kind("location")
    for name in ("Utrecht", "Berlin", "Lisbon", "Porto", "Gdansk", "Delft", "Rotterdam", "Eindhoven", "Hamburg")
}

TOOLS = {
    "nRF52840": Kind("technology", "Radio chip"),
    "nRF54L15": Kind("technology", "Newer radio chip"),
    "LoRaWAN": Kind("technology", "Radio for long ways"),
    "Bluetooth": Kind("technology"),
    "Zephyr": Kind("technology", "Operating system of the sensor"),
    "MQTT": Kind("technology"),
    "Rust": Kind("technology"),
    "PostgreSQL": Kind("technology"),
    "React Native": Kind("technology"),
    "Flutter": Kind("technology"),
    "Grafana": Kind("tool"),
    "Figma": Kind("tool"),
    "Linear": Kind("tool", "Where tasks are kept"),
    "Jira": Kind("tool"),
    "Shopify": Kind("tool", "The shop"),
    "Stripe": Kind("tool"),
    "Mollie": Kind("tool", "Takes payments"),
    "Hetzner": Kind("tool", "Rents servers"),
    "KiCad": Kind("tool", "Draws circuit boards"),
    "Zendesk": Kind("tool", "Where support answers"),
    "Coin Cell": Kind("technology", "What the sensor lives on"),
    "Blackbird": Kind("place", "A café with a good espresso"),
    "Capacitive Probe": Kind("technology", "Measures water without rust"),
    "Recycled Plastic": Kind("concept"),
    "Soil Moisture": Kind("concept"),
    "Battery Life": Kind("concept"),
    "Water-Me Screen": Kind("concept", "One sentence and a leaf"),
    "Open Data": Kind("concept"),
}

CAST = {**PEOPLE, **ORGANIZATIONS, **WORK, **PLACES, **TOOLS}

# The second agent, whose graph others may read.
WORKSHOP = {
    "Line One": Kind("system", "Assembles sensors"),
    "Oven Three": Kind("asset", "Hardens the resin"),
    "Test Rig": Kind("asset", "Dips sensors into sand, loam and clay"),
    "Label Printer": Kind("asset"),
    "Resin 40": Kind("artifact", "Seals the circuit board"),
    "Dagmar": Kind("person", "Shift lead"),
    "Piet": Kind("person", "Repairs what breaks"),
    "Lot 17": Kind("artifact", "1,200 sensors"),
    "Lot 18": Kind("artifact", "1,200 sensors"),
    "Hall 4": Kind("place"),
}
