"""How many examples Hypothesis tries: some in the usual run, more before a release."""

import os

from hypothesis import HealthCheck, settings

USUAL, RELEASE = "usual", "release"

for _name, _examples in ((USUAL, int(os.environ.get("NACRE_TEST_EXAMPLES", "20"))), (RELEASE, 100)):
    settings.register_profile(
        _name,
        deadline=None,
        max_examples=_examples,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
    )


def costly(share: int = 4) -> settings:
    """One example in `share` of what others try, for tests that make and fill a database for each."""
    return settings(max_examples=max(2, settings().max_examples // share))


def cheap(times: int = 3) -> settings:
    """So many times as many examples as others try, for tests of which each takes next to nothing."""
    return settings(max_examples=times * settings().max_examples)
