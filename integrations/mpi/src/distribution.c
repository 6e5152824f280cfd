/* The distribution of rows over ranks, in blocks. */
#include "internal.h"

int64_t strew_mpi_clamp_block(int64_t rows, int64_t block, int ranks)
{
    if (block <= 0)
        return strew_mpi_block(rows, ranks);
    return rows > 0 && block > rows ? rows : block;
}

int64_t strew_mpi_block(int64_t rows, int ranks)
{
    return rows <= 0 ? 1 : rows / ranks + (rows % ranks != 0);
}

int64_t strew_mpi_local_rows(int64_t rows, int64_t block, int ranks, int rank)
{
    if (rows <= 0)
        return 0;
    block = strew_mpi_clamp_block(rows, block, ranks);
    const int64_t blocks = rows / block + (rows % block != 0);
    const int64_t mine = blocks / ranks + (rank < blocks % ranks);
    const bool has_last = rank == (blocks - 1) % ranks;
    return has_last ? (mine - 1) * block + (rows - (blocks - 1) * block) : mine * block;
}

int64_t strew_mpi_global_row(int64_t rows, int64_t block, int ranks, int rank, int64_t local)
{
    block = strew_mpi_clamp_block(rows, block, ranks);
    return (local / block * ranks + rank) * block + local % block;
}

void strew_mpi_find_row(int64_t rows, int64_t block, int ranks, int64_t row, int *rank, int64_t *local)
{
    block = strew_mpi_clamp_block(rows, block, ranks);
    const int64_t number = row / block, turn = number / ranks;
    *rank = (int)(number - turn * ranks);
    *local = turn * block + (row - number * block);
}
