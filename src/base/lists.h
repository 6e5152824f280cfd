/* The lists of what there is: everything that is derived from them includes this. */
#ifndef STREW_BASE_LISTS_H
#define STREW_BASE_LISTS_H

#include "strew/strew.h"

#endif
