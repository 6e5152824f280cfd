"""strew underneath PyTorch: its CPU kernels for gather, scatter and indexing, taken over on request."""

from __future__ import annotations

import os
import sys

import torch

from strew import _torch

__all__: list[str] = []


def _load() -> None:
    """Finds PyTorch's stable C interface in the libraries that `import torch` has loaded."""
    name = {"win32": "torch_cpu.dll", "darwin": "libtorch_cpu.dylib"}.get(sys.platform, "libtorch_cpu.so")
    missing = ""
    # Where a distribution keeps the library elsewhere, the module of PyTorch that needs it finds its functions too.
    for path in (os.path.join(os.path.dirname(torch.__file__), "lib", name), torch._C.__file__):
        missing = _torch.load(path)
        if missing is None:
            return
    raise ImportError(
        f"strew.torch needs PyTorch 2.10 or newer; this is {torch.__version__}, "
        + (f"whose {name} lacks {missing}" if missing else f"of which no {name} is loaded")
    )


_load()

from .operators import gather_elements, gather_nd, scatter_elements, scatter_nd  # noqa: E402

__all__ += ["gather_nd", "gather_elements", "scatter_nd", "scatter_elements"]
