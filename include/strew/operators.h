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

/** Returns the name of an operator, such as "gather_nd"; "unknown" for any other value. */
STREW_API const char *strew_kind_name(strew_kind kind);

/** Attributes, as bits: those that a version has, or those that a call gives. */
enum {
    STREW_ATTRIBUTE_AXIS = 1u << 0,         /**< the axis along which elements are addressed */
    STREW_ATTRIBUTE_BATCH_DIMS = 1u << 1,   /**< how many dimensions data and indices share */
    STREW_ATTRIBUTE_REDUCTION = 1u << 2,    /**< how updates change data */
    STREW_ATTRIBUTE_USE_INIT_VAL = 1u << 3, /**< whether data takes part in a reduction */
    STREW_ATTRIBUTE_CIRCULAR = 1u << 4,     /**< whether windows continue at the beginning */
    STREW_ATTRIBUTE_SLICE = 1u << 5,        /**< the slice; in OpenVINO input tensors */
    STREW_ATTRIBUTE_SEGMENTS = 1u << 6,     /**< an input tensor: offsets, segment_ids or targets */
    STREW_ATTRIBUTE_WEIGHTS = 1u << 7,      /**< an input tensor that rows are multiplied by */
    /** The row that empty bags get; in OpenVINO an input tensor. */
    STREW_ATTRIBUTE_DEFAULT_INDEX = 1u << 8,
    STREW_ATTRIBUTE_EMPTY = 1u << 9,         /**< the value of empty segments: OpenVINO's fill_mode */
    STREW_ATTRIBUTE_SEGMENT_COUNT = 1u << 10 /**< how many rows the output has; in OpenVINO an input tensor */
};

/** Rules of single versions that differ from the unversioned calls, as bits. */
enum {
    STREW_RULE_REFUSES_NEGATIVE = 1u << 0,    /**< negative indices are out of bounds */
    STREW_RULE_FLATTENS_BATCH = 1u << 1,      /**< the output has one batch dimension: the product of all of them */
    STREW_RULE_ONE_ELEMENT_UPDATES = 1u << 2, /**< updates that need rank 0 may have any shape of one element */
    STREW_RULE_AXIS_IS_INPUT = 1u << 3,       /**< axis is an input tensor: read it with strew_axis_read */
    STREW_RULE_DEPRECATED = 1u << 4,          /**< the document names a successor; calls work as usual */
    STREW_RULE_ZERO_OUTSIDE = 1u << 5,        /**< STREW_BOUNDS_REFUSE, the default, acts as STREW_BOUNDS_SKIP */
    STREW_RULE_DROPS_BEYOND = 1u << 6,        /**< rows of segments beyond the last one are left out */
    STREW_RULE_NAMES_DEFAULT = 1u << 7        /**< a default_index that is given must name a row; -1 is refused */
};

/** One published version of an operator: what it takes. It refuses everything else. */
typedef struct strew_operator {
    const char *name;       /**< "ScatterNDUpdate-15" */
    const char *collection; /**< "OpenVINO" or "ONNX" */
    int32_t version;        /**< 15 */
    strew_kind kind;        /**< the unversioned call of this operator */
    uint32_t attributes;    /**< STREW_ATTRIBUTE_*: those that the version has */
    uint32_t required;      /**< STREW_ATTRIBUTE_*: those that have no default */
    uint32_t reductions;    /**< bit 1u << reduction for each that the version takes */
    uint32_t data_dtypes;   /**< bit 1u << dtype for each that data may have */
    uint32_t index_dtypes;  /**< bit 1u << dtype for each that indices may have */
    uint32_t rules;         /**< STREW_RULE_* */
} strew_operator;

/** Returns how many versions there are. */
STREW_API size_t strew_operator_count(void);
/** Returns a version, which is a constant; NULL unless index < strew_operator_count(). */
STREW_API const strew_operator *strew_operator_at(size_t index);
/**
 * Finds a version by its name, or the newest version of a name without a number: "GatherND" is GatherND-13.
 * Gather-1 is the only name that both collections have; by itself it is OpenVINO's. Any name may begin with its
 * collection, as in "ONNX:Gather-1". Returns NULL if there is no such version.
 */
STREW_API const strew_operator *strew_operator_find(const char *name);

/**
 * The attributes of a call. If the bit of an attribute is not set in `given`, its field is ignored and it has the
 * version's default: axis 0 (TensorScatter: -2), batch_dims 0, the first reduction that the version has,
 * use_init_val true, circular false, no weights, default_index -1, empty zero, as many segments as the output has
 * rows (strew_operator_shape cannot know these, and refuses the call as INVALID_ARGUMENT). This struct has no
 * struct_size: before 1.0 another minor version may have other fields.
 */
typedef struct strew_attributes {
    uint32_t given;               /**< STREW_ATTRIBUTE_* */
    strew_reduction reduction;    /**< one that the version has */
    int64_t axis;                 /**< a negative one counts from the end */
    int64_t batch_dims;           /**< how many dimensions */
    int32_t use_init_val;         /**< 0: false */
    int32_t circular;             /**< 0: false */
    const strew_slice *slice;     /**< the slice; only the call reads it and its arrays */
    const strew_tensor *segments; /**< the offsets, segment_ids or targets; only the call reads them */
    const strew_tensor *weights;  /**< the weights, or NULL; only the call reads them */
    const void *reserved_pointer; /**< NULL */
    int64_t default_index;        /**< -1: none */
    int64_t segment_count;        /**< at least 0 */
    strew_empty empty;            /**< a strew_empty */
    int32_t reserved;             /**< 0 */
} strew_attributes;

/**
 * Runs the operator under the rules of one version. Shapes, units and errors are those of the unversioned call in
 * strew.h; this also holds for the plan and for the shape of the output. A call is also refused as
 *
 *     INVALID_ARGUMENT       an attribute that the version does not have, or one that it requires and is not
 *                            given; unknown bits in attributes->given; op that is NULL
 *     UNSUPPORTED_DTYPE      a dtype of data or indices that the version does not take
 *     UNSUPPORTED_REDUCTION  a reduction that the version does not take
 *
 * The arguments are
 *
 *     op          from strew_operator_find or strew_operator_at
 *     attributes  NULL if none is given
 *     updates     NULL for a gather
 *     indices     NULL for SliceScatter and SegmentMax; may be NULL for TensorScatter
 *     options     STREW_FLAG_REFUSE_NEGATIVE_INDICES applies in addition to the rules of the version
 */
STREW_API strew_status strew_operator_run(const strew_operator *op, const strew_attributes *attributes,
                                          const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, const strew_tensor *output,
                                          const strew_options *options);
/** Plans the operator under the rules of one version, as strew_plan_gather_nd does. */
STREW_API strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op,
                                           const strew_attributes *attributes, const strew_tensor *data,
                                           const strew_tensor *indices, const strew_tensor *updates,
                                           const strew_tensor *output, const strew_plan_options *options);
/** Returns the shape of its output, as strew_gather_nd_shape does. */
STREW_API strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                            const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                            int32_t *rank, strew_error *error);

/**
 * Reads an axis that is an input tensor (OpenVINO ScatterElementsUpdate): any integer dtype, one element, rank 0
 * or 1. `*axis` is written only on success. A uint64 above INT64_MAX reads as INT64_MAX, which is no valid axis.
 * `error` may be NULL.
 */
STREW_API strew_status strew_axis_read(const strew_tensor *tensor, int64_t *axis, strew_error *error);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
