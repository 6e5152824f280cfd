/*
 * PyTorch and XLA take every large output anew from the system, and its page faults, with small pages, take longer
 * than a gather. NumPy asks for huge pages when it allocates; this file asks for them before the first write.
 */
#ifdef __linux__
#define _DEFAULT_SOURCE
#endif
#include "shared/pages.h"

#include <stdint.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

/* The allocator keeps memory for smaller tensors. */
#define LEAST_SIZE ((size_t)4 << 20)
#define HUGE_PAGE ((uintptr_t)2 << 20)

void prefer_huge_pages(void *memory, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size < LEAST_SIZE)
        return;
    uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(HUGE_PAGE - 1);
    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}
