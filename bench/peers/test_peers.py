"""Tests the comparison with other libraries: it calls right results right, from strew and from every installed peer.

The library that it needs, libstrew_peers.so, is the one that STREW_PEERS names in the environment, or that of `make
bench-peers`. NumPy is required; missing peers, or strew's package, are left out.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import hunt
import peers
from answers import answer_of
from c_peers import StrewInC
from contenders import Formulations, PythonPeer
from draws import DRAWS
from hunted import hunted
from hunted import reductions as hunted_reductions
from numpy_peer import NumpyPeer
from operands import LINE, Operands, draw_inputs
from race import Lane, confirm, try_out
from rest import LEAST_SECONDS, rest
import spmm
from strew_calls import Library, RefusedError
import workloads
from workloads import (
    Workload, assign_elements, assign_rows, beside_bags, gather_elements, gather_nd, gather_rows, mean_bags,
    reduce_segments, sum_bags, sum_edges, sum_elements, sum_nd, sum_packed, sum_rows, sum_segments, write_slice,
    write_windows,
)

LIBRARY = Path(os.environ.get("STREW_PEERS", peers.LIBRARY))
C = Library(LIBRARY)

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
    sum_nd((6, 5, 3), (20, 1), dtype="bfloat16"),
    sum_nd((30,), (400, 1), draw="zipf", dtype="int64"),
    sum_elements((6, 5), (4, 3), axis=1, dtype="float64"),
    sum_elements((6, 5), (50, 5), draw="expanded"),
    sum_nd((9, 4), (50, 1), first=gather_nd((9, 4), (50, 1))),
    sum_elements((300000,), (70000,)),  # strew has two ways, with scratch and without
    gather_rows((6, 5), (4, 3)),
    gather_rows((4, 6, 5), (3,), axis=1, dtype="float16"),
    gather_rows((6, 5), (4,), axis=1, index_dtype="int32"),
    gather_rows((6, 5), (1200,), bounds="skip"),
    gather_rows((6, 5), (1200,), bounds="clamp"),
    gather_rows((6, 5), (1200,), bounds="wrap"),
    assign_rows((6, 5), (4,)),
    assign_rows((3, 6, 5), (4,), axis=1),
    sum_rows((6, 5), (40,)),
    sum_rows((3, 6, 5), (40,), axis=1),
    write_windows((3, 2, 9, 4), (3,), axis=2, window=1),
    write_windows((3, 2, 9, 4), (3,), axis=2, window=5, dtype="float16"),
    write_slice((3, 2, 9, 4), axis=2, window=5),
    sum_bags((6, 5), (40,), rows_out=9),
    sum_bags((6, 5), (40,), rows_out=8, dtype="float16"),
    sum_bags((6, 5), (40,), rows_out=9, weighted=True),
    mean_bags((6, 5), (32,), rows_out=8),
    sum_packed((6, 5), (8, 4), rows_out=8),
    sum_packed((6, 5), (8, 4), rows_out=8, weighted=True, index_dtype="int32"),
    sum_packed((6, 5), (8, 4), rows_out=8, reduction="mean"),
    sum_segments((6, 5), (40,), rows_out=9, draw="sorted"),
    sum_segments((6, 5), (40,), rows_out=9, draw="sorted", weighted=True),
    sum_segments((6, 5), (40,), rows_out=9, weighted=True),
    sum_segments((6, 5), (40,), rows_out=9, index_dtype="int32"),
    reduce_segments((40, 5), (40,), rows_out=9, reduction="sum"),
    reduce_segments((40, 5), (40,), rows_out=9, reduction="max"),
    sum_edges((7, 5), (40,), rows_out=7, weighted=True),
    sum_edges((7, 5), (40,), rows_out=7),
    sum_edges((7, 5), (40,), rows_out=7, draw="sorted"),
    *beside_bags((7, 5), 40, 8, "shuffled"),
    *beside_bags((9, 512), 400, 10, "shuffled"),  # which are sorted in scratch
    *beside_bags((7, 5), 40, 8, "shuffled", "float16"),
    gather_nd((6, 5, 3), (4, 2), inspected=True),
    sum_bags((6, 5), (40,), rows_out=9, inspected=True),
]
# Each reduction and dtype of scatters, and each policy.
SMALL += [
    Workload(operator, *shapes, reduction=reduction, dtype=dtype)
    for operator, shapes in {"scatter_nd": ((6, 5, 3), (40, 2)), "scatter_elements": ((6, 5), (4, 3))}.items()
    for dtype in workloads.ELEMENT_SIZES
    for reduction in hunted_reductions(operator, dtype)
    if reduction != "none"
]
SMALL += [
    Workload(operator, *shapes, axis=1, reduction=reduction, bounds=bounds)
    for operator, shapes in {"gather": ((6, 5), (1200,)), "gather_elements": ((6, 5), (4, 1200)),
                             "scatter": ((6, 5), (1200,)), "scatter_elements": ((6, 5), (4, 1200))}.items()
    for bounds in ("stop", "skip", "clamp", "wrap")
    for reduction in (("sum", "mean") if operator.startswith("scatter") else ("none",))
]  # fmt: skip
SMALL += [
    replace(bags, reduction=reduction, dtype=dtype)
    for bags in (sum_bags((6, 5), (40,), rows_out=9), sum_segments((6, 1), (40,), rows_out=9))
    for dtype in ("float16", "bfloat16", "int32")
    for reduction in ("sum", "prod", "min", "max", "mean")
]
# Written out, the indices are memory that the system takes back as soon as they are freed.
EXPANDED = sum_elements((300, 80), (20000, 80), draw="expanded")


def everybody_else() -> list[Any]:
    """The peers and those who reach strew through Python that can be imported."""
    with contextlib.redirect_stdout(io.StringIO()):
        return [
            *peers.import_peers(peers.PEERS, peers.PEERS),
            *peers.import_peers(peers.THROUGH_STREW, peers.THROUGH_STREW),
            *peers.peers_in_c(C, list(peers.PEERS)),
        ]


class AgreementTest(unittest.TestCase):
    """Results are compared with the right ones, and the comparison notices."""

    def test_exact_results_are_within_the_error_of_double_precision(self) -> None:
        for workload in SMALL:
            answer = answer_of(C, Operands(workload))
            self.assertEqual(answer.mistakes(answer.exact, exactly=True), 0, workload.name)
            self.assertEqual(answer.mistakes(answer.exact, exactly=False), 0, workload.name)

    def test_another_order_is_within_the_error_and_not_exact(self) -> None:
        operands = Operands(sum_elements((3,), (4000,), draw="same"))
        answer = answer_of(C, operands)
        result = operands.data.copy()
        result[operands.indices[0]] += operands.updates.sum()
        self.assertEqual(answer.mistakes(result, exactly=False), 0)
        self.assertEqual(answer.mistakes(result, exactly=True), 1)

    def test_numbers_are_normal_floats_and_integers_of_the_whole_range(self) -> None:
        floats = Operands(gather_elements((100000,), (1,))).data
        self.assertLess(abs(floats.std() - 1), 0.05)
        self.assertGreater(np.count_nonzero(floats % 1), 99000)
        integers = Operands(gather_elements((100000,), (1,), dtype="int16")).data
        self.assertLess(integers.min(), -32000)
        self.assertGreater(integers.max(), 32000)

    def test_aligned_arrays_hold_the_same(self) -> None:
        for workload in SMALL:
            inputs = draw_inputs(workload)
            operands, given = Operands(workload, inputs.at_lines()), Operands(workload, inputs)
            for name in ("data", "output"):
                self.assertEqual(getattr(operands, name).ctypes.data % LINE, 0, workload.name)
            np.testing.assert_array_equal(operands.indices, given.indices, workload.name)
            np.testing.assert_array_equal(answer_of(C, operands).exact, answer_of(C, given).exact, workload.name)

    def test_strew_and_every_formulation_of_every_peer_are_right(self) -> None:
        for peer in (StrewInC(C), *everybody_else()):
            timed = 0
            for workload in SMALL:
                for threads in (1, 2):
                    operands = Operands(workload)
                    lane = try_out(peer, operands, answer_of(C, operands), threads)
                    self.assert_only_refusals(peer, lane, workload, (peer.name, workload.name, threads))
                    timed += lane.best is not None
            self.assertGreater(timed, len(SMALL) // 4, peer.name)  # of twice as many

    def assert_only_refusals(self, peer: Any, lane: Lane, workload: Workload, where: tuple[Any, ...]) -> None:
        """A library may refuse calls that it lacks; strew lacks none, and NumPy none that it is asked for."""
        self.assertFalse(lane.wrong, (where, lane.remarks))
        if peer.name in ("strew in C", "NumPy through strew"):
            self.assertEqual(lane.remarks, [], where)
        if peer.name == "strew in C" or (peer.name == "NumPy through strew" and not workload.inspected):
            self.assertIsNotNone(lane.best, where)

    def test_written_out_indices_live_as_long_as_they_are_pointed_at(self) -> None:
        for peer in everybody_else():
            operands = Operands(EXPANDED)
            lane = try_out(peer, operands, answer_of(C, operands), 1)
            self.assertFalse(lane.wrong, (peer.name, lane.remarks))
            self.assertIsNotNone(lane.best, (peer.name, lane.remarks))

    def test_a_lost_update_is_wrong(self) -> None:
        lane = self.lane_of(lost_update)
        self.assertTrue(lane.wrong)
        self.assertIsNone(lane.best)
        self.assertEqual(lane.remarks, ["made up wrong: 1 of 7 elements"])

    def test_an_update_that_is_lost_at_times_is_wrong(self) -> None:
        runs = 0

        def at_times(operands: Operands) -> np.ndarray:
            nonlocal runs
            runs += 1
            return lost_update(operands) if runs == last_right_run + 2 else right(operands)

        last_right_run = sys.maxsize
        peer, operands = made_up(at_times), Operands(sum_elements((7,), (5,)))
        lane = try_out(peer, operands, answer_of(C, operands), 2)
        self.assertIsNotNone(lane.best)
        last_right_run = runs
        confirm(lane, peer, operands, answer_of(C, operands))
        self.assertTrue(lane.wrong)
        self.assertIsNone(lane.best)

    def test_a_peer_that_is_right_in_another_way_is_wrong(self) -> None:
        peer, operands = made_up(lost_update), Operands(sum_elements((7,), (5,)))
        ways = {"right": lambda: right(operands), **peer.formulations(operands, 2)}
        peer.formulations = lambda operands, threads: ways
        lane = try_out(peer, operands, answer_of(C, operands), 2)
        self.assertTrue(lane.wrong)
        self.assertIsNone(lane.best)

    def test_what_a_peer_refuses_is_left_out(self) -> None:
        lane = self.lane_of(lambda operands: operands.output.no_such_method())
        self.assertFalse(lane.wrong)
        self.assertIsNone(lane.best)
        self.assertRegex(lane.remarks[0], "refused: .*no_such_method")

    def lane_of(self, run: Callable[[Operands], Any]) -> Lane:
        """The lane after trying out this function of the operands."""
        operands = Operands(sum_elements((7,), (5,)))
        return try_out(made_up(run), operands, answer_of(C, operands), 1)


def right(operands: Operands) -> np.ndarray:
    """The right result."""
    return answer_of(C, operands).exact


def lost_update(operands: Operands) -> np.ndarray:
    """A result that lacks something."""
    result = right(operands)
    result[operands.indices[0]] -= 1
    return result


def made_up(run: Callable[[Operands], Any]) -> PythonPeer:
    """A peer with one formulation."""

    class MadeUp(NumpyPeer):
        """Runs that function."""

        def formulations(self, operands: Operands, threads: int) -> Formulations:
            return {"made up": lambda: run(operands)}

    return MadeUp()


class RefusalTest(unittest.TestCase):
    """strew's own words come through."""

    def test_the_message_names_the_index(self) -> None:
        operands = Operands(gather_elements((7,), (5,)))
        operands.indices[3] = 7
        (contender,) = StrewInC(C).contenders(operands, 1)
        with self.assertRaisesRegex(RefusedError, r"indices\[3\] is 7"):
            contender.run()


class ProgramTest(unittest.TestCase):
    """The whole of it, on the smallest workload."""

    def test_it_prints_a_row_and_saves_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            saved, page = Path(folder) / "peers.json", Path(folder) / "peers.md"
            arguments = ["--peers", "numpy", "--filter", "^gather_elements/float32/10/3$", "--threads", "1,2"]
            files = ["--out", str(saved), "--markdown", str(page), "--machine", "a machine"]
            status = peers.main(["--strew", str(LIBRARY), "--rounds", "1", *files, *arguments])
            result, table = json.loads(saved.read_text()), page.read_text()
        self.assertEqual(status, 0)
        self.assertEqual(result["context"]["versions"]["NumPy"], np.__version__)
        rows = result["rows"]
        self.assertEqual([(row["workload"]["data"], row["threads"]) for row in rows], [([10], 1), ([10], 2)])
        for row in rows:
            self.assertGreater(row["strew"]["seconds"], 0)
        self.assertEqual(rows[0]["best_in_c"], "loops in C")
        loops, strew = rows[0]["in_c"]["loops in C"]["seconds"], rows[0]["strew"]["seconds"]
        self.assertAlmostEqual(rows[0]["ratio_in_c"], loops / strew)
        self.assertIsNone(rows[1]["ratio_in_c"])  # loops have one thread
        self.assertRegex(output.getvalue(), r"gather_elements +10 +3 +float32 +1 +[\d.-]+ +\d+\.\d\d +\d.* a +\d.* [num]?s")
        self.assertIn(f"NumPy {np.__version__}. Measured", table)
        self.assertIn(" on a machine. ", table)
        self.assertRegex(table, r"\n\| gather_elements, 3 elements of 10 \| [^|]+ \| [^|]+ [num]?s \| \d[^|]+\|")


class RestTest(unittest.TestCase):
    """Between turns no thread runs."""

    def test_it_waits_for_threads_that_look_for_work(self) -> None:
        """A thread looks for work longer than a check takes."""
        has_stopped = threading.Event()

        def look() -> None:
            end = time.monotonic() + 4 * LEAST_SECONDS
            while time.monotonic() < end:
                pass
            has_stopped.set()

        threading.Thread(target=look).start()
        rest()
        self.assertTrue(has_stopped.is_set())


class SuiteTest(unittest.TestCase):
    """The calls of a suite."""

    def test_bags_have_every_length_from_caches_and_from_memory(self) -> None:
        of_bags = [call for call in workloads.bags(False) if call.draw == "equal"]
        self.assertEqual(len(set(of_bags)), 2 * 2 * 5 * 6)
        row_bytes = [prod(call.row) * workloads.ELEMENT_SIZES[call.dtype] for call in of_bags]
        sizes = zip((call.positions[0] // call.rows_out for call in of_bags), row_bytes)
        self.assertEqual(set(sizes), set(product(workloads.ROWS_IN_A_BAG, workloads.ROW_BYTES)))

    def test_what_is_in_any_order_is_beside_bags_of_the_same_rows(self) -> None:
        for dtype in ("float32", "float16"):
            operands = Operands(beside_bags((9, 5), 40, 8, "shuffled", dtype)[0])
            sums = np.add.reduceat(operands.data[operands.sorted_entries], operands.offsets)
            self.assertEqual(answer_of(C, operands).mistakes(sums, exactly=False), 0)
            self.assertFalse((np.diff(operands.targets) >= 0).all())


class SparseTest(unittest.TestCase):
    """--suite spmm on small matrices."""

    def setUp(self) -> None:
        try:
            import scipy.io
            import scipy.sparse
            import strew.sparse  # noqa: F401
        except ImportError as error:
            self.skipTest(str(error))
        self._scipy = scipy

    def compare(self, *arguments: str) -> tuple[int, str, list[dict[str, Any]]]:
        """The status, the table, and the rows."""
        with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()):
            out, page = Path(directory, "out.json"), Path(directory, "page.md")
            files = ["--out", str(out), "--markdown", str(page), "--suite", "spmm", "--rounds", "1", "--threads", "1"]
            options = peers.parse_arguments([*files, *arguments])
            status = spmm.compare(options, sizes=(50,), widths=(1, 3))
            return status, page.read_text(), json.loads(out.read_text())["rows"]

    def test_every_graph_is_multiplied_rightly(self) -> None:
        with unittest.mock.patch.object(spmm, "LEAST_SECONDS", 0):
            status, page, rows = self.compare()
        self.assertEqual(status, 0)
        self.assertEqual({row["graph"] for row in rows}, set(spmm.GRAPHS))
        self.assertTrue(all(seconds for row in rows for seconds in row["seconds"].values()), "a wrong result")
        self.assertEqual(len(rows), len(spmm.GRAPHS) * 2 * 2 * 2)
        self.assertIn("| 3 |", page)

    def test_a_matrix_market_file_is_read(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "small.mtx")
            self._scipy.io.mmwrite(file, self._scipy.sparse.random(7, 5, 0.4, random_state=1))
            status, _, rows = self.compare("--matrix", str(file), "--filter", "width 3")
        self.assertEqual((status, {row["graph"] for row in rows}, len(rows)), (0, {"small"}, 4))


class HuntTest(unittest.TestCase):
    """Calls that are drawn at random."""

    def test_a_seed_and_a_number_are_a_call(self) -> None:
        calls = [hunted(7, number) for number in range(400)]
        self.assertEqual(calls, [hunted(7, number) for number in range(400)])
        self.assertNotEqual(calls, [hunted(8, number) for number in range(400)])
        self.assertEqual(len({call.operator for call in calls}), 11)
        self.assertEqual({call.dtype for call in calls}, set(workloads.ELEMENT_SIZES))
        self.assertEqual({call.reduction for call in calls}, {"none", "sum", "prod", "min", "max", "mean"})
        self.assertEqual({call.bounds for call in calls}, {"refuse", "stop", "skip", "clamp", "wrap"})
        self.assertTrue(any(prod(call.positions) * prod(call.row) == 1 for call in calls))
        self.assertTrue(any(call.sums_rows and call.data[1] == 1 for call in calls))
        self.assertEqual(
            DRAWS.keys() - {call.draw for call in calls}, {"expanded", "equal", "shuffled", "covering"}
        )
        for call in calls:
            self.assertEqual(eval(hunt.workload_text(call).rstrip(","), {"Workload": Workload}), call)

    def test_indices_are_in_bounds_and_assigned_ones_distinct(self) -> None:
        for number in range(60):
            call = hunted(3, number)
            if prod(call.data) > 1 << 20:
                continue
            operands = Operands(call)
            if not call.sums_rows and call.bounds != "skip":
                numbers = operands.row_numbers()
                self.assertTrue(0 <= numbers.min() and numbers.max() < call.rows, call.name)
                if call.reduction == "none" and not call.gathers:
                    self.assertEqual(len(np.unique(numbers)), len(numbers), call.name)

    def test_a_hunt(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            out = Path(folder) / "hunt.json"
            arguments = ["--strew", str(LIBRARY), "--peers", "numpy", "--seed", "2", "--number", "2", "--threads", "1"]
            self.assertEqual(hunt.main([*arguments, "--out", str(out)]), 0)
            (row,) = json.loads(out.read_text())["rows"]
        self.assertEqual((row["number"], row["threads"]), (2, 1))
        self.assertGreater(row["from_c"]["ratio"], 0)
        self.assertIn("geometric mean", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
