"""Draws strew beside its peers: the README's picture, and the report's, which has every call."""

from __future__ import annotations

from collections.abc import Sequence

import bars
from bars import Bars, Group, Line, Series, grouped
from peer_results import Call, Peers

KINDS = ("s0", "s1")
LIBRARY_KINDS = ("s2", "s3", "s4")
TITLE = "The fastest peer's time over strew's, call by call"


def draw_main(peers: Peers) -> str:
    """The README's picture: variants are left out, but count in the mean."""
    calls = [call for call in peers.calls if not call.is_variant]
    return bars.draw(of_calls(peers, calls or peers.calls, "benchmark"))


def draw_all(peers: Peers) -> str:
    """Every call."""
    return bars.draw(of_calls(peers, peers.calls, "peers"))


def of_calls(peers: Peers, calls: Sequence[Call], name: str) -> Bars:
    """The figure of some of the calls."""
    threads = peers.thread_counts()
    groups = grouped((call.title, line_of(call, threads)) for call in calls)
    mean = Line("geometric mean", {str(count): peers.mean(count) for count in threads})
    all_of_them = f"All {len(peers.calls)} calls"
    return Bars(
        name=name,
        title=TITLE,
        description=describe(peers, threads),
        series=thread_series(threads),
        groups=[*groups, Group(all_of_them, [mean])],
        legend="threads",
        left="peer faster",
        right="strew faster",
        notes=(
            "Of each peer the fastest way that gives the right result; scatters in place, float32 and int64 indices"
            " unless named. B is bytes, Zipf a skewed draw of indices.",
            peers.origin,
        ),
    )


def draw_each(peers: Peers) -> str:
    """Each peer by itself: the mean over its calls, and their range."""
    threads = peers.thread_counts()
    lines = [("", line) for name in peers.libraries() if (line := line_of_peer(peers, name, threads)).values]
    return bars.draw(
        Bars(
            name="each_peer",
            title="Each peer's time over strew's: mean and range",
            description=f"Bars of the geometric mean over the calls that a peer has. {peers.origin}",
            series=thread_series(threads),
            groups=grouped(lines),
            legend="threads",
            left="peer faster",
            right="strew faster",
            notes=(
                "In brackets: how many calls it has; a thin line goes from the least to the greatest.",
                peers.origin,
            ),
        )
    )


def line_of_peer(peers: Peers, name: str, threads: Sequence[int]) -> Line:
    """A peer's line."""
    ratios = [{str(count): call.ratio_of(name, count) for count in threads} for call in peers.calls]
    found = [{key: ratio for key, ratio in of_call.items() if ratio} for of_call in ratios]
    return bars.summarised(name, [of_call for of_call in found if of_call])


def thread_series(threads: Sequence[int]) -> list[Series]:
    """A bar for each number of threads."""
    return [Series(str(count), str(count), kind) for count, kind in zip(threads, KINDS)]


def draw_through(peers: Peers) -> str | None:
    """What who calls strew from Python sees, on one thread."""
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
                "Right of 1, faster through strew: the library's arrays, handed to the package strew, on one thread.",
                peers.origin,
            ),
        )
    )


def line_of(call: Call, threads: Sequence[int]) -> Line:
    """A call's bars."""
    return Line(call.label, {str(count): call.ratios[count] for count in threads if count in call.ratios})


def describe(peers: Peers, threads: Sequence[int]) -> str:
    """The figure in words, for those who cannot see it."""
    means = "; ".join(f"{peers.mean(count):.1f} on {count} thread{'s' * (count > 1)}" for count in threads)
    slower = sum(ratio < 1 for call in peers.calls for ratio in call.ratios.values())
    return (
        f"Bars for each call, on a logarithmic axis on which 1 is as fast as the fastest peer. Geometric mean over"
        f" {len(peers.calls)} calls: {means}. A peer is faster in {slower} of {sum(len(c.ratios) for c in peers.calls)}"
        f" rows. {peers.origin}"
    )
