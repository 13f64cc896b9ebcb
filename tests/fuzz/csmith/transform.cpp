// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/transform.h"

#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace pws::test {

namespace {

bool starts_with(const std::string& s, const char* prefix) {
  return s.rfind(prefix, 0) == 0;
}

bool remove_prefix(std::string& s, const std::string& prefix) {
  if (s.compare(0, prefix.size(), prefix) != 0) return false;
  s.erase(0, prefix.size());
  return true;
}

// What hiding_or.h needs to see of the program's own operators.
std::string with_hiding_or(const std::string& line) {
  static const std::regex either(R"( \| )"), assignment(R"( \|= )");
  return std::regex_replace(std::regex_replace(line, either, " |fuzz::hiding| "), assignment, " |= fuzz::hiding| ");
}

// An integer global that is no array, pointer or constant: what lanes may change.
struct scalar_global {
  std::string type, name;
};

}  // namespace

std::string lane_program(const std::string& generated) {
  static const std::regex declaration(R"(^(static |inline )+.*\bfunc_\d+\(.*\);$)");
  static const std::regex scalar(R"(^static (u?int(?:8|16|32|64)_t) (g_\d+) = .*;$)");
  std::istringstream in(generated);
  std::string types, members, line;
  std::vector<scalar_global> scalars;
  bool in_members = false, has_main = false;
  while (std::getline(in, line)) {
    if (starts_with(line, "//") || starts_with(line, "#include")) continue;
    if (starts_with(line, "static long __undefined;")) continue;
    // A class would take a second declaration of a member function as an error, and needs none.
    if (std::regex_match(line, declaration)) continue;
    if (line.find("if (print_hash_value)") != std::string::npos) continue;
    if (starts_with(line, "static ") || starts_with(line, "inline ")) in_members = true;
    std::smatch m;
    if (std::regex_match(line, m, scalar)) scalars.push_back({m[1], m[2]});
    while (in_members && (remove_prefix(line, "static ") || remove_prefix(line, "inline "))) {
    }
    if (starts_with(line, "int main (void)")) {
      has_main = true;
      line = "void run(uint64_t lane_input)";
    } else if (has_main && line == "    return 0;") {
      line = "    return;";
    } else if (has_main && line == "    crc32_gentab();") {
      for (size_t k = 0; k < scalars.size(); ++k)
        members += "    " + scalars[k].name + " ^= static_cast<" + scalars[k].type +
                   ">(fuzz::perturbation(lane_input, " + std::to_string(k) + "));\n";
      continue;
    }
    (in_members ? members : types) += with_hiding_or(line) + "\n";
  }
  if (!has_main || members.empty()) throw std::runtime_error("not a csmith program: it has no globals or no main()");
  return "#include \"program_begin.h\"\n" + types + "struct program : fuzz::program_base {\n" + members +
         "};\n#include \"program_end.h\"\n";
}

}  // namespace pws::test
