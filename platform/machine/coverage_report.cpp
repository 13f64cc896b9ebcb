// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/coverage_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"

namespace pws::platform::cosim {

using nlohmann::ordered_json;

namespace {

constexpr int version = 1;

// "75.0 %"; of nothing, all.
std::string share(uint64_t covered, uint64_t wanted) {
  return fmt::format("{:.1f} %",
                     wanted == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / static_cast<double>(wanted));
}

}  // namespace

std::string coverage_file(const std::vector<cover_point>& points) {
  ordered_json all = ordered_json::array();
  for (const cover_point& p : points) {
    ordered_json bins = ordered_json::object();
    for (const cover_bin& b : p.bins) bins[b.name] = {{"hits", b.hits}, {"wanted", b.wanted}};
    all.push_back({{"name", p.name}, {"bins", std::move(bins)}});
  }
  return ordered_json{{"coverage", {{"version", version}, {"points", std::move(all)}}}}.dump(1) + "\n";
}

std::vector<cover_point> read_coverage(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw input_error(file + ": cannot be read");
  return coverage_of(text.str(), file);
}

std::vector<cover_point> coverage_of(const std::string& text, const std::string& file) {
  try {
    const ordered_json coverage = ordered_json::parse(text).at("coverage");
    if (coverage.at("version") != version)
      throw input_error(
          fmt::format("{}: coverage of version {}; this program has {}", file, coverage.at("version").dump(), version));
    std::vector<cover_point> points;
    for (const ordered_json& p : coverage.at("points")) {
      cover_point point;
      point.name = p.at("name").get<std::string>();
      for (const auto& [name, bin] : p.at("bins").items()) {
        const ordered_json& hits = bin.at("hits");
        if (!hits.is_number_unsigned())
          throw input_error(fmt::format("{}: {}, {}: hits are no count", file, point.name, name));
        point.bins.push_back({name, bin.at("wanted").get<bool>(), hits.get<uint64_t>()});
      }
      points.push_back(std::move(point));
    }
    return points;
  } catch (const nlohmann::json::exception& e) {
    throw input_error(fmt::format("{}: no coverage: {}", file, e.what()));
  }
}

void add_coverage(std::vector<cover_point>& to, const std::vector<cover_point>& more, const std::string& file) {
  const auto other = [&](const std::string& what) {
    throw input_error(fmt::format("{}: {}: not in the files before, so it is of another version", file, what));
  };
  if (to.size() != more.size()) other(fmt::format("{} cover points", more.size()));
  for (size_t p = 0; p < to.size(); ++p) {
    if (to[p].name != more[p].name || to[p].bins.size() != more[p].bins.size()) other("cover point " + more[p].name);
    for (size_t b = 0; b < to[p].bins.size(); ++b) {
      cover_bin& bin = to[p].bins[b];
      const cover_bin& added = more[p].bins[b];
      if (bin.name != added.name || bin.wanted != added.wanted) other(more[p].name + ": " + added.name);
      bin.hits += added.hits;
    }
  }
}

std::string coverage_summary(const std::vector<cover_point>& points) {
  uint64_t wanted = 0, covered = 0;
  for (const cover_point& p : points) {
    wanted += p.wanted();
    covered += p.covered();
  }
  return fmt::format("{} of {} bins ({}), {} holes", covered, wanted, share(covered, wanted), wanted - covered);
}

void print_coverage(std::ostream& out, const std::vector<cover_point>& points, size_t most_holes) {
  for (const cover_point& p : points) {
    fmt::print(out, "{:<24}{:>6} of {:>6}  {:>8}\n", p.name, p.covered(), p.wanted(), share(p.covered(), p.wanted()));
    size_t n = 0;
    for (const cover_bin& b : p.bins)
      if (b.wanted && b.hits == 0 && n++ < most_holes) fmt::print(out, "    hole: {}\n", b.name);
    if (n > most_holes && most_holes != 0) fmt::print(out, "    and {} others\n", n - most_holes);
  }
  fmt::print(out, "{}\n", coverage_summary(points));
}

}  // namespace pws::platform::cosim
