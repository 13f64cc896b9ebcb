// SPDX-License-Identifier: Apache-2.0
#include "base/output/annotated_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

namespace pws {

namespace {

constexpr unsigned shown_around = 5;  // lines of a source in front of one that has code, and behind it

// Bytes that follow the first one of a character in UTF-8; -1: it begins none.
int following(unsigned char c) {
  return c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

std::optional<std::vector<std::string>> lines_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) return {};
  return lines;
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

class listing_writer {
 public:
  explicit listing_writer(const annotated_listing& l) : listing_(l) {
    for (const auto& [file, lines] : l.files) {
      numbers_[file] = numbers_.size();
      texts_[file] = file.empty() ? std::nullopt : lines_of(file);
    }
  }
  std::string text() {
    heaviest_lines();
    for (const auto& [weight, file] : by_weight()) source(file, listing_.files.at(file));
    return std::move(out_);
  }

 private:
  std::string head(const std::string& first, const std::string& second) const {
    return "<thead><tr>" + first + second + "<th style=\"width:46px\">share</th>" + listing_.heads + "</tr></thead>";
  }
  std::string id_of(const std::string& file, unsigned line) const {
    return fmt::format("{}f{}l{}", listing_.id, numbers_.at(file), line);
  }
  void heaviest_lines();
  void source(const std::string& file, const annotated_listing::file& lines);
  void line(const std::string& id, unsigned number, const annotated_line& l, const std::string& code);
  std::vector<std::pair<uint64_t, std::string>> by_weight() const;

  const annotated_listing& listing_;
  std::map<std::string, std::optional<std::vector<std::string>>> texts_;  // of the sources that can be read
  std::map<std::string, size_t> numbers_;                                 // of the sources
  std::string out_;
};

std::string shade(const annotated_line& l) {
  return l.share < 0.5
             ? ""
             : fmt::format(" style=\"background:rgba(255,120,0,{:.2f})\"", std::min(0.8, 0.08 + l.share / 40));
}

std::string note_of(const annotated_line& l) {
  return l.note.empty() ? "" : "<span class=\"c\">" + html_escaped(l.note) + "</span>";
}

// The sources, the heaviest one first, and last what has no source.
std::vector<std::pair<uint64_t, std::string>> listing_writer::by_weight() const {
  std::vector<std::pair<uint64_t, std::string>> files;
  for (const auto& [file, lines] : listing_.files) {
    uint64_t sum = 0;
    for (const auto& [number, l] : lines) sum += l.weight;
    files.emplace_back(sum, file);
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return a.second.empty() != b.second.empty() ? b.second.empty() : a.first > b.first;
  });
  return files;
}

void listing_writer::heaviest_lines() {
  struct heavy {
    const std::string* file;
    unsigned number;
    const annotated_line* l;
  };
  std::vector<heavy> all;
  for (const auto& [file, lines] : listing_.files)
    for (const auto& [number, l] : lines)
      if (!l.instructions.empty()) all.push_back({&file, number, &l});
  std::stable_sort(all.begin(), all.end(), [](const heavy& a, const heavy& b) { return a.l->weight > b.l->weight; });
  out_ += "<h2>Lines</h2><div class=\"s\"><table class=\"s\">" +
          head("<th class=\"t\" style=\"width:170px\">line</th>", "<th class=\"t\">code</th>") + "<tbody>\n";
  for (const heavy& h : all) {
    const auto& text = texts_.at(*h.file);
    std::string place = "without a line", code;
    if (!h.file->empty()) {
      place = fmt::format("<a href=\"#{}\">{}</a>", id_of(*h.file, h.number), html_escaped(h.l->place));
      if (text && h.number >= 1 && h.number <= text->size()) {
        code = (*text)[h.number - 1];
        code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
      }
    }
    out_ += fmt::format("<tr{}><td class=\"t\">{}</td><td class=\"t\">{}{}</td>{}</tr>\n", shade(*h.l), place,
                        html_escaped(code), note_of(*h.l), h.l->figures);
  }
  out_ += "</tbody></table></div>\n";
}

void listing_writer::line(const std::string& id, unsigned number, const annotated_line& l, const std::string& code) {
  if (l.instructions.empty()) {
    out_ += fmt::format(
        "<tr class=\"r\" id=\"{}\"><td class=\"n\">{}</td><td class=\"t\">{}</td><td colspan=\"{}\" class=\"w\">{}"
        "</td></tr>\n",
        id, number, html_escaped(code), listing_.columns + 1, html_escaped(listing_.absent));
    return;
  }
  out_ += fmt::format("<tr class=\"l\" id=\"{}\"{}><td class=\"n\">{}</td><td class=\"t\">{}{}</td>{}</tr>\n", id,
                      shade(l), number, html_escaped(code), note_of(l), l.figures);
  for (const annotated_instruction& i : l.instructions)
    out_ += fmt::format("<tr class=\"i\"><td></td><td class=\"t\">{}</td>{}</tr>\n", html_escaped(i.text), i.figures);
}

void listing_writer::source(const std::string& file, const annotated_listing::file& lines) {
  const auto& text = texts_.at(file);
  const std::string name = file.empty() ? "Instructions without a source line" : file;
  out_ += fmt::format("<h2>{}</h2>", html_escaped(name));
  if (!text && !file.empty()) out_ += "<p>The file cannot be read: instructions by line.</p>";
  if (file.empty())
    for (const std::string& said : listing_.without_lines) out_ += fmt::format("<p>{}</p>", html_escaped(said));
  out_ += "<table>" + head("<th style=\"width:44px\">line</th>", "<th class=\"t\">code</th>") + "<tbody>\n";
  unsigned next = 1;  // line that has not been shown
  const auto plain = [&](unsigned from, unsigned to) {
    for (unsigned n = from; text && n < to && n <= text->size(); ++n)
      out_ += fmt::format("<tr class=\"z\"><td class=\"n\">{}</td><td class=\"t\">{}</td></tr>\n", n,
                          html_escaped((*text)[n - 1]));
  };
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    const unsigned number = at->first;
    const unsigned from = number > shown_around ? number - shown_around : 1;
    if (from > next && next > 1) out_ += "<tr><td>...</td></tr>\n";
    plain(std::max(from, next), number);
    const bool known = text && number >= 1 && number <= text->size();
    line(id_of(file, number), number, at->second, known ? (*text)[number - 1] : "");
    const auto after = std::next(at);
    next = number + 1 + shown_around;
    if (after != lines.end()) next = std::min(next, after->first);
    plain(number + 1, next);
  }
  out_ += "</tbody></table>\n";
}

}  // namespace

std::string html_escaped(const std::string& text) {
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

std::string annotated_sources(const annotated_listing& listing) {
  return listing_writer(listing).text();
}

std::string annotated_page(const std::string& title, const std::string& introduction, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<title>{0}</title><style>{1}</style></head><body><h1>{0}</h1>\n{2}"
      "<p><label><input type=\"checkbox\" id=\"all\"/> show all instructions</label></p>\n{3}"
      "<script>{4}</script></body></html>\n",
      html_escaped(title), style, introduction, body, script);
}

std::string share_cell(double percent) {
  return fmt::format("<td data-v=\"{:.4f}\">{:.1f}%</td>", percent, percent);
}

}  // namespace pws
