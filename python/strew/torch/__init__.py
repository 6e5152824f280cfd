"""strew underneath PyTorch.

One line puts strew under existing code:

    import strew.torch
    strew.torch.enable()

From then on PyTorch's operators for gathering, scattering and indexing (torch.gather, x[i], x[i] = v, scatter_add_,
index_select, embedding and so on), forward and backward, run strew's kernels for tensors of the CPU, on PyTorch's
threads. All other calls run as before, with PyTorch's own errors. `report()` lists the calls of each operator.

strew's own operators, functional and differentiable, have PyTorch's names where PyTorch has the function: gather,
index_select, scatter, scatter_reduce, index_add, embedding_bag and so on. gather_nd, scatter_nd and the others are
operators of ONNX and OpenVINO, and strew's own. They call torch.ops.strew, which has ONNX's words.
"""

from __future__ import annotations

import os
import sys

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ImportError(
        "strew.torch needs PyTorch 2.10 or newer: pip install torch "
        "(for the CPU alone: pip install torch --index-url https://download.pytorch.org/whl/cpu)"
    ) from error

from strew import _torch


def _load() -> None:
    """Finds PyTorch's stable C interface in the libraries that `import torch` has loaded."""
    name = {"win32": "torch_cpu.dll", "darwin": "libtorch_cpu.dylib"}.get(sys.platform, "libtorch_cpu.so")
    missing: str | None = ""
    # Distributions may keep the library elsewhere: then PyTorch's module that links it finds its functions too.
    for path in (os.path.join(os.path.dirname(torch.__file__), "lib", name), torch._C.__file__):
        missing = _torch.load(path)
        if missing is None:
            _torch.load_python(torch._C.__file__)
            return
    raise ImportError(
        f"strew.torch needs PyTorch 2.10 or newer; this is {torch.__version__}, "
        + (f"whose {name} lacks {missing}" if missing else f"of which no {name} is loaded")
    )


_load()

from strew.torch.operators import (  # noqa: E402
    embedding_bag,
    embedding_bag_offsets,
    embedding_bag_packed,
    embedding_segments,
    gather,
    gather_elements,
    gather_nd,
    gather_scatter,
    index_add,
    index_copy,
    index_reduce,
    index_select,
    scatter,
    scatter_add,
    scatter_elements,
    scatter_nd,
    scatter_reduce,
    segment_reduce,
    slice_scatter,
    tensor_scatter,
)
from strew.torch.takeover import Report, disable, enable, enabled, is_enabled, report  # noqa: E402

__all__ = [
    "Report",
    "disable",
    "embedding_bag",
    "embedding_bag_offsets",
    "embedding_bag_packed",
    "embedding_segments",
    "enable",
    "enabled",
    "gather",
    "gather_elements",
    "gather_nd",
    "gather_scatter",
    "index_add",
    "index_copy",
    "index_reduce",
    "index_select",
    "is_enabled",
    "report",
    "scatter",
    "scatter_add",
    "scatter_elements",
    "scatter_nd",
    "scatter_reduce",
    "segment_reduce",
    "slice_scatter",
    "tensor_scatter",
]
