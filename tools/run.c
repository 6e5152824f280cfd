/* strew run: one operator on .npy files. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/operators.h>
#ifdef STREW_WITH_PTHREADPOOL
#include <strew/pthreadpool.h>

#include "threads.h"
#endif

#include "command.h"
#include "fill.h"
#include "npy.h"
#include "progress.h"
#include "slice.h"

/* The parsed command line of strew run. */
typedef struct request {
    const strew_operator *op;
    const char *data, *indices, *updates, *axis, *output; /* paths; NULL for an axis that is a number */
    const char *segments, *weights;                       /* likewise, of offsets or segment_ids */
    const char *fill;                                     /* a number or a path; NULL: not given */
    strew_attributes attributes;
    slice_numbers numbers; /* slice points to them */
    strew_slice slice;
    strew_dtype dtype; /* STREW_DTYPE_NONE: use the files' own */
    strew_isa isa;
    strew_bounds bounds;
    size_t threads;
    bool in_place, explains;
} request;

/* strtoll turns numbers too large for an int64_t into the largest one, which later checks refuse. */
static bool parse_integer(const char *text, int64_t *value)
{
    char *end;
    *value = strtoll(text, &end, 10);
    return *text && !*end;
}

/* Whether it combines the rows that it gathers. */
static bool combines(const strew_operator *op)
{
    return op->kind >= STREW_KIND_EMBEDDING_BAG_OFFSETS && op->kind <= STREW_KIND_SEGMENT_REDUCE;
}

/* Every scatter has a reduction, even if only "none". */
static bool is_gather(const strew_operator *op)
{
    return !op->reductions || combines(op);
}

static bool does_without_indices(const strew_operator *op)
{
    return op->kind == STREW_KIND_TENSOR_SCATTER || op->kind == STREW_KIND_SLICE_SCATTER ||
           op->kind == STREW_KIND_SEGMENT_REDUCE;
}

/* The attribute that an option gives to an operator, or 0: offsets and segment_ids are one, by two names. */
static uint32_t attribute_of(size_t option, const strew_operator *op)
{
    const bool has_offsets = op->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
    const bool is_other = option == (has_offsets ? OPTION_SEGMENT_IDS : OPTION_OFFSETS);
    return is_other ? 0 : cli_options[option].attribute & op->attributes;
}

/* Here neither an output nor rows give a default number of segments. */
static bool needs_segments(const strew_operator *op)
{
    return op->kind == STREW_KIND_EMBEDDING_SEGMENTS;
}

/* ---- The command line ---------------------------------------------------------------------------- */

static const char self[] = "run";

/* Finds an operator by its name. For a known name with an unknown version, the error lists its versions. */
static int take_operator(const char *name, const strew_operator **op)
{
    names existing = {.count = 0}, versions = {.count = 0};
    *op = strew_operator_find(name);
    if (*op)
        return EXIT_DONE;
    names_of_versions(&versions, name);
    if (versions.count > 0)
        return fail(STREW_STATUS_INVALID_ARGUMENT, "there is no operator '%s'; there are %s", name,
                    names_join(&versions, "and"));
    names_of_operators(&existing);
    return fail(STREW_STATUS_INVALID_ARGUMENT, "there is no operator '%s'; there are %s, and their versions", name,
                names_join(&existing, "and"));
}

/* Refuses options of the other direction, a scatter without updates, and attributes that this version lacks;
 * requires those without a default. */
static int check_operator(const strew_operator *op, const arguments *given)
{
    names attributes = {.count = 0};
    for (size_t o = 0; o < OPTIONS; o++)
        if (attribute_of(o, op))
            names_add(&attributes, cli_options[o].name, strlen(cli_options[o].name));
    for (size_t o = 0; o < OPTIONS; o++) {
        const cli_option *option = &cli_options[o];
        if (given->option[o] && option->scatters_only && is_gather(op))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "%s takes no %s, which is for scatters", op->name,
                        option->name);
        if (given->option[o] && option->gathers_only && !is_gather(op))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "%s takes no %s, which is for gathers", op->name,
                        option->name);
        if (given->option[o] && option->attribute && !attribute_of(o, op))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "%s takes no %s; of attributes it takes %s", op->name,
                        option->name, attributes.count > 0 ? names_join(&attributes, "and") : "none");
        if (!given->option[o] &&
            (attribute_of(o, op) & op->required || (o == OPTION_SEGMENTS && needs_segments(op))))
            return fail(STREW_STATUS_INVALID_ARGUMENT, "%s needs %s, for which it has no default", op->name,
                        option->name);
    }
    if (!given->option[OPTION_UPDATES] && !is_gather(op))
        return fail(STREW_STATUS_INVALID_ARGUMENT, "%s needs %s", op->name, cli_options[OPTION_UPDATES].name);
    if (!given->option[OPTION_INDICES] && !does_without_indices(op))
        return fail(STREW_STATUS_INVALID_ARGUMENT, "%s needs %s", op->name, cli_options[OPTION_INDICES].name);
    return EXIT_DONE;
}

static int fail_name(const char *what, const char *value, names_function *list)
{
    names existing = {.count = 0};
    list(&existing);
    return fail(STREW_STATUS_INVALID_ARGUMENT, "there is no %s '%s'; there are %s", what, value,
                names_join(&existing, "and"));
}

static int take_reduction(const char *value, request *asked)
{
    const strew_operator *op = asked->op;
    strew_reduction *reduction = &asked->attributes.reduction;
    if (!value)
        return EXIT_DONE;
    if (!strew_reduction_find(value, reduction))
        return fail_name("reduction", value, names_of_reductions);
    if (op->reductions >> *reduction & 1u)
        return EXIT_DONE;
    names taken = {.count = 0};
    names_of_reductions_in(&taken, op->reductions);
    return fail(STREW_STATUS_UNSUPPORTED_REDUCTION, "%s takes no --reduction %s, only %s", op->name, value,
                names_join(&taken, "or"));
}

static int take_dtype(const char *value, request *asked)
{
    asked->dtype = strew_dtype_find(value);
    if (asked->dtype && strew_dtype_size(asked->dtype) == 0)
        return fail(STREW_STATUS_UNSUPPORTED_DTYPE, "%s is packed, and the elements of .npy files are not", value);
    return value && !asked->dtype ? fail_name("dtype", value, names_of_dtypes) : EXIT_DONE;
}

static int take_isa(const char *value, request *asked)
{
    return value && !strew_isa_find(value, &asked->isa) ? fail_name("instruction set", value, names_of_isas)
                                                        : EXIT_DONE;
}

/*
 * Refusing is the default, and some versions replace it by a rule of their own. For these STOP refuses: it is an
 * error too, and no file then holds a partial result.
 */
static int take_bounds(const char *value, request *asked)
{
    if (!value)
        return EXIT_DONE;
    if (!strew_bounds_find(value, &asked->bounds))
        return fail_name("policy for indices out of bounds", value, names_of_bounds);
    if (asked->bounds == STREW_BOUNDS_REFUSE && asked->op->rules & STREW_RULE_ZERO_OUTSIDE)
        asked->bounds = STREW_BOUNDS_STOP;
    return EXIT_DONE;
}

static int take_batch_dims(const char *value, request *asked)
{
    if (value && !parse_integer(value, &asked->attributes.batch_dims))
        return fail_usage(self, "--batch-dims takes an integer, and got '%s'", value);
    return EXIT_DONE;
}

static int take_segments(const char *value, request *asked)
{
    if (value && (!parse_integer(value, &asked->attributes.segment_count) || asked->attributes.segment_count < 0))
        return fail_usage(self, "--segments takes an integer from 0 on, and got '%s'", value);
    return EXIT_DONE;
}

static int take_default_index(const char *value, request *asked)
{
    if (value && !parse_integer(value, &asked->attributes.default_index))
        return fail_usage(self, "--default-index takes an integer, and got '%s'", value);
    return EXIT_DONE;
}

static int take_empty(const char *value, request *asked)
{
    return value && !strew_empty_find(value, &asked->attributes.empty)
               ? fail_name("filling of empty segments", value, names_of_empties)
               : EXIT_DONE;
}

static int take_threads(const char *value, request *asked)
{
    int64_t number = 1;
    if (value && (!parse_integer(value, &number) || number < 1 || number > INT_MAX))
        return fail_usage(self, "--threads takes an integer from 1 to %d, and got '%s'", INT_MAX, value);
    asked->threads = (size_t)number;
    return EXIT_DONE;
}

/* Decides by the looks of the text, so that a missing file gives the right error. Other names count if the file
 * exists. */
static bool is_path(const char *text)
{
    const char *const end = strrchr(text, '.');
    if (strpbrk(text, "/\\") || (end && strcmp(end, ".npy") == 0))
        return true;
    FILE *file = fopen(text, "rb");
    return file && fclose(file) == 0;
}

static int take_axis(const char *value, request *asked)
{
    if (!value || parse_integer(value, &asked->attributes.axis))
        return EXIT_DONE;
    asked->axis = value;
    return is_path(value) ? EXIT_DONE
                          : fail_usage(self, "--axis takes an integer or a .npy file, and got '%s'", value);
}

static int take_slice(const char *value, request *asked)
{
    if (value && !slice_parse(value, &asked->numbers))
        return fail_usage(self, "--slice takes START:STOP:STEP of each dimension, with commas, and got '%s'",
                          value);
    asked->slice = slice_view(&asked->numbers);
    asked->attributes.slice = &asked->slice;
    return EXIT_DONE;
}

/* The bounds have been taken. */
static int take_fill(const char *value, request *asked)
{
    const bool is_default = asked->bounds == STREW_BOUNDS_REFUSE;
    asked->fill = value;
    if (!value)
        return EXIT_DONE;
    if (combines(asked->op))
        return fail(STREW_STATUS_INVALID_ARGUMENT, "%s takes no --fill: what it skips is left out",
                    asked->op->name);
    if (!fill_is_number(value) && !is_path(value))
        return fail_usage(self, "--fill takes a number or a .npy file, and got '%s'", value);
    if (asked->bounds == STREW_BOUNDS_SKIP || (is_default && asked->op->rules & STREW_RULE_ZERO_OUTSIDE))
        return EXIT_DONE;
    return fail(STREW_STATUS_INVALID_ARGUMENT, "--fill needs --bounds skip: nothing else writes it");
}

/* Checks everything on the command line that needs no file. */
static int take_arguments(const arguments *given, request *asked)
{
    static const struct {
        size_t option;
        int (*take)(const char *value, request *asked); /* value: NULL if it was not given */
    } values[] = {
        {OPTION_REDUCTION, take_reduction},
        {OPTION_DTYPE, take_dtype},
        {OPTION_ISA, take_isa},
        {OPTION_BATCH_DIMS, take_batch_dims},
        {OPTION_THREADS, take_threads},
        {OPTION_AXIS, take_axis},
        {OPTION_BOUNDS, take_bounds},
        {OPTION_FILL, take_fill},
        {OPTION_SLICE, take_slice},
        {OPTION_SEGMENTS, take_segments},
        {OPTION_DEFAULT_INDEX, take_default_index},
        {OPTION_EMPTY, take_empty},
    };
    asked->data = given->option[OPTION_DATA];
    asked->indices = given->option[OPTION_INDICES];
    asked->updates = given->option[OPTION_UPDATES];
    asked->segments =
        given->option[OPTION_OFFSETS] ? given->option[OPTION_OFFSETS] : given->option[OPTION_SEGMENT_IDS];
    asked->weights = given->option[OPTION_WEIGHTS];
    asked->output = given->option[OPTION_OUTPUT];
    asked->in_place = given->option[OPTION_IN_PLACE];
    asked->explains = given->option[OPTION_EXPLAIN];
    asked->attributes.circular = given->option[OPTION_CIRCULAR] != NULL;
    asked->attributes.use_init_val = !given->option[OPTION_NO_INIT_VAL];
    for (size_t o = 0; o < OPTIONS; o++)
        if (given->option[o])
            asked->attributes.given |= cli_options[o].attribute;
    int result = take_operator(given->operand, &asked->op);
    if (result == EXIT_DONE)
        result = check_operator(asked->op, given);
    for (size_t v = 0; result == EXIT_DONE && v < sizeof values / sizeof *values; v++)
        result = values[v].take(given->option[values[v].option], asked);
    return result;
}

/* ---- The run ------------------------------------------------------------------------------------- */

/* The arrays of one run. An array that was not asked for stays zeroed. */
typedef struct arrays {
    npy_array data, indices, updates, axis, fill, segments, weights, output;
    fill_element number; /* a fill that is no array */
} arrays;

static int read_array(const char *path, npy_array *array)
{
    npy_error error;
    progress reading = progress_begin("reading", path);
    const strew_status status = npy_read(path, array, progress_show, &reading, &error);
    progress_end(&reading);
    return status == STREW_STATUS_OK ? EXIT_DONE : fail(status, "%s", error.message);
}

/* --dtype says how to read the bits of a file's elements, which must be unsigned integers of that size or have
 * that dtype. */
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
    if (!asked->axis)
        return EXIT_DONE;
    const int result = read_array(asked->axis, &loaded->axis);
    if (result != EXIT_DONE)
        return result;
    strew_error error = {.status = STREW_STATUS_OK};
    const strew_tensor axis = npy_tensor(&loaded->axis);
    return strew_axis_read(&axis, &asked->attributes.axis, &error) == STREW_STATUS_OK ? EXIT_DONE
                                                                                      : fail_with(&error);
}

static int read_fill(const request *asked, arrays *loaded)
{
    if (!asked->fill)
        return EXIT_DONE;
    if (fill_is_number(asked->fill))
        return fill_from_number(asked->fill, loaded->data.dtype, &loaded->number);
    int result = read_array(asked->fill, &loaded->fill);
    if (result == EXIT_DONE)
        result = retype(asked->fill, &loaded->fill, asked->dtype);
    return result == EXIT_DONE ? fill_check_array(&loaded->fill, &loaded->data) : result;
}

/* The default number of segments: the last id plus one, if ids have a valid shape and dtype. */
static int64_t count_segments(const npy_array *ids)
{
    int64_t last = -1;
    int32_t narrow;
    if (ids->rank != 1 || ids->shape[0] == 0)
        return 0;
    const char *const end = (const char *)ids->data + (size_t)ids->shape[0] * strew_dtype_size(ids->dtype);
    if (ids->dtype == STREW_DTYPE_INT64) {
        memcpy(&last, end - sizeof last, sizeof last);
    } else if (ids->dtype == STREW_DTYPE_INT32) {
        memcpy(&narrow, end - sizeof narrow, sizeof narrow);
        last = narrow;
    }
    return last < INT64_MAX ? last + 1 : last;
}

static int read_segments(request *asked, arrays *loaded)
{
    strew_attributes *attributes = &asked->attributes;
    int result = EXIT_DONE;
    if (asked->weights)
        result = read_array(asked->weights, &loaded->weights);
    if (result == EXIT_DONE && asked->weights)
        result = retype(asked->weights, &loaded->weights, asked->dtype);
    if (result == EXIT_DONE && asked->segments)
        result = read_array(asked->segments, &loaded->segments);
    if (result == EXIT_DONE && asked->op->kind == STREW_KIND_SEGMENT_REDUCE &&
        !(attributes->given & STREW_ATTRIBUTE_SEGMENT_COUNT)) {
        attributes->given |= STREW_ATTRIBUTE_SEGMENT_COUNT;
        attributes->segment_count = count_segments(&loaded->segments);
    }
    return result;
}

static int read_inputs(request *asked, arrays *loaded)
{
    int result = read_array(asked->data, &loaded->data);
    if (result == EXIT_DONE)
        result = retype(asked->data, &loaded->data, asked->dtype);
    if (result == EXIT_DONE && asked->indices)
        result = read_array(asked->indices, &loaded->indices);
    if (result == EXIT_DONE && asked->updates) {
        result = read_array(asked->updates, &loaded->updates);
        if (result == EXIT_DONE)
            result = retype(asked->updates, &loaded->updates, asked->dtype);
    }
    if (result == EXIT_DONE)
        result = read_axis(asked, loaded);
    if (result == EXIT_DONE)
        result = read_segments(asked, loaded);
    return result == EXIT_DONE ? read_fill(asked, loaded) : result;
}

/* Strings of bytes and of code points are different types of one dtype; the wider element holds either's strings.
 */
static int settle_strings(npy_array *data, const npy_array *other, const char *name)
{
    if (data->dtype != STREW_DTYPE_STRING || other->dtype != STREW_DTYPE_STRING)
        return EXIT_DONE;
    if (data->string_kind != other->string_kind)
        return fail(STREW_STATUS_DTYPE_MISMATCH, "%s holds strings of kind %c; %c is needed, as in data", name,
                    other->string_kind, data->string_kind);
    if (other->string_size > data->string_size)
        data->string_size = other->string_size;
    return EXIT_DONE;
}

static void explain(const request *asked, const strew_plan *plan)
{
    enum { LONGEST = 1024 };
    char line[LONGEST];
    strew_plan_describe(plan, asked->threads, line, sizeof line);
    fprintf(stderr, "strew: %s\n", line);
}

/* Runs the operator as a plan, which says how much scratch it needs. More scratch would not pay for a single
 * run. */
static int plan_and_run(const request *asked, const strew_tensor *data, const strew_tensor *indices,
                        const strew_tensor *updates, const strew_tensor *output, const void *fill,
                        const strew_parallel *parallel)
{
    strew_error error = {.status = STREW_STATUS_OK};
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    planning.isa = asked->isa;
    planning.threads = asked->threads;
    planning.bounds = asked->bounds;
    planning.error = &error;
    strew_plan plan;
    if (strew_operator_plan(&plan, asked->op, &asked->attributes, data, indices, updates, output, &planning) !=
        STREW_STATUS_OK)
        return fail_with(&error);
    if (asked->explains)
        explain(asked, &plan);
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.parallel = parallel;
    running.fill = fill;
    running.error = &error;
    running.scratch_size = strew_plan_least_scratch_size(&plan, asked->threads);
    running.scratch = running.scratch_size > 0 ? malloc(running.scratch_size) : NULL;
    if (running.scratch_size > 0 && !running.scratch)
        return fail(STREW_STATUS_OUT_OF_MEMORY, "no room for %zu bytes of scratch", running.scratch_size);
    const strew_buffers buffers = {.data = data->data,
                                   .indices = indices ? indices->data : NULL,
                                   .updates = updates ? updates->data : NULL,
                                   .output = output->data,
                                   .segments = asked->segments ? asked->attributes.segments->data : NULL,
                                   .weights = asked->weights ? asked->attributes.weights->data : NULL};
    const strew_status status = strew_plan_run(&plan, &buffers, &running);
    free(running.scratch);
    return status == STREW_STATUS_OK ? EXIT_DONE : fail_with(&error);
}

/* Tensors that end with this function are attributes of a copy. */
static int run_on_arrays(const request *given, arrays *loaded, const strew_parallel *parallel)
{
    request asked = *given;
    const strew_tensor data = npy_tensor(&loaded->data), indices = npy_tensor(&loaded->indices);
    const strew_tensor updates = npy_tensor(&loaded->updates);
    const strew_tensor segments = npy_tensor(&loaded->segments), weights = npy_tensor(&loaded->weights);
    const strew_tensor *given_indices = asked.indices ? &indices : NULL;
    const strew_tensor *given_updates = asked.updates ? &updates : NULL;
    const void *const fill = !asked.fill ? NULL : loaded->fill.data ? loaded->fill.data : &loaded->number;
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error = {.status = STREW_STATUS_OK};
    asked.attributes.segments = &segments;
    asked.attributes.weights = &weights;
    if (strew_operator_shape(asked.op, &asked.attributes, &data, given_indices, given_updates, shape, &rank,
                             &error) != STREW_STATUS_OK)
        return fail_with(&error);
    if (asked.in_place)
        return plan_and_run(&asked, &data, given_indices, given_updates, &data, fill, parallel);
    npy_error refusal;
    const strew_status status = npy_create_like(&loaded->output, &loaded->data, rank, shape, &refusal);
    if (status != STREW_STATUS_OK)
        return fail(status, "%s", refusal.message);
    const strew_tensor output = npy_tensor(&loaded->output);
    return plan_and_run(&asked, &data, given_indices, given_updates, &output, fill, parallel);
}

#ifdef STREW_WITH_PTHREADPOOL
static int run_on_pool(const request *asked, arrays *loaded)
{
    const pthreadpool_t pool = threads_create(asked->threads);
    if (!pool)
        return fail(STREW_STATUS_OUT_OF_MEMORY, "no room for %zu threads", asked->threads);
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    const int result = run_on_arrays(asked, loaded, &parallel);
    pthreadpool_destroy(pool);
    return result;
}
#else
static int run_on_pool(const request *asked, arrays *loaded)
{
    (void)loaded;
    return fail(STREW_STATUS_INVALID_ARGUMENT, "--threads is %zu, and this program was built without threads",
                asked->threads);
}
#endif

static int run_with_threads(const request *asked, arrays *loaded)
{
    return asked->threads > 1 ? run_on_pool(asked, loaded) : run_on_arrays(asked, loaded, NULL);
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
    int result = read_inputs(asked, loaded);
    if (result == EXIT_DONE)
        result = settle_strings(&loaded->data, &loaded->updates, "updates");
    if (result == EXIT_DONE)
        result = settle_strings(&loaded->data, &loaded->fill, "fill");
    if (result == EXIT_DONE)
        result = run_with_threads(asked, loaded);
    if (result == EXIT_DONE)
        result = write_output(asked, asked->in_place ? &loaded->data : &loaded->output);
    return result;
}

int command_run(const arguments *given)
{
    request asked = {.op = NULL};
    const int result = take_arguments(given, &asked);
    if (result != EXIT_DONE)
        return result;
    arrays loaded = {.data = {.rank = 0}};
    const int done = run(&asked, &loaded);
    npy_free(&loaded.data);
    npy_free(&loaded.indices);
    npy_free(&loaded.updates);
    npy_free(&loaded.axis);
    npy_free(&loaded.fill);
    npy_free(&loaded.segments);
    npy_free(&loaded.weights);
    npy_free(&loaded.output);
    return done;
}
