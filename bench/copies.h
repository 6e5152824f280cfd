/* Ways to copy a block of memory. */
#ifndef STREW_BENCH_COPIES_H
#define STREW_BENCH_COPIES_H

#include <cstddef>
#include <vector>

#include "team.h"

namespace bench
{

using CopyFunction = void(char *target, const char *source, size_t size);

struct Copy {
    const char *name;
    CopyFunction *function;
};

/* memcpy, then copies that can be faster on this kind of processor. */
const std::vector<Copy> &copies();

/* Copies so many bytes, each thread its part. */
void copy_shared(const Copy &copy, const Team &team, char *target, const char *source, size_t size);

} // namespace bench

#endif
