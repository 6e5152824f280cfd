"""What OpenVINO's own kernels have got wrong, strew gets right: differences.py has the calls."""

from __future__ import annotations

import pytest
import strew_openvino

from models import graphs
from models.differences import CASES, Case


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what.replace(" ", "-"))
def test_strew_is_right(case: Case, threads: int) -> None:
    model, inputs = graphs.model_of([case.call])
    report = strew_openvino.replace(model)
    assert [str(node) for node in report.left] == []
    executable = graphs.compiled(model, threads)
    if case.expected is None:
        with pytest.raises(RuntimeError, match="strew"):
            graphs.infer(executable, inputs)
        return
    for _ in range(case.repeats):
        before = strew_openvino.calls()
        (output,) = graphs.infer(executable, inputs)
        assert strew_openvino.calls() == before + 1
        assert graphs.same_bits(output, case.expected)
