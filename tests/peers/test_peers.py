"""The comparison with other libraries: what it declares is what C has, and what it calls right is right.

test_peers.py LIBRARY
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

LIBRARY = Path(sys.argv.pop())
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import peers
from contenders import Contender, called_from_python
from numpy_peer import NumpyPeer
from operands import Operands
from race import try_out
from strew_ctypes import STRUCTURES, Library, RefusedError
from strew_peer import StrewPeer
from workloads import assign_elements, gather_elements, gather_nd, sum_elements, sum_nd

# Each operator, shape rule and dtype, small.
SMALL = [
    gather_nd((6, 5, 3), (4, 2)),
    gather_nd((2, 3, 5, 4), (2, 3, 2, 1), batch_dims=2, index_dtype="int32"),
    gather_elements((6, 5), (4, 3), axis=1),
    gather_elements((6, 5), (4, 3), axis=0, index_dtype="int32"),
    assign_elements((6, 5), (4, 3), axis=1),
    assign_elements((7,), (5,), in_place=False),
    sum_nd((6, 5, 3), (40, 2)),
    sum_nd((6, 5, 3), (40, 2), in_place=False, dtype="float16"),
    sum_nd((30,), (400, 1), draw="zipf", dtype="int64"),
    sum_elements((6, 5), (4, 3), axis=1, dtype="float64"),
    sum_elements((6, 5), (50, 5), draw="expanded"),
    sum_elements((300000,), (70000,)),  # strew has two ways, with scratch and without
]


def by_definition(operands: Operands) -> np.ndarray:
    """The result of a workload, an element at a time."""
    workload = operands.workload
    result = np.empty(workload.output, operands.data.dtype) if workload.gathers else operands.data.copy()
    for position in np.ndindex(*workload.positions):
        if workload.takes_tuples:
            row = (*position[: workload.batch_dims], *operands.indices[position])
        else:
            row = (*position[: workload.axis], operands.indices[position], *position[workload.axis + 1 :])
        if workload.gathers:
            result[position] = operands.data[row]
        elif workload.reduction == "none":
            result[row] = operands.updates[position]
        else:
            result[row] += operands.updates[position]
    return result


class LayoutTest(unittest.TestCase):
    """The structures in Python are those of strew.h."""

    def test_structures_have_the_fields_of_c(self):
        fields = {name: [] for name in STRUCTURES}
        for entry in Library(LIBRARY).fields():
            structure, field = entry.structure.decode(), entry.field.decode()
            declared = STRUCTURES[structure]
            if field:
                place = getattr(declared, field)
                self.assertEqual((place.offset, place.size), (entry.offset, entry.size), (structure, field))
                fields[structure].append(field)
            else:
                self.assertEqual(ctypes.sizeof(declared), entry.size, structure)
        for name, structure in STRUCTURES.items():
            self.assertEqual(fields[name], [field for field, _ in structure._fields_], name)


class AgreementTest(unittest.TestCase):
    """Results are compared with the right ones, and the comparison notices."""

    def test_expected_results_are_those_of_the_definition(self):
        for workload in SMALL:
            operands = Operands(workload)
            np.testing.assert_array_equal(operands.expected(), by_definition(operands), workload.name)

    def test_strew_and_every_formulation_of_numpy_are_right(self):
        for workload in SMALL:
            for peer in (StrewPeer(Library(LIBRARY)), NumpyPeer()):
                for threads in (1, 2):
                    operands = Operands(workload)
                    lane = try_out(peer, operands, operands.expected(), threads)
                    self.assertEqual(lane.remarks, [], (peer.name, workload.name, threads))
                    self.assertIsNotNone(lane.best)

    def test_a_lost_update_is_wrong(self):
        def almost(operands: Operands) -> np.ndarray:
            result = operands.expected()
            result[operands.indices[0]] -= 1
            return result

        lane = self.lane_of(almost)
        self.assertTrue(lane.wrong)
        self.assertIsNone(lane.best)
        self.assertEqual(lane.remarks, ["made up wrong: 1 of 7 elements"])

    def test_what_a_peer_refuses_is_left_out(self):
        lane = self.lane_of(lambda operands: operands.output.no_such_method())
        self.assertFalse(lane.wrong)
        self.assertIsNone(lane.best)
        self.assertRegex(lane.remarks[0], "refused: .*no_such_method")

    def lane_of(self, run):
        """What comes of trying this function of the operands."""

        class MadeUp(NumpyPeer):
            """A peer with one formulation."""

            def contenders(self, operands: Operands, threads: int) -> list[Contender]:
                return called_from_python({"made up": lambda: run(operands)})

        operands = Operands(sum_elements((7,), (5,)))
        return try_out(MadeUp(), operands, operands.expected(), 1)


class RefusalTest(unittest.TestCase):
    """strew's own words come through."""

    def test_the_message_names_the_index(self):
        operands = Operands(gather_elements((7,), (5,)))
        operands.indices[3] = 7
        (contender,) = StrewPeer(Library(LIBRARY)).contenders(operands, 1)
        with self.assertRaisesRegex(RefusedError, r"indices\[3\] is 7"):
            contender.run()


class ProgramTest(unittest.TestCase):
    """The whole of it, on the smallest workload."""

    def test_it_prints_a_row_and_saves_it(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            saved = Path(folder) / "peers.json"
            arguments = ["--peers", "numpy", "--filter", "^gather_elements/float32/10/3$", "--threads", "1"]
            status = peers.main(["--strew", str(LIBRARY), "--rounds", "1", "--out", str(saved), *arguments])
            rows = json.loads(saved.read_text())["rows"]
        self.assertEqual(status, 0)
        self.assertEqual([row["workload"]["data"] for row in rows], [[10]])
        self.assertAlmostEqual(rows[0]["ratio"], rows[0]["peers"]["NumPy"]["seconds"] / rows[0]["strew"]["seconds"])
        self.assertRegex(output.getvalue(), r"gather_elements +10 +3 +float32 +1 +\d.* a +\d.* ns +\d+\.\d\d")


if __name__ == "__main__":
    unittest.main()
