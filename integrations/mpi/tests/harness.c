#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int world_rank, world_size;

void check_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: rank %d of %d: %s\n", file, line, world_rank, world_size, what);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void check_ok(const char *file, int line, strew_status status, const strew_mpi_error *error)
{
    char words[512];
    if (status == STREW_STATUS_OK)
        return;
    strew_mpi_error_message(error, words, sizeof words);
    check_failed(file, line, words);
}

void check_refused(const char *file, int line, strew_status status, const strew_mpi_error *error,
                   strew_status right, const char *message)
{
    char words[512], all[1200];
    const size_t length = strew_mpi_error_message(error, words, sizeof words);
    if (status == right && error->status == right && strcmp(words, message) == 0 && length == strlen(message))
        return;
    snprintf(all, sizeof all, "%s: \"%s\", expected %s: \"%s\"", strew_mpi_status_name(status), words,
             strew_mpi_status_name(right), message);
    check_failed(file, line, all);
}

void test_begin(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
}

int test_end(const char *what)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%d ranks: %s\n", world_size, what);
    MPI_Finalize();
    return 0;
}

/* ---- Random numbers: SplitMix64 ------------------------------------------------------------------ */

uint64_t random_bits(struct random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

struct random random_of(uint64_t a, uint64_t b, uint64_t c)
{
    struct random random = {a * 0x9E3779B97F4A7C15u};
    random.state = random_bits(&random) ^ b;
    random.state = random_bits(&random) ^ c;
    return random;
}

int64_t random_between(struct random *random, int64_t least, int64_t most)
{
    return least + (int64_t)(random_bits(random) % ((uint64_t)(most - least) + 1));
}

bool random_is(struct random *random, int in_how_many)
{
    return random_between(random, 1, in_how_many) == 1;
}

/* Builds a float of any format from its bit fields: a sign, an exponent near one, a fraction; or 0, or infinity. */
static uint64_t random_float(struct random *random, int exponent_bits, int fraction_bits)
{
    const uint64_t bits = random_bits(random), greatest = (1u << exponent_bits) - 1u, bias = greatest / 2;
    const uint64_t fraction = (bits >> 12) & (((uint64_t)1 << fraction_bits) - 1), sign = bits >> 63;
    uint64_t exponent = bias - 3 + bits % 7;
    if (bits % 29 == 0)
        exponent = (bits >> 32) % (greatest + 1); /* anything, infinities and NaN among it */
    if (bits % 31 < 2)
        return (sign << (exponent_bits + fraction_bits)) | (bits % 31 * greatest << fraction_bits);
    return (sign << (exponent_bits + fraction_bits)) | (exponent << fraction_bits) | fraction;
}

struct format {
    int exponent_bits, fraction_bits;
    size_t size;
};

/* The format of the floats in an element; size 0 if there are none. */
static struct format format_of(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_DTYPE_FLOAT16: return (struct format){5, 10, 2};
    case STREW_DTYPE_BFLOAT16: return (struct format){8, 7, 2};
    case STREW_DTYPE_FLOAT32:
    case STREW_DTYPE_COMPLEX64: return (struct format){8, 23, 4};
    case STREW_DTYPE_FLOAT64:
    case STREW_DTYPE_COMPLEX128: return (struct format){11, 52, 8};
    default: return (struct format){0, 0, 0};
    }
}

static void store(char *to, size_t size, uint64_t bits)
{
    const uint32_t four = (uint32_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint8_t one = (uint8_t)bits;
    memcpy(to,
           size == 8   ? (const void *)&bits
           : size == 4 ? (const void *)&four
           : size == 2 ? (const void *)&two
                       : &one,
           size);
}

static uint64_t load(const char *from, size_t size)
{
    uint64_t bits;
    uint32_t four;
    uint16_t two;
    memcpy(size == 8 ? (void *)&bits : size == 4 ? (void *)&four : (void *)&two, from, size);
    return size == 8 ? bits : size == 4 ? four : two;
}

void random_elements(struct random *random, strew_dtype dtype, void *elements, int64_t count)
{
    const struct format format = format_of(dtype);
    const size_t unit = format.size ? format.size : 1;
    const size_t units = (size_t)count * strew_dtype_size(dtype) / unit;
    for (size_t i = 0; i < units; i++) {
        const bool is_false = dtype == STREW_DTYPE_BOOL && random_is(random, 2);
        store((char *)elements + i * unit, unit,
              format.size ? random_float(random, format.exponent_bits, format.fraction_bits)
              : is_false  ? 0
                          : random_bits(random));
    }
}

/* ---- Elements ------------------------------------------------------------------------------------ */

void write_index(void *indices, strew_dtype dtype, int64_t at, int64_t value)
{
    store((char *)indices + (size_t)at * strew_dtype_size(dtype), strew_dtype_size(dtype), (uint64_t)value);
}

static bool is_nan(uint64_t bits, const struct format *format)
{
    const uint64_t infinity = (((uint64_t)1 << format->exponent_bits) - 1) << format->fraction_bits;
    const uint64_t magnitude = bits & (((uint64_t)1 << (format->exponent_bits + format->fraction_bits)) - 1);
    return magnitude > infinity;
}

bool same_elements(strew_dtype dtype, const void *a, const void *b, int64_t count)
{
    const struct format format = format_of(dtype);
    const size_t bytes = (size_t)count * strew_dtype_size(dtype);
    if (bytes == 0 || memcmp(a, b, bytes) == 0)
        return true;
    for (size_t at = 0; at < bytes && format.size; at += format.size) {
        const uint64_t x = load((const char *)a + at, format.size), y = load((const char *)b + at, format.size);
        if (x != y && !(is_nan(x, &format) && is_nan(y, &format)))
            return false;
    }
    return format.size > 0;
}

int64_t product(const int64_t *shape, int begin, int end)
{
    int64_t count = 1;
    for (int axis = begin; axis < end; axis++)
        count *= shape[axis];
    return count;
}

/* ---- Threads ------------------------------------------------------------------------------------- */

struct share {
    strew_task task;
    void *context;
    size_t begin, step, count;
};

static void *work(void *argument)
{
    const struct share *share = argument;
    for (size_t i = share->begin; i < share->count; i += share->step)
        share->task(share->context, i);
    return NULL;
}

enum { THREADS = 3 };

static void run(void *pool, strew_task task, void *context, size_t count)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    (void)pool;
    for (size_t i = 0; i < THREADS; i++) {
        shares[i] = (struct share){task, context, i, THREADS, count};
        CHECK(pthread_create(&threads[i], NULL, work, &shares[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

const strew_parallel three_threads = {run, NULL, THREADS};

/* ---- Memory -------------------------------------------------------------------------------------- */

static void *count_and_allocate(void *state, size_t size)
{
    struct counting *counting = state;
    if (counting->asked++ == counting->refuses)
        return NULL;
    counting->alive++;
    return malloc(size);
}

static void count_and_release(void *state, void *memory)
{
    struct counting *counting = state;
    CHECK(memory);
    counting->alive--;
    free(memory);
}

strew_mpi_allocator counting_allocator(struct counting *counting)
{
    return (strew_mpi_allocator){count_and_allocate, count_and_release, counting};
}

void *allocate(size_t size)
{
    void *memory = malloc(size + 1);
    CHECK(memory);
    return memory;
}
