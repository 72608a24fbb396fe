"""Settings of all tests."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: how long an example takes says nothing about the code on a busy machine.
settings.register_profile(
    "meldc", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("meldc")

# What the compiler keeps between runs: one folder for all test processes of this user, away from
# the one that the user's own games are kept in.
os.environ.setdefault(
    "MELDC_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"meldc-tests-{os.getuid()}")
)


# A shell that starts the tests in the background lets them ignore interrupts, and they would hand
# that on to the commands that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="record all golden files anew; read the diff"
    )


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be recorded anew."""
    return bool(request.config.getoption("--update"))
