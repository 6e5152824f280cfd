"""The native part of strew.jax."""

from typing import Any

_Tensor = tuple[str, int, tuple[int, ...]]

def handlers() -> dict[str, Any]: ...
def find_reduction(name: str, /) -> tuple[str, int]: ...
def find_bounds(name: str, /) -> int: ...
def find_empty(name: str, /) -> int: ...
def output_shape(
    operator: str,
    data: _Tensor,
    indices: _Tensor | None,
    updates: _Tensor | None,
    segments: _Tensor | None,
    weights: _Tensor | None,
    axis: int,
    batch_dims: int,
    reduction: str,
    use_init_val: bool,
    circular: bool,
    segment_count: int,
    empty: str,
    default_index: int,
    slice: tuple[int, ...],
    /,
) -> tuple[int, ...]: ...
