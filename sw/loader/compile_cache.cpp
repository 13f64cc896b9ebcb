// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/compile_cache.h"

#include <fmt/format.h>
#include <unistd.h>
#define XXH_INLINE_ALL  // no library to link with
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/subprocess.h"

namespace pws::loader {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::optional<std::vector<uint8_t>> read_if_there(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const input_error&) {
    return std::nullopt;  // a dependency that has gone or an entry that was never made: simply not a hit
  }
}

std::string hash_text(const std::vector<uint8_t>& bytes) {
  return fmt::format("{:016x}-{}", content_hash(bytes.data(), bytes.size()), bytes.size());
}

}  // namespace

uint64_t content_hash(const void* data, size_t bytes, uint64_t seed) {
  return XXH64(data == nullptr ? "" : data, bytes, seed);  // an empty vector has no place, and XXH64 needs one
}

std::optional<std::string> hash_of_file(const fs::path& file) {
  const auto contents = read_if_there(file);
  return contents ? std::optional(hash_text(*contents)) : std::nullopt;
}

bool write_by_rename(const fs::path& path, const void* data, size_t bytes) {
  static std::atomic<unsigned> count{0};
  const fs::path part = fmt::format("{}.{}-{}.part", path.string(), getpid(), count++);
  std::ofstream file(part, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  file.close();
  std::error_code error;
  if (file) fs::rename(part, path, error);
  if (!file || error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return false;
  }
  return true;
}

fs::path working_folder(const std::vector<std::string>& command) {
  fs::path folder;
  constexpr std::string_view option = "-working-directory";
  for (size_t k = 0; k < command.size(); ++k) {
    if (command[k] == option && k + 1 < command.size()) folder = command[k + 1];
    if (command[k].rfind(std::string(option) + "=", 0) == 0) folder = command[k].substr(option.size() + 1);
  }
  return folder;
}

std::vector<fs::path> read_depfile(const std::string& text, const fs::path& folder) {
  std::vector<fs::path> out;
  size_t at = text.find(": ");
  if (at == std::string::npos) return out;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(fs::absolute(folder / word));
    word.clear();
  };
  for (at += 2; at < text.size(); ++at) {
    const char c = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\n';
    if (c == '\\' && next == '\n') {
      finish();
      ++at;
    } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (c == ' ' || c == '\n') {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  return out;
}

bool changed_since(const std::vector<fs::path>& files, fs::file_time_type start) {
  return std::any_of(files.begin(), files.end(), [&](const fs::path& f) {
    std::error_code error;
    const auto time = fs::last_write_time(f, error);
    return error || time > start;
  });
}

fs::path compile_cache::default_directory() {
  if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "pws";
  if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "pws";
  return {};
}

std::optional<compile_result> compile_cache::find(const std::string& key) const {
  const auto manifest = read_if_there(directory_ / (key + ".json"));
  if (!manifest) return std::nullopt;
  const json entry = json::parse(*manifest, nullptr, false);
  try {
    for (const json& dependency : entry.at("dependencies")) {
      const auto hash = hash_of_file(dependency.at("path").get<std::string>());
      if (!hash || *hash != dependency.at("hash").get<std::string>()) return std::nullopt;
    }
    auto object = read_if_there(directory_ / (key + ".hsaco"));
    if (!object || hash_text(*object) != entry.at("hash").get<std::string>()) return std::nullopt;
    return compile_result{std::move(*object), entry.at("diagnostics").get<std::string>(), true,
                          entry.at("notes").get<std::string>()};
  } catch (const json::exception&) {
    return std::nullopt;  // a damaged entry is written anew
  }
}

bool compile_cache::store(const std::string& key, const compile_result& result,
                          const std::vector<fs::path>& dependencies) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return false;
  json entry;
  entry["hash"] = hash_text(result.code_object);
  entry["diagnostics"] = result.diagnostics;
  entry["notes"] = result.notes;
  entry["dependencies"] = json::array();
  for (const fs::path& path : dependencies) {
    const auto hash = hash_of_file(path);
    if (!hash) return true;  // removed since it was compiled: nothing to remember
    entry["dependencies"].push_back({{"path", path.string()}, {"hash", *hash}});
  }
  // Messages and paths may hold bytes that are no UTF-8.
  const std::string manifest = entry.dump(1, ' ', false, json::error_handler_t::replace);
  return write_by_rename(directory_ / (key + ".hsaco"), result.code_object.data(), result.code_object.size()) &&
         write_by_rename(directory_ / (key + ".json"), manifest.data(), manifest.size());
}

}  // namespace pws::loader
