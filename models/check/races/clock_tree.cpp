// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/clock_tree.h"

#include <algorithm>

namespace pws::check {

clock_tree::part::part(const part& o) : word_(o.word_) {
  if (!is_time()) ++to()->uses;
}

clock_tree::part::~part() {
  if (!is_time() && --to()->uses == 0) delete to();
}

const clock_tree::part& clock_tree::part::child(unsigned k) const {
  return is_time() ? *this : to()->of[k];
}

uint32_t clock_tree::of(uint32_t number) const {
  if (levels_ < most_levels && number >> (bits * levels_) != 0) return 0;
  const part* p = &root_;
  for (unsigned level = levels_; !p->is_time(); --level) p = &p->to()->of[child_of(number, level)];
  return p->time();
}

// A node all of whose parts are the same time is that time.
clock_tree::part clock_tree::compact(part p) {
  const std::array<part, children>& of = p.to()->of;
  const bool same = of[0].is_time() && std::all_of(of.begin() + 1, of.end(), [&](const part& c) { return c == of[0]; });
  return same ? of[0] : p;
}

clock_tree::part clock_tree::raised(part p, unsigned level, uint32_t number, uint32_t clock) {
  ++visited_;
  if (p.is_time() && p.time() >= clock) return p;
  if (level == 0) return part(clock);
  if (p.is_time()) {
    auto* const n = new node;
    n->of.fill(p);
    p = part(n);
  } else if (p.to()->uses != 1) {
    auto* const n = new node;
    n->of = p.to()->of;
    p = part(n);
  }
  part& changed = p.to()->of[child_of(number, level)];
  changed = raised(std::move(changed), level - 1, number, clock);
  return compact(std::move(p));
}

void clock_tree::grow(unsigned levels) {
  for (; levels_ < levels; ++levels_) {
    if (root_ == part()) continue;
    auto* const n = new node;
    n->of[0] = std::move(root_);
    root_ = part(n);
  }
}

void clock_tree::raise(uint32_t number, uint32_t clock) {
  unsigned levels = levels_;
  while (levels < most_levels && number >> (bits * levels) != 0) ++levels;
  if (of(number) >= clock) return;
  grow(levels);
  root_ = raised(std::move(root_), levels_, number, clock);
}

// One of the two wherever that covers the other, so that what is equal stays one.
clock_tree::part clock_tree::united(const part& a, const part& b) {
  ++visited_;
  if (a == b || b == part()) return a;
  if (a == part()) return b;
  if (a.is_time() && b.is_time()) return part(std::max(a.time(), b.time()));
  auto* const n = new node;
  part all(n);
  bool is_a = !a.is_time(), is_b = !b.is_time();
  for (unsigned k = 0; k < children; ++k) {
    n->of[k] = united(a.child(k), b.child(k));
    is_a = is_a && n->of[k] == a.child(k);
    is_b = is_b && n->of[k] == b.child(k);
  }
  return is_a ? a : is_b ? b : compact(std::move(all));
}

void clock_tree::raise(const clock_tree& o) {
  if (o.levels_ <= levels_) {
    part other = o.root_;
    if (o.levels_ < levels_) {
      clock_tree lifted = o;
      lifted.grow(levels_);
      other = lifted.root_;
    }
    root_ = united(root_, other);
  } else {
    grow(o.levels_);
    root_ = united(root_, o.root_);
  }
}

bool clock_tree::covers(const part& a, const part& b, unsigned level, uint32_t except) {
  ++visited_;
  if (a == b || b == part()) return true;
  if (level == 0 && except == 0) return true;
  if (a.is_time() && b.is_time() && a.time() >= b.time()) return true;
  if (level == 0 || (a.is_time() && b.is_time() && except == nobody)) return false;
  const unsigned excepted = except == nobody ? children : child_of(except, level);
  for (unsigned k = 0; k < children; ++k) {
    const uint32_t below = k == excepted ? except & ((uint64_t{1} << (bits * (level - 1))) - 1) : nobody;
    if (!covers(a.child(k), b.child(k), level - 1, below)) return false;
  }
  return true;
}

bool clock_tree::covers(const clock_tree& o, uint32_t except) const {
  if (o.root_ == part()) return true;
  const unsigned all = std::max(levels_, o.levels_);
  if (all < most_levels && except >> (bits * all) != 0) except = nobody;
  if (o.levels_ == levels_) return covers(root_, o.root_, levels_, except);
  clock_tree a = *this, b = o;
  a.grow(all);
  b.grow(all);
  return covers(a.root_, b.root_, all, except);
}

}  // namespace pws::check
