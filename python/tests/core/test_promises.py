"""unique_indices: a promise that reaches the library, changes no result, and does not replace the check of indices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy_loops import assert_same

import strew

COUNT = 1 << 16
ORDER = np.random.default_rng(0).permutation(COUNT)
DATA = np.random.default_rng(1).random(COUNT).astype(np.float32)
UPDATES = np.random.default_rng(2).random(COUNT).astype(np.float32)
FUNCTIONS = {"scatter": ORDER, "scatter_nd": ORDER[:, None], "scatter_elements": ORDER}
VERSIONS = {"ScatterUpdate-3": ORDER, "ScatterNDUpdate-15": ORDER[:, None], "ScatterElements-18": ORDER}
REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max", "mean"]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_promise_that_is_kept_gives_the_same_bits(name: str, reduction: str, threads: int) -> None:
    if (name, reduction) == ("scatter_nd", "mean"):
        return
    arrays = DATA, FUNCTIONS[name], UPDATES
    expected = getattr(strew, name)(*arrays, reduction=reduction, num_threads=1)
    how: dict[str, Any] = {"reduction": reduction, "num_threads": threads, "unique_indices": True}
    assert_same(getattr(strew, name)(*arrays, **how), expected)
    inside = DATA.copy()
    assert getattr(strew, name)(inside, *arrays[1:], out=inside, **how) is inside
    assert_same(inside, expected)
    plan = getattr(strew, f"plan_{name}")(*arrays, **how)
    assert_same(plan(*arrays), expected)
    assert_same(plan.inspect(arrays[1])(DATA, UPDATES), expected)


def scratch_of(plan: Any, *arrays: Any, **how: Any) -> int:
    size = plan(*arrays, num_threads=3, **how).scratch_size
    assert isinstance(size, int)
    return size


@pytest.mark.parametrize("name", FUNCTIONS)
def test_threads_need_no_buckets_where_it_is_promised(name: str) -> None:
    plan, arrays = getattr(strew, f"plan_{name}"), (DATA, FUNCTIONS[name], UPDATES)
    assert scratch_of(plan, *arrays) == scratch_of(plan, *arrays, unique_indices=False) > 0
    assert scratch_of(plan, *arrays, unique_indices=True) == scratch_of(plan, *arrays, unique_indices=np.True_) == 0


@pytest.mark.parametrize("name", VERSIONS)
def test_every_version_takes_the_promise(name: str) -> None:
    """Versions with strings too: strew moves their bytes."""
    for dtype in ("f4", "S4") if "string" in strew_dtypes(name) else ("f4",):
        arrays = name, DATA.view(dtype), VERSIONS[name], UPDATES.view(dtype)
        how: dict[str, Any] = {"axis": np.array(0)} if name == "ScatterUpdate-3" else {}
        assert scratch_of(strew.plan, *arrays, **how) == scratch_of(strew.plan, *arrays, unique_indices=None, **how) > 0
        assert scratch_of(strew.plan, *arrays, unique_indices=True, **how) == 0
        assert_same(strew.run(*arrays, unique_indices=True, num_threads=3, **how), strew.run(*arrays, **how))


def strew_dtypes(name: str) -> tuple[str, ...]:
    return next(each["data_dtypes"] for each in strew.operators() if each["name"] == name)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("threads", [1, 3])
def test_indices_are_checked_all_the_same(name: str, threads: int) -> None:
    indices, inside = FUNCTIONS[name].copy(), DATA.copy()
    indices[-2] = COUNT
    for out in (None, inside):
        with pytest.raises(strew.BoundsError) as caught:
            getattr(strew, name)(inside, indices, UPDATES, unique_indices=True, num_threads=threads, out=out)
        assert (caught.value.position[0], caught.value.value) == (COUNT - 2, COUNT)
        assert_same(inside, DATA)
    left_out = getattr(strew, name)(DATA, indices, UPDATES, unique_indices=True, mode="fill", num_threads=threads)
    assert_same(left_out, getattr(strew, name)(DATA, indices, UPDATES, mode="fill", num_threads=1))


def test_what_is_no_promise() -> None:
    for wrong in ("yes", 1, None):
        with pytest.raises(TypeError, match="unique_indices must be a bool, not"):
            strew.scatter(DATA, ORDER, UPDATES, unique_indices=wrong)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="unique_indices must be a bool, not int"):
        strew.run("ScatterND-18", DATA, ORDER[:, None], UPDATES, unique_indices=1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"gather\(\) has no argument 'unique_indices'"):
        strew.gather(DATA, ORDER, unique_indices=True)  # type: ignore[call-overload]
