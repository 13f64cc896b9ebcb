// SPDX-License-Identifier: Apache-2.0
#include "tests/formation/thread_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pws::test {

namespace {
constexpr unsigned vcc = 256;  // behind the vector registers
// Vector registers. The words that a work-item goes by in the second pass are loaded into those of the first.
constexpr unsigned sum = 6, other = 8, conditions = 10, trips = 11, complement = 14, own_conditions = 12,
                   own_trips = 13, own_complement = 15, test = 5, counters = 16;
}  // namespace

class thread_program::writer {
 public:
  writer(std::vector<thread_instruction>& code, uint64_t seed) : code_(code), random_(seed) {}

  void write() {
    add({"s_barrier", thread_unit::barrier});
    add({"s_cmp_eq_u32 s40, 2", thread_unit::scalar});
    const size_t out = branch("s_cbranch_scc1", thread_branch::last_pass);
    block(0, 0, true);
    for (const auto& [to, from] :
         {std::pair{conditions, own_conditions}, {trips, own_trips}, {complement, own_complement}})
      vector(fmt::format("v_mov_b32 v{}, v{}", to, from), {to, from}, {to});
    // What is under way ends before the last work-item is at the barrier.
    for (int k = 0; k < 3; ++k) idle(16);
    add({"s_add_u32 s40, s40, 1", thread_unit::scalar});
    code_[branch("s_branch", thread_branch::always)].target = 0;
    code_[out].target = code_.size();
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool per_cent(unsigned n) { return below(100) < n; }
  thread_instruction& add(thread_instruction i) {
    code_.push_back(std::move(i));
    return code_.back();
  }
  thread_instruction& vector(const std::string& text, std::vector<unsigned> registers, std::vector<unsigned> results) {
    thread_instruction i{text, thread_unit::vector};
    i.registers = std::move(registers);
    i.results = std::move(results);
    return add(std::move(i));
  }
  void scalar(const std::string& text) { add({text, thread_unit::scalar}); }
  void idle(unsigned cycles) { add({fmt::format("s_nop {}", cycles - 1), thread_unit::idle}).cycles = cycles; }
  size_t branch(const std::string& text, thread_branch when, unsigned bit = 0, unsigned level = 0) {
    thread_instruction i{text, thread_unit::branch};
    i.branch = when;
    i.bit = bit;
    i.level = level;
    add(std::move(i));
    return code_.size() - 1;
  }

  // `level`: loops around it; `depth`: statements around it. Barriers stand where all work-items come.
  void block(unsigned depth, unsigned level, bool all_come) {
    const unsigned statements = depth == 0 ? 3 + below(3) : 1 + below(2);
    for (unsigned k = 0; k < statements; ++k) {
      const unsigned what = code_.size() > 180 ? 0 : below(depth > 3 ? 4 : 12);
      if (what < 4)
        arithmetic();
      else if (what < 6)
        side(depth, level, conditions, below(32));
      else if (what < 8)
        both_sides(depth, level);
      else if (what < 10 && level < loop_levels)
        loop(depth, level);
      else if (all_come && what == 10 && rounds_ == 0)
        rounds(depth, level);
      else if (all_come)
        add({"s_barrier", thread_unit::barrier});
    }
    if (per_cent(50)) arithmetic();
  }

  void arithmetic() {
    for (unsigned n = 1 + below(3); n != 0; --n) switch (below(8)) {
        case 0:
          vector(fmt::format("v_rcp_f32 v{}, v{}", other, other), {other}, {other}).unit =
              thread_unit::quarter_rate_vector;
          break;
        case 1:
          scalar("s_add_u32 s41, s41, 3");
          break;
        case 2:
          idle(1 + below(4));
          break;
        case 3:
          vector(fmt::format("v_alignbit_b32 v{0}, v{0}, v{0}, 1", conditions), {conditions}, {conditions}).effect =
              thread_effect::rotate;
          vector(fmt::format("v_alignbit_b32 v{0}, v{0}, v{0}, 1", complement), {complement}, {complement}).effect =
              thread_effect::rotate_complement;
          break;
        case 4:
          vector(fmt::format("v_add_f32 v{}, 1.0, v{}", other + 1, other), {other, other + 1}, {other + 1});
          break;
        default:
          vector(fmt::format("v_mad_u32_u24 v{}, v{}, 3, {}", sum, sum, 1 + below(60)), {sum}, {sum});
      }
  }

  // VCC: the bit of the word.
  void compare(unsigned word, unsigned bit) {
    vector(fmt::format("v_bfe_u32 v{}, v{}, {}, 1", test, word, bit), {test, word}, {test});
    vector(fmt::format("v_cmp_ne_u32 vcc, 0, v{}", test), {test, vcc}, {vcc});
  }
  void mask(const std::string& text) { add({text, thread_unit::scalar}).registers = {vcc}; }

  void side(unsigned depth, unsigned level, unsigned word, unsigned bit) {
    const std::string saved = fmt::format("s[{}:{}]", 20 + 2 * depth, 21 + 2 * depth);
    compare(word, bit);
    mask(fmt::format("s_and_saveexec_b64 {}, vcc", saved));
    const size_t skip = branch(
        "s_cbranch_execz", word == conditions ? thread_branch::condition_false : thread_branch::complement_false, bit);
    block(depth + 1, level, false);
    code_[skip].target = code_.size();
    scalar(fmt::format("s_or_b64 exec, exec, {}", saved));
  }
  void both_sides(unsigned depth, unsigned level) {
    // A side may turn the words: the other one tests the bit that has come to stand there.
    const unsigned bit = below(32);
    side(depth, level, conditions, bit);
    side(depth, level, complement, bit);
  }

  void loop(unsigned depth, unsigned level) {
    const std::string saved = fmt::format("s[{}:{}]", 20 + 2 * depth, 21 + 2 * depth);
    const unsigned counter = counters + level, first_bit = 2 * below(16);
    vector(fmt::format("v_bfe_u32 v{}, v{}, {}, 2", counter, trips, first_bit), {counter, trips}, {counter});
    thread_instruction& one_more =
        vector(fmt::format("v_add_u32 v{0}, vcc, 1, v{0}", counter), {counter, vcc}, {counter, vcc});
    one_more.effect = thread_effect::set_trips;
    one_more.bit = first_bit;
    one_more.level = level;
    scalar(fmt::format("s_mov_b64 {}, exec", saved));
    const size_t begin = code_.size();
    block(depth + 1, level + 1, false);
    size_t left = 0;
    if (per_cent(40)) {
      const unsigned bit = below(32);
      compare(conditions, bit);
      mask("s_and_b64 exec, exec, vcc");
      left = branch("s_cbranch_execz", thread_branch::condition_false, bit);
      block(depth + 1, level + 1, false);
    }
    thread_instruction& down =
        vector(fmt::format("v_subrev_u32 v{0}, vcc, 1, v{0}", counter), {counter, vcc}, {counter, vcc});
    down.effect = thread_effect::count_down;
    down.level = level;
    vector(fmt::format("v_cmp_ne_u32 vcc, 0, v{}", counter), {counter, vcc}, {vcc});
    mask("s_and_b64 exec, exec, vcc");
    code_[branch("s_cbranch_execnz", thread_branch::trips_left, 0, level)].target = begin;
    if (left != 0) code_[left].target = code_.size();
    scalar(fmt::format("s_mov_b64 exec, {}", saved));
  }

  // A loop that every work-item goes round equally often.
  void rounds(unsigned depth, unsigned level) {
    rounds_ = 2 + below(2);
    thread_instruction set{fmt::format("s_mov_b32 s42, {}", rounds_), thread_unit::scalar};
    set.effect = thread_effect::set_rounds;
    set.bit = rounds_;
    add(std::move(set));
    const size_t begin = code_.size();
    block(depth + 1, level, true);
    add({"s_sub_u32 s42, s42, 1", thread_unit::scalar}).effect = thread_effect::count_round;
    scalar("s_cmp_lg_u32 s42, 0");
    code_[branch("s_cbranch_scc1", thread_branch::rounds_left)].target = begin;
    rounds_ = 0;
  }

  std::vector<thread_instruction>& code_;
  std::mt19937_64 random_;
  unsigned rounds_ = 0;
};

thread_program::thread_program(uint64_t seed) : words_(seed) {
  writer(code_, seed).write();
}

std::vector<bool> thread_program::post_dominators() const {
  // For each instruction, the instructions on all its ways to the end; itself is one.
  const size_t n = code_.size();
  std::vector<std::vector<bool>> on_all(n + 1, std::vector<bool>(n + 1, true));
  on_all[n].assign(n + 1, false);
  on_all[n][n] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = n; k-- > 0;) {
      std::vector<bool> now(n + 1, true);
      const auto meet = [&](size_t next) {
        for (size_t m = 0; m <= n; ++m) now[m] = now[m] && on_all[next][m];
      };
      if (code_[k].branch != thread_branch::none) meet(code_[k].target);
      if (code_[k].branch != thread_branch::always) meet(k + 1);
      now[k] = true;
      if (now == on_all[k]) continue;
      on_all[k] = std::move(now);
      changed = true;
    }
  }
  std::vector<bool> found(n + 1, false);
  const auto count = [&](size_t k) { return std::count(on_all[k].begin(), on_all[k].end(), true); };
  for (size_t k = 0; k < n; ++k) {
    if (code_[k].branch == thread_branch::none || code_[k].branch == thread_branch::always) continue;
    for (size_t m = 0; m <= n; ++m)  // the nearest: all others are on its ways too
      if (m != k && on_all[k][m] && count(m) + 1 == count(k)) found[m] = true;
  }
  return found;
}

std::string thread_program::assembly(const std::string& name) const {
  std::string text = words_.code({own_conditions, own_trips, test});
  const auto line = [&text](const std::string& l) { text += "  " + l + "\n"; };
  line(fmt::format("v_not_b32 v{}, v{}", own_complement, own_conditions));
  line(fmt::format("v_mov_b32 v{}, -1", conditions));
  line(fmt::format("v_mov_b32 v{}, -1", complement));
  line(fmt::format("v_mov_b32 v{}, 0", trips));
  for (const unsigned v : {sum, other, other + 1}) line(fmt::format("v_mov_b32 v{}, 0", v));
  line("s_mov_b32 s40, 0");
  line("s_mov_b32 s41, 0");
  std::vector<code_line> lines;
  for (const thread_instruction& i : code_) {
    lines.push_back({i.text, {}});
    if (i.branch != thread_branch::none) lines.back().target = i.target;
  }
  return text + labelled(lines, name) + "  s_endpgm\n";
}

std::string assembly_of(const std::vector<thread_program>& programs) {
  std::vector<std::string> code;
  for (size_t k = 0; k < programs.size(); ++k) code.push_back(programs[k].assembly("k" + std::to_string(k)));
  return kernels_without_arguments(code);
}

}  // namespace pws::test
