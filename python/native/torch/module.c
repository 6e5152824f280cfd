/* The extension module strew._torch. strew.torch, its only caller, has imported torch before. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "host.h"
#include "operators.h"

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

static PyMethodDef functions[] = {
    {"load", load, METH_O,
     "load(path): finds PyTorch's functions in the library that is loaded from path. None, or the name of the "
     "first "
     "function that it lacks, \"\" if no such library is loaded."},
    {"define_operators", define_operators, METH_NOARGS, "Defines torch.ops.strew; to be called once."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "strew._torch", "PyTorch's CPU kernels by strew.", 0, functions, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__torch(void)
{
    return PyModuleDef_Init(&definition);
}
