"""strew's operators in JAX: under jit, grad, jvp, vmap and shard_map, on CPUs.

    import strew.jax

    rows = strew.jax.gather(data, indices)
    sums = strew.jax.scatter(data, indices, updates, reduction="sum")

They mean what the functions of the same names in `strew` mean, and run the same kernels. strew checks every index, except in
small gathers without `exact=True`. `mode` selects the policy for an index out of bounds, by JAX's own names. The results have
the same bits every time, for any number of threads.
"""

try:
    from strew import _jax  # noqa: F401
except ImportError as error:
    raise ImportError(
        "strew was built without its JAX module, which needs the header xla/ffi/api/c_api.h of jaxlib: install jaxlib "
        "where strew is built, or set the CMake variable STREW_JAXLIB_INCLUDE to the directory that "
        "jax.ffi.include_dir() returns, and build strew again"
    ) from error
try:
    import jax as _  # noqa: F401
except ImportError as error:
    raise ImportError("strew.jax needs JAX 0.6 or newer: pip install jax") from error

from strew.jax import _batching, _derivatives, _edges  # noqa: F401  (they register themselves)
from strew.jax._operators import (
    embedding_bag,
    embedding_bag_offsets,
    embedding_bag_packed,
    embedding_segments,
    gather,
    gather_elements,
    gather_nd,
    gather_scatter,
    scatter,
    scatter_elements,
    scatter_nd,
    segment_reduce,
    slice_scatter,
    tensor_scatter,
)

__all__ = [
    "embedding_bag",
    "embedding_bag_offsets",
    "embedding_bag_packed",
    "embedding_segments",
    "gather",
    "gather_elements",
    "gather_nd",
    "gather_scatter",
    "scatter",
    "scatter_elements",
    "scatter_nd",
    "segment_reduce",
    "slice_scatter",
    "tensor_scatter",
]
