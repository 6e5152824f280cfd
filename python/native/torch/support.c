#include "host.h"

#include <string.h>

/* ---- Tensors ---- */

/* X(PyTorch's name, strew's, DLPack's code and bits). dtypes that strew cannot compute with move as bytes. */
#define DTYPES(X)                                    \
    X(bool, STREW_DTYPE_BOOL, 6, 8)                  \
    X(int8, STREW_DTYPE_INT8, 0, 8)                  \
    X(int16, STREW_DTYPE_INT16, 0, 16)               \
    X(int32, STREW_DTYPE_INT32, 0, 32)               \
    X(int64, STREW_DTYPE_INT64, 0, 64)               \
    X(uint8, STREW_DTYPE_UINT8, 1, 8)                \
    X(uint16, STREW_DTYPE_UINT16, 1, 16)             \
    X(uint32, STREW_DTYPE_UINT32, 1, 32)             \
    X(uint64, STREW_DTYPE_UINT64, 1, 64)             \
    X(float16, STREW_DTYPE_FLOAT16, 2, 16)           \
    X(bfloat16, STREW_DTYPE_BFLOAT16, 4, 16)         \
    X(float32, STREW_DTYPE_FLOAT32, 2, 32)           \
    X(float64, STREW_DTYPE_FLOAT64, 2, 64)           \
    X(complex64, STREW_DTYPE_COMPLEX64, 5, 64)       \
    X(complex128, STREW_DTYPE_COMPLEX128, 5, 128)    \
    X(complex32, STREW_DTYPE_OPAQUE(4), 5, 32)       \
    X(float8_e5m2, STREW_DTYPE_OPAQUE(1), 12, 8)     \
    X(float8_e4m3fn, STREW_DTYPE_OPAQUE(1), 10, 8)   \
    X(float8_e5m2fnuz, STREW_DTYPE_OPAQUE(1), 13, 8) \
    X(float8_e4m3fnuz, STREW_DTYPE_OPAQUE(1), 11, 8)

enum { DTYPE_LIMIT = 64 };

/* strew's dtype for each of PyTorch's. */
static strew_dtype dtypes[DTYPE_LIMIT];
static int32_t cpu, strided;

/* PyTorch's dtype for each of DLPack's, one more than its number: by the code, and by the bytes as a power of two.
 */
enum { DLPACK_CODES = 32, DLPACK_SIZES = 5 };
static int32_t dlpack_dtypes[DLPACK_CODES][DLPACK_SIZES];

static int32_t power_of_bytes(int32_t bits)
{
    int32_t power = 0;
    while (power < DLPACK_SIZES && 8 << power != bits)
        power++;
    return power;
}

static void relate(int32_t dtype, strew_dtype own, int32_t code, int32_t bits)
{
    if (dtype < 0 || dtype >= DTYPE_LIMIT)
        return;
    dtypes[dtype] = own;
    dlpack_dtypes[code][power_of_bytes(bits)] = dtype + 1;
}

void strew_torch_learn_constants(void)
{
    cpu = pytorch.aoti_torch_device_type_cpu();
    strided = pytorch.aoti_torch_layout_strided();
#define RELATE(name, own, code, bits) relate(pytorch.aoti_torch_dtype_##name(), own, code, bits);
    DTYPES(RELATE)
#undef RELATE
}

int32_t strew_torch_dtype_find(const char *name)
{
#define MATCH(known, own, code, bits) \
    if (strcmp(name, #known) == 0)    \
        return pytorch.aoti_torch_dtype_##known();
    DTYPES(MATCH)
#undef MATCH
    return -1;
}

int32_t strew_torch_dtype_from_dlpack(uint8_t code, uint8_t bits)
{
    const int32_t power = power_of_bytes(bits);
    return code < DLPACK_CODES && power < DLPACK_SIZES ? dlpack_dtypes[code][power] - 1 : -1;
}

strew_dtype strew_torch_dtype(int32_t dtype)
{
    return dtype >= 0 && dtype < DTYPE_LIMIT ? dtypes[dtype] : STREW_DTYPE_NONE;
}

/* Fills all fields of a view but the pointer. */
static bool view_shape(AtenTensorHandle tensor, strew_tensor *view)
{
    int32_t device, layout, dtype;
    int64_t rank, *sizes, *strides;
    if (pytorch.aoti_torch_get_device_type(tensor, &device) || device != cpu)
        return false;
    if (pytorch.aoti_torch_get_layout(tensor, &layout) || layout != strided)
        return false;
    if (pytorch.aoti_torch_get_dtype(tensor, &dtype) || pytorch.aoti_torch_get_dim(tensor, &rank) ||
        pytorch.aoti_torch_get_sizes(tensor, &sizes) || pytorch.aoti_torch_get_strides(tensor, &strides))
        return false;
    view->dtype = strew_torch_dtype(dtype);
    view->rank = (int32_t)rank;
    view->shape = sizes;
    view->strides = strides;
    return view->dtype != STREW_DTYPE_NONE && rank <= STREW_MAX_RANK;
}

bool strew_torch_view(AtenTensorHandle tensor, strew_tensor *view)
{
    const void *data;
    if (!view_shape(tensor, view) || pytorch.torch_get_const_data_ptr(tensor, &data))
        return false;
    view->data = (void *)(uintptr_t)data;
    return true;
}

bool strew_torch_view_mutable(AtenTensorHandle tensor, strew_tensor *view)
{
    return view_shape(tensor, view) && !pytorch.torch_get_mutable_data_ptr(tensor, &view->data);
}

AtenTensorHandle strew_torch_empty_strided(int32_t rank, const int64_t *sizes, const int64_t *strides,
                                           int32_t dtype)
{
    AtenTensorHandle owned = native_empty(rank, sizes, strides, dtype);
    if (owned || !pytorch.aoti_torch_empty_strided(rank, sizes, strides, dtype, cpu, 0, &owned))
        return owned;
    return NULL;
}

AtenTensorHandle strew_torch_empty(int32_t rank, const int64_t *sizes, int32_t dtype)
{
    int64_t strides[STREW_MAX_RANK];
    int64_t stride = 1;
    for (int32_t d = rank - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= sizes[d] > 1 ? sizes[d] : 1;
    }
    return strew_torch_empty_strided(rank, sizes, strides, dtype);
}

/* ---- Threads ---- */

typedef struct job {
    strew_task task;
    void *context;
} job;

static void run_range(int64_t begin, int64_t end, void *context)
{
    const job *self = context;
    for (int64_t i = begin; i < end; i++)
        self->task(self->context, (size_t)i);
}

static void run(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    job self = {task, context};
    if (pytorch.torch_parallel_for(0, (int64_t)count, 1, run_range, &self))
        run_range(0, (int64_t)count, &self); /* no thread started, so nothing has run yet */
}

strew_parallel strew_torch_parallel(void)
{
    uint32_t threads = 1;
    if (pytorch.torch_get_num_threads(&threads) || threads == 0)
        threads = 1;
    return (strew_parallel){run, NULL, threads};
}
