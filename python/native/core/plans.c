/* strew.Plan: an operator with everything fixed but the elements of its arrays. */
#include "core.h"

#include <string.h>
#include <structmember.h>

/* The required layout of a run's array. */
typedef struct layout {
    strew_dtype dtype;
    int32_t rank;
    int64_t shape[STREW_MAX_RANK];
    int64_t strides[STREW_MAX_RANK];
} layout;

typedef struct plan_object {
    PyObject_HEAD strew_plan plan;
    strew_kind kind;
    const char *name;
    size_t threads;
    PyObject *fill;         /* as bytes, or NULL */
    bool has[OPERANDS];     /* the operands that it was planned with */
    bool is_inspected;      /* it runs without the operands that the inspection replaces */
    void *inspection;       /* memory owned by the plan, or NULL */
    size_t inspection_size; /* in bytes */
    layout layouts[OPERANDS];
} plan_object;

/* ---- Layouts ------------------------------------------------------------------------------------------ */

static int64_t stride_of(const strew_tensor *tensor, int32_t dimension)
{
    if (tensor->strides)
        return tensor->strides[dimension];
    int64_t stride = 1;
    for (int32_t d = tensor->rank; --d > dimension;)
        stride *= tensor->shape[d];
    return stride;
}

static void layout_take(layout *target, const strew_tensor *tensor)
{
    target->dtype = tensor->dtype;
    target->rank = tensor->rank;
    for (int32_t d = 0; d < tensor->rank; d++) {
        target->shape[d] = tensor->shape[d];
        target->strides[d] = stride_of(tensor, d);
    }
}

static bool has_shape(const layout *planned, const strew_tensor *tensor)
{
    bool is_same = planned->rank == tensor->rank;
    for (int32_t d = 0; is_same && d < planned->rank; d++)
        is_same = planned->shape[d] == tensor->shape[d];
    return is_same;
}

/* A dimension of one element has no stride that matters. */
static bool has_strides(const layout *planned, const strew_tensor *tensor)
{
    bool is_same = true;
    for (int32_t d = 0; is_same && d < planned->rank; d++)
        is_same = planned->shape[d] <= 1 || planned->strides[d] == stride_of(tensor, d);
    return is_same;
}

static int refuse_shape(const layout *planned, const strew_tensor *tensor, strew_operand operand)
{
    PyObject *found = tuple_of(tensor->shape, tensor->rank);
    PyObject *wanted = tuple_of(planned->shape, planned->rank);
    if (found && wanted)
        raise_status(STREW_STATUS_SHAPE_MISMATCH, operand, "%s has shape %S, its plan is for %S",
                     operand_name(operand), found, wanted);
    Py_XDECREF(found);
    Py_XDECREF(wanted);
    return -1;
}

static int refuse_strides(const layout *planned, const strew_tensor *tensor, strew_operand operand)
{
    layout given;
    layout_take(&given, tensor);
    PyObject *found = tuple_of(given.strides, given.rank);
    PyObject *wanted = tuple_of(planned->strides, planned->rank);
    if (found && wanted)
        raise_status(STREW_STATUS_SHAPE_MISMATCH, operand, "%s has strides %S, its plan is for %S (in elements)",
                     operand_name(operand), found, wanted);
    Py_XDECREF(found);
    Py_XDECREF(wanted);
    return -1;
}

static int check_layout(const layout *planned, const strew_tensor *tensor, strew_operand operand)
{
    if (planned->dtype != tensor->dtype) {
        raise_status(STREW_STATUS_DTYPE_MISMATCH, operand,
                     "%s is of %s (%zu bytes), its plan is for %s (%zu bytes)", operand_name(operand),
                     strew_dtype_name(tensor->dtype), strew_dtype_size(tensor->dtype),
                     strew_dtype_name(planned->dtype), strew_dtype_size(planned->dtype));
        return -1;
    }
    if (!has_shape(planned, tensor))
        return refuse_shape(planned, tensor, operand);
    return has_strides(planned, tensor) ? 0 : refuse_strides(planned, tensor, operand);
}

/* ---- Making ------------------------------------------------------------------------------------------- */

static void take_layouts(plan_object *target, const request *source)
{
    for (int i = 0; i < OPERANDS; i++) {
        target->has[i] = source->has[i];
        if (source->has[i])
            layout_take(&target->layouts[i], &source->arrays[i].tensor);
    }
}

static plan_object *allocate(PyObject *fill)
{
    plan_object *made = PyObject_New(plan_object, (PyTypeObject *)core.plan_type);
    if (!made)
        return NULL;
    made->fill = fill;
    Py_XINCREF(fill);
    made->is_inspected = false;
    made->inspection = NULL;
    return made;
}

PyObject *plan_new(const request *source)
{
    plan_object *made = allocate(source->fill);
    if (!made)
        return NULL;
    made->kind = source->kind;
    made->name = source->version ? source->version->name : strew_kind_name(source->kind);
    made->threads = run_threads(source->arrays, source->kind, source->threads);
    take_layouts(made, source);
    if (request_plan(source, &source->arrays[OUTPUT].tensor, made->threads, &made->plan) != 0)
        Py_CLEAR(made);
    else
        made->inspection_size = strew_plan_inspection_size(&made->plan);
    return (PyObject *)made;
}

static void plan_delete(PyObject *self)
{
    PyTypeObject *const type = Py_TYPE(self);
    Py_XDECREF(((plan_object *)self)->fill);
    PyMem_Free(((plan_object *)self)->inspection);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

/* The purpose for which a plan is given arrays. */
typedef enum purpose { RUNNING, INSPECTING } purpose;

/* Whether an operand may be given. */
static bool may_take(const plan_object *plan, purpose given_for, int place)
{
    const bool is_inspected = kind_inspects(plan->kind, place);
    return given_for == INSPECTING ? is_inspected : !(plan->is_inspected && is_inspected);
}

/*
 * The operands that may be given, in their order. Returns how many. Gathers have a place for updates, which are
 * None, before the output; inspected gathers leave that place out.
 */
static int places_of(const plan_object *plan, purpose given_for, int places[OPERANDS])
{
    int all[OPERANDS], count = 0;
    const int most = kind_places(plan->kind, all);
    for (int i = 0; i < most; i++)
        if (may_take(plan, given_for, all[i]) && !(plan->is_inspected && kind_takes(plan->kind, all[i]) == ABSENT))
            places[count++] = all[i];
    return count;
}

/* The callable that takes the arrays, for messages. */
static const char *taker_of(purpose given_for)
{
    return given_for == INSPECTING ? "inspect() of a plan" : "a plan";
}

static int take_positional(const plan_object *plan, purpose given_for, PyObject *values[OPERANDS],
                           PyObject *positional)
{
    int places[OPERANDS];
    const int most = places_of(plan, given_for, places);
    const Py_ssize_t count = PyTuple_Size(positional);
    if (count > most) {
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments by position, and was given %zd", taker_of(given_for),
                     most, count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        values[places[i]] = PyTuple_GetItem(positional, i);
    return 0;
}

static int refuse_keyword(const plan_object *plan, purpose given_for)
{
    int places[OPERANDS];
    const int count = places_of(plan, given_for, places);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++)
        if (PyList_Append(list, core.parameters[kind_parameter(plan->kind, places[i])]) != 0)
            Py_CLEAR(list);
    PyObject *names = join_names(list);
    if (names)
        PyErr_Format(PyExc_TypeError, "%s of %s takes %U%s", taker_of(given_for), plan->name, names,
                     given_for == RUNNING ? " and out, and no other argument"
                     : count > 0          ? ", and no other argument"
                                          : "no argument");
    Py_XDECREF(names);
    return -1;
}

static int take_keywords(const plan_object *plan, purpose given_for, PyObject *values[OPERANDS], PyObject *keywords)
{
    Py_ssize_t left = keywords ? PyDict_Size(keywords) : 0;
    for (int i = 0; i < OPERANDS && left > 0; i++) {
        PyObject *name = core.parameters[kind_parameter(plan->kind, i)];
        PyObject *value = PyDict_GetItemWithError(keywords, name);
        if (value && values[i]) {
            PyErr_Format(PyExc_TypeError, "%s has its argument '%U' twice", taker_of(given_for), name);
            return -1;
        }
        if (value) {
            values[i] = value;
            left--;
        }
    }
    return left > 0 ? refuse_keyword(plan, given_for) : 0;
}

static const char *why_not(const plan_object *plan, purpose given_for, int place)
{
    if (plan->is_inspected && kind_inspects(plan->kind, place))
        return ": it has been inspected";
    if (!may_take(plan, given_for, place))
        return "";
    return kind_takes(plan->kind, place) == OPTIONAL ? ": it was made without"
           : place == UPDATES                        ? ": it gathers"
                                                     : "";
}

static int refuse_presence(const plan_object *plan, purpose given_for, int place, bool is_lacking)
{
    PyObject *name = core.parameters[kind_parameter(plan->kind, place)];
    if (is_lacking)
        PyErr_Format(PyExc_TypeError, "%s of %s lacks its argument '%U'", taker_of(given_for), plan->name, name);
    else
        PyErr_Format(PyExc_TypeError, "%s of %s takes no %U%s", taker_of(given_for), plan->name, name,
                     why_not(plan, given_for, place));
    return -1;
}

/* An output may be left out. */
static int take_arguments(const plan_object *plan, purpose given_for, PyObject *values[OPERANDS],
                          PyObject *positional, PyObject *keywords)
{
    if (take_positional(plan, given_for, values, positional) != 0 ||
        take_keywords(plan, given_for, values, keywords) != 0)
        return -1;
    for (int i = DATA; i < OPERANDS; i++) {
        if (values[i] == Py_None)
            values[i] = NULL;
        const bool is_given = values[i] != NULL, is_taken = plan->has[i] && may_take(plan, given_for, i);
        if (is_given != is_taken && (i != OUTPUT || is_given))
            return refuse_presence(plan, given_for, i, is_taken);
    }
    return 0;
}

/* ---- Running ------------------------------------------------------------------------------------------ */

/* Reads one array and holds it to the plan. */
static int read_planned(const plan_object *plan, array arrays[OPERANDS], int place, PyObject *object)
{
    const strew_operand operand = kind_operand(plan->kind, place);
    if ((place == OUTPUT ? array_read_output(&arrays[place], object)
                         : read_like_data(arrays, place, object, operand)) != 0 ||
        check_layout(&plan->layouts[place], &arrays[place].tensor, operand) != 0)
        return -1;
    return place == UPDATES || place == OUTPUT ? array_check_same_dtype(&arrays[place], operand, &arrays[DATA]) : 0;
}

static int read_inputs(const plan_object *plan, array arrays[OPERANDS], PyObject *const values[OPERANDS])
{
    for (int place = DATA; place < OUTPUT; place++)
        if (values[place] && read_planned(plan, arrays, place, values[place]) != 0)
            return -1;
    return 0;
}

/* The inspection in the place of indices, with as many entries as there were to look at. */
static void give_inspection(const plan_object *plan, array *indices)
{
    const layout *const seen = &plan->layouts[plan->has[INDICES] ? INDICES : SEGMENTS];
    if (plan->inspection)
        indices->tensor = (strew_tensor){plan->inspection, seen->dtype, seen->rank, seen->shape, seen->strides};
}

static PyObject *run(const plan_object *plan, array arrays[OPERANDS], PyObject *const values[OPERANDS])
{
    if (read_inputs(plan, arrays, values) != 0)
        return NULL;
    give_inspection(plan, &arrays[INDICES]);
    const layout *const planned = &plan->layouts[OUTPUT];
    PyObject *result = values[OUTPUT];
    Py_XINCREF(result);
    if (!result)
        result = output_new(&arrays[DATA], planned->shape, planned->rank);
    if (!result || read_planned(plan, arrays, OUTPUT, result) != 0 ||
        run_plan(&plan->plan, arrays, plan->fill, plan->kind, plan->threads) != 0 ||
        (values[OUTPUT] && array_tell_written(&arrays[OUTPUT]) != 0))
        Py_CLEAR(result);
    return result;
}

/* Sorts the arguments, calls `act` with them, and releases the arrays. */
static PyObject *take(const plan_object *plan, purpose given_for,
                      PyObject *(*act)(const plan_object *, array *, PyObject *const *), PyObject *positional,
                      PyObject *keywords)
{
    PyObject *values[OPERANDS] = {NULL};
    if (take_arguments(plan, given_for, values, positional, keywords) != 0)
        return NULL;
    array arrays[OPERANDS];
    for (int i = 0; i < OPERANDS; i++)
        array_clear(&arrays[i]);
    PyObject *result = act(plan, arrays, values);
    for (int i = 0; i < OPERANDS; i++)
        array_release(&arrays[i]);
    return result;
}

static PyObject *plan_call(PyObject *self, PyObject *positional, PyObject *keywords)
{
    return take((const plan_object *)self, RUNNING, run, positional, keywords);
}

/* ---- Inspecting --------------------------------------------------------------------------------------- */

/* A copy of a plan without its inspection. */
static plan_object *copy_of(const plan_object *plan)
{
    plan_object *made = allocate(plan->fill);
    if (!made)
        return NULL;
    made->kind = plan->kind;
    made->name = plan->name;
    made->threads = plan->threads;
    memcpy(made->has, plan->has, sizeof made->has);
    memcpy(made->layouts, plan->layouts, sizeof made->layouts);
    made->is_inspected = true;
    made->inspection_size = plan->inspection_size;
    return made;
}

static int allocate_inspection(plan_object *target)
{
    if (target->inspection_size == 0) /* no indices, or empty ones */
        return 0;
    target->inspection = PyMem_Malloc(target->inspection_size);
    if (!target->inspection)
        PyErr_NoMemory();
    return target->inspection ? 0 : -1;
}

static PyObject *inspect(const plan_object *plan, array arrays[OPERANDS], PyObject *const values[OPERANDS])
{
    if (read_inputs(plan, arrays, values) != 0)
        return NULL;
    plan_object *made = copy_of(plan);
    if (made && (allocate_inspection(made) != 0 ||
                 inspect_plan(&made->plan, &plan->plan, arrays, made->inspection, made->inspection_size) != 0))
        Py_CLEAR(made);
    return (PyObject *)made;
}

static PyObject *plan_inspect(PyObject *self, PyObject *positional, PyObject *keywords)
{
    const plan_object *const plan = (const plan_object *)self;
    if (plan->is_inspected)
        return raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_PLAN,
                            "this plan of %s has been inspected, which is done once", plan->name);
    return take(plan, INSPECTING, inspect, positional, keywords);
}

/* ---- What it tells ------------------------------------------------------------------------------------ */

static PyObject *get_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((const plan_object *)self)->name);
}

static PyObject *get_output_shape(PyObject *self, void *unused)
{
    const layout *const planned = &((const plan_object *)self)->layouts[OUTPUT];
    (void)unused;
    return tuple_of(planned->shape, planned->rank);
}

static PyObject *get_num_threads(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((const plan_object *)self)->threads);
}

static PyObject *get_scratch_size(PyObject *self, void *unused)
{
    const plan_object *const plan = (const plan_object *)self;
    (void)unused;
    return PyLong_FromSize_t(strew_plan_scratch_size(&plan->plan, plan->threads));
}

static PyObject *get_inspection_size(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((const plan_object *)self)->inspection_size);
}

static PyObject *plan_repr(PyObject *self)
{
    const plan_object *const plan = (const plan_object *)self;
    PyObject *shape = get_output_shape(self, NULL);
    PyObject *text =
        shape ? PyUnicode_FromFormat("<strew.Plan of %s,%s output_shape=%S, num_threads=%zu>", plan->name,
                                     plan->is_inspected ? " inspected," : "", shape, plan->threads)
              : NULL;
    Py_XDECREF(shape);
    return text;
}

static PyGetSetDef properties[] = {
    {"name", get_name, NULL, "The operator: \"gather_nd\", or a published version's name.", NULL},
    {"output_shape", get_output_shape, NULL, "The shape of the output.", NULL},
    {"num_threads", get_num_threads, NULL, "How many threads may work: 1 if the call is too small to be shared.",
     NULL},
    {"scratch_size", get_scratch_size, NULL, "The bytes of memory that a run borrows beside its arrays.", NULL},
    {"inspection_size", get_inspection_size, NULL,
     "The bytes that inspect() keeps, or has kept; 0 if there are no indices to look at.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char inspect_documentation[] =
    "inspect($self, /, *arrays, **named)\n--\n\n"
    "Looks at indices that stay the same, once, and makes another plan that runs without them.\n\n"
    "plan.inspect(indices) checks them under the plan's mode and keeps what they come to: inspection_size\n"
    "bytes. It returns a Plan of the same call, which takes the plan's arguments in their order but for indices:\n"
    "inspected(data), inspected(data, updates, out=out). Results have the same bits, on any number of threads.\n\n"
    "indices: of the planned shape, strides and dtype; they are not kept. A plan of segment_reduce is inspected\n"
    "    by segment_ids instead, of embedding_segments by (indices, segment_ids), of gather_scatter by (indices,\n"
    "    targets), and runs without those. Offsets and weights are given to each run. A plan without indices is\n"
    "    inspected by nothing, and runs as before.\n\n"
    "Raises BoundsError for the first index outside its dimension, with mode=\"stop\" too; ArgumentError and\n"
    "DtypeError for arrays other than planned, for ids that are not sorted where they have to be, and for a plan\n"
    "that has been inspected.";

static PyObject *plan_explain(PyObject *self, PyObject *unused)
{
    enum { LONGEST = 1024 };
    char line[LONGEST];
    (void)unused;
    const plan_object *plan = (const plan_object *)self;
    strew_plan_describe(&plan->plan, plan->threads, line, sizeof line);
    return PyUnicode_FromString(line);
}

static const char explain_documentation[] =
    "explain($self, /)\n--\n\n"
    "Says in one line how the runs of the plan go: what they do first and why, how threads share the work, which "
    "kernels\n"
    "move the rows, and what scratch is used for. It is for people: the words may change with any release.";

static PyMethodDef methods[] = {
    {"explain", plan_explain, METH_NOARGS, explain_documentation},
    {"inspect", (PyCFunction)(void (*)(void))plan_inspect, METH_VARARGS | METH_KEYWORDS, inspect_documentation},
    {NULL, NULL, 0, NULL},
};

static const char documentation[] =
    "An operator whose shapes, strides, dtypes and attributes are settled; plan_gather_nd and so on make it.\n\n"
    "plan(data, indices, updates=None, *, out=None), with the arrays that its function takes in their order, runs "
    "it on\n"
    "those of the planned shapes, strides and dtypes, and returns out or a new array. out=data runs a scatter in "
    "place.\n"
    "Any number of threads may run one plan at once, each with an output of its own. inspect() makes one for "
    "indices "
    "that\n"
    "stay the same.\n\n"
    "Raises BoundsError for an index outside its dimension, ArgumentError and DtypeError for arrays other than "
    "planned.";

PyObject *plan_type_new(void)
{
    static PyType_Slot slots[] = {
        {Py_tp_call, plan_call},
        {Py_tp_dealloc, plan_delete},
        {Py_tp_repr, plan_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, properties},
        {Py_tp_doc, (char *)(uintptr_t)documentation},
        {0, NULL},
    };
    static PyType_Spec spec = {"strew.Plan", sizeof(plan_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
                               slots};
    return PyType_FromSpec(&spec);
}
