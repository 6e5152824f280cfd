"""Trains models of PyTorch Geometric on a random graph, without and with strew underneath. For each model it prints
whether the losses agree, whether runs with strew give the same bits, and how long a step takes.

    python graph_networks.py [--small] [--models NAME ...] [--steps N] [--rounds N] [--threads N ...]

The first step of each run is not timed. Runs with and without strew take turns, and times are those of their fastest
steps, which other work on the machine slows least.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch_geometric.nn import GAT, GCN, GIN, GraphSAGE

import strew.torch

MODELS: dict[str, Callable[[int], torch.nn.Module]] = {
    "SAGE": lambda width: GraphSAGE(width, width, num_layers=2, out_channels=CLASSES, aggr="max"),
    "GCN": lambda width: GCN(width, width, num_layers=2, out_channels=CLASSES),
    "GIN": lambda width: GIN(width, width, num_layers=2, out_channels=CLASSES),
    "GAT": lambda width: GAT(width, width, num_layers=2, out_channels=CLASSES, heads=4),
}
CLASSES = 8


@dataclass(frozen=True)
class Graph:
    """Nodes with features and classes, and edges between them."""

    features: torch.Tensor
    classes: torch.Tensor
    edges: torch.Tensor


@dataclass
class Run:
    """One training: the loss of each step, the seconds of each but the first, and the parameters in the end."""

    losses: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    parameters: list[torch.Tensor] = field(default_factory=list)

    def equals(self, other: Run) -> bool:
        """Whether losses and parameters are the same bits."""
        return self.losses == other.losses and all(map(torch.equal, self.parameters, other.parameters))


def make_graph(nodes: int, edges: int, width: int) -> Graph:
    generator = torch.Generator().manual_seed(0)
    return Graph(
        torch.randn(nodes, width, generator=generator),
        torch.randint(0, CLASSES, (nodes,), generator=generator),
        torch.randint(0, nodes, (2, edges), generator=generator),
    )


def train(name: str, graph: Graph, steps: int) -> Run:
    """Trains with the same start and the same steps each time."""
    torch.manual_seed(0)
    model = MODELS[name](graph.features.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    run = Run()
    for step in range(steps):
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(graph.features, graph.edges), graph.classes)
        loss.backward()
        optimizer.step()
        if step > 0:
            run.seconds.append(time.perf_counter() - start)
        run.losses.append(loss.item())
    run.parameters = [parameter.detach().clone() for parameter in model.parameters()]
    return run


@dataclass(frozen=True)
class Comparison:
    """Runs of one model on one number of threads."""

    model: str
    threads: int
    without: list[Run]
    with_strew: list[Run]
    report: strew.torch.Report
    """Which operators ran where, in the last run with strew."""

    @property
    def difference(self) -> float:
        """The greatest relative one between losses without strew and with it."""
        pairs = zip(self.without[0].losses, self.with_strew[0].losses)
        return max(abs(ours - theirs) / abs(theirs) for theirs, ours in pairs)

    @property
    def is_repeatable(self) -> bool:
        return all(run.equals(self.with_strew[0]) for run in self.with_strew)

    @property
    def was_repeatable(self) -> bool:
        return all(run.equals(self.without[0]) for run in self.without)


def compare(name: str, graph: Graph, steps: int, rounds: int, threads: int) -> Comparison:
    torch.set_num_threads(threads)
    without, with_strew = [], []
    report = strew.torch.report()
    for _ in range(rounds):
        without.append(train(name, graph, steps))
        with strew.torch.enabled():
            with_strew.append(train(name, graph, steps))
            report = strew.torch.report(reset=True)
    return Comparison(name, threads, without, with_strew, report)


def fastest_step(runs: list[Run]) -> float:
    return min(seconds for run in runs for seconds in run.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="200 nodes and 2,000 edges instead of 20,000 and 200,000")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), metavar="NAME")
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    graph = make_graph(200, 2_000, 16) if arguments.small else make_graph(20_000, 200_000, 64)
    for name in arguments.models:
        comparisons = [
            compare(name, graph, arguments.steps, arguments.rounds, threads) for threads in arguments.threads
        ]
        for comparison in comparisons:
            print_comparison(comparison)
        first = comparisons[0].with_strew[0]
        if len(comparisons) > 1:
            same = all(comparison.with_strew[0].equals(first) for comparison in comparisons)
            print(f"  the same bits on {' and '.join(map(str, arguments.threads))} threads: {said(same)}")


def print_comparison(comparison: Comparison) -> None:
    without, with_strew = fastest_step(comparison.without), fastest_step(comparison.with_strew)
    losses = comparison.with_strew[0].losses
    print(f"{comparison.model}, {comparison.threads} thread{'s' if comparison.threads > 1 else ''}")
    print(f"  calls that strew took: {', '.join(f'{n} {c}' for n, c in sorted(comparison.report.taken.items()))}")
    print(f"  losses from {losses[0]:.6f} to {losses[-1]:.6f}, within {comparison.difference:.1e} of PyTorch's")
    print(
        f"  the same bits in {len(comparison.with_strew)} runs: {said(comparison.is_repeatable)};"
        f" without strew: {said(comparison.was_repeatable)}"
    )
    print(f"  a step takes {without * 1e3:.1f} ms, with strew {with_strew * 1e3:.1f} ms: {without / with_strew:.2f} times as fast")


def said(true: bool) -> str:
    return "yes" if true else "no"


if __name__ == "__main__":
    main()
