"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# No deadlines: how long an example takes says nothing about the code on a busy machine.
settings.register_profile(
    "meldc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("meldc")
