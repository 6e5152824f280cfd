/* The part of DLPack's exchange interface that is used here: PyTorch (since 2.10) lends the memory of a Python
 * tensor by it. It is declared instead of included; tests/torch/test_stable.py compiles it beside PyTorch's own
 * header. */
#ifndef STREW_TORCH_EXCHANGE_H
#define STREW_TORCH_EXCHANGE_H

#include <stdint.h>

enum { EXCHANGE_MAJOR = 1, EXCHANGE_CPU = 1 };

typedef struct exchange_tensor { /* DLTensor */
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} exchange_tensor;

typedef struct exchange_interface { /* DLPackExchangeAPI */
    uint32_t major, minor;
    struct exchange_interface *older;
    void *allocate, *from_object, *to_object;
    int (*borrow)(void *object, exchange_tensor *tensor);
    void *current_stream;
} exchange_interface;

#endif
