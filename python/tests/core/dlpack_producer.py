"""A library of arrays that exports them by DLPack in every way, and counts deletions."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)
from typing import Any

import numpy as np

CPU = 1
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Tensor(ctypes.Structure):
    """A DLTensor."""

    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


DELETER = CFUNCTYPE(None, c_void_p)


class Managed(ctypes.Structure):
    """A DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("manager_ctx", c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    """A DLManagedTensorVersioned."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", DELETER),
        ("flags", c_uint64),
        ("tensor", Tensor),
    ]


MANAGED_FROM = CFUNCTYPE(c_int, py_object, POINTER(c_void_p))
VIEW_OF = CFUNCTYPE(c_int, py_object, POINTER(Tensor))


class ExchangeAPI(ctypes.Structure):
    """A DLPackExchangeAPI. These arrays need two of its functions."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("older", c_void_p),
        ("allocate", c_void_p),
        ("managed_from", MANAGED_FROM),
        ("to_object", c_void_p),
        ("view_of", VIEW_OF),
        ("stream", c_void_p),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = py_object, [c_void_p, c_char_p, c_void_p]


class Array:
    """Wraps a NumPy array. Its capsules have no destructor: the taker of a capsule deletes its content."""

    def __init__(self, base: np.ndarray, *, device: int = CPU, flags: int = 0, major: int = 1, **dtype: int) -> None:
        self.base, self.device, self.flags, self.major, self.dtype_fields = base, device, flags, major, dtype
        self.made = self.deleted = 0
        self.contiguous = False
        self.alive: list[Any] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        self.base[key] = value

    def fill(self, tensor: Tensor) -> None:
        """Describes the array; the memory of the description is kept."""
        base = self.base
        shape = (c_int64 * base.ndim)(*base.shape)
        strides = (c_int64 * base.ndim)(*(stride // base.itemsize for stride in base.strides))
        offset = 8  # data begins this much earlier
        tensor.data, tensor.byte_offset = base.ctypes.data - offset, offset
        tensor.device_type, tensor.ndim = self.device, base.ndim
        tensor.code = self.dtype_fields.get("code", CODES[base.dtype.kind])
        tensor.bits, tensor.lanes = self.dtype_fields.get("bits", base.itemsize * 8), self.dtype_fields.get("lanes", 1)
        tensor.shape = shape
        tensor.strides = None if self.contiguous else strides
        self.alive += [shape, strides]

    def _delete(self, address: int) -> None:
        self.deleted += 1

    def versioned(self) -> Versioned:
        self.made += 1
        managed = Versioned(self.major, 0, None, DELETER(self._delete), self.flags)
        self.fill(managed.tensor)
        self.alive.append(managed)
        return managed

    def unversioned(self) -> Managed:
        self.made += 1
        managed = Managed(deleter=DELETER(self._delete))
        self.fill(managed.tensor)
        self.alive.append(managed)
        return managed


class VersionedArray(Array):
    """DLPack 1.0 and later."""

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None) -> Any:
        assert max_version == (1, 1)
        return new_capsule(ctypes.addressof(self.versioned()), b"dltensor_versioned", None)


class OldArray(Array):
    """DLPack before 1.0: no max_version, no flags."""

    def __dlpack__(self) -> Any:
        return new_capsule(ctypes.addressof(self.unversioned()), b"dltensor", None)


class ImmutableArray(OldArray):
    """An old array whose type has no way to set elements."""

    __setitem__ = property()  # type: ignore[assignment]


@MANAGED_FROM
def _managed_from(array: Any, target: Any) -> int:
    target[0] = ctypes.addressof(array.versioned())
    return 0


@VIEW_OF
def _view_of(array: Any, target: Any) -> int:
    array.fill(target[0])
    return 0


_OWNING = ExchangeAPI(1, 3, None, None, _managed_from, None, VIEW_OF(), None)
_VIEWING = ExchangeAPI(1, 3, None, None, _managed_from, None, _view_of, None)
_NEWER = ExchangeAPI(2, 0, ctypes.addressof(_OWNING), None, MANAGED_FROM(), None, VIEW_OF(), None)
_ALIEN = ExchangeAPI(2, 0, None, None, MANAGED_FROM(), None, VIEW_OF(), None)


def _capsule_of(api: ExchangeAPI) -> Any:
    return new_capsule(ctypes.addressof(api), b"dlpack_exchange_api", None)


class OwningExchange(VersionedArray):
    """An array whose type has the table of functions."""

    __dlpack_c_exchange_api__ = _capsule_of(_OWNING)


class ViewingExchange(VersionedArray):
    """An array whose table can lend a view."""

    __dlpack_c_exchange_api__ = _capsule_of(_VIEWING)


class NewerExchange(VersionedArray):
    """An array whose table has a future version, and links to one of today."""

    __dlpack_c_exchange_api__ = _capsule_of(_NEWER)


class AlienExchange(VersionedArray):
    """An array whose only table has a future version: consumers must use __dlpack__()."""

    __dlpack_c_exchange_api__ = _capsule_of(_ALIEN)
