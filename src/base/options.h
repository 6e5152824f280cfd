/* The caller's options, checked. */
#ifndef STREW_BASE_OPTIONS_H
#define STREW_BASE_OPTIONS_H

#include "strew/strew.h"

/*
 * Points *options at what holds: the caller's options, or the defaults if there are none. Once they have passed,
 * (*options)->error may be used.
 */
strew_status strew_options_check(const strew_options **options);

#endif
