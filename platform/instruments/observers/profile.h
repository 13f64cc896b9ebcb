// SPDX-License-Identifier: Apache-2.0
// Where a program's instructions, cycles and waits go: by instruction, each with its source line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/output/output_files.h"
#include "models/context/wf_status.h"
#include "sw/loader/line_table.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

struct profile_counters {
  uint64_t issues = 0;  // of wavefronts or parts of them
  // Those in which it issued, and those that its wavefront waited for it: each cycle of a wavefront or a part of one is
  // at one instruction. 0 in functional fidelity.
  uint64_t cycles = 0;
  uint64_t lanes = 0;                                                        // active work-items, summed over issues
  std::array<uint64_t, static_cast<size_t>(models::stall::count)> stalls{};  // of the cycles, by reason
  uint64_t lines = 0;  // lines of 64 bytes of global memory that vector accesses touched, summed over issues
  uint64_t l1_hits = 0, l1_misses = 0;  // reads of lines from the vector L1

  uint64_t all_stalls() const;
  profile_counters& operator+=(const profile_counters& o);
};

// A code object: programs of several translation units have several with one name.
struct object_name {
  std::string file;
  size_t index = 0;  // in its program
  bool operator<(const object_name& o) const { return std::tie(file, index) < std::tie(o.file, o.index); }
};

struct profiled_instruction {
  object_name object;
  std::string function;                    // demangled; empty: not known
  std::string symbol;                      // the same as in the file
  uint64_t offset = 0;                     // bytes from where the code object is loaded
  std::string instruction;                 // disassembled
  std::vector<loader::source_line> lines;  // as device_runtime::source_at() has them
  profile_counters counted;
};

// A code object that was loaded.
struct profiled_object {
  struct function {
    std::string name;    // as in the file
    uint64_t begin = 0;  // bytes from where the code object is loaded
    // Where it is declared, or, as compilers from LLVM 17 on do not say that, its first line that has code. Line 0: it
    // has no line table.
    loader::source_line line;
  };
  object_name name;
  std::vector<function> functions;       // by place
  std::vector<loader::line_code> lines;  // that have code, executed or not; empty: it has no line tables
};

struct profile {
  std::vector<profiled_instruction> instructions;  // by object and offset; those that were executed
  std::vector<profiled_object> objects;            // in the order of their loading, those without code left out

  profile_counters total() const;
};

// Formats a profile is written in, told by the file's name.
enum class profile_format { html, callgrind };
// Throws input_error where the name is neither *.html nor *.callgrind, *callgrind.out or callgrind.out.*.
profile_format profile_format_of(const std::string& path);

// As kcachegrind and callgrind_annotate read it.
std::string callgrind_text(const profile& p);
// The sources with what each line took, as a page that needs nothing else. Source files that cannot be read are shown
// as the instructions of their lines.
std::string html_text(const profile& p);

// Writes the file of --profile in its format. Throws input_error.
void write_profile(const std::string& path, const profile& p);

struct profile_files {
  std::string profile, coverage;  // empty: none
};
// Writes those that there are, and warns of a profile that is empty; what goes wrong is noted in `problems`.
void write_profiles(const profile_files& files, const profile& p, output_problems& problems);

// The functions and lines of a code object of a program.
profiled_object described(const loader::code_object& object, size_t index);

class unused_code {
 public:
  void note(const loader::program_image& program);
  // Puts it behind what was loaded. What has no line tables comes in only where nothing else is: it would make
  // warnings of libraries.
  void add_to(profile& p) const;

 private:
  std::vector<profiled_object> objects_;
};

}  // namespace pws::platform
