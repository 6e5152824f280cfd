/* info(), operators() and the number of threads. */
#include "core.h"
#include "shared/scratch.h"

#include <strew/inspect.h>

/* Puts a value under a name, and takes its reference. */
static bool put(PyObject *dictionary, const char *name, PyObject *value)
{
    const bool is_put = value && PyDict_SetItemString(dictionary, name, value) == 0;
    Py_XDECREF(value);
    return is_put;
}

static PyObject *text(const char *characters)
{
    return PyUnicode_FromString(characters);
}

/* Appends a value, and takes its reference. */
static bool append(PyObject *list, PyObject *value)
{
    const bool is_appended = value && PyList_Append(list, value) == 0;
    Py_XDECREF(value);
    return is_appended;
}

/* The list, or NULL if not all of it was made. */
static PyObject *if_whole(PyObject *container, bool is_whole)
{
    if (!is_whole)
        Py_CLEAR(container);
    return container;
}

/* ---- info() ------------------------------------------------------------------------------------------- */

static PyObject *cpu(void)
{
    char line[512];
    strew_cpu_describe(line, sizeof line);
    return text(line);
}

static PyObject *instruction_sets(void)
{
    PyObject *sets = PyDict_New();
    bool is_whole = sets != NULL;
    for (strew_isa isa = STREW_ISA_SCALAR; is_whole && isa < STREW_ISA_COUNT; isa++)
        is_whole = put(sets, strew_isa_name(isa), text(strew_isa_state_name(strew_isa_get_state(isa))));
    return if_whole(sets, is_whole);
}

static PyObject *kernel(size_t index)
{
    strew_kernel_info info;
    PyObject *entry = PyDict_New();
    if (!entry || !strew_kernel_at(index, STREW_ISA_BEST, &info))
        return if_whole(entry, false);
    return if_whole(entry, put(entry, "operation", text(info.operation)) &&
                               put(entry, "operand", text(info.operand)) &&
                               put(entry, "instruction_set", text(strew_isa_name(info.isa))));
}

static PyObject *kernels(void)
{
    PyObject *list = PyList_New(0);
    bool is_whole = list != NULL;
    for (size_t i = 0; is_whole && i < strew_kernel_count(); i++)
        is_whole = append(list, kernel(i));
    return if_whole(list, is_whole);
}

static PyObject *info(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *all = PyDict_New();
    return if_whole(all, all && put(all, "version", text(strew_version())) && put(all, "cpu", cpu()) &&
                             put(all, "instruction_set", text(strew_isa_name(strew_isa_active()))) &&
                             put(all, "instruction_sets", instruction_sets()) && put(all, "kernels", kernels()) &&
                             put(all, "num_threads", PyLong_FromSize_t(threads_default())) &&
                             put(all, "threads_started", PyLong_FromSize_t(threads_started())) &&
                             put(all, "scratch_kept", PyLong_FromSize_t(scratch_kept())));
}

/* ---- operators() -------------------------------------------------------------------------------------- */

/* The names of the bits that are set, of those that a function names. */
static PyObject *names_of(uint32_t bits, int32_t count, const char *(*name_of)(int32_t))
{
    PyObject *list = PyList_New(0);
    bool is_whole = list != NULL;
    for (int32_t i = 0; is_whole && i < count; i++)
        is_whole = !(bits >> i & 1u) || append(list, text(name_of(i)));
    PyObject *names = is_whole ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return names;
}

/* The attributes whose bits are set, by the parameters of run(); "slice" stands for the four parameters of a
 * slice. */
static PyObject *attribute_names(const strew_operator *op, uint32_t bits)
{
    const char *const names[] = {"axis",
                                 "batch_dims",
                                 "reduction",
                                 "use_init_val",
                                 "circular",
                                 "slice",
                                 operand_name(kind_operand(op->kind, SEGMENTS)),
                                 "weights",
                                 "default_index",
                                 "empty",
                                 "num_segments"};
    PyObject *list = PyList_New(0);
    bool is_whole = list != NULL;
    for (size_t a = 0; is_whole && a < sizeof names / sizeof *names; a++)
        is_whole = !(bits >> a & 1u) || append(list, text(names[a]));
    PyObject *tuple = is_whole ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static const char *dtype_name(int32_t dtype)
{
    return strew_dtype_name((strew_dtype)dtype);
}

static const char *reduction_name(int32_t reduction)
{
    return strew_reduction_name(reduction);
}

static PyObject *has_rule(const strew_operator *op, uint32_t rule)
{
    return PyBool_FromLong((op->rules & rule) != 0);
}

static PyObject *operator_entry(const strew_operator *op)
{
    PyObject *entry = PyDict_New();
    return if_whole(
        entry, entry && put(entry, "name", text(op->name)) && put(entry, "collection", text(op->collection)) &&
                   put(entry, "version", PyLong_FromLong(op->version)) &&
                   put(entry, "operator", text(strew_kind_name(op->kind))) &&
                   put(entry, "attributes", attribute_names(op, op->attributes)) &&
                   put(entry, "required", attribute_names(op, op->required)) &&
                   put(entry, "reductions", names_of(op->reductions, STREW_REDUCTION_COUNT, reduction_name)) &&
                   put(entry, "data_dtypes", names_of(op->data_dtypes & ~1u, STREW_DTYPE_COUNT, dtype_name)) &&
                   put(entry, "index_dtypes", names_of(op->index_dtypes & ~1u, STREW_DTYPE_COUNT, dtype_name)) &&
                   put(entry, "refuses_negative_indices", has_rule(op, STREW_RULE_REFUSES_NEGATIVE)) &&
                   put(entry, "flattens_batch", has_rule(op, STREW_RULE_FLATTENS_BATCH)) &&
                   put(entry, "axis_is_input", has_rule(op, STREW_RULE_AXIS_IS_INPUT)) &&
                   put(entry, "zero_outside", has_rule(op, STREW_RULE_ZERO_OUTSIDE)) &&
                   put(entry, "deprecated", has_rule(op, STREW_RULE_DEPRECATED)));
}

static PyObject *operators(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    bool is_whole = list != NULL;
    for (size_t i = 0; is_whole && i < strew_operator_count(); i++)
        is_whole = append(list, operator_entry(strew_operator_at(i)));
    return if_whole(list, is_whole);
}

/* ---- Threads ------------------------------------------------------------------------------------------ */

static PyObject *get_num_threads(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromSize_t(threads_default());
}

static PyObject *set_num_threads(PyObject *module, PyObject *value)
{
    (void)module;
    if (value == Py_None) {
        PyErr_SetString(PyExc_TypeError, "num_threads must be an int, not None");
        return NULL;
    }
    const size_t threads = threads_from(value);
    if (threads == 0)
        return NULL;
    threads_set_default(threads);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return text(strew_version());
}

PyMethodDef info_functions[] = {
    {"info", info, METH_NOARGS,
     "info($module)\n--\n\n"
     "What runs here, as a dict: version; cpu, a line; instruction_set, the one in use; instruction_sets, the "
     "state of\n"
     "each (\"native\", \"unavailable\", \"absent\"); kernels, a list of what serves each operation; num_threads, "
     "the\n"
     "default; threads_started, of the pool; scratch_kept, the bytes that are kept for later calls."},
    {"operators", operators, METH_NOARGS,
     "operators($module)\n--\n\n"
     "The published versions that run() takes, a list of dicts: name, collection, version, operator (the function "
     "that it\n"
     "comes to), attributes and those required, reductions, data_dtypes, index_dtypes, and what it does otherwise "
     "than\n"
     "that function: refuses_negative_indices, flattens_batch, axis_is_input, zero_outside (of the dimension, "
     "where "
     "others\n"
     "refuse), deprecated. One name, Gather-1, both collections have: run() takes it as \"ONNX:Gather-1\" too."},
    {"get_num_threads", get_num_threads, METH_NOARGS,
     "get_num_threads($module)\n--\n\n"
     "How many threads a call may use that is not told: STREW_NUM_THREADS of the environment when strew was "
     "imported,\n"
     "or as many as there are CPUs for this process, by its affinity and the quota of its container, unless "
     "set_num_threads has said otherwise."},
    {"set_num_threads", set_num_threads, METH_O,
     "set_num_threads($module, num_threads, /)\n--\n\n"
     "Sets how many threads a call may use that is not told, at least 1."},
    {"version", version, METH_NOARGS, "version($module)\n--\n\nThe version of the library, \"0.3.0\"."},
    {NULL, NULL, 0, NULL},
};
