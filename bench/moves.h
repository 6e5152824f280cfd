/* The limit of the operators on rows and elements: the same moves and nothing else. */
#ifndef STREW_BENCH_MOVES_H
#define STREW_BENCH_MOVES_H

#include "operands.h"
#include "team.h"

namespace bench
{

using MoveFunction = void(char *target, const char *source, const uint32_t *positions, size_t begin, size_t end);

/*
 * Moves the items of a workload between the table and the packed items, in order: their positions computed before
 * and not checked, their size known to the compiler. A reduction moves its updates without combining them.
 */
class ItemMoves
{
  public:
    ItemMoves(const Workload &workload, const Operands &operands);

    /* Several threads share the items wherever they scatter to: the result is not defined, but the time is. */
    void run(const Team &team) const;

  private:
    MoveFunction *move_;
    char *to_;
    const char *from_;
    const Positions &positions_;
};

} // namespace bench

#endif
