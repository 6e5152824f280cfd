/*
 * What every test begins with: cmocka, the headers that it must come after, and those that nearly all tests want.
 */
#ifndef STREW_TESTS_TEST_H
#define STREW_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The number of elements of an array. */
#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
