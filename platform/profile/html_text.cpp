// The annotated sources as one page, well-formed as XML too.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "platform/profile/profile.h"

namespace pws::platform {

namespace {

using models::stall;

constexpr unsigned shown_around = 5;  // lines of a source in front of one that was executed, and behind it

struct line_profile {
  profile_counters counted;
  std::vector<const profiled_instruction*> instructions;
};
using file_profile = std::map<unsigned, line_profile>;  // by line
using sources = std::map<std::string, file_profile>;    // by file; "": of no known line

// Bytes that follow the first one of a character in UTF-8; -1: it begins none.
int following(unsigned char c) {
  return c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    const int more = following(c);
    bool whole = more >= 0 && k + static_cast<size_t>(std::max(more, 0)) < text.size();
    for (int j = 1; whole && j <= more; ++j)
      whole = (static_cast<unsigned char>(text[k + static_cast<size_t>(j)]) & 0xc0) == 0x80;
    // Surrogates and what lies outside Unicode: no XML.
    if (whole && more >= 2) {
      const auto second = static_cast<unsigned char>(text[k + 1]);
      whole = !((c == 0xe0 && second < 0xa0) || (c == 0xed && second >= 0xa0) || (c == 0xf0 && second < 0x90) ||
                (c == 0xf4 && second >= 0x90) || (c == 0xef && second == 0xbf));
    }
    if (!whole || (c < 0x20 && c != '\t') || c == 0x7f) {
      out += c == '\r' ? "" : "?";
    } else if (more > 0) {
      out += text.substr(k, static_cast<size_t>(more) + 1);
      k += static_cast<size_t>(more);
    } else {
      out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, text[k]);
    }
  }
  return out;
}

std::optional<std::vector<std::string>> lines_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) return {};
  return lines;
}

class profile_page {
 public:
  explicit profile_page(const profile& p) : total_(p.total()) {
    for (const profiled_instruction& i : p.instructions) {
      line_profile& l = i.lines.empty() ? sources_[""][0] : sources_[i.lines.front().file][i.lines.front().line];
      l.counted += i.counted;
      l.instructions.push_back(&i);
    }
  }
  std::string text();

 private:
  // What shares are of: cycles, or issues where there is no time.
  uint64_t weight(const profile_counters& n) const { return total_.cycles != 0 ? n.cycles : n.issues; }
  double share(const profile_counters& n) const {
    const uint64_t all = weight(total_);
    return all == 0 ? 0 : 100.0 * static_cast<double>(weight(n)) / static_cast<double>(all);
  }
  static std::string head(const std::string& first, const std::string& last);
  std::string cells(const profile_counters& n) const;
  std::string shade(const profile_counters& n) const;
  void hot_lines();
  void source(const std::string& file, const file_profile& lines);
  void instructions(const line_profile& l);

  profile_counters total_;
  sources sources_;
  std::string out_;
};

constexpr const char* style =
    "body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:1px 6px;text-align:right;"
    "white-space:nowrap}th{cursor:pointer;border-bottom:1px solid #888}td.t,th.t{text-align:left}td.t{font-family:"
    "monospace;white-space:pre}tr.i td{color:#666;font-size:12px}tr:hover td{outline:1px solid #bbb}";
// Sorts a table by the column that was clicked, numbers downwards.
constexpr const char* script =
    "document.querySelectorAll('table.s th').forEach(function(h){h.onclick=function(){var t=h.closest('table'),"
    "n=Array.from(h.parentNode.children).indexOf(h),b=t.tBodies[0],v=function(r){return r.children[n].dataset.v||"
    "r.children[n].textContent};Array.from(b.rows).sort(function(x,y){var p=v(x),q=v(y);return isNaN(p)||isNaN(q)?"
    "p.localeCompare(q):q-p}).forEach(function(r){b.appendChild(r)})}})";

std::string profile_page::head(const std::string& first, const std::string& last) {
  std::string row = "<thead><tr>" + first + "<th>share</th><th>issues</th><th>cycles</th><th>stalls</th>";
  for (size_t k = 0; k < static_cast<size_t>(stall::count); ++k)
    row += fmt::format("<th>{}</th>", models::name_of(static_cast<stall>(k)));
  return row + "<th>lanes</th><th>64 B lines</th><th>L1 hits</th><th>L1 misses</th>" + last + "</tr></thead>";
}

std::string profile_page::cells(const profile_counters& n) const {
  std::string row = fmt::format("<td data-v=\"{:.4f}\">{:.1f}%</td><td>{}</td><td>{}</td><td>{}</td>", share(n),
                                share(n), n.issues, n.cycles, n.all_stalls());
  for (const uint64_t s : n.stalls) row += fmt::format("<td>{}</td>", s);
  const double lanes = n.issues == 0 ? 0 : static_cast<double>(n.lanes) / static_cast<double>(n.issues);
  return row + fmt::format("<td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td>", lanes, n.lines, n.l1_hits, n.l1_misses);
}

std::string profile_page::shade(const profile_counters& n) const {
  const double s = share(n);
  return s < 0.5 ? "" : fmt::format(" style=\"background:rgba(255,120,0,{:.2f})\"", std::min(0.8, 0.08 + s / 40));
}

void profile_page::hot_lines() {
  out_ += "<h2>Lines</h2><table class=\"s\">" + head("<th class=\"t\">line</th>", "") + "<tbody>\n";
  for (const auto& [file, lines] : sources_)
    for (const auto& [line, l] : lines) {
      const std::string name = file.empty() ? "without a line" : loader::text({file, line, 0});
      out_ += fmt::format("<tr{}><td class=\"t\">{}</td>{}</tr>\n", shade(l.counted), escaped(name), cells(l.counted));
    }
  out_ += "</tbody></table>\n";
}

void profile_page::instructions(const line_profile& l) {
  for (const profiled_instruction* i : l.instructions) {
    std::string where = fmt::format("{}+{:#x}: {}", i->function, i->offset, i->instruction);
    if (i->lines.size() > 1) where += "  (inlined at " + loader::text({i->lines.begin() + 1, i->lines.end()}) + ")";
    out_ +=
        fmt::format("<tr class=\"i\"><td></td>{}<td class=\"t\">    {}</td></tr>\n", cells(i->counted), escaped(where));
  }
}

void profile_page::source(const std::string& file, const file_profile& lines) {
  const auto text = file.empty() ? std::nullopt : lines_of(file);
  const std::string name = file.empty() ? "Instructions without a source line" : file;
  out_ += fmt::format("<h2>{}</h2>{}<table>{}<tbody>\n", escaped(name),
                      text || file.empty() ? "" : "<p>The file cannot be read: instructions by line.</p>",
                      head("<th>line</th>", "<th class=\"t\">code</th>"));
  unsigned next = 1;  // line that has not been shown
  const auto plain = [&](unsigned from, unsigned to) {
    for (unsigned n = from; text && n < to && n <= text->size(); ++n)
      out_ += fmt::format("<tr><td>{}</td><td colspan=\"15\"></td><td class=\"t\">{}</td></tr>\n", n,
                          escaped((*text)[n - 1]));
  };
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    const auto& [line, l] = *at;
    const unsigned from = line > shown_around ? line - shown_around : 1;
    if (from > next && next > 1) out_ += "<tr><td>...</td></tr>\n";
    plain(std::max(from, next), line);
    out_ += fmt::format("<tr{}><td>{}</td>{}<td class=\"t\">{}</td></tr>\n", shade(l.counted), line, cells(l.counted),
                        text && line >= 1 && line <= text->size() ? escaped((*text)[line - 1]) : "");
    instructions(l);
    const auto after = std::next(at);
    next = line + 1 + shown_around;
    if (after != lines.end()) next = std::min(next, after->first);
    plain(line + 1, next);
  }
  out_ += "</tbody></table>\n";
}

std::string profile_page::text() {
  out_ = fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<title>Profile</title><style>{}</style></head><body><h1>Profile</h1>\n",
      style);
  out_ += fmt::format(
      "<p>{} instructions, {} cycles of wavefronts, {} of them waiting. Shares are of {}. Lanes: active work-items of "
      "an "
      "instruction. A click on a heading sorts.</p>\n",
      total_.issues, total_.cycles, total_.all_stalls(), total_.cycles != 0 ? "cycles" : "instructions");
  hot_lines();
  for (const auto& [file, lines] : sources_) source(file, lines);
  return out_ + fmt::format("<script>{}</script></body></html>\n", script);
}

}  // namespace

std::string html_text(const profile& p) {
  return profile_page(p).text();
}

}  // namespace pws::platform
