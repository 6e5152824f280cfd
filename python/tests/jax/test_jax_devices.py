"""Several CPU devices: these tests run in a process of their own, whose XLA has four."""

import os
import subprocess
import sys

import pytest

DEVICES = 4
FLAG = f"--xla_force_host_platform_device_count={DEVICES}"
INSIDE = FLAG in os.environ.get("XLA_FLAGS", "")

if not INSIDE:

    def test_in_a_process_of_its_own():
        environment = {**os.environ, "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} {FLAG}".strip()}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        assert " passed" in done.stdout and "skipped" not in done.stdout

else:
    import jax
    import jax.numpy as jnp
    import jax_oracle as oracle
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    from jax_cases import OUTSIDE, draw, draw_indices

    import strew.jax

    WHOLE, SPLIT = PartitionSpec(), PartitionSpec("x")
    DATA, UPDATES = draw("float64", (8, 6)), draw("float64", (20, 6), seed=2)
    ROWS = draw_indices(-8, 8, (20, 1))
    ELEMENTS = draw_indices(-8, 8, (20, 6))

    @pytest.fixture
    def mesh():
        assert jax.device_count() == DEVICES
        return Mesh(np.array(jax.devices()), ("x",))

    def share(function, mesh, operands, output, **options):
        return jax.jit(jax.shard_map(function, mesh=mesh, in_specs=operands, out_specs=output, **options))

    def test_gather_of_whole_data_by_a_share_of_the_indices(mesh):
        rows = share(strew.jax.gather_nd, mesh, (WHOLE, SPLIT), SPLIT)
        np.testing.assert_array_equal(rows(DATA, ROWS), oracle.gather_nd(DATA, ROWS))
        elements = share(strew.jax.gather_elements, mesh, (WHOLE, SPLIT), SPLIT)
        np.testing.assert_array_equal(elements(DATA, ELEMENTS), oracle.gather_elements(DATA, ELEMENTS))

        def loss(gather):
            return lambda data: (gather(data) ** 2).sum()

        found = jax.jit(jax.grad(loss(lambda data: rows(data, ROWS))))(DATA)
        np.testing.assert_allclose(found, jax.grad(loss(lambda data: data[ROWS[:, 0]]))(jnp.array(DATA)))

    def test_scatters_of_a_share_of_the_updates_are_summed(mesh):
        def add(data, indices, updates):
            zeros = jnp.zeros_like(data)
            return jax.lax.psum(strew.jax.scatter_nd(zeros, indices, updates, reduction="sum"), "x")

        shared = share(add, mesh, (WHOLE, SPLIT, SPLIT), WHOLE)
        expected = oracle.scatter_nd(np.zeros_like(DATA), ROWS, UPDATES, "sum")
        np.testing.assert_allclose(shared(DATA, ROWS, UPDATES), expected)
        gradient = jax.jit(jax.grad(lambda updates: (shared(DATA, ROWS, updates) ** 2).sum()))(UPDATES)
        np.testing.assert_allclose(gradient, 2 * expected[ROWS[:, 0]])

    @pytest.mark.parametrize("check_vma", [True, False])
    @pytest.mark.parametrize("reduction", [*oracle.REDUCTIONS, "mean"])
    def test_scatters_to_a_share_of_data(mesh, reduction, check_vma):
        """Each device has two rows; indices are the same for all, so they do not vary as data does."""
        indices = ELEMENTS[:5] % 2

        def local(data, indices, updates):
            return strew.jax.scatter_elements(data, indices, updates, reduction=reduction)

        shared = share(local, mesh, (SPLIT, WHOLE, SPLIT), SPLIT, check_vma=check_vma)

        def one_by_one(data, updates):
            return jnp.concatenate(
                [local(data[2 * i : 2 * i + 2], indices, updates[5 * i : 5 * i + 5]) for i in range(4)]
            )

        np.testing.assert_array_equal(shared(DATA, indices, UPDATES), one_by_one(DATA, UPDATES))
        found = jax.jit(jax.grad(lambda d, u: (shared(d, indices, u) ** 2).sum(), (0, 1)))(DATA, UPDATES)
        expected = jax.jit(jax.grad(lambda d, u: (one_by_one(d, u) ** 2).sum(), (0, 1)))(DATA, UPDATES)
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-12), found, expected)

    def test_vmap_within_and_around(mesh):
        def gather(data, indices):
            return jax.vmap(strew.jax.gather_nd, (None, 0))(data, indices)

        indices = ROWS.reshape(4, 5, 1)
        found = share(gather, mesh, (WHOLE, SPLIT), SPLIT)(DATA, indices)
        np.testing.assert_array_equal(found, DATA[indices[..., 0]])
        around = jax.vmap(share(strew.jax.gather_nd, mesh, (WHOLE, SPLIT), SPLIT), (None, 1))
        found = around(DATA, ROWS.reshape(4, 5, 1))
        np.testing.assert_array_equal(found, DATA[ROWS.reshape(4, 5).T])

    def test_sharded_operands_under_jit(mesh):
        """Without shard_map XLA gathers the operands first: slower, and right."""
        sharding = NamedSharding(mesh, SPLIT)
        data, indices, updates = (jax.device_put(x, sharding) for x in (DATA, ROWS, UPDATES))
        np.testing.assert_array_equal(strew.jax.gather_nd(data, indices), oracle.gather_nd(DATA, ROWS))
        found = strew.jax.scatter_nd(data, indices, updates, reduction="sum")
        np.testing.assert_array_equal(found, oracle.scatter_nd(DATA, ROWS, UPDATES, "sum"))

    def test_a_mesh_of_explicit_axes():
        mesh = jax.make_mesh((DEVICES,), ("x",), axis_types=(jax.sharding.AxisType.Explicit,))
        data, indices = (jax.device_put(x, NamedSharding(mesh, SPLIT)) for x in (DATA, ROWS))
        found = jax.jit(strew.jax.gather_nd)(data, indices)
        assert found.sharding.spec == PartitionSpec(None, None)
        np.testing.assert_array_equal(found, oracle.gather_nd(DATA, ROWS))

    def test_each_device_by_itself():
        for device in jax.devices():
            found = strew.jax.gather_nd(jax.device_put(DATA, device), jax.device_put(ROWS, device))
            assert found.devices() == {device}
            np.testing.assert_array_equal(found, oracle.gather_nd(DATA, ROWS))

    def test_pmap():
        found = jax.pmap(strew.jax.gather_nd)(DATA.reshape(4, 2, 6), ROWS.reshape(4, 5, 1) % 2)
        np.testing.assert_array_equal(found, [DATA[2 * i : 2 * i + 2][ROWS.reshape(4, 5)[i] % 2] for i in range(4)])

    def test_large_calls_on_all_devices_at_once(mesh):
        """Four handlers share the threads of one pool."""
        data, updates = draw("float32", 50_000), draw("float32", 400_000)
        indices = draw_indices(-50_000, 50_000, 400_000)

        def local(data, indices, updates):
            return strew.jax.scatter_nd(data, indices[:, None], updates, reduction="sum")[None]

        shared = share(local, mesh, (WHOLE, SPLIT, SPLIT), SPLIT)
        for _ in range(5):
            found = np.asarray(shared(data, indices, updates))
            for i, (some, of_some) in enumerate(zip(indices.reshape(4, -1), updates.reshape(4, -1))):
                expected = data.copy()
                np.add.at(expected, some, of_some)
                np.testing.assert_array_equal(found[i], expected)

    def test_an_error_on_one_device(mesh):
        indices = ROWS.copy()
        indices[-1] = 99
        with pytest.raises(OUTSIDE, match="is 99, outside"):
            jax.block_until_ready(share(strew.jax.gather_nd, mesh, (WHOLE, SPLIT), SPLIT)(DATA, indices))
