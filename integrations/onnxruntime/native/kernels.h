/* The kernels of strew's execution provider: a registry with one for each operator version. */
#ifndef STREW_ONNXRUNTIME_KERNELS_H
#define STREW_ONNXRUNTIME_KERNELS_H

#include "registry.h"
#include "run.h"

/* The name under which sessions and profiles know the provider. */
#define STREW_ORT_PROVIDER "StrewExecutionProvider"

/* An upper bound of strew's operator versions. */
enum { STREW_ORT_MOST_KERNELS = 64 };

/* One session's kernels. */
typedef struct strew_ort_kernels strew_ort_kernels;

/* The arguments from which a kernel is made. */
typedef struct strew_ort_entry {
    strew_ort_kernels *kernels;
    const strew_operator *op;
} strew_ort_entry;

struct strew_ort_kernels {
    const OrtApi *api;
    strew_ort_get_shape *get_shape;
    const strew_ort_registry_api *registry_api;
    OrtKernelRegistry *registry;
    strew_ort_threads threads;
    strew_ort_entry entries[STREW_ORT_MOST_KERNELS];
};

/* Fills a zeroed registry with every operator version. Release it in any case. */
OrtStatus *strew_ort_kernels_register(strew_ort_kernels *kernels, const OrtApi *api,
                                      strew_ort_get_shape *get_shape);
void strew_ort_kernels_release(strew_ort_kernels *kernels);

#endif
