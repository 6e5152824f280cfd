/* An array of any library as a strew_tensor: by __array_struct__, by DLPack (dlpack.c), or by its buffer. */
#include "core.h"

#include <string.h>

/* ---- The array interface ------------------------------------------------------------------------------ */

/* https://numpy.org/doc/stable/reference/arrays.interface.html */
typedef struct array_interface {
    int two;
    int rank;
    char kind;
    int item_size;
    int flags;
    Py_intptr_t *shape;
    Py_intptr_t *strides; /* in bytes */
    void *data;
    PyObject *description;
} array_interface;

enum { INTERFACE_NATIVE_ORDER = 0x200, INTERFACE_WRITEABLE = 0x400 };

/* A dtype of each kind and size that NumPy and strew both have; STREW_DTYPE_NONE if strew has no such numbers. */
static strew_dtype number_dtype(char kind, int item_size)
{
    switch (kind) {
    case 'b': return item_size == 1 ? STREW_DTYPE_BOOL : STREW_DTYPE_NONE;
    case 'i':
    case 'u': {
        const strew_dtype first = kind == 'i' ? STREW_DTYPE_INT8 : STREW_DTYPE_UINT8;
        return item_size == 1   ? first
               : item_size == 2 ? first + 1
               : item_size == 4 ? first + 2
               : item_size == 8 ? first + 3
                                : STREW_DTYPE_NONE;
    }
    case 'f':
        return item_size == 1   ? STREW_DTYPE_FLOAT8E5M2 /* ml_dtypes; its other dtypes have the kind V */
               : item_size == 2 ? STREW_DTYPE_FLOAT16
               : item_size == 4 ? STREW_DTYPE_FLOAT32
               : item_size == 8 ? STREW_DTYPE_FLOAT64
                                : STREW_DTYPE_NONE;
    case 'c':
        return item_size == 8 ? STREW_DTYPE_COMPLEX64 : item_size == 16 ? STREW_DTYPE_COMPLEX128 : STREW_DTYPE_NONE;
    default: return STREW_DTYPE_NONE;
    }
}

static int refuse_dtype(PyObject *object, strew_operand operand, const char *why)
{
    PyObject *dtype = PyObject_GetAttr(object, core.names.dtype);
    if (dtype)
        raise_status(STREW_STATUS_UNSUPPORTED_DTYPE, operand, "%s has dtype %S, %s", operand_name(operand), dtype,
                     why);
    Py_XDECREF(dtype);
    return -1;
}

/* The dtype that ml_dtypes has under this name, otherwise opaque; STREW_DTYPE_NONE with an exception. */
static strew_dtype void_dtype(PyObject *dtype, int item_size)
{
    strew_dtype found = STREW_DTYPE_OPAQUE(item_size);
    if (item_size > 2) /* ml_dtypes has none larger */
        return found;
    PyObject *type = PyObject_GetAttr(dtype, core.names.type); /* dtype.name would run Python */
    PyObject *name = type ? PyObject_GetAttr(type, core.names.name) : NULL;
    Py_XDECREF(type);
    if (!name)
        return STREW_DTYPE_NONE;
#define MATCH(known, own)                                                             \
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, #known) == 0) \
        found = own;
    ML_DTYPES(MATCH)
#undef MATCH
    Py_DECREF(name);
    return found;
}

static int refuse_order(PyObject *object, strew_operand operand)
{
    return refuse_dtype(
        object, operand,
        "which is not in this machine's byte order: convert it with astype(dtype.newbyteorder('='))");
}

/* Whether an attribute is true; -1 with an exception. */
static int says(PyObject *object, PyObject *name)
{
    PyObject *answer = PyObject_GetAttr(object, name);
    const int is_true = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is_true;
}

/* Structures and extension dtypes, such as those of ml_dtypes, have the kind V. Structures have no byte order. */
static int read_void_dtype(array *target, PyObject *object, int item_size, strew_operand operand)
{
    PyObject *dtype = PyObject_GetAttr(object, core.names.dtype);
    const int holds_objects = dtype ? says(dtype, core.names.hasobject) : -1;
    const int is_native = holds_objects == 0 ? says(dtype, core.names.isnative) : -1;
    const strew_dtype found = is_native > 0 ? void_dtype(dtype, item_size) : STREW_DTYPE_NONE;
    Py_XDECREF(dtype);
    if (holds_objects > 0)
        return refuse_dtype(object, operand, "whose elements hold Python objects: these cannot be moved as bytes");
    if (is_native == 0)
        return refuse_order(object, operand);
    target->tensor.dtype = found;
    return found == STREW_DTYPE_NONE ? -1 : 0;
}

/* NumPy's interface of a structured array has lost its flags. */
static int read_flags(array *target, PyObject *object)
{
    PyObject *flags = PyObject_GetAttr(object, core.names.flags);
    const int is_writeable = flags ? says(flags, core.names.writeable) : -1;
    Py_XDECREF(flags);
    target->is_read_only = is_writeable != 1;
    return is_writeable < 0 ? -1 : 0;
}

static int read_dtype(array *target, PyObject *object, const array_interface *interface, strew_operand operand)
{
    target->tensor.dtype = number_dtype(interface->kind, interface->item_size);
    if (interface->kind != 'V' && !(interface->flags & INTERFACE_NATIVE_ORDER))
        return refuse_order(object, operand);
    if (target->tensor.dtype != STREW_DTYPE_NONE)
        return 0;
    if (!strchr("VfcSUmM", interface->kind))
        return refuse_dtype(object, operand, "whose elements are not of a fixed size, or are Python objects");
    if (interface->item_size <= 0)
        return refuse_dtype(object, operand, "whose elements have no bytes");
    if (interface->kind == 'V') {
        const bool has_flags = interface->flags & INTERFACE_NATIVE_ORDER;
        const int status = read_void_dtype(target, object, interface->item_size, operand);
        return status == 0 && !has_flags ? read_flags(target, object) : status;
    }
    target->is_text = interface->kind == 'S' || interface->kind == 'U';
    target->tensor.dtype = STREW_DTYPE_OPAQUE(interface->item_size);
    return 0;
}

static int refuse_rank(strew_operand operand, int rank)
{
    raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s has rank %d, above %d", operand_name(operand), rank,
                 STREW_MAX_RANK);
    return -1;
}

static bool is_empty(const array_interface *interface)
{
    for (int d = 0; d < interface->rank; d++)
        if (interface->shape[d] == 0)
            return true;
    return false;
}

static bool has_no_elements(const strew_tensor *tensor)
{
    for (int32_t d = 0; d < tensor->rank; d++)
        if (tensor->shape[d] == 0)
            return true;
    return false;
}

/* NumPy gives strides in bytes, strew takes them in elements. The strides of an empty array become 0. */
static int read_strides(array *target, const array_interface *interface, strew_operand operand)
{
    if (is_empty(interface))
        return 0;
    for (int d = 0; d < interface->rank; d++) {
        const Py_intptr_t size = interface->item_size, stride = interface->strides[d];
        if (stride % size != 0 && interface->shape[d] > 1) {
            raise_status(
                STREW_STATUS_INVALID_ARGUMENT, operand,
                "%s has a stride of %zd bytes in dimension %d, not a multiple of its element's %d: copy it",
                operand_name(operand), (Py_ssize_t)stride, d, interface->item_size);
            return -1;
        }
        target->strides[d] = stride / size;
    }
    target->tensor.strides = target->strides;
    return 0;
}

static int read_interface(array *target, PyObject *object, const array_interface *interface, strew_operand operand)
{
    if (!interface || interface->two != 2) {
        PyErr_Format(PyExc_TypeError, "%s: __array_struct__ is not a capsule of an array interface",
                     operand_name(operand));
        return -1;
    }
    if (interface->rank < 0 || interface->rank > STREW_MAX_RANK)
        return refuse_rank(operand, interface->rank);
    target->tensor.data = interface->data;
    target->tensor.rank = interface->rank;
    target->is_read_only = !(interface->flags & INTERFACE_WRITEABLE);
    if (read_dtype(target, object, interface, operand) != 0)
        return -1;
    for (int d = 0; d < interface->rank; d++)
        target->shape[d] = interface->shape[d];
    return interface->strides ? read_strides(target, interface, operand) : 0;
}

static int read_by_interface(array *target, PyObject *object, strew_operand operand)
{
    target->origin = LIBRARY_NUMPY;
    target->keeper = PyObject_GetAttr(object, core.names.array_struct);
    if (!target->keeper)
        return -1;
    return read_interface(target, object, PyCapsule_GetPointer(target->keeper, NULL), operand);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static int refuse_object(PyObject *object, strew_operand operand)
{
    PyObject *name = class_name_of(object);
    if (name)
        PyErr_Format(PyExc_TypeError,
                     "%s must be an array with __array_struct__ (NumPy), DLPack (PyTorch, JAX) or a buffer, not %U",
                     operand_name(operand), name);
    Py_XDECREF(name);
    return -1;
}

/* Reads an array of NumPy that was made for this, and takes its reference; NULL has an exception. */
static int read_made(array *target, PyObject *made, strew_operand operand)
{
    if (!made)
        return -1;
    const int status = read_by_interface(target, made, operand);
    Py_XDECREF(target->keeper); /* which lives as long as the array */
    target->keeper = made;
    target->object = made;
    return status;
}

static bool says_where(strew_operand operand)
{
    return operand == STREW_OPERAND_INDICES || operand == STREW_OPERAND_OFFSETS ||
           operand == STREW_OPERAND_SEGMENT_IDS || operand == STREW_OPERAND_TARGETS;
}

/* A list, a number or anything else that numpy.asarray takes. An empty list of indices has no dtype. */
static int read_converted(array *target, PyObject *object, strew_operand operand)
{
    PyObject *made = PyObject_CallFunctionObjArgs(core.numpy_asarray, object, NULL);
    PyObject *dtype = made ? PyObject_GetAttr(made, core.names.dtype) : NULL;
    const int holds_objects = dtype ? says(dtype, core.names.hasobject) : -1;
    Py_XDECREF(dtype);
    if (holds_objects != 0) {
        Py_XDECREF(made);
        return holds_objects > 0 ? refuse_object(object, operand) : -1;
    }
    const int status = read_made(target, made, operand);
    target->is_converted = true;
    if (status == 0 && says_where(operand) && has_no_elements(&target->tensor))
        target->tensor.dtype = STREW_DTYPE_INT64;
    return status;
}

/* The limited API has Py_buffer from 3.11 only; NumPy makes an array of a memoryview without a copy. */
static int read_by_buffer(array *target, PyObject *object, strew_operand operand)
{
    PyObject *view = PyMemoryView_FromObject(object);
    if (!view) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return -1;
        PyErr_Clear();
        return operand == STREW_OPERAND_OUTPUT ? refuse_object(object, operand)
                                               : read_converted(target, object, operand);
    }
    PyObject *made = PyObject_CallFunctionObjArgs(core.numpy_asarray, view, NULL);
    Py_DECREF(view);
    return read_made(target, made, operand);
}

/* ---- Which way an object is read ---------------------------------------------------------------------- */

typedef enum reading { BY_INTERFACE, BY_EXCHANGE, BY_CAPSULE, BY_BUFFER } reading;

/* A type and how its objects are read. A program has few array types, so the last ones are cached, each with a
 * reference. */
typedef struct type_entry {
    PyTypeObject *type;
    reading reading;
    array_library origin;
    bool is_scalar;
    bool is_masked;
    bool is_immutable; /* a capsule without a version has no read-only flag */
    const void *exchange_api;
} type_entry;

enum { TYPES_KEPT = 8 };
static type_entry types[TYPES_KEPT];
static unsigned next_type;

static bool has_attribute(PyTypeObject *type, PyObject *name)
{
    PyObject *attribute = PyObject_GetAttr((PyObject *)type, name);
    if (!attribute)
        PyErr_Clear();
    Py_XDECREF(attribute);
    return attribute != NULL;
}

/* A tensor can only exist after PyTorch was imported. */
static bool is_torch(PyTypeObject *type)
{
    PyObject *name = PyUnicode_FromString("torch");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    PyObject *tensor = module ? PyObject_GetAttrString(module, "Tensor") : NULL;
    const bool is_tensor = tensor && PyObject_IsSubclass((PyObject *)type, tensor) > 0;
    PyErr_Clear();
    Py_XDECREF(tensor);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return is_tensor;
}

/* JAX's arrays have a __setitem__ that refuses. */
static bool is_immutable(PyTypeObject *type)
{
    if (!has_attribute(type, core.names.setitem))
        return true;
    PyObject *module = PyObject_GetAttr((PyObject *)type, core.names.module);
    const char *name = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8AndSize(module, NULL) : NULL;
    const bool is_jax = name && strncmp(name, "jax", 3) == 0;
    PyErr_Clear();
    Py_XDECREF(module);
    return is_jax;
}

static type_entry classify(PyTypeObject *type)
{
    type_entry entry = {.type = type, .origin = LIBRARY_OTHER};
    if (has_attribute(type, core.names.array_struct)) {
        entry.reading = BY_INTERFACE;
        entry.origin = LIBRARY_NUMPY;
        entry.is_masked = has_attribute(type, core.names.hardmask);
        entry.is_scalar = PyObject_IsSubclass((PyObject *)type, core.numpy_generic) > 0;
    } else if (has_attribute(type, core.names.dlpack)) {
        entry.exchange_api = exchange_api_of(type);
        entry.reading = entry.exchange_api ? BY_EXCHANGE : BY_CAPSULE;
        entry.origin = is_torch(type) ? LIBRARY_TORCH : LIBRARY_OTHER;
        entry.is_immutable = entry.reading == BY_CAPSULE && is_immutable(type);
    } else {
        entry.reading = BY_BUFFER;
        entry.origin = LIBRARY_NUMPY;
    }
    return entry;
}

static const type_entry *type_entry_of(PyObject *object)
{
    PyTypeObject *const type = Py_TYPE(object);
    for (unsigned i = 0; i < TYPES_KEPT; i++)
        if (types[i].type == type)
            return &types[i];
    type_entry *const entry = &types[next_type++ % TYPES_KEPT];
    const type_entry known = classify(type);
    PyTypeObject *const forgotten = entry->type;
    Py_INCREF(type);
    *entry = known;
    Py_XDECREF(forgotten);
    return entry;
}

static int read_by_type(array *target, PyObject *object, const type_entry *entry, strew_operand operand)
{
    target->origin = entry->origin;
    switch (entry->reading) {
    case BY_INTERFACE: return read_by_interface(target, object, operand);
    case BY_EXCHANGE: return array_read_by_exchange(target, object, entry->exchange_api, operand);
    case BY_CAPSULE: return array_read_by_capsule(target, object, operand);
    default: return read_by_buffer(target, object, operand);
    }
}

static int refuse_mask(strew_operand operand)
{
    PyErr_Format(PyExc_TypeError, "%s is a masked array, whose mask would be lost: give strew its data or filled()",
                 operand_name(operand));
    return -1;
}

int array_read(array *target, PyObject *object, strew_operand operand)
{
    const type_entry entry = *type_entry_of(object);
    target->object = object;
    array_clear(target);
    target->is_read_only = target->is_text = target->is_converted = false;
    target->tensor.shape = target->shape;
    target->tensor.strides = NULL;
    if (entry.is_masked)
        return refuse_mask(operand);
    return read_by_type(target, object, &entry, operand);
}

int array_read_like(array *target, PyObject *object, strew_operand operand, const array *data)
{
    if (array_read(target, object, operand) != 0)
        return -1;
    const strew_tensor *const found = &target->tensor;
    const bool can_hold =
        kind_of_elements(found->dtype) <= kind_of_elements(data->tensor.dtype) || has_no_elements(found);
    if (!target->is_converted || found->dtype == data->tensor.dtype || !can_hold)
        return 0; /* strew sees the rest */
    PyObject *dtype = numpy_dtype_of(data);
    PyObject *made = dtype ? PyObject_CallFunctionObjArgs(core.numpy_asarray, object, dtype, NULL) : NULL;
    if (!made && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s holds a number that no element of %S can be",
                     operand_name(operand), dtype);
    }
    Py_XDECREF(dtype);
    array_release(target);
    return read_made(target, made, operand);
}

int array_read_output(array *target, PyObject *object)
{
    if (array_read(target, object, STREW_OPERAND_OUTPUT) != 0)
        return -1;
    const type_entry *const entry = type_entry_of(object);
    if (entry->is_scalar) {
        PyErr_SetString(PyExc_TypeError, "output must be an array: a NumPy scalar cannot be written");
        return -1;
    }
    if (target->is_read_only || entry->is_immutable) {
        raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_OUTPUT, "output is read-only");
        return -1;
    }
    return 0;
}

int array_tell_written(const array *target)
{
    return target->origin == LIBRARY_TORCH ? torch_tell_written(target->object) : 0;
}

/* X(strew's dtype, C's). */
#define INTEGERS(X)                 \
    X(STREW_DTYPE_INT8, int8_t)     \
    X(STREW_DTYPE_INT16, int16_t)   \
    X(STREW_DTYPE_INT32, int32_t)   \
    X(STREW_DTYPE_INT64, int64_t)   \
    X(STREW_DTYPE_UINT8, uint8_t)   \
    X(STREW_DTYPE_UINT16, uint16_t) \
    X(STREW_DTYPE_UINT32, uint32_t)

/* A uint64 above INT64_MAX is read as INT64_MAX - 1: no tensor has so many rows. */
static int64_t integer_at(const strew_tensor *tensor, int64_t position)
{
    const char *const at = (const char *)tensor->data + position * (int64_t)strew_dtype_size(tensor->dtype);
#define RETURN_ITS(dtype_, type)          \
    if (tensor->dtype == (dtype_)) {      \
        type value;                       \
        memcpy(&value, at, sizeof value); \
        return value;                     \
    }
    INTEGERS(RETURN_ITS)
#undef RETURN_ITS
    uint64_t value = 0;
    if (tensor->dtype == STREW_DTYPE_UINT64)
        memcpy(&value, at, sizeof value);
    return value < INT64_MAX ? (int64_t)value : INT64_MAX - 1;
}

int64_t array_greatest(const array *target)
{
    const strew_tensor *const tensor = &target->tensor;
    int64_t greatest = -1;
    for (int64_t i = 0; tensor->rank == 1 && i < tensor->shape[0]; i++) {
        const int64_t value = integer_at(tensor, i * (tensor->strides ? tensor->strides[0] : 1));
        greatest = value > greatest ? value : greatest;
    }
    return greatest < INT64_MAX ? greatest : INT64_MAX - 1;
}

void array_clear(array *target)
{
    target->tensor = (strew_tensor){.data = NULL};
    target->keeper = NULL;
    target->managed = NULL;
}

void array_release(array *target)
{
    if (target->managed)
        dlpack_delete(target->managed, target->is_versioned);
    target->managed = NULL;
    Py_CLEAR(target->keeper);
}

PyObject *array_dtype(const array *target)
{
    return PyObject_GetAttr(target->object, core.names.dtype);
}

/* The dtype of elements that strew sees only as bytes. */
static PyObject *dtype_of_opaque(const array *target, strew_operand operand)
{
    PyObject *dtype = array_dtype(target);
    if (!dtype && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        raise_status(STREW_STATUS_UNSUPPORTED_DTYPE, operand, "%s does not say what its elements of %zu bytes are",
                     operand_name(operand), strew_dtype_size(target->tensor.dtype));
    }
    return dtype;
}

int array_check_same_dtype(const array *target, strew_operand operand, const array *data)
{
    if (!(target->tensor.dtype & data->tensor.dtype & STREW_DTYPE_OPAQUE_BIT))
        return 0; /* strew sees the rest */
    PyObject *dtype = dtype_of_opaque(target, operand);
    PyObject *expected = dtype ? dtype_of_opaque(data, STREW_OPERAND_DATA) : NULL;
    const int is_same = expected ? PyObject_RichCompareBool(dtype, expected, Py_EQ) : -1;
    if (is_same == 0)
        raise_status(STREW_STATUS_DTYPE_MISMATCH, operand, "%s has dtype %S, data has %S", operand_name(operand),
                     dtype, expected);
    Py_XDECREF(expected);
    Py_XDECREF(dtype);
    return is_same > 0 ? 0 : -1;
}
