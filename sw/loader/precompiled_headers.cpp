// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/precompiled_headers.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/compile_cache.h"

namespace pws::loader {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view hip_header = "hip/hip_runtime.h";

bool begins(std::string_view text, std::string_view what) {
  return text.substr(0, what.size()) == what;
}

// Behind white space and comments.
size_t next_token(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (begins(text.substr(at), "//")) {
      at = std::min(text.find('\n', at), text.size());
      if (text[at - 1] == '\\') return text.size();  // a comment of two lines: rare enough not to be understood
    } else if (begins(text.substr(at), "/*")) {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else {
      return at;
    }
  }
  return at;
}

// Headers of the C++ library have a name without an extension.
bool of_the_library(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
           c == '_';
  });
}

// Words that mean the same to both compilations, and to the headers by themselves.
bool is_plain(const std::vector<std::string>& given) {
  // -g is not among them: it names types of the headers in another order.
  static constexpr std::array some{"-D",
                                   "-U",
                                   "-O",
                                   "-std=",
                                   "-W",
                                   "-ffast-math",
                                   "-ffp-",
                                   "-fno-",
                                   "-fwrapv",
                                   "-funroll-loops",
                                   "-mcode-object-version="};
  static constexpr std::array whole{"-w", "-g0", "-gline-tables-only"};
  for (size_t k = 0; k < given.size(); ++k) {
    const std::string& word = given[k];
    if (word == "-mllvm") {  // of the code generator
      ++k;
      continue;
    }
    if (begins(word, "-I/")) continue;
    const bool known = std::find(whole.begin(), whole.end(), word) != whole.end() ||
                       std::any_of(some.begin(), some.end(), [&](const char* s) { return begins(word, s); });
    // -Wa, -Wp and -Wl hand words on; -D and -U alone take the next one.
    if (!known || word == "-D" || word == "-U" || word == "-Wsystem-headers" ||
        (begins(word, "-W") && word.find(',') != std::string::npos))
      return false;
  }
  return true;
}

// How a file, which may be missing, is recognised: clang asks for the same of what a header was compiled from.
json state_of(const fs::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return json::array({file.string()});
  return {file.string(), about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

bool all_as_they_were(const json& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const json& input) { return state_of(input.at(0).get<std::string>()) == input; });
}

// "" where there is no such file.
std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
bool write(const fs::path& file, const std::string& text) {
  return write_by_rename(file, text.data(), text.size());
}

// `note` is what make() has written. False too where one of them is missing.
bool is_undamaged(const fs::path& compiled, const fs::path& note) {
  std::ifstream in(note, std::ios::binary);
  const json entry = json::parse(in, nullptr, false);
  try {
    return all_as_they_were(entry.at("inputs")) && entry.at("hash").get<std::string>() == hash_of_file(compiled);
  } catch (const json::exception&) {
    return false;
  }
}

// Files of folders of the user's that would be read in place of HIP's headers, if they were there.
std::vector<fs::path> in_front_of(const std::vector<fs::path>& read, const std::vector<std::string>& given) {
  std::vector<fs::path> files;
  for (const std::string& word : given) {
    if (!begins(word, "-I")) continue;
    for (const fs::path& file : read) {
      const std::string name = file.string();
      const size_t hip = name.rfind("/hip/");
      files.push_back(word.substr(2) / (hip != std::string::npos ? fs::path(name.substr(hip + 1)) : file.filename()));
    }
  }
  return files;
}

std::vector<std::string> joined(std::initializer_list<const std::vector<std::string>*> parts) {
  std::vector<std::string> all;
  for (const auto* p : parts) all.insert(all.end(), p->begin(), p->end());
  return all;
}

}  // namespace

std::string leading_headers(const std::string& source) {
  const std::string_view text = source;
  std::string out;
  for (size_t at = next_token(text, 0); at < text.size(); at = next_token(text, at)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    constexpr std::string_view include = "#include <";
    const size_t end = line.find('>');
    if (!begins(line, include) || end == std::string_view::npos) return "";
    const std::string_view name = line.substr(include.size(), end - include.size()), behind = line.substr(end + 1);
    const size_t more = behind.find_first_not_of(" \t\r");
    if (more != std::string_view::npos && !begins(behind.substr(more), "//")) return "";
    if (!line.empty() && line.back() == '\\') return "";
    if (name != hip_header && !of_the_library(name)) return "";
    out += fmt::format("{}{}>\n", include, name);
    if (name == hip_header) return out;
    at += line.size();
  }
  return "";
}

struct precompiled_headers::files {
  fs::path text, compiled, note, once;
};

precompiled_headers::files precompiled_headers::files_for(const compilation& c, const std::string& headers) const {
  std::vector<std::string> parts = joined({&c.language, &c.given});
  parts.insert(parts.begin(), {compiler_.path().string(), headers});
  const std::string key = compiler_.cache_key("headers.h", parts);
  const auto file = [&](const char* extension) { return folder_ / (key + extension); };
  return {file(".h"), file(".pch"), file(".json"), file(".once")};
}

bool precompiled_headers::make(const files& f, const compilation& c, const std::string& headers,
                               const fs::path& temporary) const {
  static std::atomic<unsigned> count{0};
  const fs::path part = fmt::format("{}.{}-{}.part", f.compiled.string(), getpid(), count++);
  const fs::path rule = temporary / "headers.d";
  const auto start = fs::file_time_type::clock::now();
  std::error_code error;
  const auto fail = [&] {
    fs::remove(part, error);
    return false;
  };
  // Clang asks for its time too, so it is written once.
  if (text_of(f.text) != headers && !write(f.text, headers)) return false;
  std::vector<std::string> command = joined({&c.language, &c.given});
  command.insert(command.begin(), compiler_.path().string());
  command.insert(command.end(), {"--cuda-device-only", "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o",
                                 "-Xclang", part.string(), "-MD", "-MF", rule.string(), f.text.string()});
  if (run_process(command, temporary).exit_code != 0) return fail();
  std::vector<fs::path> read = read_depfile(read_text(rule));
  read.erase(std::remove(read.begin(), read.end(), f.text), read.end());
  if (read.empty() || changed_since(read, start)) return fail();
  json inputs = json::array({state_of(f.text)});
  for (const fs::path& file : read) inputs.push_back(state_of(file));
  for (const fs::path& file : in_front_of(read, c.given)) inputs.push_back(state_of(file));
  const json entry{{"inputs", std::move(inputs)}, {"hash", hash_of_file(part).value_or("")}};
  fs::rename(part, f.compiled, error);
  if (error || !write(f.note, entry.dump(-1, ' ', false, json::error_handler_t::replace))) return fail();
  fs::remove(f.once, error);
  constexpr size_t most_noted = 256;
  remove_oldest(".pch", most_kept);
  remove_oldest(".once", most_noted);
  return true;
}

// With all that belongs to them.
void precompiled_headers::remove_oldest(const char* extension, size_t most) const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry& e : fs::directory_iterator(folder_, error))
    if (e.path().extension() == extension) all.emplace_back(e.last_write_time(error), e.path());
  std::sort(all.begin(), all.end());
  for (size_t k = 0; k + most < all.size(); ++k)
    for (const char* part : {".json", ".pch", ".h", ".once"}) fs::remove(all[k].second.replace_extension(part), error);
}

bool precompiled_headers::ready(const files& f, const compilation& c, const std::string& headers,
                                const fs::path& temporary) const {
  std::error_code error;
  if (is_undamaged(f.compiled, f.note)) {
    fs::last_write_time(f.compiled, fs::file_time_type::clock::now(), error);  // for remove_oldest()
    return true;
  }
  if (fs::exists(f.note, error) || fs::exists(f.once, error)) return make(f, c, headers, temporary);
  fs::create_directories(folder_, error);
  write(f.once, "");
  return false;
}

process_result precompiled_headers::run(const compilation& c, const fs::path& temporary) const {
  std::vector<std::string> command = joined({&c.language, &c.passes, &c.given, &c.outputs});
  command.insert(command.begin(), compiler_.path().string());
  command.push_back(c.source.string());
  const std::string headers = folder_.empty() || !is_plain(c.given) ? "" : leading_headers(text_of(c.source));
  if (!headers.empty()) {
    const files f = files_for(c, headers);
    if (ready(f, c, headers, temporary)) {
      std::vector<std::string> with = command;
      with.insert(with.begin() + 1, {"-Xclang", "-include-pch", "-Xclang", f.compiled.string()});
      const process_result r = run_process(with, temporary);
      if (r.exit_code == 0) return r;
      const process_result without = run_process(command, temporary);
      std::error_code ignored;
      if (without.exit_code == 0) fs::remove(f.compiled, ignored);  // it was the headers: the next one makes them again
      return without;
    }
  }
  return run_process(command, temporary);
}

}  // namespace pws::loader
