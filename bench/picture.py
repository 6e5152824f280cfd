"""Draws libraries alone beside the same through strew, and peers in C beside strew in C."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import bars
from bars import Bars, Group, Line, Series, grouped
from peer_results import Call, Peers

KINDS = ("s0", "s1")
LIBRARY_KINDS = ("s0", "s1", "s2", "s3", "s4")
TITLE = "A library's time alone over its time through strew, by operator: mean and range"
IN_C = "From C: plain loops and ONNX Runtime over strew"
NOTES = (
    "A bar is the geometric mean over the calls of an operator, whose number is in brackets; a thin line goes from the"
    " least to the greatest. Libraries are called from Python alone and through strew; in the last group all are called"
    " from C."
)


def draw_main(peers: Peers) -> str:
    """The README's picture: each library, operator by operator, then C."""
    threads = peers.thread_counts()
    groups = [
        Group(f"{name}, called from Python", by_operator(peers, threads, gain_of(name))) for name in peers.through()
    ]
    in_c = by_operator(peers, threads, lambda call, count: call.ratios_in_c.get(count))
    return bars.draw(
        Bars(
            name="benchmark",
            title=TITLE,
            description=describe(peers, threads),
            series=thread_series(threads),
            groups=[*groups, *([Group(IN_C, in_c)] if in_c else [])],
            legend="threads",
            left="slower",
            right="faster through strew",
            notes=(NOTES, peers.origin),
        )
    )


Ratio = Callable[[Call, int], float | None]


def gain_of(name: str) -> Ratio:
    """What a library gains by strew."""
    return lambda call, count: call.gains.get(count, {}).get(name)


def by_operator(peers: Peers, threads: Sequence[int], ratio: Ratio) -> list[Line]:
    """A line for each operator that has this ratio, and one for all."""
    found: dict[str, list[dict[str, float]]] = {}
    for call in peers.calls:
        ratios = {str(count): value for count in threads if (value := ratio(call, count))}
        if ratios:
            found.setdefault(call.title, []).append(ratios)
    everything = [ratios for several in found.values() for ratios in several]
    lines = [bars.summarised(title, several) for title, several in found.items()]
    return [*lines, bars.summarised("all calls", everything)] if everything else []


def draw_all(peers: Peers) -> str:
    """Every call from Python: the fastest library alone over the fastest way into strew."""
    title = "From Python, call by call: the fastest library alone over the fastest way into strew"
    return draw_calls(peers, "peers", title, lambda call: call.ratios)


def draw_in_c(peers: Peers) -> str | None:
    """Every call from C."""
    title = "From C, call by call: the fastest of loops and ONNX Runtime over strew"
    return draw_calls(peers, "in_c", title, lambda call: call.ratios_in_c)


def draw_calls(peers: Peers, name: str, title: str, ratios_of: Callable[[Call], dict[int, float]]) -> str | None:
    """A bar for each call and number of threads."""
    threads = peers.thread_counts()
    named = ((call, {str(count): ratio for count, ratio in ratios_of(call).items()}) for call in peers.calls)
    lines = [(call.title, Line(call.label, ratios)) for call, ratios in named if ratios]
    if not lines:
        return None
    return bars.draw(
        Bars(
            name=name,
            title=title,
            description=f"Bars for each call, on a logarithmic axis on which 1 is equally fast. {peers.origin}",
            series=thread_series(threads),
            groups=grouped(lines),
            legend="threads",
            left="peer faster",
            right="strew faster",
            notes=(
                "Scatters in place, float32 and int64 indices unless named. B is bytes, Zipf a skewed draw of indices.",
                peers.origin,
            ),
        )
    )


def thread_series(threads: Sequence[int]) -> list[Series]:
    """A bar for each number of threads."""
    return [Series(str(count), str(count), kind) for count, kind in zip(threads, KINDS)]


def draw_through(peers: Peers) -> str | None:
    """Each library alone over the same through strew, call by call, on one thread."""
    names, threads = peers.through(), peers.thread_counts()[0]
    calls = [call for call in peers.calls if call.gains.get(threads)]
    if not calls:
        return None
    groups = grouped((call.title, Line(call.label, call.gains[threads])) for call in calls)
    return bars.draw(
        Bars(
            name="through",
            title="Called from Python: a library's time over its time through strew",
            description=f"Bars for each call, on a logarithmic axis, for {', '.join(names)}. {peers.origin}",
            series=[Series(name, name, kind) for name, kind in zip(names, LIBRARY_KINDS)],
            groups=groups,
            notes=(
                "Right of 1, faster through strew: the same call of the library with strew in it, on one thread.",
                peers.origin,
            ),
        )
    )


def describe(peers: Peers, threads: Sequence[int]) -> str:
    """The figure in words, for those who cannot see it."""
    from_python, from_c = (means_text(of, threads) for of in (peers.ratios, peers.ratios_in_c))
    return (
        f"Bars for each operator, on a logarithmic axis on which 1 is equally fast. The fastest library alone over the"
        f" fastest way into strew, from Python: {from_python}. The fastest peer in C over strew in C: {from_c}."
        f" {peers.origin}"
    )


def means_text(ratios_of: Callable[[int], list[float]], threads: Sequence[int]) -> str:
    """1.5 on 1 thread, 3 of 60 calls below 1; the same on two."""
    texts = []
    for count in threads:
        ratios = ratios_of(count)
        if ratios:
            below = sum(ratio < 1 for ratio in ratios)
            mean = statistics.geometric_mean(ratios)
            texts.append(f"{mean:.2f} on {count} thread{'s' * (count > 1)}, {below} of {len(ratios)} calls below 1")
    return "; ".join(texts) or "not measured"
