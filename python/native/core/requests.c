/* A request: the attributes and arrays of a call, the shape of its output, and its plan. */
#include "core.h"

#include <string.h>

/* ---- Attributes --------------------------------------------------------------------------------------- */

static bool is_given(PyObject *value)
{
    return value && value != Py_None;
}

static int read_integer(int64_t *target, PyObject *value, int parameter, strew_operand operand)
{
    PyObject *integer = PyNumber_Index(value);
    if (!integer)
        return PyErr_ExceptionMatches(PyExc_TypeError) ? raise_type(value, parameter, "an int") : -1;
    *target = PyLong_AsLongLong(integer);
    const bool is_too_large = *target == -1 && PyErr_Occurred();
    if (is_too_large) {
        PyErr_Clear(); /* an OverflowError */
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%U is %S, which no tensor has",
                     core.parameters[parameter], integer);
    }
    Py_DECREF(integer);
    return is_too_large ? -1 : 0;
}

/* OpenVINO's axis is an input. */
static int read_axis_array(int64_t *axis, PyObject *value)
{
    array tensor;
    strew_error error;
    int status = array_read(&tensor, value, STREW_OPERAND_AXIS);
    if (status == 0 && strew_axis_read(&tensor.tensor, axis, &error) != STREW_STATUS_OK) {
        raise_refusal(&error);
        status = -1;
    }
    array_release(&tensor);
    return status;
}

static int read_axis(request *target, PyObject *value)
{
    if (target->version && !PyLong_Check(value))
        return read_axis_array(&target->attributes.axis, value);
    return read_integer(&target->attributes.axis, value, PARAMETER_AXIS, STREW_OPERAND_AXIS);
}

static int read_batch_dims(request *target, PyObject *value)
{
    return read_integer(&target->attributes.batch_dims, value, PARAMETER_BATCH_DIMS, STREW_OPERAND_BATCH_DIMS);
}

static int refuse_reduction(const char *name)
{
    raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_REDUCTION,
                 "reduction is '%s', which is none of none, sum (add), sub, prod (mul), min, max, mean", name);
    return -1;
}

/* The UTF-8 text of a str; NULL with an exception. */
static const char *name_of(PyObject *value, strew_operand operand)
{
    Py_ssize_t size;
    const char *name = PyUnicode_AsUTF8AndSize(value, &size);
    if (name && strlen(name) != (size_t)size) {
        raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s is %R, which holds a null character",
                     operand_name(operand), value);
        return NULL;
    }
    return name;
}

static int read_reduction(request *target, PyObject *value)
{
    if (!PyUnicode_Check(value))
        return raise_type(value, PARAMETER_REDUCTION, "a str");
    const char *name = name_of(value, STREW_OPERAND_REDUCTION);
    if (!name)
        return -1;
    return strew_reduction_find(name, &target->attributes.reduction) ? 0 : refuse_reduction(name);
}

static int read_default_index(request *target, PyObject *value)
{
    return read_integer(&target->attributes.default_index, value, PARAMETER_DEFAULT_INDEX,
                        STREW_OPERAND_DEFAULT_INDEX);
}

static int read_empty(request *target, PyObject *value)
{
    static const char *const names[] = {[STREW_EMPTY_ZERO] = "zero", [STREW_EMPTY_LOWEST] = "lowest"};
    if (!PyUnicode_Check(value))
        return raise_type(value, PARAMETER_EMPTY, "a str");
    for (strew_empty empty = 0; empty < STREW_EMPTY_COUNT; empty++)
        if (PyUnicode_CompareWithASCIIString(value, names[empty]) == 0) {
            target->attributes.empty = empty;
            return 0;
        }
    raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_EMPTY,
                 "empty is %R, which is none of 'zero', 'lowest'", value);
    return -1;
}

static int read_num_segments(request *target, PyObject *value)
{
    if (value == Py_None) { /* as many as the output has, or as the ids name */
        target->attributes.given &= ~(uint32_t)STREW_ATTRIBUTE_SEGMENT_COUNT;
        return 0;
    }
    return read_integer(&target->attributes.segment_count, value, PARAMETER_NUM_SEGMENTS,
                        STREW_OPERAND_SEGMENT_COUNT);
}

/* The policy of a mode. */
static int read_mode(request *target, PyObject *value)
{
    target->bounds = STREW_BOUNDS_REFUSE;
    if (!value || (target->version && value == Py_None))
        return 0;
    if (!PyUnicode_Check(value))
        return raise_type(value, PARAMETER_MODE, "a str");
    PyObject *policy = PyDict_GetItemWithError(core.modes, value);
    Py_XINCREF(policy);
    if (!policy && !PyErr_Occurred())
        policy = PyObject_CallFunctionObjArgs(core.find_mode, value, NULL);
    const char *name = policy ? PyUnicode_AsUTF8AndSize(policy, NULL) : NULL;
    const bool is_found = name && strew_bounds_find(name, &target->bounds);
    Py_XDECREF(policy);
    return is_found ? 0 : -1;
}

static bool is_truth(PyObject *value)
{
    return PyBool_Check(value) || PyObject_IsInstance(value, core.numpy_bool) > 0;
}

static int read_truth(int32_t *target, PyObject *value, int parameter)
{
    if (!is_truth(value))
        return raise_type(value, parameter, "a bool");
    *target = PyObject_IsTrue(value) > 0;
    return 0;
}

static int read_use_init_val(request *target, PyObject *value)
{
    return read_truth(&target->attributes.use_init_val, value, PARAMETER_USE_INIT_VAL);
}

static int read_circular(request *target, PyObject *value)
{
    return read_truth(&target->attributes.circular, value, PARAMETER_CIRCULAR);
}

/* A promise is no attribute: every version takes it. */
static int read_unique_indices(request *target, PyObject *value)
{
    target->unique_indices = false;
    if (!value || (target->version && value == Py_None))
        return 0;
    return read_truth(&target->unique_indices, value, PARAMETER_UNIQUE_INDICES);
}

static int check_count(const request *target, int list, Py_ssize_t count, int parameter)
{
    const bool is_first = list == STARTS;
    const Py_ssize_t right = is_first ? STREW_MAX_RANK : target->slice.count;
    if (is_first ? count <= right : count == right)
        return 0;
    raise_status(STREW_STATUS_SHAPE_MISMATCH, STREW_OPERAND_SLICE, "%U has %zd entries, where %s%zd would be right",
                 core.parameters[parameter], count, is_first ? "at most " : "", right);
    return -1;
}

/* One list of a slice: any sequence of integers. As in Python, integers that are too large mean the ends. */
static int read_list(request *target, int list, PyObject *value, int parameter)
{
    PyObject *sequence = PyUnicode_Check(value) ? NULL : PySequence_Tuple(value);
    if (!sequence)
        return raise_type(value, parameter, "a sequence of ints");
    const Py_ssize_t count = PyTuple_Size(sequence);
    int status = check_count(target, list, count, parameter);
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        PyObject *const item = PyTuple_GetItem(sequence, i);
        target->slice_lists[list][i] = PyNumber_AsSsize_t(item, NULL);
        if (PyErr_Occurred())
            status = PyErr_ExceptionMatches(PyExc_TypeError) ? raise_type(item, parameter, "of ints") : -1;
    }
    if (status == 0)
        target->slice.count = (int32_t)count;
    Py_DECREF(sequence);
    return status;
}

static const int slice_parameters[SLICE_LISTS] = {PARAMETER_STARTS, PARAMETER_STOPS, PARAMETER_STEPS,
                                                  PARAMETER_AXES};

static bool has_slice(const request *target, PyObject *const *values)
{
    bool has_any = target->kind == STREW_KIND_SLICE_SCATTER && !target->version;
    for (int list = 0; list < SLICE_LISTS; list++)
        has_any = has_any || is_given(values[slice_parameters[list]]);
    return has_any;
}

/* Steps are 1 if they are not given. */
static int read_slice(request *target, PyObject *const *values)
{
    int64_t(*const lists)[STREW_MAX_RANK] = target->slice_lists;
    if (!has_slice(target, values))
        return 0;
    for (int i = 0; i < STREW_MAX_RANK; i++)
        lists[STEPS][i] = 1;
    for (int list = 0; list < SLICE_LISTS; list++) {
        const int parameter = slice_parameters[list];
        if (is_given(values[parameter])) {
            if (read_list(target, list, values[parameter], parameter) != 0)
                return -1;
        } else if (list == STARTS || list == STOPS) {
            raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE, "a slice needs %U",
                         core.parameters[parameter]);
            return -1;
        }
    }
    target->slice = (strew_slice){target->slice.count, 0,
                                  lists[STARTS],       lists[STOPS],
                                  lists[STEPS],        is_given(values[PARAMETER_AXES]) ? lists[AXES] : NULL};
    target->attributes.slice = &target->slice;
    target->attributes.given |= STREW_ATTRIBUTE_SLICE;
    return 0;
}

/* With a version None means "not given"; otherwise None is an argument of a wrong type. */
static int read_attributes(request *target, PyObject *const *values)
{
    static const struct attribute {
        int parameter;
        uint32_t bit;
        int (*read)(request *, PyObject *);
    } attributes[] = {
        {PARAMETER_AXIS, STREW_ATTRIBUTE_AXIS, read_axis},
        {PARAMETER_BATCH_DIMS, STREW_ATTRIBUTE_BATCH_DIMS, read_batch_dims},
        {PARAMETER_REDUCTION, STREW_ATTRIBUTE_REDUCTION, read_reduction},
        {PARAMETER_USE_INIT_VAL, STREW_ATTRIBUTE_USE_INIT_VAL, read_use_init_val},
        {PARAMETER_CIRCULAR, STREW_ATTRIBUTE_CIRCULAR, read_circular},
        {PARAMETER_DEFAULT_INDEX, STREW_ATTRIBUTE_DEFAULT_INDEX, read_default_index},
        {PARAMETER_EMPTY, STREW_ATTRIBUTE_EMPTY, read_empty},
        {PARAMETER_NUM_SEGMENTS, STREW_ATTRIBUTE_SEGMENT_COUNT, read_num_segments},
    };
    target->attributes = (strew_attributes){
        .reduction = kind_combines(target->kind) ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE,
        .axis = target->kind == STREW_KIND_TENSOR_SCATTER ? -2 : 0,
        .use_init_val = true,
        .default_index = -1,
    };
    for (size_t a = 0; a < sizeof attributes / sizeof *attributes; a++) {
        PyObject *value = values[attributes[a].parameter];
        if (!value || (target->version && value == Py_None))
            continue;
        target->attributes.given |= attributes[a].bit;
        if (attributes[a].read(target, value) != 0)
            return -1;
    }
    return read_slice(target, values);
}

/* ---- Versions ----------------------------------------------------------------------------------------- */

/* The name that finds a version, with its collection if two collections have that name. */
static PyObject *name_of_version(const strew_operator *version)
{
    return strew_operator_find(version->name) == version
               ? PyUnicode_FromString(version->name)
               : PyUnicode_FromFormat("%s:%s", version->collection, version->name);
}

static PyObject *names_of_versions(void)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < strew_operator_count(); i++) {
        PyObject *name = name_of_version(strew_operator_at(i));
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return join_names(list);
}

static int read_version(request *target, PyObject *value)
{
    if (!PyUnicode_Check(value))
        return raise_type(value, PARAMETER_NAME, "a str");
    const char *name = name_of(value, STREW_OPERAND_OPERATOR);
    if (!name)
        return -1;
    target->version = strew_operator_find(name);
    if (target->version) {
        target->kind = target->version->kind;
        return 0;
    }
    PyObject *names = names_of_versions();
    if (names)
        raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_OPERATOR,
                     "no operator is named '%s'; there are %U", name, names);
    Py_XDECREF(names);
    return -1;
}

/* ---- Arrays ------------------------------------------------------------------------------------------- */

/* NULL if the operand is absent. */
static const strew_tensor *tensor_of(const request *source, int operand)
{
    return source->has[operand] ? &source->arrays[operand].tensor : NULL;
}

static int refuse_operand(const request *target, strew_operand operand, bool is_lacking)
{
    const char *const why = operand != STREW_OPERAND_UPDATES ? "" : is_lacking ? ": it scatters" : ": it gathers";
    raise_status(STREW_STATUS_INVALID_ARGUMENT, operand, "%s %s %s%s", target->version->name,
                 is_lacking ? "needs" : "takes no", operand_name(operand), why);
    return -1;
}

/* Numbers that meet those of data may be given as a list, which has no dtype of its own. */
int read_like_data(array arrays[OPERANDS], int place, PyObject *value, strew_operand operand)
{
    return place == UPDATES || place == WEIGHTS ? array_read_like(&arrays[place], value, operand, &arrays[DATA])
                                                : array_read(&arrays[place], value, operand);
}

/* Reads an operand: required ones always, optional ones if given. Refuses operands that the operator lacks. */
static int read_operand(request *target, int place, PyObject *value, strew_operand operand)
{
    const presence taken = kind_takes(target->kind, place);
    const bool is_here = target->version || taken == OPTIONAL ? is_given(value) : taken == NEEDED;
    if (is_here ? taken == ABSENT : taken == NEEDED)
        return refuse_operand(target, operand, !is_here);
    target->has[place] = is_here;
    return is_here ? read_like_data(target->arrays, place, value, operand) : 0;
}

/* Reads the one of these three parameters that the operator takes. The others must not be given. */
static int read_segments(request *target, PyObject *const *values)
{
    static const struct name {
        int parameter;
        strew_operand operand;
    } names[] = {
        {PARAMETER_OFFSETS, STREW_OPERAND_OFFSETS},
        {PARAMETER_SEGMENT_IDS, STREW_OPERAND_SEGMENT_IDS},
        {PARAMETER_TARGETS, STREW_OPERAND_TARGETS},
    };
    const strew_operand own = kind_operand(target->kind, SEGMENTS);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].operand != own && is_given(values[names[i].parameter]))
            return refuse_operand(target, names[i].operand, false);
    return read_operand(target, SEGMENTS, values[kind_parameter(target->kind, SEGMENTS)], own);
}

/* Segments and weights are attributes, too. */
static void give_operands(request *target)
{
    strew_attributes *const attributes = &target->attributes;
    attributes->segments = tensor_of(target, SEGMENTS);
    attributes->weights = tensor_of(target, WEIGHTS);
    attributes->given |= (target->has[SEGMENTS] ? STREW_ATTRIBUTE_SEGMENTS : 0) |
                         (target->has[WEIGHTS] ? STREW_ATTRIBUTE_WEIGHTS : 0);
}

static int read_fill(request *target, PyObject *value)
{
    if (!is_given(value))
        return 0;
    if (!kind_fills(target->kind)) {
        raise_status(STREW_STATUS_INVALID_ARGUMENT, OPERAND_FILL, "%s takes no fill_value: it %s",
                     target->version->name, kind_combines(target->kind) ? "combines" : "scatters");
        return -1;
    }
    target->fill = fill_new(value, &target->arrays[DATA]);
    return target->fill ? 0 : -1;
}

static bool has_count(const request *source)
{
    return source->attributes.given & STREW_ATTRIBUTE_SEGMENT_COUNT;
}

static int allocate_output(request *target)
{
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    if (kind_counts_segments(target->kind) && !has_count(target)) {
        target->attributes.segment_count = array_greatest(&target->arrays[SEGMENTS]) + 1;
        target->attributes.given |= STREW_ATTRIBUTE_SEGMENT_COUNT;
    }
    if (request_shape(target, shape, &rank) != 0)
        return -1;
    target->result = output_new(&target->arrays[DATA], shape, rank);
    return target->result ? array_read_output(&target->arrays[OUTPUT], target->result) : -1;
}

static int take_output(request *target, PyObject *value)
{
    Py_INCREF(value);
    target->result = value;
    if (array_read_output(&target->arrays[OUTPUT], value) != 0)
        return -1;
    const strew_tensor *const output = &target->arrays[OUTPUT].tensor;
    if (has_count(target) && output->rank > 0 && output->shape[0] != target->attributes.segment_count) {
        raise_status(STREW_STATUS_SHAPE_MISMATCH, STREW_OPERAND_OUTPUT,
                     "dimension 0 of output is %lld, where num_segments is %lld", (long long)output->shape[0],
                     (long long)target->attributes.segment_count);
        return -1;
    }
    return array_check_same_dtype(&target->arrays[OUTPUT], STREW_OPERAND_OUTPUT, &target->arrays[DATA]);
}

static int read_arrays(request *target, PyObject *const *values)
{
    array *const arrays = target->arrays;
    if (array_read(&arrays[DATA], values[PARAMETER_DATA], STREW_OPERAND_DATA) != 0 ||
        read_operand(target, INDICES, values[PARAMETER_INDICES], STREW_OPERAND_INDICES) != 0 ||
        read_operand(target, UPDATES, values[PARAMETER_UPDATES], STREW_OPERAND_UPDATES) != 0 ||
        read_segments(target, values) != 0 ||
        read_operand(target, WEIGHTS, values[PARAMETER_WEIGHTS], STREW_OPERAND_WEIGHTS) != 0 ||
        read_fill(target, values[PARAMETER_FILL_VALUE]) != 0)
        return -1;
    if (target->has[UPDATES] && array_check_same_dtype(&arrays[UPDATES], STREW_OPERAND_UPDATES, &arrays[DATA]) != 0)
        return -1;
    give_operands(target);
    target->is_given_output = is_given(values[PARAMETER_OUT]);
    return target->is_given_output ? take_output(target, values[PARAMETER_OUT]) : allocate_output(target);
}

int request_read(request *target, const function *taker, PyObject *const *values)
{
    target->version = NULL;
    target->kind = taker->kind;
    target->result = NULL;
    target->fill = NULL;
    target->slice.count = 0;
    for (int i = 0; i < OPERANDS; i++) {
        array_clear(&target->arrays[i]);
        target->has[i] = i == DATA || i == OUTPUT;
    }
    if (taker->is_versioned && read_version(target, values[PARAMETER_NAME]) != 0)
        return -1;
    target->threads = threads_from(values[PARAMETER_NUM_THREADS]);
    if (target->threads == 0 || read_attributes(target, values) != 0 ||
        read_mode(target, values[PARAMETER_MODE]) != 0 ||
        read_unique_indices(target, values[PARAMETER_UNIQUE_INDICES]) != 0)
        return -1;
    return read_arrays(target, values);
}

void request_release(request *target)
{
    for (int i = 0; i < OPERANDS; i++)
        array_release(&target->arrays[i]);
    Py_CLEAR(target->fill);
    Py_CLEAR(target->result);
}

/* ---- Text under a version ----------------------------------------------------------------------------- */

/*
 * The elements of NumPy's S and U are strings to a published version, and to strew opaque: the version checks the
 * call as one of strings, and the unversioned call moves the bytes.
 */
static bool is_text_of_a_version(const request *source)
{
    return source->version && source->arrays[DATA].is_text;
}

static const strew_tensor *as_strings(strew_tensor *storage, const strew_tensor *tensor)
{
    if (!tensor)
        return NULL;
    *storage = *tensor;
    if (storage->dtype & STREW_DTYPE_OPAQUE_BIT)
        storage->dtype = STREW_DTYPE_STRING;
    return storage;
}

/* The output of GatherND-5 has one dimension for all batch dimensions, the unversioned call's has them all. */
static void split_batch(strew_tensor *split, int64_t shape[STREW_MAX_RANK], int64_t strides[STREW_MAX_RANK],
                        const request *source, const strew_tensor *output)
{
    const int32_t batch_dims = (int32_t)source->attributes.batch_dims;
    const int32_t more = batch_dims - 1;
    int64_t stride = output->strides ? output->strides[0] : 1;
    for (int32_t d = 1; d < output->rank; d++) {
        shape[d + more] = output->shape[d];
        strides[d + more] = output->strides ? output->strides[d] : 0;
    }
    for (int32_t d = batch_dims; d-- > 0;) {
        shape[d] = source->arrays[INDICES].shape[d];
        strides[d] = stride;
        stride *= shape[d];
    }
    *split =
        (strew_tensor){output->data, output->dtype, output->rank + more, shape, output->strides ? strides : NULL};
}

static strew_status plan_combined(const request *source, const strew_tensor *output,
                                  const strew_plan_options *options, strew_plan *plan)
{
    const strew_tensor *const data = tensor_of(source, DATA), *const indices = tensor_of(source, INDICES),
                              *const updates = tensor_of(source, UPDATES),
                              *const segments = tensor_of(source, SEGMENTS),
                              *const weights = tensor_of(source, WEIGHTS);
    const strew_attributes *const given = &source->attributes;
    const strew_reduction reduction = given->reduction;
    switch (source->kind) {
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(plan, data, indices, segments, weights, reduction,
                                                given->default_index, output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(plan, data, indices, weights, reduction, output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(plan, data, indices, segments, weights, reduction,
                                             given->default_index, output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(plan, data, segments, reduction, given->empty, output, options);
    default:
        return strew_plan_gather_scatter(plan, data, updates, indices, segments, weights, reduction,
                                         given->use_init_val, output, options);
    }
}

static strew_status plan_unversioned(const request *source, const strew_tensor *output,
                                     const strew_plan_options *options, strew_plan *plan)
{
    if (kind_combines(source->kind))
        return plan_combined(source, output, options, plan);
    const strew_tensor *const data = &source->arrays[DATA].tensor;
    const strew_tensor *const indices = tensor_of(source, INDICES);
    const strew_tensor *const updates = tensor_of(source, UPDATES);
    const strew_attributes *const given = &source->attributes;
    switch (source->kind) {
    case STREW_KIND_GATHER:
        return strew_plan_gather(plan, data, indices, given->axis, given->batch_dims, output, options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(plan, data, indices, updates, given->axis, given->batch_dims, given->reduction,
                                  given->use_init_val, output, options);
    case STREW_KIND_GATHER_ND: return strew_plan_gather_nd(plan, data, indices, given->batch_dims, output, options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(plan, data, indices, given->axis, output, options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(plan, data, indices, updates, given->reduction, output, options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_plan_tensor_scatter(plan, data, indices, updates, given->axis, given->circular, output,
                                         options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(plan, data, updates, given->slice, output, options);
    default:
        return strew_plan_scatter_elements(plan, data, indices, updates, given->axis, given->reduction,
                                           given->use_init_val, output, options);
    }
}

static strew_status plan_version(const request *source, const strew_tensor *output,
                                 const strew_plan_options *options, strew_plan *plan)
{
    return strew_operator_plan(plan, source->version, &source->attributes, &source->arrays[DATA].tensor,
                               tensor_of(source, INDICES), tensor_of(source, UPDATES), output, options);
}

static strew_status plan_text(const request *source, const strew_tensor *output, strew_plan_options *options,
                              strew_plan *plan)
{
    strew_tensor data, updates, strings, split;
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
    const strew_status status = strew_operator_plan(
        plan, source->version, &source->attributes, as_strings(&data, &source->arrays[DATA].tensor),
        tensor_of(source, INDICES), as_strings(&updates, tensor_of(source, UPDATES)), as_strings(&strings, output),
        options);
    if (status != STREW_STATUS_OK)
        return status;
    if (source->version->rules & STREW_RULE_REFUSES_NEGATIVE)
        options->flags |= STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    if ((source->version->rules & STREW_RULE_ZERO_OUTSIDE) && options->bounds == STREW_BOUNDS_REFUSE)
        options->bounds = STREW_BOUNDS_SKIP;
    if ((source->version->rules & STREW_RULE_FLATTENS_BATCH) && source->attributes.batch_dims > 1) {
        split_batch(&split, shape, strides, source, output);
        output = &split;
    }
    return plan_unversioned(source, output, options, plan);
}

/* ---- Shapes and plans --------------------------------------------------------------------------------- */

static strew_status shape_of_combined(const request *source, int64_t *shape, int32_t *rank, strew_error *error)
{
    const strew_tensor *const data = tensor_of(source, DATA), *const indices = tensor_of(source, INDICES),
                              *const updates = tensor_of(source, UPDATES),
                              *const segments = tensor_of(source, SEGMENTS),
                              *const weights = tensor_of(source, WEIGHTS);
    const int64_t count = source->attributes.segment_count;
    switch (source->kind) {
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets_shape(data, indices, segments, weights, shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed_shape(data, indices, weights, shape, rank, error);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments_shape(data, indices, segments, weights, count, shape, rank, error);
    case STREW_KIND_SEGMENT_REDUCE: return strew_segment_reduce_shape(data, segments, count, shape, rank, error);
    default: return strew_gather_scatter_shape(data, updates, indices, segments, weights, shape, rank, error);
    }
}

static strew_status shape_of_unversioned(const request *source, int64_t *shape, int32_t *rank, strew_error *error)
{
    if (kind_combines(source->kind))
        return shape_of_combined(source, shape, rank, error);
    const strew_tensor *const data = &source->arrays[DATA].tensor;
    const strew_tensor *const indices = tensor_of(source, INDICES);
    const strew_tensor *const updates = tensor_of(source, UPDATES);
    const strew_attributes *const given = &source->attributes;
    switch (source->kind) {
    case STREW_KIND_GATHER:
        return strew_gather_shape(data, indices, given->axis, given->batch_dims, shape, rank, error);
    case STREW_KIND_SCATTER:
        return strew_scatter_shape(data, indices, updates, given->axis, given->batch_dims, shape, rank, error);
    case STREW_KIND_GATHER_ND: return strew_gather_nd_shape(data, indices, given->batch_dims, shape, rank, error);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_gather_elements_shape(data, indices, given->axis, shape, rank, error);
    case STREW_KIND_SCATTER_ND: return strew_scatter_nd_shape(data, indices, updates, shape, rank, error);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_tensor_scatter_shape(data, indices, updates, given->axis, given->circular, shape, rank, error);
    case STREW_KIND_SLICE_SCATTER:
        return strew_slice_scatter_shape(data, updates, given->slice, shape, rank, error);
    default: return strew_scatter_elements_shape(data, indices, updates, given->axis, shape, rank, error);
    }
}

static strew_status shape_of_version(const request *source, int64_t *shape, int32_t *rank, strew_error *error)
{
    strew_tensor data = source->arrays[DATA].tensor, updates;
    const strew_tensor *given = tensor_of(source, UPDATES);
    if (is_text_of_a_version(source)) {
        as_strings(&data, &source->arrays[DATA].tensor);
        given = as_strings(&updates, given);
    }
    return strew_operator_shape(source->version, &source->attributes, &data, tensor_of(source, INDICES), given,
                                shape, rank, error);
}

int request_shape(const request *source, int64_t shape[STREW_MAX_RANK], int32_t *rank)
{
    strew_error error;
    const strew_status status = source->version ? shape_of_version(source, shape, rank, &error)
                                                : shape_of_unversioned(source, shape, rank, &error);
    if (status == STREW_STATUS_OK)
        return 0;
    raise_refusal(&error);
    return -1;
}

int request_plan(const request *source, const strew_tensor *output, size_t threads, strew_plan *plan)
{
    strew_error error;
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = threads;
    options.bounds = source->bounds;
    options.flags = source->unique_indices ? STREW_FLAG_UNIQUE_INDICES : 0;
    options.error = &error;
    const strew_status status = is_text_of_a_version(source) ? plan_text(source, output, &options, plan)
                                : source->version            ? plan_version(source, output, &options, plan)
                                                             : plan_unversioned(source, output, &options, plan);
    if (status == STREW_STATUS_OK)
        return 0;
    raise_refusal(&error);
    return -1;
}
