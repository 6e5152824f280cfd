"""strew's operators under jit: what a user of JAX sees who calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import strew.jax

from jax_peer import JaxPeer, Traced
from workloads import Workload


class JaxThroughStrew(JaxPeer):
    """JAX's arrays in strew's functions, compiled as JAX's own are."""

    name = "JAX through strew"
    version = f"{jax.__version__}, strew {strew.__version__}"

    def functions(self, workload: Workload) -> dict[str, Traced]:
        """The function that is named as the operator is."""
        function = getattr(strew.jax, workload.operator, None)
        if function is None or workload.sums_rows or not takes_all(function, workload):
            return {}
        return {f"strew.jax.{workload.operator}": lambda *arrays: function(*arrays, **workload.attributes)}


def takes_all(function: Callable[..., Any], workload: Workload) -> bool:
    """Whether it has all attributes of the workload."""
    return set(workload.attributes) <= set(inspect.signature(function).parameters)
