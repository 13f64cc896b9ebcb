// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/assembled_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"
#include "sw/pwscc/report_text.h"

namespace pws::pwscc {

namespace {

// Local symbols that the assembler keeps in the object's table; no compiler makes such names.
std::string mark_of(size_t line) {
  return fmt::format("pwscc$line${}", line);
}

// A statement's mark stands on the statement's own line, so that the assembler's line numbers stay right.
std::string with_marks(const assembly_file& file) {
  std::string out;
  const auto& lines = file.lines();
  std::vector<bool> wanted(lines.size() + 1, false);
  for (const auto* functions : {&file.kernels(), &file.functions()})
    for (const auto& f : *functions) {
      for (size_t k = f.label; k < f.end; ++k)
        if ((lines[k].what == assembly_line::kind::instruction || holds_data(lines[k])) && !lines[k].in_macro)
          wanted[k] = true;
      wanted[f.label] = wanted[f.end] = true;
    }
  for (size_t k = 0; k < lines.size(); ++k) {
    if (wanted[k]) out += mark_of(k) + ": ";
    out += lines[k].text;
    out += '\n';
  }
  if (wanted[lines.size()]) out += mark_of(lines.size()) + ":\n";
  return out;
}

// A place in the assembler's messages as the source's, if the assembly was compiled from one; else the file's.
std::string place_in_source(const assembly_file& file, size_t line, size_t column) {
  const bool compiled = file.name().size() < 2 || file.name().substr(file.name().size() - 2) != ".s";
  if (compiled && line - 1 < file.lines().size())
    if (const cfg::source_place at = file.place_of(line - 1); at.line != 0)
      return fmt::format("{}:{}:{}", short_path(at.file), at.line, at.column);
  return fmt::format("{}:{}:{}", file.name(), line, column);
}

// The assembler's messages about `marked`, the text with marks, without the marks.
std::string in_terms_of(const assembly_file& file, const std::string& messages, const std::string& marked) {
  std::string out;
  size_t line = 0, column = 0, left_out = 0;  // of the message before; and of its text's beginning
  for (size_t at = 0; at < messages.size();) {
    const size_t end = std::min(messages.find('\n', at), messages.size());
    std::string text = messages.substr(at, end - at);
    at = end + 1;
    int behind = 0;
    if (text.rfind(marked + ":", 0) == 0 &&
        std::sscanf(text.c_str() + marked.size(), ":%zu:%zu%n", &line, &column, &behind) == 2 && line != 0) {
      const std::string mark = mark_of(line - 1) + ": ";
      const bool has_mark = messages.compare(at, mark.size(), mark) == 0;
      left_out = has_mark ? mark.size() : 0;
      text = place_in_source(file, line, column > left_out ? column - left_out : column) +
             text.substr(marked.size() + static_cast<size_t>(behind));
    } else if (left_out != 0) {
      // The text that the message is about, then the caret below it.
      const std::string mark = mark_of(line - 1) + ": ";
      if (text.rfind(mark, 0) == 0) {
        text = text.substr(mark.size());
      } else {
        if (text.size() > left_out) text = text.substr(left_out);
        left_out = 0;
      }
    }
    out += text + "\n";
  }
  return out;
}

std::vector<uint8_t> assemble(const assembly_file& file) {
  const loader::temporary_directory scratch;
  const auto source = scratch.path() / "marked.s";
  const auto object = scratch.path() / "marked.o";
  std::ofstream(source, std::ios::binary) << with_marks(file);
  loader::compile_options options;
  options.use_cache = false;
  const loader::hip_compiler compiler(options);
  const loader::process_result run = loader::run_process(compiler.assemble_command(source, object), scratch.path());
  if (run.exit_code == 0) return loader::read_file(object);
  throw input_error(
      fmt::format("{}: cannot be assembled:\n{}", file.name(), in_terms_of(file, run.output, source.string())));
}

struct place {
  uint16_t section = 0;
  uint64_t offset = 0;
};

// Where the code starts is not in it yet: that is for the linker.
isa::kernel_descriptor descriptor_at(const loader::elf_file& elf, const place& where) {
  const loader::byte_view contents = elf.contents(elf.sections().at(where.section));
  if (where.offset > contents.size()) throw input_error("its descriptor lies outside its section");
  return isa::kernel_descriptor::parse(contents.data() + where.offset, contents.size() - where.offset);
}

}  // namespace

bool assembled_kernel::is(const cfg::function_code& loaded) const {
  return std::equal(code.instructions.begin(), code.instructions.end(), loaded.instructions.begin(),
                    loaded.instructions.end(),
                    [](const isa::inst& a, const isa::inst& b) { return a.raw[0] == b.raw[0]; });
}

namespace {

// Offsets in their sections, by name.
std::map<std::string, place> symbols_of(const loader::elf_file& elf) {
  std::map<std::string, place> out;
  constexpr uint32_t sht_symtab = 2;
  for (const loader::elf_section& section : elf.sections()) {
    if (section.type != sht_symtab) continue;
    for (const loader::elf_symbol& s : elf.symbols(section)) out[s.name] = {s.section, s.value};
  }
  return out;
}

// All but its descriptor.
assembled_kernel read_code(const assembly_file& file, const assembly_file::kernel_lines& where,
                           const loader::elf_file& elf, const std::map<std::string, place>& marks) {
  assembled_kernel kernel;
  kernel.name = where.name;
  kernel.where = where;
  std::map<uint64_t, size_t> line_at;  // by offset: of two lines at one place, the later one makes the code
  const auto end = marks.find(mark_of(where.end));
  for (size_t k = where.label; k < where.end && end != marks.end(); ++k)
    if (const auto m = marks.find(mark_of(k)); m != marks.end() && m->second.section == end->second.section)
      line_at[m->second.offset] = k;
  if (line_at.empty() || end == marks.end())
    throw input_error(fmt::format("{}: kernel {} has no code", file.name(), where.name));
  const loader::elf_section& section = elf.sections().at(end->second.section);
  const loader::byte_view contents = elf.contents(section);
  const uint64_t first = line_at.begin()->first;
  if (end->second.offset > contents.size() || first > end->second.offset || (end->second.offset - first) % 4 != 0)
    throw input_error(fmt::format("{}: kernel {}: its code is not in one piece", file.name(), where.name));
  std::vector<uint32_t> words((end->second.offset - first) / 4);
  if (!words.empty()) std::memcpy(words.data(), contents.data() + first, words.size() * 4);
  try {
    kernel.code = cfg::decode_function(where.name, words.data(), words.size(), first);
  } catch (const std::runtime_error& e) {
    throw input_error(fmt::format("{}: kernel {}: {}", file.name(), where.name, e.what()));
  }
  for (const isa::inst& i : kernel.code.instructions) {
    auto line = line_at.upper_bound(i.pc);
    --line;
    kernel.line_of.push_back(line->second);
    kernel.begins_line.push_back(line->first == i.pc &&
                                 file.lines()[line->second].what == assembly_line::kind::instruction);
  }
  return kernel;
}

assembled_functions assemble(const assembly_file& file, bool others) {
  assembled_functions out;
  if (file.kernels().empty()) return out;
  const std::vector<uint8_t> bytes = assemble(file);
  const loader::elf_file elf(loader::byte_view(bytes.data(), bytes.size(), file.name()));
  const std::map<std::string, place> marks = symbols_of(elf);
  for (const auto& where : file.kernels()) {
    out.kernels.push_back(read_code(file, where, elf, marks));
    try {
      out.kernels.back().descriptor = descriptor_at(elf, marks.at(where.name + ".kd"));  // .amdhsa_kernel makes it
    } catch (const std::runtime_error& e) {
      throw input_error(fmt::format("{}: kernel {}: {}", file.name(), where.name, e.what()));
    }
  }
  for (size_t k = 0; others && k < file.functions().size(); ++k) {
    try {
      out.others.push_back(read_code(file, file.functions()[k], elf, marks));
    } catch (const input_error&) {  // nobody can call it by its lines
    }
  }
  return out;
}

}  // namespace

std::vector<assembled_kernel> assemble_kernels(const assembly_file& file) {
  return assemble(file, false).kernels;
}

assembled_functions assemble_functions(const assembly_file& file) {
  return assemble(file, true);
}

}  // namespace pws::pwscc
