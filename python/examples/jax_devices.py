"""Updates that are spread over several devices, each of which scatters its own share."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec

import strew.jax

mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
whole, split = PartitionSpec(), PartitionSpec("x")


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=(split, split), out_specs=whole)
def histogram(indices, weights):
    share = strew.jax.scatter_nd(jnp.zeros(5), indices, weights, reduction="sum")
    return jax.lax.psum(share, "x")


indices = (jnp.arange(1000) ** 2 % 5)[:, None]
print(histogram(indices, jnp.ones(1000)))
