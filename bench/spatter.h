/*
 * The access patterns of Spatter (P. Lavin and others, "Evaluating Gather and Scatter Performance on CPUs and
 * GPUs", MEMSYS 2020; https://github.com/hpcgarage/spatter), so that results can be set beside the literature.
 *
 * A pattern is a buffer of offsets that is applied again and again, each time `delta` elements further on:
 *
 *   index[r * length + j] = delta * r + buffer[j]
 */
#ifndef STREW_BENCH_SPATTER_H
#define STREW_BENCH_SPATTER_H

#include <cstdint>
#include <string>
#include <vector>

#include "distributions.h"

namespace bench
{

struct SpatterPattern {
    std::string name;
    bool gathers;
    uint32_t delta;
    std::vector<uint32_t> buffer;
};

/*
 * Spatter's own suite of uniform strides and mostly-stride-1, and the traces of its applications. A trace is named
 * after its place in the files: pennant-003 is the fourth entry of app-traces/pennant.json. Of traces with the same
 * buffer and delta only the first is included.
 */
std::vector<SpatterPattern> spatter_patterns();

/* How often the pattern is applied, the number of elements that it reaches, and its indices. */
uint32_t repetitions(const SpatterPattern &pattern);
uint32_t reach(const SpatterPattern &pattern);
Distribution distribution(const SpatterPattern &pattern);

} // namespace bench

#endif
