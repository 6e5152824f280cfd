/* Distributions of indices: random, in order, or by a published pattern; always the same from run to run. */
#ifndef STREW_BENCH_DISTRIBUTIONS_H
#define STREW_BENCH_DISTRIBUTIONS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench
{

/* 32 bits, because the limit reads its positions too and should read as little beside the data as it can. */
using Positions = std::vector<uint32_t>;

struct IndexRange {
    uint32_t size; /* positions are below this */
    size_t run;    /* the last dimension of `indices`, along which an expanded index repeats */
};

struct Distribution {
    std::string name; /* part of the row's name; empty for the usual one */
    std::function<void(Positions &positions, IndexRange range)> draw;
};

/* Uniform: for all families that do not compare distributions. */
Distribution usual_distribution();

/* Each position after the other. */
Distribution sequential_distribution();

/* One uniform index for each run, as graph models have that expand an index to the width of their features. */
Distribution expanded_distribution();

/* sequential, uniform, sorted, zipf, same */
std::vector<Distribution> named_distributions();

} // namespace bench

#endif
