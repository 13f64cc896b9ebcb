// SPDX-License-Identifier: Apache-2.0
#include "platform/run/run_session.h"

#include <algorithm>

#include "base/output/output_files.h"
#include "platform/config/files/buffer.h"
#include "platform/config/files/check.h"
#include "platform/config/files/saved_buffer.h"
#include "platform/config/machine_loader.h"
#include "platform/instruments/all_instruments.h"
#include "platform/run/program/scheme_use.h"
#include "platform/run/run_identity.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

std::vector<check_outcome> outcomes_of(const std::vector<check_result>& results) {
  std::vector<check_outcome> outcomes;
  outcomes.reserve(results.size());
  for (const check_result& c : results) outcomes.push_back({c.buffer, c.passed(), c.summary()});
  return outcomes;
}

std::vector<check_outcome> check(const run_config& config, const std::vector<launch_argument>& arguments) {
  std::vector<const uint8_t*> actual;
  actual.reserve(arguments.size());
  for (const launch_argument& a : arguments) actual.push_back(a.bytes.data());
  return outcomes_of(check_run(config, actual));
}

}  // namespace

named_output output_of(const save_config& save) {
  return {"save." + save.buffer + ":", save.file};
}

outputs prepared_outputs(const run_config& config, const outputs& given, const checkpoint_wishes& checkpoints) {
  outputs files = config.to_write;
  files.take(given);
  if (files.of("stats").empty() != (files.stats_every == 0))
    throw input_error(config.file + ": outputs.stats goes with outputs.stats_every: the cycles of a row");
  std::vector<named_output> saved;
  for (const save_config& s : config.save) saved.push_back(output_of(s));
  std::vector<std::string> inputs = input_files(config);
  if (!checkpoints.to.empty()) saved.push_back({"--checkpoint", checkpoints.to});
  if (!checkpoints.from.empty()) inputs.push_back(checkpoints.from);
  prepare(files, saved, inputs);
  return files;
}

namespace {
// Files of what ran, of a run that goes on where another one was.
std::string warning_of_part(const outputs& files) {
  std::string names;
  for (const output_kind& k : output_kinds())
    if (k.name != std::string_view("report") && !files.of(k.name).empty())
      names += (names.empty() ? "" : ", ") + option_of(k.name);
  return names.empty() ? "" : names + ": only of what has run since the checkpoint";
}
}  // namespace

run_report run(const run_config& config, const session_options& options, const checkpoint_wishes& checkpoints) {
  const program_config& p = config.program;
  const compiled_program program = compile_for_launches(
      config, config.machine.check.loop_bounds ? assembly_text::wanted : assembly_text::not_wanted);

  check_launches(config, program);
  check_device_memory(config, program.image);

  kernel_run k;
  k.machine = config.machine;
  k.program = &program.image;
  k.launches = config.launches;
  k.check = [&config](const run_launch& l, const kernel_run::buffer_contents& contents) {
    std::vector<check_result> results;
    for (const expect_config& e : l.expect)
      results.push_back(check_buffer(e, config.arguments[e.argument].buffer()->type, contents(e.argument).data(),
                                     expected_contents(e, config.arguments)));
    return outcomes_of(results);
  };
  for (size_t n = 0; n < config.arguments.size(); ++n) {
    const argument_config& a = config.arguments[n];
    const bool expected = std::any_of(config.expect.begin(), config.expect.end(),
                                      [n](const expect_config& e) { return e.argument == n; });
    const bool wanted = expected || std::any_of(config.save.begin(), config.save.end(),
                                                [n](const save_config& s) { return s.argument == n; });
    const auto pattern = a.buffer() == nullptr ? std::nullopt : repeated_pattern(*a.buffer());
    if (pattern)
      k.arguments.push_back({a.name, true, {}, wanted, a.buffer()->bytes(), *pattern});
    else
      k.arguments.push_back({a.name, a.buffer() != nullptr, initial_contents(a), wanted});
    if (const auto* structure = std::get_if<bytes_argument>(&a.value))
      k.arguments.back().pointers = structure->pointers;
    const buffer_argument* buffer = a.buffer();
    k.arguments.back().unwritten = buffer != nullptr && std::holds_alternative<poison_init>(buffer->init);
  }
  k.checkpoints = checkpoints;
  k.checkpoints.identity = [&](const checkpoint_place& at) { return identity_of(config, program.image, at); };
  run_report report = execute(k, options);
  report.file = config.file;
  report.source = p.source;
  report.split = program.placed;
  report.warnings = warnings_of(config, program.image);
  const std::vector<std::string> idle = keys_without_reader(config.effective, [&](const std::string& reader) {
    return reader == "wcet" || !options.files.of(reader).empty();  // program.split: auto bounds
  });
  report.warnings.insert(report.warnings.end(), idle.begin(), idle.end());
  if (const std::string part = warning_of_part(options.files); !checkpoints.from.empty() && !part.empty())
    report.warnings.push_back(part);
  report.inputs = {config.effective, input_files(config), {}};
  if (report.completed) report.checks = check(config, k.arguments);
  output_problems problems;
  problems.add(report.unwritten);
  for (const save_config& s : config.save) {
    if (!report.built) break;  // buffers have not got to a machine
    problems.noting([&] {
      const element_type type = config.arguments[s.argument].buffer()->type;
      write_output(output_of(s), file_contents(s, type, k.arguments[s.argument].bytes));
    });
  }
  if (const std::string& file = options.files.of("report"); !file.empty())
    problems.noting([&] { write_json(file, report); });
  report.unwritten = problems.text();
  return report;
}

}  // namespace pws::platform
