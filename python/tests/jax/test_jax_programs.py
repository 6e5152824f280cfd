"""The operators inside programs: compiled, donated, looped over, exported, cached, and run by many threads."""

import os
import pathlib
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.export
import jax.numpy as jnp
import jax_oracle as oracle
import numpy as np
import pytest
from jax_cases import draw, draw_indices

import strew.jax

DATA = draw("float32", (50, 8))
ROWS = draw_indices(-50, 50, (70, 1))
UPDATES = draw("float32", (70, 8), seed=2)
ELEMENTS = draw_indices(-50, 50, (70, 8))


def add(data, indices, updates):
    return strew.jax.scatter_nd(data, indices, updates, reduction="sum")


def run_python(program, directory, **environment):
    """The output of a program in a process of its own."""
    path = pathlib.Path(directory) / "program.py"
    path.write_text(textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, env={**os.environ, **environment}, cwd=directory
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copies(compiled, data):
    """How many times a compiled program copies an array of the type of data."""
    shape = f"f32[{','.join(map(str, data.shape))}]"
    return sum(f" = {shape}" in line and " copy(" in line for line in compiled.as_text().splitlines())


@pytest.mark.parametrize("reduction", ["none", "sum"])
@pytest.mark.parametrize("name, indices", [("scatter_nd", ROWS), ("scatter_elements", ELEMENTS)])
def test_donated_data_is_updated_in_place(name, indices, reduction):
    function = jax.jit(
        lambda data, updates: getattr(strew.jax, name)(data, indices, updates, reduction=reduction), donate_argnums=0
    )
    expected = getattr(oracle, name)(DATA, indices, UPDATES, reduction=reduction)
    data = jnp.array(DATA)
    before = data.unsafe_buffer_pointer()
    assert copies(function.lower(data, UPDATES).compile(), data) == 0
    output = function(data, UPDATES)
    assert data.is_deleted()
    assert output.unsafe_buffer_pointer() == before
    np.testing.assert_array_equal(output, expected)


def test_data_that_is_not_donated_is_copied_once():
    data = jnp.array(DATA)
    function = jax.jit(add)
    assert copies(function.lower(data, ROWS, UPDATES).compile(), data) == 1
    output = function(data, ROWS, UPDATES)
    assert output.unsafe_buffer_pointer() != data.unsafe_buffer_pointer()
    np.testing.assert_array_equal(data, DATA)
    np.testing.assert_array_equal(output, oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))


def test_chains_update_one_buffer():
    """Nothing else uses the result of a scatter, so the next one works in place."""

    def chain(data, indices, updates):
        for _ in range(4):
            data = add(data, indices, updates)
        return data

    function = jax.jit(chain, donate_argnums=0)
    data = jnp.array(DATA)
    assert copies(function.lower(data, ROWS, UPDATES).compile(), data) == 0
    expected = DATA
    for _ in range(4):
        expected = oracle.scatter_nd(expected, ROWS, UPDATES, "sum")
    np.testing.assert_array_equal(function(data, ROWS, UPDATES), expected)


def test_loops_update_one_buffer():
    def loop(data, indices, updates):
        return jax.lax.fori_loop(0, 3, lambda _, data: add(data, indices, updates), data)

    function = jax.jit(loop, donate_argnums=0)
    data = jnp.array(DATA)
    assert copies(function.lower(data, ROWS, UPDATES).compile(), data) == 0
    expected = DATA
    for _ in range(3):
        expected = oracle.scatter_nd(expected, ROWS, UPDATES, "sum")
    np.testing.assert_array_equal(function(data, ROWS, UPDATES), expected)


def test_scan_and_its_gradient():
    indices = ROWS.reshape(7, 10, 1)
    updates = UPDATES.reshape(7, 10, 8)

    def scanned(data, updates):
        return jax.lax.scan(lambda data, step: (add(data, *step), None), data, (indices, updates))[0]

    np.testing.assert_array_equal(jax.jit(scanned)(DATA, updates), oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))
    found = jax.jit(jax.grad(lambda u: (scanned(DATA, u) ** 2).sum()))(updates)
    expected = 2 * oracle.gather_nd(oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"), ROWS)
    np.testing.assert_allclose(found, expected.reshape(found.shape), rtol=1e-5)


def test_a_branch_not_taken_checks_nothing():
    function = jax.jit(
        lambda take, indices: jax.lax.cond(
            take, lambda: strew.jax.gather_nd(DATA, indices), lambda: jnp.zeros((70, 8), jnp.float32)
        )
    )
    np.testing.assert_array_equal(function(False, ROWS + 100), 0)
    np.testing.assert_array_equal(function(True, ROWS), oracle.gather_nd(DATA, ROWS))


def test_compiled_ahead_of_time():
    compiled = jax.jit(add).lower(DATA, ROWS, UPDATES).compile()
    np.testing.assert_array_equal(compiled(DATA, ROWS, UPDATES), oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))


def test_shapes_without_data():
    shape = jax.eval_shape(add, DATA, ROWS, UPDATES)
    assert (shape.shape, shape.dtype) == (DATA.shape, DATA.dtype)


def test_without_jit():
    with jax.disable_jit():
        np.testing.assert_array_equal(add(DATA, ROWS, UPDATES), oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))


def test_exported():
    safe = jax.export.DisabledSafetyCheck.custom_call("strew_scatter_nd")
    with pytest.raises(ValueError, match="strew_scatter_nd"):
        jax.export.export(jax.jit(add))(DATA, ROWS, UPDATES)
    exported = jax.export.export(jax.jit(add), disabled_checks=[safe])(DATA, ROWS, UPDATES)
    found = exported.call(DATA, ROWS, UPDATES)
    np.testing.assert_array_equal(found, oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))


def test_symbolic_shapes_are_refused():
    shape = jax.ShapeDtypeStruct(jax.export.symbolic_shape("rows, 8"), jnp.float32)
    with pytest.raises(ValueError, match="static shapes only"):
        jax.export.export(jax.jit(strew.jax.gather_nd))(shape, ROWS)


def test_other_devices_than_cpus_are_refused():
    with pytest.raises(NotImplementedError, match="strew_gather_nd"):
        jax.jit(strew.jax.gather_nd).trace(DATA, ROWS).lower(lowering_platforms=("cuda",))


def test_an_attribute_that_is_missing():
    """A program that was exported by another version of strew."""
    call = jax.ffi.ffi_call("strew_gather_nd", jax.ShapeDtypeStruct((70, 8), jnp.float32))
    with pytest.raises(jax.errors.JaxRuntimeError, match="another version of strew"):
        jax.block_until_ready(call(DATA, ROWS))


def test_many_threads_at_once():
    """There are more callers than cores, and calls large enough to share among XLA's threads."""
    data = draw("float32", 40_000)
    calls = [
        (draw_indices(-40_000, 40_000, (100_000, 1), seed=seed), draw("float32", 100_000, seed=seed))
        for seed in range(4)
    ]
    function = jax.jit(add)
    expected = [np.asarray(function(data, *call)) for call in calls]
    means = jax.jit(lambda data, i, u: strew.jax.scatter_elements(data, i[:, 0], u, reduction="mean"))
    expected_means = [np.asarray(means(data, *call)) for call in calls]

    def work(number):
        for repeat in range(6):
            call = (number + repeat) % len(calls)
            np.testing.assert_array_equal(function(data, *calls[call]), expected[call])
            np.testing.assert_array_equal(means(data, *calls[call]), expected_means[call])
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_large_scatters_are_right(tmp_path):
    """Sizes at which strew shares and partitions, against NumPy, on one thread and on many."""
    program = """
        import jax, numpy as np, strew.jax
        generator = np.random.default_rng(0)
        data = generator.integers(0, 9, 300_000).astype(np.float32)
        indices = generator.integers(-300_000, 300_000, 700_000).astype(np.int32)
        updates = generator.integers(0, 9, 700_000).astype(np.float32)
        expected = data.copy()
        np.add.at(expected, indices, updates)
        add = jax.jit(lambda d, i, u: strew.jax.scatter_nd(d, i[:, None], u, reduction="sum"))
        for _ in range(3):
            np.testing.assert_array_equal(add(data, indices, updates), expected)
        rows = generator.normal(size=(30_000, 64)).astype(np.float32)
        picks = generator.integers(-30_000, 30_000, 60_000).astype(np.int32)
        gather = jax.jit(lambda d, i: strew.jax.gather_nd(d, i[:, None]))
        np.testing.assert_array_equal(gather(rows, picks), rows[picks])
        print("right")
    """
    for flags in ("", "--xla_cpu_multi_thread_eigen=false"):
        assert run_python(program, tmp_path, XLA_FLAGS=flags) == "right\n"
    for threads in ("1", "5"):
        assert run_python(program, tmp_path, NPROC=threads) == "right\n"


def test_persistent_compilation_cache(tmp_path):
    """A second process takes the program from the cache, and runs it."""
    program = """
        import jax, numpy as np, strew.jax
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        hits = []
        jax.monitoring.register_event_listener(lambda event, **_: hits.append(event))
        function = jax.jit(lambda d, i: strew.jax.gather_nd(d, i) + 1)
        print(function(np.arange(4.0), np.array([[2], [-1]])).tolist())
        print(hits.count("/jax/compilation_cache/cache_hits"))
    """
    printed = [run_python(program, tmp_path, JAX_COMPILATION_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert printed == ["[3.0, 4.0]\n0\n", "[3.0, 4.0]\n1\n"]


def test_importing_strew_does_not_import_jax(tmp_path):
    program = "import sys, strew; print('jax' in sys.modules, 'jaxlib' in sys.modules)"
    assert run_python(program, tmp_path) == "False False\n"


def test_without_jax_it_says_what_to_install(tmp_path):
    program = """
        import sys
        sys.modules["jax"] = None
        try:
            import strew.jax
        except ImportError as error:
            print(error)
    """
    assert run_python(program, tmp_path) == "strew.jax needs JAX 0.6 or newer: pip install jax\n"


def test_without_its_module_it_says_how_to_build_it(tmp_path):
    program = """
        import sys
        sys.modules["strew._jax"] = None
        try:
            import strew.jax
        except ImportError as error:
            print(error)
    """
    assert "STREW_JAXLIB_INCLUDE" in run_python(program, tmp_path)
