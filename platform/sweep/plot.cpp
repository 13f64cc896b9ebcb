#include "platform/sweep/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/subprocess.h"

namespace pws::platform::sweep {

namespace {

// Told apart by people who do not see all colours (Okabe and Ito's palette), and by grey in print.
constexpr const char* colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#d55e00", "#f0e442", "#000000"};
constexpr size_t n_colours = std::size(colours);
constexpr const char* paper_colour = "#808080";

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : c == '\n' ? " " : std::string(1, c);
  return out + "'";
}

std::string exact_number(double v) {
  return fmt::format("{:.17g}", v);
}

void data_block(std::string& s, const std::string& name, const curve& c, double offset) {
  s += fmt::format("${} << EOD\n", name);
  for (size_t k = 0; k < c.y.size(); ++k)
    s += c.y[k] ? fmt::format("{} {}\n", exact_number(static_cast<double>(k) + offset), exact_number(*c.y[k]))
                : std::string("\n");
  s += "EOD\n";
}

// Each curve with those before it added.
figure_data stacked_up(figure_data d) {
  for (size_t k = 1; k < d.ours.size(); ++k)
    for (size_t x = 0; x < d.ours[k].y.size(); ++x)
      if (const auto& below = d.ours[k - 1].y[x]) d.ours[k].y[x] = d.ours[k].y[x].value_or(0) + *below;
  return d;
}

}  // namespace

std::string gnuplot_script(const figure& f, const figure_data& given) {
  const bool stacked = f.plot == figure::form::stacked, bars = f.plot != figure::form::lines;
  const figure_data d = stacked ? stacked_up(given) : given;
  const size_t groups = std::max<size_t>(d.x.size(), 1);
  const size_t n_bars = stacked ? 1 : std::max<size_t>(d.ours.size() + d.paper.size(), 1);
  size_t longest = 0;
  for (const std::string& x : d.x) longest = std::max(longest, x.size());
  const bool rotated = longest * groups > 70;
  std::string s;
  s += fmt::format("set terminal svg size 820,{} dynamic noenhanced background '#ffffff' font 'Helvetica,16'\n",
                   430 + (rotated ? 5 * longest : 0));
  s += "set encoding utf8\nset border 3 lc rgb '#404040'\nset tics nomirror out\nset grid ytics lc rgb '#d8d8d8'\n";
  s += "set key outside top center horizontal samplen 1.5\n";
  s += fmt::format("set ylabel {}\n", quoted(f.unit));
  if (f.logarithmic) s += "set logscale y\n";
  // A logarithmic axis has no zero for bars to stand on.
  if (bars && !f.logarithmic) s += "set xzeroaxis lt 1 lc rgb '#404040'\nset yrange [*<0:0<*]\n";
  if (!bars && !f.logarithmic) s += "set yrange [*<0:0<*]\n";
  s += fmt::format("set xrange [-0.6:{}]\n", exact_number(static_cast<double>(groups) - 0.4));
  s += fmt::format("set xtics {}(", rotated ? "rotate by -40 left " : "");
  for (size_t k = 0; k < d.x.size(); ++k) s += fmt::format("{}{} {}", k == 0 ? "" : ", ", quoted(d.x[k]), k);
  s += ")\n";
  if (!rotated) s += fmt::format("set xlabel {}\n", quoted(f.x));
  if (d.means != 0)
    s += fmt::format("set arrow from {0},graph 0 to {0},graph 1 nohead dt 3 lc rgb '#404040'\n",
                     exact_number(static_cast<double>(d.x.size() - d.means) - 0.5));
  const double width = 0.8 / static_cast<double>(n_bars);
  s += fmt::format("set boxwidth {} absolute\n", exact_number(width * 0.92));
  std::vector<std::string> plots;
  size_t bar = 0;
  const auto add = [&](const curve& c, bool ours, size_t k) {
    const std::string name = fmt::format("{}{}", ours ? "ours" : "paper", k);
    const double offset = bars ? (static_cast<double>(bar) + 0.5) * width - 0.4 : 0;
    if (!stacked) ++bar;
    data_block(s, name, c, offset);
    // The papers' curve that stands for the same thing has the same colour.
    const char* colour = ours || d.paper.size() == d.ours.size() ? colours[k % n_colours] : paper_colour;
    const std::string title = quoted(c.label);
    const std::string fill = ours ? "solid 1.0 noborder" : fmt::format("pattern {} border rgb '{}'", 4 + k % 4, colour);
    if (bars)
      plots.push_back(fmt::format("${} with boxes fs {} lc rgb '{}' title {}", name, fill, colour, title));
    else
      plots.push_back(fmt::format("${} with linespoints lw 2 pt {} ps 0.9 {} lc rgb '{}' title {}", name, ours ? 7 : 4,
                                  ours ? "dt 1" : "dt 2", colour, title));
  };
  // Of a stack the tallest first: those in front leave of each what it adds.
  for (size_t k = 0; k < d.ours.size(); ++k) {
    const size_t which = stacked ? d.ours.size() - 1 - k : k;
    add(d.ours[which], true, which);
  }
  for (size_t k = 0; k < d.paper.size(); ++k) add(d.paper[k], false, k);
  unsigned dashes = 2;  // of gnuplot's patterns, one each
  for (const auto& [label, value] : d.across)
    plots.push_back(fmt::format("{} with lines dt {} lw 2 lc rgb '{}' title {}", exact_number(value), dashes++,
                                paper_colour, quoted(label)));
  s += "plot ";
  for (size_t k = 0; k < plots.size(); ++k) s += (k == 0 ? "" : ", \\\n     ") + plots[k];
  return s + "\n";
}

std::string draw_svg(const figure& f, const figure_data& d) {
  const auto gnuplot = loader::find_executable("gnuplot");
  if (gnuplot.empty())
    throw input_error("figures are drawn by gnuplot, which is not there (Debian package gnuplot-nox)");
  const loader::temporary_directory scratch;
  const auto script = scratch.path() / "figure.gp", svg = scratch.path() / "figure.svg";
  std::ofstream(script) << "set output " << quoted(svg.string()) << "\n" << gnuplot_script(f, d);
  const loader::process_result r = loader::run_process({gnuplot.string(), script.string()});
  if (r.exit_code != 0 || !std::filesystem::exists(svg)) throw input_error("gnuplot failed:\n" + r.output);
  return loader::read_text(svg);
}

}  // namespace pws::platform::sweep
