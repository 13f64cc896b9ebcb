// SPDX-License-Identifier: Apache-2.0
// Requests about code and memory.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file_names.h"
#include "platform/debug/dap/session.h"
#include "platform/debug/natural.h"

namespace pws::platform::debug::dap {

namespace {

constexpr uint64_t dword = 4;

std::string base64(const std::vector<uint8_t>& bytes) {
  const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t k = 0; k < bytes.size(); k += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - k);
    uint32_t bits = 0;
    for (size_t n = 0; n < 3; ++n) bits = bits << 8 | (n < left ? bytes[k + n] : 0u);
    for (size_t n = 0; n < 4; ++n) text += n <= left ? digits[bits >> (18 - 6 * n) & 63] : '=';
  }
  return text;
}

// Headers of the system are no places where somebody wants to be led to.
bool is_of_system(const std::string& file) {
  return file.rfind("/usr/", 0) == 0 || file.rfind("/opt/", 0) == 0;
}

// "lds:THREAD:OFFSET"
const std::string lds_reference = "lds:";

uint64_t number_of(const std::string& text) {
  const auto n = natural_in(text, bases::decimal_or_hex);
  if (!n) throw input_error(fmt::format("`{}` is no memoryReference", text));
  return *n;
}

}  // namespace

json session::source_json(const std::string& file) const {
  json s{{"name", file_name(file)}, {"path", std::filesystem::absolute(file).string()}};
  if (is_of_system(file)) s["presentationHint"] = "deemphasize";
  return s;
}

// A function without source lines is its instructions, one in a line.
json session::listing_json(uint64_t pc, int64_t& line) {
  const places::range f = core_.code().function_at(pc);
  const uint64_t begin = f.begin == f.end ? pc : f.begin;
  int64_t number = 0;
  for (const auto& [n, at] : listings_)
    if (at == begin) number = n;
  if (number == 0) {
    number = static_cast<int64_t>(listings_.size()) + 1;
    listings_[number] = begin;
  }
  line = 1;
  for (uint64_t at = begin; at < pc; at = core_.code().next(at)) ++line;
  return {{"name", f.name.substr(0, f.name.find('(')) + " (instructions)"}, {"sourceReference", number}};
}

session::reply session::source(const json& a) {
  const json inner = a.contains("source") ? object_in(a, "source") : json::object();
  int64_t number = number_if_in(inner, "sourceReference").value_or(0);
  if (number == 0) number = number_if_in(a, "sourceReference").value_or(0);
  std::string text;
  if (number == 0) {
    const std::string path = text_in(inner, "path");
    const std::string file = recorded_file(path);
    const std::vector<std::string> files = core_.code().files();
    if (std::find(files.begin(), files.end(), file) == files.end())
      throw input_error(fmt::format("no code is of a file {}", path));
    const std::vector<std::string>& lines = core_.code().text_of(file);
    if (lines.empty()) throw input_error(fmt::format("{} cannot be read", file));
    for (const std::string& l : lines) text += l + "\n";
    return json{{"content", text}};
  }
  const auto known = listings_.find(number);
  if (known == listings_.end()) throw input_error(fmt::format("there is no source {}", number));
  const places::range f = core_.code().function_at(known->second);
  for (uint64_t pc = f.begin; pc < f.end; pc = core_.code().next(pc))
    text += fmt::format("{:#x} {}: {}\n", pc, core_.code().symbol_text(pc), core_.code().instruction_text(pc));
  return json{{"content", text}, {"mimeType", "text/x-asm"}};
}

// Where the instructions begin from the `before`th in front of `pc` on; 0 where there is no code.
std::vector<uint64_t> session::instructions_around(uint64_t pc, int64_t before, int64_t count) const {
  const loaded_code& runtime = core_.machine().runtime;
  const auto next = [&](uint64_t at) { return core_.code().next(at); };
  const auto is_code = [&](uint64_t at) { return runtime.image_at(at) != nullptr; };
  // In front of it, function by function: within one, instructions are only known from its beginning on.
  std::vector<uint64_t> front;  // backwards
  for (uint64_t end = pc; static_cast<int64_t>(front.size()) < before && end >= dword && is_code(end - dword);) {
    const places::range f = core_.code().function_at(end - dword);
    const uint64_t begin = f.begin < f.end && f.begin < end ? f.begin : end - dword;
    std::vector<uint64_t> part;
    for (uint64_t at = begin; at < end; at = next(at)) part.push_back(at);
    front.insert(front.end(), part.rbegin(), part.rend());
    end = begin;
  }
  std::vector<uint64_t> all;
  for (int64_t k = before; k > 0 && static_cast<int64_t>(all.size()) < count; --k)
    all.push_back(k <= static_cast<int64_t>(front.size()) ? front[static_cast<size_t>(k - 1)] : 0);
  uint64_t at = pc;
  for (int64_t k = before; k < 0; ++k) at = is_code(at) ? next(at) : at + dword;
  for (; static_cast<int64_t>(all.size()) < count; at = next(at)) {
    if (!is_code(at)) {
      all.resize(static_cast<size_t>(count), 0);
      break;
    }
    all.push_back(at);
  }
  return all;
}

session::reply session::disassemble(const json& a) {
  const uint64_t from =
      number_of(text_in(a, "memoryReference")) + static_cast<uint64_t>(number_if_in(a, "offset").value_or(0));
  const int64_t skipped = number_if_in(a, "instructionOffset").value_or(0), count = number_in(a, "instructionCount");
  constexpr int64_t most = 100'000;
  if (count < 0 || count > most || skipped < -most || skipped > most)
    throw input_error(fmt::format("instructions are shown up to {} at a time", most));
  if (core_.machine().runtime.image_at(from) == nullptr) throw input_error(fmt::format("no code is at {:#x}", from));
  json all = json::array();
  for (const uint64_t pc : instructions_around(from & ~(dword - 1), -skipped, count)) {
    if (pc == 0) {
      all.push_back({{"address", "0x0"}, {"instruction", "no code"}, {"presentationHint", "invalid"}});
      continue;
    }
    std::vector<uint8_t> bytes(core_.code().next(pc) - pc);
    core_.machine().runtime.peek(pc, bytes.data(), bytes.size());
    std::string hex;
    for (size_t k = 0; k < bytes.size(); k += dword)
      hex += fmt::format("{}{:02x}{:02x}{:02x}{:02x}", k == 0 ? "" : " ", bytes[k + 3], bytes[k + 2], bytes[k + 1],
                         bytes[k]);
    json row{{"address", fmt::format("{:#x}", pc)},
             {"instructionBytes", hex},
             {"instruction", core_.code().instruction_text(pc)}};
    if (core_.code().function_at(pc).begin == pc) row["symbol"] = core_.code().symbol_text(pc);
    if (const auto& lines = core_.code().lines(pc); !lines.empty()) {
      row["location"] = source_json(lines.back().file);
      row["line"] = line_to_client(lines.back().line);
    }
    all.push_back(std::move(row));
  }
  return json{{"instructions", all}};
}

session::reply session::read_memory(const json& a) {
  const std::string reference = text_in(a, "memoryReference");
  const int64_t count = number_in(a, "count");
  const auto offset = static_cast<uint64_t>(number_if_in(a, "offset").value_or(0));
  constexpr int64_t most = int64_t{1} << 24;
  if (count < 0 || count > most) throw input_error(fmt::format("memory is read up to {} bytes at a time", most));
  uint64_t at = 0, there = 0;
  std::vector<uint8_t> bytes;
  if (reference.rfind(lds_reference, 0) == 0) {
    const size_t colon = reference.find(':', lds_reference.size());
    if (colon == std::string::npos) throw input_error(fmt::format("`{}` is no memoryReference", reference));
    const auto number = number_of(reference.substr(lds_reference.size(), colon - lds_reference.size()));
    const thread_row& t = thread(static_cast<int64_t>(number));
    if (!t.at) throw input_error("no wavefront is in the machine, so there is no LDS");
    at = number_of(reference.substr(colon + 1)) + offset;
    const uint64_t size = t.at.context->state.lds_bytes;
    there = at < size ? std::min<uint64_t>(static_cast<uint64_t>(count), size - at) : 0;
    bytes.resize(there);
    core_.machine().read_lds(t.at, there == 0 ? 0 : at, bytes.data(), there);
  } else {
    at = number_of(reference) + offset;
    const std::optional<uint64_t> end = core_.machine().runtime.end_of_memory_at(at);
    there = !end ? 0 : std::min<uint64_t>(static_cast<uint64_t>(count), *end - at);
    bytes.resize(there);
    if (there != 0) core_.machine().read(at, bytes.data(), there);
  }
  json body{{"address", fmt::format("{:#x}", at)}, {"unreadableBytes", static_cast<uint64_t>(count) - there}};
  if (there != 0) body["data"] = base64(bytes);
  return body;
}

}  // namespace pws::platform::debug::dap
