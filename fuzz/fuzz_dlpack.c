/*
 * Fuzzes strew/dlpack.h: strew's tensor says the same as a DLTensor, or it is refused and nothing is written; and a
 * call of converted tensors is the same call.
 */
#include <strew/dlpack.h>

#include <string.h>

#include "outcome.h"
#include "ways.h"

/* Mostly an existing type with its number of bits, on a CPU. */
static DLTensor some_dltensor(input *bytes, int64_t shape[STREW_MAX_RANK], int64_t strides[STREW_MAX_RANK])
{
    static const uint8_t bits[] = {8, 16, 32, 64, 128, 4};
    DLTensor tensor = {.data = input_rarely(bytes, 4) ? NULL : shape, .shape = shape};
    tensor.device.device_type = (DLDeviceType)(input_rarely(bytes, 8) ? input_below(bytes, 20) : kDLCPU);
    tensor.device.device_id = (int32_t)input_number(bytes);
    tensor.dtype.code = (uint8_t)(input_rarely(bytes, 8) ? input_bits(bytes, 1) : input_below(bytes, 16));
    tensor.dtype.bits =
        input_rarely(bytes, 8) ? (uint8_t)input_bits(bytes, 1) : bits[input_below(bytes, sizeof bits)];
    tensor.dtype.lanes = (uint16_t)(input_rarely(bytes, 8) ? input_bits(bytes, 2) : 1);
    tensor.ndim = (int32_t)(input_rarely(bytes, 8) ? input_number(bytes) : input_between(bytes, 0, 4));
    tensor.strides = input_rarely(bytes, 2) ? strides : NULL;
    tensor.byte_offset = input_below(bytes, 16);
    for (int32_t d = 0; d < STREW_MAX_RANK; d++) {
        shape[d] = input_number(bytes);
        strides[d] = input_number(bytes);
    }
    return tensor;
}

/* The expected pointer: a tensor without memory has none, whatever the offset. */
static const void *place_of(const DLTensor *tensor)
{
    return tensor->data ? (const char *)tensor->data + tensor->byte_offset : NULL;
}

static void fuzz_dltensor(input *bytes)
{
    static const strew_tensor untouched = {.rank = -7};
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
    const DLTensor source = some_dltensor(bytes, shape, strides);
    strew_tensor tensor = untouched;
    if (!strew_tensor_from_dlpack(&source, &tensor)) {
        fuzz_require(tensor.rank == untouched.rank && !tensor.data && !tensor.shape && !tensor.strides,
                     "what was refused was written", NULL);
        return;
    }
    fuzz_require(source.device.device_type == kDLCPU && source.dtype.lanes == 1, "no memory of a CPU's", NULL);
    fuzz_require(strew_dtype_size(tensor.dtype) * 8 == source.dtype.bits, "elements of another size", NULL);
    fuzz_require(tensor.data == place_of(&source) && tensor.rank == source.ndim && tensor.shape == source.shape &&
                     tensor.strides == source.strides,
                 "the tensor is another one", NULL);
    DLTensor back;
    fuzz_require(strew_tensor_to_dlpack(&tensor, &back), "no way back", NULL);
    fuzz_require(back.dtype.code == source.dtype.code && back.dtype.bits == source.dtype.bits &&
                     place_of(&back) == place_of(&source),
                 "another one comes back", NULL);
}

/* Converts there and back, with a byte_offset taken from the pointer. Keeps the tensor if DLPack has no such
 * dtype. */
static void take_round(const strew_tensor **tensor, strew_tensor *copy, uint64_t offset)
{
    DLTensor between;
    if (!*tensor || !strew_tensor_to_dlpack(*tensor, &between))
        return;
    if (between.data) {
        between.data = (char *)between.data - offset;
        between.byte_offset = offset;
    }
    fuzz_require(strew_tensor_from_dlpack(&between, copy), "no way back", NULL);
    *tensor = copy;
}

static void fuzz_call_of_rounds(const fuzz_call *call, const fuzz_memory *memory, input *bytes)
{
    static outcome found;
    strew_tensor copies[5];
    strew_options options = STREW_OPTIONS_INIT;
    outcome_begin(&found, call, memory);
    options.error = &found.error;
    operator_call *rounds = &found.call.call;
    const bool in_place = rounds->output == rounds->data;
    const strew_tensor **const tensors[] = {&rounds->data, &rounds->indices, &rounds->updates, &rounds->segments,
                                            &rounds->weights};
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++)
        take_round(tensors[t], &copies[t], input_below(bytes, 2) * call->operand[t].block);
    if (in_place)
        rounds->output = rounds->data;
    found.status = fuzz_call_run(&found.call, BY_ONE_CALL, LEAST_SCRATCH, &options);
    outcome_check(&found, call, memory);
    outcome_end(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_call call;
    input left = {bytes, size};
    fuzz_memory memory;
    fuzz_dltensor(&left);
    fuzz_call_describe(&call, &left);
    fuzz_call_tune(&call);
    if (!fuzz_call_lay_out(&call, &left, &memory))
        return 0;
    fuzz_memory_create(&memory, &call, &left);
    fuzz_call_attach(&call, &memory);
    fuzz_call_of_rounds(&call, &memory, &left);
    fuzz_memory_destroy(&memory);
    return 0;
}
