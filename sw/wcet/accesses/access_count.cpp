// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/accesses/access_count.h"

#include <algorithm>
#include <vector>

namespace pws::wcet {

namespace {

constexpr uint64_t half_of_lanes = 0xffffffff;

int64_t position(const lane_value& v, unsigned lane) {
  return static_cast<int32_t>(v.offset(lane));
}

// Low bits that a base may have, modulo `modulus`: known ones, and all possibilities of the others.
template <class F>
void for_each_residue(const word_set& base, uint32_t modulus, F f) {
  const uint32_t step = std::min<uint64_t>(uint64_t{1} << std::min<unsigned>(base.known, 31), modulus);
  for (uint32_t r = base.residue & (step - 1); r < modulus; r += step) f(r);
}

// Lines that one access touches, the most over all places where it may begin.
uint32_t lines_of_one_access(const word_set& base, int64_t distance, const access_size& size, uint32_t line_bytes) {
  const uint32_t step = std::min<uint64_t>(uint64_t{1} << std::min<unsigned>(base.known, 31), line_bytes);
  const auto first = static_cast<uint32_t>(distance + base.residue) & (step - 1);
  if (!size.aligned) {  // the last place in a line
    const uint32_t last = first + (line_bytes - 1 - first) / step * step;
    return (last + size.bytes - 1) / line_bytes + 1;
  }
  // Where places are further apart than the access is wide, all are aligned or none is; else one is if the first is.
  if ((first & (std::min(step, size.bytes) - 1)) != 0) return 0;
  return std::max(1u, size.bytes / line_bytes);
}

int64_t line_of(int64_t at, int64_t line_bytes) {
  return at >= 0 ? at / line_bytes : -((-at + line_bytes - 1) / line_bytes);
}

// Lines of lanes whose distances grow from lane to lane, or stay: each begins where the one before has ended, or
// behind.
size_t lines_in_order(const lane_numbers& distance, uint64_t lanes, uint32_t residue, const access_size& size,
                      uint32_t line_bytes) {
  size_t lines = 0;
  int64_t last = INT64_MIN;
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    const int64_t at = distance[static_cast<unsigned>(__builtin_ctzll(m))] + residue;
    if (size.aligned && (at & (size.bytes - 1)) != 0) continue;
    const int64_t end = line_of(at + size.bytes - 1, line_bytes);
    if (end <= last) continue;
    lines += static_cast<size_t>(end - std::max(line_of(at, line_bytes), last + 1) + 1);
    last = end;
  }
  return lines;
}

bool are_in_order(const lane_numbers& distance, uint64_t lanes) {
  int64_t last = INT64_MIN;
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    const int64_t at = distance[static_cast<unsigned>(__builtin_ctzll(m))];
    if (at < last) return false;
    last = at;
  }
  return true;
}

// Lines of lanes that share a base, at such distances from it.
uint32_t lines_of(const word_set& base, const lane_numbers& distance, uint64_t lanes, const access_size& size,
                  uint32_t line_bytes) {
  size_t most = 0;
  std::vector<int64_t> lines;
  if (lanes != 0 && (lanes & (lanes - 1)) == 0) {
    return lines_of_one_access(base, distance[static_cast<unsigned>(__builtin_ctzll(lanes))], size, line_bytes);
  }
  const bool sorted = are_in_order(distance, lanes);
  for_each_residue(base, line_bytes, [&](uint32_t residue) {
    if (sorted) {
      most = std::max(most, lines_in_order(distance, lanes, residue, size, line_bytes));
      return;
    }
    lines.clear();
    for (uint64_t m = lanes; m != 0; m &= m - 1) {
      const int64_t at = distance[static_cast<unsigned>(__builtin_ctzll(m))] + residue;
      if (size.aligned && (at & (size.bytes - 1)) != 0) continue;
      for (int64_t k = line_of(at, line_bytes); k <= line_of(at + size.bytes - 1, line_bytes); ++k) lines.push_back(k);
    }
    std::sort(lines.begin(), lines.end());
    most = std::max(most, static_cast<size_t>(std::unique(lines.begin(), lines.end()) - lines.begin()));
  });
  return static_cast<uint32_t>(most);
}

uint32_t lines_of(const lane_value& low, uint64_t lanes, const access_size& size, uint32_t line_bytes) {
  lane_numbers distance;
  for (unsigned l = 0; l < lanes_per_wave; ++l) distance[l] = position(low, l);
  return lines_of(low.base(), distance, lanes, size, line_bytes);
}

// Lanes by class of `r`.
std::vector<uint64_t> classes_of(const lane_relation& r, uint64_t lanes) {
  std::vector<uint64_t> c(r.classes, 0);
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (lanes >> l & 1) c[r.of[l]] |= uint64_t{1} << l;
  return c;
}

bool all_apart(const std::vector<uint64_t>& classes, uint64_t lanes) {
  return (lanes & (lanes - 1)) != 0 &&
         std::all_of(classes.begin(), classes.end(), [](uint64_t c) { return (c & (c - 1)) == 0; });
}

// Whether the classes follow one another as the lanes' addresses do, forwards or backwards.
bool in_order(const lane_relation& r, const lane_value& low, uint64_t lanes) {
  std::vector<std::pair<int64_t, int>> at;
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    if (lanes >> l & 1) at.emplace_back(position(low, l), r.of[l]);
  const auto rises = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::sort(at.begin(), at.end());
  if (std::is_sorted(at.begin(), at.end(), rises)) return true;
  for (auto& [p, c] : at) c = -c;
  std::sort(at.begin(), at.end());
  return std::is_sorted(at.begin(), at.end(), rises);
}

uint32_t lines_of_one(const lane_value& low, uint64_t lanes, const access_size& size, uint32_t line_bytes) {
  uint32_t most = 0;
  for (uint64_t m = lanes; m != 0; m &= m - 1) most = std::max(most, lines_of(low, m & (0 - m), size, line_bytes));
  return most;
}

// All that those lanes may hold.
word_set range_of(const lane_value& v, uint64_t lanes) {
  word_set all = v.in_lane(static_cast<unsigned>(__builtin_ctzll(lanes)));
  for (uint64_t m = lanes & (lanes - 1); m != 0; m &= m - 1)
    all = join(all, v.in_lane(static_cast<unsigned>(__builtin_ctzll(m))));
  return all;
}

// Passes of lanes of one half that share a base: the words in the bank that has most.
uint32_t words_in_one_bank(const lane_value& offset, uint64_t lanes, const access_size& size, uint32_t banks) {
  size_t most = 0;
  const int64_t words = std::max(1u, size.bytes / 4);
  std::vector<std::vector<int64_t>> seen(banks);
  for_each_residue(offset.base(), 4, [&](uint32_t residue) {
    for (auto& s : seen) s.clear();
    for (unsigned l = 0; l < lanes_per_wave; ++l) {
      if ((lanes >> l & 1) == 0) continue;
      const int64_t at = position(offset, l) + residue;
      if (size.aligned && (at & (std::min(size.bytes, 4u) - 1)) != 0) continue;
      for (int64_t w = 0; w < words; ++w) {
        const int64_t word = (at >> 2) + w;
        auto& bank = seen[static_cast<size_t>(((word % banks) + banks) % banks)];
        if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
        most = std::max(most, bank.size());
      }
    }
  });
  return static_cast<uint32_t>(most);
}

// Words of lanes of one half in one bank, as far as the addresses' low bits say which bank: rows of a table that each
// lane chooses for itself are in the lane's own bank if a row is a multiple of all banks. Only powers of two have such
// bits.
uint64_t words_by_low_bits(const lane_value& offset, uint64_t lanes, const access_size& size, uint32_t banks) {
  if ((banks & (banks - 1)) != 0) return UINT64_MAX;
  const unsigned known = std::min<unsigned>(offset.base().known, 2 + trailing_zeros(banks));
  std::vector<uint64_t> words(known < 2 ? 1 : size_t{1} << (known - 2), 0);
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    const uint32_t word = offset.low_bits(static_cast<unsigned>(__builtin_ctzll(m))) >> 2;
    for (uint32_t w = 0; w < std::max(1u, size.bytes / 4); ++w) ++words[(word + w) & (words.size() - 1)];
  }
  return *std::max_element(words.begin(), words.end());
}

// Whether the lanes' distances are known as integers and not only modulo 2^32.
bool close(const lane_value& v, uint64_t lanes) {
  int64_t least = INT64_MAX, most = INT64_MIN;
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    const int64_t at = position(v, static_cast<unsigned>(__builtin_ctzll(m)));
    least = std::min(least, at);
    most = std::max(most, at);
  }
  return most - least < int64_t{1} << 31;
}

}  // namespace

access_count count_lines(const lane_value& low, const lane_value& high, uint64_t lanes, const access_size& size,
                         uint32_t line_bytes) {
  access_count count;
  if (lanes == 0) return count;
  const lane_relation together = low.relation() & high.relation();
  lane_numbers upper;
  for (unsigned l = 0; l < lanes_per_wave; ++l) upper[l] = high.offset(l);
  const std::vector<uint64_t> classes = classes_of(refined(together, upper), lanes);
  count.exact_pattern = !all_apart(classes, lanes);
  const word_set all = range_of(low, lanes);
  const uint64_t last = uint64_t{all.highest()} + size.bytes - 1;
  const uint32_t one = lines_of_one(low, lanes, size, line_bytes);
  // A lane's bytes may go on past 4 GiB, another's address with the same upper half begin again at 0.
  const uint32_t beyond = one == 0 || (!all.wraps() && last >> 32 == 0) ? 0 : one - 1;
  for (const uint64_t c : classes)
    count.most += c == 0 ? 0 : lines_of(low, c, size, line_bytes) + ((c & (c - 1)) == 0 ? 0 : beyond);
  if (high.is_uniform() && !all.wraps()) {
    const uint64_t lines = last / line_bytes - all.lowest() / line_bytes + 1;
    count.most = static_cast<uint32_t>(std::min<uint64_t>(count.most, lines));
  }
  if (!together.ordered() || std::any_of(upper.begin(), upper.end(), [](int64_t u) { return u != 0; })) return count;
  // In at most breaks + 1 pieces of one base each. A break between lanes at following addresses parts no more lines
  // than one access has.
  const uint32_t whole = lines_of(low, lanes, size, line_bytes);
  const uint32_t pieces = low.relation().uniform() && in_order(together, low, lanes)
                              ? whole + together.breaks * one + (together.breaks + 1u) * beyond
                              : (whole + beyond) * (together.breaks + 1u);
  if (pieces < count.most) {
    count.most = pieces;
    count.exact_pattern = true;
  }
  return count;
}

uint32_t count_lines(const std::array<int64_t, lanes_per_wave>& distances, const word_set& first, uint64_t lanes,
                     const access_size& size, uint32_t line_bytes) {
  if (lanes == 0) return 0;
  lane_numbers distance;
  for (unsigned l = 0; l < lanes_per_wave; ++l)  // modulo 2^64
    distance[l] = static_cast<int64_t>(static_cast<uint64_t>(distances[l]) -
                                       static_cast<uint64_t>(distances[static_cast<unsigned>(__builtin_ctzll(lanes))]));
  constexpr int64_t far = int64_t{1} << 62;  // no sum overflows
  if (std::any_of(distance.begin(), distance.end(), [](int64_t d) { return d > far || d < -far; })) return UINT32_MAX;
  return lines_of(first, distance, lanes, size, line_bytes);
}

uint32_t count_scalar_lines(const word_set& low, uint32_t bytes, uint32_t line_bytes) {
  word_set aligned = low;
  if (aligned.known < 2) aligned.known = 2;  // the two low bits are ignored
  aligned.residue &= ~uint32_t{3};
  return lines_of({aligned.reduced()}, 1, {bytes, false}, line_bytes);
}

uint32_t most_lines(const lane_value& low, uint64_t lanes, const access_size& size, uint32_t line_bytes) {
  const unsigned known = std::min<unsigned>(low.base().known, 2);
  std::array<uint32_t, lanes_per_wave> place;
  for (unsigned l = 0; l < lanes_per_wave; ++l) place[l] = low.low_bits(l) & low_bits_mask(known);
  const lane_value anywhere(word_set::aligned(known, 0), lane_relation::each_its_own(), place);
  return count_lines(anywhere, lane_value::unknown(), lanes, size, line_bytes).most;
}

access_count count_passes(const lane_value& offset, uint64_t lanes, const access_size& size, uint32_t banks,
                          uint32_t lds_words) {
  access_count count;
  const uint64_t words_of_a_bank = (uint64_t{lds_words} + banks - 1) / banks;
  for (const uint64_t half : {lanes & half_of_lanes, lanes & ~half_of_lanes}) {
    if (half == 0) continue;
    // Only a power of two of banks repeats after 4 GiB.
    const bool any_distance = (banks & (banks - 1)) == 0 || close(offset, half);
    const lane_relation relation = any_distance ? offset.relation() : lane_relation::each_its_own();
    const std::vector<uint64_t> classes = classes_of(relation, half);
    if (all_apart(classes, half)) count.exact_pattern = false;
    uint32_t most = 0;
    for (const uint64_t c : classes) most += c == 0 ? 0 : words_in_one_bank(offset, c, size, banks);
    if (relation.ordered())
      most = std::min(most, words_in_one_bank(offset, half, size, banks) * (relation.breaks + 1u));
    if (const word_set all = range_of(offset, half); !all.wraps()) {  // so many words are there
      const uint64_t words = (uint64_t{all.highest()} + size.bytes - 1) / 4 - all.lowest() / 4 + 1;
      most = static_cast<uint32_t>(std::min<uint64_t>(most, (words + banks - 1) / banks));
    }
    most = static_cast<uint32_t>(
        std::min({uint64_t{most}, words_of_a_bank, words_by_low_bits(offset, half, size, banks)}));
    count.most += std::max(1u, most);
  }
  count.most = std::max(1u, count.most);  // no lane active: one all the same
  return count;
}

}  // namespace pws::wcet
