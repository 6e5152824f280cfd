/* Turns strew's errors into exceptions. */
#include "core.h"

static const char *const operand_names[] = {
    [STREW_OPERAND_CALL] = "call",
    [STREW_OPERAND_DATA] = "data",
    [STREW_OPERAND_INDICES] = "indices",
    [STREW_OPERAND_UPDATES] = "updates",
    [STREW_OPERAND_OUTPUT] = "output",
    [STREW_OPERAND_AXIS] = "axis",
    [STREW_OPERAND_BATCH_DIMS] = "batch_dims",
    [STREW_OPERAND_REDUCTION] = "reduction",
    [STREW_OPERAND_USE_INIT_VAL] = "use_init_val",
    [STREW_OPERAND_OPERATOR] = "operator",
    [STREW_OPERAND_ATTRIBUTES] = "attributes",
    [STREW_OPERAND_PLAN] = "plan",
    [STREW_OPERAND_BUFFERS] = "buffers",
    [STREW_OPERAND_SHAPE] = "shape",
    [STREW_OPERAND_RANK] = "rank",
    [STREW_OPERAND_ISA] = "isa",
    [STREW_OPERAND_OPTIONS] = "options",
    [STREW_OPERAND_PARALLEL] = "num_threads",
    [STREW_OPERAND_SCRATCH] = "scratch",
    [STREW_OPERAND_BOUNDS] = "mode",
    [STREW_OPERAND_CIRCULAR] = "circular",
    [STREW_OPERAND_SLICE] = "slice",
    [STREW_OPERAND_OFFSETS] = "offsets",
    [STREW_OPERAND_SEGMENT_IDS] = "segment_ids",
    [STREW_OPERAND_TARGETS] = "targets",
    [STREW_OPERAND_WEIGHTS] = "weights",
    [STREW_OPERAND_DEFAULT_INDEX] = "default_index",
    [STREW_OPERAND_EMPTY] = "empty",
    [STREW_OPERAND_SEGMENT_COUNT] = "num_segments",
    [STREW_OPERAND_INSPECTION] = "inspection",
};

const char *operand_name(strew_operand operand)
{
    const size_t count = sizeof operand_names / sizeof *operand_names;
    if (operand == OPERAND_FILL)
        return "fill_value";
    return (size_t)operand < count ? operand_names[operand] : "call";
}

static PyObject *class_of(strew_status status)
{
    switch (status) {
    case STREW_STATUS_INDEX_OUT_OF_BOUNDS: return core.bounds_error;
    case STREW_STATUS_DTYPE_MISMATCH:
    case STREW_STATUS_UNSUPPORTED_DTYPE:
    case STREW_STATUS_UNSUPPORTED_REDUCTION: return core.dtype_error;
    default: return core.argument_error;
    }
}

/* Takes the reference to value. */
static bool set_field(PyObject *exception, const char *name, PyObject *value)
{
    const bool is_set = value && PyObject_SetAttrString(exception, name, value) == 0;
    Py_XDECREF(value);
    return is_set;
}

static PyObject *value_of(const strew_error *error)
{
    return error->value_is_unsigned ? PyLong_FromUnsignedLongLong((uint64_t)error->value)
                                    : PyLong_FromLongLong(error->value);
}

static bool set_fields(PyObject *exception, const strew_error *error)
{
    const bool has_other = error->other != STREW_OPERAND_CALL;
    return set_field(exception, "status", PyUnicode_FromString(strew_status_name(error->status))) &&
           set_field(exception, "operand", PyUnicode_FromString(operand_name(error->operand))) &&
           (!has_other || set_field(exception, "other", PyUnicode_FromString(operand_name(error->other)))) &&
           set_field(exception, "dimension", PyLong_FromLong(error->dimension)) &&
           set_field(exception, "position", tuple_of(error->position, error->position_rank)) &&
           set_field(exception, "value", value_of(error)) &&
           set_field(exception, "lower", PyLong_FromLongLong(error->lower)) &&
           set_field(exception, "upper", PyLong_FromLongLong(error->upper));
}

/* Takes the reference to message. */
static PyObject *raise(const strew_error *error, PyObject *message)
{
    PyObject *class = class_of(error->status);
    PyObject *exception = message ? PyObject_CallFunctionObjArgs(class, message, NULL) : NULL;
    if (exception && set_fields(exception, error))
        PyErr_SetObject(class, exception);
    Py_XDECREF(exception);
    Py_XDECREF(message);
    return NULL;
}

PyObject *raise_refusal(const strew_error *error)
{
    char message[1024];
    strew_error_message(error, message, sizeof message);
    return raise(error, PyUnicode_FromString(message));
}

PyObject *raise_status(strew_status status, strew_operand operand, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PyObject *message = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    const strew_error error = {.status = status, .operand = operand};
    return raise(&error, message);
}

PyObject *class_name_of(PyObject *object)
{
    return PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__qualname__");
}

PyObject *join_names(PyObject *list)
{
    PyObject *comma = list ? PyUnicode_FromString(", ") : NULL;
    PyObject *names = comma ? PyUnicode_Join(comma, list) : NULL;
    Py_XDECREF(comma);
    Py_XDECREF(list);
    return names;
}
