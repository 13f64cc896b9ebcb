// SPDX-License-Identifier: Apache-2.0
// The machine code of a kernel in an assembly file, and which line each instruction comes from.
#pragma once

#include <memory>
#include <vector>

#include "models/flow/flow_graph.h"
#include "models/isa/abi/kernel_descriptor.h"
#include "sw/pwscc/assembly_file.h"

namespace pws::pwscc {

struct assembled_kernel {
  std::string name;
  assembly_file::kernel_lines where;
  cfg::function_code code;
  isa::kernel_descriptor descriptor;
  std::vector<size_t> line_of;  // per instruction: index of the line it comes from
  // Per instruction: the first of its line, which is no data, so that text can go before it.
  std::vector<bool> begins_line;

  // Whether `loaded` is this code: only addresses of other sections may differ.
  bool is(const cfg::function_code& loaded) const;
};

// Assembles the file (with labels of its own between the lines) and decodes its kernels, in the order of
// assembly_file::kernels(). Throws input_error with the assembler's messages, their line numbers being the file's.
std::vector<assembled_kernel> assemble_kernels(const assembly_file& file);

// Assembles the file as assemble_kernels does, and decodes its other functions too. These have no descriptor; one whose
// code is not in one piece is left out.
struct assembled_functions {
  std::vector<assembled_kernel> kernels, others;
};
assembled_functions assemble_functions(const assembly_file& file);

// Where what a report is of stands: in the function, in the source, and in that line of the assembly (from 0).
template <class Report>
void put_place(Report& to, const std::string& function, const cfg::source_place& place, size_t line) {
  to.function = function;
  to.file = place.file;
  to.line = place.line;
  to.column = place.column;
  to.assembly_line = static_cast<uint32_t>(line + 1);
}

}  // namespace pws::pwscc
