/**
 * @file
 * strew: tensor scatter and gather on CPUs.
 *
 * Each operator is one call:
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
 *     strew_gather_scatter       gathers rows by one list of indices and scatters them by another
 *
 * Each can also be planned once and run many times (strew_plan_gather_nd and so on, strew_plan_run), and asked for
 * the shape of its output (strew_gather_nd_shape and so on). All of this is in strew/core.h, strew/plans.h,
 * strew/indexing.h and strew/bags.h, which this header includes. strew/operators.h has the operators under the
 * rules of one published version. strew/inspect.h describes what runs on this CPU. strew/dlpack.h and
 * strew/pthreadpool.h adapt tensors and threads.
 *
 * Rules that hold everywhere:
 *
 *   - A call returns STREW_STATUS_OK, or is refused: it returns another status, and says why in a strew_error. A
 *     call that is refused for its shapes, types or options has written nothing. A call that is refused for an
 *     index has left every input, and the tensor of an in-place call, as they were; the content of a separate
 *     output is then unspecified. Every index is checked against its dimension. The caller chooses a policy for
 *     indices out of bounds (strew_bounds); the default refuses the call.
 *   - A signal handler may look at the tensor of an in-place call while the call runs. If the call is going to be
 *     refused (other than by STREW_BOUNDS_STOP), the handler finds the tensor as it was. If the call assigns, each
 *     byte is the old one or one of an update. Before the call returns, strew promises nothing about whole
 *     elements, and nothing about reductions.
 *   - Updates take effect in the row-major order of `indices`. When assigning, the last one wins. Reductions
 *     combine from left to right and round once per step in the element's own type. So duplicates have one defined
 *     result, the same bit for bit on every instruction set and for every number of threads. Only the payload and
 *     the sign of a NaN that was computed are not promised.
 *   - Integers wrap. Float min and max return NaN if either side is NaN, and order -0 before +0. For bool, any
 *     non-zero byte is true; sum and max are OR, sub is XOR, prod and min are AND, and the result is 0 or 1, but
 *     gathering and assigning move the byte as it is.
 *     float16 and bfloat16 are combined in float32 and rounded to nearest even.
 *   - Results are rounded to nearest and subnormals are kept, whatever floating-point settings the calling thread
 *     and those of a pool have (on x86, ARM, RISC-V and s390x). The settings are restored afterwards.
 *   - The library allocates nothing, starts no thread, and has no state except what it finds out about the CPU at
 *     the first use. Every function may be called from any thread at any time.
 *   - Pointers need no alignment, not even that of their elements.
 *   - A pointer must not be NULL unless a comment allows it. Operators, plans and functions that infer shapes
 *     refuse NULL.
 */
#ifndef STREW_STREW_H
#define STREW_STREW_H

/**
 * @defgroup strew_build Version and build
 * The version is written here and nowhere else; the build reads it from these lines.
 * @{
 */
/** From 1.0 on, a new major version may break programs. */
#define STREW_VERSION_MAJOR 0
/** A new minor version adds to the API. Before 1.0 it may also change the API and the ABI. */
#define STREW_VERSION_MINOR 3
/** A new patch version corrects. */
#define STREW_VERSION_PATCH 0
/** @} */

/* Types that every call uses. */
#include <strew/core.h>
/* Plans, and how they run. */
#include <strew/plans.h>
/* Gathers and scatters, with their shapes and plans. */
#include <strew/indexing.h>
/* Operators that combine rows as they gather them, with their shapes and plans. */
#include <strew/bags.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the version of the library, "0.3.0". It may be newer than this header.
 * @ingroup strew_build
 */
STREW_API const char *strew_version(void);

#ifdef __cplusplus
}
#endif

#endif
