/* Huge pages for large outputs. */
#ifndef STREW_PYTHON_PAGES_H
#define STREW_PYTHON_PAGES_H

#include <stddef.h>

/* Asks for huge pages for memory that is about to be written for the first time. The system may ignore it. */
void prefer_huge_pages(void *memory, size_t size);

#endif
