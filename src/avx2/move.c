/* The AVX2 moves. */
