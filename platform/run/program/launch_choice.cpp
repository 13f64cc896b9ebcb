// SPDX-License-Identifier: Apache-2.0
#include "platform/run/program/launch_choice.h"

#include <fmt/format.h>

namespace pws::platform {

namespace {

std::string first_line(const std::string& problem) {
  return problem.substr(0, problem.find('\n'));
}

}  // namespace

std::string text(const launch_choice& c) {
  const bool splits = c.splits();
  const char *const name = splits ? "with splits" : "without splits", *const other = splits ? "without" : "with";
  const launch_choice::code &mine = splits ? c.with_splits : c.without_splits,
                            &others = splits ? c.without_splits : c.with_splits;
  if (!mine.bound) return fmt::format("{}: nothing could be bounded: {}", name, first_line(mine.problem));
  if (!others.bound)
    return fmt::format("{}: bound {} cycles; no bound {}: {}", name, *mine.bound, other, first_line(others.problem));
  return fmt::format("{}: bound {} cycles, {} {}", name, *mine.bound, *others.bound, other);
}

const report_part<launch_choice>& launch_choice_part() {
  using code = launch_choice::code;
  const auto part_of = [](const char* compiled) {
    return report_part<code>()
        .value("bound", "cycles", std::string("of all launches at most, ") + compiled, &code::bound)
        .value("no_bound", "why there is none", &code::problem)
        .where([](const code& c) { return !c.bound; });
  };
  static const report_part<launch_choice> all =
      report_part<launch_choice>()
          .value("chosen", "program.split_by_launch: the code with splits or without",
                 [](auto& c) { return c.splits() ? "with splits" : "without splits"; })
          .part("with_splits", part_of("with auto's splits"), &launch_choice::with_splits)
          .part("without_splits", part_of("compiled without splits"), &launch_choice::without_splits);
  return all;
}

}  // namespace pws::platform
