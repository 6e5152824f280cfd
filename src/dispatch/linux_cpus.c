#include "dispatch/linux_cpus.h"

#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>

enum { CPUS_READ = 64, CACHES_READ = 8, PATH_BYTES = 256, FILE_BYTES = 32 };

/* Reads the beginning of a file of a CPU. The text is empty if there is no such file. */
static void read_cpu_file(char text[FILE_BYTES], const char *root, int cpu, const char *name)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/%s", root, cpu, name);
    const int file = length < PATH_BYTES ? open(path, O_RDONLY) : -1;
    ssize_t bytes = 0;
    if (file >= 0) {
        bytes = read(file, text, FILE_BYTES - 1);
        close(file);
    }
    text[bytes > 0 ? bytes : 0] = '\0';
}

/* Returns the number in a file of a CPU: 0x410fd034, 1024, 32K. 0 if there is no such file. */
static unsigned long read_cpu_number(const char *root, int cpu, const char *name)
{
    char text[FILE_BYTES], *end;
    read_cpu_file(text, root, cpu, name);
    const unsigned long number = strtoul(text, &end, 0);
    return *end == 'K' ? number << 10 : *end == 'M' ? number << 20 : number;
}

static void read_caches(strew_linux_cpus *cpus, const char *root)
{
    for (int c = 0; c < CACHES_READ; c++) {
        char name[FILE_BYTES], type[FILE_BYTES];
        snprintf(name, sizeof name, "cache/index%d/level", c);
        const unsigned long level = read_cpu_number(root, 0, name);
        snprintf(name, sizeof name, "cache/index%d/type", c);
        read_cpu_file(type, root, 0, name);
        snprintf(name, sizeof name, "cache/index%d/size", c);
        const long bytes = (long)read_cpu_number(root, 0, name);
        if (level == 0 || *type == 'I')
            continue;
        cpus->cache_bytes[STREW_CPU_LAST_LEVEL] = bytes;
        if (level <= STREW_CPU_LAST_LEVEL)
            cpus->cache_bytes[level - 1] = bytes;
    }
}

/* The kinds of cores by their numbers in the register MIDR: who made them, and the part. */
static const struct {
    uint32_t number;
    char name[16];
} core_kinds[] = {
    {0x41d03, "Cortex-A53"},     {0x41d04, "Cortex-A35"},     {0x41d05, "Cortex-A55"},
    {0x41d07, "Cortex-A57"},     {0x41d08, "Cortex-A72"},     {0x41d09, "Cortex-A73"},
    {0x41d0a, "Cortex-A75"},     {0x41d0b, "Cortex-A76"},     {0x41d0c, "Neoverse N1"},
    {0x41d0d, "Cortex-A77"},     {0x41d40, "Neoverse V1"},    {0x41d41, "Cortex-A78"},
    {0x41d44, "Cortex-X1"},      {0x41d46, "Cortex-A510"},    {0x41d47, "Cortex-A710"},
    {0x41d48, "Cortex-X2"},      {0x41d49, "Neoverse N2"},    {0x41d4d, "Cortex-A715"},
    {0x41d4e, "Cortex-X3"},      {0x41d4f, "Neoverse V2"},    {0x41d80, "Cortex-A520"},
    {0x41d81, "Cortex-A720"},    {0x41d82, "Cortex-X4"},      {0x41d84, "Neoverse V3"},
    {0x48d01, "Kunpeng 920"},    {0x48d40, "Kirin A76"},      {0x48d41, "Kirin A77"},
    {0x51001, "Oryon"},          {0x51800, "Kryo 2 gold"},    {0x51801, "Kryo 2 silver"},
    {0x51802, "Kryo 3 gold"},    {0x51803, "Kryo 3 silver"},  {0x51804, "Kryo 4 gold"},
    {0x51805, "Kryo 4 silver"},  {0x61022, "Apple M1 small"}, {0x61023, "Apple M1"},
    {0x61032, "Apple M2 small"}, {0x61033, "Apple M2"},       {0xc0ac3, "AmpereOne"},
    {0xc0ac4, "AmpereOne A"},
};

/* Adds the name of a kind of core, if it is not there. */
static void add_core_kind(char names[STREW_LINUX_NAMES_BYTES], unsigned long midr)
{
    const uint32_t number = (uint32_t)(midr >> 12 & 0xff000) | (midr >> 4 & 0xfff);
    char name[FILE_BYTES];
    snprintf(name, sizeof name, "ARM core %05x", (unsigned)number);
    for (size_t k = 0; k < sizeof core_kinds / sizeof *core_kinds; k++)
        if (core_kinds[k].number == number)
            strcpy(name, core_kinds[k].name);
    for (const char *found = names; (found = strstr(found, name)); found++)
        if (strchr(",", found[strlen(name)]))
            return;
    const size_t length = strlen(names);
    snprintf(names + length, STREW_LINUX_NAMES_BYTES - length, "%s%s", length > 0 ? ", " : "", name);
}

void strew_linux_cpus_read(strew_linux_cpus *cpus, const char *root)
{
    unsigned long least = 0, most = 0;
    memset(cpus, 0, sizeof *cpus);
    read_caches(cpus, root);
    for (int cpu = 0; cpu < CPUS_READ; cpu++) {
        const unsigned long midr = read_cpu_number(root, cpu, "regs/identification/midr_el1");
        const unsigned long capacity = read_cpu_number(root, cpu, "cpu_capacity");
        if (midr == 0 && capacity == 0)
            break;
        if (midr != 0)
            add_core_kind(cpus->names, midr);
        least = least == 0 || capacity < least ? capacity : least;
        most = capacity > most ? capacity : most;
    }
    cpus->differ = most > least + least / 8;
}

#else

void strew_linux_cpus_read(strew_linux_cpus *cpus, const char *root)
{
    (void)root;
    memset(cpus, 0, sizeof *cpus);
}

#endif
