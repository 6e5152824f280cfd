/*
 * Looks up elements with AVX-512. If a table fits in four registers, a permutation takes sixteen elements from it
 * at once.
 */
#include "avx512/kernels.h"
#include "avx512/vector.h"
#include "kernels/glue.h"
#include "scalar/kernels.h"

enum { BLOCK = 16, TABLE_REGISTERS = 4, MOST_ELEMENTS = 64 };

INLINE bool fits_in_registers(const strew_element_table *table, size_t element)
{
    return table->size <= MOST_ELEMENTS && (size_t)table->size * element <= TABLE_REGISTERS * VECTOR_BYTES;
}

/* A table of elements in registers. Elements of one byte are held as words. */
typedef struct table_registers {
    vector part[TABLE_REGISTERS];
    bool is_long; /* the table fills more than the first two registers */
} table_registers;

INLINE table_registers table_load(const char *elements, size_t bytes)
{
    table_registers table = {.is_long = bytes > 2 * VECTOR_BYTES};
    for (size_t p = 0; p < TABLE_REGISTERS; p++) {
        const size_t begin = p * VECTOR_BYTES, left = begin < bytes ? bytes - begin : 0;
        table.part[p] = left == 0             ? offsets_repeated(0)
                        : left < VECTOR_BYTES ? load_part(elements + begin, left)
                                              : load(elements + begin);
    }
    return table;
}

/* Widens bytes to words. SIMDe does not emulate the conversion (as of 0.7.4). */
INLINE vector widen_to_words(__m256i bytes)
{
#ifndef STREW_EMULATED
    return _mm512_cvtepu8_epi16(bytes);
#else
    u8 each[VECTOR_BYTES / 2];
    u16 words[VECTOR_BYTES / 2];
    _mm256_storeu_si256((void *)each, bytes);
    for (size_t e = 0; e < VECTOR_BYTES / 2; e++)
        words[e] = each[e];
    return load((const char *)words);
#endif
}

INLINE table_registers load_registers(const strew_element_table *table, size_t element)
{
    table_registers registers = table_load(table->elements, (size_t)table->size * element);
    if (element == 1) {
        registers.part[1] = widen_to_words(_mm512_extracti64x4_epi64(registers.part[0], 1));
        registers.part[0] = widen_to_words(_mm512_castsi512_si256(registers.part[0]));
    }
    return registers;
}

/* The bounds of indices. As in resolving, a sign bit in `outside` marks a bad index. */
typedef struct index_lanes {
    vector wrap_size, last, outside;
} index_lanes;

INLINE vector repeat_index(int64_t value, bool is_narrow)
{
    return is_narrow ? _mm512_set1_epi32((i32)value) : offsets_repeated(value);
}

INLINE vector load_positions_32(const char *indices, index_lanes *lanes)
{
    const vector index = load(indices);
    const vector position = _mm512_min_epu32(index, _mm512_add_epi32(index, lanes->wrap_size));
    lanes->outside = either_of_three(lanes->outside, position, _mm512_sub_epi32(lanes->last, position));
    return position;
}

INLINE vector load_positions_64(const char *indices, index_lanes *lanes)
{
    const vector position = offsets_wrapped(load(indices), lanes->wrap_size);
    lanes->outside = either_of_three(lanes->outside, position, i64_sub(lanes->last, position));
    return position;
}

/* Returns the positions in the table that sixteen indices name, as lanes of 32 bits. */
INLINE vector load_positions(const char *indices, bool is_narrow, index_lanes *lanes)
{
    const vector lower_halves = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    if (is_narrow)
        return load_positions_32(indices, lanes);
    const vector first = load_positions_64(indices, lanes);
    return _mm512_permutex2var_epi32(first, lower_halves, load_positions_64(indices + VECTOR_BYTES, lanes));
}

INLINE bool any_outside(const index_lanes *lanes, bool is_narrow)
{
    return is_narrow ? _mm512_movepi32_mask(lanes->outside) != 0 : offsets_any_negative(lanes->outside);
}

/*
 * Each take_ function stores sixteen elements. They come from two registers, or from all four; then a bit of the
 * position says which two.
 */
INLINE void take_x32(char *dense, vector positions, const table_registers *table)
{
    vector taken = _mm512_permutex2var_epi32(table->part[0], positions, table->part[1]);
    if (table->is_long) {
        const vector later = _mm512_permutex2var_epi32(table->part[2], positions, table->part[3]);
        taken = _mm512_mask_mov_epi32(taken, _mm512_test_epi32_mask(positions, _mm512_set1_epi32(32)), later);
    }
    store(dense, taken);
}

INLINE vector select_x64(vector positions, const table_registers *table)
{
    const vector taken = _mm512_permutex2var_epi64(table->part[0], positions, table->part[1]);
    if (!table->is_long)
        return taken;
    const vector later = _mm512_permutex2var_epi64(table->part[2], positions, table->part[3]);
    return _mm512_mask_mov_epi64(taken, _mm512_test_epi64_mask(positions, _mm512_set1_epi64(16)), later);
}

/* The permutations use only as many bits of a position as they need to number the elements of two registers. */
INLINE void take_x64(char *dense, vector positions, const table_registers *table)
{
    const vector first = _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    const vector second = _mm512_set_epi32(15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8, 8);
    store(dense, select_x64(_mm512_permutexvar_epi32(first, positions), table));
    store(dense + VECTOR_BYTES, select_x64(_mm512_permutexvar_epi32(second, positions), table));
}

/* Returns sixteen words. */
INLINE __m256i select_x16(vector positions, const table_registers *table)
{
    const vector lower_halves = _mm512_set_epi16(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 28, 26, 24, 22,
                                                 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const vector numbers = _mm512_permutexvar_epi16(lower_halves, positions);
    return _mm512_castsi512_si256(_mm512_permutex2var_epi16(table->part[0], numbers, table->part[1]));
}

INLINE void take_x16(char *dense, vector positions, const table_registers *table)
{
    _mm256_storeu_si256((void *)dense, select_x16(positions, table));
}

INLINE void take_x8(char *dense, vector positions, const table_registers *table)
{
    const __m256i words = select_x16(positions, table);
    _mm_storeu_si128((void *)dense,
                     _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

/* Looks up `count` elements in one table. The last sixteen may repeat some that were looked up before. */
#define LOOK_UP(kind, bytes, is_narrow)                                                                      \
    APART bool look_up_##kind##_##is_narrow(char *dense, const char *indices, size_t count,                  \
                                            const strew_element_table *table)                                \
    {                                                                                                        \
        enum { INDEX_BYTES = (is_narrow) ? 4 : 8 };                                                          \
        const table_registers registers = load_registers(table, bytes);                                      \
        index_lanes lanes = {repeat_index(table->wrap ? table->size : 0, is_narrow),                         \
                             repeat_index(table->size - 1, is_narrow), repeat_index(0, is_narrow)};          \
        for (size_t i = 0; i < count - BLOCK; i += BLOCK)                                                    \
            take_##kind(dense + i * (bytes), load_positions(indices + i * INDEX_BYTES, is_narrow, &lanes),   \
                        &registers);                                                                         \
        const size_t last = count - BLOCK;                                                                   \
        take_##kind(dense + last * (bytes), load_positions(indices + last * INDEX_BYTES, is_narrow, &lanes), \
                    &registers);                                                                             \
        return !any_outside(&lanes, is_narrow);                                                              \
    }

typedef bool look_up_kernel(char *dense, const char *indices, size_t count, const strew_element_table *table);

/* Looks up `count` elements in each table, one table after the other. */
INLINE size_t look_up_each(look_up_kernel *look_up, char *dense, size_t dense_bytes, const char *indices,
                           size_t index_bytes, size_t count, const strew_element_table *table)
{
    strew_element_table one = *table;
    bool are_right = true;
    for (size_t t = 0; t < table->tables; t++) {
        one.elements = table->elements + table->bases[t * count];
        are_right &= look_up(dense + t * dense_bytes, indices + t * index_bytes, count, &one);
    }
    return are_right ? table->tables * count : 0;
}

#define EXPORT_LOOKUP(size, bytes)                                                                         \
    LOOK_UP(size, bytes, true)                                                                             \
    LOOK_UP(size, bytes, false)                                                                            \
    size_t STREW_KERNEL(lookup, size, avx512)(TABLE_PARAMETERS)                                            \
    {                                                                                                      \
        if (count < BLOCK || !fits_in_registers(table, bytes))                                             \
            return STREW_KERNEL(lookup, size, scalar)(dense, indices, count, table);                       \
        const size_t index_bytes = table->is_narrow ? sizeof(i32) : sizeof(i64);                           \
        look_up_kernel *const look_up = table->is_narrow ? look_up_##size##_true : look_up_##size##_false; \
        return look_up_each(look_up, dense, count * (bytes), indices, count * index_bytes, count, table);  \
    }
STREW_LOOKUP_SIZES(EXPORT_LOOKUP)
