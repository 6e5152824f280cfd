/* XLA's foreign function interface: a call frame becomes a call, and is run with the threads of XLA's client. */
#include "handlers.h"

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "shared/pages.h"
#include "shared/scratch.h"
#include "threads.h"

/* The oldest interface that has all that is used here. XLA refuses handlers of a newer one than its own. */
enum { INTERFACE_MAJOR = 0, INTERFACE_MINOR = 1 };

/* Room for the longest of strew's messages, with positions of rank 32, and for the name of the function. */
enum { MESSAGE_SIZE = 1024, NAME_SIZE = 64 };

static XLA_FFI_Error *refuse(XLA_FFI_CallFrame *frame, strew_kind kind, XLA_FFI_Error_Code code, const char *reason)
{
    char message[MESSAGE_SIZE + NAME_SIZE];
    snprintf(message, sizeof message, "strew.jax.%s: %s", strew_kind_name(kind), reason);
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error *refuse_status(XLA_FFI_CallFrame *frame, strew_kind kind, const strew_error *error)
{
    char reason[MESSAGE_SIZE];
    strew_error_message(error, reason, sizeof reason);
    bool outside = error->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    return refuse(frame, kind, outside ? XLA_FFI_Error_Code_OUT_OF_RANGE : XLA_FFI_Error_Code_INVALID_ARGUMENT,
                  reason);
}

/* XLA asks once what a handler is, in a frame that has nothing else. */
static bool answer_metadata(const XLA_FFI_CallFrame *frame)
{
    XLA_FFI_Extension_Base *extension = frame->extension_start;
    if (extension == NULL || extension->type != XLA_FFI_Extension_Metadata)
        return false;
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
    metadata->api_version.major_version = INTERFACE_MAJOR;
    metadata->api_version.minor_version = INTERFACE_MINOR;
    return true;
}

static strew_dtype dtype_of(XLA_FFI_DataType type)
{
    switch (type) {
    case XLA_FFI_DataType_PRED: return STREW_DTYPE_BOOL;
    case XLA_FFI_DataType_S8: return STREW_DTYPE_INT8;
    case XLA_FFI_DataType_S16: return STREW_DTYPE_INT16;
    case XLA_FFI_DataType_S32: return STREW_DTYPE_INT32;
    case XLA_FFI_DataType_S64: return STREW_DTYPE_INT64;
    case XLA_FFI_DataType_U8: return STREW_DTYPE_UINT8;
    case XLA_FFI_DataType_U16: return STREW_DTYPE_UINT16;
    case XLA_FFI_DataType_U32: return STREW_DTYPE_UINT32;
    case XLA_FFI_DataType_U64: return STREW_DTYPE_UINT64;
    case XLA_FFI_DataType_F16: return STREW_DTYPE_FLOAT16;
    case XLA_FFI_DataType_BF16: return STREW_DTYPE_BFLOAT16;
    case XLA_FFI_DataType_F32: return STREW_DTYPE_FLOAT32;
    case XLA_FFI_DataType_F64: return STREW_DTYPE_FLOAT64;
    case XLA_FFI_DataType_C64: return STREW_DTYPE_COMPLEX64;
    case XLA_FFI_DataType_C128: return STREW_DTYPE_COMPLEX128;
    case XLA_FFI_DataType_F8E5M2:
    case XLA_FFI_DataType_F8E3M4:
    case XLA_FFI_DataType_F8E4M3:
    case XLA_FFI_DataType_F8E4M3FN:
    case XLA_FFI_DataType_F8E4M3B11FNUZ:
    case XLA_FFI_DataType_F8E5M2FNUZ:
    case XLA_FFI_DataType_F8E4M3FNUZ:
    case XLA_FFI_DataType_F8E8M0FNU: return STREW_DTYPE_OPAQUE(1);
    default: return STREW_DTYPE_NONE;
    }
}

static strew_tensor tensor_of(const XLA_FFI_Buffer *buffer)
{
    strew_tensor tensor = {buffer->data, dtype_of(buffer->dtype), (int32_t)buffer->rank, buffer->dims, NULL};
    return tensor;
}

/* An attribute of this type; NULL if it is not there. */
static const void *find_attribute(const XLA_FFI_Attrs *attributes, const char *name, XLA_FFI_AttrType type)
{
    for (int64_t i = 0; i < attributes->size; i++) {
        const XLA_FFI_ByteSpan *span = attributes->names[i];
        if (span->len == strlen(name) && memcmp(span->ptr, name, span->len) == 0)
            return attributes->types[i] == type ? attributes->attrs[i] : NULL;
    }
    return NULL;
}

/* An attribute, all of which are int64. False if it is not there. */
static bool read_attribute(const XLA_FFI_Attrs *attributes, const char *name, int64_t *value)
{
    const XLA_FFI_Scalar *scalar = find_attribute(attributes, name, XLA_FFI_AttrType_SCALAR);
    if (scalar == NULL || scalar->dtype != XLA_FFI_DataType_S64)
        return false;
    memcpy(value, scalar->value, sizeof *value);
    return true;
}

/* The lists of a slice, one after the other. */
static bool read_slice(const XLA_FFI_Attrs *attributes, strew_jax_call *call)
{
    const XLA_FFI_Array *array = find_attribute(attributes, "slice", XLA_FFI_AttrType_ARRAY);
    if (array == NULL || array->dtype != XLA_FFI_DataType_S64 || array->size % STREW_JAX_SLICE_LISTS != 0 ||
        array->size / STREW_JAX_SLICE_LISTS > STREW_MAX_RANK)
        return false;
    const size_t count = array->size / STREW_JAX_SLICE_LISTS;
    call->sliced = (int32_t)count;
    for (size_t list = 0; count > 0 && list < STREW_JAX_SLICE_LISTS; list++)
        memcpy(call->slice[list], (const int64_t *)array->data + list * count, count * sizeof(int64_t));
    return true;
}

/* The operands that follow data. False if there are too few or too many. */
static bool read_operands(const XLA_FFI_CallFrame *frame, strew_jax_call *call)
{
    strew_tensor *const tensors[] = {&call->indices, &call->updates, &call->segments, &call->weights};
    int64_t next = 0;
    if (frame->args.size < 1)
        return false;
    call->data = tensor_of(frame->args.args[next++]);
    for (unsigned i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        const unsigned operand = 1u << i;
        if (!strew_jax_has(call->kind, operand))
            continue;
        const bool is_there = next < frame->args.size;
        if (operand == STREW_JAX_WEIGHTS)
            call->has_weights = is_there;
        else if (!is_there)
            return false;
        if (is_there)
            *tensors[i] = tensor_of(frame->args.args[next++]);
    }
    return next == frame->args.size;
}

static bool read_call(const XLA_FFI_CallFrame *frame, strew_kind kind, strew_jax_call *call)
{
    int64_t axis, batch_dims, reduction, use_init_val, circular, segment_count, empty, default_index, bounds,
        unique_indices, has_fill, fill[2];
    memset(call, 0, sizeof *call);
    call->kind = kind;
    if (!read_operands(frame, call) || frame->rets.size != 1 || !read_attribute(&frame->attrs, "axis", &axis) ||
        !read_attribute(&frame->attrs, "batch_dims", &batch_dims) ||
        !read_attribute(&frame->attrs, "reduction", &reduction) ||
        !read_attribute(&frame->attrs, "use_init_val", &use_init_val) ||
        !read_attribute(&frame->attrs, "circular", &circular) ||
        !read_attribute(&frame->attrs, "segment_count", &segment_count) ||
        !read_attribute(&frame->attrs, "empty", &empty) ||
        !read_attribute(&frame->attrs, "default_index", &default_index) ||
        !read_attribute(&frame->attrs, "bounds", &bounds) ||
        !read_attribute(&frame->attrs, "unique_indices", &unique_indices) ||
        !read_attribute(&frame->attrs, "has_fill", &has_fill) ||
        !read_attribute(&frame->attrs, "fill_first", &fill[0]) ||
        !read_attribute(&frame->attrs, "fill_second", &fill[1]) ||
        (kind == STREW_KIND_SLICE_SCATTER && !read_slice(&frame->attrs, call)))
        return false;
    call->axis = axis;
    call->batch_dims = batch_dims;
    call->reduction = (strew_reduction)reduction;
    call->use_init_val = use_init_val != 0;
    call->circular = circular != 0;
    call->segment_count = segment_count;
    call->empty = (strew_empty)empty;
    call->default_index = default_index;
    call->bounds = (strew_bounds)bounds;
    call->unique_indices = unique_indices != 0;
    call->has_fill = has_fill != 0;
    memcpy(call->fill, fill, sizeof call->fill);
    return true;
}

static size_t bytes_of(const strew_tensor *tensor)
{
    size_t bytes = strew_dtype_size(tensor->dtype);
    for (int32_t i = 0; i < tensor->rank; i++)
        bytes *= (size_t)tensor->shape[i];
    return bytes;
}

static strew_status run_call(XLA_FFI_CallFrame *frame, const strew_jax_call *call, const strew_tensor *output,
                             strew_error *error)
{
    strew_parallel parallel = strew_jax_threads(frame);
    strew_plan plan;
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    planning.threads = parallel.threads;
    planning.bounds = call->bounds;
    planning.flags = call->unique_indices ? STREW_FLAG_UNIQUE_INDICES : 0;
    planning.error = error;
    strew_status status = strew_jax_plan(call, output, &planning, &plan);
    if (status != STREW_STATUS_OK)
        return status;

    scratch_block *scratch;
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.parallel = &parallel;
    running.error = error;
    running.fill = call->has_fill ? call->fill : NULL;
    (void)scratch_lend(&plan, parallel.threads, &running, &scratch); /* strew refuses what has too little */
    /* XLA lets output be data itself where it may: then the scatter is in place. */
    strew_buffers buffers = {.data = call->data.data,
                             .indices = call->indices.data,
                             .updates = call->updates.data,
                             .output = output->data,
                             .segments = call->segments.data,
                             .weights = call->weights.data};
    if (output->data != call->data.data)
        prefer_huge_pages(output->data, bytes_of(output));
    status = strew_plan_run(&plan, &buffers, &running);
    scratch_give_back(scratch);
    return status;
}

static XLA_FFI_Error *handle(XLA_FFI_CallFrame *frame, strew_kind kind)
{
    if (answer_metadata(frame) || frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
        return NULL;
    strew_jax_call call;
    if (!read_call(frame, kind, &call))
        return refuse(frame, kind, XLA_FFI_Error_Code_INTERNAL,
                      "the compiled program was made by another version of strew; compile it again");
    strew_tensor output = tensor_of(frame->rets.rets[0]);
    strew_error error;
    if (run_call(frame, &call, &output, &error) != STREW_STATUS_OK)
        return refuse_status(frame, kind, &error);
    return NULL;
}

/* X(name, KIND): each kind, whose handler knows it by nothing else. */
#define KINDS(X)                                    \
    X(gather, GATHER)                               \
    X(gather_nd, GATHER_ND)                         \
    X(gather_elements, GATHER_ELEMENTS)             \
    X(scatter, SCATTER)                             \
    X(scatter_nd, SCATTER_ND)                       \
    X(scatter_elements, SCATTER_ELEMENTS)           \
    X(tensor_scatter, TENSOR_SCATTER)               \
    X(slice_scatter, SLICE_SCATTER)                 \
    X(embedding_bag_offsets, EMBEDDING_BAG_OFFSETS) \
    X(embedding_bag_packed, EMBEDDING_BAG_PACKED)   \
    X(embedding_segments, EMBEDDING_SEGMENTS)       \
    X(segment_reduce, SEGMENT_REDUCE)               \
    X(gather_scatter, GATHER_SCATTER)

#define HANDLER(name, KIND)                              \
    static XLA_FFI_Error *name(XLA_FFI_CallFrame *frame) \
    {                                                    \
        return handle(frame, STREW_KIND_##KIND);         \
    }
KINDS(HANDLER)
#undef HANDLER

XLA_FFI_Handler *strew_jax_handler(strew_kind kind)
{
    static XLA_FFI_Handler *const handlers[] = {
#define ENTRY(name, KIND) [STREW_KIND_##KIND] = name,
        KINDS(ENTRY)
#undef ENTRY
    };
    return handlers[kind];
}
