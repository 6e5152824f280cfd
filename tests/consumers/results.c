/*
 * The results of every dtype and reduction, on each instruction set that runs here, as one number that must be the
 * same on every platform, with every compiler and every flag. The program itself uses only the public API and
 * integers, so that no flag changes it.
 */
#include <stdio.h>
#include <string.h>

#include <strew/inspect.h>
#include <strew/strew.h>

#define EXPECTED UINT64_C(0xd8d3ddc07688776d)

enum { ROWS = 37, WIDTH = 61, UPDATES = 113, LANE = 29, LARGEST = 16, SCRATCH = 1 << 20 };

static uint64_t state;

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* An element as unsigned integers: their size, and the bits of the exponent for floats. */
typedef struct parts {
    size_t size;
    uint64_t exponent;
} parts;

static parts parts_of(strew_dtype dtype)
{
    switch (dtype) {
    case STREW_DTYPE_FLOAT16: return (parts){2, 0x7c00};
    case STREW_DTYPE_BFLOAT16: return (parts){2, 0x7f80};
    case STREW_DTYPE_FLOAT32:
    case STREW_DTYPE_COMPLEX64: return (parts){4, 0x7f800000};
    case STREW_DTYPE_FLOAT64:
    case STREW_DTYPE_COMPLEX128: return (parts){8, UINT64_C(0x7ff0000000000000)};
    default: return (parts){strew_dtype_size(dtype), 0};
    }
}

static uint64_t read_part(const unsigned char *from, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: memcpy(&one, from, size); return one;
    case 2: memcpy(&two, from, size); return two;
    case 4: memcpy(&four, from, size); return four;
    default: memcpy(&eight, from, size); return eight;
    }
}

static void write_part(unsigned char *to, uint64_t value, size_t size)
{
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    switch (size) {
    case 1: memcpy(to, &one, size); break;
    case 2: memcpy(to, &two, size); break;
    case 4: memcpy(to, &four, size); break;
    default: memcpy(to, &value, size);
    }
}

/* For floats, half of the values have a moderate size, the others any bits: subnormals, zeros of both signs,
 * infinities, NaN. */
static uint64_t value_of(parts of)
{
    const uint64_t bits = next(), kind = next() % 16;
    const uint64_t bias = (of.exponent >> 1) & of.exponent, unit = of.exponent & ~(of.exponent << 1);
    const uint64_t sign = of.exponent + unit;
    if (!of.exponent || kind < 4)
        return bits;
    if (kind == 4)
        return bits & sign;
    if (kind == 5)
        return (bits & sign) | of.exponent;
    if (kind == 6)
        return bits & ~of.exponent;
    return (bits & ~of.exponent) | (bias + (next() % 5) * unit - 2 * unit);
}

static void fill(unsigned char *elements, size_t bytes, strew_dtype dtype)
{
    const parts of = parts_of(dtype);
    for (size_t at = 0; at < bytes; at += of.size)
        write_part(elements + at, value_of(of), of.size);
}

/* FNV-1a over the parts' values; which payload a NaN carries is not promised. */
static uint64_t hash(uint64_t so_far, const unsigned char *elements, size_t bytes, strew_dtype dtype)
{
    const parts of = parts_of(dtype);
    for (size_t at = 0; at < bytes; at += of.size) {
        uint64_t value = read_part(elements + at, of.size);
        const uint64_t sign = of.exponent + (of.exponent & ~(of.exponent << 1));
        if (of.exponent && (value & ~sign) > of.exponent && (value & of.exponent) == of.exponent)
            value = of.exponent | of.exponent >> 1;
        so_far = (so_far ^ value) * UINT64_C(0x100000001b3);
    }
    return so_far;
}

static unsigned char data[ROWS * WIDTH * LARGEST], output[ROWS * WIDTH * LARGEST];
static unsigned char updates[UPDATES * WIDTH * LARGEST], scratch[SCRATCH];
static int32_t rows[UPDATES];
static int64_t entries[UPDATES * LANE];

/* One call of each operator. The status of a refusal, such as for sums of strings, counts as its result. */
static uint64_t run(uint64_t so_far, strew_isa isa, strew_dtype dtype, strew_reduction reduction, bool use_init_val)
{
    const size_t size = strew_dtype_size(dtype);
    const int64_t data_shape[] = {ROWS, WIDTH}, row_indices[] = {UPDATES, 1}, row_updates[] = {UPDATES, WIDTH};
    const int64_t entry_shape[] = {UPDATES, LANE};
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = isa;
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    const strew_tensor table = {data, dtype, 2, data_shape, NULL}, result = {output, dtype, 2, data_shape, NULL};
    const strew_tensor row = {rows, STREW_DTYPE_INT32, 2, row_indices, NULL};
    const strew_tensor row_update = {updates, dtype, 2, row_updates, NULL};
    const strew_tensor entry = {entries, STREW_DTYPE_INT64, 2, entry_shape, NULL};
    const strew_tensor entry_update = {updates, dtype, 2, entry_shape, NULL};

    fill(data, ROWS * WIDTH * size, dtype);
    fill(updates, UPDATES * WIDTH * size, dtype);
    memset(output, 0, sizeof output);
    so_far += (uint64_t)strew_scatter_nd(&table, &row, &row_update, reduction, &result, &options);
    so_far = hash(so_far, output, ROWS * WIDTH * size, dtype);
    memset(output, 0, sizeof output);
    so_far += (uint64_t)strew_scatter_elements(&table, &entry, &entry_update, 0, reduction, use_init_val, &result,
                                               &options);
    return hash(so_far, output, ROWS * WIDTH * size, dtype);
}

static uint64_t run_all(strew_isa isa)
{
    uint64_t so_far = UINT64_C(0xcbf29ce484222325);
    state = 1;
    for (int i = 0; i < UPDATES; i++)
        rows[i] = (int32_t)(next() % (2 * ROWS)) - ROWS;
    for (int i = 0; i < UPDATES * LANE; i++)
        entries[i] = (int64_t)(next() % ROWS);
    for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype < STREW_DTYPE_STRING; dtype++)
        for (strew_reduction reduction = 0; reduction < STREW_REDUCTION_COUNT; reduction++)
            for (int use_init_val = 0; use_init_val <= 1; use_init_val++)
                so_far = run(so_far, isa, dtype, reduction, use_init_val);
    return so_far;
}

int main(void)
{
    int wrong = 0;
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++) {
        const strew_isa_state isa_state = strew_isa_get_state(isa);
        if (isa_state != STREW_ISA_STATE_NATIVE && isa_state != STREW_ISA_STATE_EMULATED)
            continue;
        const uint64_t result = run_all(isa);
        printf("%s (%s): %016llx\n", strew_isa_name(isa), strew_isa_state_name(isa_state),
               (unsigned long long)result);
        wrong += result != EXPECTED;
    }
    if (wrong)
        printf("%016llx is right\n", (unsigned long long)EXPECTED);
    return wrong > 0;
}
