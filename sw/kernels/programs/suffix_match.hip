// Matching of DNA queries against a reference by its suffix tree: for every position of every query the length of the
// longest match that begins there, and where in the tree it ends. The tree is Ukkonen's; a match is continued from the
// one before by the node's suffix link, so that a query takes a time that grows as its length does.
//
// Sizes:      2000, 15000, 80000 bases; 500, 3000, 20000 queries of 20 to 100 bases: pieces of the reference with some
//             bases changed, lost or doubled
// Kernel:     match  text u8[bases + 1] (bases 0 to 3, then an end that is no base); the tree: child u32[nodes][5] by
//                    base, 0 where none (and always for a query's end), begin u32[nodes] and length u32[nodes] of the
//                    edge to a node in the text, link u32[nodes]; node 0 is the root. bases u8[all queries' bases]:
//                    each query ends with a 4; offset u32[queries + 1] into these; match_length, match_node u32 like
//                    bases, the node where the match ends or to which the edge leads that it ends in. One work-item per
//                    query, blocks of 128
// Divergence: in every step of the walk a work-item is inside an edge and compares the next base, or at a node and
//             chooses an edge: the split, both sides load and count. Matches that end there store and follow a link,
//             the others see whether a node is reached: two sides as well, the second hardly any work. Queries of
//             different lengths
// Rounding:   integers, equal bit for bit
#include <algorithm>
#include <array>
#include <numeric>

#include "program.h"

namespace {

constexpr uint32_t block = 128;
constexpr uint32_t alphabet = 5;
constexpr uint8_t query_end = 4, text_end = 5;
constexpr uint32_t shortest = 20, longest = 100;
// The most steps for a query with m bases and its end. Each step either ends a match (m), compares a base for the first
// time (m) or chooses an edge. An edge is left at its node or by the match's end (m); nodes deepen the walk by one, and
// a link takes one of this away at most (2 m in all).
constexpr uint32_t most_steps = 5 * (longest + 1);

struct tree_view {
  const uint32_t *child, *begin, *length, *link;
};

__global__ void match(const uint8_t* text, tree_view tree, const uint8_t* bases, const uint32_t* offset,
                      uint32_t* match_length, uint32_t* match_node, uint32_t queries) {
  const uint32_t query = blockIdx.x * block + threadIdx.x;
  if (query >= queries) return;
  const uint32_t end = offset[query + 1] - 1;
  // The match from start reaches to before next: node, then inside bases of the edge to below. Of these, ahead are
  // known from the match before and need no comparison, only the edges that they are on.
  uint32_t start = offset[query], next = start, node = 0, below = 0, inside = 0, ahead = 0;
#pragma unroll 1
  while (start < end) {
    PWS_LOOP_BOUND(most_steps);
    bool ends = false;
    PWS_SPLIT();
    if (inside != 0) {
      ends = text[tree.begin[below] + inside] != bases[next];
      if (!ends) {
        ++next;
        ++inside;
      }
    } else {
      below = tree.child[node * alphabet + bases[next - ahead]];
      ends = below == 0;
      if (!ends) {
        inside = max(min(ahead, tree.length[below]), 1u);
        next += ahead == 0;
        ahead -= min(ahead, inside);
      }
    }
    if (ends) {
      match_length[start] = next - start;
      match_node[start] = inside != 0 ? below : node;
      ++start;
      // The root's match loses its first base and goes down again with the others.
      ahead = inside - (node == 0 && inside != 0);
      next = max(next, start);
      node = tree.link[node];
      inside = 0;
    } else if (inside == tree.length[below]) {
      node = below;
      inside = 0;
    }
  }
}

struct suffix_tree {
  std::vector<std::array<uint32_t, 6>> child;  // by character, the text's end included
  std::vector<uint32_t> begin, length, link, parent;

  uint32_t add(uint32_t from, uint32_t count, uint32_t above) {
    child.push_back({});
    begin.push_back(from);
    length.push_back(count);
    link.push_back(0);
    parent.push_back(above);
    return static_cast<uint32_t>(child.size()) - 1;
  }
  // A node at so many bases on the edge to below.
  uint32_t cut(const std::vector<uint8_t>& text, uint32_t below, uint32_t count) {
    const uint32_t middle = add(begin[below], count, parent[below]);
    child[parent[below]][text[begin[below]]] = middle;
    begin[below] += count;
    length[below] -= count;
    parent[below] = middle;
    child[middle][text[begin[below]]] = below;
    return middle;
  }
};

// Ukkonen's construction. Edges to leaves reach to the text's end from the beginning.
suffix_tree build(const std::vector<uint8_t>& text) {
  suffix_tree t;
  t.add(0, 0, 0);
  const uint32_t n = static_cast<uint32_t>(text.size());
  uint32_t node = 0, first = 0, count = 0;  // the longest suffix that is no leaf: below node, count bases from first
  uint32_t waiting = 0;                     // suffixes that are no leaves yet
  for (uint32_t i = 0; i < n; ++i) {
    ++waiting;
    uint32_t without_link = 0;
    const auto link_to = [&](uint32_t to) {
      if (without_link != 0) t.link[without_link] = to;
      without_link = to;
    };
    while (waiting > 0) {
      if (count == 0) first = i;
      const uint32_t below = t.child[node][text[first]];
      if (below != 0 && count >= t.length[below]) {
        first += t.length[below];
        count -= t.length[below];
        node = below;
        continue;
      }
      if (below == 0) {
        const uint32_t leaf = t.add(i, n - i, node);
        t.child[node][text[first]] = leaf;
        link_to(node);
      } else if (text[t.begin[below] + count] == text[i]) {
        link_to(node);
        ++count;
        break;
      } else {
        const uint32_t middle = t.cut(text, below, count);
        t.child[middle][text[i]] = t.add(i, n - i, middle);
        link_to(middle);
      }
      --waiting;
      if (node == 0 && count > 0) {
        --count;
        first = i - waiting + 1;
      } else {
        node = t.link[node];
      }
    }
  }
  return t;
}

// Without tree: among the sorted suffixes, the best match of a string is next to where it would stand.
class suffix_array {
 public:
  explicit suffix_array(const std::vector<uint8_t>& text) : text_(text), order_(text.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      return std::lexicographical_compare(text.begin() + a, text.end(), text.begin() + b, text.end());
    });
  }
  uint32_t longest_match(const uint8_t* from, const uint8_t* to) const {
    const auto place = std::lower_bound(order_.begin(), order_.end(), 0u, [&](uint32_t suffix, uint32_t) {
      return std::lexicographical_compare(text_.begin() + suffix, text_.end(), from, to);
    });
    uint32_t best = 0;
    if (place != order_.end()) best = common(*place, from, to);
    if (place != order_.begin()) best = std::max(best, common(*(place - 1), from, to));
    return best;
  }

 private:
  uint32_t common(uint32_t suffix, const uint8_t* from, const uint8_t* to) const {
    uint32_t k = 0;
    while (from + k < to && suffix + k < text_.size() && text_[suffix + k] == from[k]) ++k;
    return k;
  }
  const std::vector<uint8_t>& text_;
  std::vector<uint32_t> order_;
};

// The node at the end of a path from the root, or below it.
uint32_t node_of(const suffix_tree& t, const uint8_t* path, uint32_t count) {
  uint32_t node = 0;
  for (uint32_t k = 0; k < count; k += t.length[node]) node = t.child[node][path[k]];
  return node;
}

struct query_set {
  std::vector<uint8_t> bases;
  std::vector<uint32_t> offset{0};
};

// One base in 16 is not the reference's.
query_set random_queries(program::random_source& random, const std::vector<uint8_t>& text, uint32_t count) {
  query_set q;
  const uint32_t bases = static_cast<uint32_t>(text.size()) - 1;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t length = shortest + random.below(longest - shortest + 1);
    uint32_t at = random.below(bases);
    for (uint32_t i = 0; i < length; ++i) {
      const uint32_t kind = random.below(48);
      q.bases.push_back(kind == 0 ? random.below(4) : text[at % bases]);
      at += kind == 1 ? 2 : kind != 2;
    }
    q.bases.push_back(query_end);
    q.offset.push_back(static_cast<uint32_t>(q.bases.size()));
  }
  return q;
}

// Random bases, and repeats of what was before.
std::vector<uint8_t> random_text(program::random_source& random, uint32_t bases) {
  std::vector<uint8_t> text;
  while (text.size() < bases) {
    if (text.size() > 200 && random.below(100) == 0) {
      const uint32_t from = random.below(static_cast<uint32_t>(text.size()) - 150), count = 10 + random.below(140);
      for (uint32_t k = 0; k < count; ++k) text.push_back(text[from + k]);
    }
    text.push_back(static_cast<uint8_t>(random.below(4)));
  }
  text.resize(bases);
  text.push_back(text_end);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t queries = o.pick(500u, 3000u, 20000u);
  program::random_source random(o.seed);
  const std::vector<uint8_t> text = random_text(random, o.pick(2000u, 15000u, 80000u));
  const query_set q = random_queries(random, text, queries);
  const suffix_tree tree = build(text);
  std::printf("suffix_match (%s): %zu bases, tree of %zu nodes, %u queries of %zu bases in all, seed %u\n",
              o.size_name(), text.size() - 1, tree.child.size(), queries, q.bases.size() - queries, o.seed);

  const std::vector<uint32_t> nothing(q.bases.size(), 0);
  std::vector<uint32_t> child;
  for (const auto& c : tree.child) {
    child.insert(child.end(), c.begin(), c.begin() + 4);
    child.push_back(0);
  }
  program::device_array<uint8_t> device_text(text), device_bases(q.bases);
  program::device_array<uint32_t> device_child(child), begin(tree.begin), length(tree.length), link(tree.link);
  program::device_array<uint32_t> offset(q.offset), match_length(nothing), match_node(nothing);
  match<<<program::blocks_of(queries, block), block>>>(
      device_text.get(), tree_view{device_child.get(), begin.get(), length.get(), link.get()}, device_bases.get(),
      offset.get(), match_length.get(), match_node.get(), queries);
  PROGRAM_LAUNCHED();

  const suffix_array suffixes(text);
  std::vector<uint32_t> expected_length = nothing, expected_node = nothing;
  for (uint32_t k = 0; k < queries; ++k)
    for (uint32_t start = q.offset[k]; start + 1 < q.offset[k + 1]; ++start) {
      const uint8_t* from = &q.bases[start];
      expected_length[start] = suffixes.longest_match(from, &q.bases[q.offset[k + 1] - 1]);
      expected_node[start] = node_of(tree, from, expected_length[start]);
    }
  program::verdict verdict;
  verdict.equal("lengths of the matches", match_length.download(), expected_length);
  verdict.equal("nodes of the matches", match_node.download(), expected_node);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
