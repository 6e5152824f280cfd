"""Times the message passing of one layer of a graph network: gathers the features of each edge's source, and adds
them up at its target. Runs PyTorch plain, deterministic and through strew, and strew's own operators.

    python graph_layer.py [--nodes N] [--edges N] [--features N] [--threads N ...] [--rounds N] [--backward]
"""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Callable, Iterator

import torch

import strew.torch

Layer = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def by_index_add(features: torch.Tensor, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    messages = features.index_select(0, source)
    return torch.zeros_like(features).index_add(0, target, messages)


def by_strew(features: torch.Tensor, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    messages = strew.torch.gather_nd(features, source.unsqueeze(1))
    nothing = features.new_zeros(()).expand(features.shape)
    return strew.torch.scatter_nd(nothing, target.unsqueeze(1), messages, reduce="sum")


@contextlib.contextmanager
def deterministic() -> Iterator[None]:
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(False)


CONTENDERS: dict[str, tuple[Layer, Callable[[], contextlib.AbstractContextManager[object]]]] = {
    "PyTorch": (by_index_add, contextlib.nullcontext),
    "PyTorch, deterministic": (by_index_add, deterministic),
    "PyTorch through strew": (by_index_add, strew.torch.enabled),
    "strew's own operators": (by_strew, contextlib.nullcontext),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=200_000)
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--backward", action="store_true", help="the gradient of the features too")
    arguments = parser.parse_args()

    generator = torch.Generator().manual_seed(0)
    features = torch.randn(arguments.nodes, arguments.features, generator=generator)
    features.requires_grad_(arguments.backward)
    source, target = torch.randint(0, arguments.nodes, (2, arguments.edges), generator=generator)
    weights = torch.randn(features.shape, generator=generator)

    def run(layer: Layer) -> torch.Tensor:
        result = layer(features, source, target)
        if arguments.backward:
            (gradient,) = torch.autograd.grad(result, features, weights)
            return gradient
        return result

    for threads in arguments.threads:
        torch.set_num_threads(threads)
        times = in_turns(run, arguments.rounds)
        first = times["PyTorch"]
        print(f"{threads} thread{'s' if threads > 1 else ''}")
        for name, seconds in times.items():
            print(f"  {name:24}{seconds * 1e3:8.2f} ms{first / seconds:8.2f} times as fast")


def in_turns(run: Callable[[Layer], torch.Tensor], rounds: int) -> dict[str, float]:
    """The shortest time of each, one after the other in each round, so that all have the same share of good minutes."""
    times: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for _ in range(rounds):
        for name, (layer, context) in CONTENDERS.items():
            with context():
                run(layer)
                start = time.perf_counter()
                run(layer)
                times[name].append(time.perf_counter() - start)
    return {name: min(seconds) for name, seconds in times.items()}


if __name__ == "__main__":
    main()
