// SPDX-License-Identifier: Apache-2.0
#include "platform/run/checkpoint/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/output/output_files.h"
#include "base/read_whole.h"
#include "base/sha256.h"

namespace pws::platform {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view magic = "pwsvp checkpoint ";
constexpr std::string_view version = "1";
constexpr size_t digest_size = 64;
constexpr size_t most_differences = 8;

std::string digest_of(std::string_view bytes) {
  return sha256(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

// The line at the beginning of `rest`, which is taken off. False: it has no end.
bool take_line(std::string_view& rest, std::string_view& line) {
  const size_t end = rest.find('\n');
  if (end == std::string_view::npos) return false;
  line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return true;
}

}  // namespace

void write_checkpoint(const std::string& path, const checkpoint_contents& c) {
  ordered_json head;
  head["at"] = c.at.text();
  for (const auto& [name, value] : c.of) head["of"][name] = value;
  std::string text = fmt::format("{}{}\n{}\n", magic, version, head.dump());
  text.append(reinterpret_cast<const char*>(c.state.data()), c.state.size());
  text += digest_of(text);
  write_output({"--checkpoint", path}, text);
}

checkpoint_contents read_checkpoint(const std::string& path) {
  const auto fail = [&path](const std::string& why) { throw input_error(fmt::format("--restore {}: {}", path, why)); };
  std::string text;
  if (const int error = read_whole(path, text); error != 0)
    fail(std::string("cannot be read: ") + std::strerror(error));
  std::string_view rest = text, line;
  if (rest.substr(0, magic.size()) != magic) fail("is no checkpoint of pwsvp");
  rest.remove_prefix(magic.size());
  if (!take_line(rest, line)) fail("is damaged: it ends too early");
  if (line != version)
    fail(fmt::format("has version {} of the format, and this pwsvp reads version {}", line.substr(0, 20), version));
  if (rest.size() < digest_size) fail("is damaged: it ends too early");
  const std::string_view all = std::string_view(text).substr(0, text.size() - digest_size);
  if (std::string_view(text).substr(all.size()) != digest_of(all))
    fail("is damaged: its checksum is not that of its contents");
  rest.remove_suffix(digest_size);
  checkpoint_contents c;
  try {
    if (!take_line(rest, line)) fail("has no description");
    const ordered_json head = ordered_json::parse(line);
    c.at = checkpoint_place_in(head.at("at").get<std::string>());
    for (const auto& [name, value] : head.at("of").items()) c.of.emplace_back(name, value.get<std::string>());
  } catch (const nlohmann::json::exception& e) {
    fail(std::string("has a description that is none: ") + e.what());
  }
  c.state.assign(rest.begin(), rest.end());
  return c;
}

void require_same(const std::string& path, const run_identity& saved, const run_identity& here) {
  const std::map<std::string, std::string> of(here.begin(), here.end());
  std::vector<std::string> differences;
  for (const auto& [name, value] : saved) {
    const auto found = of.find(name);
    if (found == of.end())
      differences.push_back(fmt::format("{}: it was {}, and is not there", name, value));
    else if (found->second != value)
      differences.push_back(fmt::format("{}: it was {}, and is {}", name, value, found->second));
  }
  const std::map<std::string, std::string> before(saved.begin(), saved.end());
  for (const auto& [name, value] : here)
    if (before.count(name) == 0) differences.push_back(fmt::format("{}: it was not there, and is {}", name, value));
  if (differences.empty()) return;
  std::string text = fmt::format("--restore {}: it is of another run", path);
  for (size_t k = 0; k < std::min(differences.size(), most_differences); ++k) text += "\n  " + differences[k];
  if (differences.size() > most_differences)
    text += fmt::format("\n  and {} more", differences.size() - most_differences);
  throw input_error(text);
}

}  // namespace pws::platform
