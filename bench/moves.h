/* The limit of the operators on rows and elements: the same moves without the rest. */
#ifndef STREW_BENCH_MOVES_H
#define STREW_BENCH_MOVES_H

#include "operands.h"
#include "team.h"

namespace bench
{

/* The sources and targets of items; a null list means that items are consecutive. */
struct Places {
    const uint32_t *from;
    const uint32_t *to;
};

using MoveFunction = void(char *target, const char *source, Places places, size_t begin, size_t end);

/*
 * Moves the items of a workload between the table and the packed items, or from row to row, in order: their
 * positions computed before and not checked, their size known to the compiler. A reduction moves its updates
 * without combining them.
 */
class ItemMoves
{
  public:
    ItemMoves(const Workload &workload, const Operands &operands);

    /* Several threads share the items, whichever places they scatter to: the result is undefined, but the time
     * is valid. */
    void run(const Team &team) const;

  private:
    MoveFunction *move_;
    char *to_;
    const char *from_;
    Places places_;
    size_t count_;
};

} // namespace bench

#endif
