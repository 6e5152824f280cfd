from typing import Any, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from strew.typing import Array, Bounds, Empty, Info, Integers, OperatorInfo, Reduction

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
    @property
    def inspection_size(self) -> int: ...
    def explain(self) -> str: ...
    def inspect(self, /, *arrays: Array | None, **named: Array | None) -> Plan: ...
    @overload
    def __call__(self, data: Array, *arrays: Array | None, out: _Out, **named: Array | None) -> _Out: ...
    @overload
    def __call__(
        self, data: NDArray[_Element], *arrays: Array | None, out: None = None, **named: Array | None
    ) -> NDArray[_Element]: ...
    @overload
    def __call__(self, data: Array, *arrays: Array | None, out: None = None, **named: Array | None) -> Any: ...

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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
def embedding_bag_offsets(
    data: Array,
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_bag_offsets(
    data: NDArray[_Element],
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_bag_offsets(
    data: Array,
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def embedding_bag_packed(
    data: Array,
    indices: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_bag_packed(
    data: NDArray[_Element],
    indices: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_bag_packed(
    data: Array,
    indices: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def embedding_segments(
    data: Array,
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_segments(
    data: NDArray[_Element],
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_segments(
    data: Array,
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def segment_reduce(
    data: Array,
    segment_ids: Array,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def segment_reduce(
    data: NDArray[_Element],
    segment_ids: Array,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def segment_reduce(
    data: Array,
    segment_ids: Array,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_scatter(
    data: Array,
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_scatter(
    data: NDArray[_Element],
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_scatter(
    data: Array,
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
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
    offsets: Array | None = None,
    segment_ids: Array | None = None,
    targets: Array | None = None,
    weights: Array | None = None,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    num_segments: int | None = None,
    default_index: int | None = None,
    empty: Empty | None = None,
    unique_indices: bool | None = None,
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
    offsets: Array | None = None,
    segment_ids: Array | None = None,
    targets: Array | None = None,
    weights: Array | None = None,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    num_segments: int | None = None,
    default_index: int | None = None,
    empty: Empty | None = None,
    unique_indices: bool | None = None,
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
    offsets: Array | None = None,
    segment_ids: Array | None = None,
    targets: Array | None = None,
    weights: Array | None = None,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    num_segments: int | None = None,
    default_index: int | None = None,
    empty: Empty | None = None,
    unique_indices: bool | None = None,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
    unique_indices: bool = False,
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
def plan_embedding_bag_offsets(
    data: Array,
    indices: Array,
    offsets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_embedding_bag_packed(
    data: Array,
    indices: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_embedding_segments(
    data: Array,
    indices: Array,
    segment_ids: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_segment_reduce(
    data: Array,
    segment_ids: Array,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_scatter(
    data: Array,
    updates: Array,
    indices: Array,
    targets: Array,
    weights: Array | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    bounds: Bounds = "refuse",
    out: Array | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan(
    name: str,
    data: Array,
    indices: Array | None = None,
    updates: Array | None = None,
    *,
    offsets: Array | None = None,
    segment_ids: Array | None = None,
    targets: Array | None = None,
    weights: Array | None = None,
    starts: Integers | None = None,
    stops: Integers | None = None,
    steps: Integers | None = None,
    axes: Integers | None = None,
    axis: int | Array | None = None,
    batch_dims: int | None = None,
    reduction: Reduction | None = None,
    use_init_val: bool | None = None,
    circular: bool | None = None,
    num_segments: int | None = None,
    default_index: int | None = None,
    empty: Empty | None = None,
    unique_indices: bool | None = None,
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
