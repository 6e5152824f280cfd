/* strew info: the CPU, the instruction sets, and the instruction set of each slot of the kernel table. */
#include "command.h"

#include <stdio.h>
#include <string.h>

#include <strew/inspect.h>

static void print_json_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        if ((unsigned char)*text < 0x20)
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void print_json(const char *cpu)
{
    printf("{\n  \"version\": \"%s\",\n  \"cpu\": ", strew_version());
    print_json_string(cpu);
    printf(",\n  \"active\": \"%s\",\n  \"isas\": {", strew_isa_name(strew_isa_active()));
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++)
        printf("%s\n    \"%s\": \"%s\"", i == STREW_ISA_BEST + 1 ? "" : ",", strew_isa_name((strew_isa)i),
               strew_isa_state_name(strew_isa_get_state((strew_isa)i)));
    printf("\n  },\n  \"kernels\": [");
    strew_kernel_info kernel;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++)
        printf("%s\n    {\"operation\": \"%s\", \"operand\": \"%s\", \"isa\": \"%s\"}", k == 0 ? "" : ",",
               kernel.operation, kernel.operand, strew_isa_name(kernel.isa));
    puts("\n  ]\n}");
}

/* The operands of one operation that one instruction set serves. */
static void print_operands(const char *operation, strew_isa isa)
{
    strew_kernel_info kernel;
    bool any = false;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++) {
        if (strcmp(kernel.operation, operation) != 0 || kernel.isa != isa)
            continue;
        if (!any)
            printf("  %s:", strew_isa_name(isa));
        printf(" %s", kernel.operand);
        any = true;
    }
}

static void print_kernels_of(const char *operation)
{
    printf("  %-20s", operation);
    for (unsigned isa = STREW_ISA_BEST + 1; isa < STREW_ISA_COUNT; isa++)
        print_operands(operation, (strew_isa)isa);
    putchar('\n');
}

static bool seen_before(size_t slot)
{
    strew_kernel_info kernel, earlier;
    strew_kernel_at(slot, STREW_ISA_BEST, &kernel);
    for (size_t k = 0; k < slot && strew_kernel_at(k, STREW_ISA_BEST, &earlier); k++)
        if (strcmp(earlier.operation, kernel.operation) == 0)
            return true;
    return false;
}

static void print_text(const char *cpu)
{
    printf("strew %s\ncpu: %s\n\ninstruction sets:\n", strew_version(), cpu);
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++)
        printf("  %-8s %s%s\n", strew_isa_name((strew_isa)i),
               strew_isa_state_name(strew_isa_get_state((strew_isa)i)),
               (strew_isa)i == strew_isa_active() ? ", active" : "");
    puts("\nkernels picked:");
    strew_kernel_info kernel;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++)
        if (!seen_before(k))
            print_kernels_of(kernel.operation);
}

/* Each kernel by its name, which macros make of these three words. */
static void print_kernels(void)
{
    strew_kernel_info kernel;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++)
        printf("strew_%s_%s_%s\n", kernel.operation, kernel.operand, strew_isa_name(kernel.isa));
}

int command_info(const arguments *given)
{
    char cpu[256];
    strew_cpu_describe(cpu, sizeof cpu);
    if (given->option[OPTION_JSON])
        print_json(cpu);
    else if (given->option[OPTION_KERNELS])
        print_kernels();
    else
        print_text(cpu);
    return EXIT_DONE;
}
