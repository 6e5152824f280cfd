/*
 * The beginning of every test: cmocka, the headers that must come before it, and those that nearly all tests need.
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
