"""A table whose rows are dealt to devices: updates of all of them travel once, and are added in one order."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec

import strew.jax

DEVICES, ROWS, WIDTH, UPDATES = 4, 1000, 16, 20_000
SHARE, COUNT = ROWS // DEVICES, UPDATES // DEVICES  # of each device

mesh = jax.make_mesh((DEVICES,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
split = PartitionSpec("x")


@jax.jit
@jax.shard_map(mesh=mesh, in_specs=(split, split, split), out_specs=split)
def add(table, indices, updates):
    """Device i // SHARE holds row i. Parts of COUNT rows travel, padded with updates of a row that does not exist."""
    order = jnp.argsort(indices // SHARE, stable=True)
    owner, row = indices[order] // SHARE, indices[order] % SHARE
    place = jnp.arange(COUNT) - jnp.searchsorted(owner, owner)  # among those for the same device
    rows = jnp.full((DEVICES, COUNT), SHARE).at[owner, place].set(row)
    values = jnp.zeros((DEVICES, COUNT, WIDTH)).at[owner, place].set(updates[order])
    rows, values = (jax.lax.all_to_all(x, "x", split_axis=0, concat_axis=0) for x in (rows, values))
    padded = jnp.concatenate([table, jnp.zeros((1, WIDTH))])
    return strew.jax.scatter_nd(padded, rows.reshape(-1, 1), values.reshape(-1, WIDTH), reduction="sum")[:SHARE]


indices = jax.random.randint(jax.random.key(1), (UPDATES,), 0, ROWS)
updates = jax.random.uniform(jax.random.key(2), (UPDATES, WIDTH))
table = jnp.zeros((ROWS, WIDTH))
alone = strew.jax.scatter_nd(table, indices[:, None], updates, reduction="sum")
print("4 devices, the bits of one:", bool((add(table, indices, updates) == alone).all()))
