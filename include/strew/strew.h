/**
 * @file
 * strew: tensor scatter and gather on CPUs.
 *
 * The operators, each one call:
 *
 *     strew_gather               OpenVINO and ONNX Gather
 *     strew_gather_nd            OpenVINO GatherND, ONNX GatherND
 *     strew_gather_elements      OpenVINO and ONNX GatherElements
 *     strew_scatter              OpenVINO ScatterUpdate
 *     strew_scatter_nd           OpenVINO ScatterNDUpdate, ONNX ScatterND
 *     strew_scatter_elements     OpenVINO ScatterElementsUpdate, ONNX ScatterElements and Scatter
 *     strew_tensor_scatter       ONNX TensorScatter
 *     strew_slice_scatter        OpenVINO SliceScatter
 *     strew_embedding_bag_offsets, strew_embedding_bag_packed, strew_embedding_segments
 *                                OpenVINO EmbeddingBagOffsets, EmbeddingBagPacked, EmbeddingSegmentsSum
 *     strew_segment_reduce       OpenVINO SegmentMax
 *     strew_gather_scatter       rows gathered by one list of indices, scattered by another
 *
 * Each can also be planned once and run many times (strew_plan_gather_nd and so on, strew_plan_run), and asked for
 * the shape of its output (strew_gather_nd_shape and so on). All of it stands in strew/core.h, strew/plans.h,
 * strew/indexing.h and strew/bags.h, which this header includes. strew/operators.h has the same under the rules of
 * one published version, strew/inspect.h says what runs on this CPU, strew/dlpack.h and strew/pthreadpool.h adapt
 * tensors and threads.
 *
 * Rules that hold everywhere:
 *
 *   - A call returns STREW_STATUS_OK, or is refused: it returns another status, and says why in a strew_error.
 *     A call refused for its shapes, types or options has written nothing. A call refused for an index has left
 *     every input, and the tensor of an in-place call, as they were; the content of a separate output is then
 *     unspecified. Every index is checked against its dimension; what becomes of one outside it is the caller's
 *     choice (strew_bounds), and to refuse the default.
 *   - A signal handler that looks at the tensor of an in-place call while it runs finds it as it was if the call is
 *     going to be refused (other than by STREW_BOUNDS_STOP), and if it assigns, in each byte what was there or what
 *     an update brings. Of whole elements, and of reductions, nothing is said before the call returns.
 *   - Updates take effect in the row-major order of `indices`. When assigning, the last one wins; reductions
 *     combine from left to right and round once per step in the element's own type. So duplicates have one
 *     defined result, the same bit for bit on every instruction set and for every number of threads (which payload
 *     and sign a NaN has that was computed is the one thing not promised).
 *   - Integers wrap. Float min and max return NaN if either side is NaN, and order -0 before +0. For bool, any
 *     non-zero byte is true; sum and max are OR, sub is XOR, prod and min are AND, and the result is 0 or 1, but
 *     gathering and assigning move the byte as it is.
 *     float16 and bfloat16 are combined in float32 and rounded to nearest even.
 *   - Rounding is to nearest and subnormals count, whatever the calling thread and those of a pool have set (on
 *     x86, ARM, RISC-V and s390x); their settings are put back.
 *   - The library allocates nothing, starts no thread, and has no state but the choice of kernels made at the
 *     first use. Every function may be called from any thread at any time.
 *   - Pointers need no alignment, not even that of their elements.
 *   - A pointer that a comment does not allow to be NULL must not be. Operators, plans and those that infer shapes
 *     refuse NULL.
 */
#ifndef STREW_STREW_H
#define STREW_STREW_H

/**
 * @defgroup strew_build Version and build
 * The version is written here and nowhere else; the build reads it from these lines.
 * @{
 */
/** Another one, from 1.0 on, may change what programs rely on. */
#define STREW_VERSION_MAJOR 0
/** Another one adds; before 1.0 it may change the API and the ABI too. */
#define STREW_VERSION_MINOR 3
/** Another one corrects. */
#define STREW_VERSION_PATCH 0
/** @} */

/* What calls are given and return. */
#include <strew/core.h>
/* What plans are, and how they run. */
#include <strew/plans.h>
/* Gathers and scatters, each with its shape and its plan. */
#include <strew/indexing.h>
/* Rows that are combined as they are gathered, likewise. */
#include <strew/bags.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library, "0.3.0", which may be newer than this header.
 * @ingroup strew_build
 */
STREW_API const char *strew_version(void);

#ifdef __cplusplus
}
#endif

#endif
