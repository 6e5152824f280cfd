/* Lists the published versions, one line each. */
#include <string.h>

#include "base/choice.h"
#include "base/integer.h"
#include "operators/operator.h"

/*
 * Sets of dtypes. The bit of STREW_DTYPE_NONE stands for opaque elements. Only the unversioned calls take these,
 * and float8 and packed elements, which move as opaque bytes.
 */
#define BIT(CONSTANT, name, suffix, bits) | 1u << STREW_DTYPE_##CONSTANT
enum {
    INTEGERS = STREW_INTEGERS,
    NUMERIC = INTEGERS STREW_FLOAT_DTYPES(BIT) STREW_COMPLEX_DTYPES(BIT),
    NUMERIC_AND_BOOL = NUMERIC | 1u << STREW_DTYPE_BOOL,
    ANY = NUMERIC_AND_BOOL | 1u << STREW_DTYPE_STRING,
    ANY_BUT_BFLOAT16 = ANY & ~(1u << STREW_DTYPE_BFLOAT16),
    ANY_AND_OPAQUE = ANY | 1u << STREW_DTYPE_NONE STREW_FLOAT8_DTYPES(BIT) STREW_PACKED_DTYPES(BIT),
    ANY_OF_CACHES = ANY STREW_FLOAT8_DTYPES(BIT) | 1u << STREW_DTYPE_UINT4 | 1u << STREW_DTYPE_INT4 |
                    1u << STREW_DTYPE_FLOAT4E2M1,
    INT32_AND_INT64 = 1u << STREW_DTYPE_INT32 | 1u << STREW_DTYPE_INT64,
    INT64_ONLY = 1u << STREW_DTYPE_INT64
};
#undef BIT

/* Sets of reductions. */
enum {
    ASSIGN = 1u << STREW_REDUCTION_NONE,
    ADD_MUL = ASSIGN | 1u << STREW_REDUCTION_SUM | 1u << STREW_REDUCTION_PROD,
    ADD_MUL_MIN_MAX = ADD_MUL | 1u << STREW_REDUCTION_MIN | 1u << STREW_REDUCTION_MAX,
    WITH_SUB = ADD_MUL_MIN_MAX | 1u << STREW_REDUCTION_SUB,
    WITH_MEAN = ADD_MUL_MIN_MAX | 1u << STREW_REDUCTION_MEAN,
    EVERY_REDUCTION = WITH_SUB | WITH_MEAN,
    SUM_ONLY = 1u << STREW_REDUCTION_SUM,
    SUM_MEAN = SUM_ONLY | 1u << STREW_REDUCTION_MEAN,
    MAX_ONLY = 1u << STREW_REDUCTION_MAX,
    OF_BAGS = WITH_MEAN & ~ASSIGN,
    OF_EDGES = WITH_SUB & ~ASSIGN
};

/*
 * Sets of attributes. Every scatter has the attribute "reduction". A version without reductions allows only the
 * value none, and refuses others as an unsupported reduction.
 */
enum {
    NO_ATTRIBUTES = 0,
    AXIS = STREW_ATTRIBUTE_AXIS,
    BATCH_DIMS = STREW_ATTRIBUTE_BATCH_DIMS,
    AXIS_BATCH_DIMS = AXIS | BATCH_DIMS,
    REDUCTION = STREW_ATTRIBUTE_REDUCTION,
    AXIS_REDUCTION = AXIS | REDUCTION,
    AXIS_REDUCTION_INIT = AXIS_REDUCTION | STREW_ATTRIBUTE_USE_INIT_VAL,
    AXIS_REDUCTION_INIT_BATCH = AXIS_REDUCTION_INIT | BATCH_DIMS,
    SLICE = STREW_ATTRIBUTE_SLICE,
    REDUCTION_SLICE = REDUCTION | SLICE,
    AXIS_REDUCTION_CIRCULAR = AXIS_REDUCTION | STREW_ATTRIBUTE_CIRCULAR,
    SEGMENTS = STREW_ATTRIBUTE_SEGMENTS,
    PACKED_BAGS = REDUCTION | STREW_ATTRIBUTE_WEIGHTS,
    BAGS = PACKED_BAGS | SEGMENTS | STREW_ATTRIBUTE_DEFAULT_INDEX,
    COUNTED_BAGS = BAGS | STREW_ATTRIBUTE_SEGMENT_COUNT,
    SEGMENTS_EMPTY = SEGMENTS | STREW_ATTRIBUTE_EMPTY,
    COUNTED_SEGMENTS = SEGMENTS_EMPTY | REDUCTION | STREW_ATTRIBUTE_SEGMENT_COUNT,
    EDGES = PACKED_BAGS | SEGMENTS | STREW_ATTRIBUTE_USE_INIT_VAL
};

enum {
    NO_RULES = 0,
    NON_NEGATIVE = STREW_RULE_REFUSES_NEGATIVE,
    FLATTENED = STREW_RULE_FLATTENS_BATCH,
    ONE_ELEMENT = STREW_RULE_ONE_ELEMENT_UPDATES,
    AXIS_INPUT = STREW_RULE_AXIS_IS_INPUT,
    DEPRECATED = STREW_RULE_DEPRECATED,
    ZERO_OUTSIDE = STREW_RULE_ZERO_OUTSIDE,
    NAMES_DEFAULT = STREW_RULE_NAMES_DEFAULT,
    DROPS_BEYOND = STREW_RULE_DROPS_BEYOND
};

/* A line of the table, if its kind is built. Dtypes and reductions that are not built are left out. */
#define VERSION(name, collection, version, KIND, ...) \
    STREW_IF(STREW_HAS(KIND), {name, collection, version, STREW_KIND_##KIND, BUILT(__VA_ARGS__)}, )
#define BUILT(attributes, required, reductions, dtypes, index_dtypes, rules)                \
    attributes, required, (reductions)&STREW_BUILT_REDUCTIONS, (dtypes)&STREW_BUILT_DTYPES, \
        (index_dtypes)&STREW_BUILT_INDEX_DTYPES, rules

static const strew_operator operators[] = {
    /* clang-format off */
    VERSION("ScatterNDUpdate-3",         "OpenVINO",  3, SCATTER_ND,       REDUCTION,           0,    ASSIGN,          NUMERIC,          INT32_AND_INT64, NON_NEGATIVE | ONE_ELEMENT)
    VERSION("ScatterNDUpdate-15",        "OpenVINO", 15, SCATTER_ND,       REDUCTION,           0,    WITH_SUB,        NUMERIC_AND_BOOL, INT32_AND_INT64, ONE_ELEMENT)
    VERSION("ScatterElementsUpdate-3",   "OpenVINO",  3, SCATTER_ELEMENTS, AXIS_REDUCTION,      AXIS, ASSIGN,          NUMERIC,          INTEGERS,        NON_NEGATIVE | AXIS_INPUT)
    VERSION("ScatterElementsUpdate-12",  "OpenVINO", 12, SCATTER_ELEMENTS, AXIS_REDUCTION_INIT, AXIS, WITH_MEAN,       NUMERIC_AND_BOOL, INTEGERS,        AXIS_INPUT)
    VERSION("GatherND-5",                "OpenVINO",  5, GATHER_ND,        BATCH_DIMS,          0,    0,               ANY,              INTEGERS,        NON_NEGATIVE | FLATTENED)
    VERSION("GatherND-8",                "OpenVINO",  8, GATHER_ND,        BATCH_DIMS,          0,    0,               ANY,              INTEGERS,        NON_NEGATIVE)
    VERSION("GatherElements-6",          "OpenVINO",  6, GATHER_ELEMENTS,  AXIS,                AXIS, 0,               ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("Gather-1",                  "OpenVINO",  1, GATHER,           AXIS,                AXIS, 0,               ANY,              INTEGERS,        NON_NEGATIVE | AXIS_INPUT)
    VERSION("Gather-7",                  "OpenVINO",  7, GATHER,           AXIS_BATCH_DIMS,     AXIS, 0,               ANY,              INTEGERS,        NON_NEGATIVE | AXIS_INPUT)
    VERSION("Gather-8",                  "OpenVINO",  8, GATHER,           AXIS_BATCH_DIMS,     AXIS, 0,               ANY,              INTEGERS,        ZERO_OUTSIDE | AXIS_INPUT)
    VERSION("ScatterUpdate-3",           "OpenVINO",  3, SCATTER,          AXIS_REDUCTION,      AXIS, ASSIGN,          NUMERIC,          INTEGERS,        NON_NEGATIVE | AXIS_INPUT)
    VERSION("SliceScatter-15",           "OpenVINO", 15, SLICE_SCATTER,    REDUCTION_SLICE,     SLICE, ASSIGN,         NUMERIC,          INTEGERS,        NO_RULES)
    VERSION("EmbeddingBagOffsets-15",    "OpenVINO", 15, EMBEDDING_BAG_OFFSETS, BAGS,         SEGMENTS, SUM_MEAN,    NUMERIC,          INT32_AND_INT64, NON_NEGATIVE)
    VERSION("EmbeddingBagOffsetsSum-3",  "OpenVINO",  3, EMBEDDING_BAG_OFFSETS, BAGS,         SEGMENTS, SUM_ONLY,    NUMERIC,          INT32_AND_INT64, NON_NEGATIVE)
    VERSION("EmbeddingBagPacked-15",     "OpenVINO", 15, EMBEDDING_BAG_PACKED,  PACKED_BAGS,  0,    SUM_MEAN,        NUMERIC,          INT32_AND_INT64, NON_NEGATIVE)
    VERSION("EmbeddingBagPackedSum-3",   "OpenVINO",  3, EMBEDDING_BAG_PACKED,  PACKED_BAGS,  0,    SUM_ONLY,        NUMERIC,          INT32_AND_INT64, NON_NEGATIVE)
    VERSION("EmbeddingSegmentsSum-3",    "OpenVINO",  3, EMBEDDING_SEGMENTS, COUNTED_BAGS,    SEGMENTS, SUM_ONLY,    NUMERIC,          INT32_AND_INT64, NON_NEGATIVE | NAMES_DEFAULT)
    VERSION("SegmentMax-16",             "OpenVINO", 16, SEGMENT_REDUCE,   COUNTED_SEGMENTS,    SEGMENTS_EMPTY, MAX_ONLY, NUMERIC,       INT32_AND_INT64, NON_NEGATIVE | DROPS_BEYOND)
    VERSION("Scatter-9",                 "ONNX",      9, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ASSIGN,          ANY_BUT_BFLOAT16, INT32_AND_INT64, NO_RULES)
    VERSION("Scatter-11",                "ONNX",     11, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ASSIGN,          ANY_BUT_BFLOAT16, INT32_AND_INT64, DEPRECATED)
    VERSION("ScatterElements-11",        "ONNX",     11, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ASSIGN,          ANY_BUT_BFLOAT16, INT32_AND_INT64, NO_RULES)
    VERSION("ScatterElements-13",        "ONNX",     13, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ASSIGN,          ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("ScatterElements-16",        "ONNX",     16, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ADD_MUL,         ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("ScatterElements-18",        "ONNX",     18, SCATTER_ELEMENTS, AXIS_REDUCTION,      0,    ADD_MUL_MIN_MAX, ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("ScatterND-11",              "ONNX",     11, SCATTER_ND,       REDUCTION,           0,    ASSIGN,          ANY_BUT_BFLOAT16, INT64_ONLY,      NO_RULES)
    VERSION("ScatterND-13",              "ONNX",     13, SCATTER_ND,       REDUCTION,           0,    ASSIGN,          ANY,              INT64_ONLY,      NO_RULES)
    VERSION("ScatterND-16",              "ONNX",     16, SCATTER_ND,       REDUCTION,           0,    ADD_MUL,         ANY,              INT64_ONLY,      NO_RULES)
    VERSION("ScatterND-18",              "ONNX",     18, SCATTER_ND,       REDUCTION,           0,    ADD_MUL_MIN_MAX, ANY,              INT64_ONLY,      NO_RULES)
    VERSION("GatherND-11",               "ONNX",     11, GATHER_ND,        NO_ATTRIBUTES,       0,    0,               ANY_BUT_BFLOAT16, INT64_ONLY,      NO_RULES)
    VERSION("GatherND-12",               "ONNX",     12, GATHER_ND,        BATCH_DIMS,          0,    0,               ANY_BUT_BFLOAT16, INT64_ONLY,      NO_RULES)
    VERSION("GatherND-13",               "ONNX",     13, GATHER_ND,        BATCH_DIMS,          0,    0,               ANY,              INT64_ONLY,      NO_RULES)
    VERSION("GatherElements-11",         "ONNX",     11, GATHER_ELEMENTS,  AXIS,                0,    0,               ANY_BUT_BFLOAT16, INT32_AND_INT64, NO_RULES)
    VERSION("GatherElements-13",         "ONNX",     13, GATHER_ELEMENTS,  AXIS,                0,    0,               ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("Gather-1",                  "ONNX",      1, GATHER,           AXIS,                0,    0,               ANY_BUT_BFLOAT16, INT32_AND_INT64, NO_RULES)
    VERSION("Gather-11",                 "ONNX",     11, GATHER,           AXIS,                0,    0,               ANY_BUT_BFLOAT16, INT32_AND_INT64, NO_RULES)
    VERSION("Gather-13",                 "ONNX",     13, GATHER,           AXIS,                0,    0,               ANY,              INT32_AND_INT64, NO_RULES)
    VERSION("TensorScatter-24",          "ONNX",     24, TENSOR_SCATTER,   AXIS_REDUCTION_CIRCULAR, 0, ASSIGN,         ANY_OF_CACHES,    INT64_ONLY,      NON_NEGATIVE)
    /* clang-format on */
};

enum { OPERATORS = sizeof operators / sizeof *operators };

/* The rules of the unversioned calls, as strew.h defines them. They allow everything that any version allows. */
static const strew_operator unversioned[] = {
    /* clang-format off */
    [STREW_KIND_GATHER_ND]        = {"gather_nd",        "strew", 0, STREW_KIND_GATHER_ND,        BUILT(BATCH_DIMS,          0, 0,               ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_GATHER_ELEMENTS]  = {"gather_elements",  "strew", 0, STREW_KIND_GATHER_ELEMENTS,  BUILT(AXIS,                0, 0,               ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_SCATTER_ND]       = {"scatter_nd",       "strew", 0, STREW_KIND_SCATTER_ND,       BUILT(REDUCTION,           0, WITH_SUB,        ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_SCATTER_ELEMENTS] = {"scatter_elements", "strew", 0, STREW_KIND_SCATTER_ELEMENTS, BUILT(AXIS_REDUCTION_INIT, 0, EVERY_REDUCTION, ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_GATHER]           = {"gather",           "strew", 0, STREW_KIND_GATHER,           BUILT(AXIS_BATCH_DIMS,     0, 0,               ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_SCATTER]          = {"scatter",          "strew", 0, STREW_KIND_SCATTER,          BUILT(AXIS_REDUCTION_INIT_BATCH,     0, EVERY_REDUCTION, ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_TENSOR_SCATTER]   = {"tensor_scatter",   "strew", 0, STREW_KIND_TENSOR_SCATTER,   BUILT(AXIS_REDUCTION_CIRCULAR, 0, ASSIGN, ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_SLICE_SCATTER]    = {"slice_scatter",    "strew", 0, STREW_KIND_SLICE_SCATTER,    BUILT(REDUCTION_SLICE, SLICE, ASSIGN, ANY_AND_OPAQUE, INTEGERS, NO_RULES)},
    [STREW_KIND_EMBEDDING_BAG_OFFSETS] = {"embedding_bag_offsets", "strew", 0, STREW_KIND_EMBEDDING_BAG_OFFSETS, BUILT(BAGS, SEGMENTS, OF_BAGS, NUMERIC_AND_BOOL, INTEGERS, NO_RULES)},
    [STREW_KIND_EMBEDDING_BAG_PACKED] = {"embedding_bag_packed", "strew", 0, STREW_KIND_EMBEDDING_BAG_PACKED, BUILT(PACKED_BAGS, 0, OF_BAGS, NUMERIC_AND_BOOL, INTEGERS, NO_RULES)},
    [STREW_KIND_EMBEDDING_SEGMENTS] = {"embedding_segments", "strew", 0, STREW_KIND_EMBEDDING_SEGMENTS, BUILT(COUNTED_BAGS, SEGMENTS, OF_BAGS, NUMERIC_AND_BOOL, INTEGERS, NO_RULES)},
    [STREW_KIND_SEGMENT_REDUCE] = {"segment_reduce", "strew", 0, STREW_KIND_SEGMENT_REDUCE, BUILT(COUNTED_SEGMENTS, SEGMENTS, OF_BAGS, NUMERIC_AND_BOOL, INTEGERS, NO_RULES)},
    [STREW_KIND_GATHER_SCATTER] = {"gather_scatter", "strew", 0, STREW_KIND_GATHER_SCATTER, BUILT(EDGES, SEGMENTS, OF_EDGES, NUMERIC_AND_BOOL, INTEGERS, NO_RULES)},
    /* clang-format on */
};

const strew_operator *strew_unversioned(strew_kind kind)
{
    return &unversioned[kind];
}

size_t strew_operator_count(void)
{
    return OPERATORS;
}

const strew_operator *strew_operator_at(size_t index)
{
    return index < OPERATORS ? &operators[index] : NULL;
}

static bool is_version_of(const strew_operator *op, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(op->name, name, length) == 0 && op->name[length] == '-';
}

/*
 * Returns the part of a name after "ONNX:", or the whole name if it names no collection; NULL if it names another
 * one.
 */
static const char *name_within(const char *collection, const char *name)
{
    const char *const colon = name ? strchr(name, ':') : NULL;
    if (!colon)
        return name;
    const size_t length = (size_t)(colon - name);
    return strlen(collection) == length && memcmp(collection, name, length) == 0 ? colon + 1 : NULL;
}

const strew_operator *strew_operator_find(const char *full_name)
{
    const strew_operator *newest = NULL;
    for (size_t i = 0; i < OPERATORS; i++) {
        const strew_operator *op = &operators[i];
        const char *const name = name_within(op->collection, full_name);
        if (!name)
            continue;
        if (strcmp(op->name, name) == 0)
            return op;
        if (is_version_of(op, name) && (!newest || op->version > newest->version))
            newest = op;
    }
    return newest;
}
