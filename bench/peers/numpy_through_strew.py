"""strew's Python functions on NumPy's arrays: what a user of NumPy sees, the call from Python included."""

from __future__ import annotations

from functools import partial

import ml_dtypes
import numpy as np
import strew

from contenders import Formulations, PythonPeer
from operands import Operands


class NumpyThroughStrew(PythonPeer):
    """NumPy's arrays in strew's functions."""

    name = "NumPy through strew"
    version = strew.__version__
    has_threads = True

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """The function that is named as the operator is."""
        workload = operands.workload
        if not hasattr(strew, workload.operator) or workload.sums_rows or workload.operator == "slice_scatter":
            return {}
        arrays = [operands.output if operands.in_place else operands.data, operands.updates, operands.output]
        data, updates, output = (elements(array, workload.dtype) for array in arrays)
        inputs = (data, operands.indices) if updates is None else (data, operands.indices, updates)
        function = partial(getattr(strew, workload.operator), out=output, num_threads=threads)
        return {f"strew.{workload.operator}": partial(function, *inputs, **workload.attributes)}

    def as_array(self, returned: np.ndarray) -> np.ndarray:
        """Of bfloat16 the bits, as the operands have them."""
        return returned.view(np.uint16) if returned.dtype == ml_dtypes.bfloat16 else returned


def elements(array: np.ndarray | None, dtype: str) -> np.ndarray | None:
    """The operands' bits of bfloat16 as such numbers."""
    return array.view(ml_dtypes.bfloat16) if array is not None and dtype == "bfloat16" else array
