"""strew's scatter and gather kernels in ONNX Runtime: ScatterND, ScatterElements, GatherND, GatherElements and Scatter.

    import strew_onnxruntime

    session = strew_onnxruntime.session("model.onnx")
    outputs = session.run(None, inputs)

runs a model as it is, with strew's kernels for these operators and the runtime's own for all others. Results are exact
and have the same bits for any number of threads. strew refuses an index out of bounds and names its place. The runtime's
threads and memory do the work. With options of your own:

    options = strew_onnxruntime.session_options()
    options.intra_op_num_threads = 4
    session = onnxruntime.InferenceSession("model.onnx", options)

From ONNX Runtime 1.24 on strew is an execution provider. Before, from 1.18 on, it is a library of custom operators, for
which a model is rewritten: `session` does it as it loads, `convert` once and for all.
"""

from __future__ import annotations

import importlib.metadata
import typing

from strew_onnxruntime.native import extension_path, runs, runs_in_place, runs_inspected
from strew_onnxruntime.sessions import PROVIDER, has_provider, session, session_options

if typing.TYPE_CHECKING:
    import onnx

__version__ = importlib.metadata.version("strew-onnxruntime")

__all__ = [
    "PROVIDER",
    "convert",
    "extension_path",
    "has_provider",
    "runs",
    "runs_in_place",
    "runs_inspected",
    "session",
    "session_options",
]


def convert(model: onnx.ModelProto, *, exact: bool = False) -> onnx.ModelProto:
    """Returns a copy of a model with strew's custom operators instead of ONNX's scatters and gathers.

    The nodes keep their inputs and attributes and change their domain, from ONNX's to com.strew, in subgraphs too.
    Functions of the model that hold such nodes are inlined. Everything else stays as it is. A node remains ONNX's if strew
    lacks its version, the type of its data, its reduction for that type, or its rank. It also remains if its shapes are
    known to be so small that the runtime runs it as well, unless `exact` asks for strew's guarantees. Raises ValueError if
    the model has functions of its own in the domain com.strew. Needs the package onnx. `python -m
    strew_onnxruntime.convert` does the same from file to file.
    """
    from strew_onnxruntime import conversion

    return conversion.convert(model, exact=exact)
