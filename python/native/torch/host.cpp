/* The parts that need C++: exceptions, and memory from operator new. */
#include "host.h"

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

/* ---- Exceptions ----
 *
 * Python sees IndexError only if the very class of PyTorch is thrown. Its header is not here, but the constructor
 * and the type information are symbols of libc10: the exception is made in storage that is larger than the class
 * has ever been, and thrown by the functions on which `throw` itself rests. */

#if defined(__GNUC__) && !defined(_WIN32)
#include <cxxabi.h>

namespace __cxxabiv1
{
extern "C" void *__cxa_allocate_exception(size_t) noexcept;
extern "C" void __cxa_throw(void *, std::type_info *, void (*)(void *)) __attribute__((noreturn));
} // namespace __cxxabiv1

namespace
{
/* c10::SourceLocation */
struct source_location {
    const char *function;
    const char *file;
    uint32_t line;
};

struct exception_class {
    void (*construct)(void *storage, source_location, std::string);
    std::type_info *type;
};

constexpr size_t exception_size = 2048; /* c10::Error has about 250 bytes */

exception_class classes[STREW_TORCH_NOT_IMPLEMENTED_ERROR + 1];

void find_class(void *library, void *(*find)(void *, const char *), const char *length_and_name,
                exception_class *found)
{
    const std::string name = std::string("N3c10") + length_and_name + "E";
    void *const construct = find(library, ("_Z" + name.substr(0, name.size() - 1) +
#ifdef _LIBCPP_VERSION
                                           "C1ENS_14SourceLocationENSt3__112basic_stringIcNS2_11char_traitsIcEENS2_"
                                           "9allocatorIcEEEE"
#else
                                           "C1ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcE"
                                           "SaIcEEE"
#endif
                                           )
                                              .c_str());
    void *const type = find(library, ("_ZTI" + name).c_str());
    if (!construct || !type)
        return;
    std::memcpy(&found->construct, &construct, sizeof construct);
    found->type = static_cast<std::type_info *>(type);
}

void destroy(void *exception)
{
    static_cast<std::exception *>(exception)->~exception();
}
} // namespace

void strew_torch_find_exceptions(void *library, void *(*find)(void *, const char *))
{
    find_class(library, find, "10IndexError", &classes[STREW_TORCH_INDEX_ERROR]);
    find_class(library, find, "10ValueError", &classes[STREW_TORCH_VALUE_ERROR]);
    find_class(library, find, "9TypeError", &classes[STREW_TORCH_TYPE_ERROR]);
    find_class(library, find, "19NotImplementedError", &classes[STREW_TORCH_NOT_IMPLEMENTED_ERROR]);
}

void strew_torch_raise(strew_torch_class kind, const char *text)
{
    const exception_class &chosen = classes[kind];
    if (!chosen.construct)
        throw std::runtime_error(text);
    void *const storage = __cxxabiv1::__cxa_allocate_exception(exception_size);
    chosen.construct(storage, {"strew", "strew", 0}, text);
    __cxxabiv1::__cxa_throw(storage, chosen.type, destroy);
}
#else
void strew_torch_find_exceptions(void *, void *(*)(void *, const char *))
{
}

void strew_torch_raise(strew_torch_class, const char *text)
{
    throw std::runtime_error(text);
}
#endif

/* ---- Memory ---- */

void strew_torch_delete_optional(StableIValue *value)
{
    if (!value)
        return;
    if (pytorch.torch_delete_stable_ivalue)
        pytorch.torch_delete_stable_ivalue(value);
    else
        delete value;
}
