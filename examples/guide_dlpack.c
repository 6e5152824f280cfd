/* Tensors that arrive as DLPack's. */
#include <stdio.h>
#include <strew/dlpack.h>

static strew_status gather(const DLTensor *data, const DLTensor *indices, const DLTensor *output)
{
    strew_tensor views[3];
    if (!strew_tensor_from_dlpack(data, &views[0]) || !strew_tensor_from_dlpack(indices, &views[1]) ||
        !strew_tensor_from_dlpack(output, &views[2]))
        return STREW_STATUS_UNSUPPORTED_DTYPE; /* or of another device */
    return strew_gather_nd(&views[0], &views[1], 0, &views[2], NULL);
}

int main(void)
{
    double table[3][2] = {{1, 2}, {3, 4}, {5, 6}}, row[1][2];
    int64_t place[1][1] = {{1}};
    const DLDataType number = {kDLFloat, 64, 1}, integer = {kDLInt, 64, 1};
    DLTensor data = {.data = table, .device = {kDLCPU, 0}, .ndim = 2, .dtype = number};
    DLTensor indices = {.data = place, .device = {kDLCPU, 0}, .ndim = 2, .dtype = integer};
    DLTensor output = {.data = row, .device = {kDLCPU, 0}, .ndim = 2, .dtype = number};
    data.shape = (int64_t[]){3, 2};
    indices.shape = (int64_t[]){1, 1};
    output.shape = (int64_t[]){1, 2};
    if (gather(&data, &indices, &output) != STREW_STATUS_OK)
        return 1;
    printf("%g %g\n", row[0][0], row[0][1]);
    return 0;
}
