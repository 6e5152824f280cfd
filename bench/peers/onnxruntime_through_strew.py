"""The models of onnxruntime_peer.py with strew's kernels, as for a user who makes the session through strew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import onnxruntime
import strew_onnxruntime

from contenders import Formulations
from onnxruntime_peer import OnnxRuntimePeer, model_of, with_threads
from operands import Operands
from workloads import Workload


class OnnxRuntimeThroughStrew(OnnxRuntimePeer):
    """ONNX Runtime, whose kernels of scatters and gathers are strew's."""

    name = "ONNX Runtime through strew"
    version = f"{onnxruntime.__version__}, strew {strew_onnxruntime.__version__}"

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """The formulations of ONNX Runtime alone, if strew runs a part of them."""
        return {text: run_by_strew(run) for text, run in super().formulations(operands, threads).items()}

    def start_session(self, workload: Workload, threads: int) -> onnxruntime.InferenceSession:
        """A session as strew's own function makes it, with a number of threads."""
        options = with_threads(strew_onnxruntime.session_options(), threads)
        return onnxruntime.InferenceSession(model_of(workload).SerializeToString(), options)


def run_by_strew(run: Callable[[], Any]) -> Callable[[], Any]:
    """The same run; the first one is refused if strew ran nothing of it."""
    is_strews = False

    def checked() -> Any:
        nonlocal is_strews
        if is_strews:
            return run()
        before = strew_onnxruntime.runs()
        returned = run()
        if strew_onnxruntime.runs() == before:
            raise NotImplementedError("strew has no part in it")
        is_strews = True
        return returned

    return checked
