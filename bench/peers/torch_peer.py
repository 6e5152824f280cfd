"""PyTorch: gather and scatter_ along an axis, index_select and its kin on rows, indexing with coordinates."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import torch

from contenders import Formulations, PythonPeer, after_copying, one_after_the_other
from operands import Operands, along, flat_rows


REDUCTIONS = {"sum": "sum", "prod": "prod", "min": "amin", "max": "amax", "mean": "mean"}


class TorchPeer(PythonPeer):
    """PyTorch on the CPU."""

    name = "PyTorch"
    version = torch.__version__
    has_threads = True

    def __init__(self) -> None:
        warnings.filterwarnings("ignore", message=".*_reduce.* is in beta")
        warnings.filterwarnings("ignore", message="The given NumPy array is not writ")

    def formulations(self, operands: Operands, threads: int) -> Formulations:
        """Row numbers are computed and indices widened in every run: it is part of the work.

        So is bringing indices within bounds. PyTorch cannot skip.
        """
        torch.set_num_threads(threads)
        if operands.workload.sums_rows:
            return sums_of_rows(operands)
        if operands.workload.bounds == "skip":
            return {}
        tensors = Tensors(operands)
        if tensors.workload.gathers:
            return gathers(tensors)
        ways = assignments(tensors) if tensors.workload.reduction == "none" else reductions(tensors)
        return after_copying(operands, lambda: tensors.output.copy_(tensors.data), ways)

    def as_array(self, returned: torch.Tensor) -> np.ndarray:
        """The same memory; bfloat16 as bits, like the operands."""
        if returned.dtype == torch.bfloat16:
            return returned.view(torch.int16).numpy().view(np.uint16)
        return returned.numpy()


class Tensors:
    """The operands as tensors on the same memory, and arrays that a run computes from the indices."""

    def __init__(self, operands: Operands) -> None:
        self.workload = operands.workload
        self.data, self.output = self._tensor(operands.data), self._tensor(operands.output)
        self.dense = self._tensor(operands.dense)
        self.rows, self.dense_rows = self._tensor(operands.rows), self._tensor(operands.dense_rows)
        self._within = operands.within
        self._indices = torch.from_numpy(operands.indices)
        self._coordinates = [torch.from_numpy(coordinate) for coordinate in operands.coordinates]
        self._grids = [torch.from_numpy(grid) for grid in operands.batch_grids]
        self._row_strides = operands.row_strides
        self._stride_vector = torch.tensor(operands.row_strides, dtype=self._indices.dtype)
        self._base = None if operands.base is None else torch.from_numpy(operands.base)

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return tensor_of(array, self.workload.dtype)

    def indices(self) -> torch.Tensor:
        """The indices, widened for functions that only take 64-bit ones."""
        return self._within(self._indices).long()

    def coordinates(self) -> tuple[torch.Tensor, ...]:
        """data[this] are the rows that tuples name."""
        return (*self._grids, *(coordinate.long() for coordinate in self._coordinates))

    def numbers(self) -> torch.Tensor:
        """The row that each position names. Tuples are quickest multiplied by a vector."""
        if len(self._coordinates) == 1:
            return flat_rows(list(map(self._within, self._coordinates)), self._row_strides, self._base).long()
        products = self._indices @ self._stride_vector
        return (products if self._base is None else products + self._base).reshape(-1).long()


def tensor_of(array: np.ndarray, dtype: str) -> torch.Tensor:
    """A tensor on the same memory; the bits of bfloat16 as bfloat16."""
    if dtype == "bfloat16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def sums_of_rows(operands: Operands) -> Formulations:
    """Uses embedding_bag if rows of the output are bags, and segment_reduce for sorted rows.

    The operator gets sorted segments, so every run computes where the bags begin. Rows without an order are gathered
    first, or sorted in every run; so are rows that are added to existing ones.
    """
    workload = operands.workload
    rows, output = (tensor_of(array, workload.dtype) for array in (operands.sources, operands.output))
    targets, indices, offsets = map(torch.from_numpy, (operands.targets, operands.entries, operands.offsets))
    weights = None if operands.weights is None else tensor_of(operands.weights.reshape(-1), workload.dtype)
    bags = partial(torch.nn.functional.embedding_bag, mode=workload.reduction)
    gathered = torch.empty((len(indices), *rows.shape[1:]), dtype=rows.dtype)

    every_row = torch.arange(workload.rows_out, dtype=targets.dtype)

    def in_bags() -> torch.Tensor:
        return bags(indices, rows, offsets, per_sample_weights=weights)

    def in_segments() -> torch.Tensor:
        begins = torch.searchsorted(targets, every_row).to(indices.dtype)
        return bags(indices, rows, begins, per_sample_weights=weights)

    def reduced() -> torch.Tensor:
        ends = torch.cat([torch.searchsorted(targets, every_row), targets.new_tensor([len(targets)])])
        return torch.segment_reduce(rows, workload.reduction, offsets=ends, unsafe=True)

    def added() -> torch.Tensor:
        torch.index_select(rows, 0, indices, out=gathered)
        if weights is not None:
            gathered.mul_(weights.unsqueeze(1))
        return output.index_add_(0, targets, gathered)

    def sorted_first() -> torch.Tensor:
        numbers, order = torch.sort(targets, stable=True)
        begins = torch.searchsorted(numbers, every_row)
        own = None if weights is None else weights[order]
        return bags(indices[order], rows, begins.to(indices.dtype), per_sample_weights=own)

    def reduced_as_named() -> torch.Tensor:
        torch.index_select(rows, 0, indices, out=gathered)
        return output.index_reduce_(0, targets.long(), gathered, reduce, include_self=workload.in_place)

    reduce = REDUCTIONS[workload.reduction]
    has_bags = workload.reduction in ("sum", "mean", "max")
    is_sum = workload.reduction == "sum"
    in_two_calls = {"index_select, index_add_": added} if is_sum else {"index_select, index_reduce_": reduced_as_named}
    if workload.beside_bags:
        listed = torch.from_numpy(operands.sorted_entries)
        return {"embedding_bag of the same rows, sorted": lambda: bags(listed, rows, offsets)}
    if workload.operator == "gather_scatter":
        summed = {"output += searchsorted, embedding_bag": lambda: output.add_(in_segments())}
        return (summed if workload.in_order and is_sum else {}) | in_two_calls
    if not workload.in_order:
        ways = {text: one_after_the_other(output.zero_, way) for text, way in in_two_calls.items()}
        return ways | ({"sort, embedding_bag": sorted_first} if has_bags else {})
    if workload.operator == "segment_reduce":
        return {
            "searchsorted, segment_reduce(data, offsets)": reduced,
            **({"searchsorted, embedding_bag(arange, data, offsets)": in_segments} if has_bags else {}),
        }
    if not has_bags:
        return {}
    if workload.operator == "embedding_segments":
        return {"searchsorted, embedding_bag": in_segments}
    if workload.operator == "embedding_bag_packed":
        packed = torch.from_numpy(operands.indices)
        own = None if weights is None else weights.reshape(packed.shape)
        return {"embedding_bag": lambda: bags(packed, rows, per_sample_weights=own)}
    return {"embedding_bag": in_bags}


def gathers(t: Tensors) -> Formulations:
    """Reading."""
    axis, rows, out = t.workload.axis, t.rows, t.dense_rows
    if t.workload.takes_rows:
        return gathers_of_rows(t)
    ways = {}
    if rows.ndim == 1:
        ways["gather(rows, 0, numbers, out)"] = lambda: torch.gather(rows, 0, t.numbers(), out=out)
        ways["take(rows, numbers, out)"] = lambda: torch.take(rows, t.numbers(), out=out)
    if t.workload.takes_tuples:
        ways["index_select(rows, 0, numbers, out)"] = lambda: torch.index_select(rows, 0, t.numbers(), out=out)
        ways["data[coordinates]"] = lambda: t.data[t.coordinates()]
    else:
        ways["gather(data, axis, indices, out)"] = lambda: torch.gather(t.data, axis, t.indices(), out=t.output)
    return ways


def gathers_of_rows(t: Tensors) -> Formulations:
    """Reading along an axis."""
    axis, data, out = t.workload.axis, t.data, t.output
    place = tuple(slice(None) for _ in range(axis))
    ways = {"data[:, indices]": lambda: data[(*place, t.indices())]}
    if len(t.workload.indices) == 1:
        selected = "index_select(data, axis, indices, out)"
        ways = {selected: lambda: torch.index_select(data, axis, t.indices(), out=out)} | ways
    if axis == 0:
        ways["embedding(indices, data)"] = lambda: torch.nn.functional.embedding(t.indices(), data)
    return ways


def writes_of_windows(t: Tensors) -> Formulations:
    """A slice for each window, or indices for all."""
    axis, window, data, updates = t.workload.axis, t.workload.window, t.output, t.dense
    if t.workload.operator == "slice_scatter":
        begin = int(t.indices()[0])
        end = begin + window

        def narrowed() -> None:
            data.narrow(axis, begin, window).copy_(updates)

        return {
            "narrow(data, axis).copy_(updates)": narrowed,
            "slice_scatter(data, updates, axis)": lambda: torch.slice_scatter(data, updates, axis, begin, end),
        }

    def batch_by_batch() -> None:
        for batch, begin in enumerate(t.indices().tolist()):
            data[batch].narrow(axis - 1, begin, window).copy_(updates[batch])

    batches = torch.arange(len(data)).reshape(-1, *(1 for _ in range(axis)))
    lanes = [torch.arange(size).reshape(along(dim, axis, size)) for dim, size in enumerate(data.shape[1:axis])]
    steps = torch.arange(window)

    def by_indices() -> torch.Tensor:
        return data.index_put_((batches, *lanes, t.indices().reshape(batches.shape) + steps), updates)

    return {
        "narrow(data[batch], axis).copy_(updates[batch]), one after the other": batch_by_batch,
        "data[batches, heads, indices + steps] = updates": by_indices,
    }


def assignments(t: Tensors) -> Formulations:
    """Writing."""
    axis, data, rows, updates = t.workload.axis, t.output, t.rows, t.dense_rows
    if t.workload.takes_windows:
        return writes_of_windows(t)
    if t.workload.takes_rows:
        place = tuple(slice(None) for _ in range(axis))
        return {
            "index_copy_(data, axis, indices)": lambda: data.index_copy_(axis, t.indices(), t.dense),
            "data[:, indices] = updates": lambda: data.__setitem__((*place, t.indices()), t.dense),
        }
    ways = {}
    if rows.ndim == 1:
        ways["put_(rows, numbers)"] = lambda: rows.put_(t.numbers(), updates)
    if t.workload.takes_tuples:
        ways["index_put_(rows, numbers)"] = lambda: rows.index_put_((t.numbers(),), updates)
        ways["index_copy_(rows, 0, numbers)"] = lambda: rows.index_copy_(0, t.numbers(), updates)
        ways["index_put_(data, coordinates)"] = lambda: data.index_put_(t.coordinates(), t.dense)
    else:
        ways["scatter_(data, axis, indices)"] = lambda: data.scatter_(axis, t.indices(), t.dense)
    return ways


def reductions(t: Tensors) -> Formulations:
    """Combining."""
    if t.workload.takes_rows:
        return row_reductions(t)
    return tuple_reductions(t) if t.workload.takes_tuples else entry_reductions(t)


def row_reductions(t: Tensors) -> Formulations:
    """Rows along an axis."""
    axis, data, reduce = t.workload.axis, t.output, REDUCTIONS[t.workload.reduction]
    if reduce == "sum":
        return {"index_add_(data, axis, indices)": lambda: data.index_add_(axis, t.indices(), t.dense)}
    return {"index_reduce_(data, axis, indices)": lambda: data.index_reduce_(axis, t.indices(), t.dense, reduce)}


def tuple_reductions(t: Tensors) -> Formulations:
    """Rows to rows."""
    data, rows, updates, reduce = t.output, t.rows, t.dense_rows, REDUCTIONS[t.workload.reduction]

    def expanded() -> torch.Tensor:
        return t.numbers() if rows.ndim == 1 else t.numbers().unsqueeze(1).expand(-1, rows.shape[1])

    if reduce != "sum":
        return {
            "index_reduce_(rows, 0, numbers)": lambda: rows.index_reduce_(0, t.numbers(), updates, reduce),
            "scatter_reduce_(rows, 0, expanded)": lambda: rows.scatter_reduce_(0, expanded(), updates, reduce),
        }
    return {
        "index_put_(rows, numbers, accumulate)": lambda: rows.index_put_((t.numbers(),), updates, True),
        "index_add_(rows, 0, numbers)": lambda: rows.index_add_(0, t.numbers(), updates),
        "scatter_add_(rows, 0, numbers expanded)": lambda: rows.scatter_add_(0, expanded(), updates),
        "index_put_(data, coordinates, accumulate)": lambda: data.index_put_(t.coordinates(), t.dense, True),
    }


def entry_reductions(t: Tensors) -> Formulations:
    """Elements to elements. If there is one index for each row, rows can be added as well."""
    axis, data, rows, updates = t.workload.axis, t.output, t.rows, t.dense_rows
    reduce = REDUCTIONS[t.workload.reduction]
    ways = {"scatter_reduce_(data, axis, indices)": lambda: data.scatter_reduce_(axis, t.indices(), t.dense, reduce)}
    if reduce == "sum":
        ways["scatter_add_(data, axis, indices)"] = lambda: data.scatter_add_(axis, t.indices(), t.dense)
        ways["scatter_add_(rows, 0, numbers)"] = lambda: rows.scatter_add_(0, t.numbers(), updates)
    if reduce == "sum" and t.workload.draw == "expanded":
        ways["index_add_(data, 0, indices[:, 0])"] = lambda: data.index_add_(0, t.indices()[:, 0], t.dense)
    return ways
