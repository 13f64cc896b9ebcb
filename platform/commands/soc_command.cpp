// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/output/json_file.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/commands/soc_exit.h"
#include "platform/config/files/soc_config.h"
#include "platform/soc/gdb/stub.h"
#include "platform/soc/soc_report.h"

namespace pws::platform {

namespace {

struct soc_options : config_options {
  std::string firmware, report, uart_input;
  std::optional<std::string> gdb;
  std::vector<std::string> kernels;
  soc_outputs files;
  bool quiet = false;
};

int soc_command(const soc_options& o) {
  if (const std::string problem = why_there_is_no_soc(); !problem.empty()) throw input_error("pwsvp soc: " + problem);
  std::vector<std::string> overrides = o.overrides;
  const bool from_standard_input = o.uart_input == "-";
  if (!o.uart_input.empty() && !from_standard_input)
    overrides.push_back("uart.input=" + nlohmann::json(o.uart_input).dump());
  const soc_config config = load_soc(o.config, overrides);
  if (from_standard_input && !config.uart.input.empty())
    throw input_error("--uart-input -: the system file has uart.input too, " + config.uart.input);
  std::vector<std::string> inputs = config.files;
  inputs.push_back(o.firmware);
  prepare_outputs({{"--report", o.report}, {"--vcd", o.files.vcd}, {"--timeline", o.files.timeline}}, inputs);
  const bool is_piped = o.gdb == "-";
  if (is_piped && from_standard_input)
    throw input_error("--gdb - and --uart-input -: standard input cannot be for both");
  // gdb has standard output where it has standard input.
  std::ostream& out = is_piped ? std::cerr : std::cout;
  // By lines: standard error would have each byte as a write of its own, and who has detached may read few of them.
  std::string line;
  const auto flush = [&] {
    out << line << std::flush;
    line.clear();
  };
  const auto send = [&](char c) {
    line += c;
    if (c == '\n') flush();
  };
  soc_control_maker control;
  if (o.gdb)
    control = [&o](soc_system& system, const interruption& signals) {
      return std::make_unique<gdb::stub>(system, *o.gdb, o.kernels, signals);
    };
  const soc_result r = run_soc(config, o.firmware, o.files, {send, flush, from_standard_input, !is_piped}, control);
  flush();
  if (!o.quiet) print(out, r);
  if (o.quiet && !r.error.empty()) std::cerr << "error: " << r.error << '\n';
  if (!o.report.empty()) write_json_file("--report", o.report, soc_part().json(r));
  for (const auto& [what, path] :
       {std::pair{"waveform", o.files.vcd}, std::pair{"timeline", o.files.timeline}, std::pair{"report", o.report}})
    if (!path.empty() && !o.quiet) fmt::print(out, "  {:<13}{}\n", what, path);
  return exit_code_of(r);
}

}  // namespace

int exit_code_of(const soc_result& r) {
  constexpr uint32_t largest_code = 125;  // of a program, in a shell
  if (r.signal != 0) return exit_signal + r.signal;
  if (!r.code) return exit_fail;
  return *r.code <= largest_code ? static_cast<int>(*r.code) : exit_fail;
}

command add_soc(CLI::App& app, const std::string&) {
  const auto o = std::make_shared<soc_options>();
  CLI::App* c = add_with_config(app, "soc", "Run firmware on a system with a RISC-V processor", *o);
  c->add_option("--firmware", o->firmware, "ELF executable for RV64IMAC")->type_name("FILE.elf")->required();
  c->add_option("--uart-input", o->uart_input,
                "What the serial port receives: a file (uart.input), or - for standard input. Without it, and without "
                "uart.input: standard input if that is a terminal")
      ->type_name("FILE");
  CLI::Option* const gdb =
      c->add_option("--gdb", o->gdb,
                    "Wait for a gdb at this port (0: any that is free) before the first instruction, or take standard "
                    "input and output for it (-)")
          ->type_name("PORT");
  add_kernels_option(*c, o->kernels)->needs(gdb);
  c->add_option("--vcd", o->files.vcd,
                "Write a waveform of processor, bus, interrupt lines and GPUs: VCD, or FST (.fst)")
      ->type_name("FILE.vcd");
  c->add_option("--timeline", o->files.timeline, "Write a Chrome trace: what the processor does, packets and kernels")
      ->type_name("FILE.json");
  c->add_option("--report", o->report, "Write all results as JSON")->type_name("FILE.json");
  c->add_flag("--quiet", o->quiet, "Print nothing but what the serial port sends, and errors");
  c->footer(
      "The exit code is the one that the firmware gives to the finisher, 1 if it is above 125; 1 too if the firmware "
      "does not end within the file's limits, or cannot go on.");
  return {c, [o] { return soc_command(*o); }};
}

}  // namespace pws::platform
