// Accumulates gradients into the rows of an embedding table, as training does: rows that repeat add up.
#include <cstdio>
#include <vector>

#include <strew/strew.hpp>

int main()
{
    float table[6][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}};
    std::vector<int> words = {2, 0, -4}; // -4 counts from the end, and is word 2 again
    const std::vector<float> gradients = {1, 2, 7, 7, 10, 20};
    const strew::Out rows(table[0], {6, 2});

    strew::scatter(rows, strew::In(words), strew::In(gradients, {3, 2}), STREW_REDUCTION_SUM);
    for (int word = 0; word < 6; word++)
        std::printf("word %d: %g %g\n", word, table[word][0], table[word][1]);

    // A wrong index is refused with its place, and the table stays as it is.
    words[1] = 6;
    try {
        strew::scatter(rows, strew::In(words), strew::In(gradients, {3, 2}), STREW_REDUCTION_SUM);
    } catch (const strew::Error &error) {
        std::printf("%s: %s\n", strew_status_name(error.status()), error.what());
    }
}
