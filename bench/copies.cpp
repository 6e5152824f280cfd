/* memcpy, and non-temporal stores over pages one after the other or several side by side. */
#include "copies.h"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bench
{
namespace
{

constexpr size_t page_size = 4096;
constexpr size_t line_size = 64;
constexpr size_t most_pages = 4;

void plain_copy(char *target, const char *source, size_t size)
{
    std::memcpy(target, source, size);
}

#ifdef __SSE2__
void stream_line(char *target, const char *source)
{
    for (size_t i = 0; i < line_size; i += sizeof(__m128i))
        _mm_stream_si128(reinterpret_cast<__m128i *>(target + i),
                         _mm_loadu_si128(reinterpret_cast<const __m128i *>(source + i)));
}

/*
 * Non-temporal stores do not read the destination before they write it, a third of the traffic of a copy that no
 * cache holds. Going through four pages at once keeps four prefetchers, and four pages of the memory, busy; which
 * is the faster way depends on the CPU.
 */
template <size_t Pages> void streaming_copy(char *target, const char *source, size_t size)
{
    constexpr size_t block_size = Pages * page_size;
    const size_t whole = size / block_size * block_size;
    for (size_t block = 0; block < whole; block += block_size)
        for (size_t line = block; line < block + page_size; line += line_size)
            for (size_t page = 0; page < block_size; page += page_size)
                stream_line(target + line + page, source + line + page);
    _mm_sfence();
    std::memcpy(target + whole, source + whole, size - whole);
}
#endif

} // namespace

const std::vector<Copy> &copies()
{
    static const std::vector<Copy> list = {
        {"memcpy", plain_copy},
#ifdef __SSE2__
        {"streaming_copy", streaming_copy<1>},
        {"interleaved_copy", streaming_copy<most_pages>},
#endif
    };
    return list;
}

void copy_shared(const Copy &copy, const Team &team, char *target, const char *source, size_t size)
{
    team.share(size, most_pages * page_size,
               [&](size_t begin, size_t end) { copy.function(target + begin, source + begin, end - begin); });
}

} // namespace bench
