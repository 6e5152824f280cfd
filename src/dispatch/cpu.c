#include "dispatch/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef __unix__
#include <unistd.h>
#endif
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif
#if defined(__arm__) && defined(__linux__)
#include <sys/auxv.h>
#endif

/* What a CPU calls itself, in three leaves of CPUID. */
enum { NAME_LEAVES = 3, NAME_BYTES = 16 * NAME_LEAVES + 1 };

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

typedef struct cpuid_leaf {
    uint32_t a, b, c, d;
} cpuid_leaf;

/* A leaf of CPUID, and the state that the operating system saves on a task switch. A leaf that is not there: zeros.
 */
#ifdef _MSC_VER

#include <intrin.h>

static cpuid_leaf ask(uint32_t leaf, uint32_t part)
{
    int highest[4], found[4] = {0};
    __cpuid(highest, (int)(leaf & 0x80000000u));
    if (leaf <= (uint32_t)highest[0])
        __cpuidex(found, (int)leaf, (int)part);
    return (cpuid_leaf){(uint32_t)found[0], (uint32_t)found[1], (uint32_t)found[2], (uint32_t)found[3]};
}
static uint32_t saved_state(void)
{
    return (uint32_t)_xgetbv(0);
}

#else

#include <cpuid.h>

static cpuid_leaf ask(uint32_t leaf, uint32_t part)
{
    cpuid_leaf found = {0};
    return __get_cpuid_count(leaf, part, &found.a, &found.b, &found.c, &found.d) ? found : (cpuid_leaf){0};
}
static uint32_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#endif

static bool is_amd(void)
{
    const cpuid_leaf maker = ask(0, 0);
    return memcmp(&maker.b, "Auth", 4) == 0 && memcmp(&maker.d, "enti", 4) == 0 && memcmp(&maker.c, "cAMD", 4) == 0;
}

/* XGETBV is only to be asked if CPUID says OSXSAVE. */
static uint32_t detect(void)
{
    enum { LEAF_1_C_OSXSAVE_AVX = 1 << 27 | 1 << 28, LEAF_1_C_F16C = 1 << 29, LEAF_7_B_AVX2 = 1 << 5 };
    static const uint32_t leaf_7_b_avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F, DQ, BW, VL */
    enum { SAVED_AVX = 6, SAVED_AVX512 = 0xe0 | SAVED_AVX };
    uint32_t features = is_amd() ? STREW_CPU_AMD : 0;
    const cpuid_leaf leaf_1 = ask(1, 0), leaf_7 = ask(7, 0);
    if ((leaf_1.c & LEAF_1_C_OSXSAVE_AVX) != LEAF_1_C_OSXSAVE_AVX)
        return features;
    const uint32_t saved = saved_state();
    if ((saved & SAVED_AVX) != SAVED_AVX)
        return features;
    features |= leaf_1.c & LEAF_1_C_F16C ? STREW_CPU_F16C : 0;
    features |= leaf_7.b & LEAF_7_B_AVX2 ? STREW_CPU_AVX2 : 0;
    const bool saves_avx512 = (saved & SAVED_AVX512) == SAVED_AVX512;
    features |= saves_avx512 && (leaf_7.b & leaf_7_b_avx512) == leaf_7_b_avx512 ? STREW_CPU_AVX512 : 0;
    return features;
}

static void read_name(char name[NAME_BYTES])
{
    memset(name, 0, NAME_BYTES);
    for (uint32_t leaf = 0; leaf < NAME_LEAVES; leaf++) {
        const cpuid_leaf part = ask(0x80000002u + leaf, 0);
        memcpy(name + sizeof part * leaf, &part, sizeof part);
    }
}

/*
 * The last cache that CPUID lists, as those cores see it that share it; the C library (glibc 2.36) adds up the
 * caches of all cores of an AMD.
 */
static long told_last_level_cache(void)
{
    enum { CACHES = 8, KIND = 31, PARTITIONS = 0x3ff, LINE_BYTES = 0xfff };
    const uint32_t caches_leaf = is_amd() ? 0x8000001du : 4;
    long bytes = 0;
    for (uint32_t number = 0; number < CACHES; number++) {
        const cpuid_leaf cache = ask(caches_leaf, number);
        if ((cache.a & KIND) == 0)
            break;
        const uint32_t ways = (cache.b >> 22) + 1, partitions = (cache.b >> 12 & PARTITIONS) + 1;
        bytes = (long)ways * (long)partitions * (long)((cache.b & LINE_BYTES) + 1) * ((long)cache.c + 1);
    }
    return bytes;
}

#else

static uint32_t detect(void)
{
#if defined(__aarch64__) || defined(_M_ARM64)
    return STREW_CPU_NEON;
#elif defined(__arm__) && defined(__linux__)
    enum { HWCAP_NEON_BIT = 1 << 12 };
    return getauxval(AT_HWCAP) & HWCAP_NEON_BIT ? STREW_CPU_NEON : 0;
#else
    return 0;
#endif
}

static void read_name(char name[NAME_BYTES])
{
#if defined(__APPLE__)
    size_t length = NAME_BYTES;
    if (sysctlbyname("machdep.cpu.brand_string", name, &length, NULL, 0) == 0)
        return;
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
    strcpy(name, "aarch64");
#elif defined(__arm__)
    strcpy(name, "arm");
#else
    strcpy(name, "unknown");
#endif
}

/* The fast cores of an Apple share their second-level cache, which is the last. */
static long told_last_level_cache(void)
{
#ifdef __APPLE__
    static const char *const names[] = {"hw.perflevel0.l2cachesize", "hw.l3cachesize", "hw.l2cachesize"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        int64_t bytes = 0;
        size_t length = sizeof bytes;
        if (sysctlbyname(names[n], &bytes, &length, NULL, 0) == 0 && bytes > 0)
            return (long)bytes;
    }
#endif
    return 0;
}

#endif

/* Asking is slow, above all in a virtual machine. Threads that race here all find the same. */
uint32_t strew_cpu_features(void)
{
    static const uint32_t asked = UINT32_C(1) << 31;
    static atomic_uint_least32_t known;
    uint32_t features = atomic_load_explicit(&known, memory_order_relaxed);
    if (features == 0) {
        features = detect() | asked;
        atomic_store_explicit(&known, features, memory_order_relaxed);
    }
    return features & ~asked;
}

void strew_cpu_text(char text[STREW_CPU_TEXT_BYTES])
{
    static const uint32_t extensions = STREW_CPU_AVX2 | STREW_CPU_F16C | STREW_CPU_AVX512 | STREW_CPU_NEON;
    const uint32_t features = strew_cpu_features();
    char name[NAME_BYTES];
    read_name(name);
    const char *trimmed = name + strspn(name, " ");
    snprintf(text, STREW_CPU_TEXT_BYTES, "%s;%s%s%s%s%s", *trimmed ? trimmed : "unknown",
             features & STREW_CPU_AVX2 ? " avx2" : "", features & STREW_CPU_F16C ? " f16c" : "",
             features & STREW_CPU_AVX512 ? " avx512" : "", features & STREW_CPU_NEON ? " neon" : "",
             features & extensions ? "" : " no vector extensions that strew uses");
}

long strew_cpu_last_level_cache(void)
{
    long bytes = told_last_level_cache();
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? bytes : 0;
}
