/*
 * The main() of a fuzz target without libFuzzer, above all with gcc: it runs the inputs of a file, in hexadecimal,
 * one a line. A finding aborts it, as always.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 1 << 16, // bytes of an input
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words) __attribute__((weak)); // not every target has one

static int digit(char character)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = character ? strchr(digits, character) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* The bytes of a line, or -1 if it is not one of such digits. */
static ptrdiff_t read_line(const char *line, uint8_t *bytes)
{
    ptrdiff_t size = 0;
    for (; digit(line[0]) >= 0 && digit(line[1]) >= 0; line += 2)
        bytes[size++] = (uint8_t)(digit(line[0]) * 16 + digit(line[1]));
    return *line == '\n' || *line == '\0' ? size : -1;
}

/* Copies the input, so that a sanitizer sees reads beyond it. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

int main(int count, char **words)
{
    static char line[2 * LONGEST + 2];
    static uint8_t bytes[LONGEST];
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: %s FILE, which has an input a line, in hexadecimal\n", words[0]);
        return 2;
    }
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&count, &words);
    long inputs = 0;
    for (; fgets(line, sizeof line, file); inputs++) {
        const ptrdiff_t size = read_line(line, bytes);
        if (size < 0) {
            fprintf(stderr, "%s:%ld: no input in hexadecimal\n", words[1], inputs + 1);
            return 2;
        }
        run(bytes, (size_t)size);
    }
    fclose(file);
    printf("%ld inputs\n", inputs);
    return inputs ? 0 : 2;
}
