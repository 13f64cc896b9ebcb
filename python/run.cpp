// SPDX-License-Identifier: Apache-2.0
#include "python/run.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "platform/run/run_session.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/wcet_report.h"
#include "python/simulation.h"

namespace pws::python {

using namespace platform;

namespace {

// What a command says on standard error, without the "error: " that a terminal needs.
std::string as_message(const std::string& said) {
  std::istringstream lines(said);
  std::string message;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("error: ", 0) == 0) line.erase(0, 7);
    message += (message.empty() ? "" : "\n") + line;
  }
  return message;
}

template <class T>
std::string printed(const T& report) {
  std::ostringstream out;
  print(out, report);
  return out.str();
}

}  // namespace

report_texts run_file(const yaml_source& from, const std::vector<std::string>& overrides, const outputs& given,
                      bool check) {
  const run_config config = load_run(from, overrides);
  session_options options;
  options.files = prepared_outputs(config, given);
  const turn mine;
  std::optional<run_report> report;
  simulate([&](stopping_signals&) {
    next_simulation();
    report = platform::run(config, options);
  });
  if (!report->unwritten.empty()) throw input_error(report->unwritten);
  report_texts texts{run_part().json(*report).dump(), printed(*report)};
  if (check && !report->pass()) {
    std::ostringstream problems;
    print_problems(problems, *report);
    throw run_failed(as_message(problems.str()), texts.json);
  }
  return texts;
}

report_texts bound_file(const yaml_source& from, const std::vector<std::string>& overrides, bool observe) {
  const run_config config = load_run(from, overrides);
  const turn mine;
  std::optional<wcet_program> bounds;
  simulate([&](stopping_signals&) {
    const compiled_program program = compile_for_launches(config, assembly_text::wanted);
    check_launches(config, program);
    next_simulation();
    bounds = analyse_wcet(config, program, observe);
  });
  report_texts texts{wcet_part().json(*bounds).dump(), printed(*bounds)};
  if (holds(*bounds)) return texts;
  std::string why;
  for (const auto& l : bounds->launches)
    if (l->observed.made && !l->observed.completed) why = l->observed.error;
  throw run_failed(why.empty() ? "the run took longer than the bound" : why, texts.json);
}

}  // namespace pws::python
