/* The threads of XLA's CPU client as a strew_parallel. */
#ifndef STREW_PYTHON_JAX_THREADS_H
#define STREW_PYTHON_JAX_THREADS_H

#include <strew/strew.h>
#include <xla/ffi/api/c_api.h>

/* The threads that a handler may use besides its own; valid while the handler runs. */
strew_parallel strew_jax_threads(XLA_FFI_CallFrame *frame);

#endif
