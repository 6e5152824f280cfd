/* Shared by the tests: checks that end the job, random tensors, threads, and expected results. */
#ifndef STREW_MPI_HARNESS_H
#define STREW_MPI_HARNESS_H

#include "strew_mpi.h"

#include <stdio.h>

extern int world_rank, world_size;

/* Prints where a check has failed, and ends the job on all ranks. */
void check_failed(const char *file, int line, const char *what);
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

/* For a call that must succeed: prints its error otherwise. */
void check_ok(const char *file, int line, strew_status status, const strew_mpi_error *error);
#define CHECK_OK(call, error) check_ok(__FILE__, __LINE__, (call), (error))

/* Checks that the refusal is the same on all ranks: this status and this message. */
void check_refused(const char *file, int line, strew_status status, const strew_mpi_error *error,
                   strew_status right, const char *message);
#define CHECK_REFUSED(call, error, right, message) \
    check_refused(__FILE__, __LINE__, (call), (error), right, message)

void test_begin(int *argc, char ***argv);
int test_end(const char *what);

/* ---- Random numbers ------------------------------------------------------------------------------ */

struct random {
    uint64_t state;
};

struct random random_of(uint64_t a, uint64_t b, uint64_t c);
uint64_t random_bits(struct random *random);
/* least <= result <= most */
int64_t random_between(struct random *random, int64_t least, int64_t most);
bool random_is(struct random *random, int in_how_many);
/* Elements of any value; floats of all kinds, most of them of ordinary size. */
void random_elements(struct random *random, strew_dtype dtype, void *elements, int64_t count);

/* ---- Elements ------------------------------------------------------------------------------------ */

void write_index(void *indices, strew_dtype dtype, int64_t at, int64_t value);
/* Whether they have the same bits, but for the payload and sign of a NaN. */
bool same_elements(strew_dtype dtype, const void *a, const void *b, int64_t count);
int64_t product(const int64_t *shape, int begin, int end);

/* ---- Threads ------------------------------------------------------------------------------------- */

/* Threads that are made for each run. */
extern const strew_parallel three_threads;

/* ---- Memory -------------------------------------------------------------------------------------- */

/* Counts allocations that are not yet released, and refuses request number `refuses`, from 0 on; -1 refuses
 * none. */
struct counting {
    int64_t alive, asked, refuses;
};
strew_mpi_allocator counting_allocator(struct counting *counting);

/* Memory that is never NULL, of size 0 too. */
void *allocate(size_t size);

#endif
