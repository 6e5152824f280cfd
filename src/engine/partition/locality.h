/* Whether the rows of a walk lie near each other in the addressed tensor, which only the indices can tell. */
#ifndef STREW_ENGINE_PARTITION_LOCALITY_H
#define STREW_ENGINE_PARTITION_LOCALITY_H

#include "engine/walk/walk.h"

/*
 * Whether rows that follow each other mostly lie in the same page of memory or so: the caches serve them as they
 * come. Looks at some tiles; of wrong indices it says nothing.
 */
bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers);

#endif
