"""strew gives the right results where OpenVINO's own kernels have been wrong: differences.py has the calls."""

from __future__ import annotations

import pytest

import strew_openvino
from models import graphs
from models.differences import DIFFERENCES, Difference


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.what.replace(" ", "-"))
def test_strew_is_right(difference: Difference, threads: int) -> None:
    model, inputs = graphs.model_of([difference.case])
    report = strew_openvino.replace(model, exact=True)
    assert [str(node) for node in report.left] == []
    executable = graphs.compiled(model, threads)
    if difference.expected is None:
        with pytest.raises(RuntimeError, match="strew"):
            graphs.infer(executable, inputs)
        return
    for _ in range(difference.repeats):
        before = strew_openvino.calls()
        (output,) = graphs.infer(executable, inputs)
        assert strew_openvino.calls() == before + 1
        assert graphs.same_bits(output, difference.expected)
