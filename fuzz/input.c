#include "input.h"

uint64_t input_bits(input *self, size_t bytes)
{
    uint64_t bits = 0;
    for (; bytes > 0 && self->left > 0; bytes--, self->left--)
        bits = bits << 8 | *self->bytes++;
    return bits;
}

uint64_t input_below(input *self, uint64_t limit)
{
    return input_bits(self, limit <= 256 ? 1 : 8) % limit;
}

int64_t input_between(input *self, int64_t low, int64_t high)
{
    return low + (int64_t)input_below(self, (uint64_t)(high - low) + 1);
}

bool input_rarely(input *self, unsigned once_in)
{
    return input_below(self, once_in) == once_in - 1;
}

int64_t input_number(input *self)
{
    static const int64_t ends[] = {INT8_MAX,  INT8_MIN,  UINT8_MAX,  INT16_MAX, INT16_MIN, UINT16_MAX,
                                   INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN};
    const uint64_t kind = input_below(self, 32);
    if (kind < 28)
        return input_between(self, -6, 6);
    return kind < 31 ? ends[input_below(self, sizeof ends / sizeof *ends)] : (int64_t)input_bits(self, 8);
}
