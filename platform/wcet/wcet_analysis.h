// The worst-case execution time of a run's kernel on its machine: what `pwsvp wcet` does.
#pragma once

#include <memory>

#include "platform/program/compiled_program.h"
#include "platform/wcet/launch_analysis.h"

namespace pws::platform {

// Lays out the launch on the machine and analyses it; `program` is compile_program(config, assembly_text::wanted).
// `observe`: then runs it too, once. One call per process, because SystemC is. Throws input_error for what cannot be
// analysed, naming loops without bounds by source line.
std::unique_ptr<wcet_result> analyse_wcet(const run_config& config, const compiled_program& program, bool observe);

}  // namespace pws::platform
