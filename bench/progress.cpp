/* The line of progress. */
#include "progress.h"

#include <cstdio>
#include <ostream>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace bench
{
namespace
{

constexpr size_t longest_line = 79; /* a longer one would wrap, and stay on the screen */
constexpr char erase_line[] = "\r\033[K";

} // namespace

Progress::Progress(std::ostream *out) : out_(out)
{
}

void Progress::expect(size_t rows)
{
    rows_ = rows;
    start_ = Clock::now();
}

void Progress::begin(const std::string &name)
{
    if (out_ == nullptr || name == name_)
        return;
    name_ = name;
    ++begun_;
    const std::string line =
        "row " + std::to_string(begun_) + " of " + std::to_string(rows_) + time_left() + ": " + name;
    *out_ << erase_line << line.substr(0, longest_line) << std::flush;
}

void Progress::clear() const
{
    if (out_ != nullptr)
        *out_ << erase_line << std::flush;
}

/* Assumes that the remaining rows take as long on average as the finished ones. */
std::string Progress::time_left() const
{
    const size_t done = begun_ - 1;
    if (done == 0 || done >= rows_)
        return "";
    const std::chrono::duration<double> passed = Clock::now() - start_;
    const double seconds = passed.count() / static_cast<double>(done) * static_cast<double>(rows_ - done);
    char text[48];
    std::snprintf(text, sizeof text, ", %d:%02d left", static_cast<int>(seconds) / 60,
                  static_cast<int>(seconds) % 60);
    return text;
}

bool is_terminal()
{
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

} // namespace bench
