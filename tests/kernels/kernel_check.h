/* The checks of each family of kernels. Each returns whether the kernel agrees with its reference. */
#ifndef STREW_TESTS_KERNEL_CHECK_H
#define STREW_TESTS_KERNEL_CHECK_H

#include "kernel_subject.h"

typedef bool kernel_check(const kernel_subject *subject);

kernel_check check_resolve;
kernel_check check_table;
kernel_check check_move;
kernel_check check_fill;
kernel_check check_reduce;
kernel_check check_combine;
kernel_check check_bag;
kernel_check check_divide;
kernel_check check_pick;

#endif
