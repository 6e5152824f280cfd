/* The functions of python_kernels.c, for the module. */
#ifndef STREW_TORCH_PYTHON_KERNELS_H
#define STREW_TORCH_PYTHON_KERNELS_H

PyObject *python_kernels_load(PyObject *self, PyObject *arguments);
PyObject *python_kernels_list(PyObject *module, PyObject *unused);

#endif
