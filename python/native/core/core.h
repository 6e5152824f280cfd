/*
 * Shared by all files of strew._core. The module uses the limited API of CPython 3.10, keeps its few objects in one
 * place, and holds the GIL except while strew computes.
 */
#ifndef STREW_PYTHON_CORE_H
#define STREW_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <strew/operators.h>

/* ---- Objects that live as long as the module (module.c) ----------------------------------------------- */

/* Every parameter that a function may have: X(CONSTANT, name). */
#define CORE_PARAMETERS(X)            \
    X(NAME, name)                     \
    X(DATA, data)                     \
    X(INDICES, indices)               \
    X(UPDATES, updates)               \
    X(OFFSETS, offsets)               \
    X(SEGMENT_IDS, segment_ids)       \
    X(TARGETS, targets)               \
    X(WEIGHTS, weights)               \
    X(STARTS, starts)                 \
    X(STOPS, stops)                   \
    X(STEPS, steps)                   \
    X(AXES, axes)                     \
    X(AXIS, axis)                     \
    X(BATCH_DIMS, batch_dims)         \
    X(REDUCTION, reduction)           \
    X(USE_INIT_VAL, use_init_val)     \
    X(CIRCULAR, circular)             \
    X(NUM_SEGMENTS, num_segments)     \
    X(DEFAULT_INDEX, default_index)   \
    X(EMPTY, empty)                   \
    X(UNIQUE_INDICES, unique_indices) \
    X(MODE, mode)                     \
    X(FILL_VALUE, fill_value)         \
    X(OUT, out)                       \
    X(NUM_THREADS, num_threads)

#define CORE_PARAMETER_CONSTANT(CONSTANT, name) PARAMETER_##CONSTANT,
enum { CORE_PARAMETERS(CORE_PARAMETER_CONSTANT) PARAMETERS };
#undef CORE_PARAMETER_CONSTANT

/* Attributes that are looked up: X(field, name). */
#define CORE_NAMES(X)                            \
    X(array_struct, "__array_struct__")          \
    X(exchange_api, "__dlpack_c_exchange_api__") \
    X(dlpack, "__dlpack__")                      \
    X(dtype, "dtype")                            \
    X(hasobject, "hasobject")                    \
    X(isnative, "isnative")                      \
    X(flags, "flags")                            \
    X(writeable, "writeable")                    \
    X(module, "__module__")                      \
    X(setitem, "__setitem__")                    \
    X(hardmask, "hardmask")                      \
    X(name, "__name__")                          \
    X(type, "type")                              \
    X(requires_grad, "requires_grad")            \
    X(is_conj, "is_conj")                        \
    X(is_neg, "is_neg")                          \
    X(new_empty, "new_empty")

#define CORE_NAME_FIELD(field, text) PyObject *field;
typedef struct core_objects {
    PyObject *parameters[PARAMETERS]; /* their names, interned */
    struct {
        CORE_NAMES(CORE_NAME_FIELD)
    } names;                   /* interned too */
    PyObject *numpy_empty;     /* numpy.empty */
    PyObject *numpy_asarray;   /* numpy.asarray */
    PyObject *numpy_dtype;     /* numpy.dtype */
    PyObject *numpy_generic;   /* numpy.generic, whose instances are scalars */
    PyObject *numpy_bool;      /* numpy.bool_ */
    PyObject *newest_dlpack;   /* {"max_version": (1, 1)} */
    PyObject *no_arguments;    /* () */
    PyObject *modes;           /* strew._names: the policies by their names here */
    PyObject *find_mode;       /* finds a former policy */
    PyObject *former_keywords; /* former keywords, with the current ones */
    PyObject *warn;            /* warns of a former name */
    PyObject *argument_error;  /* strew.ArgumentError, a ValueError */
    PyObject *dtype_error;     /* strew.DtypeError, a TypeError */
    PyObject *bounds_error;    /* strew.BoundsError, an IndexError */
    PyObject *plan_type;       /* strew.Plan */
} core_objects;
#undef CORE_NAME_FIELD

extern core_objects core;

/* ---- Errors (errors.c) -------------------------------------------------------------------------------- */

/* The operand of errors in fill_value. strew itself never reports it: strew is given an element. */
enum { OPERAND_FILL = -1 };

/* "indices" and so on. */
const char *operand_name(strew_operand operand);

/* Sets the exception that a refusal of strew's becomes, with its fields. Returns NULL. */
PyObject *raise_refusal(const strew_error *error);

/* Sets strew.ArgumentError or strew.DtypeError, by the status, for an error found before strew is called.
 * Returns NULL. */
PyObject *raise_status(strew_status status, strew_operand operand, const char *format, ...);

/* The class of an object for messages: a new string such as "list", or NULL. */
PyObject *class_name_of(PyObject *object);

/* The strings of a list with commas between them; takes the list's reference. NULL for NULL. */
PyObject *join_names(PyObject *list);

/* ---- Arrays (arrays.c, dlpack.c) ---------------------------------------------------------------------- */

/* The library of an array. A result is an array of the same library. */
typedef enum array_library { LIBRARY_NUMPY, LIBRARY_TORCH, LIBRARY_OTHER } array_library;

/* An array as strew sees it, and the owner of its memory. All zeros: no array. */
typedef struct array {
    strew_tensor tensor; /* its shape and strides are those below */
    PyObject *object;    /* the caller's, or the NumPy array made of it; borrowed */
    PyObject *keeper;    /* a capsule or array to release; or NULL */
    void *managed;       /* a tensor of DLPack's to be deleted; or NULL */
    bool is_versioned;   /* managed is a DLManagedTensorVersioned */
    bool is_read_only;   /* must not be written */
    bool is_text;        /* NumPy's S or U */
    bool is_converted;   /* object is a NumPy array made of a list, a number and so on */
    array_library origin;
    int64_t shape[STREW_MAX_RANK];
    int64_t strides[STREW_MAX_RANK];
} array;

/* Views an object as an array. 0, or -1 with an exception that names the operand; release it either way. */
int array_read(array *target, PyObject *object, strew_operand operand);

/* The same; a list or other non-array becomes an array of the dtype of data, if that can hold it. */
int array_read_like(array *target, PyObject *object, strew_operand operand, const array *data);

/* As array_read, for an array that the call writes. */
int array_read_output(array *target, PyObject *object);

/* Reports to the library of a caller's array that the array was written. 0, or -1 with an exception. */
int array_tell_written(const array *target);

/* Makes it no array: array_release() then does nothing. */
void array_clear(array *target);

/* The greatest element of an array of integers, at least -1. */
int64_t array_greatest(const array *target);

/* Releases the owner of the memory. */
void array_release(array *target);

/* The dtype attribute of an array: a new reference, or NULL with an exception. */
PyObject *array_dtype(const array *target);

/* dtypes that NumPy has only through ml_dtypes: X(name in ml_dtypes, dtype of strew). */
#define ML_DTYPES(X)                               \
    X(bfloat16, STREW_DTYPE_BFLOAT16)              \
    X(float8_e4m3fn, STREW_DTYPE_FLOAT8E4M3FN)     \
    X(float8_e4m3fnuz, STREW_DTYPE_FLOAT8E4M3FNUZ) \
    X(float8_e5m2, STREW_DTYPE_FLOAT8E5M2)         \
    X(float8_e5m2fnuz, STREW_DTYPE_FLOAT8E5M2FNUZ) \
    X(float8_e8m0fnu, STREW_DTYPE_FLOAT8E8M0)

/* Checks that opaque elements, of which strew knows only the size, have the dtype of data. 0, or -1 with an
 * exception. */
int array_check_same_dtype(const array *target, strew_operand operand, const array *data);

/* DLPack, by the exchange API of a type (a pointer that exchange_api_of has given) or by __dlpack__(). */
const void *exchange_api_of(PyTypeObject *type);
int array_read_by_exchange(array *target, PyObject *object, const void *api, strew_operand operand);
int array_read_by_capsule(array *target, PyObject *object, strew_operand operand);
int torch_tell_written(PyObject *tensor);
void dlpack_delete(void *managed, bool is_versioned);

/* ---- Outputs (outputs.c) ------------------------------------------------------------------------------ */

/* A tuple of ints, or NULL with an exception. */
PyObject *tuple_of(const int64_t *values, int32_t count);

/* The dtype with which NumPy has the elements of data: a new reference, or NULL with an exception. */
PyObject *numpy_dtype_of(const array *data);

/* A new array of the library and the dtype of data, or NULL with an exception. */
PyObject *output_new(const array *data, const int64_t *shape, int32_t rank);

/* ---- Arguments (arguments.c) -------------------------------------------------------------------------- */

/* The parameters of a function. */
typedef struct function {
    const char *name;
    strew_kind kind;     /* for calls without a version */
    bool is_versioned;   /* its first argument names a version */
    int32_t required;    /* how many of the positional ones have no default */
    int32_t positional;  /* how many arguments may be given by position: the first ones that it takes */
    uint32_t parameters; /* bits: the parameters, in their order except for updates_first */
    bool updates_first;  /* before indices */
} function;

/* Puts arguments where they belong: values[PARAMETERS], borrowed, NULL if not given. 0, or -1 with an exception. */
int arguments_sort(PyObject **values, const function *taker, PyObject *const *arguments, Py_ssize_t count,
                   PyObject *keywords);

/* Sets a TypeError: the parameter should be `what`. Returns -1. */
int raise_type(PyObject *value, int parameter, const char *what);

/* Kinds of numbers: each kind can hold the kinds before it. dtypes that strew only moves are NO_NUMBER. */
typedef enum number_kind { NO_NUMBER, TRUTH, INTEGER, REAL, COMPLEX } number_kind;
number_kind kind_of_elements(strew_dtype dtype);

/* The value that gathers write where they skip (fill.c): the bytes of an element of data's dtype. NULL with an
 * exception. */
PyObject *fill_new(PyObject *value, const array *data);

/* ---- What each operator takes (kinds.c) --------------------------------------------------------------- */

/* The operands of a call, named by their places. Segments are offsets, segment_ids or targets. */
enum { DATA, INDICES, UPDATES, SEGMENTS, WEIGHTS, OUTPUT, OPERANDS };

/* Whether an operator takes an operand. */
typedef enum presence { ABSENT, OPTIONAL, NEEDED } presence;
presence kind_takes(strew_kind kind, int operand);

/* The name of an operand: for strew's errors, and as a parameter. */
strew_operand kind_operand(strew_kind kind, int operand);
int kind_parameter(strew_kind kind, int operand);

/* The operands except the output, in the order in which a plan takes them. Gathers have a place for updates,
 * which are None. Returns how many. */
int kind_places(strew_kind kind, int places[OPERANDS]);

/* Whether it takes no updates. */
bool kind_gathers(strew_kind kind);

/* Whether it writes a fill where it skips. */
bool kind_fills(strew_kind kind);

/* Whether it combines rows that it gathers. */
bool kind_combines(strew_kind kind);

/* Whether an inspection (strew_plan_inspect) replaces an operand. */
bool kind_inspects(strew_kind kind, int operand);

/* Whether the caller gives the number of rows of the output. */
bool kind_counts_segments(strew_kind kind);

/* ---- Requests (requests.c) ---------------------------------------------------------------------------- */

/* The parts of a slice, as lists. */
enum { STARTS, STOPS, STEPS, AXES, SLICE_LISTS };

/* A call of an operator, before it runs. */
typedef struct request {
    const strew_operator *version; /* or NULL */
    strew_kind kind;
    strew_attributes attributes;
    strew_slice slice; /* points to the lists below */
    int64_t slice_lists[SLICE_LISTS][STREW_MAX_RANK];
    strew_bounds bounds;
    int32_t unique_indices; /* a promise */
    PyObject *fill;         /* as bytes, a new reference; or NULL */
    bool has[OPERANDS];     /* the operands that there are */
    bool is_given_output;   /* by the caller */
    size_t threads;
    PyObject *result; /* the call's return value, a new reference; or NULL */
    array arrays[OPERANDS];
} request;

/* Fills a request from sorted arguments and checks everything that strew does not check. 0, or -1; release it
 * either way. */
int request_read(request *target, const function *taker, PyObject *const *values);
void request_release(request *target);

/* Reads an input, after data. */
int read_like_data(array arrays[OPERANDS], int place, PyObject *value, strew_operand operand);

/* The inferred shape of the output. 0, or -1 with an exception. */
int request_shape(const request *source, int64_t shape[STREW_MAX_RANK], int32_t *rank);

/* Plans it, for `output`. 0, or -1 with an exception. */
int request_plan(const request *source, const strew_tensor *output, size_t threads, strew_plan *plan);

/* ---- Runs (runs.c) ------------------------------------------------------------------------------------ */

/* The number of threads to plan a call of these operands for: 1 if there is too little work to share. */
size_t run_threads(const array arrays[OPERANDS], strew_kind kind, size_t threads);

/* Runs a plan on four arrays, with the bytes of a fill or NULL. 0, or -1 with an exception. */
int run_plan(const strew_plan *plan, const array arrays[OPERANDS], PyObject *fill, strew_kind kind, size_t threads);

/* Inspects indices, and segments that are no offsets, into `storage`. 0, or -1 with an exception. */
int inspect_plan(strew_plan *inspected, const strew_plan *plan, const array arrays[OPERANDS], void *storage,
                 size_t storage_size);

/* ---- Threads (threads.c), with the GIL held ----------------------------------------------------------- */

/* The default number of threads. */
size_t threads_default(void);
void threads_set_default(size_t threads);

/* Reads STREW_NUM_THREADS and the CPUs of this process. 0, or -1 with an exception. */
int threads_begin(void);

/* Reads an argument; None or NULL is the default. 0 with an exception. */
size_t threads_from(PyObject *value);

/* Takes the pool for one call; false if another call has it. That call then runs on its own thread. */
bool threads_take(size_t threads, strew_parallel *parallel);
void threads_give_back(void);

/* The number of threads in the pool, including the caller; 0 if it has not started. */
size_t threads_started(void);

/* ---- Functions of the module -------------------------------------------------------------------------- */

extern PyMethodDef call_functions[]; /* calls.c: the operators and their plans */
extern PyMethodDef info_functions[]; /* info.c: CPU features, tiers, threads */

/* The class strew.Plan (plans.c), a new reference or NULL. */
PyObject *plan_type_new(void);

/* Plans a request: a new strew.Plan, or NULL with an exception. */
PyObject *plan_new(const request *source);

#endif
