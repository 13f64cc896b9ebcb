// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/places.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "platform/debug/natural.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/line_table.h"

namespace pws::platform::debug {

namespace {

// "a/b.hip" is the end of "/x/a/b.hip", "b.hip" is, ".hip" is not.
bool ends_with_path(const std::string& file, const std::string& end) {
  if (end.empty() || file.size() < end.size() || file.compare(file.size() - end.size(), end.size(), end) != 0)
    return false;
  return file.size() == end.size() || end[0] == '/' || file[file.size() - end.size() - 1] == '/';
}

constexpr uint64_t dword = 4;

}  // namespace

bool places::is_file(const std::string& recorded, const std::string& named) {
  if (ends_with_path(recorded, named)) return true;
  std::error_code none;
  const auto whole = [&](const std::string& file) { return std::filesystem::weakly_canonical(file, none); };
  return named[0] == '/' && whole(recorded) == whole(named);
}

uint64_t places::instruction(uint64_t address) const {
  if (address % dword != 0 || runtime_.instruction_at(address) == nullptr)
    throw input_error(fmt::format("no instruction begins at {:#x}", address));
  // A word in the middle of one may look like another.
  const range f = function_at(address);
  for (uint64_t pc = f.begin; pc < f.end && pc < address;) {
    pc = next(pc);
    if (pc > address) throw input_error(fmt::format("no instruction begins at {:#x}: it is within one", address));
  }
  return address;
}

uint64_t places::next(uint64_t pc) const {
  const isa::inst* const i = runtime_.instruction_at(pc);
  return pc + (i == nullptr ? dword : i->bytes());
}

const std::vector<loader::source_line>& places::lines(uint64_t pc) const {
  const auto known = lines_.find(pc);
  if (known != lines_.end()) return known->second;
  return lines_.emplace(pc, runtime_.source_at(pc)).first->second;
}

places::range places::function_at(uint64_t pc) const {
  const loader::image* const image = runtime_.image_at(pc);
  if (image == nullptr) return {};
  // Labels of assembly code are symbols too, without a size; the function around them has one.
  const loader::symbol* before = nullptr;
  for (const loader::symbol& s : image->symbols) {
    if (s.kind != loader::symbol_kind::function || s.address > pc) continue;
    if (s.size != 0 && pc - s.address < s.size) return {s.demangled, s.address, s.address + s.size};
    before = &s;
  }
  if (before == nullptr) return {};
  uint64_t end = pc;
  for (const loader::extent& e : image->extents)
    if (pc >= e.begin && pc < e.end) end = e.end;
  for (const loader::symbol& s : image->symbols)
    if (s.kind == loader::symbol_kind::function && s.address > pc) end = std::min(end, s.address);
  return {before->demangled, before->address, end};
}

loader::source_line places::line_of(uint64_t pc, lines_of which) const {
  const std::vector<loader::source_line>& all = lines(pc);
  if (all.empty()) return {};
  loader::source_line l = which == lines_of::function ? all.back() : all.front();
  l.column = 0;
  return l;
}

std::string places::symbol_text(uint64_t pc) const {
  const range f = function_at(pc);
  if (f.name.empty()) return "";
  const std::string name = f.name.substr(0, f.name.find('('));
  return pc == f.begin ? fmt::format("<{}>", name) : fmt::format("<{}+{:#x}>", name, pc - f.begin);
}

std::string places::instruction_text(uint64_t pc) const {
  const isa::inst* const i = runtime_.instruction_at(pc);
  return i == nullptr ? "no instruction" : isa::disassemble(*i);
}

std::vector<uint64_t> places::begins_of_blocks(const range& function) const {
  std::set<uint64_t> begins{function.begin};
  for (uint64_t pc = function.begin; pc < function.end;) {
    const isa::inst* const i = runtime_.instruction_at(pc);
    const uint64_t behind = next(pc);
    const bool ends = i == nullptr || i->unit == isa::unit::branch || i->unit == isa::unit::split ||
                      i->unit == isa::unit::merge || i->unit == isa::unit::end;
    if (ends) begins.insert(behind);
    if (i != nullptr && i->unit == isa::unit::branch && i->target >= function.begin && i->target < function.end)
      begins.insert(i->target);
    pc = behind;
  }
  return {begins.begin(), begins.end()};
}

std::vector<std::string> places::files() const {
  std::set<std::string> all;
  for (const loaded_code::loaded_object& o : runtime_.loaded_after(0))
    for (const loader::line_code& part : loader::line_table(o.object->file_bytes()).code()) all.insert(part.line.file);
  return {all.begin(), all.end()};
}

places::found places::find_line(const std::string& file, unsigned line) const {
  // The code of each line of the file, of those from `line` on.
  std::map<unsigned, std::vector<std::pair<uint64_t, uint64_t>>> code;
  std::string whole;
  std::set<std::string> others;
  std::map<std::string, bool> same;
  for (const loaded_code::loaded_object& o : runtime_.loaded_after(0)) {
    const loader::line_table table(o.object->file_bytes());
    for (const loader::line_code& part : table.code()) {
      // A name is looked up in the file system once.
      const auto known = same.find(part.line.file);
      const bool is_it = known != same.end() ? known->second : is_file(part.line.file, file);
      if (known == same.end()) same[part.line.file] = is_it;
      if (!is_it) {
        others.insert(part.line.file);
        continue;
      }
      whole = part.line.file;
      if (part.line.line < line || part.begin == part.end) continue;
      code[part.line.line].emplace_back(part.begin + o.image->base, part.end + o.image->base);
    }
  }
  if (whole.empty()) {
    std::string names;
    for (const std::string& o : others) names += (names.empty() ? "" : ", ") + o;
    throw unknown_place(fmt::format("no code is of a file {}; files are: {}", file, names.empty() ? "none" : names));
  }
  if (code.empty()) throw input_error(fmt::format("{} has no code at line {} or behind it", whole, line));
  found f;
  f.line = {whole, code.begin()->first};
  std::map<uint64_t, uint64_t> first_in_block;
  std::map<uint64_t, std::vector<uint64_t>> blocks;  // by function
  for (const auto& [begin, end] : code.begin()->second) {
    const range function = function_at(begin);
    auto known = blocks.find(function.begin);
    if (known == blocks.end()) known = blocks.emplace(function.begin, begins_of_blocks(function)).first;
    for (uint64_t pc = begin; pc < end;) {
      const uint64_t block = *std::prev(std::upper_bound(known->second.begin(), known->second.end(), pc));
      const auto there = first_in_block.emplace(block, pc).first;
      there->second = std::min(there->second, pc);
      pc = next(pc);
    }
  }
  for (const auto& [block, pc] : first_in_block)
    if (runtime_.instruction_at(pc) != nullptr) f.at.push_back(pc);
  if (f.at.empty()) throw input_error(fmt::format("{} has no instruction at line {}", whole, line));
  return f;
}

namespace {

// Labels of assembly code that are no functions.
std::vector<std::pair<std::string, uint64_t>> labels_of(const loaded_code::loaded_object& o) {
  std::vector<std::pair<std::string, uint64_t>> labels;
  const std::vector<uint8_t>& bytes = o.object->file_bytes();
  const loader::elf_file elf({bytes.data(), bytes.size(), o.object->name()});
  for (const loader::elf_section& table : elf.sections()) {
    if (table.type != SHT_SYMTAB) continue;
    for (const loader::elf_symbol& s : elf.symbols(table))
      if (s.type == STT_NOTYPE && s.section != SHN_UNDEF && s.section != SHN_ABS && !s.name.empty())
        labels.emplace_back(s.name, o.image->base + s.value);
  }
  return labels;
}

// Every kernel, function and label, by the names that it has.
struct named_code {
  std::string name, mangled, with_parameters;
  uint64_t address = 0;
};

std::vector<named_code> named_code_of(const loaded_code& runtime) {
  std::vector<named_code> all;
  for (const loaded_code::loaded_object& o : runtime.loaded_after(0)) {
    for (const loader::symbol& s : o.image->symbols)
      if (s.kind == loader::symbol_kind::function)
        all.push_back({s.demangled.substr(0, s.demangled.find('(')), s.name, s.demangled, s.address});
    for (const auto& [label, address] : labels_of(o))
      if (runtime.instruction_at(address) != nullptr) all.push_back({label, label, label, address});
  }
  return all;
}

}  // namespace

std::vector<std::string> places::names() const {
  std::vector<std::string> all;
  for (named_code& n : named_code_of(runtime_)) all.push_back(std::move(n.name));
  return all;
}

places::found places::find_name(const std::string& name, uint64_t offset) const {
  std::set<uint64_t> at;
  std::string known;
  for (const named_code& n : named_code_of(runtime_)) {
    known += (known.empty() ? "" : ", ") + n.name;
    const bool is_it = n.name == name || n.mangled == name || n.with_parameters == name;
    if (is_it && runtime_.instruction_at(n.address + offset) != nullptr) at.insert(instruction(n.address + offset));
  }
  if (!at.empty()) return {{at.begin(), at.end()}, {}};
  if (offset != 0) throw input_error(fmt::format("no instruction begins at {} + {:#x}", name, offset));
  throw unknown_place(
      fmt::format("there is no kernel, function or label {}; there are: {}", name, known.empty() ? "none" : known));
}

places::found places::find(const std::string& text, uint64_t near) const {
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon != 0 && text[colon - 1] != ':') {
    const auto line = natural_in(text.substr(colon + 1));
    if (!line || *line == 0 || *line > ~0u)
      throw input_error(fmt::format("{}: behind the colon stands the number of a line", text));
    return find_line(text.substr(0, colon), static_cast<unsigned>(*line));
  }
  if (const auto line = natural_in(text)) {
    if (*line == 0 || *line > ~0u) throw input_error(fmt::format("there is no line {}", text));
    const auto& here = lines(near);
    if (here.empty()) throw input_error("the code has no source lines: it was compiled without -g");
    return find_line(here.back().file, static_cast<unsigned>(*line));
  }
  const size_t plus = text.rfind('+');
  if (plus != std::string::npos)
    if (const auto offset = natural_in(text.substr(plus + 1), bases::decimal_or_hex)) {
      const size_t blanks = text.find(' ');  // which completion puts behind a name
      return find_name(text.substr(0, std::min(plus, blanks)), *offset);
    }
  return find_name(text, 0);
}

const std::vector<std::string>& places::text_of(const std::string& file) const {
  const auto known = files_.find(file);
  if (known != files_.end()) return known->second;
  std::vector<std::string> text;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) text.push_back(line);
  return files_.emplace(file, std::move(text)).first->second;
}

}  // namespace pws::platform::debug
