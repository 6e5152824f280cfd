"""strew's Python functions on NumPy's arrays, as a user of NumPy calls them, with the time of the call from Python."""

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
    is_exact = True

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """The function that is named as the operator is."""
        workload = operands.workload
        if workload.inspected:
            return {}
        arrays = operands.inputs_by_name
        inputs = [elements(arrays[name], workload.dtype) for name in workload.inputs]
        attributes = dict(workload.attributes)
        if bounds := attributes.pop("bounds", None):
            attributes["mode"] = {"skip": "fill", "clamp": "clip"}.get(bounds, bounds)
        if workload.operator == "slice_scatter":
            begin, end = operands.slice_attributes.values()
            attributes = {"starts": [begin], "stops": [end], "axes": [workload.axis]}
        function = partial(getattr(strew, workload.operator), *inputs, **attributes)
        output = elements(operands.output, workload.dtype)
        return {f"strew.{workload.operator}": partial(function, out=output, num_threads=threads)}

    def as_array(self, returned: np.ndarray) -> np.ndarray:
        """bfloat16 as bits, like the operands."""
        return returned.view(np.uint16) if returned.dtype == ml_dtypes.bfloat16 else returned


def elements(array: np.ndarray, dtype: str) -> np.ndarray:
    """The operands' bits of bfloat16 as such numbers."""
    return array.view(ml_dtypes.bfloat16) if dtype == "bfloat16" and array.dtype == np.uint16 else array
