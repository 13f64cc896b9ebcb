#include "platform/program/launch_choice.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"

namespace pws::platform {

namespace {

std::string first_line(const std::string& problem) {
  return problem.substr(0, problem.find('\n'));
}

nlohmann::ordered_json to_json(const launch_choice::code& c) {
  if (c.bound) return {{"bound", quantity(*c.bound, "cycles")}};
  return {{"no_bound", c.problem}};
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

nlohmann::ordered_json to_json(const launch_choice& c) {
  return {{"chosen", c.splits() ? "with splits" : "without splits"},
          {"with_splits", to_json(c.with_splits)},
          {"without_splits", to_json(c.without_splits)}};
}

}  // namespace pws::platform
