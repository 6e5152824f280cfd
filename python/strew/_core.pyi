from typing import Any, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from strew.typing import Array, ArrayLike, Empty, Info, Integers, Mode, OperatorInfo, Reduction

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
    def inspect(self, /, *arrays: ArrayLike | None, **named: ArrayLike | None) -> Plan: ...
    @overload
    def __call__(self, data: ArrayLike, *arrays: ArrayLike | None, out: _Out, **named: ArrayLike | None) -> _Out: ...
    @overload
    def __call__(
        self, data: NDArray[_Element], *arrays: ArrayLike | None, out: None = None, **named: ArrayLike | None
    ) -> NDArray[_Element]: ...
    @overload
    def __call__(self, data: ArrayLike, *arrays: ArrayLike | None, out: None = None, **named: ArrayLike | None) -> Any: ...

@overload
def gather(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather(
    data: NDArray[_Element],
    indices: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_nd(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_nd(
    data: NDArray[_Element],
    indices: ArrayLike,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_nd(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_elements(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_elements(
    data: NDArray[_Element],
    indices: ArrayLike,
    *,
    axis: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_elements(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter(
    data: NDArray[_Element],
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: Reduction = "none",
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter_nd(
    data: NDArray[_Element],
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: Reduction = "none",
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: Reduction = "none",
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def scatter_elements(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def scatter_elements(
    data: NDArray[_Element],
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def scatter_elements(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def tensor_scatter(
    data: ArrayLike,
    indices: ArrayLike | None,
    updates: ArrayLike,
    *,
    axis: int = -2,
    circular: bool = False,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def tensor_scatter(
    data: NDArray[_Element],
    indices: ArrayLike | None,
    updates: ArrayLike,
    *,
    axis: int = -2,
    circular: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def tensor_scatter(
    data: ArrayLike,
    indices: ArrayLike | None,
    updates: ArrayLike,
    *,
    axis: int = -2,
    circular: bool = False,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def slice_scatter(
    data: ArrayLike,
    updates: ArrayLike,
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
    updates: ArrayLike,
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
    data: ArrayLike,
    updates: ArrayLike,
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
    data: ArrayLike,
    indices: ArrayLike,
    offsets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_bag_offsets(
    data: NDArray[_Element],
    indices: ArrayLike,
    offsets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_bag_offsets(
    data: ArrayLike,
    indices: ArrayLike,
    offsets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def embedding_bag_packed(
    data: ArrayLike,
    indices: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_bag_packed(
    data: NDArray[_Element],
    indices: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_bag_packed(
    data: ArrayLike,
    indices: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def embedding_segments(
    data: ArrayLike,
    indices: ArrayLike,
    segment_ids: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def embedding_segments(
    data: NDArray[_Element],
    indices: ArrayLike,
    segment_ids: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def embedding_segments(
    data: ArrayLike,
    indices: ArrayLike,
    segment_ids: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def segment_reduce(
    data: ArrayLike,
    segment_ids: ArrayLike,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def segment_reduce(
    data: NDArray[_Element],
    segment_ids: ArrayLike,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def segment_reduce(
    data: ArrayLike,
    segment_ids: ArrayLike,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def gather_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    indices: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    mode: Mode = "raise",
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def gather_scatter(
    data: NDArray[_Element],
    updates: ArrayLike,
    indices: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def gather_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    indices: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    mode: Mode = "raise",
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
@overload
def run(
    name: str,
    data: ArrayLike,
    indices: ArrayLike | None = None,
    updates: ArrayLike | None = None,
    *,
    offsets: ArrayLike | None = None,
    segment_ids: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    weights: ArrayLike | None = None,
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
    mode: Mode | None = None,
    fill_value: complex | ArrayLike | None = None,
    out: _Out,
    num_threads: int | None = None,
) -> _Out: ...
@overload
def run(
    name: str,
    data: NDArray[_Element],
    indices: ArrayLike | None = None,
    updates: ArrayLike | None = None,
    *,
    offsets: ArrayLike | None = None,
    segment_ids: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    weights: ArrayLike | None = None,
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
    mode: Mode | None = None,
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> NDArray[_Element]: ...
@overload
def run(
    name: str,
    data: ArrayLike,
    indices: ArrayLike | None = None,
    updates: ArrayLike | None = None,
    *,
    offsets: ArrayLike | None = None,
    segment_ids: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    weights: ArrayLike | None = None,
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
    mode: Mode | None = None,
    fill_value: complex | ArrayLike | None = None,
    out: None = None,
    num_threads: int | None = None,
) -> Any: ...
def plan_gather(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_nd(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    batch_dims: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_elements(
    data: ArrayLike,
    indices: ArrayLike,
    *,
    axis: int = 0,
    mode: Mode = "raise",
    fill_value: complex | ArrayLike | None = None,
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    batch_dims: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter_nd(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    reduction: Reduction = "none",
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_scatter_elements(
    data: ArrayLike,
    indices: ArrayLike,
    updates: ArrayLike,
    *,
    axis: int = 0,
    reduction: Reduction = "none",
    use_init_val: bool = True,
    unique_indices: bool = False,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_tensor_scatter(
    data: ArrayLike,
    indices: ArrayLike | None,
    updates: ArrayLike,
    *,
    axis: int = -2,
    circular: bool = False,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_slice_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    starts: Integers,
    stops: Integers,
    steps: Integers | None = None,
    axes: Integers | None = None,
    *,
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_embedding_bag_offsets(
    data: ArrayLike,
    indices: ArrayLike,
    offsets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    default_index: int = -1,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_embedding_bag_packed(
    data: ArrayLike,
    indices: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_embedding_segments(
    data: ArrayLike,
    indices: ArrayLike,
    segment_ids: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    default_index: int = -1,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_segment_reduce(
    data: ArrayLike,
    segment_ids: ArrayLike,
    *,
    reduction: Reduction = "sum",
    num_segments: int | None = None,
    empty: Empty = "zero",
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan_gather_scatter(
    data: ArrayLike,
    updates: ArrayLike,
    indices: ArrayLike,
    targets: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    reduction: Reduction = "sum",
    use_init_val: bool = True,
    mode: Mode = "raise",
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def plan(
    name: str,
    data: ArrayLike,
    indices: ArrayLike | None = None,
    updates: ArrayLike | None = None,
    *,
    offsets: ArrayLike | None = None,
    segment_ids: ArrayLike | None = None,
    targets: ArrayLike | None = None,
    weights: ArrayLike | None = None,
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
    mode: Mode | None = None,
    fill_value: complex | ArrayLike | None = None,
    out: ArrayLike | None = None,
    num_threads: int | None = None,
) -> Plan: ...
def info() -> Info: ...
def operators() -> list[OperatorInfo]: ...
def get_num_threads() -> int: ...
def set_num_threads(num_threads: int, /) -> None: ...
def version() -> str: ...
