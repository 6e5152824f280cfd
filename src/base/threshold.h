/*
 * Thresholds that tests lower: with STREW_LOWEST_THRESHOLDS defined, small tensors are shared, owned and
 * partitioned as large ones are.
 */
#ifndef STREW_BASE_THRESHOLD_H
#define STREW_BASE_THRESHOLD_H

#ifdef STREW_LOWEST_THRESHOLDS
#define STREW_THRESHOLD(measured, lowest) (lowest)
#else
#define STREW_THRESHOLD(measured, lowest) (measured)
#endif

#endif
