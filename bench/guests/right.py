"""Right results of calls, in plain NumPy: for guests whose own results are not always right."""

from __future__ import annotations

import numpy as np

from calls import Call, Operands

COMBINE = {"sum": np.add, "sub": np.subtract, "prod": np.multiply, "min": np.minimum, "max": np.maximum, "mean": np.add}


def right(call: Call, operands: Operands) -> np.ndarray:
    """The result of a call without gradients."""
    if call.bags:
        return of_bags(call, operands)
    place = place_of(call, operands.indices)
    if not call.scatters:
        return operands.data[place]
    result = operands.data.copy()
    if call.reduction == "none":
        result[place] = operands.updates
    elif call.reduction == "mean":
        # The mean counts the element of data as well.
        counts = np.ones(result.shape)
        np.add.at(counts, place, 1)
        np.add.at(result, place, operands.updates)
        result /= counts
    else:
        COMBINE[call.reduction].at(result, place, operands.updates)
    return result


def place_of(call: Call, indices: np.ndarray) -> tuple:
    """The NumPy index of the call's places in data."""
    if call.family == "tuples":
        return tuple(indices.T)
    if call.family == "elements":
        grid = np.ogrid[tuple(slice(size) for size in indices.shape)]
        return tuple(indices if dim == call.axis else places for dim, places in enumerate(grid))
    return (*(slice(None),) * call.axis, indices)


def segments_of(call: Call, operands: Operands) -> np.ndarray:
    """Into which bag each row goes."""
    lengths = np.diff(operands.offsets, append=call.indices[0])
    return np.repeat(np.arange(call.bags), lengths).astype(call.index_dtype)


def of_bags(call: Call, operands: Operands) -> np.ndarray:
    """Rows of a table, times their weights, combined; zeros of an empty bag."""
    rows = operands.data[operands.indices]
    if "weighted" in call.traits:
        rows = rows * operands.weights[:, None]
    segments = segments_of(call, operands)
    lengths = np.bincount(segments, minlength=call.bags)[:, None]
    if call.reduction in ("min", "max"):
        least = -np.inf if call.reduction == "max" else np.inf
        result = np.full((call.bags, *rows.shape[1:]), least, np.float64)
        COMBINE[call.reduction].at(result, segments, rows)
        return np.where(lengths, result, 0).astype(rows.dtype)
    result = np.zeros((call.bags, *rows.shape[1:]), rows.dtype)
    np.add.at(result, segments, rows)
    return result / np.maximum(lengths, 1) if call.reduction == "mean" else result
