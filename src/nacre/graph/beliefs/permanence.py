"""Permanence: facts that no later words end by themselves, by topic: a link's predicate or a claim's last word."""

from nacre.domain.links import LOCATED_IN, PARTNER_OF

# What happened stays so, whoever is gone since.
HAPPENED = frozenset({"events", "visits", "decisions", "opinions", "notes", "purchases", "works"})
# An allergy that was forgotten does harm: only words that say so end it.
HARMFUL = frozenset({"allergy", "conditions", "avoids"})
# Who knows whom, and what lies where, does not end because somebody or something else does.
# Nor is one called, born or from elsewhere: "my birthday" said of a later day took a name in doubt.
LASTING = frozenset(
    {
        *("knows", "friend_of", "family_of", PARTNER_OF, LOCATED_IN, "partner", "relatives", "friends"),
        *("name", "birthday", "origin", "nationality"),
    }
)
