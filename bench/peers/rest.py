"""Waits for idle threads that still look for work, since they take a core from others."""

from __future__ import annotations

import time

# OpenMP's threads look for work for some 12 ms, those of ONNX Runtime for 40 to 65.
LEAST_SECONDS, MOST_SECONDS = 0.02, 0.5
BUSY_SHARE = 0.05


def rest() -> None:
    """Returns once no thread of this process has run for a while, or after so long that some run for ever."""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end:
        used, begin = time.process_time(), time.monotonic()
        time.sleep(LEAST_SECONDS)
        if time.process_time() - used < BUSY_SHARE * (time.monotonic() - begin):
            return
