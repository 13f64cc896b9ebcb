// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/needleman_wunsch.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

std::vector<int32_t> needleman_wunsch(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b,
                                      const substitution_table& substitution, int32_t gap) {
  const size_t n = a.size();
  const size_t pitch = n + 1;
  std::vector<int32_t> score(pitch * pitch);
  for (size_t i = 0; i <= n; ++i) score[i] = score[i * pitch] = -gap * static_cast<int32_t>(i);
  for (size_t i = 1; i <= n; ++i) {
    for (size_t j = 1; j <= n; ++j) {
      const int32_t diagonal = score[(i - 1) * pitch + j - 1] + substitution[a[i - 1] * 4u + b[j - 1]];
      const int32_t up = score[(i - 1) * pitch + j] - gap;
      const int32_t left = score[i * pitch + j - 1] - gap;
      score[i * pitch + j] = std::max(diagonal, std::max(up, left));
    }
  }
  return score;
}

namespace {

constexpr uint32_t tile = 16;
constexpr substitution_table dna = {5, -4, -3, -4, -4, 5, -4, -2, -3, -4, 5, -4, -4, -2, -4, 5};
constexpr int32_t gap_penalty = 3;

std::vector<int32_t> table() {
  return {dna.begin(), dna.end()};
}

// The tiles on one anti-diagonal of a square of them: workgroups of one launch.
struct tile_range {
  uint32_t first_row, count;
};
tile_range tiles_on(uint32_t diagonal, uint32_t tiles) {
  const uint32_t first_row = diagonal < tiles ? 0 : diagonal - (tiles - 1);
  return {first_row, std::min(diagonal, tiles - 1) - first_row + 1};
}

// The launch for tile anti-diagonal `diagonal` of the matrix for sequences of length n: tiles before it are filled in,
// tiles from it on hold the pattern of unwritten outputs.
kernel_case make_diagonal(const std::string& name, uint32_t n, uint32_t diagonal) {
  const uint32_t tiles = round_up(n, tile) / tile;
  const tile_range on_diagonal = tiles_on(diagonal, tiles);
  const std::vector<uint8_t> a = random_u8(61, n, 4);
  const std::vector<uint8_t> b = random_u8(62, n, 4);
  std::vector<int32_t> after = needleman_wunsch(a, b, dna, gap_penalty);
  std::vector<int32_t> before = after;
  const int32_t blank = unwritten<int32_t>(1)[0];
  for (size_t i = 1; i <= n; ++i) {
    for (size_t j = 1; j <= n; ++j) {
      const size_t cell = i * (n + 1) + j;
      const size_t tile_diagonal = (i - 1) / tile + (j - 1) / tile;
      if (tile_diagonal >= diagonal) before[cell] = blank;
      if (tile_diagonal > diagonal) after[cell] = blank;
    }
  }
  kernel_case c = linear_case(name, "needleman_wunsch", "needleman_wunsch", on_diagonal.count * tile, tile);
  c.args = {output("score", before, after),
            input("a", a),
            input("b", b),
            input("substitution", table()),
            scalar("n", n),
            scalar("gap", gap_penalty),
            scalar("diagonal", diagonal),
            scalar("first_row", on_diagonal.first_row)};
  return c;
}

kernel_case make_batch(const std::string& name, uint32_t pairs) {
  std::vector<uint8_t> a = random_u8(63, size_t{pairs} * tile, 4);
  std::vector<uint8_t> b = random_u8(64, size_t{pairs} * tile, 4);
  // Every fourth pair is equal, so that the best path is the diagonal.
  for (size_t i = 0; i < a.size(); ++i) {
    if (i / tile % 4 == 3) b[i] = a[i];
  }
  std::vector<int32_t> last_row;
  for (size_t pair = 0; pair < pairs; ++pair) {
    const auto first = static_cast<std::ptrdiff_t>(pair * tile);
    const std::vector<int32_t> score = needleman_wunsch(
        {a.begin() + first, a.begin() + first + tile}, {b.begin() + first, b.begin() + first + tile}, dna, gap_penalty);
    last_row.insert(last_row.end(), score.end() - tile, score.end());
  }
  kernel_case c = linear_case(name, "needleman_wunsch", "needleman_wunsch_batch", pairs * tile, tile);
  c.args = {input("a", a), input("b", b), input("substitution", table()),
            output("last_row", unwritten<int32_t>(last_row.size()), last_row), scalar("gap", gap_penalty)};
  return c;
}

}  // namespace

std::vector<case_entry> needleman_wunsch_cases() {
  std::vector<case_entry> cases;
  const auto add_diagonal = [&](uint32_t n, uint32_t diagonal) {
    const std::string name = "needleman_wunsch_" + std::to_string(n) + "_diagonal_" + std::to_string(diagonal);
    const uint32_t workgroups = tiles_on(diagonal, round_up(n, tile) / tile).count;
    cases.push_back({name, workgroups * tile, [=] { return make_diagonal(name, n, diagonal); }});
  };
  for (const uint32_t n : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 255u, 1000u, 2049u}) {
    const uint32_t tiles = round_up(n, tile) / tile;
    add_diagonal(n, tiles - 1);  // the longest one
    if (tiles > 1) add_diagonal(n, tiles);
    if (tiles > 2) add_diagonal(n, 2 * tiles - 2);  // the last tile
  }
  for (const uint32_t work_items : case_sizes) {
    const uint32_t pairs = round_up(work_items, tile) / tile;
    const std::string name = "needleman_wunsch_batch_" + std::to_string(pairs);
    const bool same_as_before = !cases.empty() && cases.back().name == name;
    if (!same_as_before) cases.push_back({name, pairs * tile, [=] { return make_batch(name, pairs); }});
  }
  return cases;
}

}  // namespace pws::reference
