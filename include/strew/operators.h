/**
 * @file
 * strew's operators as OpenVINO and ONNX publish them: what each version takes, calls under the rules of one
 * version, and an axis that is an input tensor.
 */
#ifndef STREW_OPERATORS_H
#define STREW_OPERATORS_H

#include <strew/strew.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_versions Published versions
 * The operators as OpenVINO and ONNX publish them, version by version.
 * @{
 */

/** The operators. */
typedef int32_t strew_kind;
/** The values of strew_kind. */
enum {
    STREW_KIND_GATHER_ND,             /**< strew_gather_nd */
    STREW_KIND_GATHER_ELEMENTS,       /**< strew_gather_elements */
    STREW_KIND_SCATTER_ND,            /**< strew_scatter_nd */
    STREW_KIND_SCATTER_ELEMENTS,      /**< strew_scatter_elements */
    STREW_KIND_GATHER,                /**< strew_gather */
    STREW_KIND_SCATTER,               /**< strew_scatter */
    STREW_KIND_TENSOR_SCATTER,        /**< strew_tensor_scatter */
    STREW_KIND_SLICE_SCATTER,         /**< strew_slice_scatter */
    STREW_KIND_EMBEDDING_BAG_OFFSETS, /**< strew_embedding_bag_offsets */
    STREW_KIND_EMBEDDING_BAG_PACKED,  /**< strew_embedding_bag_packed */
    STREW_KIND_EMBEDDING_SEGMENTS,    /**< strew_embedding_segments */
    STREW_KIND_SEGMENT_REDUCE,        /**< strew_segment_reduce */
    STREW_KIND_GATHER_SCATTER         /**< strew_gather_scatter */
};

/** "gather_nd" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_kind_name(strew_kind kind);

/** Attributes, as bits: those that a version has, and those that a call gives. */
enum {
    STREW_ATTRIBUTE_AXIS = 1u << 0,         /**< along which elements are addressed */
    STREW_ATTRIBUTE_BATCH_DIMS = 1u << 1,   /**< how many dimensions data and indices share */
    STREW_ATTRIBUTE_REDUCTION = 1u << 2,    /**< what an update does */
    STREW_ATTRIBUTE_USE_INIT_VAL = 1u << 3, /**< whether data takes part in a reduction */
    STREW_ATTRIBUTE_CIRCULAR = 1u << 4,     /**< whether windows go on at the beginning */
    STREW_ATTRIBUTE_SLICE = 1u << 5,        /**< the slice; OpenVINO's are input tensors */
    STREW_ATTRIBUTE_SEGMENTS = 1u << 6,     /**< an input tensor: offsets, segment_ids or targets */
    STREW_ATTRIBUTE_WEIGHTS = 1u << 7,      /**< an input tensor: what rows are multiplied by */
    /** The row that empty bags are given; OpenVINO's is an input tensor. */
    STREW_ATTRIBUTE_DEFAULT_INDEX = 1u << 8,
    STREW_ATTRIBUTE_EMPTY = 1u << 9,         /**< what empty segments are given: OpenVINO's fill_mode */
    STREW_ATTRIBUTE_SEGMENT_COUNT = 1u << 10 /**< how many rows the output has; OpenVINO's is an input tensor */
};

/** What single versions do otherwise than the unversioned calls, as bits. */
enum {
    STREW_RULE_REFUSES_NEGATIVE = 1u << 0,    /**< negative indices are out of bounds */
    STREW_RULE_FLATTENS_BATCH = 1u << 1,      /**< the batch dimensions of the output are one: their product */
    STREW_RULE_ONE_ELEMENT_UPDATES = 1u << 2, /**< updates that need rank 0 may have any shape of one element */
    STREW_RULE_AXIS_IS_INPUT = 1u << 3,       /**< axis is an input tensor: read it with strew_axis_read */
    STREW_RULE_DEPRECATED = 1u << 4,          /**< the document names a successor; the call is as any other */
    STREW_RULE_ZERO_OUTSIDE = 1u << 5, /**< STREW_BOUNDS_SKIP is what STREW_BOUNDS_REFUSE, the default, does */
    STREW_RULE_DROPS_BEYOND = 1u << 6, /**< rows of segments beyond the last are left out */
    STREW_RULE_NAMES_DEFAULT = 1u << 7 /**< a default_index that is given is that of a row, and not -1 */
};

/** One published version of an operator: what it takes. All else it refuses. */
typedef struct strew_operator {
    const char *name;       /**< "ScatterNDUpdate-15" */
    const char *collection; /**< "OpenVINO" or "ONNX" */
    int32_t version;        /**< 15 */
    strew_kind kind;        /**< the unversioned call that it comes to */
    uint32_t attributes;    /**< STREW_ATTRIBUTE_*: those that it has */
    uint32_t required;      /**< STREW_ATTRIBUTE_*: those that have no default */
    uint32_t reductions;    /**< bit 1u << reduction for each that it takes */
    uint32_t data_dtypes;   /**< bit 1u << dtype for each that data may have */
    uint32_t index_dtypes;  /**< bit 1u << dtype for each that indices may have */
    uint32_t rules;         /**< STREW_RULE_* */
} strew_operator;

/** How many versions there are. */
STREW_API size_t strew_operator_count(void);
/** One of them, a constant; NULL unless index < strew_operator_count(). */
STREW_API const strew_operator *strew_operator_at(size_t index);
/**
 * Finds a version by its name, or the newest of a name without a number: "GatherND" is GatherND-13. A name that
 * both collections have, and only Gather-1 is one, is OpenVINO's; before any name may stand whose it is, as in
 * "ONNX:Gather-1". NULL if there is none.
 */
STREW_API const strew_operator *strew_operator_find(const char *name);

/**
 * The attributes of a call. One whose bit in `given` is not set has the version's default, whatever its field
 * holds: axis 0 (of TensorScatter -2), batch_dims 0, the first reduction that it has, use_init_val true, circular
 * false, no weights, default_index -1, empty zero, as many segments as the output has rows (which
 * strew_operator_shape cannot know, and refuses as INVALID_ARGUMENT). This struct says no size of its own: before
 * 1.0 another minor version may have other fields.
 */
typedef struct strew_attributes {
    uint32_t given;               /**< STREW_ATTRIBUTE_* */
    strew_reduction reduction;    /**< one of those that the version has */
    int64_t axis;                 /**< a negative one counts from the end */
    int64_t batch_dims;           /**< how many */
    int32_t use_init_val;         /**< 0: false */
    int32_t circular;             /**< 0: false */
    const strew_slice *slice;     /**< the slice; it and its arrays are looked at by the call only */
    const strew_tensor *segments; /**< likewise */
    const strew_tensor *weights;  /**< likewise */
    const void *reserved_pointer; /**< NULL */
    int64_t default_index;        /**< -1: none */
    int64_t segment_count;        /**< at least 0 */
    strew_empty empty;            /**< a strew_empty */
    int32_t reserved;             /**< 0 */
} strew_attributes;

/**
 * The operator under the rules of one version. As for its plan and the shape of its output, shapes, units and
 * errors are those of the unversioned call in strew.h; beyond them is refused
 *
 *     INVALID_ARGUMENT       an attribute that the version does not have, or does not get and requires;
 *                            unknown bits in attributes->given; op that is NULL
 *     UNSUPPORTED_DTYPE      a dtype of data or indices that the version does not take
 *     UNSUPPORTED_REDUCTION  a reduction that it does not take
 *
 * and of its arguments
 *
 *     op          is from strew_operator_find or strew_operator_at
 *     attributes  is NULL if none is given
 *     updates     is NULL for a gather
 *     indices     is NULL for SliceScatter and SegmentMax, and may be for TensorScatter
 *     options     may have STREW_FLAG_REFUSE_NEGATIVE_INDICES, which is added to what the version says
 */
STREW_API strew_status strew_operator_run(const strew_operator *op, const strew_attributes *attributes,
                                          const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, const strew_tensor *output,
                                          const strew_options *options);
/** Plans it, as strew_plan_gather_nd does. */
STREW_API strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op,
                                           const strew_attributes *attributes, const strew_tensor *data,
                                           const strew_tensor *indices, const strew_tensor *updates,
                                           const strew_tensor *output, const strew_plan_options *options);
/** The shape of its output, as strew_gather_nd_shape says it. */
STREW_API strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                            const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                            int32_t *rank, strew_error *error);

/**
 * Reads an axis that is an input tensor (OpenVINO ScatterElementsUpdate): any integer dtype, one element, rank 0
 * or 1. `*axis` is written on success only. A uint64 above INT64_MAX reads as INT64_MAX, which no axis is. `error`
 * may be NULL.
 */
STREW_API strew_status strew_axis_read(const strew_tensor *tensor, int64_t *axis, strew_error *error);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
