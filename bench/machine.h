/* The conditions of the figures besides the code: printed before them and stored with them. */
#ifndef STREW_BENCH_MACHINE_H
#define STREW_BENCH_MACHINE_H

#include <string>
#include <vector>

#include "suite.h"

namespace bench
{

struct Fact {
    std::string name;
    std::string value;
};

std::vector<Fact> describe_machine(const Suite &suite);

} // namespace bench

#endif
