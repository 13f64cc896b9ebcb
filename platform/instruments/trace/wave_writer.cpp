// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/trace/wave_writer.h"

#include <cerrno>
#include <fstream>
#include <systemc>
#include <vector>

#include "base/error.h"
#include "base/output/output_files.h"
#include "base/waveform/fst_file.h"

namespace pws::platform {

namespace {

// SystemC's own writer looks at the signals itself, at the end of each time step.
class vcd_writer : public wave_writer {
 public:
  vcd_writer(const std::string& path, const wave_signals& signals)
      : path_(path), file_(sc_core::sc_create_vcd_trace_file(path.substr(0, path.size() - 4).c_str())) {
    file_->set_time_unit(1, sc_core::SC_PS);
    for (const wave_signals::signal& s : signals.list()) trace(s);
  }
  ~vcd_writer() override {
    if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
  }

  void sample(uint64_t) override {}
  void note(const std::string& text) override { sc_core::sc_write_comment(file_, text); }
  // SystemC does not say whether it could write. The time at which the waveform ends comes behind the rest: where that
  // was lost, on a full disk, there is no place for this either.
  void close(uint64_t ps) override {
    sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
    errno = 0;
    std::ofstream out(path_, std::ios::app);
    out << '#' << ps << '\n';
    close_output({"--vcd", path_}, out);
  }

 private:
  void trace(const wave_signals::signal& s) {
    if (const auto* b = std::get_if<const bool*>(&s.at)) sc_core::sc_trace(file_, **b, s.name);
    if (const auto* u = std::get_if<const unsigned*>(&s.at)) sc_core::sc_trace(file_, **u, s.name);
    if (const auto* w = std::get_if<const uint64_t*>(&s.at))
      sc_core::sc_trace(file_, **w, s.name, static_cast<int>(s.bits));
  }

  const std::string path_;
  sc_core::sc_trace_file* file_;
};

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

class fst_writer : public wave_writer {
 public:
  fst_writer(const std::string& path, const wave_signals& signals) : file_(path) { declare(tree_of(signals), {}); }

  void sample(uint64_t ps) override {
    bool timed = false;
    for (shown& s : shown_) {
      const uint64_t now = s.of->value();
      if (begun_ && now == s.last) continue;
      if (!timed) file_.set_time(ps);
      timed = true;
      s.last = now;
      file_.change(s.signal, now, s.of->bits);
    }
    begun_ = true;
    if (note_.empty()) return;
    if (!timed) file_.set_time(ps);
    file_.change_text(text_, note_);
    note_.clear();
  }
  void note(const std::string& text) override { note_ = text; }
  void close(uint64_t ps) override {
    file_.set_time(ps);
    try {
      file_.close();
    } catch (const std::runtime_error& e) {
      throw input_error(std::string("--vcd ") + e.what());
    }
  }

 private:
  struct shown {
    const wave_signals::signal* of = nullptr;
    fst_file::signal signal = 0;
    uint64_t last = 0;
  };
  struct scope {
    std::vector<std::pair<std::string, const wave_signals::signal*>> signals;
    std::vector<std::pair<std::string, scope>> inner;  // in the order in which they were named
    scope& of(const std::string& name) {
      for (auto& [n, s] : inner)
        if (n == name) return s;
      return inner.emplace_back(name, scope()).second;
    }
  };

  static scope tree_of(const wave_signals& signals) {
    scope top;
    for (const wave_signals::signal& s : signals.list()) {
      const std::vector<std::string> words = words_of(s.name);
      scope* in = &top;
      for (size_t k = 0; k + 1 < words.size(); ++k) in = &in->of(words[k]);
      in->signals.emplace_back(words.back(), &s);
    }
    return top;
  }
  // What launches are: gpu.dispatcher has a signal for it.
  void declare(const scope& s, const std::string& name) {
    for (const auto& [n, of] : s.signals) {
      if (of->names != nullptr) file_.name_values_of_next(n, *of->names, of->bits);
      shown_.push_back({of, file_.declare(n, of->bits)});
    }
    if (name == "dispatcher") text_ = file_.declare_text("launched");
    for (const auto& [n, inner] : s.inner) {
      file_.enter_scope(n);
      declare(inner, n);
      file_.leave_scope();
    }
  }

  fst_file file_;
  std::vector<shown> shown_;
  fst_file::signal text_ = 0;
  std::string note_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<wave_writer> make_wave_writer(const std::string& path, const wave_signals& signals) {
  const std::string extension = ".vcd";
  const bool is_vcd =
      path.size() > extension.size() && path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
  if (!is_vcd && !is_fst(path)) throw input_error("--vcd " + path + ": the file's name must end in .vcd or .fst");
  prepare_outputs({{"--vcd", path}});
  if (is_vcd) return std::make_unique<vcd_writer>(path, signals);
  try {
    return std::make_unique<fst_writer>(path, signals);
  } catch (const std::runtime_error& e) {
    throw input_error(std::string("--vcd ") + e.what());
  }
}

}  // namespace pws::platform
