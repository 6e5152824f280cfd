#include "ways.h"

#include <strew/inspect.h>

#include "dispatch/tuning_numbers.h"

/* Sets the tuning so that small tensors, too, take the ways chosen by measured numbers. */
void fuzz_call_tune(const fuzz_call *self)
{
    static const char *const texts[TUNINGS] = {
        "zen",
        "xeon",
        "zen,far_short_rows=0,kept_of_a_result=0,least_partitioned=0",
        "xeon,far_short_rows=0,kept_of_a_result=0,least_owned=0,least_partitioned=0,least_partitioned_by_two=0",
    };
    static strew_tuning tunings[TUNINGS];
    strew_tuning *tuning = &tunings[self->tuning];
    if (!tuning->name) {
        *tuning = *strew_tuning_choose();
        fuzz_require(strew_tuning_read(tuning, texts[self->tuning]), "a tuning cannot be read", NULL);
    }
    atomic_store(&strew_tuning_chosen, tuning);
}

strew_status fuzz_call_run(const fuzz_call *self, call_way way, call_scratch scratch, const strew_options *options)
{
    const bool can_be_planned = self->call.data && self->call.output && way != BY_ONE_CALL;
    strew_options all = *options;
    all.flags = self->call.flags;
    all.bounds = self->call.bounds;
    all.fill = self->call.fill;
    return can_be_planned ? call_run(&self->call, way, scratch, &all) : call_operator(&self->call, &all);
}

void fuzz_call_plan_alone(fuzz_call *self)
{
    strew_plan plan;
    strew_options options = STREW_OPTIONS_INIT;
    const strew_plan_options planning = call_plan_options(&options);
    fuzz_call_attach(self, NULL);
    call_plan(&self->call, &plan, &planning);
}

strew_isa fuzz_isa(input *bytes)
{
    const strew_isa isa = (strew_isa)input_below(bytes, STREW_ISA_COUNT);
    return strew_isa_get_state(isa) >= STREW_ISA_STATE_EMULATED ? isa : STREW_ISA_SCALAR;
}

static void run_last_first(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    while (count > 0)
        task(context, --count);
}

const strew_parallel *fuzz_threads(input *bytes)
{
    static const strew_parallel each[] = {
        {run_last_first, NULL, 1}, {run_last_first, NULL, 2}, {run_last_first, NULL, 3}, {run_last_first, NULL, 4}};
    const uint64_t threads = input_below(bytes, 5);
    return threads > 0 ? &each[threads - 1] : NULL;
}
