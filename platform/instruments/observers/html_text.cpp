// SPDX-License-Identifier: Apache-2.0
// The annotated sources as one page, well-formed as XML too.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "platform/instruments/observers/profile.h"

namespace pws::platform {

namespace {

using models::stall;

constexpr unsigned shown_around = 5;  // lines of a source in front of one that has code, and behind it
constexpr size_t most_callers = 4;    // that are named at a line

struct line_profile {
  profile_counters counted;
  std::vector<const profiled_instruction*> instructions;  // empty: it has code that never ran
  std::string callers_note() const;
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

// Where the line's code was inlined, each place once.
std::string line_profile::callers_note() const {
  std::vector<std::string> places;
  for (const profiled_instruction* i : instructions) {
    if (i->lines.size() < 2) continue;
    const std::string place = loader::text({i->lines.begin() + 1, i->lines.end()});
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  std::string text;
  for (size_t k = 0; k < std::min(places.size(), most_callers); ++k)
    text += (k == 0 ? "inlined at " : "; at ") + places[k];
  if (places.size() > most_callers) text += fmt::format("; at {} more places", places.size() - most_callers);
  return text.empty() ? "" : "<span class=\"c\">" + escaped(text) + "</span>";
}

class profile_page {
 public:
  explicit profile_page(const profile& p);
  std::string text();

 private:
  // What shares are of: cycles, or issues where there is no time.
  bool timed() const { return total_.cycles != 0; }
  uint64_t weight(const profile_counters& n) const { return timed() ? n.cycles : n.issues; }
  double share(const profile_counters& n) const {
    const uint64_t all = weight(total_);
    return all == 0 ? 0 : 100.0 * static_cast<double>(weight(n)) / static_cast<double>(all);
  }
  std::string head(const std::string& first, const std::string& second) const;
  std::string figures(const profile_counters& n) const;
  std::string shade(const profile_counters& n) const;
  void hot_lines();
  void source(const std::string& file, const file_profile& lines);
  void line(const std::string& id, unsigned number, const line_profile& l, const std::string& code);
  void instructions(const line_profile& l);
  size_t never_ran() const;
  std::vector<std::pair<uint64_t, std::string>> by_weight() const;

  profile_counters total_;
  sources sources_;
  std::map<std::string, std::optional<std::vector<std::string>>> texts_;  // of the sources that can be read
  std::map<std::string, size_t> numbers_;                                 // of the sources
  std::set<std::string> without_lines_;                                   // code objects
  std::string out_;
};

profile_page::profile_page(const profile& p) : total_(p.total()) {
  for (const profiled_instruction& i : p.instructions) {
    line_profile& l = i.lines.empty() ? sources_[""][0] : sources_[i.lines.front().file][i.lines.front().line];
    l.counted += i.counted;
    l.instructions.push_back(&i);
  }
  for (const profiled_object& o : p.objects) {
    if (o.lines.empty()) without_lines_.insert(o.name.file);
    for (const loader::line_code& c : o.lines)
      if (const auto file = sources_.find(c.line.file); c.begin != c.end && file != sources_.end())
        file->second[c.line.line];
  }
  for (const auto& [file, lines] : sources_) {
    numbers_[file] = numbers_.size();
    texts_[file] = file.empty() ? std::nullopt : lines_of(file);
  }
}

// The first columns are as wide as what the figures leave over, and break long lines.
constexpr const char* style =
    "body{font:13px sans-serif;margin:12px 16px;min-width:960px}h1{font-size:20px}h2{font-size:16px;overflow-wrap:"
    "anywhere}table{border-collapse:collapse;table-layout:fixed;width:100%}td,th{padding:1px 5px;text-align:right;"
    "vertical-align:top;font-size:12px;overflow-wrap:anywhere}td.t,th.t,td.w,th.w{text-align:left}th{position:sticky;"
    "top:0;background:#fff;border-bottom:1px solid #888;vertical-align:bottom;overflow-wrap:normal}table.s th{cursor:"
    "pointer}div.s{max-height:26em;overflow-y:auto;border:1px solid "
    "#ccc}td.t{font-family:monospace;white-space:pre-wrap}"
    "td.n,tr.z td.t{color:#888}tr.l td.n{cursor:pointer;color:#00c}tr.i td{color:#555;background:#f4f4f8}tr.i "
    "td.t{padding-left:2em;font-size:11px}tr.h{display:none}tr.r td{background:#f6dcdc}span.c{display:block;"
    "color:#666;font:11px sans-serif}tr:hover td{outline:1px solid #bbb}a{color:inherit}";
// Sorts a table by the column that was clicked, numbers downwards; a click on a line's number shows its instructions.
constexpr const char* script =
    "document.querySelectorAll('table.s th').forEach(function(h){h.onclick=function(){var t=h.closest('table'),"
    "n=Array.from(h.parentNode.children).indexOf(h),b=t.tBodies[0],v=function(r){return r.children[n].dataset.v||"
    "r.children[n].textContent};Array.from(b.rows).sort(function(x,y){var p=v(x),q=v(y);return isNaN(p)||isNaN(q)?"
    "p.localeCompare(q):q-p}).forEach(function(r){b.appendChild(r)})}});"
    "document.querySelectorAll('tr.i').forEach(function(r){r.classList.add('h')});"
    "document.querySelectorAll('tr.l td.n').forEach(function(c){c.onclick=function(){var r=c.parentNode."
    "nextElementSibling;while(r?r.classList.contains('i'):false){r.classList.toggle('h');r=r.nextElementSibling}}});"
    "document.getElementById('all').onclick=function(){var o=this.checked;document.querySelectorAll('tr.i').forEach("
    "function(r){r.classList.toggle('h',!o)})};";

std::string profile_page::head(const std::string& first, const std::string& second) const {
  std::string row = "<thead><tr>" + first + second + "<th style=\"width:46px\">share</th>";
  if (timed())
    row +=
        "<th style=\"width:80px\">cycles</th><th style=\"width:80px\">stalls</th><th class=\"w\" style=\"width:150px\">"
        "waits for</th>";
  return row +
         "<th style=\"width:76px\">issues</th><th style=\"width:38px\">lanes</th><th style=\"width:62px\">64 B lines"
         "</th><th style=\"width:56px\">L1 hits</th><th style=\"width:56px\">L1 misses</th></tr></thead>";
}

std::string profile_page::figures(const profile_counters& n) const {
  std::string row = fmt::format("<td data-v=\"{:.4f}\">{:.1f}%</td>", share(n), share(n));
  if (timed()) {
    std::vector<std::pair<uint64_t, const char*>> reasons;
    for (size_t k = 0; k < n.stalls.size(); ++k)
      if (n.stalls[k] != 0) reasons.emplace_back(n.stalls[k], models::name_of(static_cast<stall>(k)));
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (const auto& [cycles, name] : reasons) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, cycles);
    row += fmt::format("<td>{}</td><td>{}</td><td class=\"w\">{}</td>", n.cycles, n.all_stalls(), text);
  }
  const double lanes = n.issues == 0 ? 0 : static_cast<double>(n.lanes) / static_cast<double>(n.issues);
  return row + fmt::format("<td>{}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td>{}</td>", n.issues, lanes, n.lines,
                           n.l1_hits, n.l1_misses);
}

std::string profile_page::shade(const profile_counters& n) const {
  const double s = share(n);
  return s < 0.5 ? "" : fmt::format(" style=\"background:rgba(255,120,0,{:.2f})\"", std::min(0.8, 0.08 + s / 40));
}

size_t profile_page::never_ran() const {
  size_t n = 0;
  for (const auto& [file, lines] : sources_)
    for (const auto& [number, l] : lines) n += l.instructions.empty();
  return n;
}

// The sources, the most expensive one first, and last what has no source.
std::vector<std::pair<uint64_t, std::string>> profile_page::by_weight() const {
  std::vector<std::pair<uint64_t, std::string>> files;
  for (const auto& [file, lines] : sources_) {
    uint64_t sum = 0;
    for (const auto& [number, l] : lines) sum += weight(l.counted);
    files.emplace_back(sum, file);
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.second.empty() != b.second.empty() ? b.second.empty() : a.first > b.first;
  });
  return files;
}

// The most expensive ones first.
void profile_page::hot_lines() {
  struct hot {
    const std::string* file;
    unsigned number;
    const line_profile* l;
  };
  std::vector<hot> all;
  for (const auto& [file, lines] : sources_)
    for (const auto& [number, l] : lines)
      if (!l.instructions.empty()) all.push_back({&file, number, &l});
  std::stable_sort(all.begin(), all.end(),
                   [this](const hot& a, const hot& b) { return weight(a.l->counted) > weight(b.l->counted); });
  out_ += "<h2>Lines</h2><div class=\"s\"><table class=\"s\">" +
          head("<th class=\"t\" style=\"width:170px\">line</th>", "<th class=\"t\">code</th>") + "<tbody>\n";
  for (const hot& h : all) {
    const auto& text = texts_.at(*h.file);
    std::string place = "without a line", code;
    if (!h.file->empty()) {
      place = fmt::format("<a href=\"#f{}l{}\">{}</a>", numbers_.at(*h.file), h.number,
                          escaped(loader::text({*h.file, h.number, 0})));
      if (text && h.number >= 1 && h.number <= text->size()) {
        code = (*text)[h.number - 1];
        code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
      }
    }
    out_ += fmt::format("<tr{}><td class=\"t\">{}</td><td class=\"t\">{}{}</td>{}</tr>\n", shade(h.l->counted), place,
                        escaped(code), h.l->callers_note(), figures(h.l->counted));
  }
  out_ += "</tbody></table></div>\n";
}

void profile_page::instructions(const line_profile& l) {
  for (const profiled_instruction* i : l.instructions) {
    std::string where = fmt::format("{}+{:#x}: {}", i->function, i->offset, i->instruction);
    if (i->lines.size() > 1) where += "  (inlined at " + loader::text({i->lines.begin() + 1, i->lines.end()}) + ")";
    out_ +=
        fmt::format("<tr class=\"i\"><td></td><td class=\"t\">{}</td>{}</tr>\n", escaped(where), figures(i->counted));
  }
}

void profile_page::line(const std::string& id, unsigned number, const line_profile& l, const std::string& code) {
  if (l.instructions.empty()) {
    out_ += fmt::format(
        "<tr class=\"r\" id=\"{}\"><td class=\"n\">{}</td><td class=\"t\">{}</td><td colspan=\"{}\" class=\"w\">never "
        "ran</td></tr>\n",
        id, number, escaped(code), timed() ? 9 : 6);
    return;
  }
  out_ += fmt::format("<tr class=\"l\" id=\"{}\"{}><td class=\"n\">{}</td><td class=\"t\">{}{}</td>{}</tr>\n", id,
                      shade(l.counted), number, escaped(code), l.callers_note(), figures(l.counted));
  instructions(l);
}

void profile_page::source(const std::string& file, const file_profile& lines) {
  const auto& text = texts_.at(file);
  const std::string name = file.empty() ? "Instructions without a source line" : file;
  out_ += fmt::format("<h2>{}</h2>", escaped(name));
  if (!text && !file.empty()) out_ += "<p>The file cannot be read: instructions by line.</p>";
  if (file.empty())
    for (const std::string& object : without_lines_)
      out_ += fmt::format("<p>{} has no line tables: compile it with -g or -gline-tables-only.</p>", escaped(object));
  out_ += "<table>" + head("<th style=\"width:44px\">line</th>", "<th class=\"t\">code</th>") + "<tbody>\n";
  unsigned next = 1;  // line that has not been shown
  const auto plain = [&](unsigned from, unsigned to) {
    for (unsigned n = from; text && n < to && n <= text->size(); ++n)
      out_ += fmt::format("<tr class=\"z\"><td class=\"n\">{}</td><td class=\"t\">{}</td></tr>\n", n,
                          escaped((*text)[n - 1]));
  };
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    const unsigned number = at->first;
    const unsigned from = number > shown_around ? number - shown_around : 1;
    if (from > next && next > 1) out_ += "<tr><td>...</td></tr>\n";
    plain(std::max(from, next), number);
    const bool known = text && number >= 1 && number <= text->size();
    line(fmt::format("f{}l{}", numbers_.at(file), number), number, at->second, known ? (*text)[number - 1] : "");
    const auto after = std::next(at);
    next = number + 1 + shown_around;
    if (after != lines.end()) next = std::min(next, after->first);
    plain(number + 1, next);
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
      "an instruction, on average. A click on a heading of the first table sorts it, one on a line's number shows its "
      "instructions.</p>\n",
      total_.issues, total_.cycles, total_.all_stalls(), timed() ? "cycles" : "instructions");
  if (const size_t n = never_ran(); n != 0)
    out_ += fmt::format(
        "<p>{} lines have code that never ran. Lines in grey have no code: comments, declarations, and what the "
        "compiler "
        "left out.</p>\n",
        n);
  out_ += "<p><label><input type=\"checkbox\" id=\"all\"/> show all instructions</label></p>\n";
  hot_lines();
  for (const auto& [weight, file] : by_weight()) source(file, sources_.at(file));
  return out_ + fmt::format("<script>{}</script></body></html>\n", script);
}

}  // namespace

std::string html_text(const profile& p) {
  return profile_page(p).text();
}

}  // namespace pws::platform
