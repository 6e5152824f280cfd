/* The kernels that Python registers: aten::index, _index_put_impl_, and scatter of a number. PyTorch calls them
 * with Python objects: positional arguments and keywords, as in its schemas. A call that strew does not take
 * goes to the function hand_back of strew.torch. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "exchange.h"
#include "host.h"
#include "index.h"
#include "python_kernels.h"

/* ---- Tensors ---- */

static const exchange_interface *exchange;

/* Objects that Python gives: torch.Tensor, torch.empty_strided with its keywords for each dtype's number, and
 * the function that hands a call back. */
static struct {
    PyObject *tensor_type, *empty_strided, *dtypes, *hand_back;
} python;

static const exchange_interface *find_exchange(PyObject *tensor_type)
{
    PyObject *const capsule = PyObject_GetAttrString(tensor_type, "__dlpack_c_exchange_api__");
    const exchange_interface *found = capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    Py_XDECREF(capsule);
    while (found && found->major != EXCHANGE_MAJOR)
        found = found->older;
    return found && found->borrow ? found : NULL;
}

PyObject *python_kernels_load(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *tensor_type, *empty_strided, *dtypes, *hand_back;
    if (!PyArg_ParseTuple(arguments, "OOO!O", &tensor_type, &empty_strided, &PyDict_Type, &dtypes, &hand_back))
        return NULL;
    exchange = find_exchange(tensor_type);
    if (!exchange) {
        PyErr_Clear();
        return PyErr_Format(PyExc_ImportError,
                            "strew.torch needs a PyTorch with version 1 of DLPack's exchange "
                            "interface, which 2.10 has");
    }
    python.tensor_type = Py_NewRef(tensor_type);
    python.empty_strided = Py_NewRef(empty_strided);
    python.dtypes = Py_NewRef(dtypes);
    python.hand_back = Py_NewRef(hand_back);
    Py_RETURN_NONE;
}

/* Whether methods of an object are PyTorch's own: subclasses may have others, and see every call. */
static bool is_plain(PyObject *object)
{
    return (PyObject *)Py_TYPE(object) == python.tensor_type;
}

/* Views a tensor of PyTorch's, which must stay alive. Rank 0 stays 0. False if strew cannot. */
static bool borrow(PyObject *object, operand *tensor)
{
    exchange_tensor lent;
    if (exchange->borrow(object, &lent)) {
        PyErr_Clear();
        return false;
    }
    tensor->dtype = strew_torch_dtype_from_dlpack(lent.code, lent.bits);
    tensor->rank = lent.ndim;
    if (lent.device_type != EXCHANGE_CPU || lent.lanes != 1 || tensor->dtype < 0 || lent.ndim > STREW_MAX_RANK)
        return false;
    tensor->view = (strew_tensor){lent.data ? (char *)lent.data + lent.byte_offset : NULL,
                                  strew_torch_dtype(tensor->dtype), lent.ndim, lent.shape, lent.strides};
    return true;
}

/* Below this many bytes a call is over before another thread could have used the time. */
enum { QUICK_BYTES = 32768 };

static PyThreadState *let_others_run(int64_t elements, strew_dtype dtype)
{
    return elements * (int64_t)strew_dtype_size(dtype) < QUICK_BYTES ? NULL : PyEval_SaveThread();
}

static void go_on(PyThreadState *state)
{
    if (state)
        PyEval_RestoreThread(state);
}

/* ---- Calls ---- */

/* A call of a kernel that Python registers. */
typedef struct python_call {
    operator_id id;
    form form;
    PyObject *const *arguments; /* and after them the values of keywords */
    Py_ssize_t count;           /* number of positional arguments */
    PyObject *names;            /* names of keywords; NULL if there are none */
    PyObject *result;           /* the output, owned; NULL until it is known */
} python_call;

/* The value of a keyword, borrowed; NULL if it is not given. */
static PyObject *keyword(const python_call *self, const char *name)
{
    const Py_ssize_t count = self->names ? PyTuple_Size(self->names) : 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(self->names, i), name) == 0)
            return self->arguments[self->count + i];
    return NULL;
}

/* An argument by its place, borrowed; NULL if it is not given and has its default. */
static PyObject *argument(const python_call *self, Py_ssize_t place)
{
    return place < self->count ? self->arguments[place] : NULL;
}

/* The tensor that the call writes, owned; NULL for a new one. */
static PyObject *given_output(const python_call *self)
{
    PyObject *const given = self->form == OUT        ? keyword(self, "out")
                            : self->form == IN_PLACE ? self->arguments[0]
                                                     : NULL;
    return given ? Py_NewRef(given) : NULL;
}

/* hand_back(operator, outcome, *arguments, **keywords) */
static PyObject *hand_back(const python_call *self, outcome why)
{
    const Py_ssize_t named = self->names ? PyTuple_Size(self->names) : 0;
    PyObject *const places = PyTuple_New(2 + self->count);
    PyObject *const keywords = named ? PyDict_New() : NULL;
    PyObject *const number = PyLong_FromLong(self->id), *const end = PyLong_FromLong(why);
    bool made = places && number && end && (keywords || !named);
    if (places && number && end) {
        PyTuple_SetItem(places, 0, Py_NewRef(number));
        PyTuple_SetItem(places, 1, Py_NewRef(end));
        for (Py_ssize_t i = 0; i < self->count; i++)
            PyTuple_SetItem(places, 2 + i, Py_NewRef(self->arguments[i]));
    }
    for (Py_ssize_t i = 0; made && i < named; i++)
        made = PyDict_SetItem(keywords, PyTuple_GetItem(self->names, i), self->arguments[self->count + i]) == 0;
    PyObject *const result = made ? PyObject_Call(python.hand_back, places, keywords) : NULL;
    Py_XDECREF(places);
    Py_XDECREF(keywords);
    Py_XDECREF(number);
    Py_XDECREF(end);
    return result;
}

typedef outcome (*python_kernel)(python_call *self);

/* Runs a kernel: its result, or that of the call that went back. */
static PyObject *run(python_call *self, python_kernel kernel)
{
    const outcome end = kernel(self);
    takeover_count_one(self->id, end);
    if (end == TAKEN)
        return self->result;
    Py_XDECREF(self->result);
    return PyErr_Occurred() ? NULL : hand_back(self, end);
}

/* ---- Indices ---- */

/* The list of indices; masks have their positions as tensors of their own. */
typedef struct index_list {
    int32_t count;
    index_item items[STREW_MAX_RANK];
    int32_t masks;
    PyObject *positions[STREW_MAX_RANK];
} index_list;

static void list_release(index_list *self)
{
    while (self->masks > 0)
        Py_DECREF(self->positions[--self->masks]);
}

/* An item for a mask; `dimension` is the first dimension of self that it indexes. */
static outcome read_mask(index_list *self, PyObject *mask, const strew_tensor *view, const strew_tensor *data,
                         int32_t dimension, index_item *item)
{
    operand found;
    if (view->rank == 0 || dimension + view->rank > data->rank)
        return ARGUMENTS;
    for (int32_t d = 0; d < view->rank; d++)
        if (view->shape[d] != data->shape[dimension + d])
            return ARGUMENTS;
    if (!is_plain(mask))
        return TENSOR;
    static PyObject *nonzero;
    if (!nonzero)
        nonzero = PyUnicode_InternFromString("nonzero");
    PyObject *const positions = nonzero ? PyObject_CallMethodObjArgs(mask, nonzero, NULL) : NULL;
    if (!positions) {
        PyErr_Clear();
        return MEMORY;
    }
    self->positions[self->masks++] = positions;
    if (!borrow(positions, &found) || found.rank != 2 || found.view.dtype != STREW_DTYPE_INT64)
        return TENSOR;
    *item = (index_item){view->rank, true, true, found.view};
    return TAKEN;
}

static outcome read_item(index_list *self, operator_id id, PyObject *object, const strew_tensor *data,
                         int32_t dimension, index_item *item)
{
    operand found;
    if (object == Py_None) {
        *item = (index_item){.dimensions = 1};
        return TAKEN;
    }
    if (!borrow(object, &found))
        return TENSOR;
    if (found.view.dtype == STREW_DTYPE_BOOL)
        return read_mask(self, object, &found.view, data, dimension, item);
    if (!index_accepted(id, found.view.dtype))
        return DTYPE;
    *item = (index_item){1, true, false, found.view};
    return TAKEN;
}

static outcome list_read(index_list *self, operator_id id, PyObject *list, const strew_tensor *data)
{
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : STREW_MAX_RANK + 1;
    int32_t dimension = 0;
    self->masks = 0;
    if (size > data->rank)
        return ARGUMENTS;
    self->count = (int32_t)size;
    for (int32_t i = 0; i < self->count; i++) {
        const outcome end = read_item(self, id, PyList_GetItem(list, i), data, dimension, &self->items[i]);
        if (end != TAKEN)
            return end;
        dimension += self->items[i].dimensions;
    }
    return TAKEN;
}

/* ---- index ---- */

static PyObject *tuple_of(const int64_t *values, int32_t count)
{
    PyObject *const tuple = PyTuple_New(count);
    for (int32_t d = 0; tuple && d < count; d++) {
        PyObject *const value = PyLong_FromLongLong(values[d]);
        if (!value || PyTuple_SetItem(tuple, d, value) < 0) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

/* The keywords of empty_strided for a dtype, borrowed. */
static PyObject *keywords_of(int32_t dtype)
{
    PyObject *const number = PyLong_FromLong(dtype);
    PyObject *const named = number ? PyDict_GetItemWithError(python.dtypes, number) : NULL;
    Py_XDECREF(number);
    return named;
}

/* torch.empty_strided(sizes, strides, dtype=dtype, device=cpu) */
static PyObject *tensor_new_by_python(int32_t rank, const int64_t *shape, const int64_t *strides, int32_t dtype)
{
    PyObject *const named = keywords_of(dtype);
    if (!named)
        return NULL;
    PyObject *const sizes = tuple_of(shape, rank);
    PyObject *const steps = tuple_of(strides, rank);
    PyObject *const places = sizes && steps ? PyTuple_Pack(2, sizes, steps) : NULL;
    PyObject *const result = places ? PyObject_Call(python.empty_strided, places, named) : NULL;
    Py_XDECREF(sizes);
    Py_XDECREF(steps);
    Py_XDECREF(places);
    return result;
}

/* A new tensor, in C where PyTorch lets a handle become an object. */
static PyObject *tensor_new(int32_t rank, const int64_t *shape, const int64_t *strides, int32_t dtype)
{
    if (!strew_torch_wrap)
        return tensor_new_by_python(rank, shape, strides, dtype);
    const AtenTensorHandle made = strew_torch_empty_strided(rank, shape, strides, dtype);
    PyObject *const result = made ? strew_torch_wrap(made) : NULL;
    if (made)
        pytorch.aoti_torch_delete_tensor_object(made);
    return result;
}

static PyObject *result_new(const indexing *indices, int32_t dtype)
{
    int64_t strides[STREW_MAX_RANK];
    indexing_strides(indices, strides);
    return tensor_new(indices->result_rank, indices->result_shape, strides, dtype);
}

static outcome get_into(const indexing *indices, int32_t dtype, PyObject *result)
{
    operand output;
    if (!borrow(result, &output))
        return TENSOR;
    const strew_tensor wanted = {NULL, output.view.dtype, indices->result_rank, indices->result_shape, NULL};
    if (output.dtype != dtype)
        return ARGUMENTS;
    if (!same_shape(&output.view, &wanted))
        return RESIZE;
    PyThreadState *const state = let_others_run(element_count(&output.view), output.view.dtype);
    const outcome end = indexing_get(indices, &output.view);
    go_on(state);
    return end;
}

static outcome get(python_call *self, index_list *read)
{
    operand data;
    indexing indices;
    if (!borrow(self->arguments[0], &data))
        return TENSOR;
    if (!dtype_accepted(self->id, 0, data.dtype))
        return DTYPE;
    outcome end = list_read(read, self->id, self->arguments[1], &data.view);
    if (end == TAKEN)
        end = indexing_make(&indices, &data.view, read->items, read->count);
    if (end != TAKEN)
        return end;
    self->result = self->form == FUNCTIONAL ? result_new(&indices, data.dtype) : given_output(self);
    if (!self->result) {
        PyErr_Clear();
        return MEMORY;
    }
    return get_into(&indices, data.dtype, self->result);
}

/* index(self, indices, *, out) */
static outcome index_get(python_call *self)
{
    index_list read = {.masks = 0};
    const outcome end = self->count == 2 ? get(self, &read) : ARGUMENTS;
    list_release(&read);
    return end;
}

/* ---- _index_put_impl_ ---- */

/* The mask that is the only index, or NULL. With one value PyTorch fills then, and sees each element once. */
static PyObject *mask_alone(PyObject *list, operand *mask)
{
    PyObject *found = NULL;
    const Py_ssize_t size = PyList_Check(list) ? PyList_Size(list) : 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *const item = PyList_GetItem(list, i);
        if (item == Py_None)
            continue;
        if (found || !borrow(item, mask) || mask->view.dtype != STREW_DTYPE_BOOL)
            return NULL;
        found = item;
    }
    return found;
}

/* Calls masked_fill_, which PyTorch's own kernel would end in, for a mask of self's shape; false for other
 * calls, or on an error. */
static bool fill(PyObject *self, const operand *data, PyObject *mask, const operand *masked, PyObject *value,
                 const operand *values)
{
    static PyObject *method;
    if (!is_plain(self) || !is_plain(mask) || !is_plain(value) || values->rank != 0 || masked->rank == 0 ||
        values->dtype != data->dtype || !same_shape(&data->view, &masked->view))
        return false;
    if (!method)
        method = PyUnicode_InternFromString("masked_fill_");
    PyObject *const done = method ? PyObject_CallMethodObjArgs(self, method, mask, value, NULL) : NULL;
    if (!done)
        PyErr_Clear();
    Py_XDECREF(done);
    return done != NULL;
}

static outcome put(PyObject *self, PyObject *list, PyObject *source, bool accumulate, index_list *read, bool *done)
{
    operand data, values, masked;
    indexing indices;
    if (!borrow(self, &data) || !borrow(source, &values))
        return TENSOR;
    PyObject *const mask = !accumulate && element_count(&values.view) == 1 ? mask_alone(list, &masked) : NULL;
    if (mask) {
        *done = fill(self, &data, mask, &masked, source, &values);
        return FILL;
    }
    if (data.dtype != values.dtype)
        return ARGUMENTS;
    if (!dtype_accepted(INDEX_PUT_, accumulate, data.dtype))
        return DTYPE;
    outcome end = list_read(read, INDEX_PUT_, list, &data.view);
    if (end == TAKEN)
        end = indexing_make(&indices, &data.view, read->items, read->count);
    if (end != TAKEN)
        return end;
    const strew_tensor written = {NULL, data.view.dtype, indices.result_rank, indices.result_shape, NULL};
    PyThreadState *const state = let_others_run(element_count(&written), written.dtype);
    end = indexing_put(&indices, &values.view, accumulate ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE);
    go_on(state);
    return end;
}

/* _index_put_impl_(self, indices, values, accumulate=False, unsafe=False) */
static outcome index_put(python_call *self)
{
    index_list read = {.masks = 0};
    bool done = false;
    if (self->count < 3)
        return ARGUMENTS;
    const outcome end =
        put(self->arguments[0], self->arguments[1], self->arguments[2], argument(self, 3) == Py_True, &read, &done);
    list_release(&read);
    self->result = given_output(self);
    return done ? TAKEN : end;
}

/* ---- The functions that PyTorch calls ---- */

#define FUNCTION(identifier, name, overload, form, kernel)                                               \
    static PyObject *called_##identifier(PyObject *module, PyObject *const *arguments, Py_ssize_t count, \
                                         PyObject *names)                                                \
    {                                                                                                    \
        (void)module;                                                                                    \
        python_call self = {identifier, form, arguments, count, names, NULL};                            \
        return run(&self, kernel);                                                                       \
    }
STREW_TORCH_PYTHON_OPERATORS(FUNCTION)
#undef FUNCTION

static PyMethodDef called[] = {
#define ROW(identifier, name, overload, form, kernel) \
    {name, (PyCFunction)(void (*)(void))called_##identifier, METH_FASTCALL | METH_KEYWORDS, NULL},
    STREW_TORCH_PYTHON_OPERATORS(ROW)
#undef ROW
};

PyObject *python_kernels_list(PyObject *module, PyObject *unused)
{
    (void)unused;
    PyObject *const list = PyList_New(0);
    for (int i = 0; list && i < OPERATORS - BOXED_OPERATORS; i++) {
        PyObject *const function = PyCFunction_NewEx(&called[i], module, NULL);
        const bool added = function && PyList_Append(list, function) == 0;
        Py_XDECREF(function);
        if (!added) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}
