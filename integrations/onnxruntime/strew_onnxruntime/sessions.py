"""Sessions and their options, with strew in them."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

import onnxruntime

from strew_onnxruntime.native import extension_path

# The name of the execution provider, in `InferenceSession.get_providers` and in profiles.
PROVIDER = "StrewExecutionProvider"

CPU = "CPUExecutionProvider"

# The first release that takes the kernels of a provider from outside.
_FIRST_WITH_PROVIDER = (1, 24)

_registering = threading.Lock()

# The options that strew was added to, and whether as exact: a runtime refuses those to which it was added twice.
_added: weakref.WeakKeyDictionary[onnxruntime.SessionOptions, bool] = weakref.WeakKeyDictionary()


def has_provider() -> bool:
    """Whether this ONNX Runtime takes strew as an execution provider, as from 1.24 on."""
    numbers = onnxruntime.__version__.split(".")[:2]
    return tuple(int(number) for number in numbers) >= _FIRST_WITH_PROVIDER


def _devices() -> list[Any]:
    """The CPU as strew's device; the library is registered when it is first asked for."""
    found = [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
    if not found:
        onnxruntime.register_execution_provider_library(PROVIDER, extension_path())
        found = [device for device in onnxruntime.get_ep_devices() if device.ep_name == PROVIDER]
    return found[:1]


def session_options(
    options: onnxruntime.SessionOptions | None = None, *, exact: bool = False
) -> onnxruntime.SessionOptions:
    """Returns options with which a session runs on strew.

    options: the options to add strew to, which the function returns; None makes new ones. If they already have strew, they
        do not change.
    exact: whether strew also runs the small nodes that the runtime runs as well. Its guarantees then hold for them: a bad
        index writes nothing, and the last of several assignments wins. Raises ValueError if the options already have
        strew without it.

    The session has the custom operators of the domain com.strew. From ONNX Runtime 1.24 on it also has the execution
    provider, which takes the nodes of any model that it has kernels for. You may add other providers before or after. The
    runtime asks the first one first.
    """
    options = onnxruntime.SessionOptions() if options is None else options
    with _registering:
        if options not in _added:
            options.register_custom_ops_library(extension_path())
            if has_provider():
                options.add_provider_for_devices(_devices(), {"exact": str(int(exact))})
            _added[options] = exact
        elif exact and not _added[options]:
            raise ValueError("strew was added to these options before, without exact=True")
    return options


def session(
    model: str | bytes | os.PathLike[str],
    options: onnxruntime.SessionOptions | None = None,
    *,
    exact: bool = False,
    **arguments: Any,
) -> onnxruntime.InferenceSession:
    """Returns an `onnxruntime.InferenceSession` that runs an unchanged model on strew.

    model: a path, or the bytes of a model
    options: the session's options, to which the function adds strew; None makes new ones
    exact: as in `session_options`
    arguments: the other arguments of `InferenceSession`. `providers` may only be the CPU's, because others would replace
        strew: add those to the options

    An ONNX Runtime before 1.24 gets the model that `convert` makes of it. This needs the package onnx. Convert a model above
    2 GB to a file first, with `python -m strew_onnxruntime.convert`.
    """
    if list(arguments.pop("providers", None) or [CPU]) not in ([CPU], [(CPU, {})]):
        raise ValueError(
            f"providers must be [{CPU!r}] or left out, because others would replace strew; "
            "add others to the options, by options.add_provider or options.add_provider_for_devices"
        )
    if not has_provider():
        from strew_onnxruntime.conversion import convert_bytes

        model = convert_bytes(model, exact=exact)
        arguments["providers"] = [CPU]
    return onnxruntime.InferenceSession(model, session_options(options, exact=exact), **arguments)
