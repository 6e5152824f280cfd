/* fill_value as the bytes of one element. */
#include "core.h"

/* Checks for Python's exact float and complex: NumPy's scalars inherit from these. */
static number_kind kind_of_value(PyObject *value)
{
    return PyBool_Check(value)           ? TRUTH
           : PyLong_Check(value)         ? INTEGER
           : PyFloat_CheckExact(value)   ? REAL
           : PyComplex_CheckExact(value) ? COMPLEX
                                         : NO_NUMBER;
}

number_kind kind_of_elements(strew_dtype dtype)
{
    const bool is_float8 = dtype >= STREW_DTYPE_FLOAT8E4M3FN && dtype <= STREW_DTYPE_FLOAT8E8M0;
    return dtype == STREW_DTYPE_BOOL                   ? TRUTH
           : dtype <= STREW_DTYPE_UINT64               ? INTEGER
           : dtype <= STREW_DTYPE_FLOAT64 || is_float8 ? REAL
           : dtype <= STREW_DTYPE_COMPLEX128           ? COMPLEX
                                                       : NO_NUMBER;
}

static void refuse_number(PyObject *value, PyObject *dtype, strew_status status)
{
    PyErr_Clear(); /* drops the error of the failed conversion */
    raise_status(status, OPERAND_FILL, "fill_value is %R, which no element of %S can be", value, dtype);
}

/* An array of one number, a new reference; NULL with an exception. */
static PyObject *array_of_number(PyObject *value, const array *data)
{
    PyObject *dtype = numpy_dtype_of(data), *made = NULL;
    const bool has_kind = kind_of_value(value) <= kind_of_elements(data->tensor.dtype);
    if (dtype && has_kind)
        made = PyObject_CallFunctionObjArgs(core.numpy_asarray, value, dtype, NULL);
    else if (dtype)
        refuse_number(value, dtype, STREW_STATUS_DTYPE_MISMATCH);
    if (!made && PyErr_ExceptionMatches(PyExc_OverflowError))
        refuse_number(value, dtype, STREW_STATUS_INVALID_ARGUMENT);
    Py_XDECREF(dtype);
    return made;
}

static int check(const array *fill, const array *data)
{
    if (fill->tensor.rank != 0) {
        raise_status(STREW_STATUS_SHAPE_MISMATCH, OPERAND_FILL,
                     "fill_value has rank %d, and must be a single element", (int)fill->tensor.rank);
        return -1;
    }
    if (fill->tensor.dtype == data->tensor.dtype)
        return array_check_same_dtype(fill, OPERAND_FILL, data);
    raise_status(STREW_STATUS_DTYPE_MISMATCH, OPERAND_FILL,
                 "fill_value is of %s (%zu bytes), data of %s (%zu bytes)", strew_dtype_name(fill->tensor.dtype),
                 strew_dtype_size(fill->tensor.dtype), strew_dtype_name(data->tensor.dtype),
                 strew_dtype_size(data->tensor.dtype));
    return -1;
}

static PyObject *bytes_of(PyObject *object, const array *data)
{
    array fill;
    PyObject *bytes = NULL;
    if (array_read(&fill, object, OPERAND_FILL) == 0 && check(&fill, data) == 0)
        bytes = PyBytes_FromStringAndSize(fill.tensor.data, (Py_ssize_t)strew_dtype_size(fill.tensor.dtype));
    array_release(&fill);
    return bytes;
}

PyObject *fill_new(PyObject *value, const array *data)
{
    if (kind_of_value(value) == NO_NUMBER)
        return bytes_of(value, data);
    PyObject *made = array_of_number(value, data);
    PyObject *bytes = made ? bytes_of(made, data) : NULL;
    Py_XDECREF(made);
    return bytes;
}
