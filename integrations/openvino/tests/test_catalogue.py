"""The names of gathers and scatters in the installed packages of OpenVINO and ONNX, and those that strew serves.

A release with another version fails here, until strew has it, or until it is listed below with a reason.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

import onnx

from cases import MAKERS
from required import ROOT

CATALOGUE = (ROOT / "src/operators/catalogue.c").read_text()

# Names that differ between OpenVINO's Python and its documents.
NAMES = {
    "gather_nd": "GatherND",
    "scatter_nd_update": "ScatterNDUpdate",
}
VERSIONS = {"ScatterNDUpdate-4": "ScatterNDUpdate-3"}  # opset 3; in Python from opset 4 on

LEFT = {
    "GatherTree-1": "follows the parents of a beam search from step to step: no index is known before the one before it",
}


def served(collection: str) -> set[str]:
    """The published versions of strew's catalogue."""
    return set(re.findall(rf'VERSION\("(\w+-\d+)",\s+"{collection}"', CATALOGUE))


def opsets() -> Iterator[object]:
    """OpenVINO's, from the first to the newest that is installed."""
    for number in range(1, 100):
        try:
            yield importlib.import_module(f"openvino.opset{number}")
        except ModuleNotFoundError:
            assert number > 16
            return


def named_by_openvino() -> set[str]:
    """The names with the opset whose module defines each: later ones pass it on."""
    found = set()
    for opset in opsets():
        for name in filter(re.compile("gather|scatter|segment|embedding").search, dir(opset)):
            defined = re.fullmatch(r"openvino\.opset(\d+)\.ops", getattr(opset, name).__module__)
            assert defined, name
            version = NAMES.get(name, name.title().replace("_", "")) + "-" + defined[1]
            found.add(VERSIONS.get(version, version))
    return found


def named_by_onnx() -> set[str]:
    schemas = (schema for schema in onnx.defs.get_all_schemas_with_history() if not schema.domain)
    return {
        f"{schema.name}-{schema.since_version}" for schema in schemas if re.search("Gather|Scatter", schema.name)
    }


def test_openvinos_are_served_or_left_with_a_reason() -> None:
    assert named_by_openvino() == served("OpenVINO") | set(LEFT)
    assert not served("OpenVINO") & set(LEFT)


def test_onnxs_are_served() -> None:
    assert named_by_onnx() == served("ONNX")


def test_this_guest_serves_all_of_openvinos() -> None:
    assert set(MAKERS) == served("OpenVINO")
