// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/asked_points.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/natural.h"

namespace pws::platform::debug {

places::found place_in(const debugger& d, const std::string& text, const scene& here, uint64_t near) {
  if (text.empty() || text[0] != '*') return d.code().find(text, near);
  const value address = expression::parse(text.substr(1)).evaluate(here);
  if (address.real) throw input_error("an address is a whole number");
  return {{d.code().instruction(static_cast<uint64_t>(address.integer))}, {}};
}

point break_at(const debugger& d, const std::string& text, const scene& here, uint64_t near, code_line& line) {
  const places::found found = place_in(d, text, here, near);
  point p;
  p.places = found.at;
  p.text = text;
  line = found.line;
  if (line.line != 0)
    p.find_again = fmt::format("{}:{}", line.file, line.line);
  else if (text[0] != '*')
    p.find_again = text;
  return p;
}

point watch_on(const debugger& d, const std::string& text, point_kind kind, const scene& here) {
  if (text.empty()) throw input_error("what to watch is missing: out[3], *ADDRESS, lds[OFFSET], s4, v2[17]");
  point p;
  p.text = text;
  const size_t at = text.rfind('@');
  uint64_t count = 1;
  if (at != std::string::npos) {
    const size_t begin = text.find_first_not_of(' ', at + 1);
    const std::string digits = begin == std::string::npos ? "" : text.substr(begin);
    const auto given = natural_in(digits);
    if (!given) throw input_error(fmt::format("behind the @ stands how many, and not `{}`", digits));
    count = *given;
  }
  expression what = expression::parse(text.substr(0, at));
  p.memory = what.place(here);
  if (p.memory.bytes != 0) {
    constexpr uint64_t most = uint64_t{1} << 40;
    if (count == 0 || count > most / p.memory.bytes) throw input_error("so many are not there");
    p.memory.bytes *= count;
    p.kind = kind;
  } else {
    if (d.machine().numbers().count(what.text()) != 0)
      throw input_error(fmt::format("{} is given to the kernel as a number, which does not change", what.text()));
    if (kind != point_kind::write) throw input_error("only memory is watched for reads");
    if (at != std::string::npos) throw input_error("@ is for memory");
    p.kind = point_kind::value;
    p.watched = std::move(what);
  }
  d.begin_watching(p, here);
  return p;
}

point catch_on(const debugger& d, const std::string& name) {
  const auto kind = value_named<point_kind>(name);
  if (!kind || !is_event(*kind))
    throw input_error(
        fmt::format("`{}` cannot be caught: {} can; faults always stop", name, fmt::join(names_of_events(), ", ")));
  if (*kind == point_kind::finding && !models::finds_hardware_errors(d.machine().gpu.config.check))
    throw input_error("no check is on that could find something: machine.check or --check has them");
  point p;
  p.kind = *kind;
  p.text = name;
  return p;
}

std::string title_of(const point& p) {
  std::string kind = is_event(p.kind) ? fmt::format("catchpoint, {}", name_of(p.kind)) : name_of(p.kind);
  kind[0] = static_cast<char>(kind[0] - 'a' + 'A');
  return fmt::format("{} {}{}", kind, p.number, p.text.empty() || p.text == name_of(p.kind) ? "" : ": " + p.text);
}

}  // namespace pws::platform::debug
