"""Draws libraries alone against the same through strew, and peers in C against strew in C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import bars
from bars import Bars, Line, Series, grouped
from peer_results import STREW, THROUGH, Call, Peers
from svg import MARGIN, Axis, bar, document, line, number, text, tick_text

KINDS = ("s0", "s1")
LIBRARY_KINDS = ("s0", "s1", "s2", "s3", "s4")
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


# ---- The README's picture: three calls of each library ---------------------------------------------------------------

FRONT_TITLE = "The same call, alone and through strew"
FRONT_NOTES = (
    "high: a tenth of the library's calls gain more. lowest: the last of all.",
    "Logarithmic bars, cut at 16: 1 to 2 is as long as 2 to 4. Orange: strew is slower.",
)
FRONT_MOST = 16  # bars end here, so that common ratios can be seen
FRONT_TICKS = (0.25, 0.5, 1, 2, 4, 8, 16)
# The columns: the left edges of library, call and its label, the ends of the bar, and the right edges of the numbers.
WHO, WHICH, CALL, BAR_BEGIN, BAR_END, RATIO_END, ALONE_END, THROUGH_END = 12, 97, 140, 276, 346, 372, 420, 468
FRONT_TOP, FRONT_LINE, FRONT_GAP, FRONT_BAR = 50, 13, 4, 8
SHORT = {
    "Rows combined by segment": "Segment sums",
    "EmbeddingBagOffsets": "Embedding bags",
    "EmbeddingBagPacked": "Embedding bags",
    "EmbeddingSegments": "Embedding bags",
    "A layer of a graph network": "Graph layer",
}
C_SUFFIX = " in C"


@dataclass(frozen=True)
class Front:
    """A line of the README's picture."""

    who: str
    call: str
    alone: float
    through: float
    which: str = ""

    @property
    def ratio(self) -> float:
        """The speed-up of the call."""
        return self.alone / self.through


def draw_main(peers: Peers) -> str:
    """The README's picture: three calls of each library, alone and through strew, and three of C."""
    chosen = chosen_calls(peers)
    ratios = [min(front.ratio, FRONT_MOST) for fronts in chosen for front in fronts]
    axis = Axis([1, *ratios], BAR_BEGIN, BAR_END)
    body, y = [], FRONT_TOP
    for fronts in chosen:
        for before, front in zip([None, *fronts], fronts):
            if not before or before.who != front.who:
                body.append(text(WHO, y + 10, front.who, "small"))
            body += front_line(front, axis, y)
            y += FRONT_LINE
        y += FRONT_GAP
    notes = [text(MARGIN, y + 28 + 15 * place, note, "small soft") for place, note in enumerate(FRONT_NOTES)]
    heading = [text(MARGIN, 20, FRONT_TITLE, "group"), *front_heads(axis, y)]
    height = y + 24 + 15 * len(notes)
    return document("benchmark", FRONT_TITLE, describe(chosen, peers), height, [*heading, *body, *notes])


def front_heads(axis: Axis, bottom: float) -> Iterable[str]:
    """The heads of the columns, and the lines of the axis."""
    for x, words in ((RATIO_END, "faster"), (ALONE_END, "alone"), (THROUGH_END, "strew")):
        yield text(x, FRONT_TOP - 10, words, "small end soft")
    for place, tick in enumerate(FRONT_TICKS):
        if axis.least <= tick <= axis.greatest:
            yield line(f"M{axis(tick)} {FRONT_TOP - 4}V{bottom}", "one" if tick == 1 else "grid")
            if place % 2 == 0:
                yield text(axis(tick), bottom + 12, tick_text(tick), "small middle soft")


def front_line(front: Front, axis: Axis, y: float) -> Iterable[str]:
    """A line: which call, its bar, and its times."""
    begin, end = sorted((axis(1), axis(min(front.ratio, FRONT_MOST))))
    yield text(WHICH, y + 10, front.which, "small soft")
    yield text(CALL, y + 10, front.call, "small")
    yield bar(begin, y + 2, end - begin, FRONT_BAR, "s0" if front.ratio >= 1 else "s3")
    for x, words in (
        (RATIO_END, number(front.ratio)),
        (ALONE_END, time_text(front.alone)),
        (THROUGH_END, time_text(front.through)),
    ):
        yield text(x, y + 10, words, "small end")


def chosen_calls(peers: Peers) -> list[list[Front]]:
    """The shown calls of each library and of C."""
    threads = peers.thread_counts()[0]
    of_all = [*(pairs_of(peers.calls, threads, name) for name in peers.through()), pairs_in_c(peers.calls, threads)]
    return [ranked(pairs) for pairs in of_all if pairs]


def pairs_of(calls: Iterable[Call], threads: int, name: str) -> list[Front]:
    """The calls that a library has alone and through strew."""
    times = ((call, call.seconds[threads]) for call in calls if name in call.gains.get(threads, {}))
    return [Front(name, short_title(call), of[name], of[name + THROUGH]) for call, of in times]


def pairs_in_c(calls: Iterable[Call], threads: int) -> list[Front]:
    """The calls that a peer has in C, with the name of the fastest."""
    found = []
    for call in calls:
        of = call.seconds.get(threads, {})
        in_c = {name: time for name, time in of.items() if name.endswith(C_SUFFIX) and name != STREW and time}
        if threads in call.ratios_in_c and in_c:
            name = min(in_c, key=in_c.__getitem__)
            who = f"C, {name.removesuffix(C_SUFFIX).replace('ONNX Runtime', 'ORT')}"
            found.append(Front(who, short_title(call), in_c[name], of[STREW]))
    return found


def ranked(fronts: Sequence[Front]) -> list[Front]:
    """The call that a tenth exceed, the middle one, the last one; each once."""
    order = sorted(fronts, key=lambda front: -front.ratio)
    places = {len(order) // 10: "high", len(order) // 2: "middle", len(order) - 1: "lowest"}
    return [replace(order[place], which=which) for place, which in sorted(places.items())]


def short_title(call: Call) -> str:
    """The operator, in as many letters as have room."""
    title, _, detail = call.title.partition(",")
    title = SHORT.get(title.partition(":")[0], title)
    return title + ("," + detail if detail and title not in SHORT.values() else "")


def time_text(seconds: float) -> str:
    """Three digits and a unit."""
    scale, unit = next((pair for pair in UNITS if seconds >= 0.9995 * pair[0]), UNITS[-1])
    return f"{seconds / scale:#.3g}".rstrip(".") + f" {unit}"


def describe(chosen: Iterable[Iterable[Front]], peers: Peers) -> str:
    """The figure in words, for those who cannot see it."""
    lines = (
        f"{front.who}, {front.which}: {front.call} {time_text(front.alone)} alone,"
        f" {time_text(front.through)} through strew"
        for fronts in chosen
        for front in fronts
    )
    return f"{'; '.join(lines)}. {peers.origin}"


# ---- Every call ------------------------------------------------------------------------------------------------------


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
