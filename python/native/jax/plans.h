/* A cache of plans: to make a plan takes longer than to run a small one. */
#ifndef STREW_PYTHON_JAX_PLANS_H
#define STREW_PYTHON_JAX_PLANS_H

#include <strew/plans.h>

/* All that a plan depends on: its kind, threads, numbers, and the dtypes and shapes of its operands and its output.
 */
enum { PLAN_KEY_SIZE = 512 };
typedef struct plan_key {
    size_t size;
    int64_t words[PLAN_KEY_SIZE];
} plan_key;

typedef struct kept_plan {
    strew_plan plan;
    bool has_use_for_scratch;
    size_t size;
    int64_t words[]; /* the words of the key */
} kept_plan;

/*
 * Takes the plan of this key; the caller owns it until it gives it back. NULL if none is cached. Calls from one
 * place in a program have the same `place`, an address.
 */
kept_plan *take_plan(const void *place, const plan_key *key);

/* Room for the plan of this key; NULL if there is no memory. Give it back afterwards. */
kept_plan *new_plan(const plan_key *key);

/* Keeps a plan that was made, and frees the room of one that was refused. */
void give_back_plan(const void *place, bool is_planned, kept_plan *plan);

#endif
