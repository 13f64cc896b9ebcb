// SPDX-License-Identifier: Apache-2.0
// Which call of the API a thread is in, and where in the program it comes from: for findings of checks, which name what
// the host has done. Nothing is kept where no check wants it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace pws::hip {

struct host_call {
  static constexpr size_t most_frames = 4;
  const char* name = nullptr;                // "hipMemcpy"; nullptr: none
  std::array<void*, most_frames> callers{};  // return addresses in the program, the innermost first

  // Where it comes from, as a number; the same for calls of one place.
  uint64_t place() const {
    return reinterpret_cast<uint64_t>(callers[0]) ^ (reinterpret_cast<uint64_t>(callers[1]) << 1);
  }
};

// While a thread is in a call. Calls within calls are the outer one.
class host_call_scope {
 public:
  host_call_scope(const char* name, bool wanted);
  ~host_call_scope();
  host_call_scope(const host_call_scope&) = delete;
  host_call_scope& operator=(const host_call_scope&) = delete;

 private:
  bool outermost_;
};

const host_call& current_call();

// "hipMemcpy at app.hip:31", or, where the program has no line tables, "hipMemcpy at app+0x1a3f"; "" of none.
std::string text(const host_call& c);

}  // namespace pws::hip
