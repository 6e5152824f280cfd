"""strew, as a runtime would call it: planned once, run many times."""

from __future__ import annotations

from functools import partial

import numpy as np

from contenders import Contender
from operands import Operands
from strew_calls import Call, Library, run_calls


class StrewPeer:
    """strew. Its runs are repeated in C: what Python costs is not part of its times."""

    name = "strew"
    has_threads = True

    def __init__(self, library: Library) -> None:
        self._library = library
        self.version = library.version

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """With the scratch that its calls would have, where one has a use for it, and without."""
        calls = plan_calls(self._library, operands, threads)
        if operands.workload.inspected:
            for call in calls:
                call.inspect()
            return [self._contender("inspected", calls, threads)]
        without = self._contender("planned", plan_calls(self._library, operands, threads), threads)
        if not sum(call.give_scratch() for call in calls):
            return [without]
        with_scratch = self._contender("planned, with scratch", calls, threads)
        return [with_scratch] if operands.workload.needs_scratch else [with_scratch, without]

    def _contender(self, text: str, calls: list[Call], threads: int) -> Contender:
        timed = partial(run_calls, self._library, calls, threads)

        def run() -> None:
            timed(1)

        return Contender(text, run, partial(timed, warm_up=True))

    def as_array(self, returned: np.ndarray) -> np.ndarray:
        """It is one."""
        return returned


def plan_calls(library: Library, operands: Operands, threads: int) -> list[Call]:
    """The calls of a workload, planned for so many threads: one, or the gather before it as well."""
    before = plan_calls(library, operands.first, threads) if operands.first else []
    workload = operands.workload
    arrays = {
        "data": (operands.output if operands.in_place else operands.data, workload.dtype),
        "indices": (operands.indices, workload.index_dtype),
        "updates": (operands.updates, workload.dtype),
        "segments": (operands.segments, workload.index_dtype),
        "weights": (operands.weights, workload.dtype),
        "output": (operands.output, workload.dtype),
    }
    if workload.operator == "gather_scatter":
        arrays["updates"] = (operands.sources, workload.dtype)
    call = Call(library, {name: arrays[name] for name in (*workload.inputs, "output")})
    call.plan(workload.operator, workload.attributes | operands.slice_attributes, threads)
    return [*before, call]
