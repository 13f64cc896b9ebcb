// SPDX-License-Identifier: Apache-2.0
#include "base/waveform/vcd_to_fst.h"

#include <charconv>
#include <stdexcept>

namespace pws {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

uint64_t number_of(std::string_view digits, const char* what) {
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw std::runtime_error("VCD: " + std::string(digits) + " is no " + what);
  return n;
}

// Identifiers are numbers of the printable characters, the lowest digit first.
size_t index_of(std::string_view identifier) {
  constexpr char first = '!', last = '~';
  constexpr size_t digits = last - first + 1, most = size_t{1} << 26;
  size_t n = 0;
  for (size_t k = identifier.size(); k-- > 0;) {
    if (identifier[k] < first || identifier[k] > last || n > most)
      throw std::runtime_error("VCD: " + std::string(identifier) + " is no identifier");
    n = n * digits + static_cast<size_t>(identifier[k] - first) + 1;
  }
  if (n > most) throw std::runtime_error("VCD: too many variables");
  return n;
}

}  // namespace

void vcd_to_fst::write(std::string_view text) {
  size_t begin = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    if (!is_space(text[k])) continue;
    if (!rest_.empty()) {
      rest_.append(text.substr(begin, k - begin));
      const std::string word = std::move(rest_);
      rest_.clear();
      take(word);
    } else if (k > begin) {
      take(text.substr(begin, k - begin));
    }
    begin = k + 1;
  }
  rest_.append(text.substr(begin));
}

void vcd_to_fst::take(std::string_view word) {
  if (!command_.empty()) {
    if (word != "$end") {
      if (command_.front() != "$comment" && command_.front() != "$date") command_.emplace_back(word);
      return;
    }
    const std::vector<std::string> command = std::move(command_);
    command_.clear();
    end_of(command);
    return;
  }
  if (!value_.empty()) {
    const std::string digits = std::move(value_);
    value_.clear();
    change(digits, word);
    return;
  }
  switch (word.front()) {
    case '$':
      // What stands between these and their $end are changes.
      if (word != "$dumpvars" && word != "$dumpall" && word != "$dumpon" && word != "$dumpoff" && word != "$end")
        command_ = {std::string(word)};
      return;
    case '#':
      file_.set_time(number_of(word.substr(1), "time"));
      return;
    case 'b':
    case 'B':
      value_ = word.substr(1);
      if (value_.empty()) throw std::runtime_error("VCD: a value without digits");
      return;
    case 'r':
    case 'R':
      throw std::runtime_error("VCD: real numbers are not known here");
    default:
      change(word.substr(0, 1), word.substr(1));
  }
}

void vcd_to_fst::end_of(const std::vector<std::string>& command) {
  const std::string& what = command.front();
  if (what == "$scope" && command.size() == 3) {
    file_.enter_scope(command[2]);
  } else if (what == "$upscope") {
    file_.leave_scope();
  } else if (what == "$var" && command.size() >= 5) {
    // $var wire 32 ! name [31:0]
    const auto bits = static_cast<unsigned>(number_of(command[2], "width"));
    const std::string name = command.size() > 5 ? command[4] + " " + command[5] : command[4];
    const size_t k = index_of(command[3]);
    if (variables_.size() <= k) variables_.resize(k + 1);
    if (bits == 0) throw std::runtime_error("VCD: " + name + " has no bits");
    variable& v = variables_[k];
    if (v.bits != 0 && v.bits != bits) throw std::runtime_error("VCD: " + name + " has two widths");
    v = {v.bits == 0 ? file_.declare(name, bits) : file_.declare_again(name, bits, v.signal), bits};
  } else if (what == "$timescale") {
    std::string unit;
    for (size_t k = 1; k < command.size(); ++k) unit += command[k];
    if (unit != "1ps") throw std::runtime_error("VCD: the time unit is " + unit + ", not 1ps");
  } else if (what == "$scope" || what == "$var") {
    throw std::runtime_error("VCD: " + what + " with " + std::to_string(command.size() - 1) + " words");
  }
}

vcd_to_fst::variable& vcd_to_fst::of(std::string_view identifier) {
  const size_t k = index_of(identifier);
  if (k >= variables_.size() || variables_[k].bits == 0)
    throw std::runtime_error("VCD: a change of " + std::string(identifier) + ", which is not declared");
  return variables_[k];
}

// Leading digits may be left out: zeros, or x and z where the first one is that.
void vcd_to_fst::change(std::string_view digits, std::string_view identifier) {
  const variable& v = of(identifier);
  if (digits.size() > v.bits) throw std::runtime_error("VCD: more digits than bits: " + std::string(digits));
  digits_.assign(v.bits - digits.size(), digits.front() == '1' ? '0' : digits.front());
  digits_ += digits;
  if (digits_.find_first_not_of("01xXzZ") != std::string::npos)
    throw std::runtime_error("VCD: " + std::string(digits) + " is no value");
  file_.change(v.signal, digits_);
}

void vcd_to_fst::close() {
  const bool whole = rest_.empty() && command_.empty() && value_.empty();
  file_.close();
  if (!whole) throw std::runtime_error("VCD: ends in the middle of something");
}

}  // namespace pws
