"""Lets tests import the modules of this folder, whatever else is collected."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
