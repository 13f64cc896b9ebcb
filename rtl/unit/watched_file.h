// SPDX-License-Identifier: Apache-2.0
// The file of the unit's waveform.
#pragma once

#include <verilated_vcd_c.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/waveform/vcd_to_fst.h"

namespace pws::rtl {

// What Verilator writes, as VCD or turned into FST. Where its own file cannot write, it waits for itself for ever: it
// prints the error, for which all files are flushed, this one too. Here the first error is kept and the rest of the
// waveform dropped.
class watched_file : public VerilatedVcdFile {
 public:
  bool open(const std::string& name) override {
    if (!is_fst(name)) return VerilatedVcdFile::open(name);
    noting([&] { fst_ = std::make_unique<vcd_to_fst>(name); });
    return error_.empty();
  }
  void close() override {
    if (fst_ == nullptr) return VerilatedVcdFile::close();
    noting([&] { fst_->close(); });
    fst_ = nullptr;
  }
  ssize_t write(const char* bytes, ssize_t length) override {
    if (!error_.empty()) return length;
    if (fst_ != nullptr) {
      noting([&] { fst_->write({bytes, static_cast<size_t>(length)}); });
      return length;
    }
    const ssize_t written = VerilatedVcdFile::write(bytes, length);
    if (written >= 0 || errno == EAGAIN || errno == EINTR) return written;
    error_ = std::strerror(errno);
    return length;
  }
  const std::string& error() const { return error_; }

 private:
  template <class F>
  void noting(F&& f) {
    try {
      f();
    } catch (const std::runtime_error& e) {
      if (error_.empty()) error_ = e.what();
    }
  }
  std::unique_ptr<vcd_to_fst> fst_;
  std::string error_;
};

}  // namespace pws::rtl
