#include "tests/pwscc/choice/structured_program.h"

#include <algorithm>

namespace pws::test {

namespace {

uint64_t random_cycles(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return 1'000'000 + random() % 1'000'000;
    default:
      return random() % 50;
  }
}

sequence random_sequence(std::mt19937_64& random, const program_shape& shape, unsigned depth, unsigned& branches) {
  sequence s;
  const unsigned n = random() % 4 + (depth == 0 ? 1 : 0);
  for (unsigned k = 0; k < n; ++k) {
    statement x;
    x.cycles = random_cycles(random);
    const unsigned kind = depth >= shape.depth ? 0 : random() % 6;
    if (kind >= 2 && kind <= 4 && branches < shape.branches) {
      x.what = statement::kind::divergent;
      x.id = branches++;
      x.bsb_cycles = random_cycles(random);
      x.splittable = random() % 6 != 0;
      x.has_else = random() % 5 != 0;
      x.first = random_sequence(random, shape, depth + 1, branches);
      if (x.has_else) x.second = random_sequence(random, shape, depth + 1, branches);
    } else if (kind == 1) {
      x.what = statement::kind::uniform;
      x.first = random_sequence(random, shape, depth + 1, branches);
      x.second = random_sequence(random, shape, depth + 1, branches);
    } else if (kind == 5 && shape.loops) {
      x.what = statement::kind::loop;
      x.bound = 1 + random() % 5;
      x.first = random_sequence(random, shape, depth + 1, branches);
    }
    s.push_back(std::move(x));
  }
  return s;
}

// Appends the sequence's nodes; returns the first, or `next_if_empty` where there are none. Open ends are collected in
// `ends`.
class emitter {
 public:
  explicit emitter(cfg::cost_graph& graph) : graph_(graph) {}

  void emit(const sequence& s) {
    for (const statement& x : s) emit(x);
  }
  size_t add(uint64_t cycles) {
    const size_t n = graph_.nodes.size();
    for (const size_t e : ends_) graph_.nodes[e].successors.push_back(n);
    ends_ = {n};
    graph_.nodes.push_back({cycles, {}, cfg::cost_graph::none});
    return n;
  }

 private:
  // The side's first node is the one after `from`; an empty one gives none.
  size_t side(const sequence& s, size_t from, std::vector<size_t>& ends) {
    const size_t first = graph_.nodes.size();
    ends_ = {from};
    emit(s);
    ends = ends_;
    return graph_.nodes.size() == first ? cfg::cost_graph::none : first;
  }

  void emit(const statement& x) {
    const size_t u = add(x.cycles);
    if (x.what == statement::kind::loop) {
      cfg::cost_loop loop;
      loop.bound = x.bound;
      emitter(loop.body).emit(x.first);
      graph_.nodes[u].loop = graph_.loops.size();
      graph_.loops.push_back(std::move(loop));
    } else if (x.what == statement::kind::uniform) {
      std::vector<size_t> first, second;
      side(x.first, u, first);
      side(x.second, u, second);
      ends_ = first;
      for (const size_t e : second)
        if (std::find(ends_.begin(), ends_.end(), e) == ends_.end()) ends_.push_back(e);
    } else if (x.what == statement::kind::divergent) {
      cfg::cost_graph::serial_branch b;
      b.id = x.id;
      b.node = u;
      b.marked = b.splittable = x.splittable;
      std::vector<size_t> first;
      b.succ = side(x.first, u, first);
      // The skip leads to the BSB too.
      ends_ = first;
      if (std::find(ends_.begin(), ends_.end(), u) == ends_.end()) ends_.push_back(u);
      if (x.has_else) {
        b.bsb = add(x.bsb_cycles);
        std::vector<size_t> second;
        b.bsb_succ = side(x.second, b.bsb, second);
        ends_ = second;
        if (std::find(ends_.begin(), ends_.end(), b.bsb) == ends_.end()) ends_.push_back(b.bsb);
        b.reconv = add(0);
        if (b.bsb_succ == cfg::cost_graph::none) b.bsb_succ = b.reconv;
      } else {
        b.bsb = b.reconv = add(0);
      }
      if (b.succ == cfg::cost_graph::none) b.succ = b.bsb;
      graph_.branches.push_back(b);
    }
  }

  cfg::cost_graph& graph_;
  std::vector<size_t> ends_;
};

}  // namespace

sequence random_program(std::mt19937_64& random, const program_shape& shape, unsigned& branches) {
  return random_sequence(random, shape, 0, branches);
}

uint64_t cycles_of(const sequence& program, const cfg::split_set& splits, uint64_t overhead) {
  uint64_t total = 0;
  for (const statement& x : program) {
    const uint64_t first = cycles_of(x.first, splits, overhead), second = cycles_of(x.second, splits, overhead);
    total += x.cycles;
    switch (x.what) {
      case statement::kind::block:
        break;
      case statement::kind::divergent:
        if (x.has_else) total += x.bsb_cycles;
        total += splits.count(x.id) != 0 ? std::max(first, second) + overhead : first + second;
        break;
      case statement::kind::uniform:
        total += std::max(first, second);
        break;
      case statement::kind::loop:
        total += x.bound * first;
        break;
    }
  }
  return total;
}

unsigned contexts_of(const sequence& program, const cfg::split_set& splits) {
  unsigned most = 0;
  for (const statement& x : program) {
    const unsigned first = contexts_of(x.first, splits), second = contexts_of(x.second, splits);
    const bool split = x.what == statement::kind::divergent && splits.count(x.id) != 0;
    most = std::max(most, split ? 1 + first + second : std::max(first, second));
  }
  return most;
}

void collect_splittable(const sequence& program, std::vector<size_t>& ids) {
  for (const statement& x : program) {
    if (x.what == statement::kind::divergent && x.splittable) ids.push_back(x.id);
    collect_splittable(x.first, ids);
    collect_splittable(x.second, ids);
  }
}

cfg::cost_graph graph_of(const sequence& program) {
  cfg::cost_graph graph;
  emitter(graph).emit(program);
  return graph;
}

}  // namespace pws::test
