/* The distribution of rows: each to one rank, in order, for any number of ranks and rows. Needs no other rank. */
#include "harness.h"

static void check_dealt(int64_t rows, int64_t block, int ranks)
{
    int64_t total = 0;
    for (int rank = 0; rank < ranks; rank++) {
        const int64_t local = strew_mpi_local_rows(rows, block, ranks, rank);
        int64_t before = -1;
        CHECK(local >= 0);
        total += local;
        for (int64_t i = 0; i < local; i++) {
            const int64_t row = strew_mpi_global_row(rows, block, ranks, rank, i);
            int64_t found;
            int owner;
            CHECK(row > before && row < rows);
            strew_mpi_find_row(rows, block, ranks, row, &owner, &found);
            CHECK(owner == rank && found == i);
            before = row;
        }
    }
    CHECK(total == rows);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    for (int ranks = 1; ranks <= 9; ranks++)
        for (int64_t rows = 0; rows <= 30; rows++)
            for (int64_t block = 0; block <= rows + 3; block++)
                check_dealt(rows, block, ranks);

    CHECK(strew_mpi_block(0, 4) == 1 && strew_mpi_block(8, 4) == 2 && strew_mpi_block(9, 4) == 3);
    CHECK(strew_mpi_local_rows(10, 0, 4, 0) == 3 && strew_mpi_local_rows(10, 0, 4, 3) == 1); /* blocks */
    CHECK(strew_mpi_local_rows(5, 0, 4, 3) == 0);
    CHECK(strew_mpi_global_row(10, 1, 4, 3, 1) == 7); /* cyclic */

    const int64_t many = INT64_MAX - 1; /* nothing overflows */
    int64_t total = 0, local;
    int owner;
    for (int rank = 0; rank < 7; rank++)
        total += strew_mpi_local_rows(many, INT64_MAX / 3, 7, rank);
    CHECK(total == many);
    CHECK(strew_mpi_local_rows(many, INT64_MAX, 7, 0) == many && strew_mpi_local_rows(many, INT64_MAX, 7, 1) == 0);
    strew_mpi_find_row(many, 0, 7, many - 1, &owner, &local);
    CHECK(owner == 6 && strew_mpi_global_row(many, 0, 7, owner, local) == many - 1);
    return test_end("every row has one place");
}
