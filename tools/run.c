/* strew run: one operator on .npy files. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <strew/operators.h>
#include <strew/pthreadpool.h>

#include "command.h"
#include "npy.h"
#include "progress.h"

/* What the command line asks for. */
typedef struct request {
    const strew_operator *op;
    const char *data, *indices, *updates, *axis, *output; /* paths; axis may be a number */
    strew_attributes attributes;
    strew_dtype dtype; /* STREW_DTYPE_NONE: as the files say */
    strew_isa isa;
    size_t threads;
    bool in_place;
} request;

/* What is too large for an int64_t becomes the largest one, which nothing takes. */
static bool parse_integer(const char *text, int64_t *value)
{
    char *end;
    *value = strtoll(text, &end, 10);
    return *text && !*end;
}

enum {
    OPTION_DATA = 1,
    OPTION_INDICES,
    OPTION_UPDATES,
    OPTION_AXIS,
    OPTION_BATCH_DIMS,
    OPTION_REDUCTION,
    OPTION_NO_INIT_VAL,
    OPTION_DTYPE,
    OPTION_ISA,
    OPTION_THREADS,
    OPTION_IN_PLACE,
    OPTION_OUTPUT
};

static const struct option options_table[] = {
    {"data", required_argument, NULL, OPTION_DATA},
    {"indices", required_argument, NULL, OPTION_INDICES},
    {"updates", required_argument, NULL, OPTION_UPDATES},
    {"axis", required_argument, NULL, OPTION_AXIS},
    {"batch-dims", required_argument, NULL, OPTION_BATCH_DIMS},
    {"reduction", required_argument, NULL, OPTION_REDUCTION},
    {"no-init-val", no_argument, NULL, OPTION_NO_INIT_VAL},
    {"dtype", required_argument, NULL, OPTION_DTYPE},
    {"isa", required_argument, NULL, OPTION_ISA},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"in-place", no_argument, NULL, OPTION_IN_PLACE},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {NULL, 0, NULL, 0},
};

/* Axis may be a path: whether it is one is decided when it is read. */
static int take_option(request *asked, int option, const char *value)
{
    int64_t number = 0;
    switch (option) {
    case OPTION_DATA: asked->data = value; return EXIT_DONE;
    case OPTION_INDICES: asked->indices = value; return EXIT_DONE;
    case OPTION_UPDATES: asked->updates = value; return EXIT_DONE;
    case OPTION_AXIS:
        asked->axis = value;
        asked->attributes.given |= STREW_ATTRIBUTE_AXIS;
        return EXIT_DONE;
    case OPTION_BATCH_DIMS:
        if (!parse_integer(value, &asked->attributes.batch_dims))
            return fail_usage("--batch-dims takes an integer, and got '%s'", value);
        asked->attributes.given |= STREW_ATTRIBUTE_BATCH_DIMS;
        return EXIT_DONE;
    case OPTION_REDUCTION:
        if (!strew_reduction_find(value, &asked->attributes.reduction))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "there is no reduction '%s'", value);
        asked->attributes.given |= STREW_ATTRIBUTE_REDUCTION;
        return EXIT_DONE;
    case OPTION_NO_INIT_VAL:
        asked->attributes.use_init_val = false;
        asked->attributes.given |= STREW_ATTRIBUTE_USE_INIT_VAL;
        return EXIT_DONE;
    case OPTION_DTYPE:
        asked->dtype = strew_dtype_find(value);
        return asked->dtype ? EXIT_DONE : fail(STREW_STATUS_INVALID_ARGUMENT, "there is no dtype '%s'", value);
    case OPTION_ISA:
        if (!strew_isa_find(value, &asked->isa))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "there is no instruction set '%s'", value);
        return EXIT_DONE;
    case OPTION_THREADS:
        if (!parse_integer(value, &number) || number < 1 || number > INT_MAX)
            return fail_usage("--threads takes a positive integer, and got '%s'", value);
        asked->threads = (size_t)number;
        return EXIT_DONE;
    case OPTION_IN_PLACE: asked->in_place = true; return EXIT_DONE;
    case 'o':
    case OPTION_OUTPUT: asked->output = value; return EXIT_DONE;
    case ':': return fail_usage("'%s' lacks its value", value);
    default: return fail_usage("run has no option '%s'", value);
    }
}

static bool is_gather(const strew_operator *op)
{
    return op->kind == STREW_KIND_GATHER_ND || op->kind == STREW_KIND_GATHER_ELEMENTS;
}

static int parse(int argc, char **argv, request *asked)
{
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options_table, NULL)) != -1;) {
        const int result = take_option(asked, option, optarg ? optarg : argv[optind - 1]);
        if (result != EXIT_DONE)
            return result;
    }
    if (optind + 1 != argc)
        return fail_usage("run takes one operator, and got %d", argc - optind);
    if (!asked->data || !asked->indices || !asked->output)
        return fail_usage("run needs --data, --indices and -o");
    asked->op = strew_operator_find(argv[optind]);
    if (!asked->op)
        return fail(STREW_STATUS_INVALID_ARGUMENT,
                    "there is no operator '%s'; 'strew operators' lists those there are", argv[optind]);
    if (!asked->updates && !is_gather(asked->op))
        return fail(STREW_STATUS_INVALID_ARGUMENT, "%s needs --updates", asked->op->name);
    return EXIT_DONE;
}

/* The arrays of one run. An array that was not asked for stays zeroed. */
typedef struct arrays {
    npy_array data, indices, updates, axis, output;
} arrays;

static int read_array(const char *path, npy_array *array)
{
    npy_error error;
    progress reading = progress_begin("reading", path);
    const strew_status status = npy_read(path, array, progress_show, &reading, &error);
    progress_end(&reading);
    return status == STREW_STATUS_OK ? EXIT_DONE : fail(status, "%s", error.message);
}

/* --dtype says what a file's bits mean: those of an unsigned integer of that size, or what the file says as well.
 */
static int retype(const char *path, npy_array *array, strew_dtype dtype)
{
    if (dtype == STREW_DTYPE_NONE || array->dtype == dtype)
        return EXIT_DONE;
    const bool unsigned_bits = array->dtype >= STREW_DTYPE_UINT8 && array->dtype <= STREW_DTYPE_UINT64;
    if (!unsigned_bits || dtype == STREW_DTYPE_STRING || strew_dtype_size(array->dtype) != strew_dtype_size(dtype))
        return fail(STREW_STATUS_DTYPE_MISMATCH, "%s: elements of %s cannot be read as the bits of %s", path,
                    strew_dtype_name(array->dtype), strew_dtype_name(dtype));
    array->dtype = dtype;
    return EXIT_DONE;
}

static int read_axis(request *asked, arrays *loaded)
{
    if (!asked->axis || parse_integer(asked->axis, &asked->attributes.axis))
        return EXIT_DONE;
    const int result = read_array(asked->axis, &loaded->axis);
    if (result != EXIT_DONE)
        return result;
    strew_error error = {.status = STREW_STATUS_OK};
    const strew_tensor axis = npy_tensor(&loaded->axis);
    return strew_axis_read(&axis, &asked->attributes.axis, &error) == STREW_STATUS_OK ? EXIT_DONE
                                                                                      : fail_with(&error);
}

static int read_inputs(request *asked, arrays *loaded)
{
    int result = read_array(asked->data, &loaded->data);
    if (result == EXIT_DONE)
        result = retype(asked->data, &loaded->data, asked->dtype);
    if (result == EXIT_DONE)
        result = read_array(asked->indices, &loaded->indices);
    if (result == EXIT_DONE && asked->updates) {
        result = read_array(asked->updates, &loaded->updates);
        if (result == EXIT_DONE)
            result = retype(asked->updates, &loaded->updates, asked->dtype);
    }
    return result == EXIT_DONE ? read_axis(asked, loaded) : result;
}

/* Strings of bytes and of code points are different types of one dtype; the wider element holds either's strings.
 */
static int settle_strings(const request *asked, arrays *loaded)
{
    if (!asked->updates || loaded->data.dtype != STREW_DTYPE_STRING || loaded->updates.dtype != STREW_DTYPE_STRING)
        return EXIT_DONE;
    if (loaded->data.string_kind != loaded->updates.string_kind)
        return fail(STREW_STATUS_DTYPE_MISMATCH, "updates holds strings of kind %c; %c is needed, as in data",
                    loaded->updates.string_kind, loaded->data.string_kind);
    if (loaded->updates.string_size > loaded->data.string_size)
        loaded->data.string_size = loaded->updates.string_size;
    return EXIT_DONE;
}

/* The operator as a plan, so that it can say how much scratch it needs. More would not pay for a single run. */
static int plan_and_run(const request *asked, const strew_tensor *data, const strew_tensor *indices,
                        const strew_tensor *updates, const strew_tensor *output, const strew_parallel *parallel)
{
    strew_error error = {.status = STREW_STATUS_OK};
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    planning.isa = asked->isa;
    planning.threads = asked->threads;
    planning.error = &error;
    strew_plan plan;
    if (strew_operator_plan(&plan, asked->op, &asked->attributes, data, indices, updates, output, &planning) !=
        STREW_STATUS_OK)
        return fail_with(&error);
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.parallel = parallel;
    running.error = &error;
    running.scratch_size = strew_plan_least_scratch_size(&plan, asked->threads);
    running.scratch = running.scratch_size > 0 ? malloc(running.scratch_size) : NULL;
    if (running.scratch_size > 0 && !running.scratch)
        return fail(STREW_STATUS_OUT_OF_MEMORY, "no room for %zu bytes of scratch", running.scratch_size);
    const strew_buffers buffers = {data->data, indices->data, updates ? updates->data : NULL, output->data};
    const strew_status status = strew_plan_run(&plan, &buffers, &running);
    free(running.scratch);
    return status == STREW_STATUS_OK ? EXIT_DONE : fail_with(&error);
}

static int run_on_arrays(const request *asked, arrays *loaded, const strew_parallel *parallel)
{
    const strew_tensor data = npy_tensor(&loaded->data), indices = npy_tensor(&loaded->indices);
    const strew_tensor updates = npy_tensor(&loaded->updates);
    const strew_tensor *given_updates = asked->updates ? &updates : NULL;
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error = {.status = STREW_STATUS_OK};
    if (strew_operator_shape(asked->op, &asked->attributes, &data, &indices, given_updates, shape, &rank, &error) !=
        STREW_STATUS_OK)
        return fail_with(&error);
    if (asked->in_place)
        return plan_and_run(asked, &data, &indices, given_updates, &data, parallel);
    npy_error refusal;
    const strew_status status = npy_create_like(&loaded->output, &loaded->data, rank, shape, &refusal);
    if (status != STREW_STATUS_OK)
        return fail(status, "%s", refusal.message);
    const strew_tensor output = npy_tensor(&loaded->output);
    return plan_and_run(asked, &data, &indices, given_updates, &output, parallel);
}

static int run_with_threads(const request *asked, arrays *loaded)
{
    if (asked->threads <= 1)
        return run_on_arrays(asked, loaded, NULL);
    const pthreadpool_t pool = pthreadpool_create(asked->threads);
    if (!pool)
        return fail(STREW_STATUS_OUT_OF_MEMORY, "no room for %zu threads", asked->threads);
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    const int result = run_on_arrays(asked, loaded, &parallel);
    pthreadpool_destroy(pool);
    return result;
}

static int write_output(const request *asked, const npy_array *array)
{
    npy_error error;
    progress writing = progress_begin("writing", asked->output);
    const strew_status status = npy_write(asked->output, array, progress_show, &writing, &error);
    progress_end(&writing);
    return status == STREW_STATUS_OK ? EXIT_DONE : fail(status, "%s", error.message);
}

static int run(request *asked, arrays *loaded)
{
    if (asked->in_place && is_gather(asked->op))
        return fail(STREW_STATUS_INVALID_ARGUMENT, "%s cannot run in place: it does not update data",
                    asked->op->name);
    int result = read_inputs(asked, loaded);
    if (result == EXIT_DONE)
        result = settle_strings(asked, loaded);
    if (result == EXIT_DONE)
        result = run_with_threads(asked, loaded);
    if (result == EXIT_DONE)
        result = write_output(asked, asked->in_place ? &loaded->data : &loaded->output);
    return result;
}

int command_run(int argc, char **argv)
{
    request asked = {.threads = 1, .attributes = {.use_init_val = true}};
    const int result = parse(argc, argv, &asked);
    if (result != EXIT_DONE)
        return result;
    arrays loaded = {.data = {.rank = 0}};
    const int done = run(&asked, &loaded);
    npy_free(&loaded.data);
    npy_free(&loaded.indices);
    npy_free(&loaded.updates);
    npy_free(&loaded.axis);
    npy_free(&loaded.output);
    return done;
}
