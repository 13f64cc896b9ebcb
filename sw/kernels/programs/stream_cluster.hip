// Online clustering: points in many dimensions come in, centres are opened where that is cheaper than going to those
// there are (facility location, Meyerson's first guess improved by local search): the gain of opening a centre on the
// GPU, the decisions on the host.
//
// Sizes:      128 x 16, 1024 x 32, 8192 x 64 points x dimensions
// Kernel:     gain  coordinate f32[dimensions][points], weight f32[points], cost f32[points] of going to the centre
//             assigned u32[points] (its place in the list of open centres), candidate's number; switches u32[points],
//             out; saving f32[points][open + 1], out, zero before: what closing a centre would save this point, given
//             the candidate, and what opening the candidate saves it. One work-item per point, blocks of 256
// Divergence: points that the candidate is nearer to against those that stay (two-sided, marked)
// Rounding:   none: coordinates are whole numbers up to 255 and weights up to 4, so a cost is below 2^24 and f32 is
//             exact in any order; sums over points are of 64 bits on the host
#include <algorithm>
#include <numeric>

#include "program.h"

namespace {

constexpr uint32_t block = 256;

template <uint32_t dimensions>
__global__ __launch_bounds__(block) void gain(const float* coordinate, const float* weight, const float* cost,
                                              const uint32_t* assigned, uint32_t points, uint32_t candidate,
                                              uint32_t open, uint32_t* switches, float* saving) {
  const uint32_t i = blockIdx.x * block + threadIdx.x;
  if (i >= points) return;
  float squares = 0;
  const float *mine = coordinate + i, *theirs = coordinate + candidate;
#pragma unroll 1
  for (uint32_t k = 0; k < dimensions; ++k) {
    PWS_LOOP_BOUND(dimensions);
    const float apart = *mine - *theirs;
    squares += apart * apart;
    mine += points;
    theirs += points;
  }
  const float there = squares * weight[i], here = cost[i];
  float* savings = saving + size_t{i} * (open + 1);
  PWS_SPLIT();
  if (there < here) {
    switches[i] = 1;
    savings[open] = here - there;
  } else {
    switches[i] = 0;
    savings[assigned[i]] = here - there;  // what the point loses if its centre closes and it goes to the candidate
  }
}

struct problem {
  uint32_t points, dimensions;
  int64_t opening;                  // price of a centre
  std::vector<int32_t> coordinate;  // [dimension][point]
  std::vector<int32_t> weight;

  int64_t price(uint32_t a, uint32_t b) const {  // of a going to b
    int64_t squares = 0;
    for (uint32_t k = 0; k < dimensions; ++k) {
      const int64_t apart = coordinate[k * points + a] - coordinate[k * points + b];
      squares += apart * apart;
    }
    return squares * weight[a];
  }
};

struct clustering {
  std::vector<uint32_t> centre;    // points that are centres
  std::vector<uint32_t> assigned;  // each point's place in `centre`
  std::vector<int64_t> cost;       // of each point
  std::vector<int64_t> history;    // saved by each centre that was opened

  // Meyerson: points in random order, each a new centre with a probability that grows with its distance to those open.
  clustering(const problem& p, program::random_source& random) : assigned(p.points), cost(p.points) {
    for (uint32_t i = 0; i < p.points; ++i) {
      cost[i] = INT64_MAX;
      for (uint32_t k = 0; k < centre.size(); ++k) improve(i, k, p.price(i, centre[k]));
      if (centre.empty() || random.bits() < 0x1p32 * double(cost[i]) / double(p.opening)) {
        centre.push_back(i);
        improve(i, static_cast<uint32_t>(centre.size() - 1), 0);
      }
    }
  }
  void improve(uint32_t point, uint32_t place, int64_t price) {
    if (price >= cost[point]) return;
    cost[point] = price;
    assigned[point] = place;
  }
  int64_t total(const problem& p) const {
    return std::accumulate(cost.begin(), cost.end(), p.opening * static_cast<int64_t>(centre.size()));
  }
};

// What opening a centre at a point would do.
struct effect {
  std::vector<uint32_t> switches;  // whether each point would go there of itself
  std::vector<int64_t> saved;      // by the points of each centre if it closed; last, by those that switch
};

effect effect_by_definition(const problem& p, const clustering& now, uint32_t candidate) {
  effect e{std::vector<uint32_t>(p.points), std::vector<int64_t>(now.centre.size() + 1)};
  for (uint32_t i = 0; i < p.points; ++i) {
    const int64_t saved = now.cost[i] - p.price(i, candidate);
    e.switches[i] = saved > 0;
    e.saved[saved > 0 ? now.centre.size() : now.assigned[i]] += saved;
  }
  return e;
}

class device_clustering {
 public:
  explicit device_clustering(const problem& p)
      : p_(p),
        coordinate_(std::vector<float>(p.coordinate.begin(), p.coordinate.end())),
        weight_(std::vector<float>(p.weight.begin(), p.weight.end())),
        cost_(p.points),
        assigned_(p.points),
        switches_(p.points) {}

  effect operator()(const clustering& now, uint32_t candidate) {
    const auto open = static_cast<uint32_t>(now.centre.size());
    program::device_array<float> saving(size_t{p_.points} * (open + 1));
    saving.clear();
    cost_.upload(std::vector<float>(now.cost.begin(), now.cost.end()));
    assigned_.upload(now.assigned);
    const auto kernel = p_.dimensions == 16 ? gain<16> : p_.dimensions == 32 ? gain<32> : gain<64>;
    kernel<<<program::blocks_of(p_.points, block), block>>>(coordinate_.get(), weight_.get(), cost_.get(),
                                                            assigned_.get(), p_.points, candidate, open,
                                                            switches_.get(), saving.get());
    PROGRAM_LAUNCHED();
    effect e{switches_.download(), std::vector<int64_t>(open + 1)};
    const std::vector<float> savings = saving.download();
    for (size_t k = 0; k < savings.size(); ++k) e.saved[k % (open + 1)] += static_cast<int64_t>(savings[k]);
    return e;
  }

 private:
  const problem& p_;
  program::device_array<float> coordinate_, weight_, cost_;
  program::device_array<uint32_t> assigned_, switches_;
};

// Opens the candidate and closes the centres that it makes superfluous, if that saves anything.
void consider(const problem& p, clustering& c, uint32_t candidate, const effect& e) {
  const auto open = static_cast<uint32_t>(c.centre.size());
  int64_t saved = e.saved[open] - p.opening;
  std::vector<uint32_t> place(open + 1);  // in the new list, of each centre that stays and of the candidate
  std::vector<uint32_t> centre;
  for (uint32_t k = 0; k < open; ++k) {
    const bool closes = p.opening + e.saved[k] > 0;
    if (closes) saved += p.opening + e.saved[k];
    place[k] = closes ? UINT32_MAX : static_cast<uint32_t>(centre.size());
    if (!closes) centre.push_back(c.centre[k]);
  }
  if (saved <= 0) return;
  c.history.push_back(saved);
  place[open] = static_cast<uint32_t>(centre.size());
  centre.push_back(candidate);
  c.centre = centre;
  for (uint32_t i = 0; i < p.points; ++i) {
    const uint32_t stays = place[c.assigned[i]];
    const bool moves = e.switches[i] != 0 || stays == UINT32_MAX;
    c.assigned[i] = moves ? place[open] : stays;
    if (moves) c.cost[i] = p.price(i, candidate);
  }
}

template <typename Effect>
clustering improved(const problem& p, clustering c, const std::vector<uint32_t>& candidates, Effect&& effect_of) {
  for (const uint32_t candidate : candidates)
    if (std::find(c.centre.begin(), c.centre.end(), candidate) == c.centre.end())
      consider(p, c, candidate, effect_of(c, candidate));
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  problem p{o.pick(128u, 1024u, 8192u), o.pick(16u, 32u, 64u), 0, {}, {}};
  const uint32_t tries = o.pick(8u, 24u, 60u), heaps = o.pick(4u, 8u, 16u);
  std::printf("stream_cluster (%s): %u points of %u dimensions, %u candidates, seed %u\n", o.size_name(), p.points,
              p.dimensions, tries, o.seed);

  program::random_source random(o.seed);
  std::vector<int32_t> middle(heaps * p.dimensions);
  for (int32_t& m : middle) m = 32 + static_cast<int32_t>(random.below(192));
  p.coordinate.resize(size_t{p.dimensions} * p.points);
  for (uint32_t i = 0; i < p.points; ++i) {
    const uint32_t heap = random.below(heaps);
    for (uint32_t k = 0; k < p.dimensions; ++k)
      p.coordinate[k * p.points + i] = middle[heap * p.dimensions + k] + static_cast<int32_t>(random.below(49)) - 24;
    p.weight.push_back(1 + static_cast<int32_t>(random.below(4)));
  }
  // What half a heap's points pay for the way to one another, so that heaps end with one centre or a few.
  p.opening = int64_t{1000} * p.dimensions * p.points / (2 * heaps);
  std::vector<uint32_t> candidates(tries);
  for (uint32_t& c : candidates) c = random.below(p.points);

  const clustering first(p, random);
  const clustering got = improved(p, first, candidates, device_clustering(p));
  const clustering expected = improved(p, first, candidates, [&](const clustering& now, uint32_t candidate) {
    return effect_by_definition(p, now, candidate);
  });

  program::verdict verdict;
  verdict.equal("centres", got.centre, expected.centre);
  verdict.equal("assigned", got.assigned, expected.assigned);
  verdict.equal("cost", got.cost, expected.cost);
  verdict.equal("saved", got.history, expected.history);
  bool paid = true;
  for (uint32_t i = 0; i < p.points; ++i) paid = paid && got.cost[i] == p.price(i, got.centre[got.assigned[i]]);
  verdict.that("every point pays for the way to its centre", paid);
  verdict.that("the total fell by what was saved",
               first.total(p) - got.total(p) == std::accumulate(got.history.begin(), got.history.end(), int64_t{0}));
  std::printf("centres: %zu first, %zu in the end; %zu candidates opened\n", first.centre.size(), got.centre.size(),
              got.history.size());
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
