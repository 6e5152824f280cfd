/* Declarations that only this module's files share. */
#ifndef STREW_TORCH_HOST_H
#define STREW_TORCH_HOST_H

#include "support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Learns the numbers of PyTorch's dtypes, of its CPU and its layouts. */
void strew_torch_learn_constants(void);

/* The number of a dtype of PyTorch's, below 64; -1 if strew does not know the name. */
int32_t strew_torch_dtype_find(const char *name);

/* PyTorch's number for a dtype of DLPack; -1 if PyTorch has none that strew knows. */
int32_t strew_torch_dtype_from_dlpack(uint8_t code, uint8_t bits);

/* Finds PyTorch's exception classes; if there are none, strew_torch_raise throws std::runtime_error. */
void strew_torch_find_exceptions(void *library, void *(*find)(void *library, const char *name));

/* Makes the Python object of a tensor, which keeps a reference of its own; NULL where PyTorch has no such function.
 */
extern void *(*strew_torch_wrap)(AtenTensorHandle tensor);

/* Looks for that function in PyTorch's module for Python, which is loaded from this path. */
void strew_torch_load_python(const char *path);

/* A new tensor of the CPU without the dispatcher; NULL where PyTorch has no such function, or no memory. */
AtenTensorHandle native_empty(int32_t rank, const int64_t *sizes, const int64_t *strides, int32_t dtype);

/* enable() registers operators again, and PyTorch warns once of that. This lowers its log level to errors
 * meanwhile, if the library has that setting. */
int strew_torch_quieten(void);
void strew_torch_restore(int level);

#ifdef __cplusplus
}
#endif

#endif
