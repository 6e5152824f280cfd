/* XLA's foreign function interface: reads a call frame into a call, and runs it with the threads of XLA's
 * client. */
#include "handlers.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "plans.h"
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

/* XLA asks once for a handler's metadata, in a frame without arguments. */
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

/* The one attribute of a call, a list of int64: looking for many by their names takes longer than a small call. */
static const XLA_FFI_Array *find_numbers(const XLA_FFI_Attrs *attributes)
{
    static const char name[] = "call";
    if (attributes->size != 1 || attributes->types[0] != XLA_FFI_AttrType_ARRAY)
        return NULL;
    const XLA_FFI_ByteSpan *span = attributes->names[0];
    const XLA_FFI_Array *array = attributes->attrs[0];
    const bool is_call = span->len == sizeof name - 1 && memcmp(span->ptr, name, span->len) == 0;
    return is_call && array->dtype == XLA_FFI_DataType_S64 ? array : NULL;
}

/* The lists of a slice, one after the other. */
static bool read_slice(const int64_t *numbers, size_t size, strew_jax_call *call)
{
    const size_t count = size / STREW_JAX_SLICE_LISTS;
    if (size % STREW_JAX_SLICE_LISTS != 0 || count > STREW_MAX_RANK)
        return false;
    call->sliced = (int32_t)count;
    for (size_t list = 0; count > 0 && list < STREW_JAX_SLICE_LISTS; list++)
        memcpy(call->slice[list], numbers + list * count, count * sizeof *numbers);
    return true;
}

/* The numbers of a call, in the order in which strew.jax writes them (_primitives.NUMBERS), and the lists of a
 * slice. */
enum {
    AXIS,
    BATCH_DIMS,
    REDUCTION,
    USE_INIT_VAL,
    CIRCULAR,
    SEGMENT_COUNT,
    EMPTY,
    DEFAULT_INDEX,
    BOUNDS,
    UNIQUE_INDICES,
    HAS_FILL,
    FILL,
    NUMBERS = FILL + 2
};

static bool read_numbers(const XLA_FFI_Attrs *attributes, strew_jax_call *call)
{
    const XLA_FFI_Array *array = find_numbers(attributes);
    if (array == NULL || array->size < NUMBERS)
        return false;
    const int64_t *numbers = array->data;
    call->axis = numbers[AXIS];
    call->batch_dims = numbers[BATCH_DIMS];
    call->reduction = (strew_reduction)numbers[REDUCTION];
    call->use_init_val = numbers[USE_INIT_VAL] != 0;
    call->circular = numbers[CIRCULAR] != 0;
    call->segment_count = numbers[SEGMENT_COUNT];
    call->empty = (strew_empty)numbers[EMPTY];
    call->default_index = numbers[DEFAULT_INDEX];
    call->bounds = (strew_bounds)numbers[BOUNDS];
    call->unique_indices = numbers[UNIQUE_INDICES] != 0;
    call->has_fill = numbers[HAS_FILL] != 0;
    memcpy(call->fill, numbers + FILL, sizeof call->fill);
    return read_slice(numbers + NUMBERS, array->size - NUMBERS, call);
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
    memset(call, 0, offsetof(strew_jax_call, slice));
    call->kind = kind;
    return read_operands(frame, call) && frame->rets.size == 1 && read_numbers(&frame->attrs, call);
}

static size_t bytes_of(const strew_tensor *tensor)
{
    size_t bytes = strew_dtype_size(tensor->dtype);
    for (int32_t i = 0; i < tensor->rank; i++)
        bytes *= (size_t)tensor->shape[i];
    return bytes;
}

/* Appends a tensor to a key. False if strew does not support its rank. */
static bool add_tensor(plan_key *key, const XLA_FFI_Buffer *buffer)
{
    if (buffer->rank > STREW_MAX_RANK)
        return false;
    key->words[key->size++] = (int64_t)buffer->dtype;
    key->words[key->size++] = buffer->rank;
    for (int64_t i = 0; i < buffer->rank; i++)
        key->words[key->size++] = buffer->dims[i];
    return true;
}

/* The key of a call that was read: at most five operands, the output, and the numbers. */
static bool key_of(const XLA_FFI_CallFrame *frame, strew_kind kind, size_t threads, plan_key *key)
{
    const XLA_FFI_Array *numbers = find_numbers(&frame->attrs);
    key->words[0] = (int64_t)kind;
    key->words[1] = (int64_t)threads;
    key->size = 2;
    for (int64_t i = 0; i < frame->args.size; i++) {
        if (!add_tensor(key, frame->args.args[i]))
            return false;
    }
    if (!add_tensor(key, frame->rets.rets[0]))
        return false;
    memcpy(key->words + key->size, numbers->data, numbers->size * sizeof(int64_t));
    key->size += numbers->size;
    return true;
}

static strew_status make_plan(const strew_jax_call *call, const strew_tensor *output, size_t threads,
                              kept_plan *made, strew_error *error)
{
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    planning.threads = threads;
    planning.bounds = call->bounds;
    planning.flags = call->unique_indices ? STREW_FLAG_UNIQUE_INDICES : 0;
    planning.error = error;
    const strew_status status = strew_jax_plan(call, output, &planning, &made->plan);
    made->has_use_for_scratch =
        status == STREW_STATUS_OK && (strew_plan_scratch_size(&made->plan, threads) > 0 ||
                                      strew_plan_least_scratch_size(&made->plan, threads) > 0);
    return status;
}

static strew_status run_plan(const kept_plan *kept, const strew_jax_call *call, const strew_tensor *output,
                             const strew_parallel *parallel, strew_error *error)
{
    scratch_block *scratch = NULL;
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.parallel = parallel;
    running.error = error;
    running.fill = call->has_fill ? call->fill : NULL;
    if (kept->has_use_for_scratch) /* if this fails, strew refuses the run */
        (void)scratch_lend(&kept->plan, parallel->threads, &running, &scratch);
    /* XLA lets output be data itself where it may: then the scatter is in place. */
    strew_buffers buffers = {.data = call->data.data,
                             .indices = call->indices.data,
                             .updates = call->updates.data,
                             .output = output->data,
                             .segments = call->segments.data,
                             .weights = call->weights.data};
    if (output->data != call->data.data)
        prefer_huge_pages(output->data, bytes_of(output));
    const strew_status status = strew_plan_run(&kept->plan, &buffers, &running);
    scratch_give_back(scratch);
    return status;
}

static XLA_FFI_Error *handle(XLA_FFI_CallFrame *frame, strew_kind kind)
{
    if (answer_metadata(frame) || frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
        return NULL;
    const strew_parallel parallel = strew_jax_threads(frame);
    strew_jax_call call;
    plan_key key;
    if (!read_call(frame, kind, &call) || !key_of(frame, kind, parallel.threads, &key))
        return refuse(frame, kind, XLA_FFI_Error_Code_INTERNAL,
                      "the compiled program was made by another version of strew; compile it again");
    const strew_tensor output = tensor_of(frame->rets.rets[0]);
    const void *const place = find_numbers(&frame->attrs)->data;
    kept_plan *kept = take_plan(place, &key);
    strew_error error;
    strew_status status = STREW_STATUS_OK;
    if (kept == NULL) {
        kept = new_plan(&key);
        if (kept == NULL)
            return refuse(frame, kind, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "there is no memory for a plan");
        status = make_plan(&call, &output, parallel.threads, kept, &error);
    }
    const bool is_planned = status == STREW_STATUS_OK;
    if (is_planned)
        status = run_plan(kept, &call, &output, &parallel, &error);
    give_back_plan(place, is_planned, kept);
    return status == STREW_STATUS_OK ? NULL : refuse_status(frame, kind, &error);
}

/* X(name, KIND): the kinds. Each has a handler, because XLA passes no other sign of the kind. */
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
