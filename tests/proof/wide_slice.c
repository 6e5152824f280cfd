/*
 * operators/slice.c in 64 bits, for Frama-C's WP: contracts of its functions without loops, before their
 * definitions. `make proof-wide` proves them, and that nothing in them overflows.
 */
#include <stdint.h>

/*@ requires low <= high;
    assigns \nothing;
    ensures low <= \result <= high;
    ensures low <= value <= high ==> \result == value; */
static int64_t clamped(int64_t value, int64_t low, int64_t high);

/*@ requires size >= 0 && step != 0;
    assigns \nothing;
    ensures step > 0 ==> 0 <= \result <= size;
    ensures step < 0 ==> -1 <= \result <= size - 1;
    ensures 0 <= value < size ==> \result == value;
    ensures -size <= value < 0 ==> \result == value + size; */
static int64_t bound_of(int64_t value, int64_t step, int64_t size);

/*@ requires 0 <= begin && 0 <= end && step > 0;
    assigns \nothing;
    ensures end <= begin ==> \result == 0;
    ensures begin < end ==> \result >= 1 && begin + (\result - 1) * step < end <= begin + \result * step; */
static int64_t length_of(int64_t begin, int64_t end, int64_t step);

#include "operators/slice.c"
