/* The NEON moves of rows. A scalar kernel moves each row of 1, 2, 4, 8 or 16 bytes by one load and one store. */
#include "neon/kernels.h"
#include "neon/vector.h"

#define STREW_ISA neon
#include "kernels/move_rows.inc"
