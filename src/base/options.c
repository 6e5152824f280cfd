#include "base/options.h"

#include "base/error.h"

enum { KNOWN_FLAGS = STREW_FLAG_REFUSE_NEGATIVE_INDICES };

static const strew_options defaults = STREW_OPTIONS_INIT;

strew_status strew_options_check(const strew_options **options)
{
    const strew_options *given = *options;
    if (!given) {
        *options = &defaults;
        return STREW_STATUS_OK;
    }
    /* Of a struct whose size is wrong nothing else can be trusted, `error` included. */
    if (given->struct_size != sizeof *given)
        return STREW_REFUSE(NULL, WRONG_STRUCT_SIZE, .operand = STREW_OPERAND_OPTIONS);
    if (given->flags & ~(uint32_t)KNOWN_FLAGS)
        return STREW_REFUSE(given->error, UNKNOWN_BITS, .operand = STREW_OPERAND_OPTIONS,
                            .value = given->flags & ~(uint32_t)KNOWN_FLAGS);
    const strew_parallel *parallel = given->parallel;
    if (parallel && (!parallel->run || parallel->threads == 0))
        return STREW_REFUSE(given->error, NO_THREADS, .operand = STREW_OPERAND_PARALLEL);
    return STREW_STATUS_OK;
}
