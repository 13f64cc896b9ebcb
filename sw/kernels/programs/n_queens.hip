// Solutions of the n-queens problem: n queens on a board of n x n fields of which no two attack each other. A work-item
// gets a board with queens in the first rows and counts in how many ways the other rows can be filled, by backtracking
// with a stack of its own.
//
// Sizes:      8, 10 and 12 queens; the first 3 rows are filled in all ways that there are
// Kernel:     count  starts u32[boards][3]: attacked columns and diagonals, as bits; solutions, nodes u32[boards]: ways
//                    to fill the board, and steps of the search. A work-item per board, blocks of 64; the stack is in
//                    LDS, a column for each work-item
// Divergence: the search goes a row down, or back up (marked); a solution or not; boards end at different times (the
//             loop's exit); boards that the last block lacks
// Rounding:   none
#include "program.h"

namespace {

constexpr uint32_t block = 64;
constexpr uint32_t most_queens = 12, rows_filled = 3;
constexpr uint32_t most_steps = 4000;  // of a board's search; checked below

// Fields of the next row that a queen attacks: by column, and by the diagonals that go left and right.
struct attacked {
  uint32_t columns, left, right;
};

__host__ __device__ inline attacked after(attacked a, uint32_t queen) {
  return {a.columns | queen, (a.left | queen) << 1, (a.right | queen) >> 1};
}

__global__ void count(const attacked* starts, uint32_t* solutions, uint32_t* nodes, uint32_t boards, uint32_t queens) {
  __shared__ attacked above[most_queens][block];
  __shared__ uint32_t free_fields[most_queens][block];
  const uint32_t board = blockIdx.x * block + threadIdx.x, own = threadIdx.x;
  if (board >= boards) return;
  const uint32_t all = (1u << queens) - 1;
  uint32_t row = rows_filled, found = 0, steps = 0;
  attacked now = starts[board];
  uint32_t fields = all & ~(now.columns | now.left | now.right);
#pragma unroll 1
  while (row >= rows_filled) {
    PWS_LOOP_BOUND(most_steps);
    ++steps;
    PWS_SPLIT();
    if (fields != 0) {  // a queen on the first free field, the others later
      const uint32_t queen = fields & (0 - fields);
      above[row][own] = now;
      free_fields[row][own] = fields ^ queen;
      now = after(now, queen);
      fields = all & ~(now.columns | now.left | now.right);
      ++row;
      if (row == queens) {
        ++found;
        fields = 0;  // there is no such row: back
      }
    } else {
      --row;
      if (row >= rows_filled) {
        now = above[row][own];
        fields = free_fields[row][own];
      }
    }
  }
  solutions[board] = found;
  nodes[board] = steps;
}

// Every way to fill the first rows.
void fill(uint32_t queens, uint32_t row, attacked a, std::vector<attacked>& boards) {
  if (row == rows_filled) {
    boards.push_back(a);
    return;
  }
  for (uint32_t field = 0; field < queens; ++field)
    if (((a.columns | a.left | a.right) >> field & 1) == 0) fill(queens, row + 1, after(a, 1u << field), boards);
}

// Solutions of a board, and steps to search it: each queen that is placed is one, and so is each way back.
struct searched {
  uint32_t solutions = 0, steps = 0;
};
searched search(uint32_t queens, uint32_t row, attacked a) {
  searched s;
  s.steps = 1;  // back from this row
  if (row == queens) {
    s.solutions = 1;
    return s;
  }
  for (uint32_t field = 0; field < queens; ++field) {
    if (((a.columns | a.left | a.right) >> field & 1) != 0) continue;
    const searched below = search(queens, row + 1, after(a, 1u << field));
    s.solutions += below.solutions;
    s.steps += 1 + below.steps;
  }
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t queens = o.pick(8u, 10u, most_queens);
  std::printf("n_queens (%s): %u queens, seed %u\n", o.size_name(), queens, o.seed);

  std::vector<attacked> boards;
  fill(queens, 0, {0, 0, 0}, boards);
  // The seed decides which boards are neighbours.
  program::random_source random(o.seed);
  for (size_t k = boards.size(); k > 1; --k) std::swap(boards[k - 1], boards[random.below(static_cast<uint32_t>(k))]);

  const uint32_t n = static_cast<uint32_t>(boards.size());
  program::device_array<attacked> starts(boards);
  program::device_array<uint32_t> solutions(n), nodes(n);
  count<<<program::blocks_of(n, block), block>>>(starts.get(), solutions.get(), nodes.get(), n, queens);
  PROGRAM_LAUNCHED();

  std::vector<uint32_t> want_solutions, want_nodes;
  uint32_t total = 0, longest = 0;
  for (const attacked& a : boards) {
    const searched s = search(queens, rows_filled, a);
    want_solutions.push_back(s.solutions);
    want_nodes.push_back(s.steps);
    total += s.solutions;
    longest = std::max(longest, s.steps);
  }
  std::printf("%u boards, %u solutions, %u steps at most\n", n, total, longest);
  program::verdict verdict;
  verdict.equal("solutions", solutions.download(), want_solutions);
  verdict.equal("steps", nodes.download(), want_nodes);
  verdict.that("as many solutions as there are known to be", total == o.pick(92u, 724u, 14200u));
  verdict.that("steps are within the loop's bound", longest <= most_steps);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
