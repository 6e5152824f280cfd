#include "plans.h"
#include "memory.h"

#include <string.h>

/* The plans of one node: for several shapes, and for the numbers of threads found so far. */
enum { MOST_PLANS = 8 };

typedef struct signature {
    strew_dtype dtype;
    int32_t rank;
    int64_t sizes[STREW_MAX_RANK];
} signature;

struct strew_ort_kept {
    strew_ort_kept *next;
    const void *inspected; /* the inspected constant; NULL if there is none */
    signature data, indices, updates, output;
    strew_ort_plan plan;
    char storage[]; /* holds the inspection */
};

static void sign(signature *taken, const strew_tensor *tensor)
{
    taken->dtype = tensor ? tensor->dtype : STREW_DTYPE_NONE;
    taken->rank = tensor ? tensor->rank : 0;
    for (int32_t d = 0; d < taken->rank; d++)
        taken->sizes[d] = tensor->shape[d];
}

static bool is_signed(const signature *taken, const strew_tensor *tensor)
{
    if (!tensor)
        return taken->dtype == STREW_DTYPE_NONE;
    bool is_same = taken->dtype == tensor->dtype && taken->rank == tensor->rank;
    for (int32_t d = 0; is_same && d < taken->rank; d++)
        is_same = taken->sizes[d] == tensor->shape[d];
    return is_same;
}

static bool fits(const strew_ort_kept *kept, const strew_ort_tensors *tensors)
{
    return is_signed(&kept->data, tensors->data) && is_signed(&kept->indices, tensors->indices) &&
           is_signed(&kept->updates, tensors->updates) &&
           (!kept->inspected || kept->inspected == tensors->indices->data);
}

static const strew_ort_kept *find_from(const strew_ort_kept *kept, const strew_ort_tensors *tensors)
{
    while (kept && !fits(kept, tensors))
        kept = kept->next;
    return kept;
}

const strew_ort_kept *strew_ort_plans_find(const strew_ort_plans *self, const strew_ort_tensors *tensors)
{
    return find_from(atomic_load_explicit(&self->newest, memory_order_acquire), tensors);
}

const strew_ort_plan *strew_ort_plans_pick(const strew_ort_kept *found, const strew_ort_tensors *tensors,
                                           size_t threads)
{
    while (found && found->plan.threads != threads)
        found = find_from(found->next, tensors);
    return found ? &found->plan : NULL;
}

int32_t strew_ort_kept_shape(const strew_ort_kept *found, const int64_t **shape)
{
    *shape = found->output.sizes;
    return found->output.rank;
}

/* If an index is bad, keeps the plan as it is: it refuses the index in each run. */
static void inspect(strew_ort_kept *kept, const strew_plan *plan, const void *indices, size_t size)
{
    const strew_buffers buffers = {.indices = indices};
    if (strew_plan_inspect(&kept->plan.plan, plan, &buffers, kept->storage, size, NULL)) {
        kept->plan.plan = *plan;
        return;
    }
    kept->inspected = indices;
    kept->plan.inspection = kept->storage;
    kept->plan.scratch = strew_plan_scratch_size(&kept->plan.plan, kept->plan.threads);
    kept->plan.least_scratch = strew_plan_least_scratch_size(&kept->plan.plan, kept->plan.threads);
}

static strew_ort_kept *make(const OrtApi *api, const strew_ort_tensors *tensors, const strew_ort_plan *plan,
                            bool inspects)
{
    const size_t size = inspects ? strew_plan_inspection_size(&plan->plan) : 0;
    void *memory = NULL;
    if (size > SIZE_MAX - sizeof(strew_ort_kept))
        return NULL;
    OrtStatus *lacking = strew_ort_allocate(api, sizeof(strew_ort_kept) + size, &memory);
    if (lacking) {
        api->ReleaseStatus(lacking);
        return NULL;
    }
    strew_ort_kept *made = memory;
    made->plan = *plan;
    sign(&made->data, tensors->data);
    sign(&made->indices, tensors->indices);
    sign(&made->updates, tensors->updates);
    sign(&made->output, tensors->output);
    if (inspects)
        inspect(made, &plan->plan, tensors->indices->data, size);
    return made;
}

/* If two threads add a plan for the same call at once, both are kept, and one is never found. */
const strew_ort_plan *strew_ort_plans_keep(strew_ort_plans *self, const OrtApi *api,
                                           const strew_ort_tensors *tensors, const strew_ort_plan *plan,
                                           bool inspects)
{
    if (atomic_load(&self->count) >= MOST_PLANS || atomic_fetch_add(&self->count, 1) >= MOST_PLANS)
        return NULL;
    strew_ort_kept *made = make(api, tensors, plan, inspects);
    if (!made) {
        atomic_fetch_sub(&self->count, 1);
        return NULL;
    }
    made->next = atomic_load(&self->newest);
    while (!atomic_compare_exchange_weak(&self->newest, &made->next, made))
        continue;
    return &made->plan;
}

void strew_ort_plans_release(strew_ort_plans *self, const OrtApi *api)
{
    strew_ort_kept *next;
    for (strew_ort_kept *each = atomic_load(&self->newest); each; each = next) {
        next = each->next;
        strew_ort_free(api, each);
    }
}
