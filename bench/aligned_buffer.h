/* Memory for tensors and copies. */
#ifndef STREW_BENCH_ALIGNED_BUFFER_H
#define STREW_BENCH_ALIGNED_BUFFER_H

#include <cstddef>
#include <memory>

namespace bench
{

/* From this size on, a buffer begins at a huge page and asks the system for huge pages. */
constexpr size_t huge_page_size = size_t{2} << 20;

/*
 * Zeroed bytes that begin at a page, and so at a cache line. Writing the zeros also maps the pages before
 * anything is timed. Not just at a cache line, because a memcpy between buffers at different places in their
 * pages loses some percent where loads seem to depend on stores 4 KiB away.
 */
class AlignedBuffer
{
  public:
    explicit AlignedBuffer(size_t size);

    char *data() const;
    size_t size() const;

  private:
    struct Release {
        size_t alignment;
        void operator()(char *bytes) const;
    };

    size_t size_;
    std::unique_ptr<char, Release> bytes_;
};

} // namespace bench

#endif
