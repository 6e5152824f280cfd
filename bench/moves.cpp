/* One loop for each size of item, each direction, and registers of 16 and of 32 bytes. */
#include "moves.h"

#include <stdexcept>

#if defined(__x86_64__) || defined(__i386__)
#define WITH_AVX __attribute__((target("avx")))
#else
#define WITH_AVX
#endif

namespace bench
{
namespace
{

/* The moves are inlined into the loop: a call of memcpy for each item would be slower than the limit. */
#define INLINED inline __attribute__((always_inline))

/* Loads from and stores to any address. GCC would split a memcpy of 32 bytes into two moves of 16. */
template <size_t Bytes> struct Register {
    typedef char Unaligned __attribute__((vector_size(Bytes), aligned(1), may_alias));
};

/* Two registers, which overlap in the middle unless the item fills them. */
template <size_t Half, size_t Bytes> INLINED void move_halves(char *target, const char *source)
{
    using Unaligned = typename Register<Half>::Unaligned;
    const Unaligned first = *reinterpret_cast<const Unaligned *>(source);
    const Unaligned last = *reinterpret_cast<const Unaligned *>(source + Bytes - Half);
    *reinterpret_cast<Unaligned *>(target) = first;
    *reinterpret_cast<Unaligned *>(target + Bytes - Half) = last;
}

constexpr size_t half_rounded_up(size_t bytes)
{
    size_t part = 1;
    while (2 * part < bytes)
        part *= 2;
    return part;
}

template <size_t Widest, size_t Bytes> INLINED void move_item(char *target, const char *source)
{
    constexpr size_t step = 2 * Widest;
    if constexpr (Bytes == 1) {
        *target = *source;
    } else if constexpr (Bytes <= step) {
        move_halves<half_rounded_up(Bytes), Bytes>(target, source);
    } else {
        for (size_t i = 0; i + step < Bytes; i += step)
            move_halves<Widest, step>(target + i, source + i);
        move_halves<Widest, step>(target + Bytes - step, source + Bytes - step);
    }
}

enum class Way { gather, scatter, both };

template <size_t Widest, size_t Bytes, Way way>
INLINED void move_items(char *target, const char *source, Places places, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const size_t from = way == Way::scatter ? i : places.from[i], to = way == Way::gather ? i : places.to[i];
        move_item<Widest, Bytes>(target + to * Bytes, source + from * Bytes);
    }
}

template <size_t Bytes, Way way>
void move_by_16(char *target, const char *source, Places places, size_t begin, size_t end)
{
    move_items<16, Bytes, way>(target, source, places, begin, end);
}

template <size_t Bytes, Way way>
WITH_AVX void move_by_32(char *target, const char *source, Places places, size_t begin, size_t end)
{
    move_items<32, Bytes, way>(target, source, places, begin, end);
}

bool has_avx()
{
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_cpu_supports("avx");
#else
    return false;
#endif
}

struct Moves {
    size_t item_bytes;
    MoveFunction *gather;
    MoveFunction *scatter;
    MoveFunction *both;
};

template <size_t... Bytes> std::vector<Moves> moves_of()
{
    if (has_avx())
        return {{Bytes, move_by_32<Bytes, Way::gather>, move_by_32<Bytes, Way::scatter>,
                 move_by_32<Bytes, Way::both>}...};
    return {
        {Bytes, move_by_16<Bytes, Way::gather>, move_by_16<Bytes, Way::scatter>, move_by_16<Bytes, Way::both>}...};
}

const Moves &moves_for(size_t item_bytes)
{
    /* Powers of two; then rows of 3, of 15 and of 35 elements. */
    static const std::vector<Moves> sizes =
        moves_of<1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 3, 6, 12, 24, 48, 15, 30, 60,
                 120, 240, 35, 70, 140, 280, 560>();
    for (const Moves &moves : sizes)
        if (moves.item_bytes == item_bytes)
            return moves;
    throw std::logic_error("moves.cpp has no loop for items of " + std::to_string(item_bytes) + " bytes");
}

} // namespace

ItemMoves::ItemMoves(const Workload &workload, const Operands &operands)
    : to_(static_cast<char *>(operands.buffers().output)), count_(operands.positions().size())
{
    const strew_buffers buffers = operands.buffers();
    const Moves &moves = moves_for(item_bytes(workload));
    const uint32_t *const placed = operands.positions().data();
    const bool along_edges = addressing_of(workload) == Addressing::edges;
    const bool from_data = is_gather(workload) || fills_bags(workload);
    from_ = static_cast<const char *>(from_data ? buffers.data : buffers.updates);
    if (along_edges)
        places_ = {placed, operands.targets().data()};
    else
        places_ = is_gather(workload) ? Places{placed, nullptr} : Places{nullptr, placed};
    move_ = along_edges ? moves.both : is_gather(workload) ? moves.gather : moves.scatter;
}

void ItemMoves::run(const Team &team) const
{
    team.share(count_, 1, [this](size_t begin, size_t end) { move_(to_, from_, places_, begin, end); });
}

} // namespace bench
