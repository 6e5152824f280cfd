/* The messages of refusals. */
#include "internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *strew_mpi_status_name(strew_status status)
{
    switch (status) {
    case STREW_MPI_STATUS_RANKS_DIFFER: return "ranks_differ";
    case STREW_MPI_STATUS_MPI_FAILED: return "mpi_failed";
    default: return strew_status_name(status);
    }
}

bool strew_mpi_refuse(struct strew_mpi_call *call, strew_status status, enum strew_mpi_reason reason, int what,
                      int64_t value, int64_t other_value)
{
    if (call->failure.status == STREW_STATUS_OK) {
        call->failure = (strew_mpi_error){.status = status, .reason = reason, .what = what, .value = value};
        call->failure.rank = call->context ? call->context->rank : -1;
        call->failure.other_rank = -1;
        call->failure.other_value = other_value;
    }
    return false;
}

bool strew_mpi_refuse_null(struct strew_mpi_call *call, enum strew_mpi_reason reason, enum strew_mpi_argument what)
{
    return strew_mpi_refuse(call, STREW_STATUS_INVALID_ARGUMENT, reason, what, 0, 0);
}

bool strew_mpi_refuse_local(struct strew_mpi_call *call, const strew_error *error)
{
    if (call->failure.status == STREW_STATUS_OK) {
        strew_mpi_refuse(call, error->status, REASON_LOCAL, 0, 0, 0);
        call->failure.local = *error;
    }
    return false;
}

bool strew_mpi_succeeded(struct strew_mpi_call *call, int code)
{
    return code == MPI_SUCCESS || strew_mpi_refuse(call, STREW_MPI_STATUS_MPI_FAILED, REASON_MPI, 0, code, 0);
}

/* ---- Sentences ----------------------------------------------------------------------------------- */

/* Text that is written as by snprintf: it counts everything, and keeps as much as fits. */
struct text {
    char *buffer;
    size_t size, length;
};

#ifdef __GNUC__
#define LIKE_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define LIKE_PRINTF
#endif

LIKE_PRINTF static void say(struct text *text, const char *format, ...)
{
    const size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(room ? text->buffer + text->length : NULL, room, format, arguments);
    va_end(arguments);
    text->length += written > 0 ? (size_t)written : 0;
}

static const char *name_of_argument(int argument)
{
    static const char *const names[ARGUMENT_COUNT] = {
        [ARGUMENT_CONTEXT] = "context",  [ARGUMENT_ALLOCATOR] = "a function of the allocator",
        [ARGUMENT_TABLE] = "table",      [ARGUMENT_SHAPE] = "the shape of the table",
        [ARGUMENT_ROWS] = "table->rows", [ARGUMENT_INDICES] = "indices",
        [ARGUMENT_UPDATES] = "updates",  [ARGUMENT_OUTPUT] = "output",
        [ARGUMENT_PLAN] = "plan",
    };
    return argument >= 0 && argument < ARGUMENT_COUNT ? names[argument] : "an argument";
}

static const char *name_of_call(int64_t kind)
{
    switch (kind) {
    case KIND_CONTEXT: return "strew_mpi_context_create";
    case KIND_GATHER: return "strew_mpi_gather";
    case KIND_SCATTER: return "strew_mpi_scatter";
    case KIND_PLAN: return "strew_mpi_plan_create";
    case KIND_PLAN_GATHER: return "strew_mpi_plan_gather";
    case KIND_PLAN_SCATTER: return "strew_mpi_plan_scatter";
    default: return "another call";
    }
}

static void say_field(struct text *text, int field)
{
    switch (field) {
    case FIELD_CALL: say(text, "the call"); break;
    case FIELD_PLAN: say(text, "the number of the plan"); break;
    case FIELD_DTYPE: say(text, "the dtype of the table"); break;
    case FIELD_RANK: say(text, "the number of dimensions of the table"); break;
    case FIELD_BLOCK: say(text, "the block of the table"); break;
    case FIELD_WIDTH: say(text, "the number of coordinates of an index"); break;
    case FIELD_REDUCTION: say(text, "the reduction"); break;
    case FIELD_FLAGS: say(text, "flags"); break;
    case FIELD_BOUNDS: say(text, "the policy for indices out of bounds"); break;
    default: say(text, "dimension %d of the table", field - FIELD_SHAPE);
    }
}

static void say_value(struct text *text, int field, int64_t value)
{
    const strew_dtype dtype = (strew_dtype)value;
    switch (field) {
    case FIELD_CALL: say(text, "%s", name_of_call(value)); break;
    case FIELD_REDUCTION: say(text, "%s", strew_reduction_name((strew_reduction)value)); break;
    case FIELD_FLAGS: say(text, "0x%" PRIx64, (uint64_t)value); break;
    case FIELD_BOUNDS: say(text, "%s", strew_bounds_name((strew_bounds)value)); break;
    case FIELD_DTYPE:
        say(text, "%s", strew_dtype_name(dtype));
        if (dtype & STREW_DTYPE_OPAQUE_BIT)
            say(text, " of %zu bytes", strew_dtype_size(dtype));
        break;
    default: say(text, "%" PRId64, value);
    }
}

static void say_mpi(struct text *text, int64_t code)
{
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0, initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (initialised && !finalised && MPI_Error_string((int)code, words, &length) == MPI_SUCCESS)
        say(text, "MPI failed: %s", words);
    else
        say(text, "MPI failed with code %" PRId64, code);
}

static void say_local(struct text *text, const strew_error *error)
{
    char words[1024];
    strew_error_message(error, words, sizeof words);
    say(text, "%s", words);
}

static void say_reason(struct text *text, const strew_mpi_error *error)
{
    switch (error->reason) {
    case REASON_LOCAL: say_local(text, &error->local); break;
    case REASON_DIFFERS:
        say_field(text, error->what);
        say(text, " is ");
        say_value(text, error->what, error->value);
        say(text, ", but ");
        say_value(text, error->what, error->other_value);
        say(text, " on rank %d: it must be the same on all ranks", (int)error->other_rank);
        break;
    case REASON_MEMORY: say(text, "%" PRId64 " bytes could not be allocated", error->value); break;
    case REASON_MPI: say_mpi(text, error->value); break;
    case REASON_NOT_RUNNING: say(text, "MPI is not initialised, or is finalised"); break;
    case REASON_NO_COMMUNICATOR: say(text, "the communicator is MPI_COMM_NULL"); break;
    case REASON_INTERCOMMUNICATOR:
        say(text, "the communicator is an intercommunicator: merge its groups first");
        break;
    case REASON_NULL: say(text, "%s is NULL", name_of_argument(error->what)); break;
    case REASON_NULL_DATA: say(text, "%s is NULL, and has elements", name_of_argument(error->what)); break;
    case REASON_STRINGS: say(text, "strings are pointers, which other processes cannot read"); break;
    case REASON_PACKED: say(text, "the elements of the table are packed, and travel by whole bytes"); break;
    case REASON_TABLE_RANK:
        say(text, "the table has %" PRId64 " dimensions; it must have 1 to %" PRId64, error->value,
            error->other_value);
        break;
    case REASON_INDICES_RANK:
        say(text, "indices have %" PRId64 " dimensions; they must have 2, [n][k]", error->value);
        break;
    case REASON_NO_COORDINATES: say(text, "indices have no coordinates: k must be at least 1"); break;
    case REASON_BLOCK:
        say(text, "the block of the table is %" PRId64 "; it must be at least 0", error->value);
        break;
    case REASON_REDUCTION:
        say(text, "there is no %s of %s", strew_reduction_name((strew_reduction)error->value),
            strew_dtype_name((strew_dtype)error->other_value));
        break;
    case REASON_OPTIONS:
        say(text, "options->struct_size is %" PRId64 "; it must be %" PRId64, error->value, error->other_value);
        break;
    case REASON_FLAGS:
        say(text, "options->flags are 0x%" PRIx64 "; this call takes 0x%" PRIx64, (uint64_t)error->value,
            (uint64_t)error->other_value);
        break;
    case REASON_BOUNDS:
        say(text, "options->bounds is %s; %s", strew_bounds_name((strew_bounds)error->value),
            error->other_value ? "refuse, skip, clamp and wrap are possible" : "the plan has settled it");
        break;
    case REASON_PARALLEL: say(text, "options->parallel has no run, or no threads"); break;
    case REASON_OVERLAP: say(text, "the output overlaps the table's rows"); break;
    case REASON_PLAN_SHAPE:
        if (error->what == FIELD_COUNT)
            say(text, "updates or output have %" PRId64 " rows, but the plan has %" PRId64 " indices", error->value,
                error->other_value);
        else {
            say_field(text, error->what);
            say(text, " is %" PRId64 ", but %" PRId64 " in the plan", error->value, error->other_value);
        }
        break;
    default: say(text, "no error");
    }
}

size_t strew_mpi_error_message(const strew_mpi_error *error, char *buffer, size_t size)
{
    struct text text = {buffer, size, 0};
    if (size)
        buffer[0] = '\0';
    if (!error || error->status == STREW_STATUS_OK)
        say(&text, "no error");
    else {
        if (error->rank >= 0)
            say(&text, "rank %d: ", (int)error->rank);
        say_reason(&text, error);
    }
    return text.length;
}
