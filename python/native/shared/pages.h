/* How the system backs a large output with memory. */
#ifndef STREW_PYTHON_PAGES_H
#define STREW_PYTHON_PAGES_H

#include <stddef.h>

/* Asks for huge pages under memory that is about to be written for the first time. It is advice: nothing may
 * change. */
void prefer_huge_pages(void *memory, size_t size);

#endif
