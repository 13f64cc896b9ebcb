// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>
#include <vector>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/inst.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/instruments/observers/branch_report.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

namespace {

struct line {
  uint64_t address = 0;
  std::string raw, text;
  uint64_t target = 0;
};

std::vector<line> lines_of(const uint8_t* bytes, uint64_t begin, uint64_t size) {
  std::vector<uint32_t> words(size / 4);
  std::memcpy(words.data(), bytes, words.size() * 4);
  std::vector<line> lines;
  for (size_t k = 0; k < words.size();) {
    line l;
    l.address = begin + 4 * k;
    const auto left = static_cast<unsigned>(std::min<size_t>(words.size() - k, 2));
    l.text = isa::disassemble_words(&words[k], left, l.address);
    const unsigned n = isa::instruction_dwords(&words[k], left, l.address);
    try {
      const isa::inst i = isa::decode(&words[k], left, l.address);
      if (i.unit == isa::unit::branch) l.target = i.target;
    } catch (const program_error&) {  // data, or an instruction that is not there: no branch
    }
    l.raw = fmt::format("{:08x}", words[k]);
    if (n == 2) l.raw += fmt::format(" {:08x}", words[k + 1]);
    lines.push_back(l);
    k += n;
  }
  return lines;
}

void print_function(std::ostream& out, const loader::image& image, const loader::symbol& s, uint64_t size) {
  const std::vector<line> lines = lines_of(image.bytes.data() + (s.address - image.base), s.address, size);
  std::set<uint64_t> targets;
  for (const line& l : lines)
    if (l.target >= s.address && l.target < s.address + size) targets.insert(l.target);
  const auto label = [&](uint64_t address) {
    return fmt::format("L{}", std::distance(targets.begin(), targets.find(address)));
  };
  fmt::print(out, "\n{}:\n", s.demangled);
  for (const line& l : lines) {
    if (targets.count(l.address) != 0) fmt::print(out, "{}:\n", label(l.address));
    fmt::print(out, "  {:6x}  {:<18}  {}{}\n", l.address, l.raw, l.text,
               targets.count(l.target) != 0 ? "  // " + label(l.target) : "");
  }
}

struct disassemble_options {
  std::string file;
  std::string kernel;     // empty: every function
  bool branches = false;  // its branches in place of its instructions
};

// Address, raw dwords and text of each instruction, with labels at branch targets. Throws input_error.
void disassemble_program(std::ostream& out, const disassemble_options& o) {
  const loader::program_image program = loader::load_program(o.file);
  if (o.branches) return list_branches(out, program, o.kernel);
  const loader::found_kernel only = o.kernel.empty() ? loader::found_kernel{} : program.find_kernel(o.kernel);
  for (const loader::code_object& object : program.code_objects()) {
    if (only.object != nullptr && only.object != &object) continue;
    const loader::image image = object.load(0);
    for (size_t k = 0; k < image.symbols.size(); ++k) {
      const loader::symbol& s = image.symbols[k];
      if (s.kind != loader::symbol_kind::function) continue;
      if (only.kernel != nullptr && s.address != only.kernel->entry_offset) continue;
      uint64_t size = s.size;
      if (size == 0) {  // hand-written assembly: to the end of its segment
        for (const loader::extent& e : image.extents)
          if (s.address >= e.begin && s.address < e.end) size = e.end - s.address;
      }
      if (size != 0) print_function(out, image, s, size);
    }
  }
}

}  // namespace

command add_disasm(CLI::App& app) {
  const auto o = std::make_shared<disassemble_options>();
  CLI::App* c = app.add_subcommand("disasm", "Disassemble the kernels of a program");
  c->add_option("FILE", o->file, "HIP source, code object, offload bundle or executable")
      ->type_name("FILE")
      ->required();
  c->add_option("--kernel", o->kernel, "Only this kernel")->type_name("KERNEL");
  c->add_flag("--branches", o->branches, "List the kernels' branches, and which of them are uniform in every run");
  return {c, [o] {
            disassemble_program(std::cout, *o);
            return exit_pass;
          }};
}

}  // namespace pws::platform
