#include "dispatch/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif
#if (defined(__arm__) || defined(__aarch64__)) && defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(_WIN32) && (defined(__aarch64__) || defined(_M_ARM64))
#define WINDOWS_ON_ARM
#include <windows.h>
#endif

#include "base/compiler.h"
#include "dispatch/linux_cpus.h"

/* CPUID returns the CPU's name in three leaves. Names of ARM's cores take more. */
enum { NAME_LEAVES = 3, NAME_BYTES = STREW_LINUX_NAMES_BYTES };

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

typedef struct cpuid_leaf {
    uint32_t a, b, c, d;
} cpuid_leaf;

/*
 * read_cpuid returns a leaf of CPUID, all zeros if the CPU has no such leaf. saved_state returns the bits of the
 * registers that the operating system saves on a task switch.
 */
#ifdef _MSC_VER

#include <intrin.h>

STREW_NOINLINE static cpuid_leaf read_cpuid(uint32_t leaf, uint32_t part)
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

STREW_NOINLINE static cpuid_leaf read_cpuid(uint32_t leaf, uint32_t part)
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

/* Returns the features. XGETBV may only be executed if CPUID reports OSXSAVE. */
static uint32_t detect_features(void)
{
    enum {
        LEAF_1_C_OSXSAVE_AVX = 1 << 27 | 1 << 28,
        LEAF_1_C_F16C_FMA = 1 << 29 | 1 << 12,
        LEAF_7_B_AVX2 = 1 << 5
    };
    static const uint32_t leaf_7_b_avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31; /* F, DQ, BW, VL */
    enum { SAVED_AVX = 6, SAVED_AVX512 = 0xe0 | SAVED_AVX };
    uint32_t features = 0;
    const cpuid_leaf leaf_1 = read_cpuid(1, 0), leaf_7 = read_cpuid(7, 0);
    if ((leaf_1.c & LEAF_1_C_OSXSAVE_AVX) != LEAF_1_C_OSXSAVE_AVX)
        return features;
    const uint32_t saved = saved_state();
    if ((saved & SAVED_AVX) != SAVED_AVX)
        return features;
    const bool has_halves = (leaf_1.c & LEAF_1_C_F16C_FMA) == LEAF_1_C_F16C_FMA;
    features |= has_halves && leaf_7.b & LEAF_7_B_AVX2 ? STREW_CPU_AVX2 : 0;
    const bool saves_avx512 = (saved & SAVED_AVX512) == SAVED_AVX512;
    features |= saves_avx512 && (leaf_7.b & leaf_7_b_avx512) == leaf_7_b_avx512 ? STREW_CPU_AVX512 : 0;
    return features;
}

static void read_name(char name[NAME_BYTES])
{
    memset(name, 0, NAME_BYTES);
    for (uint32_t leaf = 0; leaf < NAME_LEAVES; leaf++) {
        const cpuid_leaf part = read_cpuid(0x80000002u + leaf, 0);
        memcpy(name + sizeof part * leaf, &part, sizeof part);
    }
}

/* Returns the kind of cache that a leaf describes; 0 after the last cache. */
static uint32_t kind_of_cache(const cpuid_leaf *listed)
{
    return listed->a & 31;
}

/* Returns the leaf that lists the caches: Intel's, or AMD's where Intel's is empty. */
static uint32_t caches_leaf(void)
{
    enum { INTEL = 4 };
    const cpuid_leaf listed = read_cpuid(INTEL, 0);
    return kind_of_cache(&listed) ? INTEL : 0x8000001du;
}

static bool is_listed_as(const cpuid_leaf *listed, strew_cpu_cache cache)
{
    enum { INSTRUCTIONS = 2, LEVEL_BIT = 5, LEVEL = 7 };
    const uint32_t level = listed->a >> LEVEL_BIT & LEVEL;
    return kind_of_cache(listed) != INSTRUCTIONS && (cache == STREW_CPU_LAST_LEVEL || level == (uint32_t)cache + 1);
}

/*
 * Returns the bytes of a cache as CPUID lists it, for the cores that share it; the last one listed for a level.
 * The C library is not asked first, because glibc 2.36 adds up the last-level caches of all cores of an AMD CPU.
 */
static long cpu_cache_bytes(strew_cpu_cache cache)
{
    enum { MOST_LISTED = 8, PARTITIONS = 0x3ff, LINE_BYTES = 0xfff };
    const uint32_t leaf = caches_leaf();
    long bytes = 0;
    for (uint32_t number = 0; number < MOST_LISTED; number++) {
        const cpuid_leaf listed = read_cpuid(leaf, number);
        if (kind_of_cache(&listed) == 0)
            break;
        const uint32_t ways = (listed.b >> 22) + 1, partitions = (listed.b >> 12 & PARTITIONS) + 1;
        if (is_listed_as(&listed, cache))
            bytes = (long)ways * (long)partitions * (long)((listed.b & LINE_BYTES) + 1) * ((long)listed.c + 1);
    }
    return bytes;
}

#else

/* Whether a CPU of 64-bit ARM has FEAT_FP16. */
STREW_MAYBE_UNUSED static bool has_fp16(void)
{
#if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
    return true;
#elif defined(__aarch64__) && defined(__linux__)
    enum { HWCAP_ASIMDHP_BIT = 1 << 10 };
    return (getauxval(AT_HWCAP) & HWCAP_ASIMDHP_BIT) != 0;
#elif defined(__APPLE__)
    int32_t has = 0;
    size_t length = sizeof has;
    return sysctlbyname("hw.optional.arm.FEAT_FP16", &has, &length, NULL, 0) == 0 && has;
#elif defined(WINDOWS_ON_ARM)
    enum { DOT_PRODUCTS_OF_V82 = 43 }; /* every CPU that has these has halves too */
    return IsProcessorFeaturePresent(DOT_PRODUCTS_OF_V82);
#else
    return false;
#endif
}

static uint32_t detect_features(void)
{
#if defined(__aarch64__) || defined(_M_ARM64)
    return STREW_CPU_NEON | (has_fp16() ? STREW_CPU_NEON_FP16 : 0);
#elif defined(__ARM_NEON)
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
    strew_linux_cpus cpus;
    strew_linux_cpus_read(&cpus, "");
    strcpy(name, cpus.names);
    if (*name)
        return;
#if defined(__aarch64__) || defined(_M_ARM64)
    strcpy(name, "aarch64");
#elif defined(__arm__)
    strcpy(name, "arm");
#else
    strcpy(name, "unknown");
#endif
}

/*
 * Returns the bytes of a cache as the system reports it. The fast cores of an Apple CPU share their second-level
 * cache, which is the last level.
 */
static long cpu_cache_bytes(strew_cpu_cache cache)
{
#ifdef __APPLE__
    enum { NAMES = 3 };
    static const char *const names[STREW_CPU_CACHES][NAMES] = {
        {"hw.perflevel0.l1dcachesize", "hw.l1dcachesize"},
        {"hw.perflevel0.l2cachesize", "hw.l2cachesize"},
        {"hw.perflevel0.l2cachesize", "hw.l3cachesize", "hw.l2cachesize"},
    };
    for (size_t n = 0; n < NAMES && names[cache][n]; n++) {
        int64_t bytes = 0;
        size_t length = sizeof bytes;
        if (sysctlbyname(names[cache][n], &bytes, &length, NULL, 0) == 0 && bytes > 0)
            return (long)bytes;
    }
    return 0;
#elif defined(WINDOWS_ON_ARM)
    enum { MOST_LISTED = 256, DATA_OR_BOTH = 1 << CacheUnified | 1 << CacheData };
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION listed[MOST_LISTED];
    DWORD bytes = sizeof listed;
    long found = 0;
    if (!GetLogicalProcessorInformation(listed, &bytes))
        return 0;
    for (DWORD l = 0; l < bytes / sizeof *listed; l++) {
        const CACHE_DESCRIPTOR *const each = &listed[l].Cache;
        if (listed[l].Relationship == RelationCache && (DATA_OR_BOTH >> each->Type & 1) &&
            (cache == STREW_CPU_LAST_LEVEL || each->Level == (BYTE)cache + 1))
            found = (long)each->Size;
    }
    return found;
#else
    strew_linux_cpus cpus;
    strew_linux_cpus_read(&cpus, "");
    return cpus.cache_bytes[cache];
#endif
}

#endif

/*
 * Remembers the features, because finding them is slow, above all in a virtual machine. Threads that race here
 * find the same.
 */
uint32_t strew_cpu_features(void)
{
    static const uint32_t asked = UINT32_C(1) << 31;
    static atomic_uint_least32_t known;
    uint32_t features = atomic_load_explicit(&known, memory_order_relaxed);
    if (features == 0) {
        features = detect_features() | asked;
        atomic_store_explicit(&known, features, memory_order_relaxed);
    }
    return features & ~asked;
}

void strew_cpu_text(char text[STREW_CPU_TEXT_BYTES])
{
    static const uint32_t extensions = STREW_CPU_AVX2 | STREW_CPU_AVX512 | STREW_CPU_NEON;
    const uint32_t features = strew_cpu_features();
    char name[NAME_BYTES];
    read_name(name);
    const char *trimmed = name + strspn(name, " ");
    snprintf(text, STREW_CPU_TEXT_BYTES, "%s;%s%s%s%s%s", *trimmed ? trimmed : "unknown",
             features & STREW_CPU_AVX2 ? " avx2" : "", features & STREW_CPU_AVX512 ? " avx512" : "",
             features & STREW_CPU_NEON ? " neon" : "", features & STREW_CPU_NEON_FP16 ? " fp16" : "",
             features & extensions ? "" : " no vector extensions that strew uses");
}

long strew_cpu_cache_bytes(strew_cpu_cache cache)
{
    enum { UNKNOWN = -1 };
    static atomic_long known[STREW_CPU_CACHES]; /* 0 until it is known */
    long bytes = atomic_load_explicit(&known[cache], memory_order_relaxed);
    if (bytes == 0) {
        bytes = cpu_cache_bytes(cache);
        if (bytes <= 0)
            bytes = UNKNOWN;
        atomic_store_explicit(&known[cache], bytes, memory_order_relaxed);
    }
    return bytes == UNKNOWN ? 0 : bytes;
}

/* Asks the system, once. */
bool strew_cpu_cores_differ(void)
{
    enum { UNKNOWN, SAME, DIFFERENT };
    static atomic_int known;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == UNKNOWN) {
#ifdef __APPLE__
        int32_t levels = 0;
        size_t length = sizeof levels;
        const bool differ = sysctlbyname("hw.nperflevels", &levels, &length, NULL, 0) == 0 && levels > 1;
#else
        strew_linux_cpus cpus;
        strew_linux_cpus_read(&cpus, "");
        const bool differ = cpus.differ;
#endif
        answer = differ ? DIFFERENT : SAME;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == DIFFERENT;
}
