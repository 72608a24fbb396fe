"""Tables of the small games."""

from __future__ import annotations

import pytest
from runtime.games import melding, tricks
from runtime.playing import Guess

from meldc_runtime.table import Table


@pytest.fixture(scope="session")
def melds_table() -> Table:
    table = Table(melding())
    table.foresight = Guess(False)
    return table


@pytest.fixture(scope="session")
def tricks_table() -> Table:
    return Table(tricks())
