/* The extension module strew._jax: functions for strew.jax while it traces, and the handlers for XLA. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#include "call.h"
#include "handlers.h"

/* The room for a shape that a strew_tensor points to. */
typedef struct dimensions {
    int64_t shape[STREW_MAX_RANK];
} dimensions;

static PyObject *raise_error(const strew_error *error)
{
    char message[1024];
    strew_error_message(error, message, sizeof message);
    bool of_type = error->status == STREW_STATUS_DTYPE_MISMATCH ||
                   error->status == STREW_STATUS_UNSUPPORTED_DTYPE ||
                   error->status == STREW_STATUS_UNSUPPORTED_REDUCTION;
    PyErr_SetString(of_type ? PyExc_TypeError : PyExc_ValueError, message);
    return NULL;
}

/* A rank above STREW_MAX_RANK is left to the shape rules, which refuse it before they look at the shape. */
static bool read_shape(PyObject *shape, dimensions *storage, strew_tensor *tensor)
{
    Py_ssize_t rank = PyTuple_Size(shape);
    if (rank < 0)
        return false;
    for (Py_ssize_t i = 0; i < rank && i < STREW_MAX_RANK; i++) {
        storage->shape[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
        if (storage->shape[i] == -1 && PyErr_Occurred())
            return false;
    }
    tensor->rank = (int32_t)rank;
    tensor->shape = storage->shape;
    return true;
}

/* Reads (name of the dtype, bytes of an element, shape). Names that are not strew's are opaque elements. */
static bool read_tensor(PyObject *description, dimensions *storage, strew_tensor *tensor)
{
    const char *name;
    Py_ssize_t size;
    PyObject *shape;
    if (!PyArg_ParseTuple(description, "snO!", &name, &size, &PyTuple_Type, &shape))
        return false;
    tensor->dtype = strew_dtype_find(name);
    if (strew_dtype_size(tensor->dtype) != (size_t)size) /* unknown, or int4, which JAX does not pack */
        tensor->dtype = STREW_DTYPE_OPAQUE(size);
    return read_shape(shape, storage, tensor);
}

static PyObject *tuple_of(const int64_t *values, int32_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i]);
        if (value == NULL || PyTuple_SetItem(tuple, i, value) != 0) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

/* Checks all of a call but its indices. */
static PyObject *checked_shape(const strew_jax_call *call)
{
    dimensions storage;
    strew_tensor output = {NULL, call->data.dtype, 0, storage.shape, NULL};
    strew_error error;
    if (strew_jax_shape(call, storage.shape, &output.rank, &error) != STREW_STATUS_OK)
        return raise_error(&error);
    strew_plan plan;
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.error = &error;
    if (strew_jax_plan(call, &output, &options, &plan) != STREW_STATUS_OK)
        return raise_error(&error);
    return tuple_of(storage.shape, output.rank);
}

static bool reduction_of(const char *name, strew_reduction *reduction)
{
    if (strew_reduction_find(name, reduction))
        return true;
    PyErr_Format(PyExc_ValueError, "reduction is '%s'; it must be none, sum, sub, prod, min, max or mean", name);
    return false;
}

static bool empty_of(const char *name, strew_empty *empty)
{
    if (strew_empty_find(name, empty))
        return true;
    PyErr_Format(PyExc_ValueError, "empty is '%s'; it must be zero or lowest", name);
    return false;
}

/* The lists of a slice, one after the other. More entries than a tensor has dimensions are refused as such. */
static bool read_slice(PyObject *lists, strew_jax_call *call)
{
    const Py_ssize_t count = PyTuple_Size(lists) / STREW_JAX_SLICE_LISTS;
    if (count > STREW_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "the slice has %zd entries, where at most %d would be right", count,
                     STREW_MAX_RANK);
        return false;
    }
    call->sliced = (int32_t)count;
    for (Py_ssize_t i = 0; i < count * STREW_JAX_SLICE_LISTS; i++) {
        const int64_t value = PyLong_AsLongLong(PyTuple_GetItem(lists, i));
        if (value == -1 && PyErr_Occurred())
            return false;
        call->slice[i / count][i % count] = value;
    }
    return true;
}

static PyObject *output_shape(PyObject *self, PyObject *args)
{
    (void)self;
    const char *kind, *reduction, *empty;
    PyObject *data, *indices, *updates, *segments, *weights, *slice;
    long long axis, batch_dims, segment_count, default_index;
    int use_init_val, circular;
    if (!PyArg_ParseTuple(args, "sO!OOOOLLsppLsLO!", &kind, &PyTuple_Type, &data, &indices, &updates, &segments,
                          &weights, &axis, &batch_dims, &reduction, &use_init_val, &circular, &segment_count,
                          &empty, &default_index, &PyTuple_Type, &slice))
        return NULL;
    strew_jax_call call = {.axis = axis,
                           .batch_dims = batch_dims,
                           .use_init_val = use_init_val,
                           .circular = circular,
                           .segment_count = segment_count,
                           .default_index = default_index};
    if (!strew_jax_find_kind(kind, &call.kind))
        return PyErr_Format(PyExc_ValueError, "no operator is called %s", kind);
    if (!reduction_of(reduction, &call.reduction) || !empty_of(empty, &call.empty) || !read_slice(slice, &call))
        return NULL;
    dimensions storage[5];
    PyObject *const given[] = {indices, updates, segments, weights};
    strew_tensor *const tensors[] = {&call.indices, &call.updates, &call.segments, &call.weights};
    if (!read_tensor(data, &storage[4], &call.data))
        return NULL;
    for (unsigned i = 0; i < 4; i++) {
        const bool may_lack = 1u << i == STREW_JAX_WEIGHTS && given[i] == Py_None;
        if (strew_jax_has(call.kind, 1u << i) && !may_lack && !read_tensor(given[i], &storage[i], tensors[i]))
            return NULL;
    }
    call.has_weights = weights != Py_None;
    return checked_shape(&call);
}

static PyObject *find_reduction(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name;
    strew_reduction reduction;
    if (!PyArg_ParseTuple(args, "s", &name) || !reduction_of(name, &reduction))
        return NULL;
    return Py_BuildValue("(si)", strew_reduction_name(reduction), (int)reduction);
}

static PyObject *find_bounds(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name;
    strew_bounds bounds;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    if (!strew_bounds_find(name, &bounds))
        return PyErr_Format(PyExc_ValueError, "no policy is called %s", name);
    return PyLong_FromLong(bounds);
}

static PyObject *find_empty(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name;
    strew_empty empty;
    if (!PyArg_ParseTuple(args, "s", &name) || !empty_of(name, &empty))
        return NULL;
    return PyLong_FromLong(empty);
}

static PyObject *handlers(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *dict = PyDict_New();
    for (strew_kind kind = STREW_KIND_GATHER_ND; dict != NULL && kind < STREW_JAX_KINDS; kind++) {
        /* A pointer to a function crosses as its bits: C has no cast for it. */
        XLA_FFI_Handler *handler = strew_jax_handler(kind);
        void *address;
        memcpy(&address, &handler, sizeof address);
        PyObject *capsule = PyCapsule_New(address, "xla._CUSTOM_CALL_TARGET", NULL);
        if (capsule == NULL || PyDict_SetItemString(dict, strew_kind_name(kind), capsule) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(capsule);
    }
    return dict;
}

static PyMethodDef functions[] = {
    {"handlers", handlers, METH_NOARGS,
     "The handlers for XLA's foreign function interface, by name of the operator."},
    {"find_reduction", find_reduction, METH_VARARGS,
     "find_reduction(name) -> (its first name, its value in the C library)"},
    {"find_bounds", find_bounds, METH_VARARGS, "find_bounds(name): the value of a policy in the C library"},
    {"find_empty", find_empty, METH_VARARGS,
     "find_empty(name): what segments without rows are given, as a value of the C library"},
    {"output_shape", output_shape, METH_VARARGS,
     "output_shape(operator, data, indices, updates, segments, weights, axis, batch_dims, reduction, use_init_val, "
     "circular, segment_count, empty, default_index, slice): the shape of the output. A tensor is (name of the "
     "dtype, bytes of an element, shape), or None if the operator has none; a slice is its starts, stops, steps "
     "and "
     "axes, one after the other."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "strew._jax", NULL, 0, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__jax(void)
{
    return PyModuleDef_Init(&definition);
}
