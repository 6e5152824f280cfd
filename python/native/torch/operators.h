/* strew's own operators for PyTorch: torch.ops.strew. */
#ifndef STREW_TORCH_OPERATORS_H
#define STREW_TORCH_OPERATORS_H

/* Defines them and their kernels for the CPU, for as long as the process lives; once is enough. NULL, or what
 * PyTorch refused. */
const char *strew_torch_define_operators(void);

#endif
