/* Which kernels serve which slot, and the inspection of that through the public API. */
#include "dispatch/dispatch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/cpu.h"
#include "dispatch/tuning.h"
#include "scalar/table.h"
#include "strew/inspect.h"
#ifdef STREW_WITH_AVX2
#include "avx2/table.h"
#endif
#ifdef STREW_WITH_AVX512
#include "avx512/table.h"
#endif
#ifdef STREW_WITH_NEON
#include "neon/table.h"
#endif

#if defined(__x86_64__) || defined(__i386__)
enum { X86 = true, ARM = false };
#elif defined(__aarch64__) || defined(__arm__)
enum { X86 = false, ARM = true };
#else
enum { X86 = false, ARM = false };
#endif

/*
 * One tier: a table, the instruction set that it belongs to, whether its code is native in this build, and what the
 * CPU must have to run it if so. Later tiers are better. Emulated code runs anywhere.
 */
typedef struct tier {
    strew_isa isa;
    const strew_kernels *kernels;
    bool native;
    strew_cpu needs;
} tier;

static const tier tiers[] = {
    {STREW_ISA_SCALAR, &strew_kernels_scalar, true, {0}},
#ifdef STREW_WITH_AVX2
    {STREW_ISA_AVX2, &strew_kernels_avx2_without_f16c, X86, {.avx2 = true}},
    {STREW_ISA_AVX2, &strew_kernels_avx2, X86, {.avx2 = true, .f16c = true}},
#endif
#ifdef STREW_WITH_AVX512
    {STREW_ISA_AVX512, &strew_kernels_avx512, X86, {.avx2 = true, .f16c = true, .avx512 = true}},
#endif
#ifdef STREW_WITH_NEON
    {STREW_ISA_NEON, &strew_kernels_neon, ARM, {.neon = true}},
#endif
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const isa_names[STREW_ISA_COUNT] = {
#define NAME(CONSTANT, name) [STREW_ISA_##CONSTANT] = #name,
    STREW_ISAS(NAME)
#undef NAME
        /* clang-format off */
    [STREW_ISA_BEST] = "best",
    /* clang-format on */
};

static const char *const state_names[] = {
    [STREW_ISA_STATE_ABSENT] = "absent",
    [STREW_ISA_STATE_UNAVAILABLE] = "unavailable",
    [STREW_ISA_STATE_EMULATED] = "emulated",
    [STREW_ISA_STATE_NATIVE] = "native",
};

static bool can_run(const tier *it, const strew_cpu *cpu)
{
    const strew_cpu needs = it->needs;
    return !it->native || ((cpu->avx2 || !needs.avx2) && (cpu->f16c || !needs.f16c) &&
                           (cpu->avx512 || !needs.avx512) && (cpu->neon || !needs.neon));
}

/*
 * Which tiers can run here, a bit for each. Asking the CPU is slow, above all in a virtual machine, so it is done
 * once; threads that race here all find the same. This, the active tier, the active tuning and the size of the
 * caches are the only mutable state of the library.
 */
static uint32_t runnable_tiers(void)
{
    static atomic_uint_least32_t known; /* 0 until it is: scalar can always run */
    uint32_t runnable = atomic_load_explicit(&known, memory_order_relaxed);
    if (runnable == 0) {
        const strew_cpu cpu = strew_cpu_detect();
        for (size_t t = 0; t < COUNT(tiers); t++)
            runnable |= (uint32_t)can_run(&tiers[t], &cpu) << t;
        atomic_store_explicit(&known, runnable, memory_order_relaxed);
    }
    return runnable;
}

/* The best tier of an instruction set that can run here, or NULL. */
static const tier *find_tier(strew_isa isa)
{
    const uint32_t runnable = runnable_tiers();
    for (size_t t = COUNT(tiers); t-- > 0;)
        if (tiers[t].isa == isa && (runnable >> t & 1u))
            return &tiers[t];
    return NULL;
}

/* The best native tier, not beyond the instruction set that the environment names, if it names one. */
static const tier *choose_tier(void)
{
    strew_isa cap = STREW_ISA_BEST;
    strew_isa_find(getenv("STREW_ISA"), &cap);
    const tier *chosen = &tiers[0];
    for (unsigned isa = STREW_ISA_BEST + 1; isa < STREW_ISA_COUNT; isa++) {
        const tier *found = find_tier((strew_isa)isa);
        if (found && found->native)
            chosen = found;
        if (isa == (unsigned)cap)
            break;
    }
    return chosen;
}

static const tier *active_tier(void)
{
    static _Atomic(const tier *) active;
    const tier *chosen = atomic_load_explicit(&active, memory_order_relaxed);
    if (!chosen) {
        chosen = choose_tier();
        atomic_store_explicit(&active, chosen, memory_order_relaxed);
    }
    return chosen;
}

const strew_kernels *strew_kernels_of(strew_isa isa)
{
    const tier *found = isa == STREW_ISA_BEST ? active_tier() : find_tier(isa);
    return found ? found->kernels : NULL;
}

/*
 * What is streamed whoever reads next must fetch from memory, so that it begins where the next reader would find
 * little of it anyway: beyond what the last-level cache keeps of one result.
 */
int64_t strew_streamed_bytes(void)
{
    enum { LEAST = 4 << 20 };
    static atomic_long known; /* 0 until it is */
    long bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes == 0) {
        bytes = (long)((double)strew_cpu_last_level_cache() * strew_tuning_active()->kept_of_a_result);
        if (bytes < LEAST)
            bytes = LEAST;
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
}

strew_isa_state strew_isa_get_state(strew_isa isa)
{
    const tier *found = isa == STREW_ISA_BEST ? active_tier() : find_tier(isa);
    if (found)
        return found->native ? STREW_ISA_STATE_NATIVE : STREW_ISA_STATE_EMULATED;
    for (size_t t = 0; t < COUNT(tiers); t++)
        if (tiers[t].isa == isa)
            return STREW_ISA_STATE_UNAVAILABLE;
    return STREW_ISA_STATE_ABSENT;
}

strew_isa strew_isa_active(void)
{
    return active_tier()->isa;
}

const char *strew_isa_name(strew_isa isa)
{
    return (unsigned)isa < STREW_ISA_COUNT ? isa_names[isa] : "unknown";
}

const char *strew_isa_state_name(strew_isa_state state)
{
    return (unsigned)state < COUNT(state_names) ? state_names[state] : "unknown";
}

bool strew_isa_find(const char *name, strew_isa *isa)
{
    for (unsigned i = 0; name && isa && i < STREW_ISA_COUNT; i++)
        if (strcmp(isa_names[i], name) == 0) {
            *isa = (strew_isa)i;
            return true;
        }
    return false;
}

bool strew_reduction_supports(strew_reduction reduction, strew_dtype dtype)
{
    if ((unsigned)reduction >= STREW_REDUCTION_COUNT || strew_dtype_size(dtype) == 0)
        return false;
    if (reduction == STREW_REDUCTION_NONE)
        return true;
    if (dtype >= STREW_DTYPE_COUNT)
        return false;
    if (reduction == STREW_REDUCTION_MEAN)
        return strew_kernels_scalar.divide[dtype] != NULL;
    return strew_kernels_scalar.reduce_rows[reduction][dtype] != NULL;
}

/*
 * Every slot, in the order of scalar's list, which is complete. A slot's cell is read as a function pointer of
 * one type, whatever its own: it is only compared.
 */
typedef struct slot {
    const char *operation;
    const char *operand;
    size_t cell; /* its offset in strew_kernels */
} slot;

#define RESOLVE(DTYPE, name, suffix, bytes) \
    {"resolve", #suffix, offsetof(strew_kernels, resolve[STREW_DTYPE_##DTYPE])},
#define CHECK(DTYPE, name, suffix, bytes) {"check", #suffix, offsetof(strew_kernels, check[STREW_DTYPE_##DTYPE])},
#define GATHER(size, bytes) {"gather", #size, offsetof(strew_kernels, gather[STREW_MOVE_##size])},
#define SCATTER(size, bytes) {"scatter", #size, offsetof(strew_kernels, scatter[STREW_MOVE_##size])},
#define REDUCE_ROWS(REDUCTION, reduction, DTYPE, suffix) \
    {"reduce_rows_" #reduction, #suffix,                 \
     offsetof(strew_kernels, reduce_rows[STREW_REDUCTION_##REDUCTION][STREW_DTYPE_##DTYPE])},
#define REDUCE_ELEMENTS(REDUCTION, reduction, DTYPE, suffix) \
    {"reduce_elements_" #reduction, #suffix,                 \
     offsetof(strew_kernels, reduce_elements[STREW_REDUCTION_##REDUCTION][STREW_DTYPE_##DTYPE])},
#define DIVIDE(DTYPE, name, suffix, bytes) \
    {"divide", #suffix, offsetof(strew_kernels, divide[STREW_DTYPE_##DTYPE])},
#define PICK(owned) {"pick", #owned, offsetof(strew_kernels, pick)},
static const slot slots[] = {
#include "scalar/kernels.inc"
};

size_t strew_kernel_count(void)
{
    return COUNT(slots);
}

static bool same_cell(const strew_kernels *a, const strew_kernels *b, size_t cell)
{
    return memcmp((const char *)a + cell, (const char *)b + cell, sizeof(strew_move_kernel *)) == 0;
}

/* The first tier that has a table's kernel for a slot: those after it have it from there. */
static strew_isa origin_of(const strew_kernels *kernels, size_t cell)
{
    size_t t = 0;
    while (!same_cell(kernels, tiers[t].kernels, cell))
        t++;
    return tiers[t].isa;
}

bool strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info)
{
    const strew_kernels *kernels = strew_kernels_of(isa);
    if (index >= COUNT(slots) || !kernels || !info)
        return false;
    const slot *at = &slots[index];
    *info = (strew_kernel_info){at->operation, at->operand, origin_of(kernels, at->cell)};
    return true;
}

size_t strew_cpu_describe(char *buffer, size_t size)
{
    char name[STREW_CPU_NAME_BYTES];
    strew_cpu_name(name);
    const char *trimmed = name + strspn(name, " ");
    const strew_cpu cpu = strew_cpu_detect();
    const bool any = cpu.avx2 || cpu.f16c || cpu.avx512 || cpu.neon;
    const int length = snprintf(buffer, size, "%s;%s%s%s%s%s; tuned as %s", *trimmed ? trimmed : "unknown",
                                cpu.avx2 ? " avx2" : "", cpu.f16c ? " f16c" : "", cpu.avx512 ? " avx512" : "",
                                cpu.neon ? " neon" : "", any ? "" : " no vector extensions that strew uses",
                                strew_tuning_active()->name);
    return length > 0 ? (size_t)length : 0;
}
