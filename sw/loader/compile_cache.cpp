// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/compile_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
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

}  // namespace

namespace {

constexpr uint64_t prime_1 = 0x9e3779b185ebca87, prime_2 = 0xc2b2ae3d27d4eb4f, prime_3 = 0x165667b19e3779f9,
                   prime_4 = 0x85ebca77c2b2ae63, prime_5 = 0x27d4eb2f165667c5;

constexpr uint64_t rotated(uint64_t x, int by) {
  return (x << by) | (x >> (64 - by));
}
constexpr uint64_t round_of(uint64_t lane, uint64_t word) {
  return rotated(lane + word * prime_2, 31) * prime_1;
}
template <class T>
uint64_t next(const uint8_t*& at) {
  T word;
  std::memcpy(&word, at, sizeof word);
  at += sizeof word;
  return word;
}

}  // namespace

uint64_t content_hash(const void* data, size_t bytes, uint64_t seed) {
  const auto* at = static_cast<const uint8_t*>(data);
  const uint8_t* const end = at + bytes;
  uint64_t hash = seed + prime_5;
  if (bytes >= 32) {
    std::array<uint64_t, 4> lanes{seed + prime_1 + prime_2, seed + prime_2, seed, seed - prime_1};
    while (end - at >= 32)
      for (uint64_t& lane : lanes) lane = round_of(lane, next<uint64_t>(at));
    hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
    for (const uint64_t lane : lanes) hash = (hash ^ round_of(0, lane)) * prime_1 + prime_4;
  }
  hash += bytes;
  while (end - at >= 8) hash = rotated(hash ^ round_of(0, next<uint64_t>(at)), 27) * prime_1 + prime_4;
  if (end - at >= 4) hash = rotated(hash ^ (next<uint32_t>(at) * prime_1), 23) * prime_2 + prime_3;
  while (at != end) hash = rotated(hash ^ (next<uint8_t>(at) * prime_5), 11) * prime_1;
  hash = (hash ^ (hash >> 33)) * prime_2;
  hash = (hash ^ (hash >> 29)) * prime_3;
  return hash ^ (hash >> 32);
}

std::vector<fs::path> read_depfile(const std::string& text) {
  std::vector<fs::path> out;
  size_t at = text.find(": ");
  if (at == std::string::npos) return out;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) out.push_back(fs::absolute(word));
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
      const auto contents = read_if_there(dependency.at("path").get<std::string>());
      if (!contents || hash_text(*contents) != dependency.at("hash").get<std::string>()) return std::nullopt;
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
    const auto contents = read_if_there(path);
    if (!contents) return true;  // removed since it was compiled: nothing to remember
    entry["dependencies"].push_back({{"path", path.string()}, {"hash", hash_text(*contents)}});
  }
  // Messages and paths may hold bytes that are no UTF-8.
  const std::string manifest = entry.dump(1, ' ', false, json::error_handler_t::replace);
  return write_by_rename(directory_ / (key + ".hsaco"), result.code_object.data(), result.code_object.size()) &&
         write_by_rename(directory_ / (key + ".json"), manifest.data(), manifest.size());
}

}  // namespace pws::loader
