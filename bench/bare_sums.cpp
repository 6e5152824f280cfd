/*
 * strew-bare-sums: measures the least time of sums of gathered rows on this CPU: loops without checks, with rows of
 * a length that the compiler knows, and with entries sorted by their targets or in any order. They are compiled for
 * this CPU (halves only if it converts them) and use nothing of strew.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "aligned_buffer.h"

namespace
{

#if defined(__AVX512F__)
constexpr size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr size_t vector_bytes = 32;
#else
constexpr size_t vector_bytes = 16;
#endif
typedef float Vector __attribute__((vector_size(vector_bytes), aligned(4), may_alias));
constexpr size_t lanes = vector_bytes / sizeof(float);

struct Float32 {
    static constexpr const char *name = "float32";
    static constexpr size_t size = 4;
    static Vector load(const char *elements)
    {
        return *reinterpret_cast<const Vector *>(elements);
    }
};

#if defined(__F16C__)
struct Float16 {
    static constexpr const char *name = "float16";
    static constexpr size_t size = 2;
    static Vector load(const char *elements)
    {
#if defined(__AVX512F__)
        return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(elements)));
#else
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(elements)));
#endif
    }
};
#endif

/* The entries of a call: the row of the table that each reads, and the target that it goes into. */
struct Entries {
    std::vector<size_t> sources, targets;
    size_t target_count;
};

constexpr size_t table_bytes = size_t{2} << 20; /* the least of the bags that bench/peers races */
constexpr size_t entry_count = 200'000;
constexpr size_t target_counts[] = {200, 800, 3'125, 12'500, 50'000, 200'000};
constexpr size_t rows_ahead = 16; /* prefetched */

/* As many entries for each target, in any order. */
Entries draw(size_t target_count, size_t table_rows)
{
    std::mt19937_64 random(1);
    std::uniform_int_distribution<size_t> rows(0, table_rows - 1);
    Entries entries{std::vector<size_t>(entry_count + rows_ahead), std::vector<size_t>(entry_count + rows_ahead),
                    target_count};
    for (size_t i = 0; i < entry_count; ++i) {
        entries.sources[i] = rows(random);
        entries.targets[i] = i % target_count;
    }
    std::shuffle(entries.targets.begin(), entries.targets.begin() + entry_count, random);
    return entries;
}

template <size_t bytes> void prefetch_row(const char *row)
{
    for (size_t line = 0; line < bytes; line += 64)
        __builtin_prefetch(row + line);
}

/* Vector number v of a row, and of a sum. */
template <class Element> Vector load(const char *row, size_t v)
{
    return Element::load(row + v * lanes * Element::size);
}
void store(char *sum, size_t v, Vector stored)
{
    *reinterpret_cast<Vector *>(sum + v * vector_bytes) = stored;
}

/* Sums of rows of so many bytes, all float32, in the order of the entries. */
template <class Element, size_t row_bytes> class Sums
{
  public:
    static constexpr size_t vectors = row_bytes / Element::size / lanes;
    static constexpr size_t sum_bytes = vectors * vector_bytes;

    Sums(const Entries &entries, const char *table)
        : entries_(entries), table_(table), ends_(entries.target_count), order_(entry_count + rows_ahead),
          sums_(entries.target_count * sum_bytes)
    {
    }

    void count()
    {
        std::fill(ends_.begin(), ends_.end(), 0u);
        for (size_t i = 0; i < entry_count; ++i)
            ++ends_[entries_.targets[i]];
        std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), 0u);
    }

    void place()
    {
        for (size_t i = 0; i < entry_count; ++i)
            order_[ends_[entries_.targets[i]]++] = static_cast<uint32_t>(entries_.sources[i]);
    }

    /* Adds sorted entries: each sum stays in registers until it is stored. */
    void add_sorted()
    {
        const char *const table = table_;
        const uint32_t *const order = order_.data();
        char *const sums = sums_.data();
        uint32_t entry = 0;
        for (size_t target = 0; target < ends_.size(); ++target) {
            Vector sum[vectors] = {};
            for (const uint32_t end = ends_[target]; entry < end; ++entry) {
                prefetch_row<row_bytes>(table + order[entry + rows_ahead] * row_bytes);
                for (size_t v = 0; v < vectors; ++v)
                    sum[v] += load<Element>(table + order[entry] * row_bytes, v);
            }
            for (size_t v = 0; v < vectors; ++v)
                store(sums + target * sum_bytes, v, sum[v]);
        }
    }

    /* Adds entries in their order: each sum is read and written for each entry. */
    void add_named()
    {
        const char *const table = table_;
        const size_t *const sources = entries_.sources.data(), *const targets = entries_.targets.data();
        char *const sums = sums_.data();
        std::memset(sums, 0, sums_.size());
        for (size_t i = 0; i < entry_count; ++i) {
            char *const sum = sums + targets[i] * sum_bytes;
            prefetch_row<row_bytes>(table + sources[i + rows_ahead] * row_bytes);
            prefetch_row<sum_bytes>(sums + targets[i + rows_ahead] * sum_bytes);
            for (size_t v = 0; v < vectors; ++v)
                store(sum, v, load<Float32>(sum, v) + load<Element>(table + sources[i] * row_bytes, v));
        }
    }

    std::vector<char> sums() const
    {
        return std::vector<char>(sums_.data(), sums_.data() + sums_.size());
    }

  private:
    const Entries &entries_;
    const char *table_;
    std::vector<uint32_t> ends_, order_;
    bench::AlignedBuffer sums_;
};

template <class Work> double nanoseconds(const Work &work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - begin;
    return passed.count() / static_cast<double>(entry_count);
}

/* False if the two ways do not give the same sums. */
template <class Element, size_t row_bytes> bool measure(int rounds, size_t target_count)
{
    const bench::AlignedBuffer table(table_bytes);
    for (size_t i = 0; i < table_bytes; ++i)
        table.data()[i] = static_cast<char>(32 + i % 29); /* ordinary numbers in either dtype */
    const Entries entries = draw(target_count, table_bytes / row_bytes);
    Sums<Element, row_bytes> sums(entries, table.data());
    double count = 1e9, place = 1e9, sorted = 1e9, named = 1e9;
    for (int round = 0; round < rounds; ++round) {
        count = std::min(count, nanoseconds([&] { sums.count(); }));
        place = std::min(place, nanoseconds([&] { sums.place(); }));
        sorted = std::min(sorted, nanoseconds([&] { sums.add_sorted(); }));
        named = std::min(named, nanoseconds([&] { sums.add_named(); }));
    }
    const std::vector<char> found = sums.sums();
    sums.count();
    sums.place();
    sums.add_sorted();
    std::printf("%s %4zu bytes %9zu %9.2f %9.2f %9.2f %9.2f %9.2f\n", Element::name, row_bytes, target_count,
                sorted, count, place, named, std::min(count + place + sorted, named) / sorted);
    return found == sums.sums();
}

template <class Element, size_t row_bytes> bool measure_all(int rounds)
{
    bool right = true;
    for (const size_t target_count : target_counts)
        right &= measure<Element, row_bytes>(rounds, target_count);
    return right;
}

} // namespace

/* strew-bare-sums [ROUNDS] */
int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 25;
    std::printf(
        "Sums of %zu rows of a table of 2 MiB, in ns for each. Last: the less of sorting and adding, and of\n"
        "adding as named, over adding what is sorted.\n\n",
        entry_count);
    std::printf("rows                  targets    sorted     count     place  as named  any order\n");
    bool right = measure_all<Float32, 64>(rounds);
    right &= measure_all<Float32, 256>(rounds);
#if defined(__F16C__)
    right &= measure_all<Float16, 64>(rounds);
    right &= measure_all<Float16, 256>(rounds);
#endif
    if (!right)
        std::fprintf(stderr, "strew-bare-sums: two orders gave different sums\n");
    return right ? 0 : 1;
}
