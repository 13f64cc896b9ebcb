// SPDX-License-Identifier: Apache-2.0
// The state of a machine as bytes. A part says once what its state is, in a function keep(state_archive&), and that
// function both saves and restores: what is saved and what is restored cannot differ.
//
//   void keep(state_archive& a) {
//     a.section("tags");
//     a(use_, emptied_);
//     a.list(entries_, [](state_archive& b, entry& e) { b(e.line, e.dirty); });
//   }
//
// Numbers are as the processor has them (little-endian). A section's name is in the bytes, so that state of another
// kind, or of another version of the program, is found where it begins.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace pws {

// State that cannot be restored: it is damaged, or of something else.
class bad_state : public input_error {
 public:
  using input_error::input_error;
};

class state_archive {
 public:
  // Saves.
  state_archive() = default;
  // Restores what has been saved so; the bytes must outlive it.
  state_archive(const uint8_t* saved, size_t bytes) : at_(saved), left_(bytes), restores_(true) {}

  bool restores() const { return restores_; }  // else it saves
  // What has been saved.
  const std::vector<uint8_t>& saved() const { return saved_; }
  // Everything has been restored. Throws bad_state: there is more.
  void end() const {
    if (left_ != 0) throw bad_state("it has " + std::to_string(left_) + " bytes too many");
  }

  // Numbers, enumerators, and structures of them without gaps.
  template <class... T>
  void operator()(T&... values) {
    (value(values), ...);
  }
  // What both sides know. Throws bad_state where it is not what was saved; `what` says what that is about.
  template <class T>
  void same(const T& known, const char* what) {
    T saved = known;
    value(saved);
    if (saved != known) throw bad_state(std::string("it is of another ") + what);
  }
  // Begins a part. Throws bad_state where another one begins.
  void section(const char* name) {
    std::string found = name;
    value(found);
    if (found != name) throw bad_state("\"" + std::string(name) + "\" is expected, and it has something else");
  }
  // Numbers side by side.
  template <class T>
  void bytes(T* data, size_t count) {
    static_assert(is_plain<T>);
    raw(data, count * sizeof(T));
  }
  // A container that can be resized: calls keep(archive, element) with each element.
  template <class C, class F>
  void list(C& elements, F keep) {
    uint64_t n = elements.size();
    value(n);
    if (restores_) {
      require(n);
      elements.clear();
      elements.resize(n);
    }
    for (auto&& e : elements) keep(*this, e);
  }
  // The same of numbers.
  template <class C>
  void list(C& numbers) {
    list(numbers, [](state_archive& a, auto& n) { a.value(n); });
  }
  // Text.
  void value(std::string& text) {
    uint64_t n = text.size();
    value(n);
    if (restores_) {
      require(n);
      text.assign(n, '\0');
    }
    raw(text.data(), n);
  }
  // True or false.
  void value(bool& b) {
    uint8_t byte = b ? 1 : 0;
    raw(&byte, 1);
    if (byte > 1) throw bad_state("a byte of it is neither true nor false");
    b = byte == 1;
  }
  // An element of a vector of these.
  void value(std::vector<bool>::reference b) {
    bool copy = b;
    value(copy);
    b = copy;
  }
  // A number, an enumerator, or a structure of them without gaps.
  template <class T>
  void value(T& number) {
    static_assert(is_plain<T>, "say what of it is to be kept");
    raw(&number, sizeof number);
  }
  // A number below `limit`, as the index of something. Throws bad_state.
  template <class T>
  void index(T& number, uint64_t limit) {
    value(number);
    if (restores_ && static_cast<uint64_t>(number) >= limit)
      throw bad_state("a number of it is " + std::to_string(static_cast<uint64_t>(number)) + ", and has to be below " +
                      std::to_string(limit));
  }

 private:
  template <class T>
  static constexpr bool is_plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                                   (std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
  void require(uint64_t bytes) const {
    if (bytes > left_) throw bad_state("it ends too early");
  }
  void raw(void* data, size_t bytes) {
    if (bytes == 0) return;
    if (!restores_) {
      const auto* const from = static_cast<const uint8_t*>(data);
      saved_.insert(saved_.end(), from, from + bytes);
      return;
    }
    require(bytes);
    std::memcpy(data, at_, bytes);
    at_ += bytes;
    left_ -= bytes;
  }

  std::vector<uint8_t> saved_;
  const uint8_t* at_ = nullptr;
  uint64_t left_ = 0;
  const bool restores_ = false;
};

}  // namespace pws
