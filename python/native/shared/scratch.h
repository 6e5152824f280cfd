/* Memory for runs, kept from one to the next: the same for all hosts. */
#ifndef STREW_PYTHON_SCRATCH_H
#define STREW_PYTHON_SCRATCH_H

#include <strew/strew.h>

typedef struct scratch_block scratch_block;

/*
 * Lends a run of a plan on so many threads as much scratch as is of use to it or, if memory lacks, as much as it
 * must have, and says so in its options. *lent is to be given back after the run. False if there is too little
 * memory.
 */
bool scratch_lend(const strew_plan *plan, size_t threads, strew_run_options *options, scratch_block **lent);

/* NULL is allowed. */
void scratch_give_back(scratch_block *lent);

/* How many bytes are kept for later runs. */
size_t scratch_kept(void);

#endif
