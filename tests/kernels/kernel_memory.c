/* Operands between guard pages. */
#include "kernel_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Two vectors of 256 bits. Also the alignment from which misalignments count. */
enum { CANARY_BYTES = 64 };

bool operand_create(operand *self)
{
    memset(self, 0, sizeof *self);
    self->room = system_guarded_create(OPERAND_ROOM);
    self->window = self->room; /* empty, until it is placed */
    self->initial = malloc(OPERAND_ROOM);
    self->expected = malloc(OPERAND_ROOM);
    return self->room && self->initial && self->expected;
}

void operand_destroy(operand *self)
{
    system_guarded_destroy(self->room, OPERAND_ROOM);
    free(self->initial);
    free(self->expected);
}

static char *placed_at(const operand *self, operand_placement placement, size_t misalignment)
{
    switch (placement) {
    case OPERAND_BEHIND_GUARD: return self->room;
    case OPERAND_BEFORE_GUARD: return self->room + OPERAND_ROOM - self->bytes;
    default: return self->room + CANARY_BYTES + misalignment;
    }
}

/* Another byte for each operand, so that canaries copied from one to another show. */
static int canary_of(const char *name)
{
    unsigned canary = 0xa5;
    while (*name)
        canary = 31 * canary + (unsigned char)*name++;
    return (int)(canary % 251);
}

void operand_place(operand *self, const char *name, size_t bytes, operand_placement placement, size_t misalignment)
{
    assert(bytes + misalignment + CANARY_BYTES <= OPERAND_ROOM);
    self->name = name;
    self->bytes = bytes;
    self->begin = placed_at(self, placement, misalignment);
    const size_t before = (size_t)(self->begin - self->room);
    const size_t behind = OPERAND_ROOM - before - bytes;
    self->window = before > CANARY_BYTES ? self->begin - CANARY_BYTES : self->room;
    const char *end = self->begin + bytes + (behind > CANARY_BYTES ? CANARY_BYTES : behind);
    self->window_bytes = (size_t)(end - self->window);
    memset(self->window, canary_of(name), self->window_bytes);
}

size_t operand_misalignment(const operand *self)
{
    return (size_t)(self->begin - self->room) % CANARY_BYTES;
}

void operand_remember(operand *self)
{
    memcpy(self->initial, self->window, self->window_bytes);
    memcpy(self->expected, self->window, self->window_bytes);
}

char *operand_expected(const operand *self, const char *place)
{
    return self->expected + (place - self->window);
}

const char *operand_initial(const operand *self, const char *place)
{
    return self->initial + (place - self->window);
}

const char *operand_difference(const operand *self)
{
    if (memcmp(self->window, self->expected, self->window_bytes) == 0)
        return NULL;
    size_t i = 0;
    while (self->window[i] == self->expected[i])
        i++;
    return self->window + i;
}

bool operand_is_around(const operand *self, const char *place)
{
    const size_t page = system_page_bytes();
    return place >= self->room - page && place < self->room + OPERAND_ROOM + page;
}
