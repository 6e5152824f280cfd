/*
 * A plugin for QEMU's user-mode emulators. It counts the instructions of marked regions of a guest:
 *
 *   qemu-aarch64 -plugin plugin.so,counts=FILE[,traces=DIRECTORY] PROGRAM
 *
 * The guest marks a region by a system call that Linux does not have (calls.c makes it). FILE gets a line for each
 * region, in order: instructions, loads, stores. An instruction that loads or stores counts once, whatever it
 * moves. DIRECTORY gets a file for each region, named by its number: the instructions executed, in order, four
 * bytes each.
 *
 * Debian has no header for plugins. The parts of QEMU's plugin interface, version 1, that are used are declared
 * here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MARK = 9000, BEGIN = 1, END = 2 }; /* the same as in calls.c */

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_plugin_tb qemu_plugin_tb;
typedef struct qemu_plugin_insn qemu_plugin_insn;
typedef struct qemu_info qemu_info;
enum { WITHOUT_REGISTERS = 0, LOADS_AND_STORES = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn *, void (*)(unsigned, uint32_t, uint64_t, void *), int, int,
                                      void *);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t,
                                          void (*)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t,
                                                   uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
bool qemu_plugin_mem_is_store(uint32_t);
size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb *);
qemu_plugin_insn *qemu_plugin_tb_get_insn(const qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const qemu_plugin_insn *);

static bool is_counting;
static uint64_t instructions, loads, stores;
static uint64_t last_load, last_store; /* instructions, when they happened: QEMU splits accesses of pairs */
static FILE *counts, *trace;
static char directory[512];

static void count_instruction(unsigned cpu, void *opcode)
{
    (void)cpu;
    if (!is_counting)
        return;
    instructions++;
    const uint32_t bits = (uint32_t)(uintptr_t)opcode;
    if (trace)
        fwrite(&bits, sizeof bits, 1, trace);
}

static void count_access(unsigned cpu, uint32_t access, uint64_t address, void *opcode)
{
    (void)cpu, (void)address, (void)opcode;
    if (!is_counting)
        return;
    uint64_t *const last = qemu_plugin_mem_is_store(access) ? &last_store : &last_load;
    uint64_t *const count = qemu_plugin_mem_is_store(access) ? &stores : &loads;
    *count += *last != instructions;
    *last = instructions;
}

static void translate(qemu_plugin_id_t id, qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        qemu_plugin_insn *const instruction = qemu_plugin_tb_get_insn(block, i);
        const size_t bytes = qemu_plugin_insn_size(instruction);
        uint32_t opcode = 0;
        memcpy(&opcode, qemu_plugin_insn_data(instruction), bytes < sizeof opcode ? bytes : sizeof opcode);
        void *const passed = (void *)(uintptr_t)opcode;
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, count_instruction, WITHOUT_REGISTERS, passed);
        qemu_plugin_register_vcpu_mem_cb(instruction, count_access, WITHOUT_REGISTERS, LOADS_AND_STORES, passed);
    }
}

static void begin_region(uint64_t region)
{
    instructions = loads = stores = last_load = last_store = 0;
    if (*directory) {
        char path[sizeof directory + 32];
        snprintf(path, sizeof path, "%s/%" PRIu64, directory, region);
        trace = fopen(path, "wb");
    }
    is_counting = true;
}

static void end_region(void)
{
    is_counting = false;
    if (trace)
        fclose(trace);
    trace = NULL;
    fprintf(counts, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", instructions, loads, stores);
    fflush(counts);
}

static void enter_system(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t what, uint64_t region,
                         uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == MARK && what == BEGIN)
        begin_region(region);
    else if (number == MARK && what == END)
        end_region();
}

/* The entry points that QEMU needs in a plugin. */
int qemu_plugin_version = 1;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info *info, int argument_count, char **arguments)
{
    static const char to_counts[] = "counts=", to_traces[] = "traces=";
    (void)info;
    for (int a = 0; a < argument_count; a++) {
        if (strncmp(arguments[a], to_counts, sizeof to_counts - 1) == 0)
            counts = fopen(arguments[a] + sizeof to_counts - 1, "w");
        if (strncmp(arguments[a], to_traces, sizeof to_traces - 1) == 0)
            snprintf(directory, sizeof directory, "%s", arguments[a] + sizeof to_traces - 1);
    }
    if (!counts)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, enter_system);
    return 0;
}
