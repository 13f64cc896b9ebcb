// SPDX-License-Identifier: Apache-2.0
// The configuration reader on arbitrary text. Input: one byte that chooses run or machine, then the YAML file. What
// comes out is a checked configuration or a config_error; memory and time are libFuzzer's limits (run.sh).
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/config/files/run_config.h"
#include "platform/config/machine_loader.h"
#include "tests/fuzz/libfuzzer/require.h"

namespace {

namespace fs = std::filesystem;
using namespace pws;
using fuzz::require;

// A folder of its own with the file names that the seeds use, so that programs and inputs "exist".
const fs::path& folder() {
  static const fs::path made = [] {
    std::string name = (fs::temp_directory_path() / "pws-config-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a temporary folder can be made", name);
    for (const char* file : {"k.hip", "code.hsaco", "ten_bytes.bin"})
      std::ofstream(fs::path(name) / file) << "0123456789";
    static const std::string kept = name;
    std::atexit([] {
      std::error_code ignored;
      fs::remove_all(kept, ignored);
    });
    return fs::path(name);
  }();
  return made;
}

void check_run(const platform::run_config& run) {
  require(!run.launches.empty(), "a run has a launch", run.file);
  for (const platform::run_launch& l : run.launches) {
    require(!l.kernel.empty(), "a launch names its kernel", run.file);
    const auto& w = l.shape.workgroup;
    require(w[0] >= 1 && w[1] >= 1 && w[2] >= 1 && uint64_t{w[0]} * w[1] * w[2] <= 1024, "a workgroup fits", run.file);
    for (const size_t k : l.of(run.arguments.size()))
      require(k < run.arguments.size(), "a launch's argument is one of the run's", run.file);
  }
  for (const platform::expect_config& e : run.expect) {
    require(e.argument < run.arguments.size(), "an expectation is of an argument", run.file);
    const platform::buffer_argument* buffer = run.arguments[e.argument].buffer();
    require(buffer != nullptr, "an expectation is of a buffer", run.file);
    require(e.first <= buffer->count && e.count <= buffer->count - e.first, "an expectation is inside its buffer",
            run.file);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string file = (folder() / "f.yaml").string();
  {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
    require(out.good(), "the input can be written", file);
  }
  try {
    if (data[0] % 2 == 0)
      check_run(platform::load_run(file));
    else
      platform::load_machine(file);
  } catch (const platform::config_error& e) {
    require(!e.issues().empty(), "an error has an issue", "");
  }
  return 0;
}
