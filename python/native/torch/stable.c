#include "host.h"
#include "takeover.h"

#include <string.h>

#ifdef _WIN32
#include <windows.h>

static void *library_find(const char *path)
{
    return (void *)GetModuleHandleA(path);
}

static void *function_find(void *library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress((HMODULE)library, name);
}

static void library_release(void *library)
{
    (void)library; /* GetModuleHandle takes no reference */
}
#else
#include <dlfcn.h>

static void *library_find(const char *path)
{
    return dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

static void *function_find(void *library, const char *name)
{
    return dlsym(library, name);
}

static void library_release(void *library)
{
    dlclose(library);
}
#endif

strew_torch_functions pytorch;

/* Stores a symbol's address as a function pointer, which C has no conversion for. */
static bool find(void *library, const char *name, void *function)
{
    void *const address = function_find(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

void *(*strew_torch_wrap)(AtenTensorHandle tensor);

/* PyTorch's log level, a variable of its library c10; NULL if it has none. */
static int *log_level;

int strew_torch_quieten(void)
{
    const int level = log_level ? *log_level : 0;
    if (log_level)
        *log_level = 2; /* errors */
    return level;
}

void strew_torch_restore(int level)
{
    if (log_level)
        *log_level = level;
}

static const char *find_all(void *library, strew_torch_functions *found)
{
#define FIND(result, name, arguments)        \
    if (!find(library, #name, &found->name)) \
        return #name;
    STREW_TORCH_FUNCTIONS(FIND)
#undef FIND
#define FIND(result, name, arguments) find(library, #name, &found->name);
    STREW_TORCH_LATER_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

const char *strew_torch_load(const char *path)
{
    void *const library = library_find(path);
    if (!library)
        return "";
    strew_torch_functions found = {0};
    const char *const missing = find_all(library, &found);
    if (!missing) {
        pytorch = found;
        strew_torch_learn_constants();
        strew_torch_find_exceptions(library, function_find);
        native_find(library, function_find);
        log_level = function_find(library, "FLAGS_caffe2_log_level");
    }
    library_release(library);
    return missing;
}

void strew_torch_load_python(const char *path)
{
    void *const library = library_find(path);
    if (!library)
        return;
    find(library, "_Z16THPVariable_WrapRKN2at10TensorBaseE", &strew_torch_wrap);
    library_release(library);
}
