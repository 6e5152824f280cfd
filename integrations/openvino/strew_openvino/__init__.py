"""strew inside OpenVINO: exact, deterministic scatter and gather in models that OpenVINO's CPU plugin runs.

import strew_openvino

model = core.read_model("model.onnx")
strew_openvino.replace(model)
compiled = core.compile_model(model, "CPU")
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openvino

from ._build import OPENVINO_VERSION

__all__ = ["OPENVINO_VERSION", "Node", "Report", "calls", "extension_path", "inspected_calls", "replace"]

_LIBRARY = Path(__file__).parent / "libstrew_openvino.so"
# Python's import of openvino has loaded its libraries, by which names this one finds them.
try:
    _native = ctypes.CDLL(str(_LIBRARY))
except OSError as error:
    raise ImportError(
        f"strew_openvino was built for OpenVINO {OPENVINO_VERSION}, and {openvino.__version__} is installed, whose"
        f" libraries it does not find ({error}): build it again,"
        " pip install --no-build-isolation ./integrations/openvino"
    ) from error
_Receiver = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)
_native.strew_openvino_replace.argtypes = [ctypes.c_void_p, ctypes.c_bool, _Receiver, _Receiver]
_native.strew_openvino_replace.restype = None
_native.strew_openvino_calls.restype = _native.strew_openvino_inspected_calls.restype = ctypes.c_uint64


@dataclass(frozen=True)
class Node:
    """An operation of a model.

    name      its friendly name
    operator  "ScatterNDUpdate-15"
    reason    why OpenVINO still runs it; empty if strew runs it
    note      inputs that strew gets in another type than the model says, because OpenVINO computes them so; may be empty
    """

    name: str
    operator: str
    reason: str = ""
    note: str = ""

    def __str__(self) -> str:
        remark = self.reason or self.note
        return f"{self.name} ({self.operator})" + (f": {remark}" if remark else "")


@dataclass(frozen=True)
class Report:
    """The operations that strew has: those that it runs, and those that OpenVINO still runs."""

    replaced: tuple[Node, ...]
    left: tuple[Node, ...]

    def __str__(self) -> str:
        lines = [f"replaced {len(self.replaced)}, left {len(self.left)}"]
        lines += [f"  strew     {node}" for node in self.replaced]
        lines += [f"  OpenVINO  {node}" for node in self.left]
        return "\n".join(lines)


def replace(model: openvino.Model, *, exact: bool = False) -> Report:
    """Replaces OpenVINO's operations by strew's, in the model itself and in the bodies of If, Loop and TensorIterator.

    These are Gather, GatherND, GatherElements, ScatterUpdate, ScatterNDUpdate, ScatterElementsUpdate, SliceScatter,
    SegmentMax and the sums of rows. Names, shapes and types of the model do not change. Call it before you compile the
    model, and again if you change its parameters afterwards, as openvino.preprocess does: it then keeps their types again.

    exact: OpenVINO runs short operations, because it runs them as fast, except those that it would compute with other types
    than the model says. With exact=True strew runs them too. It then checks every index, and defines the order of several
    updates of one place.

    Raises TypeError if this is no openvino.Model, RuntimeError if the model is not valid.
    """
    if not isinstance(model, openvino.Model):
        raise TypeError(f"model is a {type(model).__name__}; it must be an openvino.Model, as core.read_model returns")
    texts: dict[str, str] = {}

    def receiver(name: str) -> Any:
        def receive(text: Any, size: int) -> None:
            texts[name] = ctypes.string_at(text, size).decode(errors="replace")

        return _Receiver(receive)

    _native.strew_openvino_replace(model._get_raw_address(), exact, receiver("done"), receiver("failed"))
    if "failed" in texts:
        raise RuntimeError(texts["failed"])
    fields = texts["done"].split("\0")[:-1]
    nodes = [Node(*fields[i : i + 4]) for i in range(0, len(fields), 4)]
    return Report(
        tuple(node for node in nodes if not node.reason),
        tuple(node for node in nodes if node.reason),
    )


def extension_path() -> str:
    """The path of the library, for core.add_extension. A core needs it to read models that hold strew's operations."""
    return str(_LIBRARY)


def calls() -> int:
    """Returns how many operations strew has run in this process."""
    return int(_native.strew_openvino_calls())


def inspected_calls() -> int:
    """Returns how many of these had constant indices of the model, which strew inspects once."""
    return int(_native.strew_openvino_inspected_calls())
