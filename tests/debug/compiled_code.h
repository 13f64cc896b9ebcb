// SPDX-License-Identifier: Apache-2.0
// What the tests of DWARF's readers share: code that clang makes of a source, whole and damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pws::test {

using code_bytes = std::vector<uint8_t>;

// The code object of a source, the same bytes each time. Throws input_error: it does not compile. `name`: the file's.
code_bytes compiled(const std::string& source, const std::vector<std::string>& flags,
                    const std::string& name = "code.hip");
// The address of a function, from the base of the loaded code object. Fails the test if there is none.
uint64_t address_of(const code_bytes& code, const std::string& function);

// 300 beginnings of the code object, and 600 copies in which up to eight bytes have other values. `read` says whether
// it has found something. How many of the copies that was.
unsigned read_damaged(const code_bytes& whole, const std::function<bool(const code_bytes&)>& read);

// A name as it may come out of a reader: without control characters.
bool is_printable(const std::string& name);

}  // namespace pws::test
