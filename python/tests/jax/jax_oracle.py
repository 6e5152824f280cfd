"""Four of the operators as loops over NumPy arrays: one update after the other, rounded once per step."""

import numpy as np

REDUCTIONS = ["none", "sum", "sub", "prod", "min", "max"]


def step(left, right, reduction):
    """Combines two arrays of one dtype in that dtype."""
    boolean = left.dtype == bool
    if reduction == "none":
        return right
    if reduction in ("sum", "mean"):
        return left | right if boolean else left + right
    if reduction == "sub":
        return left ^ right if boolean else left - right
    if reduction == "prod":
        return left & right if boolean else left * right
    return np.minimum(left, right) if reduction == "min" else np.maximum(left, right)


def identity(dtype, reduction):
    if reduction == "prod":
        return np.ones((), dtype)
    if reduction not in ("min", "max"):
        return np.zeros((), dtype)
    least = reduction == "max"
    if dtype == bool:
        return np.array(not least)
    if dtype.kind in "iu":
        return np.array(np.iinfo(dtype).min if least else np.iinfo(dtype).max, dtype)
    return np.array(-np.inf if least else np.inf).astype(dtype)


def divide(total, count):
    if total.dtype.kind in "iu":
        return total // np.array(count, total.dtype)
    if total.dtype.kind == "c":
        part = total.real.dtype.type(count)
        return (total.real / part + 1j * (total.imag / part)).astype(total.dtype)
    wide = np.promote_types(total.dtype, np.float32)
    return (total.astype(wide) / wide.type(count)).astype(total.dtype)


def gather_nd(data, indices, batch_dims=0):
    outer = indices.shape[:-1]
    output = np.empty(outer + data.shape[batch_dims + indices.shape[-1] :], data.dtype)
    for position in np.ndindex(*outer):
        output[position] = data[position[:batch_dims] + tuple(indices[position])]
    return output


def scatter_nd(data, indices, updates, reduction="none"):
    output = data.copy()
    for position in np.ndindex(*indices.shape[:-1]):
        target = (*indices[position], ...)
        output[target] = step(output[target], updates[(*position, ...)], reduction)
    return output


def targets_of(data, indices, axis):
    """The element of data that each position of indices names, in row-major order."""
    axis %= data.ndim
    for position in np.ndindex(*indices.shape):
        yield position, position[:axis] + (int(indices[position]) % data.shape[axis],) + position[axis + 1 :]


def gather_elements(data, indices, axis=0):
    output = np.empty(indices.shape, data.dtype)
    for position, target in targets_of(data, indices, axis):
        output[position] = data[target]
    return output


def scatter_elements(data, indices, updates, axis=0, reduction="none", use_init_val=True):
    output = data.copy()
    counts = {target: int(use_init_val) for _, target in targets_of(data, indices, axis)}
    for target in counts if reduction != "none" and not use_init_val else ():
        output[target] = identity(data.dtype, reduction)
    for position, target in targets_of(data, indices, axis):
        output[target] = step(output[(*target, ...)], updates[(*position, ...)], reduction)
        counts[target] += 1
    for target, count in counts.items() if reduction == "mean" else ():
        output[target] = divide(output[(*target, ...)], count)
    return output
