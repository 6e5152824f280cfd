// The same by the functions of C alone: shapes and options are variables, and each call returns a status.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <strew/strew.h>

int main()
{
    float table[6][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
    std::vector<std::int32_t> words = {2, 0, -4}; // -4 counts from the end, and is word 2 again
    std::vector<float> gradients = {1, 2, 7, 7, 10, 20};

    const std::int64_t table_shape[] = {6, 2}, words_shape[] = {3}, gradients_shape[] = {3, 2};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, nullptr};
    const strew_tensor indices = {words.data(), STREW_DTYPE_INT32, 1, words_shape, nullptr};
    const strew_tensor updates = {gradients.data(), STREW_DTYPE_FLOAT32, 2, gradients_shape, nullptr};
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;

    if (strew_scatter(&data, &indices, &updates, 0, 0, STREW_REDUCTION_SUM, true, &data, &options) !=
        STREW_STATUS_OK)
        return 1;
    for (int word = 0; word < 6; word++)
        std::printf("word %d: %g %g\n", word, table[word][0], table[word][1]);

    // A wrong index is refused with its place, and the table stays as it is.
    words[1] = 6;
    if (strew_scatter(&data, &indices, &updates, 0, 0, STREW_REDUCTION_SUM, true, &data, &options) ==
        STREW_STATUS_OK)
        return 1;
    char message[256];
    strew_error_message(&error, message, sizeof message);
    std::printf("%s: %s\n", strew_status_name(error.status), message);
}
