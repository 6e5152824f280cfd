/*
 * The options of the command line, listed once. Parsing, help and error messages use this list, and a test compares
 * the manual page with it.
 */
#ifndef STREW_TOOLS_OPTIONS_H
#define STREW_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"

enum {
    OPTION_DATA,
    OPTION_INDICES,
    OPTION_UPDATES,
    OPTION_AXIS,
    OPTION_BATCH_DIMS,
    OPTION_REDUCTION,
    OPTION_NO_INIT_VAL,
    OPTION_CIRCULAR,
    OPTION_SLICE,
    OPTION_OFFSETS,
    OPTION_SEGMENT_IDS,
    OPTION_WEIGHTS,
    OPTION_SEGMENTS,
    OPTION_DEFAULT_INDEX,
    OPTION_EMPTY,
    OPTION_BOUNDS,
    OPTION_FILL,
    OPTION_DTYPE,
    OPTION_ISA,
    OPTION_THREADS,
    OPTION_IN_PLACE,
    OPTION_OUTPUT,
    OPTION_JSON,
    OPTION_KERNELS,
    OPTION_SECONDS,
    OPTION_MEMORY,
    OPTION_EXPLAIN,
    OPTION_SOURCE,
    OPTION_HELP,
    OPTION_VERSION,
    OPTIONS
};

/* The commands that take an option, as bits. */
enum {
    TAKEN_BY_RUN = 1u << 0,
    TAKEN_BY_INFO = 1u << 1,
    TAKEN_BY_OPERATORS = 1u << 2,
    TAKEN_BY_TUNE = 1u << 3,
    TAKEN_BY_STREW = 1u << 4, /* strew itself, in place of a command */
    TAKEN_BY_ALL = TAKEN_BY_RUN | TAKEN_BY_INFO | TAKEN_BY_OPERATORS | TAKEN_BY_TUNE | TAKEN_BY_STREW
};

typedef struct cli_option {
    const char *name;      /* "--output" */
    char letter;           /* 'o', or 0 */
    bool required;         /* by the command */
    bool scatters_only;    /* gathers have no use for it */
    bool gathers_only;     /* scatters have no use for it */
    unsigned taken_by;     /* TAKEN_BY_* */
    uint32_t attribute;    /* STREW_ATTRIBUTE_*: the attribute that it gives, or 0 */
    const char *value;     /* the name of its value in help; NULL if it has none */
    const char *meaning;   /* for help, without a period */
    names_function *names; /* the values there are, or NULL */
    const char *otherwise; /* the default, or NULL */
} cli_option;

extern const cli_option cli_options[OPTIONS];

#endif
