// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/vcd_parser.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace pws::test {

namespace {

class parser {
 public:
  explicit parser(const std::string& text) : text_(text) {}

  vcd_file parse() {
    header();
    changes();
    for (const auto& [id, name] : names_)
      if (file_.signals[name].changes.empty()) fail("no initial value for " + name);
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("VCD line " + std::to_string(line_) + ": " + what);
  }
  // Next word, "" at the end of the text.
  std::string word() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      if (text_[at_++] == '\n') ++line_;
    const size_t begin = at_;
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) == 0) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string needed(const char* what) {
    std::string w = word();
    if (w.empty()) fail(std::string("the text ends where ") + what + " should be");
    return w;
  }
  void expect(const std::string& wanted) {
    const std::string w = needed(wanted.c_str());
    if (w != wanted) fail("'" + w + "' where " + wanted + " should be");
  }
  // The words up to $end, one blank between them.
  std::string section() {
    std::string all;
    for (std::string w = needed("$end"); w != "$end"; w = needed("$end")) {
      if (w[0] == '$') fail("'" + w + "' inside a section");
      all += (all.empty() ? "" : " ") + w;
    }
    return all;
  }
  static bool is_number(const std::string& s) {
    return !s.empty() && s.size() < 20 &&
           std::all_of(s.begin(), s.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  }

  void header() {
    std::map<std::string, int> seen;
    for (;;) {
      const std::string w = needed("$enddefinitions");
      ++seen[w];
      if (w == "$date" || w == "$version") {
        section();
      } else if (w == "$comment") {
        file_.comments.push_back(section());
      } else if (w == "$timescale") {
        file_.timescale = section();
      } else if (w == "$scope") {
        scope();
      } else if (w == "$upscope") {
        if (scopes_.empty()) fail("$upscope outside every scope");
        scopes_.pop_back();
        expect("$end");
      } else if (w == "$var") {
        variable();
      } else if (w == "$enddefinitions") {
        expect("$end");
        break;
      } else {
        fail("'" + w + "' in the header");
      }
    }
    if (!scopes_.empty()) fail("scope " + scopes_.back() + " is not closed");
    if (seen["$timescale"] != 1) fail("not exactly one $timescale");
    if (seen["$date"] > 1 || seen["$version"] > 1) fail("$date or $version twice");
  }

  void scope() {
    const std::string kind = needed("a scope's kind");
    if (kind != "module") fail("scope of kind " + kind);
    scopes_.push_back(needed("a scope's name"));
    expect("$end");
  }

  void variable() {
    const std::string kind = needed("a variable's kind"), width = needed("a width"), id = needed("an identifier");
    if (kind != "wire" && kind != "reg" && kind != "integer") fail("variable of kind " + kind);
    if (!is_number(width) || width == "0" || std::stoul(width) > 64) fail("width " + width);
    vcd_signal s;
    s.width = static_cast<unsigned>(std::stoul(width));
    for (const std::string& scope : scopes_) s.name += scope + ".";
    s.name += needed("a name");
    const std::string range = needed("$end");
    if (range != "$end") {
      if (range != "[" + std::to_string(s.width - 1) + ":0]") fail("range " + range + " of " + s.name);
      expect("$end");
    }
    if (!names_.emplace(id, s.name).second) fail("identifier " + id + " is declared twice");
    if (!file_.signals.emplace(s.name, s).second) fail(s.name + " is declared twice");
  }

  void changes() {
    bool dumping = false, dumped = false, timed = false;
    for (std::string w = word(); !w.empty(); w = word()) {
      if (w == "$comment") {
        file_.comments.push_back(section());
      } else if (w == "$dumpvars") {
        if (dumped || timed) fail("$dumpvars twice or late");
        dumping = dumped = true;
      } else if (w == "$end") {
        if (!dumping) fail("$end of nothing");
        dumping = false;
      } else if (w[0] == '#') {
        if (dumping || !is_number(w.substr(1))) fail("time " + w);
        const uint64_t t = std::stoull(w.substr(1));
        if (timed && t <= file_.end_time) fail("time " + w + " does not grow");
        file_.end_time = t;
        timed = true;
      } else {
        if (!dumping && !timed) fail("a value change before any time");
        change(w);
      }
    }
    if (dumping) fail("$dumpvars is not closed");
    if (!dumped) fail("no $dumpvars");
  }

  void change(const std::string& w) {
    std::string digits, id;
    if (w[0] == 'b') {
      digits = w.substr(1);
      id = needed("an identifier");
    } else {
      digits = w.substr(0, 1);
      id = w.substr(1);
    }
    const auto name = names_.find(id);
    if (name == names_.end()) fail("value for undeclared identifier '" + id + "'");
    vcd_signal& s = file_.signals[name->second];
    if (digits.empty() || digits.size() > s.width) fail("'" + digits + "' for " + s.name);
    if (w[0] != 'b' && s.width != 1) fail("scalar value for " + s.name);
    uint64_t value = 0;
    for (const char c : digits) {
      if (c != '0' && c != '1') fail("digit '" + std::string(1, c) + "' for " + s.name);
      value = value << 1 | static_cast<uint64_t>(c - '0');
    }
    if (!s.changes.empty()) {
      if (s.changes.back().value == value) fail(s.name + " changes to the value that it has");
      if (s.changes.back().time == file_.end_time && file_.end_time != 0) fail(s.name + " changes twice at one time");
    }
    s.changes.push_back({file_.end_time, value});
  }

  const std::string& text_;
  size_t at_ = 0;
  unsigned line_ = 1;
  std::vector<std::string> scopes_;
  std::map<std::string, std::string> names_;  // identifier -> name
  vcd_file file_;
};

}  // namespace

uint64_t vcd_signal::at(uint64_t time) const {
  const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                      [](uint64_t t, const vcd_change& c) { return t < c.time; });
  return after == changes.begin() ? 0 : (after - 1)->value;
}

const vcd_signal& vcd_file::signal(const std::string& name) const {
  const auto found = signals.find(name);
  if (found == signals.end()) throw std::runtime_error("the VCD has no signal " + name);
  return found->second;
}

vcd_file parse_vcd(const std::string& text) {
  return parser(text).parse();
}

}  // namespace pws::test
