"""A plugin of pytest that runs one share of the tests it finds: which one, STREW_SHARE says, as 2/3 is the second of three.

Where every change runs another share, as `.ci/run` has it, each test has its turn before long.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """By a hash of their names: all kinds of tests are in each share, and cases of one test in several."""
    share, shares = map(int, os.environ["STREW_SHARE"].split("/"))
    in_shares: list[list[pytest.Item]] = [[] for _ in range(shares)]
    for item in items:
        in_shares[crc32(item.nodeid.encode()) % shares].append(item)
    items[:] = in_shares.pop(share - 1)
    config.hook.pytest_deselected(items=[item for others in in_shares for item in others])
