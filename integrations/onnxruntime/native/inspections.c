#include "inspections.h"
#include "memory.h"

/* Of one node: for several shapes, and for as many threads as were found one time and another. */
enum { MOST_INSPECTIONS = 8 };

typedef struct shape {
    int32_t rank;
    int64_t sizes[STREW_MAX_RANK];
} shape;

struct strew_ort_inspection {
    strew_ort_inspection *next;
    strew_plan plan;
    strew_dtype dtype;
    size_t threads;
    const void *indices; /* where the constant lies */
    shape data, updates;
    char storage[];
};

static void take_shape(shape *taken, const strew_tensor *tensor)
{
    taken->rank = tensor ? tensor->rank : 0;
    for (int32_t d = 0; d < taken->rank; d++)
        taken->sizes[d] = tensor->shape[d];
}

static bool has_shape(const shape *taken, const strew_tensor *tensor)
{
    bool is_same = taken->rank == (tensor ? tensor->rank : 0);
    for (int32_t d = 0; is_same && d < taken->rank; d++)
        is_same = taken->sizes[d] == tensor->shape[d];
    return is_same;
}

static bool fits(const strew_ort_inspection *self, const strew_ort_planned *planned)
{
    return self->threads == planned->threads && self->dtype == planned->data->dtype &&
           self->indices == planned->indices->data && has_shape(&self->data, planned->data) &&
           has_shape(&self->updates, planned->updates);
}

const strew_ort_inspection *strew_ort_inspections_find(strew_ort_inspections *self,
                                                       const strew_ort_planned *planned)
{
    const strew_ort_inspection *found = atomic_load(&self->newest);
    while (found && !fits(found, planned))
        found = found->next;
    return found;
}

/* NULL if the indices are not as they should be, or there is no memory. */
static strew_ort_inspection *inspect(const OrtApi *api, const strew_ort_planned *planned, const strew_plan *plan)
{
    const size_t size = strew_plan_inspection_size(plan);
    const strew_buffers buffers = {.indices = planned->indices->data};
    void *memory = NULL;
    if (size > SIZE_MAX - sizeof(strew_ort_inspection))
        return NULL;
    OrtStatus *lacking = strew_ort_allocate(api, sizeof(strew_ort_inspection) + size, &memory);
    if (lacking) {
        api->ReleaseStatus(lacking);
        return NULL;
    }
    strew_ort_inspection *made = memory;
    if (strew_plan_inspect(&made->plan, plan, &buffers, made->storage, size, NULL)) {
        strew_ort_free(api, made);
        return NULL;
    }
    made->dtype = planned->data->dtype;
    made->threads = planned->threads;
    made->indices = planned->indices->data;
    take_shape(&made->data, planned->data);
    take_shape(&made->updates, planned->updates);
    return made;
}

/* Of threads that come at once each may add its own; one of them is then never found. */
const strew_ort_inspection *strew_ort_inspections_add(strew_ort_inspections *self, const OrtApi *api,
                                                      const strew_ort_planned *planned, const strew_plan *plan)
{
    if (atomic_load(&self->count) >= MOST_INSPECTIONS || atomic_fetch_add(&self->count, 1) >= MOST_INSPECTIONS)
        return NULL;
    strew_ort_inspection *made = inspect(api, planned, plan);
    if (!made) {
        atomic_fetch_sub(&self->count, 1);
        return NULL;
    }
    made->next = atomic_load(&self->newest);
    while (!atomic_compare_exchange_weak(&self->newest, &made->next, made))
        continue;
    return made;
}

void strew_ort_inspections_release(strew_ort_inspections *self, const OrtApi *api)
{
    strew_ort_inspection *next;
    for (strew_ort_inspection *each = atomic_load(&self->newest); each; each = next) {
        next = each->next;
        strew_ort_free(api, each);
    }
}

const strew_plan *strew_ort_inspection_plan(const strew_ort_inspection *self)
{
    return &self->plan;
}

const void *strew_ort_inspection_storage(const strew_ort_inspection *self)
{
    return self->storage;
}
