"""bench/graph_networks.py and graph_layer.py at a small size: PyTorch Geometric's models train with strew as they do
without it.

They run in processes of their own, since importing PyTorch Geometric changes PyTorch: its torch.index_select refuses
calls that PyTorch's takes.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

torch = pytest.importorskip("torch")

BENCH = pathlib.Path(__file__).parents[2] / "bench"

needs_geometric = pytest.mark.skipif(
    importlib.util.find_spec("torch_geometric") is None, reason="needs PyTorch Geometric"
)

# The operators that each model must call, forward and backward.
CALLS = {
    "SAGE": {"index_select", "gather", "scatter_reduce_.two"},
    "GCN": {"index_select", "scatter_add_"},
    "GIN": {"index_select", "scatter_add_"},
    "GAT": {"index_select", "gather", "scatter_add_", "scatter_reduce_.two"},
}

COMPARE = """
import json
from graph_networks import MODELS, compare, make_graph

def summary(name):
    graph = make_graph(200, 2_000, 16)
    on_one, on_two = (compare(name, graph, steps=5, rounds=2, threads=threads) for threads in (1, 2))
    return {
        "difference": max(on_one.difference, on_two.difference),
        "is_repeatable": on_one.is_repeatable and on_two.is_repeatable,
        "same_on_threads": on_one.with_strew[0].equals(on_two.with_strew[0]),
        "losses": on_one.with_strew[0].losses,
        "taken": list(on_one.report.taken),
        "handed_back": on_one.report.handed_back,
    }

print(json.dumps({name: summary(name) for name in MODELS}))
"""


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=BENCH, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def summaries() -> dict[str, Any]:
    return json.loads(run("-c", COMPARE))


@needs_geometric
@pytest.mark.parametrize("name", CALLS)
def test_models_train_as_they_do_without_strew(name: str, summaries: dict[str, Any]) -> None:
    summary = summaries[name]
    assert summary["difference"] < 1e-5
    assert summary["is_repeatable"] and summary["same_on_threads"]
    assert CALLS[name] <= set(summary["taken"])
    assert not summary["handed_back"]
    assert summary["losses"][-1] < summary["losses"][0]


@needs_geometric
def test_the_program_of_models_runs() -> None:
    output = run("graph_networks.py", "--small", "--models", "GIN", "--steps", "2", "--rounds", "1")
    assert "the same bits on 1 and 2 threads: yes" in output


def test_all_ways_to_pass_messages_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    import graph_layer

    features = torch.rand(50, 8, requires_grad=True)
    source, target = torch.randint(0, 50, (2, 400))
    results = []
    for layer, context in graph_layer.CONTENDERS.values():
        with context():
            result = layer(features, source, target)
            results.append((result, *torch.autograd.grad(result.square().sum(), features)))
    for result in results[1:]:
        torch.testing.assert_close(result, results[0])


def test_the_program_of_a_layer_runs() -> None:
    output = run("graph_layer.py", "--nodes", "50", "--edges", "90", "--rounds", "1", "--backward")
    assert "PyTorch through strew" in output
