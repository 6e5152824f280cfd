from __future__ import annotations

import openvino as ov
import pytest


@pytest.fixture(scope="session")
def core() -> ov.Core:
    return ov.Core()
