/* Group fixtures: a new directory to work in, as tests run side by side, and its removal with all that is in it. */
#ifndef STREW_TESTS_DIRECTORY_H
#define STREW_TESTS_DIRECTORY_H

int directory_enter(void **state);
int directory_leave(void **state);

#endif
