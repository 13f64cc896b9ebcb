// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/path_program.h"

#include <fmt/format.h>

#include <random>
#include <stdexcept>

namespace pws::test {

namespace {

// Vector registers.
constexpr unsigned test_register = 5, sum_register = 6, reciprocal = 8, condition_words = 10, trip_words = 11,
                   first_counter = 16;

template <class F>
void for_lanes(uint64_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctzll(mask)));
}
template <class F>
uint64_t lanes_with(const path_view& p, F f) {
  uint64_t m = 0;
  for_lanes(p.active(), [&](unsigned lane) { m |= uint64_t{f(lane)} << lane; });
  return m;
}

class writer {
 public:
  writer(std::vector<path_instruction>& code, uint64_t seed) : code_(code), random_(seed) {
    split_percent_ = below(4) == 0 ? 100 : 70;
    end_percent_ = below(3) == 0 ? 15 : 0;
    longest_ = 60 + below(160);
  }

  void write() {
    add({"s_barrier", path_unit::barrier});
    const unsigned statements = 2 + below(4);
    for (unsigned k = 0; k < statements; ++k) {
      statement(0, 0, {true, false});
      if (per_cent(30)) arithmetic();
    }
    add({"s_endpgm", path_unit::end});
  }
  void write(const std::string& shape) {
    add({"s_barrier", path_unit::barrier});
    shape_ = shape;
    shaped(0);
    if (at_ != shape_.size()) throw std::invalid_argument("shape: " + shape);
    add({"s_endpgm", path_unit::end});
  }

 private:
  void shaped(unsigned depth) {
    for (; at_ < shape_.size(); ++at_) switch (shape_[at_]) {
        case 'v':
          full_rate(1);
          break;
        case 'q':
          quarter_rate();
          break;
        case 'u':
          uses_quarter_rate();
          break;
        case 's':
          scalar("s_add_u32 s58, s58, 3");
          break;
        case 'n':
          idle(1);
          break;
        case 'N':
          idle(8);
          break;
        case 'b':
          add({"s_barrier", path_unit::barrier});
          break;
        case 'e':
          add({"s_endpgm", path_unit::end});
          break;
        case '(':
        case '{': {
          const bool splits = shape_[at_] == '(';
          const unsigned bit = static_cast<unsigned>(shape_.at(at_ + 1) - '0');
          at_ += 2;
          compare(0, bit, 1);
          const auto side = [&] {
            shaped(depth + 1);
            ++at_;
          };
          if_else(depth, splits, side, side);
          --at_;
          break;
        }
        case '[':
          ++at_;
          rounds(depth, 2, [&] { shaped(depth + 1); });
          break;
        default:  // what is around it goes on
          return;
      }
  }

  // What surrounds a statement.
  struct place {
    bool all_come = false, on_a_side = false;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool per_cent(unsigned n) { return below(100) < n; }
  path_instruction& add(path_instruction i) {
    code_.push_back(std::move(i));
    return code_.back();
  }
  path_instruction& vector(const std::string& text, unsigned dwords, std::vector<unsigned> registers,
                           std::vector<unsigned> results) {
    path_instruction i{text, path_unit::vector, dwords};
    i.registers = std::move(registers);
    i.results = std::move(results);
    return add(std::move(i));
  }
  path_instruction& scalar(const std::string& text, std::function<void(path_view&)> act = {}) {
    path_instruction i{text, path_unit::scalar};
    i.act = std::move(act);
    return add(std::move(i));
  }
  size_t branch(const std::string& text, std::function<bool(const path_view&)> taken) {
    path_instruction i{text, path_unit::branch};
    i.taken = std::move(taken);
    if (text == "s_cbranch_vccz") i.registers = {path_vcc};
    add(std::move(i));
    return code_.size() - 1;
  }
  size_t branch_if_nobody() {
    return branch("s_cbranch_execz", [](const path_view& p) { return p.active() == 0; });
  }
  void land(size_t branch) { code_[branch].target = code_.size(); }
  static std::string saved_pair(unsigned depth) { return fmt::format("s[{}:{}]", 20 + 2 * depth, 21 + 2 * depth); }

  void block(unsigned depth, unsigned loops, place where) {
    for (unsigned n = below(3); n != 0; --n) statement(depth, loops, where);
    if (per_cent(50)) arithmetic();
  }
  void statement(unsigned depth, unsigned loops, place where) {
    const unsigned what = code_.size() > longest_ || depth + 1 >= path_depth ? 0 : below(12);
    if (what < 2)
      arithmetic();
    else if (what < 9)
      if_else(depth, loops);
    else if (what == 9 && loops < path_loops)
      loop(depth, loops);
    else if (what == 10 && !in_rounds_) {
      in_rounds_ = true;
      rounds(depth, 2 + below(2), [&] { block(depth + 1, loops, where); });
      in_rounds_ = false;
    } else if (where.all_come)
      add({"s_barrier", path_unit::barrier});
    else if (where.on_a_side && per_cent(end_percent_))
      early_end();
  }

  void arithmetic() {
    for (unsigned n = 1 + below(3); n != 0; --n) switch (below(7)) {
        case 0:
          quarter_rate();
          break;
        case 1:
          scalar("s_add_u32 s58, s58, 3");
          break;
        case 2:
          idle(1 + below(4));
          break;
        case 3:
          uses_quarter_rate();
          break;
        default:
          full_rate(1 + below(60));
      }
  }
  void quarter_rate() {
    vector(fmt::format("v_rcp_f32 v{0}, v{0}", reciprocal), 1, {reciprocal}, {reciprocal}).unit =
        path_unit::quarter_rate_vector;
  }
  void uses_quarter_rate() {
    vector(fmt::format("v_add_f32 v{}, 1.0, v{}", reciprocal + 1, reciprocal), 1, {reciprocal, reciprocal + 1},
           {reciprocal + 1});
  }
  void full_rate(unsigned number) {
    vector(fmt::format("v_mad_u32_u24 v{0}, v{0}, 3, {1}", sum_register, number), 2, {sum_register}, {sum_register});
  }
  void idle(unsigned cycles) { add({fmt::format("s_nop {}", cycles - 1), path_unit::idle}).cycles = cycles; }

  // VCC: work-items whose field of the word is not 0. With one bit half of them, with more nearly all.
  void compare(unsigned word, unsigned bit, unsigned bits) {
    vector(fmt::format("v_bfe_u32 v{}, v{}, {}, {}", test_register, word, bit, bits), 2, {test_register, word},
           {test_register})
        .act = [=](path_view& p) {
      for_lanes(p.active(), [&](unsigned lane) {
        p.vector[test_register][lane] = p.vector[word][lane] >> bit & ((1u << bits) - 1);
      });
    };
    compare_with_0("ne", test_register);
  }
  void compare_with_0(const std::string& relation, unsigned v) {
    const bool equal = relation == "eq";
    vector(fmt::format("v_cmp_{}_u32 vcc, 0, v{}", relation, v), 1, {v, path_vcc}, {path_vcc}).act = [=](path_view& p) {
      p.scalar.vcc = lanes_with(p, [&](unsigned lane) { return (p.vector[v][lane] == 0) == equal; });
    };
  }
  void condition() {
    const unsigned what = below(10);
    if (what < 6)
      compare(condition_words, below(32), 1);
    else if (what < 8)
      compare(condition_words, below(28), 2 + below(3));
    else  // all of them, or none
      vector(fmt::format("v_cmp_{}_u32 vcc, v0, v0", what == 8 ? "eq" : "ne"), 1, {0, path_vcc}, {path_vcc}).act =
          [=](path_view& p) { p.scalar.vcc = what == 8 ? p.active() : 0; };
  }

  void if_else(unsigned depth, unsigned loops) {
    const bool splits = per_cent(split_percent_), one_sided = per_cent(25), empty = per_cent(10);
    condition();
    const auto side = [&](bool is_empty) {
      if (!is_empty) block(depth + 1, loops, {false, true});
    };
    if_else(
        depth, splits, [&] { side(empty); }, [&] { side(one_sided); });
  }
  // By VCC.
  template <class Left, class Right>
  void if_else(unsigned depth, bool splits, Left left, Right right) {
    const std::string saved = saved_pair(depth);
    scalar(fmt::format("s_and_saveexec_b64 {}, vcc", saved), [=](path_view& p) {
      p.scalar.saved[depth] = p.active();
      p.scalar.exec = p.active() & p.scalar.vcc;
    }).registers = {path_vcc};
    scalar(fmt::format("s_xor_b64 {0}, exec, {0}", saved), [=](path_view& p) { p.scalar.saved[depth] ^= p.active(); });
    const size_t split = code_.size();
    if (splits) add({".long 0xbf147f7e", path_unit::split_point});  // split exec_lo, exec_hi
    const size_t to_other = branch_if_nobody();
    left();
    land(to_other);
    scalar(fmt::format("s_or_saveexec_b64 {0}, {0}", saved), [=](path_view& p) {
      const uint64_t before = p.active();
      p.scalar.exec = p.scalar.saved[depth] | before;
      p.scalar.saved[depth] = before;
    });
    scalar(fmt::format("s_xor_b64 exec, exec, {}", saved),
           [=](path_view& p) { p.scalar.exec = p.active() ^ p.scalar.saved[depth]; });
    const size_t to_end = branch_if_nobody();
    right();
    land(to_end);
    scalar(fmt::format("s_or_b64 exec, exec, {}", saved),
           [=](path_view& p) { p.scalar.exec = p.active() | p.scalar.saved[depth]; });
    if (!splits) return;
    code_[split].target = code_.size();
    add({".long 0xbf150000", path_unit::merge_point});
  }

  void loop(unsigned depth, unsigned loops) {
    const std::string saved = saved_pair(depth);
    const unsigned counter = first_counter + loops, bit = 2 * below(16);
    const auto count = [&](const std::string& name, uint32_t by) {
      vector(fmt::format("{0} v{1}, vcc, 1, v{1}", name, counter), 1, {counter, path_vcc}, {counter, path_vcc}).act =
          [=](path_view& p) { for_lanes(p.active(), [&](unsigned lane) { p.vector[counter][lane] += by; }); };
    };
    vector(fmt::format("v_bfe_u32 v{}, v{}, {}, 2", counter, trip_words, bit), 2, {counter, trip_words}, {counter})
        .act = [=](path_view& p) {
      for_lanes(p.active(), [&](unsigned l) { p.vector[counter][l] = p.vector[trip_words][l] >> bit & 3; });
    };
    count("v_add_u32", 1);
    scalar(fmt::format("s_mov_b64 {}, exec", saved), [=](path_view& p) { p.scalar.saved[depth] = p.active(); });
    const auto keep_vcc = [&] {
      scalar("s_and_b64 exec, exec, vcc", [](path_view& p) { p.scalar.exec = p.active() & p.scalar.vcc; }).registers = {
          path_vcc};
    };
    const size_t begin = code_.size();
    block(depth + 1, loops + 1, {});
    size_t left = 0;
    if (per_cent(40)) {
      compare(condition_words, below(32), 1);
      keep_vcc();
      left = branch_if_nobody();
      block(depth + 1, loops + 1, {});
    }
    count("v_subrev_u32", ~uint32_t{0});
    compare_with_0("ne", counter);
    keep_vcc();
    code_[branch("s_cbranch_execnz", [](const path_view& p) { return p.active() != 0; })].target = begin;
    if (left != 0) land(left);
    scalar(fmt::format("s_mov_b64 exec, {}", saved), [=](path_view& p) { p.scalar.exec = p.scalar.saved[depth]; });
  }

  // A loop that all work-items of a path go round equally often.
  template <class Body>
  void rounds(unsigned depth, unsigned number, Body body) {
    const unsigned counter = 46 + depth;
    scalar(fmt::format("s_mov_b32 s{}, {}", counter, number), [=](path_view& p) { p.scalar.rounds[depth] = number; });
    const size_t begin = code_.size();
    body();
    scalar(fmt::format("s_sub_u32 s{0}, s{0}, 1", counter), [=](path_view& p) { --p.scalar.rounds[depth]; });
    scalar(fmt::format("s_cmp_lg_u32 s{}, 0", counter));
    code_[branch("s_cbranch_scc1", [=](const path_view& p) { return p.scalar.rounds[depth] != 0; })].target = begin;
  }

  // The path ends if one of its work-items says so.
  void early_end() {
    compare(condition_words, below(32), 1);
    const size_t on = branch("s_cbranch_vccz", [](const path_view& p) { return p.scalar.vcc == 0; });
    add({"s_endpgm", path_unit::end});
    land(on);
  }

  std::vector<path_instruction>& code_;
  std::mt19937_64 random_;
  unsigned split_percent_, end_percent_, longest_;
  bool in_rounds_ = false;
  std::string shape_;
  size_t at_ = 0;  // of the shape
};

}  // namespace

path_program::path_program(uint64_t seed) : words_(seed) {
  writer(code_, seed).write();
}

path_program::path_program() : words_(0) {}

path_program path_program::of_shape(const std::string& shape) {
  path_program p;
  writer(p.code_, 0).write(shape);
  return p;
}

vector_words path_program::words_at_begin(uint32_t first_work_item) const {
  vector_words v{};
  for (uint32_t lane = 0; lane < 64; ++lane) {
    const work_item_words w = words_.of(first_work_item + lane);
    v[condition_words][lane] = w.conditions;
    v[trip_words][lane] = w.trips;
    v[0][lane] = first_work_item + lane;
  }
  return v;
}

std::string path_program::assembly(const std::string& name) const {
  std::string text = words_.code({condition_words, trip_words, test_register});
  const auto line = [&text](const std::string& l) { text += "  " + l + "\n"; };
  for (const unsigned v : {sum_register, reciprocal, reciprocal + 1}) line(fmt::format("v_mov_b32 v{}, 0", v));
  line("s_mov_b32 s58, 0");
  line("s_nop 15");  // what is under way ends before the barrier
  line("s_nop 15");
  std::vector<code_line> lines;
  for (const path_instruction& i : code_) {
    lines.push_back({i.text, {}});
    if (i.taken) lines.back().target = i.target;
  }
  return text + labelled(lines, name);
}

std::vector<uint64_t> path_program::offsets() const {
  std::vector<uint64_t> list;
  uint64_t at = 0;
  for (const path_instruction& i : code_) {
    list.push_back(at);
    at += 4 * i.dwords;
  }
  return list;
}

uint32_t path_program::length_behind(size_t at) const {
  std::vector<bool> targets(code_.size(), false);
  for (const path_instruction& i : code_)
    if (i.taken) targets[i.target] = true;
  uint32_t length = 0;
  for (size_t k = at + 1; k < code_.size(); ++k) {
    const path_unit u = code_[k].unit;
    if (u == path_unit::split_point || u == path_unit::merge_point || (k != at + 1 && targets[k])) break;
    ++length;
    if (u == path_unit::branch || u == path_unit::end) break;
  }
  return length;
}

std::string assembly_of(const std::vector<path_program>& programs) {
  std::vector<std::string> code;
  for (size_t k = 0; k < programs.size(); ++k) code.push_back(programs[k].assembly("k" + std::to_string(k)));
  return kernels_without_arguments(code, path_program_bytes);
}

}  // namespace pws::test
