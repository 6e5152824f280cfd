/* The AVX2 resolving. */
