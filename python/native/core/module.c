/* The extension module strew._core. */
#include "core.h"

core_objects core;

/* The name of a module's attribute, a new reference, and where it is kept. */
typedef struct import {
    const char *module, *name;
    PyObject **place;
} import;

static const import imports[] = {
    {"numpy", "empty", &core.numpy_empty},
    {"numpy", "asarray", &core.numpy_asarray},
    {"numpy", "dtype", &core.numpy_dtype},
    {"numpy", "generic", &core.numpy_generic},
    {"numpy", "bool_", &core.numpy_bool},
    {"strew._names", "MODES", &core.modes},
    {"strew._names", "find_mode", &core.find_mode},
    {"strew._names", "FORMER_KEYWORDS", &core.former_keywords},
    {"strew._names", "warn", &core.warn},
    {"strew.errors", "ArgumentError", &core.argument_error},
    {"strew.errors", "DtypeError", &core.dtype_error},
    {"strew.errors", "BoundsError", &core.bounds_error},
};

static bool import_objects(void)
{
    bool has_all = true;
    for (size_t i = 0; has_all && i < sizeof imports / sizeof *imports; i++) {
        PyObject *module = PyImport_ImportModule(imports[i].module);
        *imports[i].place = module ? PyObject_GetAttrString(module, imports[i].name) : NULL;
        Py_XDECREF(module);
        has_all = *imports[i].place != NULL;
    }
    return has_all;
}

static bool intern_names(void)
{
    bool has_all = true;
#define INTERN_PARAMETER(CONSTANT, name) \
    has_all = has_all && (core.parameters[PARAMETER_##CONSTANT] = PyUnicode_InternFromString(#name)) != NULL;
    CORE_PARAMETERS(INTERN_PARAMETER)
#undef INTERN_PARAMETER
#define INTERN_NAME(field, text) has_all = has_all && (core.names.field = PyUnicode_InternFromString(text)) != NULL;
    CORE_NAMES(INTERN_NAME)
#undef INTERN_NAME
    return has_all;
}

static bool make_objects(void)
{
    core.no_arguments = PyTuple_New(0);
    core.newest_dlpack = Py_BuildValue("{s(ii)}", "max_version", 1, 1);
    core.plan_type = plan_type_new();
    return core.no_arguments && core.newest_dlpack && core.plan_type;
}

/* The module's objects belong to one interpreter, as NumPy's do. */
static bool is_alone(void)
{
    static int64_t owner = -1;
    const int64_t here = PyInterpreterState_GetID(PyInterpreterState_Get());
    if (owner == -1)
        owner = here;
    if (owner != here)
        PyErr_SetString(PyExc_ImportError, "strew runs in one interpreter of a process, and another one has it");
    return owner == here;
}

static int begin(PyObject *module)
{
    static bool has_begun;
    if (!is_alone())
        return -1;
    if (!has_begun && !(import_objects() && intern_names() && make_objects() && threads_begin() == 0))
        return -1;
    has_begun = true;
    Py_INCREF(core.plan_type);
    if (PyModule_AddObject(module, "Plan", core.plan_type) == 0)
        return PyModule_AddFunctions(module, call_functions) == 0 ? PyModule_AddFunctions(module, info_functions)
                                                                  : -1;
    Py_DECREF(core.plan_type);
    return -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, begin}, {0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "strew._core",
                                        "The functions of strew; import strew instead.",
                                        0,
                                        NULL,
                                        slots,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
