"""The peers that are called from C: strew as a runtime calls it, plain loops, and ONNX Runtime by its C API.

Each call is prepared once and run many times; C repeats the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from contenders import Contender, data_bindings
from operands import Operands
from strew_calls import Call, Library, run_calls


class CPeer:
    """The common part of all of them."""

    is_exact = False
    has_threads = True

    def __init__(self, library: Library) -> None:
        self._library = library

    def _contender(self, text: str, calls: Sequence[Call], threads: int) -> Contender:
        timed = partial(run_calls, self._library, calls, threads)

        def run() -> None:
            timed(1)

        return Contender(text, run, partial(timed, warm_up=True))

    def as_array(self, returned: np.ndarray) -> np.ndarray:
        """It is one already."""
        return returned


class StrewInC(CPeer):
    """strew, planned."""

    name = "strew in C"
    is_exact = True

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """Runs with the scratch that the calls can use, and without."""
        calls = self._planned(operands, threads)
        if operands.workload.inspected:
            for call in calls:
                call.inspect()
            return [self._contender("inspected", calls, threads)]
        without = self._contender("planned", self._planned(operands, threads), threads)
        if not sum(call.give_scratch() for call in calls):
            return [without]
        with_scratch = self._contender("planned, with scratch", calls, threads)
        return [with_scratch] if operands.workload.needs_scratch else [with_scratch, without]

    def _planned(self, operands: Operands, threads: int) -> list[Call]:
        calls = calls_of(self._library, operands)
        for call in calls:
            call.plan(threads)
        return calls


class LoopsInC(CPeer):
    """Loops as a C programmer would write them, optimised by the compiler."""

    name = "loops in C"

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """Loops have one thread: nothing on several threads is compared with them."""
        calls = [] if threads > 1 else calls_of(self._library, operands, written_out=True)
        return [self._contender("loops", calls, threads)] if calls and all(call.use_loops() for call in calls) else []


class OnnxRuntimeInC(CPeer):
    """ONNX Runtime, by sessions whose tensors are bound."""

    name = "ONNX Runtime in C"

    def __init__(self, library: Library) -> None:
        import onnxruntime
        import onnxruntime_peer

        super().__init__(library)
        self._onnxruntime = next((Path(onnxruntime.__file__).parent / "capi").glob("libonnxruntime.so.*"), None)
        self._peer = onnxruntime_peer

    def contenders(self, operands: Operands, threads: int) -> list[Contender]:
        """Like the peer in Python: with the output bound to data, and with a copy."""
        if self._onnxruntime is None or not self._peer.has(operands.workload):
            return []
        return [
            self._contender(text, self._sessions(operands, data, threads), threads)
            for text, data in data_bindings(operands).items()
        ]

    def _sessions(self, operands: Operands, data: np.ndarray, threads: int) -> list[Call]:
        calls = self._sessions(operands.first, operands.first.data, threads) if operands.first else []
        arrays = self._peer.arrays_of(operands, data)
        call = call_of(self._library, operands, {**arrays, "output": operands.output})
        call.use_onnxruntime(self._onnxruntime, self._peer.model_of(operands.workload).SerializeToString(), threads)
        return [*calls, call]


def calls_of(library: Library, operands: Operands, *, written_out: bool = False) -> list[Call]:
    """The calls of a workload: one, or the gather before it as well. Indices have strides, or are written out."""
    before = calls_of(library, operands.first, written_out=written_out) if operands.first else []
    arrays = {name: operands.inputs_by_name[name] for name in operands.workload.inputs}
    if written_out and "indices" in arrays:
        arrays["indices"] = operands.unstrided_indices
    return [*before, call_of(library, operands, {**arrays, "output": operands.output})]


def call_of(library: Library, operands: Operands, arrays: dict[str, np.ndarray]) -> Call:
    """The call of a workload on these arrays."""
    workload = operands.workload
    of_indices = ("indices", "segments")
    dtypes = {name: workload.index_dtype if name in of_indices else workload.dtype for name in arrays}
    tensors = {name: (array, dtypes[name]) for name, array in arrays.items()}
    return Call(library, workload.operator, tensors, workload.attributes | operands.slice_attributes)
