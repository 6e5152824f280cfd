"""Runs stress.py in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STRESS = Path(__file__).with_name("stress.py")


def test_threads_share_arrays_and_plans() -> None:
    done = subprocess.run([sys.executable, STRESS], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all results were those of the calls made alone" in done.stdout
