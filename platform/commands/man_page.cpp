// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "sw/loader/llvm_version.h"

namespace pws::platform {

namespace {

// Text that roff prints as it is.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}
std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}
std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}
// With a full stop.
std::string sentence(const std::string& text) {
  return text.empty() || text.back() == '.' ? text : text + '.';
}

std::vector<std::pair<std::string, std::string>> environment() {
  return {{"PWSVP_HOME",
           "Folder that has bin, lib and include of the installation; else it is the one that the program is in."},
          {"PWS_CLANG", fmt::format("Another clang++ than {}.", loader::of_llvm_version("clang++"))},
          {"HIP_DEVICE_LIB_PATH", "Another folder of device libraries."},
          {"PWSVP_PROCESSOR",
           "The level of x86-64 whose vector instructions run, if not the highest that the processor has."},
          {"XDG_CACHE_HOME", "Compiled kernels and headers are kept in its folder pws; else in ~/.cache/pws."}};
}

class page {
 public:
  page(const std::string& name, int section, const page_heading& h) {
    line(fmt::format(".TH {} {} {} \"pwsvp {}\" \"PWS virtual platform\"", upper(name), section, h.date, h.version));
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  void heading(const char* text) {
    line(std::string(".SH ") + text);
    under_heading_ = text_.size();
  }
  void paragraph(const std::string& text) {
    if (text_.size() != under_heading_) line(".PP");
    line(plain(text));
  }
  // What it is about, as roff, and what is said of it.
  void item(const std::string& tag, const std::string& text) {
    line(".TP");
    line(tag);
    line(plain(text));
  }
  void name(const std::string& name, const std::string& summary) {
    heading("NAME");
    line(plain(name) + " \\- " + plain(summary));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  size_t under_heading_ = 0;  // where the text below the last heading begins
};

std::string value_text(const option_form& o) {
  if (o.value.empty()) return "";
  return o.joined ? bold("=") + italic(o.value) : " " + italic(o.value);
}

std::string tag_of(const option_form& o) {
  if (o.positional) return italic(o.names.front());
  std::string tag;
  for (const std::string& n : o.names) tag += (tag.empty() ? "" : ", ") + bold(n);
  return tag + value_text(o);
}

std::string help_of(const option_form& o) {
  std::string text = sentence(o.help);
  if (o.positional && !o.value.empty()) text += fmt::format(" Given as {}.", o.value);
  if (!o.choices.empty()) text += fmt::format(" One of {}.", fmt::join(o.choices, ", "));
  if (!o.range.empty()) text += fmt::format(" Range: {}.", o.range);
  if (!o.default_text.empty()) text += fmt::format(" Default: {}.", o.default_text);
  if (o.repeated && !o.positional) text += " May be repeated.";
  return text;
}

void synopsis(page& p, const command_form& c, bool has_commands) {
  p.heading("SYNOPSIS");
  for (const auto& [use, makes] : c.uses) {
    if (&use != &c.uses.front().first) p.line(".br");
    p.line(bold(use.substr(0, use.find(' '))) + plain(use.substr(std::min(use.find(' '), use.size()))));
  }
  if (!c.uses.empty()) return;
  std::string line = bold(c.full_name()) + " [" + italic("options") + "]";
  if (has_commands) line += " " + italic("command") + " ...";
  for (const option_form& o : c.options) {
    if (!o.positional) continue;
    const std::string word = italic(o.names.front()) + (o.repeated ? " ..." : "");
    line += o.required ? " " + word : " [" + word + "]";
  }
  p.line(line);
}

std::string command_page(const command_form& c, const std::vector<command_form>& all, const page_heading& h) {
  page p(c.page(), 1, h);
  std::string summary = c.summary;
  p.name(c.page(), summary);
  std::vector<const command_form*> below;
  if (c.name.empty())
    for (const command_form& other : all)
      if (other.program == c.program && !other.name.empty()) below.push_back(&other);
  synopsis(p, c, !below.empty());
  p.heading("DESCRIPTION");
  p.line(plain(sentence(summary)));
  for (const auto& [use, makes] : c.uses) p.item(bold(use), sentence(makes));
  if (!below.empty()) {
    p.heading("COMMANDS");
    for (const command_form* b : below) p.item(fmt::format("{}(1)", bold(b->page())), sentence(b->summary));
  }
  p.heading("OPTIONS");
  for (const bool positional : {true, false})
    for (const option_form& o : c.options)
      if (o.positional == positional) p.item(tag_of(o), help_of(o));
  if (!c.remarks.empty()) {
    p.heading("NOTES");
    for (const std::string& r : c.remarks) p.paragraph(r);
  }
  p.heading("EXIT STATUS");
  p.item("0", "Done, and as expected.");
  p.item("1", "The program or the check failed.");
  p.item("2", "Bad input: a file, a key, an option; an output that cannot be written.");
  if (c.program == "pwsvp") p.item("128 + N", "Stopped by signal N.");
  p.heading("ENVIRONMENT");
  for (const auto& [variable, meaning] : environment()) p.item(bold(variable), meaning);
  p.heading("SEE ALSO");
  std::string others;
  for (const command_form& other : all)
    if (other.name.empty() && other.program != c.page()) others += fmt::format("{}(1), ", bold(other.page()));
  for (const auto& [kind, name] : enumerators(file_kind{}))
    others += fmt::format("{}(5), ", bold(fmt::format("pwsvp-{}-file", name)));
  others.resize(others.size() - 2);
  p.line(others);
  return p.text();
}

std::string written(std::string path) {
  for (size_t star = path.find('*'); star != std::string::npos; star = path.find('*')) path.replace(star, 1, "NAME");
  return path;
}

std::string facts_of(const field& f) {
  std::string text = f.type_text();
  if (!f.unit.empty()) text += "; unit: " + f.unit;
  if (const std::string range = f.range_text(); !range.empty()) text += "; range: " + range;
  if (f.required)
    text += "; required";
  else if (!f.default_text.empty())
    text += "; default: " + f.default_text;
  return text + ".";
}

std::string file_page(file_kind kind, const page_heading& h) {
  const std::string name = name_of(kind);
  page p("pwsvp-" + name + "-file", 5, h);
  p.name("pwsvp-" + name + "-file", purpose_of(kind));
  p.heading("DESCRIPTION");
  p.line(plain(
      "A YAML file with the keys below; a dot stands for a mapping within a mapping. NAME is an element of a list, "
      "or a name of your own. Unknown keys and values out of range are errors that name their place; pwsvp check "
      "finds them without running anything."));
  p.paragraph(
      "Integers may be hexadecimal (0x40) or end in Ki, Mi, Gi. File names are relative to the file that they stand "
      "in.");
  const bool has_machine = has_machine_below(kind);
  if (has_machine) p.paragraph("The keys below machine are those of pwsvp-machine-file(5).");
  p.heading("KEYS");
  for (const field& f : file_fields(kind)) {
    if (has_machine && f.path.compare(0, 8, "machine.") == 0 && f.path != "machine.base") continue;
    p.line(".TP");
    p.line(bold(written(f.path)));
    if (!f.help.empty()) p.line(plain(sentence(f.help)));
    p.line(plain(facts_of(f)));
  }
  p.heading("SEE ALSO");
  std::string others = "\\fBpwsvp\\fR(1), \\fBpwsvp\\-params\\fR(1)";
  for (const auto& [other, other_name] : enumerators(file_kind{}))
    if (other != kind) others += fmt::format(", {}(5)", bold(fmt::format("pwsvp-{}-file", other_name)));
  p.line(others);
  return p.text();
}

}  // namespace

std::map<std::string, std::string> manual_pages(const std::vector<command_form>& commands, const page_heading& h) {
  std::map<std::string, std::string> pages;
  for (const command_form& c : commands) pages[c.page() + ".1"] = command_page(c, commands, h);
  for (const auto& [kind, name] : enumerators(file_kind{}))
    pages[fmt::format("pwsvp-{}-file.5", name)] = file_page(kind, h);
  return pages;
}

}  // namespace pws::platform
