/* Memory for runs, kept from one to the next. */
#ifndef STREW_PYTHON_JAX_SCRATCH_H
#define STREW_PYTHON_JAX_SCRATCH_H

#include <stddef.h>

typedef struct strew_jax_scratch {
    size_t size;
    unsigned char bytes[];
} strew_jax_scratch;

/* At least `size` bytes, whose content is unspecified; NULL if size is 0, or there is no memory. */
strew_jax_scratch *strew_jax_take_scratch(size_t size);

/* Gives it back; NULL is allowed. */
void strew_jax_give_scratch(strew_jax_scratch *scratch);

#endif
