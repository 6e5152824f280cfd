/* Reading CPUs from made-up trees of files like those of Linux. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dispatch/linux_cpus.h"
#include "engine/share/cut.h"
#include "test.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static char root[] = "/tmp/strew-cpus-XXXXXX";

/* Writes a file of a CPU, and the folders that it is in. */
static void write_file(const char *tree, int cpu, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/sys/devices/system/cpu/cpu%d/%s", root, tree, cpu, name);
    for (char *slash = path + sizeof root; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0777);
    }
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static void write_core(const char *tree, int cpu, const char *midr, const char *capacity)
{
    write_file(tree, cpu, "regs/identification/midr_el1", midr);
    if (capacity)
        write_file(tree, cpu, "cpu_capacity", capacity);
}

static void write_cache(const char *tree, int number, const char *level, const char *type, const char *size)
{
    char name[64];
    snprintf(name, sizeof name, "cache/index%d/level", number);
    write_file(tree, 0, name, level);
    snprintf(name, sizeof name, "cache/index%d/type", number);
    write_file(tree, 0, name, type);
    snprintf(name, sizeof name, "cache/index%d/size", number);
    write_file(tree, 0, name, size);
}

static strew_linux_cpus read_tree(const char *tree)
{
    char path[256];
    strew_linux_cpus cpus;
    snprintf(path, sizeof path, "%s/%s", root, tree);
    strew_linux_cpus_read(&cpus, path);
    return cpus;
}

static void assert_caches(const strew_linux_cpus *cpus, long first, long second, long last)
{
    assert_int_equal(cpus->cache_bytes[STREW_CPU_FIRST_LEVEL], first);
    assert_int_equal(cpus->cache_bytes[STREW_CPU_SECOND_LEVEL], second);
    assert_int_equal(cpus->cache_bytes[STREW_CPU_LAST_LEVEL], last);
}

static void a_phone_has_small_and_large_cores(void **state)
{
    (void)state;
    for (int cpu = 0; cpu < 8; cpu++)
        write_core("phone", cpu, cpu < 4 ? "0x00000000412fd050" : "0x00000000414fd0b0", cpu < 4 ? "381" : "1024");
    write_cache("phone", 0, "1", "Data", "32K");
    write_cache("phone", 1, "1", "Instruction", "64K");
    write_cache("phone", 2, "2", "Unified", "128K");
    write_cache("phone", 3, "3", "Unified", "2M");
    const strew_linux_cpus cpus = read_tree("phone");
    assert_string_equal(cpus.names, "Cortex-A55, Cortex-A76");
    assert_true(cpus.differ);
    assert_caches(&cpus, 32 * KIB, 128 * KIB, 2 * MIB);
}

static void a_server_has_equal_cores(void **state)
{
    (void)state;
    for (int cpu = 0; cpu < 80; cpu++)
        write_core("server", cpu, "0x00000000413fd0c1", cpu % 2 ? "1024" : "1000");
    write_cache("server", 0, "1", "Data", "64K");
    write_cache("server", 1, "2", "Unified", "1024K");
    const strew_linux_cpus cpus = read_tree("server");
    assert_string_equal(cpus.names, "Neoverse N1");
    assert_false(cpus.differ);
    assert_caches(&cpus, 64 * KIB, 1 * MIB, 1 * MIB);
}

/* A name may begin another. */
static void an_unknown_core_is_named_by_its_numbers(void **state)
{
    (void)state;
    write_core("new", 0, "0x00000000610f0320", NULL);
    write_core("new", 1, "0x00000000610f0330", NULL);
    write_core("new", 2, "0x00000000990fabc0", NULL);
    const strew_linux_cpus cpus = read_tree("new");
    assert_string_equal(cpus.names, "Apple M2 small, Apple M2, ARM core 99abc");
    assert_false(cpus.differ);
    assert_caches(&cpus, 0, 0, 0);
}

static void names_are_cut_where_there_are_too_many(void **state)
{
    (void)state;
    for (int cpu = 0; cpu < 20; cpu++) {
        char midr[32];
        snprintf(midr, sizeof midr, "0x00000000990f%03x0", cpu);
        write_core("many", cpu, midr, NULL);
    }
    const strew_linux_cpus cpus = read_tree("many");
    assert_int_equal(strlen(cpus.names), STREW_LINUX_NAMES_BYTES - 1);
}

static void without_files_nothing_is_told(void **state)
{
    (void)state;
    const strew_linux_cpus cpus = read_tree("nothing");
    assert_string_equal(cpus.names, "");
    assert_false(cpus.differ);
    assert_caches(&cpus, 0, 0, 0);
}

static void more_shards_are_dealt_out_where_cores_differ(void **state)
{
    (void)state;
    assert_int_equal(strew_shards_for(1e9, 8, false), 8);
    assert_int_equal(strew_shards_for(1e9, 8, true), 128);
    assert_int_equal(strew_shards_for(0, 8, true), 8);
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phone_has_small_and_large_cores),
        cmocka_unit_test(a_server_has_equal_cores),
        cmocka_unit_test(an_unknown_core_is_named_by_its_numbers),
        cmocka_unit_test(names_are_cut_where_there_are_too_many),
        cmocka_unit_test(without_files_nothing_is_told),
        cmocka_unit_test(more_shards_are_dealt_out_where_cores_differ),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
