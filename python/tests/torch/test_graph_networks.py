"""bench/graph_networks.py and graph_layer.py, small: PyTorch Geometric's models train by strew as they do without it."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
from types import ModuleType

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

BENCH = pathlib.Path(__file__).parents[2] / "bench"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


graph_networks = load("graph_networks")
graph_layer = load("graph_layer")


@pytest.fixture(autouse=True)
def threads() -> object:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


# What each model cannot do without, forward and backward.
CALLS = {
    "SAGE": {"index_select", "gather", "scatter_reduce_.two", "index_add_"},
    "GCN": {"index_select", "scatter_add_", "index_add_"},
    "GIN": {"index_select", "scatter_add_", "index_add_"},
    "GAT": {"index_select", "gather", "scatter_add_", "scatter_reduce_.two", "index_add_"},
}


@pytest.mark.parametrize("name", graph_networks.MODELS)
def test_models_train_as_they_do_without_strew(name: str) -> None:
    graph = graph_networks.make_graph(200, 2_000, 16)
    by_threads = [graph_networks.compare(name, graph, steps=5, rounds=2, threads=threads) for threads in (1, 2)]
    for comparison in by_threads:
        assert comparison.difference < 1e-5
        assert comparison.is_repeatable
        assert CALLS[name] <= comparison.report.taken.keys()
        assert not comparison.report.handed_back
        first = comparison.with_strew[0]
        assert first.losses[-1] < first.losses[0]
    assert by_threads[0].with_strew[0].equals(by_threads[1].with_strew[0])


def test_all_ways_to_pass_messages_agree() -> None:
    features = torch.rand(50, 8, requires_grad=True)
    source, target = torch.randint(0, 50, (2, 400))
    results = []
    for layer, context in graph_layer.CONTENDERS.values():
        with context():
            result = layer(features, source, target)
            results.append((result, *torch.autograd.grad(result.square().sum(), features)))
    for result in results[1:]:
        torch.testing.assert_close(result, results[0])


def test_the_programs_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        sys, "argv", ["graph_networks.py", "--small", "--models", "GIN", "--steps", "2", "--rounds", "1"]
    )
    graph_networks.main()
    assert "the same bits on 1 and 2 threads: yes" in capsys.readouterr().out
    monkeypatch.setattr(
        sys, "argv", ["graph_layer.py", "--nodes", "50", "--edges", "90", "--rounds", "1", "--backward"]
    )
    graph_layer.main()
    assert "PyTorch through strew" in capsys.readouterr().out
