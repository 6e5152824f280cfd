/* The extension module strew._core. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <strew/strew.h>

static PyObject *version(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyUnicode_FromString(strew_version());
}

static PyMethodDef functions[] = {{"version", version, METH_NOARGS, "The version of the library."},
                                  {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "strew._core", NULL, 0, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
