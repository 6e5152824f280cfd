/* Scratch memory that is kept from one run to the next, for all hosts. */
#ifndef STREW_PYTHON_SCRATCH_H
#define STREW_PYTHON_SCRATCH_H

#include <strew/strew.h>

typedef struct scratch_block scratch_block;

/*
 * Lends scratch to a run of a plan on so many threads, and sets it in the options: as much as the run can use or,
 * if memory is short, as much as it needs. Give *lent back after the run. False if there is too little memory.
 */
bool scratch_lend(const strew_plan *plan, size_t threads, strew_run_options *options, scratch_block **lent);

/* NULL is allowed. */
void scratch_give_back(scratch_block *lent);

/* How many bytes are kept for later runs. */
size_t scratch_kept(void);

#endif
