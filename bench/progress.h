/* Shows on a terminal which row runs, how many there are, and the time left. */
#ifndef STREW_BENCH_PROGRESS_H
#define STREW_BENCH_PROGRESS_H

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>

namespace bench
{

/* One line, which the next one overwrites. A program that writes lines of its own clears it first. */
class Progress
{
  public:
    /* Writes to `out`, or nowhere if that is NULL. */
    explicit Progress(std::ostream *out);

    /* Sets the number of rows that will run. */
    void expect(size_t rows);

    /* Google Benchmark calls a row several times; only the first call of a name counts. */
    void begin(const std::string &name);

    void clear() const;

  private:
    using Clock = std::chrono::steady_clock;

    std::string time_left() const;

    std::ostream *out_;
    size_t rows_ = 0;
    size_t begun_ = 0;
    std::string name_;
    Clock::time_point start_ = Clock::now();
};

/* Whether standard error is a terminal. */
bool is_terminal();

} // namespace bench

#endif
