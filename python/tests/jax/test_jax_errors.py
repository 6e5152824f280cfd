"""Refusals: which calls, when, and with which message."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax_cases import MOVED, OUTSIDE, SMALL

import strew.jax

DATA = np.zeros((4, 3), np.float32)
ROWS = np.zeros((5, 1), np.int32)
UPDATES = np.zeros((5, 3), np.float32)
ELEMENTS = np.zeros((5, 3), np.int32)

REFUSED = [
    (TypeError, "gather_nd: data is of type list; it must be an array", lambda s: s.gather_nd([1.0, 2.0], ROWS)),
    (TypeError, "gather_nd: indices is of type NoneType", lambda s: s.gather_nd(DATA, None)),
    (TypeError, "scatter_nd: updates is of type tuple", lambda s: s.scatter_nd(DATA, ROWS, (1.0,))),
    (TypeError, "gather_nd: indices is float32", lambda s: s.gather_nd(DATA, ROWS.astype(np.float32))),
    (TypeError, "updates is int32; float32 is needed", lambda s: s.scatter_nd(DATA, ROWS, UPDATES.astype(np.int32))),
    (ValueError, "gather_nd: data has rank 0", lambda s: s.gather_nd(jnp.float32(1), ROWS)),
    (ValueError, "data has rank 33, outside", lambda s: s.gather_nd(jnp.zeros((1,) * 33), ROWS)),
    (ValueError, "output would have rank 62", lambda s: s.gather_nd(jnp.zeros((1,) * 32), ROWS.reshape(5, *[1] * 31))),
    (ValueError, "batch_dims is 5, outside", lambda s: s.gather_nd(DATA, ROWS, batch_dims=5)),
    (
        TypeError,
        "batch_dims is of type float; it must be an integer",
        lambda s: s.gather_nd(DATA, ROWS, batch_dims=0.5),
    ),
    (ValueError, "axis is 2, outside", lambda s: s.gather_elements(DATA, ELEMENTS, axis=2)),
    (ValueError, "axis is 18446744073709551616; it must fit", lambda s: s.gather_elements(DATA, ELEMENTS, axis=2**64)),
    (TypeError, "axis is of type str", lambda s: s.gather_elements(DATA, ELEMENTS, axis="1")),
    (TypeError, "axis is of type str", lambda s: s.scatter_elements(DATA, ELEMENTS, UPDATES, axis="1")),
    (ValueError, "updates", lambda s: s.scatter_nd(DATA, ROWS, UPDATES[:4])),
    (ValueError, "updates", lambda s: s.scatter_elements(DATA, ELEMENTS, UPDATES[:4])),
    (ValueError, "indices", lambda s: s.scatter_elements(DATA, ROWS[:, 0], UPDATES)),
    (
        ValueError,
        "reduction is 'plus'; it must be none, sum",
        lambda s: s.scatter_nd(DATA, ROWS, UPDATES, reduction="plus"),
    ),
    (TypeError, "reduction is of type int", lambda s: s.scatter_nd(DATA, ROWS, UPDATES, reduction=1)),
    (
        TypeError,
        "scatter_nd: this operator has no reduction mean",
        lambda s: s.scatter_nd(DATA, ROWS, UPDATES, reduction="mean"),
    ),
    (
        TypeError,
        "min is not defined for complex64",
        lambda s: s.scatter_nd(DATA * 1j, ROWS, (UPDATES * 1j).astype(np.complex64), reduction="min"),
    ),
    (
        TypeError,
        "mean is not defined for bool",
        lambda s: s.scatter_elements(DATA > 0, ELEMENTS, UPDATES > 0, reduction="mean"),
    ),
    (TypeError, "data has dtype key", lambda s: s.gather_nd(jax.random.split(jax.random.key(0)), ROWS)),
]


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("kind, message, call", REFUSED, ids=[message for _, message, _ in REFUSED])
def test_refused_when_tracing(kind, message, call, traced):
    with pytest.raises(kind, match=message):
        jax.jit(lambda: call(strew.jax))() if traced else call(strew.jax)


@pytest.mark.parametrize(
    "attribute, right, call",
    [
        ("batch_dims", "an integer", lambda v: strew.jax.gather_nd(DATA, ROWS, batch_dims=v)),
        ("axis", "an integer", lambda v: strew.jax.gather_elements(DATA, ELEMENTS, axis=v)),
        ("axis", "an integer", lambda v: strew.jax.scatter_elements(DATA, ELEMENTS, UPDATES, axis=v)),
        ("reduction", "a str", lambda v: strew.jax.scatter_nd(DATA, ROWS, UPDATES, reduction=v)),
        ("reduction", "a str", lambda v: strew.jax.scatter_elements(DATA, ELEMENTS, UPDATES, reduction=v)),
        ("use_init_val", "a bool", lambda v: strew.jax.scatter_elements(DATA, ELEMENTS, UPDATES, use_init_val=v)),
        ("unique_indices", "a bool", lambda v: strew.jax.scatter_nd(DATA, ROWS, UPDATES, unique_indices=v)),
        (
            "default_index",
            "an integer",
            lambda v: strew.jax.embedding_bag_offsets(DATA, ROWS[:, 0], ROWS[:1, 0], default_index=v),
        ),
    ],
)
def test_attributes_are_known_when_tracing(attribute, right, call):
    with pytest.raises(TypeError, match=f"{attribute} is traced; it must be {right}, known when tracing"):
        jax.jit(call)(0)
    # Unhashable values are refused by name too.
    with pytest.raises(TypeError, match=f"{attribute} is of type ndarray; it must be {right}"):
        call(np.zeros(2))


def test_an_attribute_may_be_an_array_of_one_integer():
    expected = strew.jax.gather_elements(DATA.T, ELEMENTS.T, axis=1)
    np.testing.assert_array_equal(strew.jax.gather_elements(DATA.T, ELEMENTS.T, axis=jnp.array(1)), expected)


@pytest.mark.parametrize("dtype, bad", [(np.int64, 2**32 + 1), (np.int64, -(2**31) - 1), (np.uint64, 2**32)])
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("name", ["gather_nd", "gather_elements", "scatter_nd", "scatter_elements"])
def test_indices_that_lose_bits_are_refused(name, traced, dtype, bad):
    data, indices = np.arange(4, dtype=np.float32)[:, None], np.zeros((3, 1), dtype)
    indices[1:] = bad
    operands = (data, indices) if name.startswith("gather") else (data, indices, data[:3])
    function = getattr(strew.jax, name)
    message = rf"strew.jax.{name}: indices\[1\]\[0\] is {bad}, outside .* without jax_enable_x64"
    with jax.enable_x64(False), pytest.raises(ValueError, match=message):
        jax.jit(lambda: function(*operands))() if traced else function(*operands)


def test_indices_that_lose_nothing_are_taken():
    data, indices = np.arange(4, dtype=np.float32), np.array([[3], [-4]])
    with jax.enable_x64(False):
        np.testing.assert_array_equal(strew.jax.gather_nd(data, indices), [3, 0])
        assert strew.jax.gather_nd(data, indices[:0]).shape == (0,)
    with pytest.raises(OUTSIDE, match=r"is 4294967297, outside \[-4, 3\]"):
        jax.block_until_ready(strew.jax.gather_nd(data, np.array([[2**32 + 1]]), exact=True))


@pytest.mark.parametrize("dtype", SMALL)
def test_elements_of_less_than_a_byte(dtype):
    with pytest.raises(TypeError, match=f"gather_nd: data has dtype {dtype}, of [24] bits"):
        strew.jax.gather_nd(jnp.zeros(4, dtype), ROWS)


@pytest.mark.parametrize("dtype", MOVED)
def test_floats_of_eight_bits_are_not_combined(dtype):
    with pytest.raises(TypeError, match="sum is not defined for opaque"):
        strew.jax.scatter_nd(jnp.zeros((4, 3), dtype), ROWS, jnp.zeros((5, 3), dtype), reduction="sum")


@pytest.mark.parametrize(
    "name, arguments, message",
    [
        (
            "gather_nd",
            (DATA, ROWS + 4),
            r"gather_nd: indices\[0\]\[0\] is 4, outside \[-4, 3\] for dimension 0 of data",
        ),
        ("gather_nd", (DATA, ROWS - 5), r"gather_nd: indices\[0\]\[0\] is -5, outside \[-4, 3\]"),
        ("gather_elements", (DATA, ELEMENTS + 4), r"gather_elements: indices\[0\]\[0\] is 4, outside \[-4, 3\]"),
        ("scatter_nd", (DATA, ROWS + 4, UPDATES), r"scatter_nd: indices\[0\]\[0\] is 4, outside \[-4, 3\]"),
        ("scatter_elements", (DATA, ELEMENTS + 4, UPDATES), r"scatter_elements: indices\[0\]\[0\] is 4, outside"),
    ],
)
def test_index_out_of_bounds(name, arguments, message):
    function = functools.partial(getattr(strew.jax, name), exact=True)
    with pytest.raises(OUTSIDE, match=message):
        jax.block_until_ready(function(*arguments))
    with pytest.raises(OUTSIDE, match=message):
        jax.block_until_ready(jax.jit(lambda *a: function(*a) + 1)(*arguments))


def test_a_refused_scatter_leaves_its_inputs():
    data = jnp.arange(12.0).reshape(4, 3)
    with pytest.raises(OUTSIDE, match="outside"):
        jax.block_until_ready(strew.jax.scatter_nd(data, np.array([[0], [9]]), np.ones((2, 3)), reduction="sum"))
    np.testing.assert_array_equal(data, np.arange(12.0).reshape(4, 3))


def test_after_an_error_all_is_as_before():
    function = jax.jit(functools.partial(strew.jax.gather_nd, exact=True))
    for _ in range(3):
        with pytest.raises(OUTSIDE, match="is 4, outside"):
            jax.block_until_ready(function(DATA, ROWS + 4))
        np.testing.assert_array_equal(function(DATA, ROWS), DATA[:1].repeat(5, 0))


# ---- Former words ---------------------------------------------------------------------------------------------------


def test_former_words_warn_and_give_the_same():
    rows, begins = np.array([1, 0, 2]), np.array([0, 2])
    with pytest.warns(DeprecationWarning, match="mode='refuse' is now mode='raise'") as warned:
        found = strew.jax.gather(DATA, rows, mode="refuse")
    np.testing.assert_array_equal(found, strew.jax.gather(DATA, rows, mode="raise"))
    with pytest.warns(DeprecationWarning, match="strew.jax.embedding_bag is now strew.jax.embedding_bag_offsets") as more:
        found = strew.jax.embedding_bag(DATA, rows, begins)
    np.testing.assert_array_equal(found, strew.jax.embedding_bag_offsets(DATA, rows, begins))
    assert {warning.filename for warning in (*warned, *more)} == {__file__}
