#include "takeover.h"

#include "host.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The tables ---- */

const operator_description takeover_operators[OPERATORS] = {
#define ROW(identifier, name, overload, arguments, form, results, kernel) \
    {name, overload, arguments, form, results},
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
#define ROW(identifier, name, overload, form, kernel) {name, overload, NULL, form, 1},
        STREW_TORCH_PYTHON_OPERATORS(ROW)
#undef ROW
};

const char *const takeover_outcomes[OUTCOMES] = {
#define ROW(name, text) text,
    STREW_TORCH_OUTCOMES(ROW)
#undef ROW
};

static atomic_uint_fast64_t counts[OPERATORS][OUTCOMES];

uint64_t takeover_count(operator_id id, outcome end)
{
    return atomic_load_explicit(&counts[id][end], memory_order_relaxed);
}

void takeover_count_one(operator_id id, outcome end)
{
    atomic_fetch_add_explicit(&counts[id][end], 1, memory_order_relaxed);
}

void takeover_reset_counts(void)
{
    for (int id = 0; id < OPERATORS; id++)
        for (int end = 0; end < OUTCOMES; end++)
            atomic_store_explicit(&counts[id][end], 0, memory_order_relaxed);
}

static atomic_bool is_exact;

bool takeover_is_exact(void)
{
    return atomic_load_explicit(&is_exact, memory_order_relaxed);
}

void takeover_set_exact(bool exact)
{
    atomic_store_explicit(&is_exact, exact, memory_order_relaxed);
}

/* ---- Dtypes ---- */

/* A bit for each of PyTorch's dtypes, written before the kernels are registered. */
static uint64_t accepted[OPERATORS][VARIANTS];
static bool int32_accepted[OPERATORS];

void takeover_accept(operator_id id, int32_t variant, uint64_t dtypes, bool int32_index)
{
    accepted[id][variant] = dtypes;
    int32_accepted[id] = int32_index;
}

bool dtype_accepted(operator_id id, int32_t variant, int32_t dtype)
{
    return dtype >= 0 && dtype < 64 && accepted[id][variant] >> dtype & 1;
}

bool index_accepted(operator_id id, strew_dtype dtype)
{
    return dtype == STREW_DTYPE_INT64 || (dtype == STREW_DTYPE_INT32 && int32_accepted[id]);
}

/* ---- Arguments ---- */

static void release_optional(StableIValue *held)
{
    if (held)
        pytorch.aoti_torch_delete_tensor_object(strew_torch_tensor(*held));
    strew_torch_delete_optional(held);
}

static void release(char kind, StableIValue value)
{
    if (kind == 'T')
        pytorch.aoti_torch_delete_tensor_object(strew_torch_tensor(value));
    else if (kind == 'S')
        pytorch.torch_delete_string((StringHandle)(uintptr_t)value);
    else if (kind == 'O')
        release_optional((StableIValue *)(uintptr_t)value);
}

/* Releases all arguments but one, or all of them if `kept` is negative. */
static void release_arguments(const call *self, int32_t kept)
{
    for (int32_t i = 0; i < self->arguments; i++)
        if (i != kept)
            release(takeover_operators[self->id].arguments[i], self->stack[i]);
}

static void release_results(call *self)
{
    for (int32_t i = 0; i < MOST_RESULTS; i++) {
        if (self->results[i])
            pytorch.aoti_torch_delete_tensor_object(self->results[i]);
        self->results[i] = NULL;
    }
}

void takeover_release(call *self)
{
    release_results(self);
    release_arguments(self, -1);
}

/* Leaves the results of a call alone on the stack. */
static void finish(const call *self)
{
    if (self->form == FUNCTIONAL) {
        release_arguments(self, -1);
        for (int32_t i = 0; i < takeover_operators[self->id].results; i++)
            self->stack[i] = strew_torch_result(self->results[i]);
        return;
    }
    const int32_t kept = self->form == IN_PLACE ? 0 : self->arguments - 1;
    const StableIValue result = self->stack[kept];
    release_arguments(self, kept);
    self->stack[0] = result;
}

/* ---- Handing back ----
 *
 * A call goes back to PyTorch's own kernel directly (native.cpp). Where there is none to call so, it goes by way of
 * Python: strew.torch defines strew_native::NAME for each operator, with the operator's schema, which calls the
 * kernel that PyTorch had before. PyTorch's C interface loses the class of an exception on that way; so Python
 * notes class and text, and they are thrown again from here. */

typedef struct noted_error {
    strew_torch_class kind;
    char *text;
} noted_error;

static _Thread_local noted_error noted;

void takeover_note(strew_torch_class kind, const char *text, size_t length)
{
    free(noted.text);
    noted.kind = kind;
    noted.text = malloc(length + 1);
    if (noted.text) {
        memcpy(noted.text, text, length);
        noted.text[length] = '\0';
    }
}

/* Throws the noted error. */
static void raise_noted(void)
{
    char text[4096];
    const char *const found = noted.text ? noted.text
                              : pytorch.torch_exception_get_what_without_backtrace
                                  ? pytorch.torch_exception_get_what_without_backtrace()
                                  : "strew.torch: PyTorch's own kernel failed";
    const strew_torch_class kind = noted.text ? noted.kind : STREW_TORCH_RUNTIME_ERROR;
    const size_t length = strlen(found);
    if (length < sizeof text) {
        memcpy(text, found, length + 1);
        free(noted.text);
        noted.text = NULL;
        strew_torch_raise(kind, text);
    }
    strew_torch_raise(kind, found); /* the next error frees it */
}

static bool call_native(operator_id id, StableIValue *stack)
{
    char name[64];
    snprintf(name, sizeof name, "strew_native::%s", takeover_operators[id].name);
    free(noted.text);
    noted.text = NULL;
    return pytorch.torch_call_dispatcher(name, takeover_operators[id].overload, stack, STREW_TORCH_VERSION) == 0;
}

/* Calls PyTorch's own kernel, directly or by way of Python, and leaves its results alone on the stack. */
static void call_pytorch(call *self)
{
    AtenTensorHandle results[MOST_RESULTS] = {NULL};
    if (native_call(self, results)) {
        if (self->form == FUNCTIONAL)
            memcpy(self->results, results, sizeof results);
        finish(self);
    } else if (!call_native(self->id, self->stack)) {
        release_results(self);
        raise_noted();
    }
}

/* An index was out of bounds, and strew has left self as it was. PyTorch's kernel may not: it gets a copy of self
 * for its error. */
static void hand_back_copy(call *self)
{
    AtenTensorHandle copy;
    const AtenTensorHandle original = strew_torch_tensor(self->stack[0]);
    if (pytorch.aoti_torch_clone_preserve_strides(original, &copy)) {
        call_pytorch(self);
        return;
    }
    self->results[0] = original; /* released if there is an error */
    self->stack[0] = strew_torch_result(copy);
    call_pytorch(self);
    /* This release of PyTorch accepts the index: its result counts. */
    pytorch.aoti_torch_copy_(original, strew_torch_tensor(self->stack[0]), 0);
    pytorch.aoti_torch_delete_tensor_object(strew_torch_tensor(self->stack[0]));
    self->stack[0] = strew_torch_result(original);
}

static void hand_back(call *self, outcome why)
{
    release_results(self);
    if (self->form == IN_PLACE && why == INDEX)
        hand_back_copy(self);
    else
        call_pytorch(self);
}

/* ---- Kernels ---- */

static void run(operator_id id, kernel function, StableIValue *stack, uint64_t arguments)
{
    call self = {id, takeover_operators[id].form, (int32_t)arguments, stack, {NULL}};
    const outcome end = function(&self);
    takeover_count_one(id, end);
    if (end == TAKEN)
        finish(&self);
    else
        hand_back(&self, end);
}

/* The function that PyTorch calls for each operator. */
#define BOXED(identifier, name, overload, kinds, form, results, function)                     \
    static void boxed_##identifier(StableIValue *stack, uint64_t arguments, uint64_t outputs) \
    {                                                                                         \
        (void)outputs;                                                                        \
        run(identifier, function, stack, arguments);                                          \
    }
STREW_TORCH_OPERATORS(BOXED)
#undef BOXED

static const strew_torch_kernel boxed[BOXED_OPERATORS] = {
#define ROW(identifier, name, overload, kinds, form, results, function) boxed_##identifier,
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
};

/* ---- On and off ---- */

static TorchLibraryHandle library;

static bool register_all(void)
{
    char name[64];
    for (int id = 0; id < BOXED_OPERATORS; id++) {
        const operator_description *const described = &takeover_operators[id];
        snprintf(name, sizeof name, "%s%s%s", described->name, *described->overload ? "." : "",
                 described->overload);
        if (pytorch.torch_library_impl(library, name, boxed[id], STREW_TORCH_VERSION))
            return false;
    }
    return true;
}

bool takeover_begin(void)
{
    if (pytorch.aoti_torch_library_init_impl("aten", "CPU", "strew", 0, &library))
        return false;
    const int level = strew_torch_quieten();
    const bool done = register_all();
    strew_torch_restore(level);
    if (!done)
        takeover_end();
    return done;
}

void takeover_end(void)
{
    if (library)
        pytorch.aoti_torch_delete_library_object(library);
    library = NULL;
}
