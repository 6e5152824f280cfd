/* The functions of python_kernels.c, for the module. */
#ifndef STREW_TORCH_PYTHON_KERNELS_H
#define STREW_TORCH_PYTHON_KERNELS_H

PyObject *python_kernels_load(PyObject *self, PyObject *arguments);
PyObject *python_index_get(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *python_index_put(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *python_index_add(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *python_scatter_number(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *python_count_alpha(PyObject *module, PyObject *form);

#endif
