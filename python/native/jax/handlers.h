/* The entry points for XLA. */
#ifndef STREW_PYTHON_JAX_HANDLERS_H
#define STREW_PYTHON_JAX_HANDLERS_H

#include <strew/operators.h>
#include <xla/ffi/api/c_api.h>

/* The handler of this kind. */
XLA_FFI_Handler *strew_jax_handler(strew_kind kind);

#endif
