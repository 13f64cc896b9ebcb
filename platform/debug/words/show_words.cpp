// SPDX-License-Identifier: Apache-2.0
// Commands that show wavefronts, paths and code, and choose among them.
#include <fmt/ostream.h>

#include <algorithm>

#include "base/error.h"
#include "base/file_names.h"
#include "models/divergence/divergence_scheme.h"
#include "models/machine/divergence_kind.h"
#include "platform/debug/asked_points.h"
#include "platform/debug/frames.h"
#include "platform/debug/variables.h"
#include "platform/debug/words/console.h"
#include "sw/loader/line_table.h"

namespace pws::platform::debug {

path console::selected() const {
  if (!selected_) throw input_error("no path is selected: no wavefront runs now");
  return selected_;
}

void console::select(const path& p, int lane) {
  selected_ = p;
  frame_number_ = 0;
  frame_ = {};
  const uint64_t active = p.context->state.active();
  const auto is_active = [&](int n) { return n >= 0 && (active >> n & 1) != 0; };
  if (lane >= 0)
    lane_ = lane;
  else if (!is_active(lane_))
    lane_ = active == 0 ? 0 : __builtin_ctzll(active);
}

std::string console::line_text(uint64_t pc) const {
  const auto& lines = debugger_.code().lines(pc);
  return lines.empty() ? "" : fmt::format("{}:{}", file_name(lines.front().file), lines.front().line);
}

void console::say_line(const loader::source_line& l) const {
  const std::vector<std::string>& text = debugger_.code().text_of(l.file);
  if (l.line == 0 || l.line > text.size()) return;
  fmt::print(out_, "{:<8}{}\n", l.line, text[l.line - 1]);
}

void console::say_path(size_t number, const path& p) {
  const isa::wave_state& s = p.context->state;
  const uint64_t pc = machine().pc_of(p);
  const models::wf_context* const parent = machine().gpu.cus[p.cu]->scheme().parent_of(*p.context);
  fmt::print(out_, "{} {:<3}{:<26} mask {:#018x} active {:#018x} {:#x} {} {}\n      {}{}\n", p == selected_ ? '*' : ' ',
             number, machine().place_of(p), s.split_mask & p.context->tree.root->tree.launched,
             s.active() & p.context->tree.root->tree.launched, pc, debugger_.code().symbol_text(pc), line_text(pc),
             machine().waiting_text(p), parent == nullptr ? "" : ", split off " + machine().place_of({p.cu, parent}));
}

void console::say_selected() {
  const path p = selected();
  const std::vector<path> paths = machine().paths_of(p);
  const auto number = std::find(paths.begin(), paths.end(), p) - paths.begin();
  const models::workgroup& g = p.context->group->launch;
  fmt::print(out_, "wavefront {}, workgroup ({},{},{}), path {} of {} ({}), lanes {:#018x}, cycle {}\n",
             machine().wavefront_number(*p.context), g.id[0], g.id[1], g.id[2], number,
             paths.size() + machine().stacked_of(p).size(), machine().place_of(p),
             p.context->state.active() & p.context->tree.root->tree.launched, stop_.cycle);
}

void console::say_where() {
  say_selected();
  const uint64_t pc = stop_.at == selected_ ? stop_.pc : machine().pc_of(selected_);
  const auto& lines = debugger_.code().lines(pc);
  if (!lines.empty()) {
    fmt::print(out_, "{}\n", loader::text(lines));
    say_line(lines.back());
  }
  fmt::print(out_, "=> {:#x} {}: {}\n", pc, debugger_.code().symbol_text(pc), debugger_.code().instruction_text(pc));
}

void console::say_stop() {
  switch (stop_.why) {
    case stop_reason::launch_begins: {
      const kernel_launch& l = debugger_.launch().launch;
      fmt::print(
          out_,
          "{} is loaded. Launch {} is kernel {}, grid {}x{}x{}, workgroup {}x{}x{}. `run` begins, `help` has the "
          "commands.\n",
          file_name(l.source), debugger_.launch().number, l.kernel.kernel->demangled, l.grid[0], l.grid[1], l.grid[2],
          l.workgroup[0], l.workgroup[1], l.workgroup[2]);
      return;
    }
    case stop_reason::fault:
      fmt::print(out_, "The program has gone wrong: {}\n", stop_.text);
      break;
    case stop_reason::mismatch:
      break;  // the text says that
    case stop_reason::interrupted:
      fmt::print(out_, "Interrupted.\n");
      break;
    case stop_reason::position:
      fmt::print(out_, "Back at instruction {}.\n", stop_.position);
      break;
    case stop_reason::run_ended:
      fmt::print(out_, "Launch {} has ended, the last one. `continue` checks the result.\n", debugger_.launch().number);
      break;
    case stop_reason::point:
      if (!stop_.at) fmt::print(out_, "Launch {} has ended.\n", debugger_.launch().number);
      break;
    case stop_reason::step:
      break;
  }
  for (const uint32_t n : stop_.points)
    if (const point* const p = debugger_.points.find(n)) fmt::print(out_, "{}\n", title_of(*p));
  if (!stop_.text.empty() && stop_.why != stop_reason::fault) fmt::print(out_, "{}\n", stop_.text);
  if (selected_) say_where();
}

console::answer console::info_wavefronts(words& w) {
  w.end();
  const std::vector<path> all = machine().wavefronts();
  if (all.empty()) fmt::print(out_, "No wavefront runs.\n");
  for (const path& p : all) {
    const models::workgroup& g = p.context->group->launch;
    const uint64_t pc = machine().pc_of(p);
    const bool is_selected = selected_ && machine().root_of(selected_) == p;
    fmt::print(out_, "{} {:<4} workgroup ({},{},{}) {:<16} {} paths  {:#x} {} {}\n      {}\n", is_selected ? '*' : ' ',
               machine().wavefront_number(*p.context), g.id[0], g.id[1], g.id[2], machine().place_of(p),
               machine().paths_of(p).size() + machine().stacked_of(p).size(), pc, debugger_.code().symbol_text(pc),
               line_text(pc), machine().waiting_text(p));
  }
  return std::nullopt;
}

console::answer console::info_paths(words& w) {
  w.end();
  const std::vector<path> paths = machine().paths_of(selected());
  for (size_t k = 0; k < paths.size(); ++k) say_path(k, paths[k]);
  for (const stacked_side& s : machine().stacked_of(selected_))
    fmt::print(out_, "     {:<26} mask {:#018x}                           {:#x} {} {}\n      waits for its turn\n",
               fmt::format("stack entry {}, {}", s.entry, s.right ? "right" : "left"), s.mask, s.pc,
               debugger_.code().symbol_text(s.pc), line_text(s.pc));
  return std::nullopt;
}

console::answer console::info_scheme(words& w) {
  w.end();
  selected();
  fmt::print(out_, "{}\n", name_of(machine().gpu.config.divergence));
  const auto all = machine().scheme_registers(selected_);
  for (const auto& [name, bits] : all) fmt::print(out_, "  {:<28}{:#x}\n", name, bits);
  if (all.empty()) fmt::print(out_, "  no register that is not 0\n");
  return std::nullopt;
}

console::answer console::select_wavefront(words& w) {
  if (!w.empty()) {
    const uint64_t number = w.take_number("the number of a wavefront");
    w.end();
    path found;
    for (const path& p : machine().wavefronts())
      if (machine().wavefront_number(*p.context) == number) found = p;
    if (!found) throw input_error(fmt::format("wavefront {} does not run now", number));
    select(found);
  }
  selected();
  say_where();
  return std::nullopt;
}

console::answer console::select_path(words& w) {
  const std::vector<path> paths = machine().paths_of(selected());
  if (!w.empty()) {
    const uint64_t number = w.take_number("the number of a path");
    w.end();
    if (number >= paths.size())
      throw input_error(fmt::format("the wavefront has paths 0 to {} with a context", paths.size() - 1));
    select(paths[number]);
  }
  say_where();
  return std::nullopt;
}

console::answer console::select_lane(words& w) {
  selected();
  if (!w.empty()) {
    const uint64_t number = w.take_number("the number of a lane");
    w.end();
    if (number >= isa::wave_size)
      throw input_error(fmt::format("there is no lane {}: a wavefront has lanes 0 to {}", number, isa::wave_size - 1));
    lane_ = static_cast<int>(number);
  }
  const std::string state = state_of_lane(selected_, lane_);
  fmt::print(out_, "lane {}, work-item {} of its workgroup: {}\n", lane_,
             isa::wave_size * selected_.context->wave_in_group + static_cast<uint32_t>(lane_),
             state == "no such work-item" ? "there is no such work-item"
             : state == "not active"      ? "not active: its bit of EXEC is 0"
                                          : state);
  return std::nullopt;
}

console::answer console::list(words& w) {
  constexpr unsigned lines_shown = 10;
  std::string file = listed_file_;
  unsigned first = listed_ + 1;
  if (!w.empty() || listed_ == 0) {
    places::found found;
    if (!w.empty()) found = place_in(w.rest());
    code_line middle = found.line;
    if (middle.line == 0) {
      const uint64_t pc = !found.at.empty() ? found.at.front() : selected_ ? machine().pc_of(selected_) : stop_.pc;
      const auto& lines = debugger_.code().lines(pc);
      const bool is_of_frame = found.at.empty() && frame_number_ != 0 && frame_.line.line != 0;
      if (lines.empty() && !is_of_frame) throw input_error("no source line is known there");
      const loader::source_line& l = is_of_frame ? frame_.line : lines.back();
      middle = {l.file, l.line};
    }
    file = middle.file;
    first = middle.line > lines_shown / 2 ? middle.line - lines_shown / 2 : 1;
  }
  const std::vector<std::string>& text = debugger_.code().text_of(file);
  if (text.empty()) throw input_error(fmt::format("{} cannot be read", file));
  if (first > text.size()) throw input_error(fmt::format("{} has {} lines", file, text.size()));
  const unsigned last = static_cast<unsigned>(std::min<size_t>(text.size(), first + lines_shown - 1));
  for (unsigned k = first; k <= last; ++k) say_line({file, k, 0});
  listed_file_ = file;
  listed_ = last;
  return std::nullopt;
}

void console::show_instructions(uint64_t begin, uint64_t end) const {
  const std::vector<path> paths = selected_ ? machine().paths_of(selected_) : std::vector<path>{};
  for (uint64_t pc = begin; pc < end; pc = debugger_.code().next(pc)) {
    std::string marks;
    for (size_t k = 0; k < paths.size(); ++k)
      if (machine().pc_of(paths[k]) == pc) marks += fmt::format("{}{}", marks.empty() ? "" : ",", k);
    const bool is_here = selected_ && machine().pc_of(selected_) == pc;
    const std::string line = line_text(pc);
    fmt::print(out_, "{} {:<4}{:#x} {}: {}{}\n", is_here ? "=>" : "  ", marks, pc, debugger_.code().symbol_text(pc),
               debugger_.code().instruction_text(pc), line.empty() ? "" : "  // " + line);
  }
}

console::answer console::disassemble(words& w) {
  const uint64_t pc = !w.empty() ? place_in(w.rest()).at.front() : selected_ ? machine().pc_of(selected_) : stop_.pc;
  const places::range f = debugger_.code().function_at(pc);
  if (f.begin == f.end) throw input_error(fmt::format("no function is at {:#x}", pc));
  show_instructions(f.begin, f.end);
  return std::nullopt;
}

}  // namespace pws::platform::debug
