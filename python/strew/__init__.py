"""strew: exact, fast tensor scatter and gather on CPUs, for NumPy, PyTorch and JAX.

gather, gather_nd, gather_elements, scatter, scatter_nd, scatter_elements, tensor_scatter and slice_scatter are the
operators of OpenVINO and ONNX, run() is each published version of them, and a Plan is one that was made ready beforehand.
"""

from strew._core import (
    Plan,
    gather,
    gather_elements,
    gather_nd,
    get_num_threads,
    info,
    operators,
    plan,
    plan_gather,
    plan_gather_elements,
    plan_gather_nd,
    plan_scatter,
    plan_scatter_elements,
    plan_scatter_nd,
    plan_slice_scatter,
    plan_tensor_scatter,
    run,
    scatter,
    scatter_elements,
    scatter_nd,
    set_num_threads,
    slice_scatter,
    tensor_scatter,
    version,
)
from strew.errors import ArgumentError, BoundsError, DtypeError, Error

__version__ = version()

__all__ = [
    "ArgumentError",
    "BoundsError",
    "DtypeError",
    "Error",
    "Plan",
    "gather",
    "gather_elements",
    "gather_nd",
    "get_num_threads",
    "info",
    "operators",
    "plan",
    "plan_gather",
    "plan_gather_elements",
    "plan_gather_nd",
    "plan_scatter",
    "plan_scatter_elements",
    "plan_scatter_nd",
    "plan_slice_scatter",
    "plan_tensor_scatter",
    "run",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "set_num_threads",
    "slice_scatter",
    "tensor_scatter",
]
