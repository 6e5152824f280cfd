"""A plugin of pytest that runs one share of the tests: STREW_SHARE names it, and 2/3 is the second of three.

If every change runs another share, as `.ci/run` does, each test soon has its turn.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Chooses by a hash of the names: each share has all kinds of tests, and the cases of one test fall into
    several."""
    share, shares = map(int, os.environ["STREW_SHARE"].split("/"))
    in_shares: list[list[pytest.Item]] = [[] for _ in range(shares)]
    for item in items:
        in_shares[crc32(item.nodeid.encode()) % shares].append(item)
    items[:] = in_shares.pop(share - 1)
    config.hook.pytest_deselected(items=[item for others in in_shares for item in others])
