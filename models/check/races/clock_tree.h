// SPDX-License-Identifier: Apache-2.0
// A time for each of many numbers, as a tree whose parts are shared between copies: copies cost nothing, a change the
// way to one number, and what two trees have in common is not looked at when they are compared or united. Where all
// numbers of a part have the same time, the part is that time. So those who hear of ten thousand others one after the
// other need no ten thousand times each.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace pws::check {

class clock_tree {
 public:
  static constexpr uint32_t nobody = ~uint32_t{0};

  // 0: nothing is known.
  uint32_t of(uint32_t number) const;
  // Not before `clock`.
  void raise(uint32_t number, uint32_t clock);
  // Each not before that of `o`.
  void raise(const clock_tree& o);
  // Whether no time is before that of `o`, but for the number `except`.
  bool covers(const clock_tree& o, uint32_t except = nobody) const;

  // Parts that all trees have looked at so far, and made: what a test of cost counts.
  static uint64_t visited() { return visited_; }

 private:
  static constexpr unsigned bits = 4, children = 1u << bits, most_levels = 32 / bits;
  struct node;
  // The numbers of a part: one time for all of them, or a node.
  class part {
   public:
    part() = default;
    explicit part(uint32_t all) : word_(uint64_t{all} << 1 | 1) {}
    explicit part(node* n) : word_(reinterpret_cast<uintptr_t>(n)) {}  // takes over its use
    part(const part& o);
    part(part&& o) noexcept : word_(std::exchange(o.word_, nothing)) {}
    part& operator=(part o) noexcept {
      std::swap(word_, o.word_);
      return *this;
    }
    ~part();
    bool is_time() const { return (word_ & 1) != 0; }
    uint32_t time() const { return static_cast<uint32_t>(word_ >> 1); }
    node* to() const { return reinterpret_cast<node*>(static_cast<uintptr_t>(word_)); }
    friend bool operator==(const part& a, const part& b) { return a.word_ == b.word_; }
    const part& child(unsigned k) const;  // of one that is a time: itself

   private:
    static constexpr uint64_t nothing = 1;
    uint64_t word_ = nothing;
  };
  struct node {
    uint32_t uses = 1;  // one thread has all of them
    std::array<part, children> of;
  };
  static unsigned child_of(uint32_t number, unsigned level) { return number >> (bits * (level - 1)) & (children - 1); }
  static part compact(part p);
  static part raised(part p, unsigned level, uint32_t number, uint32_t clock);
  static part united(const part& a, const part& b);
  static bool covers(const part& a, const part& b, unsigned level, uint32_t except);
  void grow(unsigned levels);

  part root_;
  unsigned levels_ = 0;  // numbers below 2^(bits * levels_) are in it
  static inline uint64_t visited_ = 0;
};

}  // namespace pws::check
