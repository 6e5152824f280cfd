/*
 * In place, at any moment: a timer interrupts calls, and the signal handler reads the tensor that they write. A
 * call refused for an index never changes a byte; one that assigns leaves in each byte the old value or an
 * update's. For POSIX.
 */
#define _DEFAULT_SOURCE /* setitimer */

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "call.h"
#include "element.h"
#include "parallel.h"
#include "test.h"

/* Tensors begin at no multiple of anything. */
enum { TABLE_BYTES = 1 << 17, CACHE = 6, WINDOW = 3, UNALIGNED = 3, LOOKS = 12, MOST_RUNS = 300 };

/* ---- What is looked at --------------------------------------------------------------------------- */

/*
 * The tensor consists of units, each replaced as a whole by one update. All bytes of a unit are the same. Their
 * value encodes the unit, and whether an update wrote it: even or odd.
 */
static struct scene {
    const unsigned char *memory;
    size_t units, unit_bytes;
    const unsigned char *is_assigned; /* for each unit */
    bool is_refused;                  /* then no update may be seen */
    random_source intervals;
} scene;

static volatile sig_atomic_t is_running, looks, torn_from;

static unsigned char byte_before(size_t unit)
{
    return (unsigned char)(unit % 61);
}

static unsigned char byte_of_update(size_t unit, size_t update)
{
    return (unsigned char)(128 + unit % 61 + (update % 2 ? 61 : 0));
}

static bool may_hold(size_t unit, unsigned char byte)
{
    if (byte == byte_before(unit))
        return true;
    return !scene.is_refused && scene.is_assigned[unit] &&
           (byte == byte_of_update(unit, 0) || byte == byte_of_update(unit, 1));
}

/* The number of the first unit with a wrong byte, counted from 1; 0 if there is none. */
static size_t find_wrong(void)
{
    const volatile unsigned char *byte = scene.memory;
    for (size_t unit = 0; unit < scene.units; unit++)
        for (size_t i = 0; i < scene.unit_bytes; i++)
            if (!may_hold(unit, *byte++))
                return unit + 1;
    return 0;
}

static void look(int number)
{
    (void)number;
    if (!is_running)
        return;
    const size_t wrong = find_wrong();
    if (wrong > 0)
        torn_from = (sig_atomic_t)wrong;
    looks++;
}

/* ---- What is called ------------------------------------------------------------------------------ */

typedef struct moment {
    strew_kind kind;
    strew_dtype dtype;
    int64_t row; /* elements of a row */
} moment;

static const moment moments[] = {
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_UINT8, 1},          {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT32, 1},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT16, 5},        {STREW_KIND_SCATTER_ND, STREW_DTYPE_COMPLEX128, 1},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_OPAQUE_BIT | 7, 3}, {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT32, 16},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT64, 129},      {STREW_KIND_SCATTER, STREW_DTYPE_INT16, 1},
    {STREW_KIND_SCATTER, STREW_DTYPE_FLOAT32, 31},          {STREW_KIND_SCATTER, STREW_DTYPE_UINT8, 5000},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_INT64, 1},    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_FLOAT32, 24},
    {STREW_KIND_TENSOR_SCATTER, STREW_DTYPE_FLOAT32, 20},   {STREW_KIND_SLICE_SCATTER, STREW_DTYPE_FLOAT32, 1},
    {STREW_KIND_SLICE_SCATTER, STREW_DTYPE_INT16, 40},      {STREW_KIND_GATHER_SCATTER, STREW_DTYPE_FLOAT32, 24},
    {STREW_KIND_GATHER_SCATTER, STREW_DTYPE_FLOAT16, 300},
};

typedef struct moment_call {
    const moment *of;
    int64_t places, count; /* rows of data, or its batches; rows of updates, or windows */
    test_tensor data, updates, indices, targets, before; /* gather_scatter has `indices` and `targets` */
    int64_t start, stop, step;
    strew_slice slice;
    unsigned char *is_assigned;
    operator_call call;
} moment_call;

static bool has_indices(const moment *of)
{
    return of->kind != STREW_KIND_SLICE_SCATTER;
}

/* Operators that only combine assign nothing. */
static bool assigns(const moment *of)
{
    return !kind_has_numbers(of->kind);
}

/* Some place for each update, several times the same. */
static int64_t place_of(const moment_call *self, int64_t entry)
{
    if (self->of->kind == STREW_KIND_TENSOR_SCATTER)
        return entry % (CACHE - WINDOW + 1);
    return entry * 7919 % (self->places > 1 ? self->places - 1 : 1);
}

static void create_tensors(moment_call *self)
{
    const moment *of = self->of;
    const bool is_cache = of->kind == STREW_KIND_TENSOR_SCATTER,
               is_elements = of->kind == STREW_KIND_SCATTER_ELEMENTS;
    const int64_t row_bytes = of->row * (int64_t)element_size(of->dtype);
    self->places = TABLE_BYTES / (is_cache ? CACHE * row_bytes : row_bytes);
    self->count = is_cache ? self->places : has_indices(of) ? 2 * self->places : (self->places + 1) / 2;
    const int64_t cache_shape[] = {self->places, CACHE, of->row}, windows_shape[] = {self->places, WINDOW, of->row};
    const int64_t data_shape[] = {self->places, of->row}, updates_shape[] = {self->count, of->row};
    const int64_t indices_shape[] = {self->count, is_elements ? of->row : 1};
    tensor_create(&self->data, of->dtype, is_cache ? 3 : 2, is_cache ? cache_shape : data_shape, NULL, UNALIGNED,
                  1);
    tensor_create(&self->updates, of->dtype, is_cache ? 3 : 2, is_cache ? windows_shape : updates_shape, NULL, 1,
                  1);
    tensor_create(&self->indices, STREW_DTYPE_INT64, is_elements || kind_has_rows(of->kind) ? 2 : 1, indices_shape,
                  NULL, 0, 0);
    for (int64_t e = 0; e < shape_count(self->indices.shape, self->indices.view.rank); e++)
        ((int64_t *)self->indices.view.data)[e] = place_of(self, e);
    tensor_clone(&self->targets, &self->indices);
}

/* Each element is a unit for calls of elements; otherwise each row. */
static size_t unit_bytes(const moment *of)
{
    const size_t row = of->kind == STREW_KIND_SCATTER_ELEMENTS ? 1 : (size_t)of->row;
    return row * element_size(of->dtype);
}

static size_t bytes_of(const test_tensor *tensor)
{
    return (size_t)shape_count(tensor->shape, tensor->view.rank) * element_size(tensor->view.dtype);
}

/* The unit that an update, which is as large as one, goes to. */
static size_t target_of(const moment_call *self, int64_t update)
{
    switch (self->of->kind) {
    case STREW_KIND_SCATTER_ELEMENTS:
        return (size_t)(place_of(self, update) * self->of->row + update % self->of->row);
    case STREW_KIND_TENSOR_SCATTER:
        return (size_t)(update / WINDOW * CACHE + place_of(self, update / WINDOW) + update % WINDOW);
    case STREW_KIND_SLICE_SCATTER: return (size_t)(2 * update);
    default: return (size_t)place_of(self, update);
    }
}

static void fill_units(moment_call *self)
{
    const size_t bytes = unit_bytes(self->of), units = bytes_of(&self->data) / bytes;
    self->is_assigned = calloc(units, 1);
    assert_non_null(self->is_assigned);
    for (size_t unit = 0; unit < units; unit++)
        memset((unsigned char *)self->data.view.data + unit * bytes, byte_before(unit), bytes);
    for (size_t update = 0; update < bytes_of(&self->updates) / bytes; update++) {
        const size_t unit = target_of(self, (int64_t)update);
        self->is_assigned[unit] = 1;
        memset((unsigned char *)self->updates.view.data + update * bytes, byte_of_update(unit, update), bytes);
    }
    tensor_clone(&self->before, &self->data);
}

static void moment_call_create(moment_call *self, const moment *of)
{
    *self = (moment_call){.of = of, .step = 2, .stop = INT64_MAX};
    create_tensors(self);
    fill_units(self);
    self->slice = (strew_slice){1, 0, &self->start, &self->stop, &self->step, NULL};
    self->call = (operator_call){
        .kind = of->kind,
        .data = &self->data.view,
        .indices = has_indices(of) ? &self->indices.view : NULL,
        .updates = &self->updates.view,
        .output = &self->data.view,
        .segments = kind_has_numbers(of->kind) ? &self->targets.view : NULL,
        .axis = of->kind == STREW_KIND_TENSOR_SCATTER ? 1 : 0,
        .use_init_val = true,
        .slice = &self->slice,
    };
}

static void moment_call_destroy(moment_call *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->updates);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->targets);
    tensor_destroy(&self->before);
    free(self->is_assigned);
}

/* ---- Looking ------------------------------------------------------------------------------------- */

static void set_scene(const moment_call *self, bool is_refused)
{
    const size_t bytes = unit_bytes(self->of);
    scene.memory = self->data.view.data;
    scene.units = bytes_of(&self->data) / bytes;
    scene.unit_bytes = bytes;
    scene.is_assigned = self->is_assigned;
    scene.is_refused = is_refused;
}

static int64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Once, within so many microseconds. */
static void set_timer(int64_t most)
{
    const int64_t delay = random_between(&scene.intervals, 1, most);
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(delay / 1000000), .tv_usec = (suseconds_t)(delay % 1000000)}};
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

typedef struct moment_way {
    call_way way;
    call_scratch scratch;
    const strew_parallel *parallel;
} moment_way;

static void run_once(moment_call *self, const moment_way *way, strew_status expected)
{
    strew_options options = call_options();
    options.parallel = way->parallel;
    memcpy(self->data.memory, self->before.memory, self->data.size);
    is_running = 1;
    const strew_status status = call_run(&self->call, way->way, way->scratch, &options);
    is_running = 0;
    assert_int_equal(status, expected);
}

/* Runs the call repeatedly, until it has been observed LOOKS times, but at most MOST_RUNS times. */
static void run_watched(moment_call *self, const moment_way *way, bool is_refused)
{
    const strew_status expected = is_refused ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK;
    set_scene(self, is_refused);
    const int64_t begun = microseconds();
    run_once(self, way, expected);
    const int64_t duration = microseconds() - begun + 2;
    const int wanted = (int)looks + LOOKS;
    for (int run = 0; run < MOST_RUNS && looks < wanted; run++) {
        set_timer(duration);
        run_once(self, way, expected);
        if (torn_from > 0) {
            call_describe(stderr, &self->call);
            fail_msg("on %zu threads, scratch %d: unit %d held what it never may",
                     way->parallel ? way->parallel->threads : 1, (int)way->scratch, (int)torn_from - 1);
        }
    }
    if (is_refused)
        assert_true(tensor_same_memory(&self->data, &self->before));
}

/* A late signal interrupts nothing. */
static void watch_all(moment_call *self, bool is_refused)
{
    const strew_parallel three = parallel_threads(3);
    const strew_parallel *const pools[] = {NULL, &three};
    for (size_t p = 0; p < COUNT(pools); p++)
        for (call_scratch scratch = LEAST_SCRATCH; scratch <= FULL_SCRATCH; scratch++)
            run_watched(self, &(moment_way){BY_PLAN, scratch, pools[p]}, is_refused);
}

static int set_handler(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    scene.intervals.state = random_seed();
    return sigaction(SIGALRM, &action, NULL);
}

static int remove_handler(void **state)
{
    (void)state;
    const struct itimerval none = {.it_value = {0, 0}};
    return setitimer(ITIMER_REAL, &none, NULL) == 0 && signal(SIGALRM, SIG_IGN) != SIG_ERR ? 0 : -1;
}

/* ---- The tests ----------------------------------------------------------------------------------- */

static void what_is_assigned_is_there_or_what_was_before(void **state)
{
    (void)state;
    const int before = (int)looks;
    for (size_t m = 0; m < COUNT(moments); m++) {
        if (!assigns(&moments[m]))
            continue;
        moment_call call;
        moment_call_create(&call, &moments[m]);
        watch_all(&call, false);
        moment_call_destroy(&call);
    }
    assert_true(looks > before);
}

static bool has_reduction(const moment *of, strew_reduction reduction)
{
    switch (reduction) {
    case STREW_REDUCTION_NONE: return assigns(of);
    case STREW_REDUCTION_MEAN:
        return kind_has_initial_value(of->kind) && assigns(of) && element_reduces(of->dtype, reduction);
    default: return of->kind != STREW_KIND_TENSOR_SCATTER && element_reduces(of->dtype, reduction);
    }
}

/* Spoils the last index, which is only found after all others, or any. */
static void spoil_an_index(const test_tensor *list)
{
    const int64_t last = shape_count(list->shape, list->view.rank) - 1;
    const int64_t place = random_chance(&scene.intervals, 50) ? last : random_between(&scene.intervals, 0, last);
    ((int64_t *)list->view.data)[place] = INT64_MAX;
}

static void refuse(const moment *of, strew_reduction reduction, bool spoils_targets)
{
    moment_call call;
    moment_call_create(&call, of);
    spoil_an_index(spoils_targets ? &call.targets : &call.indices);
    call.call.reduction = reduction;
    watch_all(&call, true);
    moment_call_destroy(&call);
}

static void what_is_refused_is_never_there(void **state)
{
    (void)state;
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN};
    const int before = (int)looks;
    for (size_t m = 0; m < COUNT(moments); m++)
        for (size_t r = 0; r < COUNT(reductions) && has_indices(&moments[m]); r++) {
            if (!has_reduction(&moments[m], reductions[r]))
                continue;
            refuse(&moments[m], reductions[r], false);
            if (kind_has_numbers(moments[m].kind))
                refuse(&moments[m], reductions[r], true);
        }
    assert_true(looks > before);
}

/* Tests the handler itself: it must find a wrong byte. */
static void a_byte_that_nobody_assigns_is_seen(void **state)
{
    (void)state;
    moment_call call;
    moment_call_create(&call, &moments[1]);
    set_scene(&call, false);
    unsigned char *const bytes = call.data.view.data;
    assert_int_equal(find_wrong(), 0);
    bytes[9] = byte_of_update(2, 1); /* unit 2 is assigned, bytes 8 to 11 */
    assert_int_equal(find_wrong(), 0);
    scene.is_refused = true;
    assert_int_equal(find_wrong(), 3);
    scene.is_refused = false;
    bytes[9] = byte_of_update(3, 1);
    assert_int_equal(find_wrong(), 3);
    moment_call_destroy(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_that_nobody_assigns_is_seen),
        cmocka_unit_test(what_is_assigned_is_there_or_what_was_before),
        cmocka_unit_test(what_is_refused_is_never_there),
    };
    return cmocka_run_group_tests(tests, set_handler, remove_handler);
}
