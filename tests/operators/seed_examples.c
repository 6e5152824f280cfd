/* The examples of ScatterNDUpdate-3 and -15, Scatter-9 and -11, GatherND-8, Gather and ScatterUpdate-3. */
#include "seed_examples.h"

#include "test.h"

/* clang-format off */

#define TWO_SLICES_DATA {3, {4, 4, 4}, { \
    1, 2, 3, 4,  5, 6, 7, 8,  8, 7, 6, 5,  4, 3, 2, 1, \
    1, 2, 3, 4,  5, 6, 7, 8,  8, 7, 6, 5,  4, 3, 2, 1, \
    8, 7, 6, 5,  4, 3, 2, 1,  1, 2, 3, 4,  5, 6, 7, 8, \
    8, 7, 6, 5,  4, 3, 2, 1,  1, 2, 3, 4,  5, 6, 7, 8}}
#define TWO_SLICES_INDICES {2, {2, 1}, {0, 2}}
#define TWO_SLICES_UPDATES {3, {2, 4, 4}, { \
    5, 5, 5, 5,  6, 6, 6, 6,  7, 7, 7, 7,  8, 8, 8, 8, \
    1, 1, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  4, 4, 4, 4}}
#define TWO_SLICES_OUTPUT {3, {4, 4, 4}, { \
    5, 5, 5, 5,  6, 6, 6, 6,  7, 7, 7, 7,  8, 8, 8, 8, \
    1, 2, 3, 4,  5, 6, 7, 8,  8, 7, 6, 5,  4, 3, 2, 1, \
    1, 1, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  4, 4, 4, 4, \
    8, 7, 6, 5,  4, 3, 2, 1,  1, 2, 3, 4,  5, 6, 7, 8}}

/*
 * The layer examples of ScatterNDUpdate-15. The document writes indices of shape [5]; read as one tuple that
 * would exceed the rank of data, so that it means [5, 1].
 */
#define LAYER_DATA {1, {4}, {1, 2, 3, 4}}
#define LAYER_INDICES {2, {5, 1}, {0, 2, -3, -3, 0}}
#define LAYER_UPDATES {1, {5}, {10, 20, 30, 40, 50}}

#define SCATTER_1_DATA {2, {3, 3}, {0}}
#define SCATTER_1_INDICES {2, {2, 3}, {1, 0, 2,  0, 2, 1}}
#define SCATTER_1_UPDATES {2, {2, 3}, {1.0, 1.1, 1.2,  2.0, 2.1, 2.2}}
#define SCATTER_1_OUTPUT {2, {3, 3}, {2.0, 1.1, 0.0,  1.0, 0.0, 2.2,  0.0, 2.1, 1.2}}
#define SCATTER_2_DATA {2, {1, 5}, {1.0, 2.0, 3.0, 4.0, 5.0}}
#define SCATTER_2_INDICES {2, {1, 2}, {1, 3}}
#define SCATTER_2_UPDATES {2, {1, 2}, {1.1, 2.1}}
#define SCATTER_2_OUTPUT {2, {1, 5}, {1.0, 1.1, 3.0, 2.1, 5.0}}

#define NO_ATTRIBUTES {.given = 0}
#define REDUCTION(name) {.given = STREW_ATTRIBUTE_REDUCTION, .reduction = (name)}
#define AXIS(number) {.given = STREW_ATTRIBUTE_AXIS, .axis = (number)}
#define BATCH_DIMS(number) {.given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = (number)}
#define AXIS_BATCH(number, batch) { \
    .given = STREW_ATTRIBUTE_AXIS | STREW_ATTRIBUTE_BATCH_DIMS, .axis = (number), .batch_dims = (batch)}
#define NO_UPDATES {0, {0}, {0}}

#define FIVE {1, {5}, {1, 2, 3, 4, 5}}
#define TWO_FIVES {2, {2, 5}, {1, 2, 3, 4, 5,  6, 7, 8, 9, 10}}
#define FOUR_FIVES {3, {2, 2, 5}, {1, 2, 3, 4, 5,  6, 7, 8, 9, 10,  11, 12, 13, 14, 15,  16, 17, 18, 19, 20}}
#define TEN_FOURS {4, {2, 1, 5, 4}, { \
    1, 2, 3, 4,  5, 6, 7, 8,  9, 10, 11, 12,  13, 14, 15, 16,  17, 18, 19, 20, \
    21, 22, 23, 24,  25, 26, 27, 28,  29, 30, 31, 32,  33, 34, 35, 36,  37, 38, 39, 40}}

/* Examples 1 to 5 of Gather-7 and Gather-8. */
#define GATHERS(version) \
    {version, "example 1", AXIS_BATCH(0, 0), FIVE, {1, {3}, {0, 0, 4}}, NO_UPDATES, {1, {3}, {1, 1, 5}}}, \
    {version, "example 2", AXIS_BATCH(1, 1), TWO_FIVES, {2, {2, 3}, {0, 0, 4,  4, 0, 0}}, NO_UPDATES, \
     {2, {2, 3}, {1, 1, 5,  10, 6, 6}}}, \
    {version, "example 3", AXIS_BATCH(2, 2), FOUR_FIVES, \
     {3, {2, 2, 3}, {0, 0, 4,  4, 0, 0,  1, 2, 4,  4, 3, 2}}, NO_UPDATES, \
     {3, {2, 2, 3}, {1, 1, 5,  10, 6, 6,  12, 13, 15,  20, 19, 18}}}, \
    {version, "example 4", AXIS_BATCH(2, 1), TEN_FOURS, {2, {2, 3}, {1, 2, 4,  4, 3, 2}}, NO_UPDATES, \
     {4, {2, 1, 3, 4}, {5, 6, 7, 8,  9, 10, 11, 12,  17, 18, 19, 20, \
                        37, 38, 39, 40,  33, 34, 35, 36,  29, 30, 31, 32}}}, \
    {version, "example 5", AXIS_BATCH(1, -1), TWO_FIVES, {2, {2, 3}, {0, 0, 4,  4, 0, 0}}, NO_UPDATES, \
     {2, {2, 3}, {1, 1, 5,  10, 6, 6}}}

/* The examples of ONNX's Gather, and their meaning for an axis of rank 0. */
#define ONNX_GATHERS(version) \
    {version, "example 1", NO_ATTRIBUTES, {2, {3, 2}, {1.0, 1.2,  2.3, 3.4,  4.5, 5.7}}, \
     {2, {2, 2}, {0, 1,  1, 2}}, NO_UPDATES, {3, {2, 2, 2}, {1.0, 1.2,  2.3, 3.4,  2.3, 3.4,  4.5, 5.7}}}, \
    {version, "example 2", AXIS(1), {2, {3, 3}, {1.0, 1.2, 1.9,  2.3, 3.4, 3.9,  4.5, 5.7, 5.9}}, \
     {2, {1, 2}, {0, 2}}, NO_UPDATES, {3, {3, 1, 2}, {1.0, 1.9,  2.3, 3.9,  4.5, 5.9}}}, \
    {version, "one index of rank 0", AXIS(1), TWO_FIVES, {0, {0}, {3}}, NO_UPDATES, {1, {2}, {4, 9}}}

const seed_example seed_examples[] = {
    {"ScatterNDUpdate-3", "four elements", NO_ATTRIBUTES,
     {1, {8}, {1, 2, 3, 4, 5, 6, 7, 8}},
     {2, {4, 1}, {4, 3, 1, 7}},
     {1, {4}, {9, 10, 11, 12}},
     {1, {8}, {1, 11, 3, 10, 9, 6, 7, 12}}},
    {"ScatterNDUpdate-3", "two slices", NO_ATTRIBUTES,
     TWO_SLICES_DATA, TWO_SLICES_INDICES, TWO_SLICES_UPDATES, TWO_SLICES_OUTPUT},

    /* The last index is a second update of position 4; printed there: 4. */
    {"ScatterNDUpdate-15", "six elements, two counted from the end", REDUCTION(STREW_REDUCTION_NONE),
     {1, {8}, {1, 2, 3, 4, 5, 6, 7, 8}},
     {2, {6, 1}, {4, 3, 1, 7, -2, -4}},
     {1, {6}, {9, 10, 11, 12, 13, 14}},
     {1, {8}, {1, 11, 3, 10, 14, 6, 13, 12}}},
    {"ScatterNDUpdate-15", "two slices", REDUCTION(STREW_REDUCTION_NONE),
     TWO_SLICES_DATA, TWO_SLICES_INDICES, TWO_SLICES_UPDATES, TWO_SLICES_OUTPUT},
    /* Printed: 50, 20, 20, 4. */
    {"ScatterNDUpdate-15", "layer 1, none", REDUCTION(STREW_REDUCTION_NONE),
     LAYER_DATA, LAYER_INDICES, LAYER_UPDATES, {1, {4}, {50, 40, 20, 4}}},
    {"ScatterNDUpdate-15", "layer 1, no attribute", NO_ATTRIBUTES,
     LAYER_DATA, LAYER_INDICES, LAYER_UPDATES, {1, {4}, {50, 40, 20, 4}}},
    {"ScatterNDUpdate-15", "layer 2, sum", REDUCTION(STREW_REDUCTION_SUM),
     LAYER_DATA, LAYER_INDICES, LAYER_UPDATES, {1, {4}, {61, 72, 23, 4}}},
    {"ScatterNDUpdate-15", "layer 3, sub", REDUCTION(STREW_REDUCTION_SUB),
     LAYER_DATA, LAYER_INDICES, LAYER_UPDATES, {1, {4}, {-59, -68, -17, 4}}},
    /* Printed: 500, 3600, 40, 4. */
    {"ScatterNDUpdate-15", "layer 4, prod", REDUCTION(STREW_REDUCTION_PROD),
     LAYER_DATA, LAYER_INDICES, LAYER_UPDATES, {1, {4}, {500, 2400, 60, 4}}},

    {"Scatter-11", "example 1", NO_ATTRIBUTES,
     SCATTER_1_DATA, SCATTER_1_INDICES, SCATTER_1_UPDATES, SCATTER_1_OUTPUT},
    {"Scatter-11", "example 2", AXIS(1),
     SCATTER_2_DATA, SCATTER_2_INDICES, SCATTER_2_UPDATES, SCATTER_2_OUTPUT},
    {"Scatter-9", "example 1", NO_ATTRIBUTES,
     SCATTER_1_DATA, SCATTER_1_INDICES, SCATTER_1_UPDATES, SCATTER_1_OUTPUT},
    {"Scatter-9", "example 2", AXIS(1),
     SCATTER_2_DATA, SCATTER_2_INDICES, SCATTER_2_UPDATES, SCATTER_2_OUTPUT},

    {"GatherND-8", "example 1, elements", NO_ATTRIBUTES,
     {2, {2, 2}, {1, 2,  3, 4}},
     {2, {2, 2}, {0, 0,  1, 0}},
     NO_UPDATES,
     {1, {2}, {1, 3}}},
    {"GatherND-8", "example 2, slices", NO_ATTRIBUTES,
     {2, {2, 2}, {1, 2,  3, 4}},
     {2, {2, 1}, {1, 0}},
     NO_UPDATES,
     {2, {2, 2}, {3, 4,  1, 2}}},
    {"GatherND-8", "example 3, leading dimensions", NO_ATTRIBUTES,
     {2, {2, 2}, {1, 2,  3, 4}},
     {3, {2, 1, 1}, {1, 0}},
     NO_UPDATES,
     {3, {2, 1, 2}, {3, 4,  1, 2}}},
    {"GatherND-8", "example 4, elements of batches", BATCH_DIMS(1),
     {2, {2, 2}, {1, 2,  3, 4}},
     {2, {2, 1}, {1, 0}},
     NO_UPDATES,
     {1, {2}, {2, 3}}},
    {"GatherND-8", "example 5, slices of batches", BATCH_DIMS(1),
     {3, {2, 3, 4}, {1, 2, 3, 4,  5, 6, 7, 8,  9, 10, 11, 12,
                     13, 14, 15, 16,  17, 18, 19, 20,  21, 22, 23, 24}},
     {2, {2, 1}, {1, 0}},
     NO_UPDATES,
     {2, {2, 4}, {5, 6, 7, 8,  13, 14, 15, 16}}},
    {"GatherND-8", "example 6, two batch dimensions", BATCH_DIMS(2),
     {3, {2, 3, 4}, {1, 2, 3, 4,  5, 6, 7, 8,  9, 10, 11, 12,
                     13, 14, 15, 16,  17, 18, 19, 20,  21, 22, 23, 24}},
     {4, {2, 3, 1, 1}, {1, 0, 2,  0, 2, 2}},
     NO_UPDATES,
     {3, {2, 3, 1}, {2, 5, 11,  13, 19, 23}}},
    {"GatherND-8", "example 7, three batch dimensions", BATCH_DIMS(3),
     {4, {1, 2, 2, 4}, {1, 2, 3, 4,  5, 6, 7, 8,  9, 10, 11, 12,  13, 14, 15, 16}},
     {4, {1, 2, 2, 1}, {1, 0,  3, 2}},
     NO_UPDATES,
     {3, {1, 2, 2}, {2, 5,  12, 15}}},

    GATHERS("Gather-7"),
    GATHERS("Gather-8"),
    {"Gather-1", "example 1", AXIS(0), FIVE, {1, {3}, {0, 0, 4}}, NO_UPDATES, {1, {3}, {1, 1, 5}}},
    {"Gather-8", "example 6, from the end", AXIS_BATCH(0, 0),
     FIVE, {1, {3}, {0, -2, -1}}, NO_UPDATES, {1, {3}, {1, 4, 5}}},
    {"Gather-8", "example 7, outside", AXIS_BATCH(0, 0),
     FIVE, {1, {3}, {3, 10, -20}}, NO_UPDATES, {1, {3}, {4, 0, 0}}},
    ONNX_GATHERS("ONNX:Gather-1"),
    ONNX_GATHERS("Gather-11"),
    ONNX_GATHERS("Gather-13"),
    {"Gather-11", "from the end", NO_ATTRIBUTES,
     {1, {10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {1, {3}, {0, -9, -10}}, NO_UPDATES, {1, {3}, {0, 1, 0}}},
    {"Gather-13", "from the end", NO_ATTRIBUTES,
     {1, {10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, {1, {3}, {0, -9, -10}}, NO_UPDATES, {1, {3}, {0, 1, 0}}},
    {"ScatterUpdate-3", "example 2", AXIS(1),
     {2, {3, 5}, {-1, 1, -1, 3, 4,  -1, 6, -1, 8, 9,  -1, 11, 1, 13, 14}},
     {1, {2}, {0, 2}},
     {2, {3, 2}, {1, 1,  1, 1,  1, 2}},
     {2, {3, 5}, {1, 1, 1, 3, 4,  1, 6, 1, 8, 9,  1, 11, 2, 13, 14}}},
};

/* clang-format on */

const size_t seed_example_count = COUNT(seed_examples);
