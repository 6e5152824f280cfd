"""strew-bench shows on a terminal which row runs, and is silent elsewhere.

test_progress.py STREW-BENCH
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()
OPTIONS = ["--benchmark_filter=^call/gather_nd/f32/4x4/.*/scalar/", "--benchmark_min_time=0.001"]
LINE = re.compile(r"\r\x1b\[Krow (\d+) of (\d+)[^:]*(?:\d:\d\d left)?: (call/\S+)")


class Progress(unittest.TestCase):
    def test_rows_are_counted_on_a_terminal(self) -> None:
        leader, follower = pty.openpty()
        with subprocess.Popen([PROGRAM, *OPTIONS], stdout=subprocess.PIPE, stderr=follower, text=True) as program:
            os.close(follower)
            table = program.stdout.read()
        shown = os.read(leader, 65536).decode()
        rows = re.findall(r"^call/\S+", table, re.M)
        self.assertGreater(len(rows), 1)
        self.assertEqual(
            LINE.findall(shown), [(str(number), str(len(rows)), name) for number, name in enumerate(rows, 1)]
        )

    def test_nothing_is_said_elsewhere(self) -> None:
        done = subprocess.run([PROGRAM, *OPTIONS], capture_output=True, text=True, check=True)
        self.assertNotIn("row 1 of", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
