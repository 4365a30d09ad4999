"""How many examples Hypothesis tries: some in the usual run, more before a release."""

from hypothesis import HealthCheck, settings

USUAL, RELEASE = "usual", "release"

for _name, _examples in ((USUAL, 30), (RELEASE, 100)):
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
    return settings(max_examples=settings().max_examples // share)
