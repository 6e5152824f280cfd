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
    """Whether this ONNX Runtime takes strew as an execution provider, which it does from 1.24 on."""
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
    """Options with which a session runs on strew.

    options: those to add strew to; new ones if None. They are returned, and as they are if strew was added before.
    exact: strew runs also the small nodes that the runtime does as well, and its guarantees hold for them: nothing is
        written where an index is wrong, and of several assignments the last one wins. ValueError if strew was added to
        the options before without it.

    The session has the custom operators of the domain com.strew and, from ONNX Runtime 1.24 on, the execution provider,
    which takes what it has kernels for in any model. Other providers may be added before or after: whichever was first
    is asked first.
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
    """An `onnxruntime.InferenceSession` that runs a model on strew, the model as it is.

    model: a path, or the bytes of a model
    options: the session's options, to which strew is added; new ones if None
    exact: as in `session_options`
    arguments: what else `InferenceSession` takes; of `providers` the CPU's alone, which is there in any case, since
        they would take the place of strew: add others to the options

    An ONNX Runtime before 1.24 is given the model rewritten by `convert`, for which the package onnx must be installed;
    a model above 2 GB is then to be converted to a file first, by `python -m strew_onnxruntime.convert`.
    """
    if list(arguments.pop("providers", None) or [CPU]) not in ([CPU], [(CPU, {})]):
        raise ValueError(
            f"providers must be [{CPU!r}] or left out, since they would take strew's place; "
            "add others to the options, by options.add_provider or options.add_provider_for_devices"
        )
    if not has_provider():
        from strew_onnxruntime.conversion import convert_bytes

        model = convert_bytes(model, exact=exact)
        arguments["providers"] = [CPU]
    return onnxruntime.InferenceSession(model, session_options(options, exact=exact), **arguments)
