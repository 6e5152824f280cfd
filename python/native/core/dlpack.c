/* Reads arrays by DLPack: by the function table of a type, which is fastest, or by the capsules of __dlpack__(). */
#include "core.h"

#include <strew/dlpack.h>

static strew_dtype dtype_of(DLDataType type)
{
    const strew_dtype dtype = strew_dtype_from_dlpack(type);
    const uint32_t bits = (uint32_t)type.bits * type.lanes;
    if (dtype != STREW_DTYPE_NONE || type.code == kDLOpaqueHandle || bits % 8 != 0)
        return dtype;
    return STREW_DTYPE_OPAQUE(bits / 8);
}

static int refuse_device(const DLTensor *source, strew_operand operand)
{
    raise_status(STREW_STATUS_INVALID_ARGUMENT, operand,
                 "%s is not in the CPU's memory (DLPack's device type %d): move it", operand_name(operand),
                 (int)source->device.device_type);
    return -1;
}

static int refuse_dtype(DLDataType type, strew_operand operand)
{
    raise_status(STREW_STATUS_UNSUPPORTED_DTYPE, operand,
                 "%s has a dtype that strew does not have (DLPack's code %d, %d bits, %d lanes)",
                 operand_name(operand), (int)type.code, (int)type.bits, (int)type.lanes);
    return -1;
}

static int read_view(array *target, const DLTensor *source, strew_operand operand)
{
    if (source->device.device_type != kDLCPU)
        return refuse_device(source, operand);
    if (source->ndim < 0 || source->ndim > STREW_MAX_RANK) {
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s has rank %d, above %d", operand_name(operand),
                     (int)source->ndim, STREW_MAX_RANK);
        return -1;
    }
    target->tensor.dtype = dtype_of(source->dtype);
    if (target->tensor.dtype == STREW_DTYPE_NONE)
        return refuse_dtype(source->dtype, operand);
    target->tensor.data = source->data ? (char *)source->data + source->byte_offset : NULL;
    target->tensor.rank = source->ndim;
    for (int32_t d = 0; d < source->ndim; d++) {
        target->shape[d] = source->shape[d];
        target->strides[d] = source->strides ? source->strides[d] : 0;
    }
    target->tensor.strides = source->strides ? target->strides : NULL;
    return 0;
}

/* A deleter may run Python code. That code must neither see nor clear a pending exception. */
void dlpack_delete(void *managed, bool is_versioned)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (is_versioned) {
        DLManagedTensorVersioned *const tensor = managed;
        if (tensor->deleter)
            tensor->deleter(tensor);
    } else {
        DLManagedTensor *const tensor = managed;
        if (tensor->deleter)
            tensor->deleter(tensor);
    }
    PyErr_Restore(type, value, trace);
}

static int read_versioned(array *target, DLManagedTensorVersioned *tensor, strew_operand operand)
{
    target->managed = tensor;
    target->is_versioned = true;
    if (tensor->version.major != DLPACK_MAJOR) {
        PyErr_Format(PyExc_BufferError, "%s speaks version %u.%u of DLPack, strew %d", operand_name(operand),
                     tensor->version.major, tensor->version.minor, DLPACK_MAJOR);
        return -1;
    }
    target->is_read_only = (tensor->flags & DLPACK_FLAG_READ_ONLY) != 0;
    return read_view(target, &tensor->dl_tensor, operand);
}

/* ---- PyTorch's tensors, which may be more than their memory ------------------------------------------- */

/* The truth of a method without arguments; -1 with an exception. */
static int says(PyObject *object, PyObject *method)
{
    PyObject *answer = PyObject_CallMethodObjArgs(object, method, NULL);
    const int is_true = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is_true;
}

static int refuse_if(int is_so, strew_operand operand, const char *what, const char *remedy)
{
    if (is_so > 0)
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s %s: give strew its %s", operand_name(operand),
                     what, remedy);
    return is_so == 0 ? 0 : -1;
}

/* Refuses tensors whose bytes are not their values: tracked by autograd, or lazily conjugated or negated. */
static int check_torch(const array *target, strew_operand operand)
{
    PyObject *requires_grad = PyObject_GetAttr(target->object, core.names.requires_grad);
    const int is_tracked = requires_grad ? requires_grad == Py_True : -1;
    Py_XDECREF(requires_grad);
    if (refuse_if(is_tracked, operand, "requires grad, which would not flow through this call", "detach()") != 0)
        return -1;
    const strew_dtype dtype = target->tensor.dtype;
    if (dtype < STREW_DTYPE_FLOAT16)
        return 0;                                       /* no view of integers is either */
    const bool is_real = dtype < STREW_DTYPE_COMPLEX64; /* complex32 is opaque */
    if (!is_real &&
        refuse_if(says(target->object, core.names.is_conj), operand, "is a conjugated view", "resolve_conj()") != 0)
        return -1;
    return refuse_if(says(target->object, core.names.is_neg), operand, "is a negated view", "resolve_neg()");
}

/* A higher version shows autograd that a tensor it saved has changed. */
int torch_tell_written(PyObject *tensor)
{
    static PyObject *increment_version;
    if (!increment_version) {
        PyObject *module = PyImport_ImportModule("torch.autograd.graph");
        increment_version = module ? PyObject_GetAttrString(module, "increment_version") : NULL;
        Py_XDECREF(module);
    }
    PyObject *done = increment_version ? PyObject_CallFunctionObjArgs(increment_version, tensor, NULL) : NULL;
    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* The library itself refuses arrays without addressable memory: sparse, wrapped, on another device. */
static int refuse_unseen(strew_operand operand)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    PyObject *lines = text ? PyUnicode_Splitlines(text, 0) : NULL;
    PyObject *first = lines && PyList_Size(lines) > 0 ? PyList_GetItem(lines, 0) : NULL;
    PyErr_Clear();
    if (first)
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s does not show its memory: %U",
                     operand_name(operand), first);
    else
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s does not show its memory", operand_name(operand));
    Py_XDECREF(lines);
    Py_XDECREF(text);
    Py_XDECREF(trace);
    Py_XDECREF(value);
    Py_XDECREF(type);
    return -1;
}

/* ---- The exchange API --------------------------------------------------------------------------------- */

const void *exchange_api_of(PyTypeObject *type)
{
    PyObject *capsule = PyObject_GetAttr((PyObject *)type, core.names.exchange_api);
    const DLPackExchangeAPI *api =
        capsule && PyCapsule_CheckExact(capsule) ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    PyErr_Clear();
    Py_XDECREF(capsule); /* the table lives as long as the process */
    while (api && api->version.major != DLPACK_MAJOR)
        api = api->older;
    return api;
}

int array_read_by_exchange(array *target, PyObject *object, const void *api, strew_operand operand)
{
    const DLPackExchangeAPI *const exchange = api;
    DLManagedTensorVersioned *tensor = NULL;
    DLTensor view;
    int status = exchange->view_of_object ? exchange->view_of_object(object, &view)
                                          : exchange->managed_from_object(object, &tensor);
    if (status != 0)
        return refuse_unseen(operand);
    status = exchange->view_of_object ? read_view(target, &view, operand) : read_versioned(target, tensor, operand);
    return status == 0 && target->origin == LIBRARY_TORCH ? check_torch(target, operand) : status;
}

/* ---- Capsules ----------------------------------------------------------------------------------------- */

/* Producers of before 1.0 know no max_version. */
static PyObject *capsule_of(PyObject *object)
{
    PyObject *method = PyObject_GetAttr(object, core.names.dlpack);
    if (!method)
        return NULL;
    PyObject *capsule = PyObject_Call(method, core.no_arguments, core.newest_dlpack);
    if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_Call(method, core.no_arguments, NULL);
    }
    Py_DECREF(method);
    return capsule;
}

/* The renamer of a capsule owns the tensor in it. */
static int consume(array *target, PyObject *capsule, strew_operand operand)
{
    if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
        DLManagedTensorVersioned *const tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");
        if (PyCapsule_SetName(capsule, "used_dltensor_versioned") != 0)
            return -1;
        return read_versioned(target, tensor, operand);
    }
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        DLManagedTensor *const tensor = PyCapsule_GetPointer(capsule, "dltensor");
        if (PyCapsule_SetName(capsule, "used_dltensor") != 0)
            return -1;
        target->managed = tensor;
        target->is_versioned = false;
        return read_view(target, &tensor->dl_tensor, operand);
    }
    PyErr_Format(PyExc_BufferError, "%s: __dlpack__() did not return a capsule of DLPack's", operand_name(operand));
    return -1;
}

int array_read_by_capsule(array *target, PyObject *object, strew_operand operand)
{
    PyObject *capsule = capsule_of(object);
    if (!capsule)
        return -1;
    const int status = consume(target, capsule, operand);
    Py_DECREF(capsule);
    return status == 0 && target->origin == LIBRARY_TORCH ? check_torch(target, operand) : status;
}
