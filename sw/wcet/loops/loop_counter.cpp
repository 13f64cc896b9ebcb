// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/loop_counter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pws::wcet {

loop_counter::loop_counter(const cfg::function_code& code, std::vector<cfg::marked_loop> loops)
    : name_(code.name), loops_(std::move(loops)), in_machine_loop_(loops_.size()) {
  for (const isa::inst& i : code.instructions)
    place_of_instruction_.push_back(static_cast<uint32_t>((i.pc - code.begin()) / 4));
  std::vector<std::vector<step>> steps((code.end() - code.begin()) / 4);
  for (uint32_t l = 0; l < loops_.size(); ++l) {
    if (loops_[l].in_loop.empty())
      add_anchors(l, steps);
    else
      add_machine_loop(l, code, steps);
  }
  for (const auto& here : steps) {
    first_step_.push_back(static_cast<uint32_t>(steps_.size()));
    steps_.insert(steps_.end(), here.begin(), here.end());
  }
  first_step_.push_back(static_cast<uint32_t>(steps_.size()));
}

void loop_counter::add_anchors(uint32_t loop, std::vector<std::vector<step>>& steps) const {
  const cfg::marked_loop& l = loops_[loop];
  std::vector<cfg::marked_loop::anchor> anchors = l.anchors;
  if (anchors.empty()) {
    for (const size_t k : l.entries) anchors.push_back({k, true});
    for (const size_t k : l.iterations) anchors.push_back({k, false});
  }
  std::stable_sort(anchors.begin(), anchors.end(),
                   [](const auto& a, const auto& b) { return a.instruction < b.instruction; });
  for (size_t k = 0; k < anchors.size();) {
    step s;
    s.loop = loop;
    const size_t instruction = anchors[k].instruction;
    for (; k < anchors.size() && anchors[k].instruction == instruction; ++k) {
      if (!anchors[k].enters) {
        ++s.after;
        continue;
      }
      if (s.enters)
        s.between = std::max(s.between, s.after);
      else
        s.before = s.after;
      s.after = 0;
      s.enters = true;
    }
    // Where the order is not known, entries share the iterations.
    if (l.anchors.empty() && s.enters) {
      const auto entries = static_cast<uint64_t>(std::count(l.entries.begin(), l.entries.end(), instruction));
      for (uint64_t n = 1; n < entries && s.after != 0; ++n) s.after -= std::min(s.after, l.bound);
    }
    steps[place_of_instruction_[instruction]].push_back(s);
  }
}

// Set to 0 where the loop may be entered (and looked at where it may be left): at what follows an instruction outside
// (inside), and where branches go. Which it was shows when it happens.
void loop_counter::add_machine_loop(uint32_t loop, const cfg::function_code& code,
                                    std::vector<std::vector<step>>& steps) {
  const cfg::marked_loop& l = loops_[loop];
  std::vector<bool>& inside = in_machine_loop_[loop];
  inside.assign(steps.size(), false);
  std::vector<bool> border(code.instructions.size(), false);
  for (size_t k = 0; k < code.instructions.size(); ++k) {
    inside[place_of_instruction_[k]] = l.in_loop[k];
    if (l.in_loop[k] != (k != 0 && l.in_loop[k - 1])) border[k] = true;
    if (code.instructions[k].unit != isa::unit::branch) continue;
    if (const size_t to = code.at(code.instructions[k].target); to < code.instructions.size()) border[to] = true;
  }
  for (size_t k = 0; k < code.instructions.size(); ++k) {
    step s;
    s.loop = loop;
    s.of_machine = true;
    s.enters = border[k] && l.in_loop[k];
    s.leaves = border[k] && !l.in_loop[k] && l.computed;
    s.after = static_cast<uint64_t>(std::count(l.iterations.begin(), l.iterations.end(), k));
    if (s.enters || s.leaves || s.after != 0) steps[place_of_instruction_[k]].push_back(s);
  }
}

std::optional<loop_counter::violation> loop_counter::pass(counts& of, uint32_t place, uint32_t before, uint64_t active,
                                                          uint64_t owned) const {
  for (uint32_t k = first_step_[place]; k < first_step_[place + 1]; ++k) {
    const step& s = steps_[k];
    const cfg::marked_loop& loop = loops_[s.loop];
    if (active == 0 && !s.of_machine) return violation{&loop, program_error::no_lane, true};
    auto& count = of[s.loop];
    const uint64_t passing = s.of_machine ? owned : active;
    const bool from_inside = s.of_machine && before != outside && in_machine_loop_[s.loop][before];
    const bool entered = s.enters && !from_inside;
    const bool once_more = loop.computed && !(s.leaves && from_inside);
    const uint64_t allowed = loop.bound + (once_more && loop.bound != ~uint64_t{0} ? 1 : 0);
    uint64_t too_many = 0;
    for (size_t lane = 0; entered && lane < lanes; ++lane) {
      if ((passing >> lane & 1) == 0) continue;
      too_many |= uint64_t{std::max(count[lane] + s.before, s.between) > loop.bound} << lane;
      count[lane] = 0;
    }
    uint64_t most = 0;  // what the others have is within the bound
    for (size_t lane = 0; lane < lanes; ++lane) {
      count[lane] += s.after & -(passing >> lane & 1);
      most = std::max(most, count[lane]);
    }
    for (size_t lane = 0; most > allowed && lane < lanes; ++lane) too_many |= uint64_t{count[lane] > allowed} << lane;
    if (too_many != 0) return violation{&loop, __builtin_ctzll(too_many)};
  }
  return std::nullopt;
}

std::string loop_counter::text_of(const violation& v) const {
  const cfg::marked_loop& l = *v.loop;
  std::string where;
  if (l.place.line != 0) {
    where = fmt::format("{}:{}", l.place.file, l.place.line);
  } else {
    const size_t k = l.iterations.empty() ? 0 : l.iterations.front();
    where = fmt::format("{}+0x{:x}", name_, uint64_t{place_of_instruction_[k]} * 4);
  }
  if (v.idle)
    return fmt::format(
        "loop at {} is passed by no active work-item: its bound takes one to be, where its anchors stand", where);
  return fmt::format("loop at {} took {} iterations, {} says {}", where, l.bound + 1, l.from, l.bound);
}

}  // namespace pws::wcet
