/* Each slot holds one plan or is empty. Taking a plan empties its slot, so two threads never hold the same plan. */
#include "plans.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64 };
static _Atomic(kept_plan *) slots[SLOTS];

/* Addresses of memory differ in their middle bits. */
static _Atomic(kept_plan *) *slot_of(const void *place)
{
    const uint64_t address = (uint64_t)(uintptr_t)place >> 4;
    return &slots[(address ^ address >> 6 ^ address >> 12) % SLOTS];
}

static bool has_key(const kept_plan *plan, const plan_key *key)
{
    return plan->size == key->size && memcmp(plan->words, key->words, key->size * sizeof key->words[0]) == 0;
}

kept_plan *take_plan(const void *place, const plan_key *key)
{
    kept_plan *const plan = atomic_exchange_explicit(slot_of(place), NULL, memory_order_acquire);
    if (plan == NULL || has_key(plan, key))
        return plan;
    free(plan);
    return NULL;
}

kept_plan *new_plan(const plan_key *key)
{
    kept_plan *const plan = malloc(sizeof *plan + key->size * sizeof key->words[0]);
    if (plan == NULL)
        return NULL;
    plan->size = key->size;
    memcpy(plan->words, key->words, key->size * sizeof key->words[0]);
    return plan;
}

void give_back_plan(const void *place, bool is_planned, kept_plan *plan)
{
    kept_plan *none = NULL;
    if (!is_planned || !atomic_compare_exchange_strong_explicit(slot_of(place), &none, plan, memory_order_release,
                                                                memory_order_relaxed))
        free(plan);
}
