/* Draws the indices. Uses only the generator of <random>: distributions differ between libraries. */
#include "distributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bench
{
namespace
{

constexpr uint64_t seed = 20240229;
constexpr double zipf_exponent = 1.1;

void draw_uniform(Positions &positions, IndexRange range)
{
    std::mt19937_64 random(seed);
    for (uint32_t &position : positions)
        position = static_cast<uint32_t>(random() % range.size);
}

void draw_expanded(Positions &positions, IndexRange range)
{
    std::mt19937_64 random(seed);
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] = i % range.run == 0 ? static_cast<uint32_t>(random() % range.size) : positions[i - 1];
}

void draw_sequential(Positions &positions, IndexRange range)
{
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] = static_cast<uint32_t>(i % range.size);
}

void draw_sorted(Positions &positions, IndexRange range)
{
    draw_uniform(positions, range);
    std::sort(positions.begin(), positions.end());
}

void draw_same(Positions &positions, IndexRange range)
{
    std::fill(positions.begin(), positions.end(), range.size / 2);
}

/*
 * Ranks 1 to n with probabilities proportional to rank^-s, by rejection-inversion: W. Hoermann and G. Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6(3), 1996.
 */
class ZipfRanks
{
  public:
    explicit ZipfRanks(uint32_t count)
        : count_(count), low_(integral(1.5) - 1), high_(integral(count + 0.5)),
          accepted_(2 - inverse(integral(2.5) - density(2)))
    {
    }

    uint32_t next(std::mt19937_64 &random) const
    {
        for (;;) {
            const double share = static_cast<double>(random() >> 11) * 0x1p-53;
            const double area = high_ + share * (low_ - high_);
            const double x = inverse(area);
            const double rank = std::clamp(std::round(x), 1.0, count_);
            if (rank - x <= accepted_ || area >= integral(rank + 0.5) - density(rank))
                return static_cast<uint32_t>(rank);
        }
    }

  private:
    static double density(double x)
    {
        return std::pow(x, -zipf_exponent);
    }

    static double integral(double x)
    {
        return (std::pow(x, 1 - zipf_exponent) - 1) / (1 - zipf_exponent);
    }

    static double inverse(double area)
    {
        return std::pow(1 + area * (1 - zipf_exponent), 1 / (1 - zipf_exponent));
    }

    double count_, low_, high_, accepted_;
};

/* The popular positions are spread over the range: multiplying by a prime maps the range onto itself. */
void draw_zipf(Positions &positions, IndexRange range)
{
    constexpr uint64_t prime = 2654435761;
    const ZipfRanks ranks(range.size);
    std::mt19937_64 random(seed);

    for (uint32_t &position : positions)
        position = static_cast<uint32_t>(ranks.next(random) * prime % range.size);
}

} // namespace

Distribution usual_distribution()
{
    return {"", draw_uniform};
}

Distribution sequential_distribution()
{
    return {"sequential", draw_sequential};
}

Distribution expanded_distribution()
{
    return {"expanded", draw_expanded};
}

std::vector<Distribution> named_distributions()
{
    return {
        sequential_distribution(), {"uniform", draw_uniform}, {"sorted", draw_sorted},
        {"zipf", draw_zipf},       {"same", draw_same},
    };
}

} // namespace bench
