"""The extension module behind strew.torch, its only caller."""

from typing import Any

import torch

def load(path: str, /) -> str | None:
    """Finds PyTorch's functions in the library that is loaded from path. Returns None, or the name of the first missing
    one."""

def load_python(path: str, /) -> None:
    """Finds the function by which tensors become Python's in the module that is loaded from path."""

def define_operators() -> None:
    """Defines torch.ops.strew."""

def dtype_number(name: str, /) -> int:
    """PyTorch's number of a dtype; -1 if unknown."""

def operators() -> list[tuple[str, str]]:
    """(name, overload) of each operator that is taken over."""

def outcomes() -> list[str]:
    """The ways in which a call can end; the first is "by strew"."""

def counts() -> list[list[int]]:
    """For each operator, how many calls ended in each of these ways."""

def reset_counts() -> None:
    """Sets all counts to 0."""

def accept(operator: int, variant: int, dtypes: int, int32_index: bool, /) -> None:
    """The dtypes, a bit for each number, and whether int32 indices, that strew takes over."""

def set_exact(exact: bool, /) -> None:
    """Whether strew also takes calls that PyTorch runs faster."""

def begin() -> None:
    """Registers the kernels."""

def end() -> None:
    """Takes them back."""

def note(kind: int, text: str, /) -> None:
    """The error of PyTorch's own kernel on this thread."""

def give(tensor_type: type, empty_strided: Any, keywords: dict[int, dict[str, Any]], hand_back: Any, /) -> None:
    """Gives the kernels that Python registers the objects of torch that they need."""

def kernels() -> list[Any]:
    """The functions that PyTorch calls for the last of operators(), one for each."""

def call_directly(operator: int, allowed: bool, /) -> bool:
    """Whether calls that are handed back go to PyTorch's own kernel without Python."""
