// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/point_list.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "platform/config/values/text.h"

namespace pws::platform::sweep {

namespace {

// A number of at most nine digits, from 1.
std::optional<size_t> number_in(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const size_t n = std::stoul(text);
  return n == 0 ? std::nullopt : std::optional<size_t>(n);
}

const char* words_of(point_runner::state s) {
  switch (s) {
    case point_runner::state::none:
      return "not run";
    case point_runner::state::other:
      return "to run again";
    case point_runner::state::failed:
      return "failed";
    case point_runner::state::done:
      break;
  }
  return "kept";
}

}  // namespace

std::vector<size_t> points_in(const std::vector<std::string>& texts, const experiment& e) {
  std::set<size_t> all;
  const auto bad = [](const std::string& piece, const std::string& problem) {
    throw input_error(fmt::format("--point: {}: {}", in_quotes(piece), problem));
  };
  for (const std::string& text : texts)
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      const std::string piece = text.substr(begin, end - begin);
      begin = end + 1;
      const size_t dash = piece.find('-');
      const bool range = dash != std::string::npos;
      const auto first = number_in(piece.substr(0, dash)), last = range ? number_in(piece.substr(dash + 1)) : first;
      if (!first || !last) bad(piece, "expected the number of a point, from 1, or two of them with a - between");
      if (*first > *last) bad(piece, "the range ends before it begins");
      if (*last > e.n_points()) bad(piece, fmt::format("the experiment has {} points", e.n_points()));
      for (size_t n = *first - 1; n < *last; ++n) {
        if (e.runs(e.point(n)))
          all.insert(n);
        else if (!range)
          bad(piece, fmt::format("the experiment leaves this point out ({})", point_text(e, e.point(n))));
      }
    }
  return {all.begin(), all.end()};
}

void print(std::ostream& out, const experiment& e, const std::vector<listed_point>& points) {
  for (const listed_point& p : points)
    fmt::print(out, "{:>6}  {:<12}  {}{}\n", p.number + 1, words_of(p.state), point_text(e, e.point(p.number)),
               p.message.empty() ? "" : ": " + p.message);
}

nlohmann::ordered_json to_json(const experiment& e, const std::filesystem::path& folder,
                               const std::vector<listed_point>& points) {
  nlohmann::ordered_json j = {{"experiment", e.name},
                              {"form", e.small ? "small" : "full"},
                              {"folder", folder.string()},
                              {"points", nlohmann::ordered_json::array()}};
  for (const listed_point& p : points) {
    const std::vector<size_t> at = e.point(p.number);
    nlohmann::ordered_json one = {{"number", p.number + 1}, {"key", point_text(e, at)}};
    for (size_t k = 0; k < at.size(); ++k) one["at"][e.axes[k].name] = e.axes[k].points[at[k]].label;
    one["kept"] = p.state == point_runner::state::done;
    one["state"] = words_of(p.state);
    if (!p.message.empty()) one["message"] = p.message;
    j["points"].push_back(std::move(one));
  }
  return j;
}

}  // namespace pws::platform::sweep
