// SPDX-License-Identifier: Apache-2.0
// The GPU control flow graph with branch serialization blocks (C_BSB; PWS paper 4.2, Fig. 7b) as plain data with a cost
// per block: what the choice of split points reasons about. It knows nothing of machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pws::cfg {

struct cost_loop;

// A directed acyclic graph. Node 0 is the entry; every node is reachable from it; a node without successors is an end.
// An empty graph is one that takes no time.
//
// A node with several successors that is no serialised branch is a uniform branch: the wavefront takes any one of them.
// That is also the safe way to enter a serialised branch whose sides form no region with one entry and one exit, since
// the longest path through u, its sides and its BSB is the one that runs both.
struct cost_graph {
  static constexpr size_t none = static_cast<size_t>(-1);

  struct node {
    uint64_t cycles = 0;             // worst case, e_bb; of a loop: what is spent once, outside its iterations
    std::vector<size_t> successors;  // each a larger index than the node's own: nodes are in topological order
    size_t loop = none;              // index in `loops`: the node stands for that loop
    // Memory and LDS slots, in cycles, beside `cycles`: any number from 0 to this may be true. The parts of a split
    // wavefront share its slots, so that what its sides need of them adds up whether they run one after the other or
    // at the same time.
    uint64_t most_slots = 0;
    bool leaves = false;  // of a loop's body: the loop can be left behind this node
  };

  // A branch that the compiler serialised. The node's successors are `succ` and `bsb`, the BSB's are `bsb_succ` and
  // `reconv`. An if without else has its BSB at the reconvergence point (bsb == reconv) and no bsb_succ. A side may be
  // empty: succ == bsb, or bsb_succ == reconv.
  // The then side is all from succ up to, not including, the BSB; the else side all from bsb_succ up to, not including,
  // reconv. Each is entered and left at these ends only. Regions of several branches may share their ends: an inner
  // branch may reconverge at the outer one's BSB or reconvergence point.
  struct serial_branch {
    size_t id = 0;            // the caller's name for it, unique in the graph with all its loops
    size_t node = 0;          // u; not a loop
    size_t succ = none;       // SuccBB(u)
    size_t bsb = none;        // BSB(u); in an if with else not a loop, and no other branch's node or BSB
    size_t bsb_succ = none;   // SuccBB(BSB(u))
    size_t reconv = none;     // Reconv(u)
    bool marked = false;      // in P: select() considers it
    bool splittable = false;  // choose_splits() considers it
    uint64_t overhead = 0;    // cycles that splitting it adds besides e_s and e_m

    bool has_else() const { return bsb != reconv; }
  };

  std::vector<node> nodes;
  std::vector<serial_branch> branches;  // in any order
  std::vector<cost_loop> loops;         // each is one node's
};

// A loop of the original code: entered at the body's node 0, an iteration is a path through the body.
struct cost_loop {
  cost_graph body;
  uint64_t bound = 0;  // iterations each time that the loop is entered; 0: never runs
  bool known = true;   // false: the bound is a guess, and it may be any number
};

// Branches that are split, by their ids.
using split_set = std::set<size_t>;

// Throws std::invalid_argument that names the node, and the loops around it, unless the graph, loops included, is as
// described above.
void check(const cost_graph& graph);

// Parent(u) of Def. 4.1: the innermost serialised branch or BSB whose side u is in. The definition's interval of the
// topological order is read as that region: where a uniform branch's paths interleave in the order, an interval would
// take in blocks of the neighbour. Loops do not count: what is in a loop's body has the parent that the loop has.
struct branch_parent {
  enum class side : uint8_t {
    whole,      // not in any branch: Parent(u) = 0
    then_side,  // Parent(u) is the branch
    else_side   // Parent(u) is its BSB
  };
  side where = side::whole;
  size_t branch = cost_graph::none;  // id
};
bool operator==(const branch_parent& a, const branch_parent& b);
bool operator<(const branch_parent& a, const branch_parent& b);

// The parent of every branch, by id. Throws as check().
std::map<size_t, branch_parent> parents(const cost_graph& graph);

// Ids of all branches in topological order; a loop's are at the loop's place.
std::vector<size_t> branches_in_order(const cost_graph& graph);

}  // namespace pws::cfg
