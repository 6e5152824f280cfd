#include "dispatch/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef __unix__
#include <unistd.h>
#endif

/* What a CPU calls itself, in three leaves of CPUID. */
enum { NAME_LEAVES = 3, NAME_BYTES = 16 * NAME_LEAVES + 1 };

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

enum { XCR0_SSE_AND_AVX = 6, XCR0_AVX512 = 0xe0 | XCR0_SSE_AND_AVX };

/* The state that the operating system saves on a task switch. Only to be asked if CPUID says OSXSAVE. */
static uint32_t saved_state(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool is_amd(void)
{
    uint32_t a, b = 0, c = 0, d = 0;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx && c == signature_AMD_ecx &&
           d == signature_AMD_edx;
}

static uint32_t detect(void)
{
    uint32_t features = is_amd() ? STREW_CPU_AMD : 0;
    uint32_t a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX))
        return features;
    const uint32_t saved = saved_state();
    if ((saved & XCR0_SSE_AND_AVX) != XCR0_SSE_AND_AVX)
        return features;
    features |= c & bit_F16C ? STREW_CPU_F16C : 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return features;
    const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    features |= b & bit_AVX2 ? STREW_CPU_AVX2 : 0;
    features |= (b & avx512) == avx512 && (saved & XCR0_AVX512) == XCR0_AVX512 ? STREW_CPU_AVX512 : 0;
    return features;
}

static void read_name(char name[NAME_BYTES])
{
    static const uint32_t name_leaf = 0x80000002u;
    memset(name, 0, NAME_BYTES);
    for (uint32_t leaf = 0; leaf < NAME_LEAVES; leaf++) {
        uint32_t part[4];
        if (!__get_cpuid(name_leaf + leaf, &part[0], &part[1], &part[2], &part[3]))
            return;
        memcpy(name + sizeof part * leaf, part, sizeof part);
    }
}

/*
 * AMD's CPUs tell of each cache, the last level last, as those cores see it that share it; the C library (glibc
 * 2.36) adds up the caches of all cores. 0 on other CPUs.
 */
static long told_last_level_cache(void)
{
    static const uint32_t caches_leaf = 0x8000001du;
    enum { CACHES = 8, KIND = 31, PARTITIONS = 0x3ff, LINE_BYTES = 0xfff };
    uint32_t kind, lines, sets, d;
    long bytes = 0;
    for (uint32_t cache = 0; cache < CACHES && is_amd(); cache++) {
        if (!__get_cpuid_count(caches_leaf, cache, &kind, &lines, &sets, &d) || (kind & KIND) == 0)
            break;
        const uint32_t ways = (lines >> 22) + 1, partitions = (lines >> 12 & PARTITIONS) + 1;
        bytes = (long)ways * (long)partitions * (long)((lines & LINE_BYTES) + 1) * ((long)sets + 1);
    }
    return bytes;
}

#else

static long told_last_level_cache(void)
{
    return 0;
}

#if defined(__arm__) && defined(__linux__)
#include <sys/auxv.h>
enum { HWCAP_NEON_BIT = 1 << 12 };
#endif

static uint32_t detect(void)
{
#if defined(__aarch64__)
    return STREW_CPU_NEON;
#elif defined(__arm__) && defined(__linux__)
    return getauxval(AT_HWCAP) & HWCAP_NEON_BIT ? STREW_CPU_NEON : 0;
#else
    return 0;
#endif
}

static void read_name(char name[NAME_BYTES])
{
#if defined(__aarch64__)
    strcpy(name, "aarch64");
#elif defined(__arm__)
    strcpy(name, "arm");
#else
    strcpy(name, "unknown");
#endif
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
