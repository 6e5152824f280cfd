"""The measured calls: one table, a line for each call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product, starmap
from math import prod

Shape = tuple[int, ...]

ELEMENT_SIZES = {
    **{"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16},
    **{"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8},
}


# The operators that combine rows, with the tensors that each reads besides data.
SUMS_OF_ROWS = {
    "embedding_bag_offsets": ("indices", "segments"),
    "embedding_bag_packed": ("indices",),
    "embedding_segments": ("indices", "segments"),
    "segment_reduce": ("segments",),
    "gather_scatter": ("updates", "indices", "segments"),
}
# Of these, operators whose rows may come in any order.
ANY_ORDER = ("embedding_segments", "gather_scatter")
# The draws that are in order of themselves.
IN_ORDER = ("sorted", "same", "equal", "covering")


@dataclass(frozen=True)
class Workload:
    """One call of one operator. A scatter is in place unless the workload says otherwise."""

    operator: str
    data: Shape
    indices: Shape
    reduction: str = "none"
    dtype: str = "float32"
    index_dtype: str = "int64"
    axis: int = 0
    batch_dims: int = 0
    rows_out: int = 0  # for sums of gathered rows: the rows of the output
    weighted: bool = False  # for sums of gathered rows: whether each row has a weight
    window: int = 0  # how much of the axis is written, by those that take windows
    bounds: str = "refuse"  # strew's policy for indices out of bounds: if the run goes on, a few are
    in_place: bool = True
    draw: str = "uniform"  # how indices are drawn: see draws.py
    inspected: bool = False  # whether strew's plan has inspected the indices
    beside_bags: bool = False  # in any order: into zeros, beside bags of the same rows sorted; strew by its scratch
    first: Workload | None = None  # a gather whose output are the updates of this one, in one more call

    @property
    def gathers(self) -> bool:
        """Whether it reads rather than writes."""
        return self.operator in ("gather", "gather_nd", "gather_elements")

    @property
    def goes_on(self) -> bool:
        """Whether an index out of bounds does not end the run: a few are."""
        return self.bounds in ("skip", "clamp", "wrap")

    @property
    def takes_tuples(self) -> bool:
        """Whether indices hold tuples that name rows, or entries that name elements."""
        return self.operator.endswith("_nd")

    @property
    def takes_rows(self) -> bool:
        """Whether indices name rows along an axis."""
        return self.operator in ("gather", "scatter")

    @property
    def takes_windows(self) -> bool:
        """Whether indices are the begins of windows along the axis: one for each batch, or one for all."""
        return self.operator in ("tensor_scatter", "slice_scatter")

    @property
    def sums_rows(self) -> bool:
        """Whether indices name rows that are combined, and segments into which row of the output."""
        return self.operator in SUMS_OF_ROWS

    @property
    def in_order(self) -> bool:
        """Whether rows that are combined go into one row of the output after the other."""
        return self.operator not in ANY_ORDER or self.draw in IN_ORDER

    @property
    def needs_scratch(self) -> bool:
        """Whether strew refuses it without, or it is about that."""
        counts = self.operator.startswith("scatter") and self.reduction == "mean"
        return counts or self.beside_bags or (self.operator == "embedding_segments" and not self.in_order)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The tensors that it reads. A slice is no tensor."""
        if self.sums_rows:
            return ("data", *SUMS_OF_ROWS[self.operator], *(("weights",) if self.weighted else ()))
        indices = () if self.operator == "slice_scatter" else ("indices",)
        return ("data", *indices, *(() if self.gathers else ("updates",)))

    @property
    def addressed_dims(self) -> range:
        """The dimensions of data that indices address."""
        if self.takes_tuples:
            return range(self.batch_dims, self.batch_dims + self.indices[-1])
        return range(self.axis, self.axis + 1)

    @property
    def row(self) -> Shape:
        """The shape that moves as one: a row of data, or one element, which has no dimensions."""
        return () if self.operator.endswith("_elements") else self.data[self.addressed_dims.stop :]

    @property
    def positions(self) -> Shape:
        """One for each row or element that moves."""
        if self.sums_rows:
            return (prod(self.indices),)
        if self.takes_rows:
            return self.data[: self.axis] + self.indices
        if self.takes_windows:
            return (*self.data[: self.axis], self.window)
        return self.indices[:-1] if self.takes_tuples else self.indices

    @property
    def updates(self) -> Shape:
        """The shape of the updates of a scatter, and of the output of a gather."""
        return self.positions + self.row

    @property
    def output(self) -> Shape:
        """The shape of the output."""
        if self.sums_rows:
            return (self.rows_out, *self.data[1:])
        return self.updates if self.gathers else self.data

    @property
    def rows(self) -> int:
        """The number of addressable rows in data."""
        return prod(self.data) // prod(self.row)

    @property
    def attributes(self) -> dict[str, int | str]:
        """The operator's attributes, by the names in strew's functions."""
        if self.sums_rows:
            return {"reduction": self.reduction}
        place = {"axis": self.axis}
        if self.takes_tuples:
            place = {"batch_dims": self.batch_dims} if self.gathers else {}
        bounds = {} if self.bounds == "refuse" else {"bounds": self.bounds}
        combines = not (self.gathers or self.takes_windows)
        return place | bounds | ({"reduction": self.reduction} if combines else {})

    @property
    def title(self) -> str:
        """The call in a few words, for readers."""
        if self.first:
            nodes, features = self.data
            edges = self.positions[0]
            return f"a layer of a graph network: {edges:,} edges, {nodes:,} nodes, {features} features; two calls"
        if self.operator == "gather_scatter" and not self.beside_bags:
            _, features = self.data
            order = "targets sorted" if self.draw == "sorted" else "targets in any order"
            sizes = f"{self.indices[0]:,} edges, {self.rows_out:,} nodes, {features} features"
            return f"a layer of a graph network in one call: {sizes}, {order}"
        operator = self.operator if self.reduction == "none" else f"{self.operator} {self.reduction}"
        dtype = "" if self.dtype == "float32" else self.dtype
        size = prod(self.row) * ELEMENT_SIZES[self.dtype]
        moved = f"rows of {size} bytes" if prod(self.row) > 1 else "elements"
        draw = "one index for each row" if self.draw == "expanded" else self._notable_draw
        moves = f"{prod(self.positions):,} {moved} of {shape_text(self.data)}"
        return ", ".join(word for word in (operator, *self._qualities, dtype, draw, moves) if word)

    @property
    def details(self) -> str:
        """The details besides operator, shapes and dtype."""
        reduction = "" if self.gathers else self.reduction
        first = f"after {self.first.operator}" if self.first else ""
        return ", ".join(word for word in (reduction, *self._qualities, self._notable_draw, first) if word)

    @property
    def _qualities(self) -> tuple[str, ...]:
        return (
            f"batch_dims {self.batch_dims}" if self.batch_dims else "",
            f"axis {self.axis}" if self._tells_axis else "",
            "out of place" if self.operator.startswith("scatter") and not self.in_place else "",
            f"{self.index_dtype} indices" if self.index_dtype != "int64" else "",
            f"windows of {self.window}" if self.takes_windows else "",
            f"into {self.rows_out:,}" if self.sums_rows else "",
            "weighted" if self.weighted else "",
            "inspected" if self.inspected else "",
            "beside sorted bags" if self.beside_bags else "",
            f"{self.bounds} where out of bounds" if self.bounds != "refuse" else "",
        )

    @property
    def _tells_axis(self) -> bool:
        outermost = self.takes_tuples or self.sums_rows or (self.takes_rows and self.axis == 0)
        return not outermost and len(self.data) > 1

    @property
    def _notable_draw(self) -> str:
        return self.draw if self.draw in ("zipf", "expanded", "sorted") else ""

    @property
    def name(self) -> str:
        """The text that --filter searches: the whole call in one line."""
        parts = (self.operator, self.dtype, shape_text(self.data), shape_text(self.indices), self.details)
        return "/".join(part for part in parts if part)


def shape_text(shape: Shape) -> str:
    """1000x256x10x15."""
    return "x".join(map(str, shape))


gather_nd = partial(Workload, "gather_nd")
gather_elements = partial(Workload, "gather_elements")
# Libraries differ in which update wins if an assignment finds an index twice: indices are distinct there.
assign_nd = partial(Workload, "scatter_nd", draw="distinct")
assign_elements = partial(Workload, "scatter_elements", draw="distinct")
sum_nd = partial(Workload, "scatter_nd", reduction="sum")
sum_elements = partial(Workload, "scatter_elements", reduction="sum")
gather_rows = partial(Workload, "gather")
assign_rows = partial(Workload, "scatter", draw="distinct")
sum_rows = partial(Workload, "scatter", reduction="sum")
sum_bags = partial(Workload, "embedding_bag_offsets", reduction="sum", in_place=False)
mean_bags = partial(Workload, "embedding_bag_offsets", reduction="mean", in_place=False, draw="equal")
sum_packed = partial(Workload, "embedding_bag_packed", reduction="sum", in_place=False)
sum_segments = partial(Workload, "embedding_segments", reduction="sum", in_place=False)
reduce_segments = partial(Workload, "segment_reduce", in_place=False, draw="covering")
sum_edges = partial(Workload, "gather_scatter", reduction="sum")
write_windows = partial(Workload, "tensor_scatter")
write_slice = partial(Workload, "slice_scatter", indices=(1,))

MILLION = 1_000_000

# The shapes of the layer examples in the operators' published specifications.
MAPS = ((1000, 256, 10, 15), (25, 125, 3))
SMALL_MAPS = ((1000, 256, 7, 7), (125, 20, 7, 6))
BATCHES_OF_ROWS = ((30, 2, 100, 35), (30, 2, 3, 1))
BATCHES_OF_ELEMENTS = ((1, 64, 64, 320), (1, 64, 64, 1, 1))

# Tables and lists far larger than caches.
TABLE = ((MILLION, 64), (MILLION, 1))
LIST = ((10 * MILLION,), (10 * MILLION,))
LIST_OF_TUPLES = ((10 * MILLION,), (10 * MILLION, 1))

# One layer of a graph network: for each edge, the features of one node are added to those of another.
NODES, EDGES, FEATURES = 50_000, 200_000, 64
LAYER = ((NODES, FEATURES), (EDGES, 1))

# Tables of embeddings, and the tokens of a batch; some features of each token.
NARROW_TABLE = ((MILLION, 64), (16_384,))
WIDE_TABLE = ((50_000, 1024), (4_096,))
FEATURE_TABLE = ((4_096, 768), (64,))
# Caches of the keys of 32 layers, 8 heads of 4,096 positions.
CACHES = (32, 8, 4_096, 128)

# Calls with almost no work, and with none.
TINY = ((10,), (3,))
EMPTY = gather_elements((10,), (0,))


def graph(full_size: bool) -> tuple[Shape, Shape]:
    """ONNX Runtime's issue 28584, a graph model; a tenth of its rows if not in full."""
    share = 1 if full_size else 10
    return (556416 // share, 80), (481385 // share, 80)


# Sums of gathered rows, into bags of so many rows; from a table that caches hold, and from one that they do not.
ROWS_IN_A_BAG = (1, 4, 16, 64, 256, 1000)
ROW_BYTES = (16, 64, 256, 1024, 4096)
TABLE_BYTES = (2 << 20, 128 << 20)
# The bytes that are read in all, and the limits of the number of indices.
READ_BYTES, LEAST_READ, MOST_READ = 64 << 20, 20_000, 200_000


def beside_bags(table: Shape, read: int, rows_out: int, draw: str, dtype: str = "float32") -> list[Workload]:
    """The same rows in any order, sorted in every run if that pays, and inspected: edges, but segments for halves.

    A bag of halves is rounded once, and so is a segment; an edge's sum is rounded at each step.
    """
    sums = sum_edges if dtype == "float32" else sum_segments
    rows = sums(table, (read,), rows_out=rows_out, draw=draw, dtype=dtype, beside_bags=True)
    return [rows, replace(rows, inspected=True)]


def bags_of(table_bytes: int, dtype: str, row_bytes: int, size: int) -> list[Workload]:
    """Bags of one size, and their rows in any order."""
    table = (table_bytes // row_bytes, row_bytes // ELEMENT_SIZES[dtype])
    count = min(MOST_READ, max(LEAST_READ, READ_BYTES // row_bytes)) // size
    bags = sum_bags(table, (count * size,), rows_out=count, draw="equal", dtype=dtype)
    return [bags, *beside_bags(table, count * size, count, "shuffled", dtype)]


def bags(full_size: bool) -> list[Workload]:
    """Sums of gathered rows, against PyTorch's embedding_bag: some calls of other tables, then all lengths."""
    sizes = product(TABLE_BYTES, ("float32", "float16"), ROW_BYTES, ROWS_IN_A_BAG)
    return [
        sum_bags((MILLION, 64), (MILLION,), rows_out=NODES),
        sum_bags((NODES, 64), (EDGES,), rows_out=10_000),
        sum_bags((5_000, 64), (EDGES,), rows_out=10_000),
        *beside_bags((NODES, FEATURES), EDGES, NODES, "uniform"),
        *beside_bags((NODES, FEATURES), EDGES, NODES, "sorted"),
        *chain.from_iterable(starmap(bags_of, sizes)),
    ]


def workloads(full_size: bool) -> list[Workload]:
    """The table."""
    every_axis = range(len(SMALL_MAPS[0]))
    return [
        gather_nd(*MAPS),
        gather_nd(*MAPS, index_dtype="int32"),
        gather_nd(*BATCHES_OF_ROWS, batch_dims=2),
        gather_nd(*BATCHES_OF_ELEMENTS, batch_dims=3),
        assign_nd(*MAPS, in_place=False),
        assign_nd(*MAPS),
        sum_nd(*MAPS),
        sum_nd(*MAPS, index_dtype="int32"),
        sum_nd(*MAPS, dtype="float16"),
        sum_nd(*MAPS, dtype="bfloat16"),
        sum_nd(*MAPS, dtype="float64"),
        sum_nd(*MAPS, dtype="int64"),
        *(gather_elements(*SMALL_MAPS, axis=axis) for axis in every_axis),
        *(assign_elements(*SMALL_MAPS, axis=axis) for axis in every_axis),
        *(sum_elements(*SMALL_MAPS, axis=axis) for axis in every_axis),
        gather_nd(*TABLE),
        gather_nd(*TABLE, draw="zipf"),
        assign_nd(*TABLE),
        sum_nd(*TABLE),
        sum_nd(*TABLE, draw="zipf"),
        gather_nd(*LIST_OF_TUPLES),
        gather_elements(*LIST),
        assign_elements(*LIST),
        sum_elements(*LIST),
        sum_elements(*graph(full_size)),
        sum_elements(*graph(full_size), draw="expanded"),
        sum_nd(*LAYER, first=gather_nd(*LAYER)),
        gather_rows(*NARROW_TABLE),
        gather_rows(*WIDE_TABLE, dtype="float16"),
        gather_rows(*WIDE_TABLE, bounds="skip"),
        gather_rows(*WIDE_TABLE, bounds="clamp"),
        gather_rows(*FEATURE_TABLE, axis=1),
        assign_rows(*WIDE_TABLE),
        sum_rows((NODES, FEATURES), (EDGES,)),
        write_windows(CACHES, (32,), axis=2, window=1, dtype="float16"),
        write_windows(CACHES, (32,), axis=2, window=512, dtype="float16"),
        write_slice(CACHES, axis=2, window=64, dtype="float16"),
        sum_bags((MILLION, 64), (MILLION,), rows_out=NODES),
        sum_bags((NODES, 64), (EDGES,), rows_out=10_000),
        sum_bags((NODES, 64), (EDGES,), rows_out=10_000, dtype="float16"),
        sum_bags((NODES, 64), (EDGES,), rows_out=10_000, weighted=True),
        mean_bags((NODES, 64), (EDGES,), rows_out=12_500),
        sum_packed((NODES, 64), (12_500, 16), rows_out=12_500),
        sum_segments((NODES, 64), (EDGES,), rows_out=10_000, draw="sorted"),
        sum_segments((NODES, 64), (EDGES,), rows_out=10_000),
        reduce_segments((EDGES, 64), (EDGES,), rows_out=10_000, reduction="sum"),
        reduce_segments((EDGES, 64), (EDGES,), rows_out=10_000, reduction="max"),
        sum_edges((NODES, FEATURES), (EDGES,), rows_out=NODES, draw="sorted"),
        sum_edges((NODES, FEATURES), (EDGES,), rows_out=NODES),
        gather_elements(*TINY),
        sum_elements(*TINY),
    ]


# The suites by their --suite names.
SUITES: dict[str, Callable[[bool], list[Workload]]] = {"usual": workloads, "bags": bags}
