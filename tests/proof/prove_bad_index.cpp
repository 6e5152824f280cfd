/*
 * engine/bad_index.c: for every index and every size, the search for the message of a refusal finds an index bad
 * exactly if the kernels do; every position that it reads is within indices.
 */
#include "layouts.h"

/* The message is not made here. */
strew_status strew_refuse(strew_error *, strew_reason, const strew_error *)
{
    return STREW_STATUS_INVALID_ARGUMENT;
}

#include "engine/bad_index.c"

static long tried;

static void prove_outside(int index, strew_dtype dtype, bool wrap, int size)
{
    snprintf(proof_case, sizeof proof_case, "index %d, size %d, wrap %d, dtype %d", index, size, wrap, (int)dtype);
    const int exact_index = dtype == STREW_DTYPE_UINT64 && index < 0 ? index + proof_int64::modulus : index;
    const bool counts_from_end = wrap && dtype != STREW_DTYPE_UINT64;
    const int least = counts_from_end ? -size : 0;
    const bool expected = exact_index < least || exact_index >= size;
    PROVE(is_outside(index, dtype, wrap, size) == expected);
    tried++;
}

/* Reading indices: all of them are right but one. */
static const char *items;
static const strew_layout *read_layout;
static int reads, wrong_read;
int64_t strew_read_integer(const void *address, strew_dtype)
{
    const long offset = (const char *)address - items;
    PROVE(offset >= (int)read_layout->extent.low &&
          offset + (int)read_layout->element <= (int)read_layout->extent.high);
    return reads++ == wrong_read ? 1 : 0;
}
bool strew_is_unsigned(strew_dtype) /* for messages */
{
    return false;
}

/* It finds the bad index, whichever it is, and reads nothing out of bounds. */
static void prove_find(const strew_layout &layout)
{
    static const char room[2 << BITS] = {0};
    strew_coordinates coordinates = {};
    coordinates.count = 1;
    coordinates.each[0] = {1, 1};
    strew_index_list list = {};
    list.layout = read_layout = &layout;
    list.items = items = room + (1 << BITS);
    list.coordinates = &coordinates;
    const exact indices(layout);
    int expected[4] = {0};
    for (wrong_read = 0; wrong_read <= indices.count; wrong_read++) {
        int64_t position[STREW_MAX_RANK];
        reads = 0;
        PROVE(strew_find_bad_index(&list, position) == (wrong_read < indices.count));
        for (int32_t d = 0; wrong_read < indices.count && d < indices.rank; d++)
            PROVE((int)position[d] == expected[d]);
        (void)next_of(indices.rank, indices.size, expected);
        tried++;
    }
}

int main(void)
{
    for (const strew_layout &layout : all_layouts(RANK, 1))
        prove_find(layout);
    for (const strew_dtype dtype : {(strew_dtype)STREW_DTYPE_INT64, (strew_dtype)STREW_DTYPE_UINT64})
        for (const bool wrap : {false, true})
            for (int size = 0; size < proof_int64::greatest; size++) /* which represents any value */
                for (int index = proof_int64::least; index <= proof_int64::greatest; index++)
                    prove_outside(index, dtype, wrap, size);
    printf("%ld indices, and places of indices in tensors of rank %d\n", tried, RANK);
}
