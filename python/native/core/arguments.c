/* Sorts the arguments of vectorcall functions into the places of their parameters, without a tuple or a dict. */
#include "core.h"

#include <string.h>

#define BIT(parameter) (1u << (parameter))

static bool takes(const function *taker, int parameter)
{
    return taker->parameters & BIT(parameter);
}

/* The names of a function's parameters, for messages. */
static PyObject *parameters_of(const function *taker)
{
    PyObject *list = PyList_New(0);
    for (int p = 0; list && p < PARAMETERS; p++)
        if (takes(taker, p) && PyList_Append(list, core.parameters[p]) != 0)
            Py_CLEAR(list);
    return join_names(list);
}

static int refuse_keyword(const function *taker, PyObject *keyword)
{
    PyObject *names = parameters_of(taker);
    if (names)
        PyErr_Format(PyExc_TypeError, "%s() has no argument '%U'; it takes %U", taker->name, keyword, names);
    Py_XDECREF(names);
    return -1;
}

static int refuse_missing(const function *taker, int parameter)
{
    PyErr_Format(PyExc_TypeError, "%s() lacks its argument '%U'", taker->name, core.parameters[parameter]);
    return -1;
}

static int refuse_twice(const function *taker, int parameter)
{
    PyErr_Format(PyExc_TypeError, "%s() has its argument '%U' twice", taker->name, core.parameters[parameter]);
    return -1;
}

/* Names in a program are interned, as those of parameters are; others are compared by their text. */
static int parameter_named(PyObject *keyword)
{
    for (int p = 0; p < PARAMETERS; p++)
        if (core.parameters[p] == keyword)
            return p;
    for (int p = 0; p < PARAMETERS; p++)
        if (PyUnicode_Compare(core.parameters[p], keyword) == 0)
            return p;
    return PARAMETERS;
}

static int sort_positional(PyObject **values, const function *taker, PyObject *const *arguments, Py_ssize_t count)
{
    if (count > taker->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments by position, and was given %zd", taker->name,
                     (int)taker->positional, count);
        return -1;
    }
    Py_ssize_t taken = 0;
    for (int p = 0; taken < count; p++) {
        const int parameter = !taker->updates_first    ? p
                              : p == PARAMETER_INDICES ? PARAMETER_UPDATES
                              : p == PARAMETER_UPDATES ? PARAMETER_INDICES
                                                       : p;
        if (takes(taker, parameter))
            values[parameter] = arguments[taken++];
    }
    return 0;
}

/* The current parameter of a former keyword, with a warning; PARAMETERS if there is none, or an exception. */
static int parameter_formerly(const function *taker, PyObject *keyword)
{
    PyObject *now = PyDict_GetItemWithError(core.former_keywords, keyword);
    const int parameter = now ? parameter_named(now) : PARAMETERS;
    if (parameter == PARAMETERS || !takes(taker, parameter))
        return PARAMETERS;
    PyObject *done = PyObject_CallFunctionObjArgs(core.warn, keyword, now, NULL);
    Py_XDECREF(done);
    return done ? parameter : PARAMETERS;
}

static int sort_keywords(PyObject **values, const function *taker, PyObject *const *arguments, PyObject *keywords)
{
    const Py_ssize_t count = PyTuple_Size(keywords);
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *keyword = PyTuple_GetItem(keywords, k);
        int parameter = parameter_named(keyword);
        if (parameter == PARAMETERS)
            parameter = parameter_formerly(taker, keyword);
        if (parameter == PARAMETERS || !takes(taker, parameter))
            return PyErr_Occurred() ? -1 : refuse_keyword(taker, keyword);
        if (values[parameter])
            return refuse_twice(taker, parameter);
        values[parameter] = arguments[k];
    }
    return 0;
}

int arguments_sort(PyObject **values, const function *taker, PyObject *const *arguments, Py_ssize_t count,
                   PyObject *keywords)
{
    memset(values, 0, PARAMETERS * sizeof *values);
    if (sort_positional(values, taker, arguments, count) != 0)
        return -1;
    if (keywords && sort_keywords(values, taker, arguments + count, keywords) != 0)
        return -1;
    int32_t required = taker->required;
    for (int p = 0; required > 0; p++)
        if (takes(taker, p) && required-- > 0 && !values[p])
            return refuse_missing(taker, p);
    return 0;
}

int raise_type(PyObject *value, int parameter, const char *what)
{
    PyErr_Clear(); /* drops the error of that attempt */
    PyObject *name = class_name_of(value);
    if (name)
        PyErr_Format(PyExc_TypeError, "%U must be %s, not %U", core.parameters[parameter], what, name);
    Py_XDECREF(name);
    return -1;
}
