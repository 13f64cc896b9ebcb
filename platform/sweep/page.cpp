#include "platform/sweep/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/sweep/figure_data.h"
#include "platform/sweep/plot.h"
#include "platform/sweep/point_command.h"

namespace pws::platform::sweep {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto; padding: 1rem; max-width: 56rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
img { width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; margin: .5rem 0; }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child, td.text { text-align: left; }
th { border-bottom: 2px solid #888; }
td.paper, th.paper { color: #555; font-style: italic; }
pre { font-size: .75rem; line-height: 1.35; background: #f5f5f5; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { border-left: 4px solid #d55e00; padding-left: .75rem; }
.good { border-left: 4px solid #009e73; padding-left: .75rem; }
.small { font-size: .875rem; color: #555; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } h2 { break-after: avoid; } img, tr { break-inside: avoid; } .wide { overflow: visible; } }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

// Empty lines divide paragraphs.
std::string paragraphs(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    if (one.find_first_not_of(" \n") != std::string::npos) out += "<p>" + escaped(one) + "</p>\n";
    begin = end + 2;
  }
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t k = 0; k < bytes.size(); k += 3) {
    uint32_t v = 0;
    const size_t n = std::min<size_t>(3, bytes.size() - k);
    for (size_t j = 0; j < 3; ++j) v = v << 8 | (j < n ? static_cast<uint8_t>(bytes[k + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) out += j <= n ? digits[v >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::string number(double v) {
  if (std::abs(v) >= 1000 && v == std::floor(v)) return fmt::format("{:.0f}", v);
  return fmt::format("{:.4g}", v);
}

std::string cell(const std::optional<double>& v, const char* css) {
  return fmt::format("<td{}>{}</td>", css, v ? number(*v) : "&ndash;");
}

std::string figure_table(const figure& f, const figure_data& d) {
  std::string s = "<div class=\"wide\"><table>\n<tr><th>" + escaped(f.x) + "</th>";
  for (const curve& c : d.ours) s += "<th>" + escaped(c.label) + "</th>";
  for (const curve& c : d.paper) s += "<th class=\"paper\">" + escaped(c.label) + "</th>";
  s += "</tr>\n";
  for (size_t k = 0; k < d.x.size(); ++k) {
    s += "<tr><td>" + escaped(d.x[k]) + "</td>";
    for (const curve& c : d.ours) s += cell(c.y[k], "");
    for (const curve& c : d.paper) s += cell(c.y[k], " class=\"paper\"");
    s += "</tr>\n";
  }
  s += "</table></div>\n";
  for (const auto& [label, value] : d.across)
    s += fmt::format("<p class=\"small\">{}: {}{}</p>\n", escaped(label), number(value),
                     f.unit.empty() ? "" : " " + escaped(f.unit));
  return s;
}

std::string figure_section(const kept_sweep& sweep, const figure& f) {
  const figure_data d = data_of(sweep.what, sweep.results, f);
  std::string s = "<h2>" + escaped(f.title) + "</h2>\n";
  if (!f.of.empty()) s += "<p class=\"small\">" + escaped(f.of) + "; values in " + escaped(f.unit) + "</p>\n";
  const bool has_values = std::any_of(d.ours.begin(), d.ours.end(), [](const curve& c) {
    return std::any_of(c.y.begin(), c.y.end(), [](const auto& y) { return y.has_value(); });
  });
  if (has_values)
    s += fmt::format("<img alt=\"{}: the values are in the table below\" src=\"data:image/svg+xml;base64,{}\">\n",
                     escaped(f.title), base64(draw_svg(f, d)));
  else
    s += "<p class=\"note\">No point of this sweep has a value for this figure.</p>\n";
  s += figure_table(f, d);
  if (!d.missing.empty()) {
    s += "<div class=\"note\"><p>Not in the figure:</p><ul>\n";
    for (const std::string& m : d.missing) s += "<li>" + escaped(m) + "</li>\n";
    s += "</ul></div>\n";
  }
  if (f.reading.empty()) return s;
  if (sweep.what.small)
    s += "<p class=\"small\">This page is of the experiment's small form; what follows was written of the full "
         "one.</p>\n";
  return s + paragraphs(f.reading);
}

// How far each rule was from failing.
std::string rules_section(const kept_sweep& sweep) {
  const experiment& e = sweep.what;
  std::string s;
  for (const bound_rule& rule : e.rules) {
    const size_t a = e.measure_index(rule.smaller), b = e.measure_index(rule.larger);
    size_t n = 0, good = 0;
    double least = INFINITY, most = 0;
    for (const point_result& p : sweep.results.points) {
      if (!p.values[a].is_number() || !p.values[b].is_number()) continue;
      const double x = p.values[a], y = p.values[b];
      ++n;
      good += x <= y;
      if (x > 0) {
        least = std::min(least, y / x);
        most = std::max(most, y / x);
      }
    }
    s += fmt::format("<p class=\"{}\">{} is at most {} at {} of {} points", good == n && n != 0 ? "good" : "note",
                     escaped(rule.smaller), escaped(rule.larger), good, n);
    if (n != 0 && most > 0)
      s += fmt::format("; {} / {} is {:.3f} to {:.3f}", escaped(rule.larger), escaped(rule.smaller), least, most);
    s += ".</p>\n";
  }
  return s;
}

std::string all_points(const kept_sweep& sweep) {
  const experiment& e = sweep.what;
  std::string s = "<h2>All points</h2>\n<div class=\"wide\"><table>\n<tr>";
  for (const axis& a : e.axes) s += "<th>" + escaped(a.name) + "</th>";
  for (size_t k = 0; k < e.measures.size(); ++k) {
    const std::string& unit = sweep.results.points[0].units[k];
    s += "<th>" + escaped(e.measures[k].name) + (unit.empty() ? "" : "<br>" + escaped(unit)) + "</th>";
  }
  s += "<th>status</th></tr>\n";
  for (size_t n = 0; n < sweep.results.points.size(); ++n) {
    const point_result& p = sweep.results.points[n];
    const std::vector<size_t> at = e.point(n);
    s += "<tr>";
    for (size_t k = 0; k < at.size(); ++k)
      s += "<td class=\"text\">" + escaped(e.axes[k].points[at[k]].label) + "</td>";
    for (const nlohmann::json& v : p.values)
      s += "<td>" +
           (v.is_null()     ? "&ndash;"
            : v.is_number() ? number(v.get<double>())
                            : escaped(v.is_string() ? v.get<std::string>() : v.dump())) +
           "</td>";
    s += "<td class=\"text\">" +
         (p.stopped    ? "stopped: " + escaped(p.message)
          : p.failed   ? "failed: " + escaped(p.message)
          : p.refused  ? "refused: " + escaped(p.message)
          : p.finished ? std::string("done")
                       : std::string("left out")) +
         "</td></tr>\n";
  }
  return s + "</table></div>\n";
}

// All that the commands of failed points said.
std::string failures(const kept_sweep& sweep) {
  std::string s;
  for (size_t n = 0; n < sweep.results.points.size(); ++n) {
    const point_result& p = sweep.results.points[n];
    if (!p.failed) continue;
    s += "<h3>" + escaped(point_text(sweep.what, sweep.what.point(n))) + "</h3>\n<p>" + escaped(p.message) + "</p>\n";
    if (!p.output.empty()) s += "<pre>" + escaped(p.output) + "</pre>\n";
  }
  return s.empty() ? s : "<h2>Failed points</h2>\n" + s;
}

}  // namespace

std::string html_page(const kept_sweep& sweep) {
  const experiment& e = sweep.what;
  const auto failed = static_cast<size_t>(std::count_if(sweep.results.points.begin(), sweep.results.points.end(),
                                                        [](const point_result& p) { return p.failed; }));
  const auto refused = static_cast<size_t>(std::count_if(sweep.results.points.begin(), sweep.results.points.end(),
                                                         [](const point_result& p) { return p.refused; }));
  std::string s = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  s += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  s += "<link rel=\"icon\" href=\"data:,\">\n<title>" + escaped(e.title) + "</title>\n<style>" + style +
       "</style>\n</head>\n<body>\n";
  s += "<h1>" + escaped(e.title) + "</h1>\n";
  if (!e.of.empty()) s += "<p>" + escaped(e.of) + "</p>\n";
  s += paragraphs(e.about);
  const auto run = static_cast<size_t>(std::count_if(sweep.results.points.begin(), sweep.results.points.end(),
                                                     [](const point_result& p) { return p.finished; }));
  s += fmt::format("<p>{} points{}, {}.</p>\n", run, e.small ? " of the small form" : "",
                   (failed == 0 && refused == 0 ? "all done"
                    : failed == 0               ? fmt::format("{} of them refused", refused)
                                                : fmt::format("{} of them failed, {} refused", failed, refused)));
  s += rules_section(sweep);
  for (const figure& f : e.figures) s += figure_section(sweep, f);
  s += all_points(sweep);
  s += failures(sweep);
  s += "<h2>How it was made</h2>\n<pre>" + escaped(sweep.results.command) + "</pre>\n";
  s += "<p>Finished " + escaped(sweep.results.finished) + ".</p>\n";
  s += "<h3>Experiment</h3>\n<pre>" + escaped(e.text) + "</pre>\n";
  for (const auto& [name, text] : sweep.results.files)
    s += "<h3>" + escaped(name) + "</h3>\n<pre>" + escaped(text) + "</pre>\n";
  return s + "</body>\n</html>\n";
}

}  // namespace pws::platform::sweep
