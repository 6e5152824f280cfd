"""Sessions of the execution provider, and checks that strew ran."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from models import DTYPES, Array, make_model, quiet_options, to_array, to_value, value
from onnx import helper
from reference import run as reference_run

import strew_onnxruntime

STREW = strew_onnxruntime.PROVIDER

Feeds = dict[str, Array]


def name_of(dtype: np.dtype[Any]) -> str:
    """ONNX's name of a type of NumPy's."""
    return next(name for name, kind in DTYPES.items() if np.dtype(kind) == dtype)


def single(kind: str, feeds: Feeds, opset: int = 18, **attributes: Any) -> bytes:
    """A model of one node, "the_node", that takes tensors of these types and ranks, and of any shape."""
    inputs = [
        value(name, name_of(array.dtype), [f"{name}{d}" for d in range(array.ndim)]) for name, array in feeds.items()
    ]
    node = helper.make_node(kind, list(feeds), ["output"], name="the_node", **attributes)
    outputs = [value("output", name_of(feeds["data"].dtype), None)]
    return bytes(make_model([node], inputs, outputs, opset).SerializeToString())


def strew_session(source: bytes | onnx.ModelProto, threads: int = 2) -> onnxruntime.InferenceSession:
    """A session of the provider alone, with an unchanged model."""
    source = source if isinstance(source, bytes) else source.SerializeToString()
    return onnxruntime.InferenceSession(source, strew_onnxruntime.session_options(quiet_options(threads), exact=True))


def native_session(source: bytes, threads: int = 2) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(source, quiet_options(threads), providers=["CPUExecutionProvider"])


def run(session: onnxruntime.InferenceSession, feeds: Feeds, nodes: int) -> Array:
    """The first output. Checks by strew's counter that strew has run so many nodes."""
    before = strew_onnxruntime.runs()
    if any(array.dtype == object for array in feeds.values()):  # strings, which come as arrays alone
        output: Array = session.run(None, feeds)[0]
    else:
        values = {name: to_value(array) for name, array in feeds.items()}
        output = to_array(session.run_with_ort_values(None, values)[0])
    assert strew_onnxruntime.runs() == before + nodes
    return output


def run_single(kind: str, feeds: Feeds, opset: int = 18, threads: int = 2, **attributes: Any) -> Array:
    return run(strew_session(single(kind, feeds, opset, **attributes), threads), feeds, 1)


def expected(kind: str, feeds: Feeds, **attributes: Any) -> Array:
    """The result of one node, in plain NumPy."""
    return reference_run(kind, *feeds.values(), **attributes)


def profile(source: bytes | onnx.ModelProto, feeds: Feeds, folder: Path) -> list[tuple[str, str]]:
    """The provider of each node in one run, from the runtime's own profile: operator types and providers."""
    options = strew_onnxruntime.session_options(quiet_options(), exact=True)
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / "profile")
    source = source if isinstance(source, bytes) else source.SerializeToString()
    session = onnxruntime.InferenceSession(source, options)
    session.run(None, feeds)
    events = json.loads(Path(session.end_profiling()).read_text())
    ran = [event["args"] for event in events if event.get("cat") == "Node" and "provider" in event["args"]]
    return sorted((event["op_name"], event["provider"]) for event in ran)
