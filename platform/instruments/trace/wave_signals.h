// SPDX-License-Identifier: Apache-2.0
// The signals of a waveform: their names, and where their values are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pws::platform {

class wave_signals {
 public:
  // One of them.
  struct signal {
    std::string name;  // with its scopes: gpu.cu0.simd1.wf3.pc
    unsigned bits = 0;
    std::variant<const bool*, const unsigned*, const uint64_t*> at;
    const std::vector<std::string>* names = nullptr;  // of its values, from 0 on; null: they are numbers
    uint64_t value() const {
      return std::visit([](const auto* p) { return static_cast<uint64_t>(*p); }, at);
    }
  };
  // `depth`: signals in more scopes than that, the outermost one aside, are left out; 0: none are.
  explicit wave_signals(unsigned depth = 0) : depth_(depth) {}

  // `value` stays where it is as long as the waveform is written.
  void add(const bool& value, const std::string& name) { put({name, 1, &value}); }
  // A count, or the number of an enumerator.
  void add(const unsigned& value, const std::string& name) { put({name, 32, &value}); }
  // An address or a mask, of which so many bits are shown.
  void add(const uint64_t& value, const std::string& name, unsigned bits = 64) { put({name, bits, &value}); }
  // `names` likewise.
  void add(const unsigned& value, const std::string& name, const std::vector<std::string>& names) {
    put({name, 32, &value, &names});
  }
  const std::vector<signal>& list() const { return list_; }

 private:
  // gpu.cu0.simd1.wf3.pc is three scopes below the outermost one.
  void put(signal s) {
    const auto dots = std::count(s.name.begin(), s.name.end(), '.');
    if (depth_ == 0 || dots == 0 || static_cast<unsigned>(dots - 1) <= depth_) list_.push_back(std::move(s));
  }
  unsigned depth_;
  std::vector<signal> list_;
};

}  // namespace pws::platform
