/* What is shared by the files of this module alone. */
#ifndef STREW_TORCH_HOST_H
#define STREW_TORCH_HOST_H

#include "support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Learns the numbers of PyTorch's dtypes, of its CPU and its layouts. */
void strew_torch_learn_constants(void);

/* Looks for PyTorch's classes of exceptions; where there are none, strew_torch_raise throws std::runtime_error. */
void strew_torch_find_exceptions(void *library, void *(*find)(void *library, const char *name));

#ifdef __cplusplus
}
#endif

#endif
