/* Sums in float16, where every step rounds, on each instruction set that runs here. */
#include <stdio.h>
#include <strew/inspect.h>
#include <string.h>

enum { ROWS = 4, WIDTH = 37, UPDATES = 500 };

static uint16_t rows[UPDATES][WIDTH]; /* float16 has no type of its own in C */
static int64_t places[UPDATES];

static strew_status sum_on(strew_isa isa, uint16_t table[ROWS][WIDTH])
{
    const strew_tensor data = {table, STREW_DTYPE_FLOAT16, 2, (int64_t[]){ROWS, WIDTH}, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 2, (int64_t[]){UPDATES, 1}, NULL};
    const strew_tensor updates = {rows, STREW_DTYPE_FLOAT16, 2, (int64_t[]){UPDATES, WIDTH}, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = isa;
    memset(table, 0, sizeof(uint16_t[ROWS][WIDTH]));
    return strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options);
}

int main(void)
{
    for (int u = 0; u < UPDATES; u++) {
        places[u] = u * 13 % ROWS;
        for (int e = 0; e < WIDTH; e++)
            rows[u][e] = (uint16_t)(0x1000 + (u * 251 + e * 17) % 0x2000); /* 2^-11 to 2^-3 */
    }

    static uint16_t defined[ROWS][WIDTH], other[ROWS][WIDTH];
    if (sum_on(STREW_ISA_SCALAR, defined) != STREW_STATUS_OK || defined[0][0] == 0)
        return 1;
    for (int isa = STREW_ISA_SCALAR + 1; isa < STREW_ISA_COUNT; isa++) {
        if (strew_isa_get_state((strew_isa)isa) < STREW_ISA_STATE_EMULATED)
            continue; /* not in this build, or not on this CPU */
        if (sum_on((strew_isa)isa, other) != STREW_STATUS_OK || memcmp(other, defined, sizeof defined) != 0)
            return 1;
    }
    puts("every instruction set: the same bits");
    return 0;
}
