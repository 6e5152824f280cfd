/* The NEON moves of rows. Rows of one, two, four, eight or sixteen bytes are one scalar instruction as they are. */
#include "neon/kernels.h"
#include "neon/vector.h"

#define STREW_ISA neon
#include "kernels/move_rows.inc"
