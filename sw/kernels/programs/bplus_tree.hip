// Queries to a B+ tree of order 256: values of keys, and how many records there are between two keys and the sum of
// their values. A workgroup per query searches a node at a time, a work-item per key of the node.
//
// Sizes:      100, 1000, 10000 records and as many lookups; 60, 600, 6000 ranges of up to 100, 1000, 2000 records
// Kernels:    find        nodes (257 keys and 256 children i32 each), root, descents; query i32[q], answer i32[q] (-1
//                         before, and after if there is no such key), values i32[n] by record
//             find_range  low, high i32[q] (inclusive); first, count u32[q], sum u32[q] (modulo 2^32)
//             Both: blocks of 256, workgroup q does query q.
// Divergence: one side only, there is nothing to split: the work-item whose key it is writes the child's or the
//             record's number for all; in find_range work-items that have no more records leave the loop.
// Rounding:   integers, equal bit for bit
#include <algorithm>
#include <map>
#include <numeric>

#include "program.h"

namespace {

constexpr uint32_t order = 256;
// Nodes between root and leaf, the leaf counted: 10000 keys in nodes that are half full at least have 1.
constexpr uint32_t most_descents = 1;
constexpr int32_t lowest = INT32_MIN, highest = INT32_MAX;

// Children k of an inner node has the keys from key[k] to below key[k + 1]; child k of a leaf is the record of key[k].
// Keys that are not there are the highest.
struct node {
  int32_t key[order + 1];
  uint32_t child[order];
};

__global__ void find(const node* nodes, uint32_t root, uint32_t descents, const int32_t* values, const int32_t* query,
                     int32_t* answer) {
  // Two places in turn, so that one barrier a level is enough.
  __shared__ uint32_t at[2];
  const uint32_t k = threadIdx.x;
  const int32_t key = query[blockIdx.x];
  if (k == 0) at[0] = root;
  __syncthreads();
#pragma unroll 1
  for (uint32_t level = 0; level < descents; ++level) {
    PWS_LOOP_BOUND(most_descents);
    const node& here = nodes[at[level % 2]];
    if (here.key[k] <= key && key < here.key[k + 1]) at[(level + 1) % 2] = here.child[k];
    __syncthreads();
  }
  const node& leaf = nodes[at[descents % 2]];
  if (leaf.key[k] == key) answer[blockIdx.x] = values[leaf.child[k]];
}

template <uint32_t longest_range>
__global__ void find_range(const node* nodes, uint32_t root, uint32_t descents, const int32_t* values,
                           const int32_t* low, const int32_t* high, uint32_t* first, uint32_t* count, uint32_t* sum) {
  __shared__ uint32_t at_low[2], at_high[2], begin, end;
  __shared__ uint32_t partial[order];
  const uint32_t k = threadIdx.x;
  const int32_t low_key = low[blockIdx.x], high_key = high[blockIdx.x];
  if (k == 0) at_low[0] = at_high[0] = root;
  __syncthreads();
#pragma unroll 1
  for (uint32_t level = 0; level < descents; ++level) {
    PWS_LOOP_BOUND(most_descents);
    const node &here_low = nodes[at_low[level % 2]], &here_high = nodes[at_high[level % 2]];
    if (here_low.key[k] <= low_key && low_key < here_low.key[k + 1]) at_low[(level + 1) % 2] = here_low.child[k];
    if (here_high.key[k] <= high_key && high_key < here_high.key[k + 1]) at_high[(level + 1) % 2] = here_high.child[k];
    __syncthreads();
  }

  // Records are in the order of their keys: the range is from behind the last key that is too low ...
  const node &leaf_low = nodes[at_low[descents % 2]], &leaf_high = nodes[at_high[descents % 2]];
  if (leaf_low.key[k] < low_key && low_key <= leaf_low.key[k + 1]) begin = leaf_low.child[k] + 1;
  if (k == 0 && low_key <= leaf_low.key[0]) begin = leaf_low.child[0];
  // ... to the last that is not too high.
  if (leaf_high.key[k] <= high_key && high_key < leaf_high.key[k + 1]) end = leaf_high.child[k] + 1;
  if (k == 0 && high_key < leaf_high.key[0]) end = leaf_high.child[0];
  __syncthreads();

  uint32_t own = 0;
#pragma unroll 1
  for (uint32_t record = begin + k; record < end; record += order) {
    PWS_LOOP_BOUND((longest_range + order - 1) / order);
    own += static_cast<uint32_t>(values[record]);
  }
  partial[k] = own;
  __syncthreads();
#pragma unroll 1
  for (uint32_t stride = order / 2; stride > 0; stride /= 2) {
    PWS_LOOP_BOUND(8);
    if (k < stride) partial[k] += partial[k + stride];
    __syncthreads();
  }
  if (k == 0) {
    first[blockIdx.x] = begin;
    count[blockIdx.x] = end - begin;
    sum[blockIdx.x] = partial[0];
  }
}

struct tree {
  std::vector<node> nodes;
  uint32_t root = 0, descents = 0;
};

// From sorted keys, level by level, every node filled by half to all of its order as insertions leave them.
tree random_tree(program::random_source& random, const std::vector<int32_t>& keys) {
  tree t;
  std::vector<int32_t> level_keys = keys;
  std::vector<uint32_t> level_children(keys.size());
  std::iota(level_children.begin(), level_children.end(), 0u);
  for (bool leaves = true;; leaves = false) {
    std::vector<int32_t> next_keys;
    std::vector<uint32_t> next_children;
    for (size_t begin = 0; begin < level_keys.size();) {
      const size_t fill = std::min<size_t>(order / 2 + random.below(order / 2 + 1), level_keys.size() - begin);
      node n;
      std::fill(std::begin(n.key), std::end(n.key), highest);
      std::fill(std::begin(n.child), std::end(n.child), 0u);
      for (size_t k = 0; k < fill; ++k) {
        n.key[k] = level_keys[begin + k];
        n.child[k] = level_children[begin + k];
      }
      next_keys.push_back(n.key[0]);
      next_children.push_back(static_cast<uint32_t>(t.nodes.size()));
      // Keys below all others have a way down, too.
      if (!leaves && begin == 0) n.key[0] = lowest;
      t.nodes.push_back(n);
      begin += fill;
    }
    if (next_keys.size() == 1) break;
    level_keys = next_keys;
    level_children = next_children;
    ++t.descents;
  }
  t.root = static_cast<uint32_t>(t.nodes.size()) - 1;
  return t;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(100u, 1000u, 10000u), ranges = o.pick(60u, 600u, 6000u);
  const uint32_t longest_range = o.pick(100u, 1000u, 2000u);
  std::printf("bplus_tree (%s): %u records, %u lookups, %u ranges, seed %u\n", o.size_name(), n, n, ranges, o.seed);

  program::random_source random(o.seed);
  std::vector<int32_t> keys(n), values(n);
  std::map<int32_t, int32_t> value_of;
  int32_t key = -4 * static_cast<int32_t>(n);
  for (uint32_t i = 0; i < n; ++i) {
    keys[i] = key += static_cast<int32_t>(1 + random.below(15));
    values[i] = static_cast<int32_t>(random.below(1u << 31));
    value_of[keys[i]] = values[i];
  }
  const tree t = random_tree(random, keys);
  if (t.descents > most_descents) {
    std::printf("the tree is too high\nFAIL\n");
    return 1;
  }

  std::vector<int32_t> query(n), expected_answer(n);
  for (uint32_t q = 0; q < n; ++q) {
    // Half are keys; the others are near one, before the first and behind the last included.
    query[q] = keys[random.below(n)];
    if (random.below(2) != 0) query[q] += static_cast<int32_t>(random.below(33)) - 16;
    const auto found = value_of.find(query[q]);
    expected_answer[q] = found == value_of.end() ? -1 : found->second;
  }
  std::vector<int32_t> low(ranges), high(ranges);
  std::vector<uint32_t> expected_first(ranges), expected_count(ranges), expected_sum(ranges);
  for (uint32_t q = 0; q < ranges; ++q) {
    // Ends are keys, or lie next to one in a gap or not: between them are at most longest_range records.
    const uint32_t begin = random.below(n), end = std::min(begin + random.below(longest_range), n - 1);
    low[q] = keys[begin] - static_cast<int32_t>(random.below(2) != 0 && begin > 0 && keys[begin - 1] + 1 < keys[begin]);
    high[q] = keys[end] - static_cast<int32_t>(random.below(4) == 0);
    if (begin == 0 && random.below(2) != 0) low[q] -= 100;
    if (end == n - 1 && random.below(2) != 0) high[q] += 100;
    const auto from = value_of.lower_bound(low[q]), to = value_of.upper_bound(high[q]);
    expected_first[q] = static_cast<uint32_t>(std::distance(value_of.begin(), from));
    // A range that ends before it begins has the keys strictly between its ends, none.
    if (low[q] > high[q]) continue;
    for (auto record = from; record != to; ++record) {
      ++expected_count[q];
      expected_sum[q] += static_cast<uint32_t>(record->second);
    }
  }

  program::device_array<node> device_nodes(t.nodes);
  program::device_array<int32_t> device_values(values), device_query(query), device_low(low), device_high(high);
  program::device_array<int32_t> device_answer(std::vector<int32_t>(n, -1));
  program::device_array<uint32_t> device_first(ranges), device_count(ranges), device_sum(ranges);
  find<<<n, order>>>(device_nodes.get(), t.root, t.descents, device_values.get(), device_query.get(),
                     device_answer.get());
  PROGRAM_LAUNCHED();
  const auto kernel = o.pick(find_range<100>, find_range<1000>, find_range<2000>);
  kernel<<<ranges, order>>>(device_nodes.get(), t.root, t.descents, device_values.get(), device_low.get(),
                            device_high.get(), device_first.get(), device_count.get(), device_sum.get());
  PROGRAM_LAUNCHED();

  program::verdict verdict;
  verdict.equal("answer", device_answer.download(), expected_answer);
  verdict.equal("first", device_first.download(), expected_first);
  verdict.equal("count", device_count.download(), expected_count);
  verdict.equal("sum", device_sum.download(), expected_sum);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
