"""Readable names of rows, families and instruction sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import header
from results import Machine, Name, Row

SCALAR = "scalar"
ISA_KINDS = dict(zip(header.ISAS, ("s6", "s0", "s2", "s3", "s4", "s5")))  # colours of the palette
ISA_NAMES = {"scalar": "scalar", "avx2": "AVX2", "avx512": "AVX-512", "neon": "NEON"}
OPERATOR_NAMES = {
    "gather": "Gather",
    "gather_nd": "GatherND",
    "gather_elements": "GatherElements",
    "scatter": "Scatter",
    "scatter_nd": "ScatterND",
    "scatter_elements": "ScatterElements",
    "tensor_scatter": "TensorScatter",
    "slice_scatter": "SliceScatter",
    "embedding_bag_offsets": "EmbeddingBagOffsets",
    "embedding_bag_packed": "EmbeddingBagPacked",
    "embedding_segments": "EmbeddingSegments",
    "segment_reduce": "Rows combined by segment",
    "gather_scatter": "Rows gathered and scattered",
}
FAMILY_NAMES = {
    "slice_copy": "Rows of all lengths, moved",
    "reduction": "Rows, combined",
    "elements": "Elements along an axis",
    "index": "How indices are drawn",
    "axis": "Rows along an axis, of the shapes of models",
    "cache": "Windows of caches",
    "bounds": "Policies for indices out of bounds",
    "bags": "Sums of gathered rows",
    "threads": "What threads share",
    "call": "Tiny tensors: the price of a call",
    "rows": "Rows in the first-level cache",
}
# Replacements that make a name readable.
WORDS = {"_": " ", "batch dims:": "batch_dims ", "axis:": "axis ", "indices:": "indices ", "window:": "window ", "rows:": "into "}

# The layers in the operators' published specifications, and the labels of rows measured besides them.
SEED_SHAPES = ("1000x256x10x15", "30x2x100x35", "1x64x64x320", "1000x256x7x7")
UNUSUAL = {"i32_indices", "least_scratch", "inspected"}


@dataclass(frozen=True)
class Drawn:
    """A figure: the name of its file, and its content."""

    name: str
    svg: str


def isa_name(isa: str) -> str:
    """The readable name of an instruction set."""
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


def at_its_best(machine: Machine) -> Iterator[Row]:
    """The rows of the best instruction set."""
    return (row for row in alone(machine) if row.name.isa == best_isa(machine))


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


def operation_label(operation: str) -> str:
    """GatherND; ScatterND, sum."""
    operator, _, reduction = operation.partition(" ")
    return ", ".join(word for word in (OPERATOR_NAMES.get(operator, operator), reduction) if word)


def family_name(family: str) -> str:
    """The readable name of a family."""
    return FAMILY_NAMES.get(family, family)


def origin(machine: Machine) -> str:
    """The origin of the figures."""
    version = machine.facts.get("strew", "")
    return f"{machine.label}, one thread{f', strew {version}' if version else ''}."
