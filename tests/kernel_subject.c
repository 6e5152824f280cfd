#include "kernel_subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define RESOLVE(DTYPE, name_, suffix, bytes) \
    {.name = "resolve " #suffix, .family = FAMILY_RESOLVE, .dtype = STREW_##DTYPE},
#define GATHER(size_, bytes)           \
    {.name = "gather " #size_,         \
     .family = FAMILY_GATHER,          \
     .dtype = STREW_OPAQUE(1),         \
     .size = STREW_MOVE_##size_,       \
     .row_bytes = bytes},
#define SCATTER(size_, bytes)          \
    {.name = "scatter " #size_,        \
     .family = FAMILY_SCATTER,         \
     .dtype = STREW_OPAQUE(1),         \
     .size = STREW_MOVE_##size_,       \
     .row_bytes = bytes},
