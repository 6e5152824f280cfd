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

static PyObject *count(PyObject *self, PyObject *arguments)
{
    (void)self;
    int id, end;
    if (!PyArg_ParseTuple(arguments, "ii", &id, &end))
        return NULL;
    if (id < 0 || id >= OPERATORS || end < 0 || end >= OUTCOMES)
        return PyErr_Format(PyExc_ValueError, "no operator %d, or no outcome %d", id, end);
    takeover_count_one(id, end);
    Py_RETURN_NONE;
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

/* PyCFunction is what the table holds, whatever the calling convention. */
#define FAST(function) ((PyCFunction)(void (*)(void))function)

static PyMethodDef functions[] = {
    {"load", load, METH_O,
     "load(path): finds PyTorch's functions in the library that is loaded from path. None, or the name of the "
     "first "
     "function that it lacks, \"\" if no such library is loaded."},
    {"define_operators", define_operators, METH_NOARGS, "define_operators(): torch.ops.strew."},
    {"dtype_number", dtype_number, METH_VARARGS, "dtype_number(name): PyTorch's number of a dtype, -1 if unknown."},
    {"operators", operators, METH_NOARGS, "operators(): (name, overload) of each operator that is taken over."},
    {"outcomes", outcomes, METH_NOARGS, "outcomes(): how a call can end, by strew first."},
    {"counts", counts, METH_NOARGS, "counts(): for each operator, how many calls ended in each of the ways."},
    {"count", count, METH_VARARGS, "count(operator, outcome): counts a call, by the numbers of both."},
    {"reset_counts", reset_counts, METH_NOARGS, "reset_counts(): sets all counts to 0."},
    {"accept", accept_dtypes, METH_VARARGS,
     "accept(operator, variant, dtypes, int32_index): the dtypes, a bit for each number, and whether int32 "
     "indices, "
     "that strew takes over."},
    {"begin", begin, METH_NOARGS, "begin(): registers the kernels."},
    {"end", end, METH_NOARGS, "end(): takes them back."},
    {"note", note, METH_VARARGS, "note(kind, text): the error of PyTorch's own kernel on this thread."},
    {"give", python_kernels_load, METH_VARARGS,
     "give(tensor_type, empty_strided, keywords, convert): what the kernels that Python registers need of torch; "
     "keywords are those of empty_strided for each dtype's number, and convert(value, keywords) makes a tensor of "
     "one element."},
    {"index", FAST(python_index_get), METH_FASTCALL,
     "index(self, indices, out): the result, or the number of the outcome. out may be None."},
    {"index_put", FAST(python_index_put), METH_FASTCALL,
     "index_put(self, indices, values, accumulate): the number of the outcome."},
    {"index_add", FAST(python_index_add), METH_FASTCALL,
     "index_add(self, dim, index, source, to, form, alpha): the number of the outcome. form is 0 if `to` is a new "
     "tensor, 1 if it is self, 2 if it is out; alpha is 1 or -1."},
    {"scatter", FAST(python_scatter_number), METH_FASTCALL,
     "scatter(self, dim, index, value, to, form, reduce): the result, or the number of the outcome. value is a "
     "number; form as for index_add, but that `to` is None for a new tensor; reduce is 0 to assign, 1 to add, 2 to "
     "multiply."},
    {"count_alpha", python_count_alpha, METH_O, "count_alpha(form): counts an index_add of another alpha."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "strew._torch", "PyTorch's CPU kernels by strew.", 0, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__torch(void)
{
    return PyModuleDef_Init(&definition);
}
