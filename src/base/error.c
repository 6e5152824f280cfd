/* Records refusals and writes their messages. */
#include "base/error.h"

#include <string.h>

#include "base/text.h"
#include "strew/operators.h"

/* In the order of strew_reason. A zero ends each sentence. */
#define STATUS_OF(REASON, STATUS, sentence) STREW_STATUS_##STATUS,
static const uint8_t statuses_of_reasons[] = {STREW_STATUS_OK, STREW_REASONS(STATUS_OF)};
#define SENTENCE_OF(REASON, STATUS, sentence) sentence "\0"
static const char sentences[] = "no error\0" STREW_REASONS(SENTENCE_OF);

strew_status strew_refuse(strew_error *error, strew_reason reason, const strew_error *details)
{
    const strew_status status = statuses_of_reasons[reason];
    if (error) {
        *error = *details;
        error->status = status;
        error->reason = (int32_t)reason;
    }
    return status;
}

static void append_integer(strew_text *message, const strew_error *error, int64_t integer)
{
    if (error->value_is_unsigned)
        strew_text_add(message, "%llu", (unsigned long long)integer);
    else
        strew_text_add(message, "%lld", (long long)integer);
}

static void append_position(strew_text *message, const strew_error *error)
{
    for (int32_t d = 0; d < error->position_rank && d < STREW_MAX_RANK; d++)
        strew_text_add(message, "[%lld]", (long long)error->position[d]);
}

/* Adds the name of a dtype. Opaque dtypes differ only by their size, so the size is added too. */
static void append_dtype(strew_text *message, strew_dtype dtype)
{
    strew_text_add(message, "%s", strew_dtype_name(dtype));
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        strew_text_add(message, " of %zu bytes", strew_dtype_size(dtype));
}

/* Adds the names of a set of dtypes. The bit of STREW_DTYPE_NONE stands for opaque ones. */
static void append_dtypes(strew_text *message, uint64_t set)
{
    const char *separator = "";
    for (strew_dtype dtype = STREW_DTYPE_NONE; dtype < STREW_DTYPE_COUNT; dtype++)
        if (set >> dtype & 1) {
            strew_text_add(message, "%s%s", separator, dtype ? strew_dtype_name(dtype) : "opaque elements");
            separator = ", ";
        }
}

static void append_field(strew_text *message, const strew_error *error, const char *field, size_t length)
{
#define FIELD(name, appended)                                           \
    if (length == sizeof(name) - 1 && memcmp(field, name, length) == 0) \
        appended;
    FIELD("operand", strew_text_add(message, "%s", strew_operand_name(error->operand)))
    FIELD("other", strew_text_add(message, "%s", strew_operand_name(error->other)))
    FIELD("dimension", strew_text_add(message, "%d", (int)error->dimension))
    FIELD("value", append_integer(message, error, error->value))
    FIELD("lower", strew_text_add(message, "%lld", (long long)error->lower))
    FIELD("upper", strew_text_add(message, "%lld", (long long)error->upper))
    FIELD("position", append_position(message, error))
    FIELD("dtype", append_dtype(message, (strew_dtype)error->value))
    FIELD("needed_dtype", append_dtype(message, (strew_dtype)error->lower))
    FIELD("dtypes", append_dtypes(message, (uint64_t)error->lower))
    FIELD("reduction", strew_text_add(message, "%s", strew_reduction_name((strew_reduction)error->value)))
    FIELD("kind", strew_text_add(message, "%s", strew_kind_name((strew_kind)error->value)))
    FIELD("isa", strew_text_add(message, "%s", strew_isa_name((strew_isa)error->value)))
#undef FIELD
}

static void append_sentence(strew_text *message, const strew_error *error, const char *sentence)
{
    while (*sentence) {
        const size_t plain = strcspn(sentence, "{");
        strew_text_add(message, "%.*s", (int)plain, sentence);
        sentence += plain;
        if (*sentence == '{') {
            const size_t field = strcspn(sentence, "}");
            append_field(message, error, sentence + 1, field - 1);
            sentence += field + 1;
        }
    }
}

size_t strew_error_message(const strew_error *error, char *buffer, size_t size)
{
    static const strew_error none = {.reason = STREW_REASON_NONE};
    const strew_error *const shown = error ? error : &none;
    strew_text message = strew_text_begin(buffer, size);
    append_sentence(&message, shown,
                    strew_text_at(sentences, sizeof sentences, (size_t)shown->reason, "unknown error"));
    return message.length;
}
