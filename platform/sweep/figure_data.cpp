#include "platform/sweep/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "platform/sweep/point_command.h"

namespace pws::platform::sweep {

namespace {

using places = std::vector<std::pair<std::string, std::string>>;

std::optional<size_t> label_index(const axis& a, const std::string& label) {
  for (size_t k = 0; k < a.points.size(); ++k)
    if (a.points[k].label == label) return k;
  return std::nullopt;
}

// Indices of axes and of their points. Nothing: the short form does not have them.
using place_indices = std::optional<std::vector<std::pair<size_t, size_t>>>;

place_indices indices_of(const experiment& e, const places& to) {
  std::vector<std::pair<size_t, size_t>> all;
  for (const auto& [axis_name, label] : to) {
    const size_t k = e.axis_index(axis_name);
    const auto index = label_index(e.axes[k], label);
    if (!index) return std::nullopt;
    all.emplace_back(k, *index);
  }
  return all;
}

// Moves `point` there.
bool go_to(const place_indices& to, std::vector<size_t>& point) {
  if (!to) return false;
  for (const auto& [axis_number, index] : *to) point[axis_number] = index;
  return true;
}

// What a line shows, with its places looked up.
struct line_reader {
  const figure_line& line;
  size_t measure, base;
  place_indices base_at;
  line_reader(const experiment& e, const figure_line& l)
      : line(l),
        measure(e.measure_index(l.measure)),
        base(e.measure_index(l.base.empty() ? l.measure : l.base)),
        base_at(indices_of(e, l.base_at)) {}
};

class reader_of_points {
 public:
  reader_of_points(const experiment& e, const sweep_results& r, figure_data& to) : e_(e), r_(r), to_(to) {}

  std::optional<double> value(const line_reader& l, const std::vector<size_t>& point) {
    const auto v = number(l.measure, point);
    if (!v || l.line.as == figure_line::form::plain) return v;
    std::vector<size_t> base_point = point;
    if (!go_to(l.base_at, base_point)) return std::nullopt;
    const auto base = number(l.base, base_point);
    if (!base) return std::nullopt;
    const double divisor = l.line.as == figure_line::form::speedup ? *v : *base;
    if (divisor == 0) return std::nullopt;
    switch (l.line.as) {
      case figure_line::form::ratio:
        return *v / *base;
      case figure_line::form::speedup:
        return *base / *v;
      default:
        return 100 * (1 - *v / *base);
    }
  }

 private:
  std::optional<double> number(size_t k, const std::vector<size_t>& point) {
    const point_result& p = r_.points[e_.number_of(point)];
    if (!p.failed && !p.refused && k < p.values.size() && p.values[k].is_number()) return p.values[k].get<double>();
    const std::string note = fmt::format("{}: {}", point_text(e_, point),
                                         p.failed     ? p.message
                                         : p.refused  ? "refused: " + p.message
                                         : p.finished ? "the report has no " + e_.measures[k].name
                                                      : "left out");
    if (noted_.insert(note).second) to_.missing.push_back(note);
    return std::nullopt;
  }

  const experiment& e_;
  const sweep_results& r_;
  figure_data& to_;
  std::set<std::string> noted_;
};

bool is_number(const std::string& label) {
  return !label.empty() && label.find_first_not_of("0123456789.") == std::string::npos;
}

std::string curve_label(const figure& f, const figure_line& l, const std::string& series_point) {
  if (f.series.empty()) return l.label;
  const std::string point = is_number(series_point) ? f.series + " = " + series_point : series_point;
  return f.lines.size() == 1 ? point : l.label + ", " + point;
}

void sort_by_first(figure_data& d) {
  if (d.ours.empty()) return;
  std::vector<size_t> order(d.x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto& y = d.ours[0].y;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return y[a].has_value() != y[b].has_value() ? y[a].has_value() : y[a] && *y[a] < *y[b];
  });
  const auto permute = [&](auto& v) {
    auto old = v;
    for (size_t k = 0; k < order.size(); ++k) v[k] = old[order[k]];
  };
  permute(d.x);
  for (curve& c : d.ours) permute(c.y);
  for (curve& c : d.paper) permute(c.y);
}

// Over the places where there is a value above 0.
std::optional<double> mean_of(mean which, const std::vector<std::optional<double>>& y) {
  double logs = 0, sum = 0, inverses = 0, n = 0;
  for (const auto& v : y) {
    if (!v || *v <= 0) continue;
    logs += std::log(*v);
    sum += *v;
    inverses += 1 / *v;
    n += 1;
  }
  if (n == 0) return std::nullopt;
  switch (which) {
    case mean::geometric:
      return std::exp(logs / n);
    case mean::arithmetic:
      return sum / n;
    case mean::harmonic:
      return n / inverses;
  }
  return std::nullopt;
}

void add_means(const std::vector<mean>& means, figure_data& d) {
  d.means = means.size();
  for (const mean m : means) d.x.push_back(std::string(name_of(m)) + " mean");
  for (curve& c : d.ours) {
    const std::vector<std::optional<double>> y = c.y;
    for (const mean m : means) c.y.push_back(mean_of(m, y));
  }
  for (curve& c : d.paper) c.y.resize(d.x.size());
}

}  // namespace

figure_data data_of(const experiment& e, const sweep_results& r, const figure& f) {
  figure_data d;
  const size_t x = e.axis_index(f.x), series = e.axis_index(f.series);
  const std::set<std::string> only(f.only.begin(), f.only.end());
  std::vector<size_t> shown;  // points of x
  for (size_t k = 0; k < e.axes[x].points.size(); ++k) {
    const std::string& label = e.axes[x].points[k].label;
    if (!only.empty() && only.count(label) == 0) continue;
    shown.push_back(k);
    d.x.push_back(label);
  }
  reader_of_points points(e, r, d);
  const size_t n_series = f.series.empty() ? 1 : e.axes[series].points.size();
  for (const figure_line& l : f.lines) {
    std::vector<size_t> point(e.axes.size(), 0);
    if (!go_to(indices_of(e, f.at), point) || !go_to(indices_of(e, l.at), point)) continue;
    const line_reader line(e, l);
    const auto at_series = [&] {  // `at` may fix the axis that is the series
      for (const auto* p : {&f.at, &l.at})
        for (const auto& [name, label] : *p)
          if (name == f.series) return true;
      return false;
    }();
    for (size_t s = 0; s < (at_series ? 1 : n_series); ++s) {
      if (!f.series.empty() && !at_series) point[series] = s;
      curve c;
      c.label = at_series || f.series.empty() ? l.label : curve_label(f, l, e.axes[series].points[s].label);
      for (const size_t k : shown) {
        point[x] = k;
        c.y.push_back(points.value(line, point));
      }
      d.ours.push_back(std::move(c));
    }
  }
  for (const paper_value& v : f.paper) {
    if (v.x.empty()) {
      d.across.emplace_back(v.line, v.value);
      continue;
    }
    auto c = std::find_if(d.paper.begin(), d.paper.end(), [&](const curve& o) { return o.label == v.line; });
    if (c == d.paper.end()) c = d.paper.insert(d.paper.end(), {v.line, std::vector<std::optional<double>>(d.x.size())});
    const auto k = std::find(d.x.begin(), d.x.end(), v.x);
    if (k != d.x.end()) c->y[static_cast<size_t>(k - d.x.begin())] = v.value;
  }
  if (f.sorted) sort_by_first(d);
  add_means(f.means, d);
  return d;
}

}  // namespace pws::platform::sweep
