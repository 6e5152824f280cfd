/* other_products: for each factor the product of all others of its place. It is what the derivatives of a product
 * are made of; a division by the factor would fail for zeros, infinite numbers and NaN, and where the product
 * overflows.
 *
 * A factor is a number a, or a polynomial with coefficients a[s] of the products of some of e1, e2, ..., whose
 * squares are 0: bit i of s says whether e(i+1) is among them. So a + b e1 carries a derivative along, and two of
 * them second derivatives. Coefficients are float64, or complex128, which is two parts. */
#include "products.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_COEFFICIENTS = 64, MOST_PARTS = 2, MOST_SHARDS = 256, LEAST_SHARD = 32768 };

/* double factors[number][coefficients][parts]; int64_t places[number], of which those outside [0, count) are
 * skipped. */
typedef struct products {
    strew_tensor factors, places;
    double *result; /* [number][width] */
    double *totals; /* [count][width] */
    int64_t number, count, width, coefficients, parts, shards;
} products;

static int64_t place_of(const products *self, int64_t factor)
{
    return ((const int64_t *)self->places.data)[factor * self->places.strides[0]];
}

static const double *factor_of(const products *self, int64_t factor, double *copy)
{
    const double *const first =
        (const double *)self->factors.data + factor * self->factors.strides[0] * self->parts;
    for (int64_t s = 0; s < self->coefficients; s++)
        memcpy(copy + s * self->parts, first + s * self->factors.strides[1] * self->parts,
               (size_t)self->parts * sizeof *copy);
    return copy;
}

/* Adds a product of numbers. A part of 0 adds nothing, so that what is infinite stays apart from it. */
static void add_complex(double *sum, const double *left, const double *right)
{
    sum[0] += left[0] * right[0];
    if (left[1] != 0 && right[1] != 0)
        sum[0] -= left[1] * right[1];
    sum[1] += right[1] != 0 ? left[0] * right[1] : 0;
    sum[1] += left[1] != 0 ? left[1] * right[0] : 0;
}

/* A coefficient of some of e1, e2, ... that is 0 is not there: nothing is multiplied by it. */
static bool is_absent(const products *self, const double *coefficient, int64_t s)
{
    return s != 0 && coefficient[0] == 0 && (self->parts == 1 || coefficient[1] == 0);
}

/* value *= factor. */
static void multiply(const products *self, double *value, const double *factor)
{
    if (self->width == 1) {
        value[0] *= factor[0];
        return;
    }
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

static void set_to_one(const products *self, int64_t begin, int64_t end)
{
    memset(self->totals + begin * self->width, 0, (size_t)((end - begin) * self->width) * sizeof *self->totals);
    for (int64_t place = begin; place < end; place++)
        self->totals[place * self->width] = 1;
}

/* The places of one shard: the products of the factors before each one, and then those of the factors after it. */
static void multiply_shard(void *context, size_t shard)
{
    const products *const self = context;
    const int64_t begin = self->count * (int64_t)shard / self->shards;
    const int64_t size = self->count * ((int64_t)shard + 1) / self->shards - begin;
    const size_t bytes = (size_t)self->width * sizeof(double);
    double copy[MOST_COEFFICIENTS * MOST_PARTS];
    set_to_one(self, begin, begin + size);
    for (int64_t i = 0; i < self->number; i++) {
        const int64_t place = place_of(self, i);
        if (shard == 0 && (place < 0 || place >= self->count))
            memset(self->result + i * self->width, 0, bytes);
        if (place < begin || place - begin >= size)
            continue;
        double *const total = self->totals + place * self->width;
        memcpy(self->result + i * self->width, total, bytes);
        multiply(self, total, factor_of(self, i, copy));
    }
    set_to_one(self, begin, begin + size);
    for (int64_t i = self->number - 1; i >= 0; i--) {
        const int64_t place = place_of(self, i);
        if (place < begin || place - begin >= size)
            continue;
        double *const total = self->totals + place * self->width;
        multiply(self, self->result + i * self->width, total);
        multiply(self, total, factor_of(self, i, copy));
    }
}

static void multiply_all(products *self)
{
    const strew_parallel parallel = strew_torch_parallel();
    const int64_t most = self->number / LEAST_SHARD < MOST_SHARDS ? self->number / LEAST_SHARD : MOST_SHARDS;
    self->shards = most < (int64_t)parallel.threads ? most : (int64_t)parallel.threads;
    if (self->shards > 1) {
        parallel.run(parallel.pool, multiply_shard, self, (size_t)self->shards);
        return;
    }
    self->shards = 1;
    multiply_shard(self, 0);
}

/* Views the operands; NULL, or what is wrong with them. */
static const char *view_operands(products *self, AtenTensorHandle factors, AtenTensorHandle places)
{
    if (!strew_torch_view(factors, &self->factors) || !strew_torch_view(places, &self->places))
        return "factors and places must be dense tensors of the CPU";
    const bool is_complex = self->factors.dtype == STREW_DTYPE_COMPLEX128;
    if ((!is_complex && self->factors.dtype != STREW_DTYPE_FLOAT64) || self->places.dtype != STREW_DTYPE_INT64)
        return "factors must be float64 or complex128, places int64";
    if (self->factors.rank != 2 || self->places.rank != 1 || self->factors.shape[0] != self->places.shape[0])
        return "factors must have the shape (n, coefficients), places the shape (n,)";
    self->number = self->factors.shape[0];
    self->coefficients = self->factors.shape[1];
    self->parts = is_complex ? 2 : 1;
    self->width = self->coefficients * self->parts;
    if (self->coefficients < 1 || self->coefficients > MOST_COEFFICIENTS ||
        (self->coefficients & (self->coefficients - 1)))
        return "the coefficients of a factor must be a power of two, at most 64: derivatives end with the sixth";
    return self->count < 0 ? "count must be at least 0" : NULL;
}

/* Makes the result and fills it; NULL, or what is wrong. */
static const char *compute(products *self, AtenTensorHandle factors, AtenTensorHandle places,
                           AtenTensorHandle *result)
{
    const char *const wrong = view_operands(self, factors, places);
    if (wrong)
        return wrong;
    const char *const no_memory = "there is no memory for the result";
    const size_t most = SIZE_MAX / sizeof(double) / (size_t)self->width - 1;
    if ((uint64_t)self->count > most)
        return no_memory;
    int32_t dtype;
    strew_tensor view;
    if (pytorch.aoti_torch_get_dtype(factors, &dtype))
        return no_memory;
    *result = strew_torch_empty(2, self->factors.shape, dtype);
    self->totals = malloc((size_t)(self->count * self->width + 1) * sizeof(double));
    if (!*result || !self->totals || !strew_torch_view_mutable(*result, &view))
        return no_memory;
    self->result = view.data;
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
