/* strew's own operators for PyTorch: torch.ops.strew. */
#ifndef STREW_TORCH_OPERATORS_H
#define STREW_TORCH_OPERATORS_H

/* Defines the operators and their CPU kernels for the life of the process; call it once. NULL, or the definition
 * that PyTorch refused. */
const char *strew_torch_define_operators(void);

#endif
