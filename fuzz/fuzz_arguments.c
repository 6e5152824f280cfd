/*
 * Fuzzes the command line: for any words it ends with a documented exit status, and a refused line leaves every
 * file as it was. Words come from strew's own lists, or are any text without a slash.
 */
#define _DEFAULT_SOURCE /* mkdtemp, dprintf, d_type of readdir */

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strew/operators.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "input.h"
#include "npy.h"

int strew_main(int argc, char **argv);
const char *__asan_default_options(void);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Refuses allocations larger than any file here, as if memory were short. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    dprintf(STDERR_FILENO, "%s\n", what);
    abort();
}

/* ---- Files --------------------------------------------------------------------------------------- */

enum { FILE_ROOM = 512 };

/* A tensor of ones, for which every index is valid. Keeps the bytes of the file for a comparison. */
typedef struct input_file {
    const char *name;
    strew_dtype dtype;
    int32_t rank;
    int64_t shape[2];
    size_t size;
    char bytes[FILE_ROOM];
} input_file;

static input_file files[] = {
    {.name = "f.npy", .dtype = STREW_DTYPE_FLOAT32, .rank = 2, .shape = {3, 2}},
    {.name = "g.npy", .dtype = STREW_DTYPE_FLOAT32, .rank = 1, .shape = {3}},
    {.name = "h.npy", .dtype = STREW_DTYPE_UINT16, .rank = 2, .shape = {3, 2}},
    {.name = "i.npy", .dtype = STREW_DTYPE_INT64, .rank = 2, .shape = {3, 1}},
    {.name = "j.npy", .dtype = STREW_DTYPE_INT64, .rank = 1, .shape = {3}},
    {.name = "k.npy", .dtype = STREW_DTYPE_INT32, .rank = 2, .shape = {3, 2}},
    {.name = "l.npy", .dtype = STREW_DTYPE_INT32, .rank = 1, .shape = {3}},
    {.name = "one.npy", .dtype = STREW_DTYPE_INT64, .rank = 0},
    {.name = "empty.npy", .dtype = STREW_DTYPE_INT64, .rank = 2, .shape = {0, 2}},
};

enum { FILES = sizeof files / sizeof *files };

static size_t read_file(const char *name, char bytes[FILE_ROOM])
{
    FILE *stream = fopen(name, "rb");
    const size_t size = stream ? fread(bytes, 1, FILE_ROOM, stream) : 0;
    if (stream)
        fclose(stream);
    return size;
}

static void write_file(const input_file *self)
{
    FILE *stream = fopen(self->name, "wb");
    require(stream && fwrite(self->bytes, 1, self->size, stream) == self->size && fclose(stream) == 0,
            "no room for the files");
}

static void make_file(input_file *self)
{
    const npy_array like = {.dtype = self->dtype};
    npy_array array;
    npy_error error;
    require(npy_create_like(&array, &like, self->rank, self->shape, &error) == STREW_STATUS_OK, "no array");
    const size_t element = strew_dtype_size(self->dtype);
    int64_t count = 1;
    for (int32_t d = 0; d < self->rank; d++)
        count *= self->shape[d];
    for (int64_t i = 0; i < count; i++)
        ((char *)array.data)[(size_t)i * element] = 1;
    require(npy_write(self->name, &array, NULL, NULL, &error) == STREW_STATUS_OK, "no file");
    npy_free(&array);
    self->size = read_file(self->name, self->bytes);
}

static const input_file *find_file(const char *name)
{
    for (size_t f = 0; f < FILES; f++)
        if (strcmp(files[f].name, name) == 0)
            return &files[f];
    return NULL;
}

/* Removes all other files; returns how many there were. */
static size_t remove_others(void)
{
    size_t others = 0;
    DIR *folder = opendir(".");
    require(folder != NULL, "no folder");
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_type != DT_DIR && !find_file(entry->d_name)) {
            others++;
            unlink(entry->d_name);
        }
    closedir(folder);
    return others;
}

static bool is_as_before(const input_file *self)
{
    char bytes[FILE_ROOM];
    return read_file(self->name, bytes) == self->size && memcmp(bytes, self->bytes, self->size) == 0;
}

static void check_files(int result)
{
    const size_t others = remove_others();
    size_t changed = 0;
    for (size_t f = 0; f < FILES; f++)
        if (!is_as_before(&files[f])) {
            write_file(&files[f]);
            changed++;
        }
    require(others + changed <= (result == EXIT_DONE ? 1 : 0), "a refused line has written a file");
}

/* ---- Words --------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 24, WORD_ROOM = 96, TEXT_ROOM = 24 };

typedef struct words {
    int count;
    char text[MOST_WORDS][WORD_ROOM];
} words;

static const char *some_name(input *bytes)
{
    static names_function *const lists[] = {names_of_reductions, names_of_dtypes,  names_of_isas,
                                            names_of_bounds,     names_of_empties, names_of_operators,
                                            names_of_commands};
    static names list;
    list.count = 0;
    lists[input_below(bytes, sizeof lists / sizeof *lists)](&list);
    return list.name[input_below(bytes, list.count)];
}

static void put_text(char *word, input *bytes)
{
    const uint64_t length = input_below(bytes, TEXT_ROOM);
    for (uint64_t i = 0; i < length; i++) {
        const char c = (char)input_bits(bytes, 1);
        *word++ = c == '/' ? '_' : c;
    }
    *word = '\0';
}

static void put_word(char word[WORD_ROOM], input *bytes)
{
    switch (input_below(bytes, 8)) {
    case 0: put_text(word, bytes); break;
    case 1: snprintf(word, WORD_ROOM, "-%c", cli_options[input_below(bytes, OPTIONS)].letter); break;
    case 2: strcpy(word, some_name(bytes)); break;
    case 3: snprintf(word, WORD_ROOM, "%d", (int)input_between(bytes, -3, 3)); break;
    case 4: strcpy(word, strew_operator_at(input_below(bytes, strew_operator_count()))->name); break;
    case 5: strcpy(word, files[input_below(bytes, FILES)].name); break;
    default: strcpy(word, cli_options[input_below(bytes, OPTIONS)].name);
    }
}

static void add(words *self, const char *word)
{
    if (self->count < MOST_WORDS)
        snprintf(self->text[self->count++], WORD_ROOM, "%s", word);
}

/* Digits, and the separators of slices and numbers. */
static void put_numbers(char *word, input *bytes)
{
    static const char signs[] = "0123:,-.";
    const uint64_t length = input_below(bytes, 12);
    for (uint64_t i = 0; i < length; i++)
        *word++ = signs[input_below(bytes, sizeof signs - 1)];
    *word = '\0';
}

/* An option with a value of its kind. */
static void add_option(words *self, size_t option, input *bytes)
{
    static names list;
    const cli_option *given = &cli_options[option];
    char value[WORD_ROOM];
    add(self, given->name);
    if (!given->value)
        return;
    list.count = 0;
    if (given->names)
        given->names(&list);
    switch (option == OPTION_THREADS ? 1 : input_below(bytes, 3)) { /* never many threads, which take time */
    case 0: put_numbers(value, bytes); break;
    case 1: snprintf(value, sizeof value, "%d", (int)input_between(bytes, -3, 3)); break;
    default: strcpy(value, files[input_below(bytes, FILES)].name);
    }
    add(self, list.count > 0 ? list.name[input_below(bytes, list.count)] : value);
}

/* An operator with the files that it needs. */
static void begin_run(words *self, input *bytes)
{
    const strew_operator *op = strew_operator_at(input_below(bytes, strew_operator_count()));
    const uint64_t inputs = input_below(bytes, 4);
    add(self, "run");
    add(self, op->name);
    for (uint64_t o = OPTION_DATA; o < OPTION_DATA + inputs; o++) {
        add(self, cli_options[o].name);
        add(self, files[input_below(bytes, FILES)].name);
    }
    add(self, cli_options[OPTION_OUTPUT].name);
    add(self, input_rarely(bytes, 4) ? files[input_below(bytes, FILES)].name : "out.npy");
}

/* Mostly a line that makes sense, then any words, also "--name=value". */
static void put_words(words *self, input *bytes)
{
    self->count = 0;
    add(self, "strew");
    if (!input_rarely(bytes, 4))
        begin_run(self, bytes);
    for (uint64_t options = input_below(bytes, 5); options > 0; options--)
        add_option(self, input_below(bytes, OPTIONS), bytes);
    for (uint64_t others = input_below(bytes, 5); others > 0; others--) {
        char word[2 * WORD_ROOM], value[WORD_ROOM];
        put_word(word, bytes);
        put_word(value, bytes);
        if (input_rarely(bytes, 8))
            strcat(strcat(word, "="), value);
        add(self, word);
    }
}

/* Runs a line. A line that measures would take long: only its words are parsed. */
static int run(words *self)
{
    arguments given = {.operand = NULL};
    char *argv[MOST_WORDS + 1] = {NULL};
    for (int w = 0; w < self->count; w++)
        argv[w] = self->text[w];
    optind = 0; /* getopt begins again */
    const bool measures = self->count > 1 && strcmp(argv[1], "tune") == 0;
    return measures ? arguments_parse(command_find("tune"), self->count - 1, argv + 1, &given)
                    : strew_main(self->count, argv);
}

/* ---- The target ---------------------------------------------------------------------------------- */

/* A line runs in a folder of its own, and the fuzzer's paths stay valid. */
static int own_folder, fuzzers_folder;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char path[] = "/tmp/strew-fuzz-XXXXXX";
    (void)argc, (void)argv;
    fuzzers_folder = open(".", O_RDONLY | O_DIRECTORY);
    require(mkdtemp(path) != NULL, "no folder of its own");
    own_folder = open(path, O_RDONLY | O_DIRECTORY);
    require(own_folder >= 0 && fuzzers_folder >= 0 && fchdir(own_folder) == 0, "no folder of its own");
    for (size_t f = 0; f < FILES; f++)
        make_file(&files[f]);
    stdout = stderr = fopen("/dev/null", "w");
    return fchdir(fuzzers_folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static words line;
    input left = {bytes, size};
    put_words(&line, &left);
    require(fchdir(own_folder) == 0, "no folder of its own");
    const int result = run(&line);
    require(result == EXIT_DONE || result == EXIT_REFUSED || result == EXIT_WRONG_COMMAND_LINE,
            "an exit status that is not documented");
    check_files(result);
    return fchdir(fuzzers_folder);
}
