/* The extension module strew._torch. strew.torch, its only caller, has imported torch before. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host.h"
#include "operators.h"
#include "python_kernels.h"
#include "takeover.h"

static PyObject *load(PyObject *self, PyObject *argument)
{
    (void)self;
    PyObject *const path = PyUnicode_EncodeFSDefault(argument);
    if (!path)
        return NULL;
    const char *const text = PyBytes_AsString(path);
    const char *const missing = text ? strew_torch_load(text) : NULL;
    Py_DECREF(path);
    if (!text)
        return NULL;
    if (missing)
        return PyUnicode_FromString(missing);
    Py_RETURN_NONE;
}

static PyObject *load_python(PyObject *self, PyObject *argument)
{
    (void)self;
    PyObject *const path = PyUnicode_EncodeFSDefault(argument);
    const char *const text = path ? PyBytes_AsString(path) : NULL;
    if (text)
        strew_torch_load_python(text);
    Py_XDECREF(path);
    if (!text)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *define_operators(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    const char *const refused = strew_torch_define_operators();
    if (refused)
        return PyErr_Format(PyExc_ImportError, "PyTorch refuses %s", refused);
    Py_RETURN_NONE;
}

static PyObject *dtype_number(PyObject *self, PyObject *arguments)
{
    (void)self;
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    return PyLong_FromLong(strew_torch_dtype_find(name));
}

/* ---- The takeover ---- */

static PyObject *operators(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *const list = PyList_New(OPERATORS);
    for (int id = 0; list && id < OPERATORS; id++) {
        const operator_description *const row = &takeover_operators[id];
        PyObject *const pair = Py_BuildValue("(ss)", row->name, row->overload);
        if (!pair || PyList_SetItem(list, id, pair) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *outcomes(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *const list = PyList_New(OUTCOMES);
    for (int end = 0; list && end < OUTCOMES; end++) {
        PyObject *const text = PyUnicode_FromString(takeover_outcomes[end]);
        if (!text || PyList_SetItem(list, end, text) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* The counts of one operator, in the order of the outcomes. */
static PyObject *counts_of(operator_id id)
{
    PyObject *const list = PyList_New(OUTCOMES);
    for (int end = 0; list && end < OUTCOMES; end++) {
        PyObject *const count = PyLong_FromUnsignedLongLong(takeover_count(id, end));
        if (!count || PyList_SetItem(list, end, count) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *counts(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *const list = PyList_New(OPERATORS);
    for (int id = 0; list && id < OPERATORS; id++) {
        PyObject *const row = counts_of(id);
        if (!row || PyList_SetItem(list, id, row) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *reset_counts(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    takeover_reset_counts();
    Py_RETURN_NONE;
}

static PyObject *accept_dtypes(PyObject *self, PyObject *arguments)
{
    (void)self;
    int id, variant, int32_index;
    unsigned long long dtypes;
    if (!PyArg_ParseTuple(arguments, "iiKp", &id, &variant, &dtypes, &int32_index))
        return NULL;
    if (id < 0 || id >= OPERATORS || variant < 0 || variant >= VARIANTS)
        return PyErr_Format(PyExc_ValueError, "no operator %d with a variant %d", id, variant);
    takeover_accept(id, variant, dtypes, int32_index);
    Py_RETURN_NONE;
}

static PyObject *call_directly(PyObject *self, PyObject *arguments)
{
    (void)self;
    int id, allowed;
    if (!PyArg_ParseTuple(arguments, "ip", &id, &allowed))
        return NULL;
    if (id < 0 || id >= OPERATORS)
        return PyErr_Format(PyExc_ValueError, "no operator %d", id);
    return PyBool_FromLong(native_allow(id, allowed));
}

static PyObject *set_exact(PyObject *self, PyObject *exact)
{
    (void)self;
    takeover_set_exact(PyObject_IsTrue(exact) == 1);
    Py_RETURN_NONE;
}

static PyObject *begin(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    if (!takeover_begin())
        return PyErr_Format(PyExc_RuntimeError, "PyTorch did not take strew's kernels for its operators");
    Py_RETURN_NONE;
}

static PyObject *end(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    takeover_end();
    Py_RETURN_NONE;
}

static PyObject *note(PyObject *self, PyObject *arguments)
{
    (void)self;
    int kind;
    const char *text;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "is#", &kind, &text, &length))
        return NULL;
    if (kind < STREW_TORCH_RUNTIME_ERROR || kind > STREW_TORCH_NOT_IMPLEMENTED_ERROR)
        kind = STREW_TORCH_RUNTIME_ERROR;
    takeover_note(kind, text, (size_t)length);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"load", load, METH_O,
     "load(path): finds PyTorch's functions in the library that is loaded from path. None, or the name of the "
     "first "
     "function that it lacks, \"\" if no such library is loaded."},
    {"load_python", load_python, METH_O,
     "load_python(path): finds the function by which tensors become Python's in the module that is loaded from "
     "path."},
    {"define_operators", define_operators, METH_NOARGS, "define_operators(): torch.ops.strew."},
    {"dtype_number", dtype_number, METH_VARARGS, "dtype_number(name): PyTorch's number of a dtype, -1 if unknown."},
    {"operators", operators, METH_NOARGS, "operators(): (name, overload) of each operator that is taken over."},
    {"outcomes", outcomes, METH_NOARGS, "outcomes(): how a call can end, by strew first."},
    {"counts", counts, METH_NOARGS, "counts(): for each operator, how many calls ended in each of the ways."},
    {"reset_counts", reset_counts, METH_NOARGS, "reset_counts(): sets all counts to 0."},
    {"accept", accept_dtypes, METH_VARARGS,
     "accept(operator, variant, dtypes, int32_index): the dtypes, a bit for each number, and whether int32 "
     "indices, "
     "that strew takes over."},
    {"set_exact", set_exact, METH_O, "set_exact(exact): whether strew also does what PyTorch is faster at."},
    {"begin", begin, METH_NOARGS, "begin(): registers the kernels."},
    {"end", end, METH_NOARGS, "end(): takes them back."},
    {"note", note, METH_VARARGS, "note(kind, text): the error of PyTorch's own kernel on this thread."},
    {"give", python_kernels_load, METH_VARARGS,
     "give(tensor_type, empty_strided, keywords, convert, hand_back): what the kernels that Python registers need "
     "of "
     "torch; keywords are those of empty_strided for each dtype's number, convert(value, keywords) makes a tensor "
     "of "
     "one element, and hand_back(operator, outcome, *arguments, **keywords) calls PyTorch's own kernel."},
    {"kernels", python_kernels_list, METH_NOARGS,
     "kernels(): the functions that PyTorch calls for the last of operators(), one for each."},
    {"call_directly", call_directly, METH_VARARGS,
     "call_directly(operator, allowed): whether calls that are handed back go to PyTorch's own kernel without "
     "Python."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "strew._torch", "PyTorch's CPU kernels by strew.", 0, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__torch(void)
{
    return PyModuleDef_Init(&definition);
}
