/* Accumulates gradients into the rows of an embedding table, as training does: rows that repeat add up. */
#include <stdio.h>
#include <strew/strew.h>

enum { WORDS = 6, WIDTH = 2, BATCH = 3 };

int main(void)
{
    float table[WORDS][WIDTH] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
    int32_t words[BATCH] = {2, 0, -4}; /* -4 counts from the end, and is word 2 again */
    float gradients[BATCH][WIDTH] = {{1, 2}, {7, 7}, {10, 20}};

    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){WORDS, WIDTH}, NULL};
    const strew_tensor indices = {words, STREW_DTYPE_INT32, 2, (int64_t[]){BATCH, 1}, NULL};
    const strew_tensor updates = {gradients, STREW_DTYPE_FLOAT32, 2, (int64_t[]){BATCH, WIDTH}, NULL};

    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;

    /* The output is data itself: in place, the call touches only the rows that words names. */
    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options) != STREW_STATUS_OK)
        return 1;
    for (int word = 0; word < WORDS; word++)
        printf("word %d: %g %g\n", word, table[word][0], table[word][1]);

    /* strew refuses a bad index, names its place, and leaves the table as it was. */
    words[1] = WORDS;
    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options) == STREW_STATUS_OK)
        return 1;
    char message[256];
    strew_error_message(&error, message, sizeof message);
    printf("%s: %s\n", strew_status_name(error.status), message);
    return 0;
}
