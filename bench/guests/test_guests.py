"""Tests the race of guests: its draws, and its verdicts. `make test-peers` runs it."""

from __future__ import annotations

import contextlib
import os
import sys
import unittest
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "peers"))

try:
    from calls import Call, drawn, operands_of
    from guest import Expected, Guest, Side, expected
    from hunt import Row, loaded, mistakes, summary
    from turns import Length, Times, race
except ImportError as error:
    if os.environ.get("STREW_REQUIRE_ALL") == "1":
        raise
    print(f"test_guests.py is left out: {error}")
    sys.exit(0)

SEED = 3
ENOUGH = 1000


def one_of_each(guest: Guest) -> Iterator[tuple[int, Call]]:
    """A small call of each operation, and one with gradients of those that have them."""
    left = {(name, backward) for name, some in guest.operations.items() for backward in {False, "backward" in some.traits}}
    for number in range(ENOUGH):
        call = drawn(guest.operations, SEED, number, small=True)
        kind = (call.operation, "backward" in call.traits)
        if kind in left:
            left.remove(kind)
            yield number, call
    assert not left, f"{guest.name} has not drawn {left}"


def changed(side: Side, change: Callable[[list[np.ndarray]], list[np.ndarray]], guest: Guest) -> Side:
    """The same side with changed results."""
    return replace(side, run=lambda: change([array.copy() for array in guest.arrays(side.run())]))


def one_more(arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The last element of the first result is another."""
    first = arrays[0].reshape(-1)
    first[-1:] = np.where(first[-1:] == 1, 2, 1).astype(first.dtype)
    return [first.reshape(arrays[0].shape), *arrays[1:]]


class Copied:
    """A guest whose results are arrays already."""

    @staticmethod
    def arrays(result: Any) -> list[np.ndarray]:
        """Themselves."""
        return result


class TestGuests(unittest.TestCase):
    """The results of each guest through strew are right, and wrong results are found."""

    def check(self, name: str) -> None:
        """All operations of one."""
        try:
            guest = loaded(name, len(os.sched_getaffinity(0)))
        except ImportError as error:
            if os.environ.get("STREW_REQUIRE_ALL") == "1":
                raise
            self.skipTest(str(error))
        self.assertEqual(len(guest.versions()), 2)
        for number, call in one_of_each(guest):
            with self.subTest(guest=name, call=call.name):
                operands = operands_of(call, SEED, number)
                right = expected(guest, call, operands)
                _, side = guest.sides(call, operands)
                self.assertEqual(mistakes(guest, side, right), "")
                if right[0].value.size:
                    self.assertIn("elements", mistakes(Copied, changed(side, one_more, guest), right))

    def test_torch(self) -> None:
        self.check("torch")

    def test_jax(self) -> None:
        self.check("jax")

    def test_onnxruntime(self) -> None:
        self.check("onnxruntime")

    def test_openvino(self) -> None:
        self.check("openvino")

    def test_numpy(self) -> None:
        self.check("numpy")


class TestDraws(unittest.TestCase):
    """Calls are those of a seed and a number, small and large."""

    OPERATIONS = property(lambda self: loaded("numpy", 1).operations)

    def test_the_same_again(self) -> None:
        calls = [drawn(self.OPERATIONS, SEED, 17) for _ in range(2)]
        self.assertEqual(*calls)
        first, second = (operands_of(call, SEED, 17) for call in calls)
        np.testing.assert_array_equal(first.indices, second.indices)
        np.testing.assert_array_equal(first.data, second.data)

    def test_small_and_large(self) -> None:
        sizes = [max(np.prod(call.data), np.prod(call.indices)) for call in self.calls(300)]
        self.assertGreater(np.mean(np.array(sizes) < 1000), 0.33)
        self.assertGreater(np.mean(np.array(sizes) > 100_000), 0.1)
        self.assertLess(max(sizes), 30 << 20)

    def test_assignments_name_nothing_twice(self) -> None:
        for number, call in enumerate(self.calls(200)):
            if call.scatters and call.reduction == "none" and call.family == "tuples" and np.prod(call.indices) < 1000:
                indices = operands_of(call, SEED, number).indices
                self.assertEqual(len(np.unique(indices, axis=0)), len(indices), call.name)

    def calls(self, count: int) -> list[Call]:
        """The first ones."""
        operations = self.OPERATIONS
        return [drawn(operations, SEED, number) for number in range(count)]


class TestRace(unittest.TestCase):
    """The output of a race."""

    def test_the_faster_side_is_told(self) -> None:
        slow, fast = (Side(lambda count=count: sum(range(count))) for count in (20_000, 2_000))
        self.assertGreater(race((slow, fast), Length(3, 0.001, 1.0), rests=False).ratio, 2)

    def test_data_is_reset_before_each_run_and_a_context_entered(self) -> None:
        log: list[str] = []

        @contextlib.contextmanager
        def context() -> Iterator[None]:
            log.append("enter")
            yield
            log.append("leave")

        side = Side(lambda: log.append("run"), lambda: log.append("reset"), context)
        race((side, side), Length(1, 1e-6, 1.0), rests=False)
        text = " ".join(log)
        self.assertEqual(text.count("reset run"), text.count("run"))
        self.assertTrue(text.startswith("enter reset run") and text.endswith("run leave"))

    def test_what_is_right(self) -> None:
        exact = Expected(np.array([1, 2]))
        self.assertEqual(exact.mistakes(np.array([1, 3])), 1)
        self.assertEqual(exact.mistakes(np.array([1])), 2)
        near = Expected(np.array([1.0, 2.0]), np.array([0.1, 0.1]))
        self.assertEqual(near.mistakes(np.array([1.05, 2.2])), 1)
        self.assertEqual(near.mistakes(np.array([np.nan, 2.0])), 1)

    def test_summary(self) -> None:
        call = drawn(loaded("numpy", 1).operations, SEED, 0)
        rows = [Row("numpy", 1, number, call, Times(1e-6, 1e-6 / ratio, ratio), False, "") for number, ratio in
                enumerate((0.5, 0.9, 2.0, 4.0))]  # fmt: skip
        head, *worst = summary([*rows, replace(rows[0], number=9, times=None, wrong="refused: no")])
        self.assertIn("4 calls", head)
        self.assertIn("50.0% below 0.95, 25.0% below 0.8; 1 wrong", head)
        self.assertEqual([line.split()[4] for line in worst[:2]], ["0", "1"])
        self.assertIn("WRONG: refused: no", worst[-1])


if __name__ == "__main__":
    unittest.main()
