/* The command line from the outside: input files, a process, its exit status, two streams and output files. */
#ifndef STREW_TESTS_CLI_H
#define STREW_TESTS_CLI_H

#include <strew/strew.h>

#include "directory.h"

/* The outcome of a process. A stream longer than its room fails the test. */
typedef struct cli_outcome {
    int exit_status;
    char output[1 << 17];
    char errors[1 << 12];
} cli_outcome;

/* Runs strew with the words of this line. The outcome is valid until the next run. */
const cli_outcome *cli_run(const char *line);
/* The same with the standard output in this file, which is not read. */
const cli_outcome *cli_run_to(const char *line, const char *output);

bool cli_file_exists(const char *path);
void cli_remove(const char *path);
void cli_write_bytes(const char *path, const void *bytes, size_t size);

/* CLI_SHAPE(2, 3) is the rank and the shape of the next argument; CLI_SCALAR is rank 0. */
#define CLI_SHAPE(...)                                                               \
    (int32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]) \
    {                                                                                \
        __VA_ARGS__                                                                  \
    }
#define CLI_SCALAR 0, NULL

/* Writes a .npy file. The elements are in C order, whatever the order of the file. */
void cli_write(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape, const void *elements);
void cli_write_fortran(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape,
                       const void *elements);

/* The same for strings of kind 'S' or 'U' that take `size` bytes each in the file; those of 'S' end at a NUL. */
void cli_write_strings(const char *path, char kind, size_t size, int64_t count, const strew_string *strings);

/* Fails unless the file holds this. */
void cli_expect(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape, const void *elements);
void cli_expect_strings(const char *path, char kind, size_t size, int64_t count, const strew_string *strings);
void cli_expect_fortran_order(const char *path, bool fortran_order);

#endif
