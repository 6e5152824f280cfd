"""strew's operators under jit, as a user of JAX calls them."""

from __future__ import annotations

import jax
import strew.jax

from jax_peer import JaxPeer, Traced
from workloads import Workload


class JaxThroughStrew(JaxPeer):
    """JAX's arrays in strew's functions, compiled as JAX's own are."""

    name = "JAX through strew"
    version = f"{jax.__version__}, strew {strew.__version__}"
    is_exact = True

    def functions(self, workload: Workload) -> dict[str, Traced]:
        """The function with the operator's name; for bags, the function for JAX's form of them, sorted segments."""
        if workload.sums_rows:
            return sums_of_rows(workload)
        if workload.operator == "slice_scatter":
            return {}  # the begin of the slice is no array
        attributes = dict(workload.attributes)
        bounds = attributes.pop("bounds", "refuse")
        if workload.goes_on:
            attributes["mode"] = {"skip": "fill" if workload.gathers else "drop", "clamp": "clip"}.get(bounds, bounds)
        if workload.gathers and bounds == "skip":
            attributes["fill_value"] = 0
        function = getattr(strew.jax, workload.operator)
        return {f"strew.jax.{workload.operator}": lambda *arrays: function(*arrays, **attributes)}


def sums_of_rows(workload: Workload) -> dict[str, Traced]:
    """Functions of the output's old rows, the table, the indices, their targets, and weights."""
    attributes = dict(workload.attributes)
    if workload.operator == "gather_scatter":
        return {"strew.jax.gather_scatter": lambda *arrays: strew.jax.gather_scatter(*arrays, **attributes)}
    attributes["num_segments"] = workload.rows_out
    if workload.operator == "segment_reduce":
        reduced = lambda _, rows, __, targets: strew.jax.segment_reduce(rows, targets, **attributes)  # noqa: E731
        return {"strew.jax.segment_reduce": reduced}
    return {"strew.jax.embedding_segments": lambda _, *arrays: strew.jax.embedding_segments(*arrays, **attributes)}
