// SPDX-License-Identifier: Apache-2.0
// Waveforms in FST, the compressed format of GTKWave, written with the library that GTKWave and Verilator use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws {

// Signals are declared first, scope by scope; then changes come in the order of time.
class fst_file {
 public:
  using signal = uint32_t;
  // Time counts picoseconds. Throws std::runtime_error if the file cannot be written.
  explicit fst_file(const std::string& path);
  ~fst_file();  // closes it, in silence
  fst_file(const fst_file&) = delete;
  fst_file& operator=(const fst_file&) = delete;

  // What is declared from now on is in that scope, inside of the one before.
  void enter_scope(const std::string& name);
  // ... and again in the one around it.
  void leave_scope();
  // In the scope that has been entered last.
  signal declare(const std::string& name, unsigned bits);
  signal declare_again(const std::string& name, unsigned bits, signal as);  // another name of that one
  signal declare_text(const std::string& name);                             // its values are words
  // What values of the signals that are declared next are called: of number k, names[k].
  void name_values_of_next(const std::string& enumeration, const std::vector<std::string>& names, unsigned bits);

  // When the changes that follow are; it does not go back.
  void set_time(uint64_t ps);
  // Its value as a number, of so many bits.
  void change(signal s, uint64_t value, unsigned bits);
  void change(signal s, const std::string& digits);  // 0, 1, x and z, as many as it has bits
  // For a signal that is text.
  void change_text(signal s, const std::string& value);

  // Throws std::runtime_error if not all of it could be written: it is read again for that.
  void close();

 private:
  void* writer_;
  std::string path_;
  std::string digits_;  // of one value
  uint64_t time_ = 0;
  unsigned bits_of_first_ = 0;  // of the first signal; 0: there is none
  bool changed_ = false;        // anything has
};

// "waveform.fst": its name says which format a waveform is to have.
bool is_fst(const std::string& path);

}  // namespace pws
