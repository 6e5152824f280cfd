/* other_products: for each factor, the product of all other factors of its place. Derivatives of products need
 * it; dividing the full product by the factor would fail for zeros, infinities and NaN, and on overflow. ¶ A
 * factor is a number a, or a polynomial with coefficients a[s] of the products of some of e1, e2, ..., whose
 * squares are 0: bit i of s says whether e(i+1) is among them. So a + b e1 carries a derivative along, and two
 * such e carry second derivatives. Coefficients are float64, or complex128, which is two parts. */
#include "products.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_COEFFICIENTS = 64, MOST_PARTS = 2, MOST_SHARDS = 256, LEAST_SHARD = 32768 };

/* double factors[number][columns][coefficients][parts]; int64_t places[number], one for each row of factors. Those
 * outside [0, count) are skipped. */
typedef struct products {
    strew_tensor factors, places;
    double *result; /* [number][columns][coefficients][parts] */
    double *totals; /* [count][columns][coefficients][parts] */
    int64_t number, count, columns, coefficients, parts, shards;
    int64_t width; /* coefficients * parts of a factor */
    int64_t row;   /* columns * width */
} products;

static int64_t place_of(const products *self, int64_t factor)
{
    return ((const int64_t *)self->places.data)[factor * self->places.strides[0]];
}

static const double *column_of(const products *self, int64_t factor, int64_t column)
{
    const int64_t *const strides = self->factors.strides;
    return (const double *)self->factors.data + (factor * strides[0] + column * strides[1]) * self->parts;
}

static void copy_factor(const products *self, int64_t factor, int64_t column, double *copy)
{
    const double *const first = column_of(self, factor, column);
    for (int64_t s = 0; s < self->coefficients; s++)
        memcpy(copy + s * self->parts, first + s * self->factors.strides[2] * self->parts,
               (size_t)self->parts * sizeof *copy);
}

/* Adds a product of complex numbers. A part of 0 adds nothing, so that 0 times infinity makes no NaN. */
static void add_complex(double *sum, const double *left, const double *right)
{
    sum[0] += left[0] * right[0];
    if (left[1] != 0 && right[1] != 0)
        sum[0] -= left[1] * right[1];
    sum[1] += right[1] != 0 ? left[0] * right[1] : 0;
    sum[1] += left[1] != 0 ? left[1] * right[0] : 0;
}

/* A coefficient of 0 of some of e1, e2, ... counts as absent and is not multiplied. */
static bool is_absent(const products *self, const double *coefficient, int64_t s)
{
    return s != 0 && coefficient[0] == 0 && (self->parts == 1 || coefficient[1] == 0);
}

/* value *= factor. */
static void multiply(const products *self, double *value, const double *factor)
{
    const int64_t parts = self->parts;
    double product[MOST_COEFFICIENTS * MOST_PARTS] = {0};
    for (int64_t s = 0; s < self->coefficients; s++)
        for (int64_t t = s, is_last = 0; !is_last; is_last = t == 0, t = (t - 1) & s) {
            const double *const left = value + t * parts, *const right = factor + (s ^ t) * parts;
            if (is_absent(self, left, t) || is_absent(self, right, s ^ t))
                continue;
            if (parts == 1)
                product[s] += left[0] * right[0];
            else
                add_complex(product + s * parts, left, right);
        }
    memcpy(value, product, (size_t)self->width * sizeof *value);
}

static void multiply_numbers(double *restrict values, const double *restrict factors, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] *= factors[i];
}

/* A row of products or totals times one of totals. */
static void multiply_row(const products *self, double *values, const double *factors)
{
    if (self->width == 1)
        multiply_numbers(values, factors, self->columns);
    else
        for (int64_t i = 0; i < self->row; i += self->width)
            multiply(self, values + i, factors + i);
}

/* A row of totals times one of factors, which may have any strides. */
static void multiply_factors(const products *self, double *total, int64_t factor)
{
    if (self->width == 1 && self->factors.strides[1] == 1) {
        multiply_numbers(total, column_of(self, factor, 0), self->columns);
        return;
    }
    double copy[MOST_COEFFICIENTS * MOST_PARTS];
    for (int64_t column = 0; column < self->columns; column++) {
        copy_factor(self, factor, column, copy);
        multiply(self, total + column * self->width, copy);
    }
}

static void set_to_one(const products *self, int64_t begin, int64_t end)
{
    double *const totals = self->totals + begin * self->row;
    const int64_t size = (end - begin) * self->row;
    memset(totals, 0, (size_t)size * sizeof *totals);
    for (int64_t i = 0; i < size; i += self->width)
        totals[i] = 1;
}

/* The places of one shard: the products of the factors before each one, and then those of the factors after it. */
static void multiply_shard(void *context, size_t shard)
{
    const products *const self = context;
    const int64_t begin = self->count * (int64_t)shard / self->shards;
    const int64_t end = self->count * ((int64_t)shard + 1) / self->shards;
    const size_t bytes = (size_t)self->row * sizeof(double);
    set_to_one(self, begin, end);
    for (int64_t i = 0; i < self->number; i++) {
        const int64_t place = place_of(self, i);
        if (shard == 0 && (place < 0 || place >= self->count))
            memset(self->result + i * self->row, 0, bytes);
        if (place < begin || place >= end)
            continue;
        double *const total = self->totals + place * self->row;
        memcpy(self->result + i * self->row, total, bytes);
        multiply_factors(self, total, i);
    }
    set_to_one(self, begin, end);
    for (int64_t i = self->number - 1; i >= 0; i--) {
        const int64_t place = place_of(self, i);
        if (place < begin || place >= end)
            continue;
        double *const total = self->totals + place * self->row;
        multiply_row(self, self->result + i * self->row, total);
        multiply_factors(self, total, i);
    }
}

static void multiply_all(products *self)
{
    const strew_parallel parallel = strew_torch_parallel();
    const int64_t enough = self->number * self->row / LEAST_SHARD;
    const int64_t most = enough < MOST_SHARDS ? enough : MOST_SHARDS;
    self->shards = most < (int64_t)parallel.threads ? most : (int64_t)parallel.threads;
    if (self->shards > 1) {
        parallel.run(parallel.pool, multiply_shard, self, (size_t)self->shards);
        return;
    }
    self->shards = 1;
    multiply_shard(self, 0);
}

/* Views the operands; returns NULL or an error message. */
static const char *view_operands(products *self, AtenTensorHandle factors, AtenTensorHandle places)
{
    if (!strew_torch_view(factors, &self->factors) || !strew_torch_view(places, &self->places))
        return "factors and places must be dense tensors of the CPU";
    const bool is_complex = self->factors.dtype == STREW_DTYPE_COMPLEX128;
    if ((!is_complex && self->factors.dtype != STREW_DTYPE_FLOAT64) || self->places.dtype != STREW_DTYPE_INT64)
        return "factors must be float64 or complex128, places int64";
    if (self->factors.rank != 3 || self->places.rank != 1 || self->factors.shape[0] != self->places.shape[0])
        return "factors must have the shape (n, columns, coefficients), places the shape (n,)";
    self->number = self->factors.shape[0];
    self->columns = self->factors.shape[1];
    self->coefficients = self->factors.shape[2];
    self->parts = is_complex ? 2 : 1;
    if (self->coefficients < 1 || self->coefficients > MOST_COEFFICIENTS ||
        (self->coefficients & (self->coefficients - 1)))
        return "the coefficients of a factor must be a power of two, at most 64: derivatives end with the seventh";
    self->width = self->coefficients * self->parts;
    self->row = self->columns * self->width;
    return self->count < 0 ? "count must be at least 0" : NULL;
}

/* Makes the result and fills it; returns NULL or an error message. */
static const char *compute(products *self, AtenTensorHandle factors, AtenTensorHandle places,
                           AtenTensorHandle *result)
{
    const char *const wrong = view_operands(self, factors, places);
    if (wrong)
        return wrong;
    const char *const no_memory = "there is no memory for the result";
    if (self->row > 0 && self->count >= PTRDIFF_MAX / (int64_t)sizeof(double) / self->row)
        return no_memory;
    int32_t dtype;
    strew_tensor view;
    if (pytorch.aoti_torch_get_dtype(factors, &dtype))
        return no_memory;
    *result = strew_torch_empty(3, self->factors.shape, dtype);
    self->totals = malloc((size_t)(self->count * self->row + 1) * sizeof(double));
    if (!*result || !self->totals || !strew_torch_view_mutable(*result, &view))
        return no_memory;
    self->result = view.data;
    if (self->row > 0)
        multiply_all(self);
    return NULL;
}

const char *const strew_torch_other_products_schema =
    "other_products(Tensor factors, Tensor places, SymInt count) -> Tensor";

void strew_torch_other_products(StableIValue *stack, uint64_t arguments, uint64_t outputs)
{
    (void)arguments;
    (void)outputs;
    products self = {.count = (int64_t)stack[2]};
    const AtenTensorHandle factors = strew_torch_tensor(stack[0]), places = strew_torch_tensor(stack[1]);
    AtenTensorHandle result = NULL;
    const char *const wrong = compute(&self, factors, places, &result);
    free(self.totals);
    pytorch.aoti_torch_delete_tensor_object(factors);
    pytorch.aoti_torch_delete_tensor_object(places);
    if (!wrong) {
        stack[0] = strew_torch_result(result);
        return;
    }
    if (result)
        pytorch.aoti_torch_delete_tensor_object(result);
    strew_torch_raise(STREW_TORCH_VALUE_ERROR, wrong);
}
