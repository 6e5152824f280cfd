/* Strides instead of copies, elements of any size, and strings. */
#include <stdio.h>
#include <strew/strew.h>

/* Columns of a row-major matrix are rows of its transpose, which is a view with its strides exchanged. */
static strew_status gather_columns(void)
{
    float matrix[2][3] = {{1, 2, 3}, {4, 5, 6}}, columns[2][2];
    int64_t picks[2] = {2, 0};
    const strew_tensor transposed = {matrix, STREW_DTYPE_FLOAT32, 2, (int64_t[]){3, 2}, (int64_t[]){1, 3}};
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor output = {columns, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 2}, NULL};
    const strew_status status = strew_gather_nd(&transposed, &indices, 0, &output, NULL);
    printf("columns: %g %g, %g %g\n", columns[0][0], columns[0][1], columns[1][0], columns[1][1]);
    return status;
}

/* One index for each row, expanded along the row by a stride of 0, as PyTorch's expand() writes it. */
static strew_status add_rows(void)
{
    float table[3][2] = {{0, 0}, {0, 0}, {0, 0}}, rows[2][2] = {{1, 2}, {3, 4}};
    int64_t places[2] = {2, 2};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){3, 2}, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 2, (int64_t[]){2, 2}, (int64_t[]){1, 0}};
    const strew_tensor updates = {rows, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 2}, NULL};
    const strew_status status =
        strew_scatter_elements(&data, &indices, &updates, 0, STREW_REDUCTION_SUM, true, &data, NULL);
    printf("row 2: %g %g\n", table[2][0], table[2][1]);
    return status;
}

/* Moves pixels of three bytes. */
static strew_status gather_pixels(void)
{
    unsigned char image[3][3] = {{255, 0, 0}, {0, 128, 0}, {0, 0, 64}}, picked[2][3];
    int64_t picks[2] = {2, 1};
    const strew_dtype pixel = STREW_DTYPE_OPAQUE(3);
    const strew_tensor data = {image, pixel, 1, (int64_t[]){3}, NULL};
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 1, (int64_t[]){2}, NULL};
    const strew_tensor output = {picked, pixel, 1, (int64_t[]){2}, NULL};
    const strew_status status = strew_gather_elements(&data, &indices, 0, &output, NULL);
    printf("pixels: %d %d %d, %d %d %d\n", picked[0][0], picked[0][1], picked[0][2], picked[1][0], picked[1][1],
           picked[1][2]);
    return status;
}

/* Rows of four elements of 4 bits, 1 2 3 4 and so on, which take two bytes. */
static strew_status gather_weights(void)
{
    unsigned char weights[3][2] = {{0x21, 0x43}, {0x65, 0x87}, {0xa9, 0xcb}}, picked[2][2];
    int64_t picks[2] = {2, 0};
    const strew_tensor data = {weights, STREW_DTYPE_UINT4, 2, (int64_t[]){3, 4}, NULL};
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor output = {picked, STREW_DTYPE_UINT4, 2, (int64_t[]){2, 4}, NULL};
    const strew_status status = strew_gather_nd(&data, &indices, 0, &output, NULL);
    printf("weights: %02x %02x, %02x %02x\n", picked[0][0], picked[0][1], picked[1][0], picked[1][1]);
    return status;
}

/* strew moves the view of a string, a pointer and a size. The bytes stay where they are and belong to their owner.
 */
static strew_status gather_words(void)
{
    strew_string words[3] = {{"sow", 3}, {"reap", 4}, {"strew", 5}}, picked[1];
    int64_t picks[1] = {-1};
    const strew_tensor data = {words, STREW_DTYPE_STRING, 1, (int64_t[]){3}, NULL};
    const strew_tensor indices = {picks, STREW_DTYPE_INT64, 1, (int64_t[]){1}, NULL};
    const strew_tensor output = {picked, STREW_DTYPE_STRING, 1, (int64_t[]){1}, NULL};
    const strew_status status = strew_gather_elements(&data, &indices, 0, &output, NULL);
    printf("word: %.*s\n", (int)picked[0].size, picked[0].data);
    return status;
}

int main(void)
{
    return gather_columns() || add_rows() || gather_pixels() || gather_weights() || gather_words();
}
