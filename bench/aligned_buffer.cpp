/* Allocation, alignment and the advice about page size. */
#include "aligned_buffer.h"

#include <cstring>
#include <new>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace bench
{
namespace
{

constexpr size_t page_size = 4096;

size_t alignment_of(size_t size)
{
    return size < huge_page_size ? page_size : huge_page_size;
}

/* A system that declines gives small pages, which the preamble of the report lets its reader know. */
void ask_for_huge_pages(char *bytes, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size >= huge_page_size)
        madvise(bytes, size, MADV_HUGEPAGE);
#else
    static_cast<void>(bytes);
    static_cast<void>(size);
#endif
}

} // namespace

AlignedBuffer::AlignedBuffer(size_t size)
    : size_(size), bytes_(static_cast<char *>(::operator new (size, std::align_val_t{alignment_of(size)})),
                          Release{alignment_of(size)})
{
    ask_for_huge_pages(bytes_.get(), size);
    std::memset(bytes_.get(), 0, size);
}

void AlignedBuffer::Release::operator()(char *bytes) const
{
    ::operator delete (bytes, std::align_val_t{alignment});
}

char *AlignedBuffer::data() const
{
    return bytes_.get();
}

size_t AlignedBuffer::size() const
{
    return size_;
}

} // namespace bench
