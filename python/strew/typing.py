"""Types for annotations: what strew takes as an array, and the dicts that it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike as NumpyArrayLike
    from numpy.typing import NDArray
    from typing_extensions import Buffer, CapsuleType

__all__ = [
    "Array",
    "ArrayLike",
    "Bounds",
    "Empty",
    "Info",
    "Integers",
    "KernelInfo",
    "Mode",
    "OperatorInfo",
    "Reduction",
    "SupportsArrayStruct",
    "SupportsDLPack",
]


class SupportsArrayStruct(Protocol):
    """NumPy's arrays and scalars."""

    @property
    def __array_struct__(self) -> CapsuleType: ...


class SupportsDLPack(Protocol):
    """PyTorch's tensors, JAX's arrays, and those of other libraries."""

    def __dlpack__(self, *, stream: None = None) -> Any: ...


Array: TypeAlias = Union[SupportsArrayStruct, SupportsDLPack, "Buffer"]
"""An array that strew reads and writes in place."""

ArrayLike: TypeAlias = Union[Array, "NumpyArrayLike"]
"""An array, or anything that numpy.asarray makes an array of: a list, a number and so on."""

Reduction: TypeAlias = Union[Literal["none", "sum", "sub", "prod", "min", "max", "mean"], Literal["add", "mul"]]
"""How an update changes its element; "add" is "sum", and "mul" is "prod"."""


Mode: TypeAlias = Literal["raise", "promise_in_bounds", "stop", "fill", "drop", "clip", "wrap"]
"""The policy for an index out of bounds. "promise_in_bounds" is "raise", and "drop" is "fill"."""

Bounds = Mode
"""The former name of Mode, until strew 0.4."""


Integers: TypeAlias = Union[Sequence[SupportsIndex], "NDArray[np.integer[Any]]"]
"""A sequence of ints, or an array of one dimension."""


Empty: TypeAlias = Literal["zero", "lowest"]
"""The value of a segment without rows."""


class KernelInfo(TypedDict):
    """A kernel that serves an operation."""

    operation: str
    operand: str
    instruction_set: str


class Info(TypedDict):
    """The dict that info() returns."""

    version: str
    cpu: str
    instruction_set: str
    instruction_sets: dict[str, str]
    kernels: list[KernelInfo]
    num_threads: int
    threads_started: int
    scratch_kept: int


class OperatorInfo(TypedDict):
    """A published version, as operators() returns it."""

    name: str
    collection: str
    version: int
    operator: str
    attributes: tuple[str, ...]
    required: tuple[str, ...]
    reductions: tuple[str, ...]
    data_dtypes: tuple[str, ...]
    index_dtypes: tuple[str, ...]
    refuses_negative_indices: bool
    flattens_batch: bool
    axis_is_input: bool
    zero_outside: bool
    deprecated: bool
