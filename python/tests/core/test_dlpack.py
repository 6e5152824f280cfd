"""Arrays by DLPack: all ways to export them, deleters called once, and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dlpack_producer import (
    AlienExchange,
    Array,
    ImmutableArray,
    NewerExchange,
    OldArray,
    OwningExchange,
    VersionedArray,
    ViewingExchange,
)
from numpy_loops import assert_same

import strew

WAYS = [VersionedArray, OldArray, OwningExchange, ViewingExchange, NewerExchange, AlienExchange]
CAPSULES_AND_TABLES = pytest.mark.parametrize("way", WAYS)
INDICES = np.array([2, 0])


@CAPSULES_AND_TABLES
def test_every_way(way: type[Array]) -> None:
    base = np.arange(12.0).reshape(3, 4)
    data, indices, out = way(base.T[::-1]), way(np.array([[1], [3]], np.int32)), way(np.zeros((2, 3)))
    assert strew.gather_nd(data, indices, out=out) is out
    assert_same(out.base, base.T[::-1][[1, 3]])
    assert_same(strew.gather_nd(data, indices), out.base)
    for array in (data, indices, out):
        assert array.made == array.deleted
        assert (array.made > 0) == (way is not ViewingExchange)


@CAPSULES_AND_TABLES
def test_no_strides_are_contiguous(way: type[Array]) -> None:
    data = way(np.arange(6.0).reshape(2, 3))
    data.contiguous = True
    assert strew.gather_nd(data, np.array([[1]])).tolist() == [[3, 4, 5]]


@CAPSULES_AND_TABLES
def test_deleters_are_called_once_by_refused_calls_too(way: type[Array]) -> None:
    data, indices, updates = way(np.zeros(3)), way(np.array([[0], [1]])), way(np.ones(2))
    for wrong in (
        {"indices": np.array([[7], [1]])},
        {"indices": [1]},
        {"updates": way(np.ones(5))},
        {"updates": None},
        {"out": np.zeros(2)},
        {"out": 3},
        {"reduction": "mean"},
        {"num_threads": 0},
    ):
        with pytest.raises((ValueError, TypeError, IndexError)):
            strew.scatter_nd(**{"data": data, "indices": indices, "updates": updates, **wrong})  # type: ignore[arg-type]
        assert (data.made, indices.made, updates.made) == (data.deleted, indices.deleted, updates.deleted)


@CAPSULES_AND_TABLES
def test_plans_let_go_too(way: type[Array]) -> None:
    data, indices = way(np.arange(3.0)), way(INDICES)
    plan = strew.plan_gather_elements(data, indices)
    assert plan(data, indices).tolist() == [2, 0]
    with pytest.raises(TypeError, match="data is of int64"):
        plan(indices, data)
    assert (data.made, indices.made) == (data.deleted, indices.deleted)


@CAPSULES_AND_TABLES
def test_other_devices_are_refused(way: type[Array]) -> None:
    data = way(np.zeros(3), device=2)
    with pytest.raises(strew.ArgumentError, match="data is not in the CPU's memory .*device type 2") as caught:
        strew.gather_elements(data, INDICES)
    assert (caught.value.status, caught.value.operand) == ("invalid_argument", "data")
    assert data.made == data.deleted


@pytest.mark.parametrize("way", [VersionedArray, OwningExchange])
def test_the_flag_read_only_is_heeded(way: type[Array]) -> None:
    locked = way(np.zeros(3), flags=1)
    assert strew.gather_elements(locked, INDICES).tolist() == [0, 0]
    with pytest.raises(strew.ArgumentError, match="output is read-only"):
        strew.scatter_elements(locked, INDICES, np.ones(2), out=locked)
    assert locked.base.tolist() == [0] * 3
    assert locked.made == locked.deleted


def test_a_major_version_to_come_is_deleted_unread() -> None:
    data = VersionedArray(np.zeros(3), major=2)
    with pytest.raises(BufferError, match="data speaks version 2.0 of DLPack"):
        strew.gather_elements(data, INDICES)
    assert (data.made, data.deleted) == (1, 1)


@CAPSULES_AND_TABLES
def test_dtypes_that_are_refused(way: type[Array]) -> None:
    for fields in ({"code": 3}, {"code": 17, "bits": 4}):  # a handle; half a byte
        with pytest.raises(strew.DtypeError, match=f"DLPack's code {fields['code']}"):
            strew.gather_elements(way(np.zeros(3), **fields), INDICES)
    with pytest.raises(strew.DtypeError, match="updates does not say what its elements of 8 bytes are"):
        strew.scatter_elements(way(np.zeros(3), bits=32, lanes=2), INDICES, way(np.ones(2), bits=32, lanes=2))


def test_a_type_that_cannot_be_written_is_no_output() -> None:
    out = OldArray(np.zeros(2))
    strew.gather_elements(np.ones(3), INDICES, out=out)
    assert out.base.tolist() == [1, 1]
    assert isinstance(ImmutableArray(np.zeros(2)), OldArray)


def test_what_is_no_capsule_is_refused() -> None:
    with pytest.raises(BufferError, match="did not return a capsule of DLPack's"):
        strew.gather_elements(type("Wrong", (), {"__dlpack__": lambda self, **options: 3})(), INDICES)
    with pytest.raises(RuntimeError, match="not now"):
        strew.gather_elements(Raises(), INDICES)


class Raises:
    """An array that raises exceptions."""

    def __dlpack__(self, **options: Any) -> Any:
        raise RuntimeError("not now")
