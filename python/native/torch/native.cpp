/* Calls PyTorch's own kernels, at::cpu::NAME, without the dispatcher. The symbol of such a function encodes the
 * types of its arguments, so a function whose arguments have changed is not found. The call then goes through
 * Python. */
#include "host.h"
#include "takeover.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#if defined(__GNUC__) && !defined(_WIN32)

namespace
{
/* at::Tensor: one pointer. The destructor does nothing, but makes the ABI pass it in memory like at::Tensor. */
struct tensor {
    void *implementation;
    ~tensor()
    {
    }
};

/* ---- Symbols ---- */

#ifdef _LIBCPP_VERSION
constexpr const char *string_symbol = "NSt3__117basic_string_viewIcNS_11char_traitsIcEEEE";
constexpr const char *optional_symbol = "RKNSt3__18optionalIS1_EE";
#else
constexpr const char *string_symbol = "St17basic_string_viewIcSt11char_traitsIcEE";
constexpr const char *optional_symbol = "RKSt8optionalIS1_E";
#endif

/* The first tensor spells its type, later ones refer to it. */
std::string tensor_symbol(enum form form, bool first, bool second)
{
    if (form == IN_PLACE)
        return first ? "RNS_6TensorE" : second ? "RKS1_" : "S4_";
    return first ? "RKNS_6TensorE" : "S3_";
}

/* The symbol of at::cpu::NAME for these arguments, by the rules of the Itanium C++ ABI. */
std::string symbol_of(const operator_description &op)
{
    const std::string name = std::string(op.name) + (op.form == OUT ? "_outf" : "");
    const size_t count = std::strlen(op.arguments) - (op.form == OUT);
    std::string symbol = "_ZN2at3cpu" + std::to_string(name.size()) + name + "E";
    int tensors = 0;
    for (size_t i = 0; i < count; i++) {
        switch (op.arguments[i]) {
        case 'T': symbol += tensor_symbol(op.form, tensors == 0, tensors == 1), tensors++; break;
        case 'O': symbol += optional_symbol; break;
        case 'S': symbol += string_symbol; break;
        default: symbol += op.arguments[i] == 'i' ? (sizeof(long) == 8 ? 'l' : 'x') : 'b';
        }
    }
    return symbol + (op.form == OUT ? "RS1_" : "");
}

/* ---- Arguments ---- */

template <char kind> struct argument;

template <> struct argument<'T'> {
    using type = const tensor &;
    static type read(StableIValue value)
    {
        return *reinterpret_cast<const tensor *>(static_cast<uintptr_t>(value));
    }
};

template <> struct argument<'i'> {
    using type = int64_t;
    static type read(StableIValue value)
    {
        return static_cast<int64_t>(value);
    }
};

template <> struct argument<'b'> {
    using type = bool;
    static type read(StableIValue value)
    {
        return value & 1;
    }
};

template <> struct argument<'S'> {
    using type = std::string_view;
    static type read(StableIValue value)
    {
        const StringHandle text = reinterpret_cast<StringHandle>(static_cast<uintptr_t>(value));
        const char *characters = "";
        size_t length = 0;
        pytorch.torch_string_c_str(text, &characters);
        pytorch.torch_string_length(text, &length);
        return {characters, length};
    }
};

template <> struct argument<'O'> {
    using type = const std::optional<tensor> &;
    static std::optional<tensor> read(StableIValue value)
    {
        if (value == 0)
            return std::nullopt;
        const auto *const held = reinterpret_cast<const StableIValue *>(static_cast<uintptr_t>(value));
        return std::optional<tensor>(tensor{argument<'T'>::read(*held).implementation});
    }
};

/* ---- Results ---- */

/* Gives the reference that a returned tensor holds to a handle. */
void keep(const tensor &returned, AtenTensorHandle *result)
{
    if (pytorch.aoti_torch_new_uninitialized_tensor(result) == 0)
        reinterpret_cast<tensor *>(*result)->implementation = returned.implementation;
}

void keep_all(const tensor &returned, AtenTensorHandle *results)
{
    keep(returned, results);
}

void keep_all(const std::tuple<tensor, tensor, tensor, tensor> &returned, AtenTensorHandle *results)
{
    keep(std::get<0>(returned), &results[0]);
    keep(std::get<1>(returned), &results[1]);
    keep(std::get<2>(returned), &results[2]);
    keep(std::get<3>(returned), &results[3]);
}

/* ---- Calls ---- */

constexpr const char *kinds[BOXED_OPERATORS] = {
#define ROW(identifier, name, overload, arguments, form, results, kernel) arguments,
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
};

constexpr enum form forms[BOXED_OPERATORS] = {
#define ROW(identifier, name, overload, arguments, form, results, kernel) form,
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
};

constexpr int results_of[BOXED_OPERATORS] = {
#define ROW(identifier, name, overload, arguments, form, results, kernel) results,
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
};

constexpr size_t count_kinds(const char *text)
{
    return *text ? 1 + count_kinds(text + 1) : 0;
}

template <int id, size_t... place>
void call_with(void *address, const StableIValue *stack, AtenTensorHandle *results, std::index_sequence<place...>)
{
    using tuple = std::tuple<tensor, tensor, tensor, tensor>;
    using returned = std::conditional_t<forms[id] != FUNCTIONAL, const tensor &,
                                        std::conditional_t<results_of[id] == 4, tuple, tensor>>;
    using function = returned (*)(typename argument<kinds[id][place]>::type...);
    function call;
    std::memcpy(&call, &address, sizeof call);
    if constexpr (forms[id] == FUNCTIONAL)
        keep_all(call(argument<kinds[id][place]>::read(stack[place])...), results);
    else
        call(argument<kinds[id][place]>::read(stack[place])...);
}

template <int id> void call_at(void *address, const StableIValue *stack, AtenTensorHandle *results)
{
    call_with<id>(address, stack, results, std::make_index_sequence<count_kinds(kinds[id])>());
}

using caller = void (*)(void *address, const StableIValue *stack, AtenTensorHandle *results);

constexpr caller callers[BOXED_OPERATORS] = {
#define ROW(identifier, name, overload, arguments, form, results, kernel) call_at<identifier>,
    STREW_TORCH_OPERATORS(ROW)
#undef ROW
};

/* c10::ArrayRef<int64_t> */
struct list {
    const int64_t *values;
    size_t count;
};

/* at::detail::empty_strided_cpu(sizes, strides, dtype, pin_memory) */
using allocate = tensor (*)(list sizes, list strides, int8_t dtype, bool pinned);
constexpr const char *allocate_symbol = "_ZN2at6detail17empty_strided_cpuEN3c108ArrayRefIlEES3_NS1_10ScalarTypeEb";

allocate allocate_directly;
void *addresses[BOXED_OPERATORS];
bool is_direct[BOXED_OPERATORS];
} // namespace

void native_find(void *library, void *(*find)(void *, const char *))
{
    for (int id = 0; id < BOXED_OPERATORS; id++)
        addresses[id] = find(library, symbol_of(takeover_operators[id]).c_str());
    void *const address = find(library, allocate_symbol);
    std::memcpy(&allocate_directly, &address, sizeof address);
}

AtenTensorHandle native_empty(int32_t rank, const int64_t *sizes, const int64_t *strides, int32_t dtype)
{
    AtenTensorHandle owned = nullptr;
    if (!allocate_directly)
        return nullptr;
    try {
        keep(allocate_directly({sizes, static_cast<size_t>(rank)}, {strides, static_cast<size_t>(rank)},
                               static_cast<int8_t>(dtype), false),
             &owned);
    } catch (...) {
        return nullptr; /* the dispatcher will report the error */
    }
    return owned;
}

bool native_allow(operator_id id, bool allowed)
{
    if (id >= BOXED_OPERATORS)
        return false;
    is_direct[id] = allowed && addresses[id] != nullptr;
    return is_direct[id];
}

bool native_call(call *self, AtenTensorHandle *results)
{
    if (!is_direct[self->id])
        return false;
    try {
        callers[self->id](addresses[self->id], self->stack, results);
    } catch (...) {
        takeover_release(self);
        throw;
    }
    return true;
}
#else
void native_find(void *, void *(*)(void *, const char *))
{
}

bool native_allow(operator_id, bool)
{
    return false;
}

AtenTensorHandle native_empty(int32_t, const int64_t *, const int64_t *, int32_t)
{
    return nullptr;
}

bool native_call(call *, AtenTensorHandle *)
{
    return false;
}
#endif
