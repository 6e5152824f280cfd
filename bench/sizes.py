"""Figures over a size. A line joins rows whose names differ only in one number, that on the axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import curves
from curves import Curve, Curves
from results import Machine, Name, Row, element_bytes
from telling import ISA_KINDS, UNUSUAL, Drawn, isa_name, operation_label, origin, spoken

LIMIT_KIND, LIMIT_NAME = "s3", "limit"
COPY_KINDS = ("s0", "s3", "s2", "s4", "s5", "s6")
KERNELS_ALONE = {"rows"}
LEAST_POINTS = 3  # two sizes make no curve


@dataclass(frozen=True)
class Size:
    """One number of a shape: its place and its name."""

    name: str
    title: str
    label: str
    place: Callable[[Name], int | None]  # in the shape; None for rows outside such a series
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
    """Lists have one number, and so have copies by memcpy."""
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


def over_sizes(machine: Machine) -> list[Drawn]:
    """All figures over sizes."""
    return [*over_size(machine, ROW_LENGTH), *over_size(machine, DATA_SIZE)]


def over_size(machine: Machine, size: Size) -> Iterator[Drawn]:
    """A figure for each series: rows whose names differ in that one number, and in the instruction set."""
    for place, (series, found) in enumerate(series_over(machine, size), 1):
        name, title = f"{size.name}_{place}", f"{size.title}: {series}"
        description = f"Lines of {size.cost_label} over {size.label}. {origin(machine)}"
        figure = Curves(name, title, description, found, size.label, byte_count, size.cost_label)
        yield Drawn(name, curves.draw(figure))


def series_over(machine: Machine, size: Size) -> list[tuple[str, list[Curve]]]:
    """The title of each series, and its curves. Instruction sets, and the limit of the same moves, share a figure."""
    found: dict[tuple[str, ...], dict[str, dict[float, float]]] = {}
    for row in machine.rows:
        place, cost = size.place(row.name), size.cost(row)
        if place is not None and cost and is_usual(row.name):
            key, curve = series_key(row.name, place)
            at = dimensions(row.name)[place] * size.bytes_each(row.name)
            found.setdefault(key, {}).setdefault(curve, {})[at] = cost
    series = ((series_title(key), curves_of(by_name)) for key, by_name in found.items())
    return [(title, drawn) for title, drawn in series if drawn]


def is_usual(name: Name) -> bool:
    """Whether it is one of those that are drawn over a size: the others are in the tables."""
    return (
        name.threads == 1
        and name.dtype in ("f32", "")
        and name.family not in KERNELS_ALONE
        and not UNUSUAL & set(name.labels)
    )


def series_key(name: Name, place: int) -> tuple[tuple[str, ...], str]:
    """The name without one number of its shape and without the mover; and the mover."""
    shape = [str(size) for size in dimensions(name)]
    shape[place] = "*"
    family, labels, mover = name.family, name.labels, name.isa
    if family == "limit" and not name.operator:
        return (family, "", "", "", "*"), labels[0]
    if family == "limit":
        family, labels, mover = labels[0], tuple(label for label in labels[1:] if label != "moves"), LIMIT_NAME
    return (family, name.operation, name.dtype, spoken(labels), "x".join(shape)), mover


def series_title(key: tuple[str, ...]) -> str:
    """A series in words."""
    _, operation, dtype, labels, shape = key
    if not operation:
        return "Copies of contiguous bytes"
    rows = f"{int(shape.partition('x')[0]):,} rows" if "x" in shape else ""
    return ", ".join(word for word in (operation_label(operation), dtype, rows, labels) if word)


def curves_of(by_name: dict[str, dict[float, float]]) -> list[Curve]:
    """The curves that have enough points."""
    drawn = []
    for place, (name, points) in enumerate(by_name.items()):
        if len(points) >= LEAST_POINTS:
            kind = ISA_KINDS.get(name) or (LIMIT_KIND if name == LIMIT_NAME else COPY_KINDS[place % len(COPY_KINDS)])
            drawn.append(Curve(spoken([isa_name(name)]), kind, sorted(points.items())))
    return drawn
