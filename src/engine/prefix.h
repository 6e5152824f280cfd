/* What comes before the first offender in the order of indices, where a run stops at that. */
#ifndef STREW_ENGINE_PREFIX_H
#define STREW_ENGINE_PREFIX_H

#include "engine/work.h"

/* Moves it, by one thread. The work is one pass, and nothing has been written yet, or may be written again. */
void strew_prefix_run(const strew_work *work, const strew_pointers *pointers);

#endif
