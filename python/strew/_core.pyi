from typing import Any, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from strew.typing import Array, Bounds, Info, Integers, OperatorInfo, Reduction

_Out = TypeVar("_Out", bound=Array)
_Element = TypeVar("_Element", bound=np.generic)

@final
class Plan:
    @property
    def name(self) -> str: ...
    @property
    def output_shape(self) -> tuple[int, ...]: ...
    @property
    def num_threads(self) -> int: ...
    @property
    def scratch_size(self) -> int: ...
    @overload
    def __call__(self, data: Array, indices: Array | None = None, updates: Array | None = None, *, out: _Out) -> _Out: ...
    @overload
    def __call__(
        self, data: NDArray[_Element], indices: Array | None = None, updates: Array | None = None, *, out: None = None
    ) -> NDArray[_Element]: ...
    @overload
    def __call__(
        self, data: Array, indices: Array | None = None, updates: Array | None = None, *, out: None = None
    ) -> Any: ...

@overload
def gather(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather(
    data: NDArray[_Element],
    indices: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_nd(
    data: Array,
    indices: Array,
    *,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_nd(
    data: NDArray[_Element],
    indices: Array,
    *,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_nd(
    data: Array,
    indices: Array,
    *,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_elements(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_elements(
    data: NDArray[_Element],
    indices: Array,
    *,
    axis: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_elements(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter(
    data: NDArray[_Element],
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter_nd(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    reduction: Reduction = "none",
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter_nd(
    data: NDArray[_Element],
    indices: Array,
    updates: Array,
    *,
    reduction: Reduction = "none",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter_nd(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    reduction: Reduction = "none",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter_elements(
    data: NDArray[_Element],
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def tensor_scatter(
    data: Array,
    indices: Array | None,
    updates: Array,
    *,
    axis: int = -2,
    circular: bool = False,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def tensor_scatter(
    data: NDArray[_Element],
    indices: Array | None,
    updates: Array,
    *,
    axis: int = -2,
    circular: bool = False,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def tensor_scatter(
    data: Array,
    indices: Array | None,
    updates: Array,
    *,
    axis: int = -2,
    circular: bool = False,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def slice_scatter(
    data: Array,
    updates: Array,
    starts: Integers,
    stops: Integers,
    steps: Integers | None = None,
    axes: Integers | None = None,
    *,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def slice_scatter(
    data: NDArray[_Element],
    updates: Array,
    starts: Integers,
    stops: Integers,
    steps: Integers | None = None,
    axes: Integers | None = None,
    *,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def slice_scatter(
    data: Array,
    updates: Array,
    starts: Integers,
    stops: Integers,
    steps: Integers | None = None,
    axes: Integers | None = None,
    *,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def run(
    name: str,
    data: Array,
    indices: Array | None = None,
    updates: Array | None = None,
    *,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    bounds: Bounds | None = None,
    fill: complex | Array | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def run(
    name: str,
    data: NDArray[_Element],
    indices: Array | None = None,
    updates: Array | None = None,
    *,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    bounds: Bounds | None = None,
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def run(
    name: str,
    data: Array,
    indices: Array | None = None,
    updates: Array | None = None,
    *,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    bounds: Bounds | None = None,
    fill: complex | Array | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
def plan_gather(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_nd(
    data: Array,
    indices: Array,
    *,
    batch_dims: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_elements(
    data: Array,
    indices: Array,
    *,
    axis: int = 0,
    bounds: Bounds = "refuse",
    fill: complex | Array | None = None,
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter_nd(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    reduction: Reduction = "none",
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter_elements(
    data: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_tensor_scatter(
    data: Array,
    indices: Array | None,
    updates: Array,
    *,
    axis: int = -2,
    circular: bool = False,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_slice_scatter(
    data: Array,
    updates: Array,
    starts: Integers,
    stops: Integers,
    steps: Integers | None = None,
    axes: Integers | None = None,
    *,
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan(
    name: str,
    data: Array,
    indices: Array | None = None,
    updates: Array | None = None,
    *,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    bounds: Bounds | None = None,
    fill: complex | Array | None = None,
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def info() -> Info: ...
def operators() -> list[OperatorInfo]: ...
def get_num_threads() -> int: ...
def set_num_threads(num_threads: int, /) -> None: ...
def version() -> str: ...
