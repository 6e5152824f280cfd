"""The figures of a report: functions of the machines that return SVG files, or nothing where rows for them are missing.

A ratio is always of times, and above 1 where the one that is named last is faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import bars
import curves
import header
import heat
from bars import Bars, Line, Series, grouped, summarised
from curves import Curve, Curves
from results import Machine, Name, Row, element_bytes

SCALAR = "scalar"
ISA_KINDS = dict(zip(header.ISAS, ("s6", "s0", "s2", "s3", "s4", "s5")))
LIMIT_KIND, LIMIT_NAME = "s3", "limit"
MACHINE_KINDS = ("s0", "s3", "s2", "s4", "s5", "s6")
ISA_NAMES = {"scalar": "scalar", "avx2": "AVX2", "avx512": "AVX-512", "neon": "NEON"}

# The layers of the operators' published specifications.
SEED_SHAPES = ("1000x256x10x15", "30x2x100x35", "1x64x64x320", "1000x256x7x7")
L1_BYTES = 32 * 1024  # the smallest first-level data cache of the CPUs that strew has kernels for
KERNELS_ALONE = {"rows"}
UNUSUAL = {"i32_indices", "least_scratch"}
LEAST_POINTS = 3  # two sizes make no curve

OPERATOR_NAMES = {
    "gather_nd": "GatherND",
    "gather_elements": "GatherElements",
    "scatter_nd": "ScatterND",
    "scatter_elements": "ScatterElements",
}
FAMILY_NAMES = {
    "slice_copy": "Rows of all lengths, moved",
    "reduction": "Rows, combined",
    "elements": "Elements along an axis",
    "index": "How indices are drawn",
    "threads": "What threads share",
    "call": "Tiny tensors: the price of a call",
    "rows": "Rows in the first-level cache",
}
# What a name is when it is told to people.
WORDS = {"_": " ", "batch dims:": "batch_dims ", "axis:": "axis "}

Ratio = Callable[[Row], float | None]


@dataclass(frozen=True)
class Drawn:
    """A figure: its file's name, and what is in it."""

    name: str
    svg: str


# ---- Rows and their names --------------------------------------------------------------------------------------------


def isa_name(isa: str) -> str:
    """What an instruction set is called."""
    return ISA_NAMES.get(isa, isa)


def isas_of(machine: Machine) -> list[str]:
    """The instruction sets that were measured, in the header's order."""
    present = {row.name.isa for row in machine.rows}
    return [isa for isa in header.ISAS if isa in present]


def best_isa(machine: Machine) -> str:
    """The instruction set that the machine's calls use by default, or the last that was measured."""
    present = isas_of(machine)
    active = machine.facts.get("active_isa", "")
    return active if active in present else present[-1] if present else ""


def alone(machine: Machine) -> Iterator[Row]:
    """The rows of strew on one thread."""
    return (row for row in machine.rows if row.name.isa and row.name.threads == 1)


def call_of(name: Name) -> str:
    """A row's name without its instruction set."""
    return name.text.replace(f"/{name.isa}/", "/", 1)


def is_layer(name: Name) -> bool:
    """Whether it is of the shapes of the specifications, and float32."""
    return name.shape in SEED_SHAPES and name.dtype == "f32" and not UNUSUAL & set(name.labels)


def spoken(words: Iterable[str]) -> str:
    """Labels of a name, for people."""
    text = ", ".join(word for word in words if word)
    for part, other in WORDS.items():
        text = text.replace(part, other)
    return text


def layer_label(name: Name) -> str:
    """A layer, without its operator."""
    return spoken((name.reduction, *name.labels, name.shape))


def by_call(rows: Iterable[Row]) -> dict[str, dict[str, Row]]:
    """Calls to their rows, by instruction set."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(call_of(row.name), {})[row.name.isa] = row
    return found


def origin(machine: Machine) -> str:
    """Whose figures they are."""
    version = machine.facts.get("strew", "")
    return f"{machine.label}, one thread{f', strew {version}' if version else ''}."


# ---- Each instruction set beside scalar ------------------------------------------------------------------------------


def vector_series(machine: Machine) -> list[Series]:
    """A bar for each instruction set but scalar."""
    return [Series(isa, isa_name(isa), ISA_KINDS[isa]) for isa in isas_of(machine) if isa != SCALAR]


def gains(rows: dict[str, Row]) -> dict[str, float]:
    """scalar's time over that of each other instruction set."""
    scalar = rows.get(SCALAR)
    return {isa: scalar.seconds / row.seconds for isa, row in rows.items() if scalar and isa != SCALAR}


def isa_layers(machine: Machine) -> Drawn | None:
    """Each instruction set beside scalar, on the layers of the specifications."""
    layers = by_call(row for row in alone(machine) if is_layer(row.name))
    lines = [
        (OPERATOR_NAMES[name.operator], Line(layer_label(name), gains(rows)))
        for rows in layers.values()
        if gains(rows)
        for name in [next(iter(rows.values())).name]
    ]
    return isa_bars(machine, "isa_layers", "Instruction sets beside scalar: layers of the specifications", lines)


def isa_families(machine: Machine) -> Drawn | None:
    """Each instruction set beside scalar, a line for all rows of a family and an operation."""
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    for rows in by_call(alone(machine)).values():
        name = next(iter(rows.values())).name
        found.setdefault((family_name(name.family), name.operation), []).append(gains(rows))
    lines = [
        (family, summarised(operation_label(operation), several))
        for (family, operation), several in found.items()
        if any(several)
    ]
    title = "Instruction sets beside scalar: all rows, their mean and their range"
    return isa_bars(machine, "isa_families", title, lines)


def isa_bars(machine: Machine, name: str, title: str, lines: list[tuple[str, Line]]) -> Drawn | None:
    """Either of them."""
    series = vector_series(machine)
    if not lines or not series:
        return None
    description = f"Bars of scalar's time over that of {', '.join(each.name for each in series)}. {origin(machine)}"
    notes = (f"scalar's time over the other's; 1 is as fast as scalar.{counts(lines)}", origin(machine))
    return Drawn(name, bars.draw(Bars(name, title, description, series, grouped(lines), notes=notes)))


def counts(lines: list[tuple[str, Line]]) -> str:
    """What stands in brackets, if lines are of several rows."""
    return " In brackets: how many rows; a thin line goes from the least to the greatest." * any(
        each.spans for _, each in lines
    )


def family_name(family: str) -> str:
    """What a family is called."""
    return FAMILY_NAMES.get(family, family)


def operation_label(operation: str) -> str:
    """GatherND; ScatterND, sum."""
    operator, _, reduction = operation.partition(" ")
    return ", ".join(word for word in (OPERATOR_NAMES.get(operator, operator), reduction) if word)


def reduction_kernels(machine: Machine) -> list[Drawn]:
    """For each instruction set, how many times as fast its kernels are as the scalar ones, in the first-level cache."""
    rows = [row for row in alone(machine) if row.name.reduction and row.name.dtype and is_in_l1(row)]
    rows = [row for row in rows if row.name.shape == shape_of_most_dtypes(rows)]
    found = by_call(rows)
    drawn = (reduction_heat(machine, found.values(), series) for series in vector_series(machine))
    return [figure for figure in drawn if figure]


def reduction_heat(machine: Machine, calls: Iterable[dict[str, Row]], isa: Series) -> Drawn | None:
    """One of them."""
    cells = {
        (row.name.dtype, row.name.reduction): rows[SCALAR].seconds / row.seconds
        for rows in calls
        if SCALAR in rows and (row := rows.get(isa.key))
    }
    if not cells:
        return None
    dtypes = [dtype for dtype in header.DTYPE_SUFFIXES if any(dtype == key[0] for key in cells)]
    reductions = [reduction for reduction in header.REDUCTIONS if any(reduction == key[1] for key in cells)]
    title = f"{isa.name} beside scalar: rows in the first-level cache"
    description = f"A table of scalar's time over that of {isa.name}, by dtype and reduction. {origin(machine)}"
    return Drawn(f"kernels_{isa.key}", heat.draw(f"kernels-{isa.key}", title, description, cells, dtypes, reductions))


def is_in_l1(row: Row) -> bool:
    """Whether data and updates both stay in the first-level cache."""
    size = row.name.data_bytes
    return size is not None and 2 * size <= L1_BYTES


def shape_of_most_dtypes(rows: list[Row]) -> str:
    """The shape that was measured for most dtypes: the others are there to show the effect of the shape."""
    shapes = {row.name.shape for row in rows}
    return max(sorted(shapes), key=lambda shape: len({row.name.dtype for row in rows if row.name.shape == shape}))


# ---- Beside the limits -----------------------------------------------------------------------------------------------

LIMITS = (
    Series("limit", "limit", "s0"),
    Series("memcpy", "memcpy", "s1"),
)


def limit_ratios(row: Row) -> dict[str, float]:
    """A row beside the fastest known way to move the same bytes, and beside a memcpy of them."""
    found = {"limit": row.limit_ratio, "memcpy": row.memcpy_ratio}
    return {key: ratio for key, ratio in found.items() if ratio}


def limits_of_layers(machine: Machine) -> Drawn | None:
    """The best instruction set beside the limits, on the layers of the specifications."""
    rows = [row for row in alone(machine) if is_layer(row.name) and row.name.isa == best_isa(machine)]
    lines = [(OPERATOR_NAMES[row.name.operator], Line(layer_label(row.name), limit_ratios(row))) for row in rows]
    return limit_bars(machine, "limit_layers", "Beside the limits: layers of the specifications", lines)


def limits_of_families(machine: Machine) -> Drawn | None:
    """The same, a line for all rows of a family and an operation."""
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    for row in alone(machine):
        if row.name.isa == best_isa(machine) and limit_ratios(row):
            found.setdefault((family_name(row.name.family), row.name.operation), []).append(limit_ratios(row))
    lines = [
        (family, summarised(operation_label(operation), several)) for (family, operation), several in found.items()
    ]
    return limit_bars(machine, "limit_families", "Beside the limits: all rows, their mean and their range", lines)


def limit_bars(machine: Machine, name: str, title: str, lines: list[tuple[str, Line]]) -> Drawn | None:
    """Either of them."""
    lines = [(heading, each) for heading, each in lines if each.values]
    if not lines:
        return None
    isa = isa_name(best_isa(machine))
    notes = (
        "The limit's time over strew's: the fastest known way to move the same rows, from offsets that nobody checks."
        " Beside it memcpy's, of as many bytes in one piece."
        f"{counts(lines)}",
        f"{isa} on {origin(machine)}",
    )
    description = f"Bars of the limit's time over strew's, and of memcpy's. {isa} on {origin(machine)}"
    return Drawn(name, bars.draw(Bars(name, title, description, LIMITS, grouped(lines), notes=notes)))


# ---- Over a size -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """One number of a shape: which, and what it is called."""

    name: str
    title: str
    label: str
    place: Callable[[Name], int | None]  # in the shape; None for rows that are not of such a series
    bytes_each: Callable[[Name], int]
    cost: Callable[[Row], float | None]
    cost_label: str


def dimensions(name: Name) -> list[int]:
    """The shape as numbers."""
    return [int(size) for size in name.shape.split("x")] if name.shape else []


def row_place(name: Name) -> int | None:
    """Rows of a table have their length as the last of two numbers."""
    return 1 if name.operator.endswith("_nd") and len(dimensions(name)) == 2 else None


def list_place(name: Name) -> int | None:
    """Lists have one number, and so has what memcpy copies."""
    return 0 if len(dimensions(name)) == 1 else None


def nanoseconds_per_item(row: Row) -> float | None:
    """Time of an element or a row."""
    return row.seconds_per_item * 1e9 if row.seconds_per_item else None


def throughput(row: Row) -> float | None:
    """Gigabytes read and written in a second."""
    return row.bytes_per_second / 1e9 if row.bytes_per_second else None


def dtype_bytes(name: Name) -> int:
    """An element's; without a dtype shapes count bytes."""
    return element_bytes(name.dtype) if name.dtype else 1


ROW_LENGTH = Size(
    "row_length", "Time of a row", "bytes of a row",
    row_place, dtype_bytes, nanoseconds_per_item, "ns a row",
)  # fmt: skip
DATA_SIZE = Size("data_size", "Throughput", "bytes of data", list_place, dtype_bytes, throughput, "GB/s")


def byte_count(value: float) -> str:
    """A size in binary units."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            break
        value /= 1024
    return f"{value:.3g} {unit}"


def over_size(machine: Machine, size: Size) -> Iterator[Drawn]:
    """A figure for each series: rows whose names differ in that one number, and in the instruction set."""
    for place, (series, found) in enumerate(series_over(machine, size).items()):
        name, title = f"{size.name}_{place + 1}", f"{size.title}: {series}"
        description = f"Lines of {size.cost_label} over {size.label}. {origin(machine)}"
        figure = Curves(name, title, description, found, size.label, byte_count, size.cost_label)
        yield Drawn(name, curves.draw(figure))


def series_over(machine: Machine, size: Size) -> dict[str, list[Curve]]:
    """What each series is, and its curves. Instruction sets, and the limit of the same moves, share a figure."""
    found: dict[tuple[str, ...], dict[str, dict[float, float]]] = {}
    for row in machine.rows:
        place, cost = size.place(row.name), size.cost(row)
        if place is not None and cost and is_usual(row.name):
            key, curve = series_key(row.name, place)
            at = dimensions(row.name)[place] * size.bytes_each(row.name)
            found.setdefault(key, {}).setdefault(curve, {})[at] = cost
    series = {series_title(key): curves_of(by_name) for key, by_name in found.items()}
    return {title: drawn for title, drawn in series.items() if drawn}


def is_usual(name: Name) -> bool:
    """Whether it is one of those that are drawn over a size: the others are in the tables."""
    return (
        name.threads == 1
        and name.dtype in ("f32", "")
        and name.family not in KERNELS_ALONE
        and not UNUSUAL & set(name.labels)
    )


def series_key(name: Name, place: int) -> tuple[tuple[str, ...], str]:
    """All of a name but one number of its shape and who moves; and who moves."""
    shape = [str(size) for size in dimensions(name)]
    shape[place] = "*"
    family = name.family
    labels = list(name.labels)
    if family == "limit" and not name.operator:
        return ("limit", "", "", "", "*"), labels[0]
    if family == "limit":
        family, mover = labels.pop(0), LIMIT_NAME
        labels = [label for label in labels if label != "moves"]
    else:
        mover = name.isa
    return (family, name.operation, name.dtype, spoken(labels), "x".join(shape)), mover


def series_title(key: tuple[str, ...]) -> str:
    """A series in words."""
    family, operation, dtype, labels, shape = key
    if not operation:
        return "Copies of contiguous bytes"
    rows = f"{int(shape.partition('x')[0]):,} rows" if "x" in shape else family.replace("_", " ")
    return ", ".join(word for word in (operation_label(operation), dtype, rows, labels) if word)


def curves_of(by_name: dict[str, dict[float, float]]) -> list[Curve]:
    """The curves that have enough points."""
    drawn = []
    for place, (name, points) in enumerate(by_name.items()):
        if len(points) >= LEAST_POINTS:
            kind = ISA_KINDS.get(name) or (LIMIT_KIND if name == LIMIT_NAME else MACHINE_KINDS[place % 6])
            drawn.append(Curve(spoken([isa_name(name)]), kind, sorted(points.items())))
    return drawn


# ---- Machines beside each other --------------------------------------------------------------------------------------


def machines_beside(machines: Sequence[Machine]) -> list[Drawn]:
    """The time of the first machine over that of each other one, each with its best instruction set."""
    if len(machines) < 2:
        return []
    times = [{call_of(row.name): row for row in alone(m) if row.name.isa == best_isa(m)} for m in machines]
    ratios = {call: beside_first(call, times) for call in times[0] if any(call in other for other in times[1:])}
    rows = {call: times[0][call] for call in ratios}
    layers = [
        (OPERATOR_NAMES[row.name.operator], Line(layer_label(row.name), ratios[call]))
        for call, row in rows.items()
        if is_layer(row.name)
    ]
    families: dict[tuple[str, str], list[dict[str, float]]] = {}
    for call, row in rows.items():
        families.setdefault((family_name(row.name.family), row.name.operation), []).append(ratios[call])
    means = [
        (family, summarised(operation_label(operation), several)) for (family, operation), several in families.items()
    ]
    return [
        *machine_bars(machines, "machine_layers", "CPUs beside each other: layers of the specifications", layers),
        *machine_bars(machines, "machine_families", "CPUs beside each other: all rows, mean and range", means),
    ]


def beside_first(call: str, times: Sequence[dict[str, Row]]) -> dict[str, float]:
    """The first machine's time of a call over each other one's."""
    return {
        str(place): times[0][call].seconds / other[call].seconds
        for place, other in enumerate(times)
        if place > 0 and call in other
    }


def machine_bars(machines: Sequence[Machine], name: str, title: str, lines: list[tuple[str, Line]]) -> Iterator[Drawn]:
    """Either of them. Machines are letters there, for their names are long."""
    if not lines:
        return
    letters = {place: chr(ord("A") + place) for place in range(len(machines))}
    series = [Series(str(place), letters[place], MACHINE_KINDS[(place - 1) % 6]) for place in letters if place > 0]
    legend = "; ".join(f"{letters[place]} {machine.label}" for place, machine in enumerate(machines))
    notes = (f"A's time over the other's: to the right of 1, faster than A.{counts(lines)}", f"{legend}. One thread.")
    description = f"Bars of the first machine's time over each other one's. {legend}."
    figure = Bars(name, title, description, series, grouped(lines), notes=notes)
    yield Drawn(name, bars.draw(figure))


# ---- The sections of the report --------------------------------------------------------------------------------------


def instruction_sets(machine: Machine) -> list[Drawn]:
    """Each instruction set beside scalar."""
    drawn = [isa_layers(machine), *reduction_kernels(machine), isa_families(machine)]
    return [figure for figure in drawn if figure]


def limits(machine: Machine) -> list[Drawn]:
    """strew beside what is possible."""
    ratios = (limits_of_layers(machine), limits_of_families(machine))
    sizes = (over_size(machine, size) for size in (ROW_LENGTH, DATA_SIZE))
    return [*(figure for figure in ratios if figure), *chain.from_iterable(sizes)]
