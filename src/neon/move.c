/* The NEON moves of rows. Rows of one, two, four, eight or sixteen bytes are one scalar instruction as they are. */
#include "neon/vector.h"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon
#include "kernels/move_rows.inc"
