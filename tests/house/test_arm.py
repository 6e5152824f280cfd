"""docs/arm.md gives a reason for each kernel that AVX2 has and NEON lacks, and NEON is not slower than scalar code
where both are modelled."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "count"))
import page  # noqa: E402

CORES = ("cortex-a55", "neoverse-n1")
# The model does not tell less apart.
EQUAL = 1.05
LISTED = """
#define KERNEL(type, family, operand, cell) SLOT family operand
#define LEFT_OUT_KERNEL(type, family, operand)
#include "{}/kernels.inc"
"""


def slots(isa: str) -> set[str]:
    """The kernels that an instruction set lists, as combine_sum_bf16; NEON's are those of 64-bit ARM."""
    command = ["cc", "-E", "-P", "-U__arm__", "-U__OPTIMIZE_SIZE__", f"-I{ROOT}/src", f"-I{ROOT}/include", "-"]
    done = subprocess.run(command, input=LISTED.format(isa), check=True, capture_output=True, text=True)
    return {"_".join(slot) for slot in re.findall(r"\bSLOT (\w+) (\w+)", done.stdout)}


def explained() -> list[str]:
    """The patterns in the first column of the page's table."""
    _, table = page.PAGE.read_text().split("| what AVX2 has | why NEON has not |\n")
    rows = table.split("\n\n")[0].splitlines()[1:]
    return [pattern for row in rows for pattern in re.findall(r"`([^`]+)`", row.split("|")[1])]


class Arm(unittest.TestCase):
    def test_every_kernel_that_neon_lacks_is_explained(self) -> None:
        missing, patterns = slots("avx2") - slots("neon"), explained()
        self.assertGreater(len(missing), 0)
        said = {slot for slot in missing if any(fnmatch.fnmatchcase(slot, pattern) for pattern in patterns)}
        self.assertEqual(missing - said, set())
        for pattern in patterns:
            self.assertTrue(fnmatch.filter(missing, pattern), f"{page.PAGE.name}: AVX2 has no {pattern} that NEON lacks")

    def test_neon_is_not_slower_than_scalar(self) -> None:
        _, counts = page.read_recorded(page.RECORDED)
        for key, neon in counts.items():
            scalar = counts[page.Key(key.name, "scalar")]
            for core in CORES:
                self.assertLessEqual(neon.cycles[core], EQUAL * scalar.cycles[core], f"{key.name} on {page.CORES[core]}")


if __name__ == "__main__":
    unittest.main()
