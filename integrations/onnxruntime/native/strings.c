#include "strings.h"

static OrtStatus *copy(const OrtApi *api, const OrtValue *from, size_t position, OrtValue *to, size_t element)
{
    size_t length;
    char *text;
    OrtStatus *status = api->GetStringTensorElementLength(from, position, &length);
    if (!status)
        status = api->GetResizedStringTensorElementBuffer(to, element, length, &text);
    if (!status)
        status = api->GetStringTensorElement(from, length, position, text);
    return status;
}

OrtStatus *strew_ort_move_strings(const OrtApi *api, const strew_ort_strings *strings)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < strings->count; i++) {
        const size_t position = (size_t)strings->positions[i];
        if (position >= strings->data_count)
            status = copy(api, strings->updates, position - strings->data_count, strings->output, i);
        else if (!strings->is_in_place)
            status = copy(api, strings->data, position, strings->output, i);
    }
    return status;
}
