/* New arrays for results. */
#include "core.h"

PyObject *tuple_of(const int64_t *values, int32_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i]);
        if (!value || PyTuple_SetItem(tuple, i, value) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *of_ml_dtypes(const char *name)
{
    PyObject *module = PyImport_ImportModule("ml_dtypes");
    PyObject *type = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return type;
}

/* The array's own if it is NumPy's, as JAX's are. */
PyObject *numpy_dtype_of(const array *data)
{
    PyObject *dtype = array_dtype(data);
    if (dtype && (data->origin == LIBRARY_NUMPY || PyObject_IsInstance(dtype, core.numpy_dtype) > 0))
        return dtype;
    Py_XDECREF(dtype);
    PyErr_Clear();
#define RETURN_ITS(name, own)        \
    if (data->tensor.dtype == (own)) \
        return of_ml_dtypes(#name);
    ML_DTYPES(RETURN_ITS)
#undef RETURN_ITS
    if (data->tensor.dtype & STREW_DTYPE_OPAQUE_BIT)
        return PyUnicode_FromFormat("V%zu", strew_dtype_size(data->tensor.dtype));
    return PyUnicode_FromString(strew_dtype_name(data->tensor.dtype));
}

static PyObject *numpy_new(const array *data, PyObject *shape)
{
    PyObject *dtype = numpy_dtype_of(data);
    PyObject *made = dtype ? PyObject_CallFunctionObjArgs(core.numpy_empty, shape, dtype, NULL) : NULL;
    Py_XDECREF(dtype);
    return made;
}

PyObject *output_new(const array *data, const int64_t *shape, int32_t rank)
{
    PyObject *tuple = tuple_of(shape, rank);
    if (!tuple)
        return NULL;
    PyObject *made = data->origin == LIBRARY_TORCH
                         ? PyObject_CallMethodObjArgs(data->object, core.names.new_empty, tuple, NULL)
                         : numpy_new(data, tuple);
    Py_DECREF(tuple);
    return made;
}
