// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/reference/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "models/registers/gpu_register_map.h"

namespace pws::platform {

namespace {

using models::gpu_registers;
using models::register_block;
using models::register_field;
using models::register_number;
using models::register_row;

uint32_t index_of(const register_row& r) {
  return static_cast<uint32_t>(&r - gpu_registers.rows.begin());
}

const register_block& block_of(const register_row& r) {
  return gpu_registers.blocks[r.block];
}

// Calls f for each field, or each named value, of a register.
template <class T, class F>
void for_each_of(const register_row& r, const models::register_list<T>& all, F f) {
  for (const T& one : all)
    if (one.row == index_of(r)) f(one);
}

// "0x1040 + 0x100 * queue + 8 * word"; `suffix` and parentheses make it one of C.
std::string offset_of(const register_row& r, const char* suffix = "", const char* open = "", const char* close = "") {
  std::string text = fmt::format("{:#05x}{}", gpu_registers.address(index_of(r)), suffix);
  if (block_of(r).count > 1)
    text += fmt::format(" + {:#x}{} * {}{}{}", block_of(r).stride, suffix, open, block_of(r).name, close);
  if (r.words > 1) text += fmt::format(" + {}{} * {}word{}", models::register_bytes, suffix, open, close);
  return text;
}

std::string reset_of(const register_row& r) {
  return r.reset.by_configuration ? "configured" : fmt::format("{:#x}", r.reset.value);
}

// "bit 3", "bits 15:8"
std::string bits_of(const register_field& f) {
  return f.width == 1 ? fmt::format("bit {}", f.lsb) : fmt::format("bits {}:{}", f.lsb + f.width - 1, f.lsb);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string macro(const std::string& name) {
  return "PWSGPU_" + upper(name);
}

// What a macro stands for, as a comment of its own line.
std::string comment(const std::string& text) {
  return "/* " + text + " */\n";
}

// The macros of a register.
std::string c_register(const register_row& r) {
  const std::string name = macro(r.name);
  std::string text = "\n" + comment(fmt::format("{}: {}", name_of(r.access), r.meaning));
  const bool repeated = block_of(r).count > 1, array = r.words > 1;
  const std::string parameters =
      (repeated ? block_of(r).name : std::string()) + (repeated && array ? ", " : "") + (array ? "word" : "");
  text += parameters.empty() ? fmt::format("#define {} {}\n", name, offset_of(r, "u"))
                             : fmt::format("#define {}({}) ({})\n", name, parameters, offset_of(r, "u", "(", ")"));
  if (array) text += fmt::format("#define {}_WORDS {}u\n", name, r.words);
  if (!r.reset.by_configuration) text += fmt::format("#define {}_RESET {}ull\n", name, reset_of(r));
  for_each_of(r, gpu_registers.fields, [&](const register_field& f) {
    text += comment(fmt::format("{}: {}", f.name, f.meaning));
    text += fmt::format("#define {0}_{1}_SHIFT {2}\n#define {0}_{1}_MASK {3:#x}ull\n", name, upper(f.name), f.lsb,
                        f.mask());
  });
  for_each_of(r, gpu_registers.numbers, [&](const register_number& v) {
    text += comment(v.meaning);
    text += fmt::format("#define {}_{} {}u\n", name, upper(v.name), v.number);
  });
  return text;
}

constexpr const char* about_c = R"(/* SPDX-License-Identifier: Apache-2.0
 *
 * The registers of the GPU, for drivers and firmware in C99 or C++. This header needs no other. It was made by
 * `pwsvp reference registers --c-header`; docs/registers.md has the rules of accesses.
 *
 * PWSGPU_X is the offset in bytes of register X from the first one, PWSGPU_X_RESET its value after a reset,
 * PWSGPU_X_Y_MASK and PWSGPU_X_Y_SHIFT are the bits of its field Y, in their place, and how far they are from bit 0.
 * PWSGPU_X_Y alone is a value of X. RO: read only; WO: write only; RW: read and write; W1C: a written 1 clears its bit;
 * W1S: a written 1 sets its bit.
 */
#ifndef PWSVP_GPU_REGISTERS_H
#define PWSVP_GPU_REGISTERS_H
)";

constexpr const char* about_markdown = R"(# Registers of the GPU

This page is made of the rows of `models/registers/gpu_registers.def`: `pwsvp reference registers --markdown > docs/registers.md`. A test compares
them. `pwsvp reference registers --c-header` prints the same as a C header for drivers; an installation has it as
`include/pwsvp/gpu_registers.h`.

## Accesses

Each register has 64 bits, little-endian. An access has 8 bytes, or the 4 bytes of either half, and its address is a multiple of its size.
Between the reads of two halves a register may change.

- **RO** is read only, **WO** write only, **RW** is read and written. In **W1C** a written 1 clears its bit, in **W1S** it sets it; a written 0
  changes nothing.
- Where a register has fields, all other bits are reserved. They read as 0, and what is written to them is dropped.
- A reset gives each register the value in the column "reset". *configured* means that it depends on the machine's configuration.

A wrong access changes nothing. It is answered with an error of TLM, and `bad_accesses` counts it:

| the access | response |
|---|---|
| is neither a read nor a write | `TLM_COMMAND_ERROR_RESPONSE` |
| has byte enables | `TLM_BYTE_ENABLE_ERROR_RESPONSE` |
| has another size, is not aligned, has no data, or its streaming width is below its size | `TLM_BURST_ERROR_RESPONSE` |
| is to an address that is in no table below | `TLM_ADDRESS_ERROR_RESPONSE` |
| reads what is write only, or writes what is read only | `TLM_COMMAND_ERROR_RESPONSE` |
| writes a value that the GPU does not take, or not now | `TLM_GENERIC_ERROR_RESPONSE` |

The first line that holds gives the answer. `transport_dbg` reads bytes of any number and alignment, up to the first that is in no register. It
also reads what is write only, and counts nothing. Direct memory access is not granted.
)";

// A row of the table of its block.
std::string markdown_row(const register_row& r) {
  std::string meaning = r.meaning;
  for_each_of(r, gpu_registers.fields, [&](const register_field& f) {
    meaning += fmt::format("<br>{}, `{}`: {}", bits_of(f), f.name, f.meaning);
  });
  for_each_of(r, gpu_registers.numbers, [&](const register_number& v) {
    meaning += fmt::format("<br>{}, `{}`: {}", v.number, v.name, v.meaning);
  });
  return fmt::format("| `{}` | {} | {} | `{}` | {} |\n", r.name, offset_of(r), name_of(r.access), reset_of(r), meaning);
}

}  // namespace

nlohmann::ordered_json registers_json() {
  auto all = nlohmann::ordered_json::array();
  const auto add = [&all](const std::string& name, const std::string& offset, const std::string& bits,
                          const std::string& value, const std::string& access, const std::string& reset,
                          const std::string& meaning) {
    all.push_back({{"register", name},
                   {"offset", offset},
                   {"bits", bits},
                   {"value", value},
                   {"access", access},
                   {"reset", reset},
                   {"meaning", meaning}});
  };
  for (const register_row& r : gpu_registers.rows) {
    const std::string name = r.name;
    add(name, offset_of(r), "", "", name_of(r.access), reset_of(r), r.meaning);
    for_each_of(r, gpu_registers.fields,
                [&](const register_field& f) { add(name + "." + f.name, "", bits_of(f), "", "", "", f.meaning); });
    for_each_of(r, gpu_registers.numbers, [&](const register_number& v) {
      add(name + "." + v.name, "", "", std::to_string(v.number), "", "", v.meaning);
    });
  }
  return all;
}

std::string registers_c_header() {
  std::string text = about_c;
  text += "\n" + comment("Bytes from the first register to behind the last block");
  text += fmt::format("#define {} {:#x}u\n", macro("size"), gpu_registers.size());
  uint32_t block = ~uint32_t{0};
  for (const register_row& r : gpu_registers.rows) {
    if (r.block != block && block_of(r).count > 1) {
      const register_block& b = block_of(r);
      text += fmt::format("\n/* {}: {} times, from 0 */\n#define {}_COUNT {}u\n", b.meaning, b.count, macro(b.name),
                          b.count);
    }
    block = r.block;
    text += c_register(r);
  }
  return text + "\n#endif\n";
}

std::string registers_markdown() {
  std::string text = about_markdown;
  for (const register_block& b : gpu_registers.blocks) {
    text += fmt::format("\n## {}{}\n\n", static_cast<char>(std::toupper(static_cast<unsigned char>(b.meaning[0]))),
                        b.meaning + 1);
    if (b.count > 1)
      text += fmt::format("There are {} of them, {:#x} bytes apart: `{}` is 0 to {}.\n\n", b.count, b.stride, b.name,
                          b.count - 1);
    text += "| register | offset | access | reset | meaning |\n|---|---|---|---|---|\n";
    for (const register_row& r : gpu_registers.rows)
      if (&block_of(r) == &b) text += markdown_row(r);
  }
  return text;
}

}  // namespace pws::platform
