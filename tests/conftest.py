"""Settings of all tests."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: how long an example takes says nothing about the code on a busy machine.
settings.register_profile(
    "meldc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("meldc")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="record all golden files anew; read the diff"
    )


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be recorded anew."""
    return bool(request.config.getoption("--update"))
