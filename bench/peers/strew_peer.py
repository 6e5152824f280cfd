"""strew, as a runtime would call it: planned once, run many times."""

from __future__ import annotations

import numpy as np

from contenders import Contender
from operands import Operands
from strew_ctypes import Buffers, Library, Plan


class StrewPeer:
    """strew. Its runs are repeated in C: what Python costs is not part of its times."""

    name = "strew"
    has_threads = True

    def __init__(self, library: Library) -> None:
        self._library = library
        self.version = library.version

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """With the scratch that it would have, where it has a use for it, and without."""
        plan, buffers = plan_workload(self._library, operands, threads)
        size = self._library.scratch_size(plan, threads)
        without = self._contender("planned", plan, buffers, threads, None)
        if size == 0:
            return [without]
        scratch = np.empty(size, np.uint8)
        scratch.fill(0)  # its pages are there before it is timed
        return [self._contender("planned, with scratch", plan, buffers, threads, scratch), without]

    def _contender(
        self, text: str, plan: Plan, buffers: Buffers, threads: int, scratch: np.ndarray | None
    ) -> Contender:
        library = self._library

        # Threads live as long as a turn: an idle pthreadpool waits for work on a core that the next one needs.
        def run() -> None:
            with library.threads(threads) as parallel:
                library.run(plan, buffers, parallel, 1, scratch)

        def timed(repetitions: int) -> float:
            with library.threads(threads) as parallel:
                library.run(plan, buffers, parallel, 1, scratch)
                return library.run(plan, buffers, parallel, repetitions, scratch)

        return Contender(text, run, timed)

    def as_array(self, returned: np.ndarray) -> np.ndarray:
        """It is one."""
        return returned


def plan_workload(library: Library, operands: Operands, threads: int) -> tuple[Plan, Buffers]:
    """The plan of a workload for so many threads, and the pointers to run it with."""
    workload = operands.workload
    tensors = {"output": library.tensor(operands.output, workload.dtype)}
    tensors["data"] = tensors["output"] if operands.in_place else library.tensor(operands.data, workload.dtype)
    tensors["indices"] = library.tensor(operands.indices, workload.index_dtype)
    if not workload.gathers:
        tensors["updates"] = library.tensor(operands.updates, workload.dtype)
    attributes = {
        "batch_dims": workload.batch_dims,
        "axis": workload.axis,
        "reduction": library.reduction(workload.reduction),
        "use_init_val": True,
    }
    arguments = [(tensors | attributes)[name] for name in PARAMETERS[workload.operator]]
    buffers = Buffers(**{name: tensor.data for name, tensor in tensors.items()})
    return library.plan(workload.operator, threads, *arguments), buffers


# What strew_plan_<operator> takes between the plan and the options.
PARAMETERS: dict[str, tuple[str, ...]] = {
    "gather_nd": ("data", "indices", "batch_dims", "output"),
    "gather_elements": ("data", "indices", "axis", "output"),
    "scatter_nd": ("data", "indices", "updates", "reduction", "output"),
    "scatter_elements": ("data", "indices", "updates", "axis", "reduction", "use_init_val", "output"),
}
