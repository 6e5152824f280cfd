"""The figures of a report that show ratios: functions of machines, which return none if rows are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import bars
import header
import heat
from bars import Bars, Line, Series, grouped, summarised
from results import Machine, Name, Row
from telling import (
    ISA_KINDS, OPERATOR_NAMES, SCALAR, Drawn, alone, at_its_best, best_isa, call_of, family_name, is_layer, isa_name,
    isas_of, layer_label, operation_label, origin,
)  # fmt: skip

L1_BYTES = 32 * 1024  # the smallest first-level data cache of the CPUs that strew has kernels for
LIMITS = (Series("limit", "limit", "s0"), Series("memcpy", "memcpy", "s1"))
MACHINE_KINDS = ("s0", "s3", "s2")
MOST_BESIDE = len(MACHINE_KINDS)  # machines that have room in one figure beside the first

# The name of a call and its ratios, by series; a heading and a line below it.
Compared = list[tuple[Name, dict[str, float]]]
Titled = list[tuple[str, Line]]


# ---- Lines of bars ---------------------------------------------------------------------------------------------------


def layer_lines(compared: Compared) -> Titled:
    """A line for each layer of the specifications."""
    return [
        (OPERATOR_NAMES[name.operator], Line(layer_label(name), ratios)) for name, ratios in compared if is_layer(name)
    ]


def family_lines(compared: Compared) -> Titled:
    """A line for all rows of a family and an operation."""
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    for name, ratios in compared:
        found.setdefault((family_name(name.family), operation_label(name.operation)), []).append(ratios)
    return [(family, summarised(operation, several)) for (family, operation), several in found.items()]


def counts(lines: Titled) -> str:
    """Explains the numbers in brackets, if lines stand for several rows."""
    return " In brackets: how many rows; a thin line goes from the least to the greatest." * any(
        each.spans for _, each in lines
    )


def by_call(rows: Iterable[Row]) -> dict[str, dict[str, Row]]:
    """Calls to their rows, by instruction set."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(call_of(row.name), {})[row.name.isa] = row
    return found


# ---- Each instruction set beside scalar ------------------------------------------------------------------------------


def instruction_sets(machine: Machine) -> list[Drawn]:
    """All figures of instruction sets."""
    gained = gains(machine)
    return [
        *isa_bars(machine, "isa_layers", "layers of the specifications", layer_lines(gained)),
        *reduction_kernels(machine),
        *isa_bars(machine, "isa_families", "all rows, their mean and their range", family_lines(gained)),
    ]


def gains(machine: Machine) -> Compared:
    """scalar's time over that of each other instruction set, call by call."""
    calls = [rows for rows in by_call(alone(machine)).values() if SCALAR in rows and len(rows) > 1]
    return [(rows[SCALAR].name, over_scalar(rows)) for rows in calls]


def over_scalar(rows: dict[str, Row]) -> dict[str, float]:
    """The ratios of one call."""
    return {isa: rows[SCALAR].seconds / row.seconds for isa, row in rows.items() if isa != SCALAR}


def vector_series(machine: Machine) -> list[Series]:
    """A bar for each instruction set but scalar."""
    return [Series(isa, isa_name(isa), ISA_KINDS[isa]) for isa in isas_of(machine) if isa != SCALAR]


def isa_bars(machine: Machine, name: str, what: str, lines: Titled) -> Iterator[Drawn]:
    """A figure of them, if there are any."""
    if not lines:
        return
    series = vector_series(machine)
    title = f"Instruction sets beside scalar: {what}"
    description = f"Bars of scalar's time over that of {', '.join(each.name for each in series)}. {origin(machine)}"
    notes = (f"scalar's time over the other's; 1 is as fast as scalar.{counts(lines)}", origin(machine))
    yield Drawn(name, bars.draw(Bars(name, title, description, series, grouped(lines), notes=notes)))


def reduction_kernels(machine: Machine) -> Iterator[Drawn]:
    """For each instruction set, the speed-up of its kernels over the scalar ones, in the first-level cache."""
    rows = [row for row in alone(machine) if row.name.reduction and row.name.dtype and is_in_l1(row)]
    rows = [row for row in rows if row.name.shape == shape_of_most_dtypes(rows)]
    calls = [of_call for of_call in by_call(rows).values() if SCALAR in of_call]
    for isa in vector_series(machine):
        cells = {
            (of_call[SCALAR].name.dtype, of_call[SCALAR].name.reduction): over_scalar(of_call)[isa.key]
            for of_call in calls
            if isa.key in of_call
        }
        if cells:
            yield reduction_heat(machine, isa, cells)


def reduction_heat(machine: Machine, isa: Series, cells: heat.Cells) -> Drawn:
    """The figure of one instruction set."""
    name, title = f"kernels_{isa.key}", f"{isa.name} beside scalar: rows in the first-level cache"
    description = f"A table of scalar's time over that of {isa.name}, by dtype and reduction. {origin(machine)}"
    dtypes = [dtype for dtype in header.DTYPE_SUFFIXES if any(dtype == key[0] for key in cells)]
    reductions = [reduction for reduction in header.REDUCTIONS if any(reduction == key[1] for key in cells)]
    return Drawn(name, heat.draw(name, title, description, cells, dtypes, reductions))


def is_in_l1(row: Row) -> bool:
    """Whether data and updates both stay in the first-level cache."""
    size = row.name.data_bytes
    return size is not None and 2 * size <= L1_BYTES


def shape_of_most_dtypes(rows: list[Row]) -> str:
    """The shape measured for most dtypes. The others show the effect of the shape."""
    shapes = {row.name.shape for row in rows}
    return max(sorted(shapes), key=lambda shape: len({row.name.dtype for row in rows if row.name.shape == shape}))


# ---- Beside the limits -----------------------------------------------------------------------------------------------


def limits(machine: Machine) -> list[Drawn]:
    """The best instruction set beside the fastest known way to move the same bytes, and beside a memcpy of them."""
    compared = [(row.name, ratios) for row in at_its_best(machine) if (ratios := limit_ratios(row))]
    return [
        *limit_bars(machine, "limit_layers", "layers of the specifications", layer_lines(compared)),
        *limit_bars(machine, "limit_families", "all rows, their mean and their range", family_lines(compared)),
    ]


def limit_ratios(row: Row) -> dict[str, float]:
    """The ratios of one row."""
    found = {"limit": row.limit_ratio, "memcpy": row.memcpy_ratio}
    return {key: ratio for key, ratio in found.items() if ratio}


def limit_bars(machine: Machine, name: str, what: str, lines: Titled) -> Iterator[Drawn]:
    """A figure of them, if there are any."""
    if not lines:
        return
    title, whose = f"Beside the limits: {what}", f"{isa_name(best_isa(machine))} on {origin(machine)}"
    notes = (
        "The limit's time over strew's: the fastest known way to move the same rows, from offsets that nobody checks."
        f" Beside it memcpy's, of as many bytes in one piece.{counts(lines)}",
        whose,
    )
    description = f"Bars of the limit's time over strew's, and of memcpy's. {whose}"
    yield Drawn(name, bars.draw(Bars(name, title, description, LIMITS, grouped(lines), notes=notes)))


# ---- Machines beside each other --------------------------------------------------------------------------------------


def machines_beside(machines: Sequence[Machine]) -> list[Drawn]:
    """The time of the first machine over that of each other one, each with its best instruction set."""
    drawn: list[Drawn] = []
    for begin in range(1, len(machines), MOST_BESIDE):
        compared = beside_first(machines[0], machines[begin : begin + MOST_BESIDE])
        part = f"_{begin // MOST_BESIDE + 1}" if len(machines) > MOST_BESIDE + 1 else ""
        these = [machines[0], *machines[begin : begin + MOST_BESIDE]]
        drawn += machine_bars(these, f"machine_layers{part}", "layers of the specifications", layer_lines(compared))
        drawn += machine_bars(these, f"machine_families{part}", "all rows, mean and range", family_lines(compared))
    return drawn


def beside_first(first: Machine, others: Sequence[Machine]) -> Compared:
    """Call by call, for those that one of the others has too."""
    times = [{call_of(row.name): row.seconds for row in at_its_best(machine)} for machine in others]
    compared = []
    for row in at_its_best(first):
        call = call_of(row.name)
        ratios = {letter(place + 1): row.seconds / own[call] for place, own in enumerate(times) if call in own}
        if ratios:
            compared.append((row.name, ratios))
    return compared


def letter(place: int) -> str:
    """The letter of a machine in a figure: their names are long."""
    return chr(ord("A") + place)


def machine_bars(machines: Sequence[Machine], name: str, what: str, lines: Titled) -> Iterator[Drawn]:
    """A figure of them, if there are any."""
    if not lines:
        return
    title = f"CPUs beside each other: {what}"
    series = [Series(letter(place), letter(place), kind) for place, kind in enumerate(MACHINE_KINDS, 1)]
    legend = "; ".join(f"{letter(place)} {machine.label}" for place, machine in enumerate(machines))
    notes = (f"A's time over the other's: to the right of 1, faster than A.{counts(lines)}", f"{legend}. One thread.")
    description = f"Bars of the first machine's time over each other one's. {legend}."
    figure = Bars(name, title, description, series[: len(machines) - 1], grouped(lines), notes=notes)
    yield Drawn(name, bars.draw(figure))
