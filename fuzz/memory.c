#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "tensor.h"

/* There may be more elements than bytes, if they share a place. */
static const int64_t most_bytes = 1 << 16, most_elements = 1 << 17;

/* Finds the extent of the operand, in bytes from its first element; false if it has too many bytes or elements.
 * Packed elements count as a byte each. */
static bool find_reach(fuzz_operand *operand)
{
    const size_t bytes = element_size(operand->view.dtype);
    const int64_t element = bytes > 0 ? (int64_t)bytes : 1;
    int64_t step = 1;
    operand->low = operand->high = 0;
    if (!operand->is_given || operand->view.rank < 0 || operand->view.rank > STREW_MAX_RANK || element > most_bytes)
        return !operand->is_given;
    for (int32_t d = 0; d < operand->view.rank; d++)
        if (operand->shape[d] <= 0)
            return true;
    operand->high = element;
    for (int32_t d = operand->view.rank; d-- > 0;) {
        const int64_t size = operand->shape[d], stride = operand->has_strides ? operand->strides[d] : step;
        int64_t distance;
        if (__builtin_mul_overflow(stride, size - 1, &distance) ||
            __builtin_mul_overflow(distance, element, &distance) || distance < -most_bytes ||
            distance > most_bytes || size > most_bytes || step > most_bytes)
            return false;
        *(distance < 0 ? &operand->low : &operand->high) += distance;
        step *= size;
    }
    return operand->high - operand->low <= most_bytes && step <= most_elements;
}

/* Into the memory of another operand, so that they may share some of it. */
static void place_in(fuzz_call *self, fuzz_operand *operand, size_t block, int64_t begin, fuzz_memory *memory)
{
    int64_t end = begin + operand->high;
    const int64_t before = begin + operand->low < 0 ? -(begin + operand->low) : 0;
    operand->block = block;
    operand->begin = begin;
    for (size_t o = 0; o < FUZZ_OPERANDS && before > 0; o++)
        if (self->operand[o].block == block)
            self->operand[o].begin += before;
    end += before;
    memory->size[block] += (size_t)before;
    if (end > (int64_t)memory->size[block])
        memory->size[block] = (size_t)end;
}

bool fuzz_call_lay_out(fuzz_call *self, input *bytes, fuzz_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    for (size_t o = 0; o < FUZZ_OPERANDS; o++) {
        fuzz_operand *operand = &self->operand[o];
        const int64_t front = input_between(bytes, 0, 3); /* so that no operand is aligned */
        if (!find_reach(operand))
            return false;
        operand->block = o;
        operand->begin = front - operand->low;
        memory->size[o] = (size_t)(front + operand->high - operand->low);
    }
    fuzz_operand *output = &self->operand[OPERAND_OUTPUT];
    const fuzz_operand *data = &self->operand[OPERAND_DATA];
    if (self->in_place) {
        memory->size[OPERAND_OUTPUT] = 0;
        place_in(self, output, OPERAND_DATA, data->begin, memory);
    } else if (input_rarely(bytes, 8)) {
        const size_t other = input_below(bytes, FUZZ_OPERANDS);
        memory->size[OPERAND_OUTPUT] = 0;
        place_in(self, output, other, self->operand[other].begin + input_between(bytes, -40, 40), memory);
    }
    return true;
}

static void fill_bytes(unsigned char *bytes, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (unsigned char)(seed >> 56);
    }
}

/* The number of drawn numbers; a longer list repeats them. */
enum { DRAWN = 128 };

/* How the numbers of a list are made: each by itself, or as the number before it plus a difference. */
typedef struct list_numbers {
    bool ascends;
    int64_t stretch_begin, stretch_end; /* in a long list, a stretch of one number */
    uint64_t stretch_number;
    uint64_t number[DRAWN]; /* in a signed dtype, its bits */
    bool is_step[DRAWN];
} list_numbers;

static void draw_number(list_numbers *numbers, int64_t place, input *bytes)
{
    const bool is_any = input_rarely(bytes, 48);
    numbers->is_step[place] = numbers->ascends && !is_any;
    numbers->number[place] = is_any             ? (uint64_t)input_number(bytes)
                             : numbers->ascends ? input_below(bytes, 2)
                                                : (uint64_t)input_between(bytes, -1, 3);
}

static void draw_numbers(list_numbers *numbers, int64_t count, input *bytes)
{
    for (int64_t i = 0; i < count && i < DRAWN; i++)
        draw_number(numbers, i, bytes);
    numbers->stretch_begin = numbers->stretch_end = count;
    if (count <= DRAWN || input_rarely(bytes, 2))
        return;
    numbers->stretch_begin = input_between(bytes, 0, count - 1);
    numbers->stretch_end = input_rarely(bytes, 2) ? count : input_between(bytes, numbers->stretch_begin, count);
    numbers->stretch_number = (uint64_t)(input_rarely(bytes, 2) ? INT8_MAX : input_number(bytes));
}

/* Numbers that may be valid indices, ascending or in any order. */
static void fill_list(const fuzz_operand *operand, unsigned char *block, input *bytes)
{
    static list_numbers numbers;
    const strew_dtype dtype = operand->view.dtype;
    int64_t position[STREW_MAX_RANK], place = 0;
    uint64_t last = 0;
    strew_tensor view = operand->view;
    numbers.ascends = input_rarely(bytes, 2);
    view.data = block + operand->begin;
    view.shape = operand->shape;
    view.strides = operand->has_strides ? operand->strides : NULL;
    if (!operand->is_given || !element_is_integer(dtype) || operand->high == operand->low)
        return;
    draw_numbers(&numbers, shape_count(view.shape, view.rank), bytes);
    for (bool more = position_first(position, &view); more; more = position_next(position, &view), place++) {
        const uint64_t number = numbers.number[place % DRAWN];
        const bool in_stretch = place >= numbers.stretch_begin && place < numbers.stretch_end;
        last = numbers.is_step[place % DRAWN] ? last + number : number;
        element_store_integer(dtype, in_stretch ? numbers.stretch_number : last, tensor_element(&view, position));
    }
}

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void fuzz_memory_create(fuzz_memory *memory, const fuzz_call *call, input *bytes)
{
    static const size_t lists[] = {OPERAND_INDICES, OPERAND_SEGMENTS};
    const uint64_t seed = input_bits(bytes, 2);
    for (size_t b = 0; b < FUZZ_OPERANDS; b++) {
        memory->block[b] = allocate(memory->size[b]);
        fill_bytes(memory->block[b], memory->size[b], seed + b);
    }
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        fill_list(&call->operand[lists[l]], memory->block[call->operand[lists[l]].block], bytes);
}

void fuzz_memory_clone(fuzz_memory *copy, const fuzz_memory *memory)
{
    *copy = *memory;
    for (size_t b = 0; b < FUZZ_OPERANDS; b++) {
        copy->block[b] = allocate(memory->size[b]);
        memcpy(copy->block[b], memory->block[b], memory->size[b]);
    }
}

void fuzz_memory_destroy(fuzz_memory *memory)
{
    for (size_t b = 0; b < FUZZ_OPERANDS; b++)
        free(memory->block[b]);
}

bool fuzz_memory_same(const fuzz_memory *memory, const fuzz_memory *other)
{
    for (size_t b = 0; b < FUZZ_OPERANDS; b++)
        if (memcmp(memory->block[b], other->block[b], memory->size[b]) != 0)
            return false;
    return true;
}

void fuzz_call_attach(fuzz_call *self, const fuzz_memory *memory)
{
    const strew_tensor *given[FUZZ_OPERANDS];
    for (size_t o = 0; o < FUZZ_OPERANDS; o++) {
        fuzz_operand *operand = &self->operand[o];
        operand->view.data = memory ? memory->block[operand->block] + operand->begin : NULL;
        operand->view.shape = operand->shape;
        operand->view.strides = operand->has_strides ? operand->strides : NULL;
        given[o] = operand->is_given ? &operand->view : NULL;
    }
    self->slice.starts = self->starts;
    self->slice.stops = self->stops;
    self->slice.steps = self->steps;
    self->slice.axes = self->slice.axes ? self->axes : NULL;
    self->call.slice = &self->slice;
    self->call.fill = self->has_fill ? self->fill : NULL;
    self->call.data = given[OPERAND_DATA];
    self->call.indices = given[OPERAND_INDICES];
    self->call.updates = given[OPERAND_UPDATES];
    self->call.output = self->in_place ? given[OPERAND_DATA] : given[OPERAND_OUTPUT];
    self->call.segments = given[OPERAND_SEGMENTS];
    self->call.weights = given[OPERAND_WEIGHTS];
}
