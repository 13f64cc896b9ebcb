// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/child_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "base/error.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace {

enum : int { exit_done = 0, exit_input_error = 2 };

static_assert(std::is_trivially_copyable_v<run_numbers>);

void send(const message_sink& sink, const void* data, size_t bytes) {
  const uint64_t length = bytes;
  sink(&length, sizeof length);
  sink(data, bytes);
}

// Takes apart what the child sent, piece by piece.
class message_reader {
 public:
  explicit message_reader(const std::vector<uint8_t>& m) : m_(m) {}
  std::vector<uint8_t> next() {
    uint64_t length = 0;
    take(&length, sizeof length);
    std::vector<uint8_t> piece(length);
    take(piece.data(), piece.size());
    return piece;
  }
  std::string next_text() {
    const std::vector<uint8_t> piece = next();
    return {piece.begin(), piece.end()};
  }

 private:
  void take(void* to, size_t bytes) {
    if (bytes > m_.size() - at_) throw std::runtime_error("a child's message is cut off");
    if (bytes != 0) std::memcpy(to, m_.data() + at_, bytes);
    at_ += bytes;
  }
  const std::vector<uint8_t>& m_;
  size_t at_ = 0;
};

run_numbers numbers_of(const platform::run_report& r) {
  return {r.totals, r.completed, r.cycles};
}

int run_and_send(platform::kernel_run& run, const platform::session_options& outputs, const message_sink& sink) {
  try {
    const platform::run_report r = platform::execute(run, outputs);
    if (!outputs.files.of("report").empty()) platform::write_json(outputs.files.of("report"), r);
    const run_numbers n = numbers_of(r);
    send(sink, &n, sizeof n);
    send(sink, r.error.data(), r.error.size());
    const std::string json = platform::run_part().json(r).dump();
    send(sink, json.data(), json.size());
    for (const platform::launch_argument& a : run.arguments) send(sink, a.bytes.data(), a.bytes.size());
    return exit_done;
  } catch (const input_error& e) {
    send(sink, e.what(), std::strlen(e.what()));
    return exit_input_error;
  }
}

bool has_warning(const std::string& log) {
  return log.find("Warning:") != std::string::npos || log.find("Error:") != std::string::npos;
}

}  // namespace

const loader::program_image& program_of(const std::string& source) {
  static std::map<std::string, loader::program_image> programs;
  const auto known = programs.find(source);
  if (known != programs.end()) return known->second;
  loader::load_options options;
  options.compile.cache_dir = PWS_TEST_CACHE;
  return programs.emplace(source, loader::load_program(std::string(PWS_SOURCE_DIR "/") + source, options))
      .first->second;
}

platform::kernel_run launch_of(const reference::kernel_case& c, const models::machine_config& machine) {
  platform::kernel_run run;
  run.machine = machine;
  run.program = &program_of(c.source);
  run.launches.front().kernel = c.kernel;
  run.launches.front().shape.grid = c.grid;
  run.launches.front().shape.workgroup = c.workgroup;
  run.launches.front().shape.dynamic_lds = c.dynamic_lds;
  for (const reference::kernel_case::arg& a : c.args) run.arguments.push_back({a.name, a.is_buffer, a.bytes});
  return run;
}

child_report run_in_child(platform::kernel_run run, const platform::session_options& outputs, unsigned seconds) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const child_result child =
      in_child([&](const message_sink& sink) { return run_and_send(run, outputs, sink); }, seconds);
  const std::string what = "run of " + run.launches.front().kernel;
  message_reader message(child.message);
  if (WIFEXITED(child.status) && WEXITSTATUS(child.status) == exit_input_error) throw input_error(message.next_text());
  if (child.status != 0) throw std::runtime_error(what + ": " + describe_status(child.status) + "\n" + child.log);
  if (has_warning(child.log)) throw std::runtime_error(what + " printed a warning:\n" + child.log);
  child_report r;
  const std::vector<uint8_t> numbers = message.next();
  if (numbers.size() != sizeof(run_numbers)) throw std::runtime_error(what + ": the report has a wrong size");
  std::memcpy(static_cast<run_numbers*>(&r), numbers.data(), numbers.size());
  r.error = message.next_text();
  r.report = message.next_text();
  for (size_t k = 0; k < run.arguments.size(); ++k) r.arguments.push_back(message.next());
  return r;
}

nlohmann::ordered_json child_report::json() const {
  return nlohmann::ordered_json::parse(report);
}

temporary_file::temporary_file(const std::string& suffix) {
  static int serial = 0;
  path_ = fmt::format("{}pws_integration_{}_{}{}", testing::TempDir(), getpid(), serial++, suffix);
}

temporary_file::~temporary_file() {
  std::remove(path_.c_str());
}

std::string temporary_file::contents() const {
  std::ifstream in(path_, std::ios::binary);
  if (!in) throw std::runtime_error(path_ + " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string memory_difference(const reference::kernel_case& c, const child_report& r) {
  for (size_t k = 0; k < c.args.size(); ++k) {
    const reference::kernel_case::arg& a = c.args[k];
    if (!a.is_buffer) continue;
    const std::vector<uint8_t>& actual = r.arguments.at(k);
    if (actual.size() != a.expected.size()) return a.name + ": its size has changed";
    if (actual == a.expected) continue;
    size_t at = 0;
    while (actual[at] == a.expected[at]) ++at;
    return fmt::format("{}: byte {} is {:#04x}, expected {:#04x}", a.name, at, actual[at], a.expected[at]);
  }
  return "";
}

}  // namespace pws::test
