// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/buffer.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

template <class F>
std::vector<uint8_t> each_element(element_type type, uint64_t count, F&& bits_of) {
  const size_t size = size_of(type);
  std::vector<uint8_t> memory(count * size);
  for (uint64_t k = 0; k < count; ++k) store_element(type, memory.data() + k * size, bits_of(k));
  return memory;
}

uint64_t low_bits(element_type type, uint64_t value) {
  return size_of(type) == 8 ? value : value & ((uint64_t{1} << (8 * size_of(type))) - 1);
}

uint64_t ramp_bits(element_type type, const ramp_init& r, uint64_t k) {
  if (is_real(type)) return bits_of_real(type, r.start.real + r.step.real * static_cast<double>(k));
  return low_bits(type, r.start.integer + r.step.integer * k);
}

uint64_t random_bits(element_type type, const random_init& r, uint64_t k) {
  const uint64_t x = split_mix_64(r.seed, k);
  if (!is_real(type)) {
    __extension__ typedef unsigned __int128 uint128;
    const uint64_t width = r.max.integer - r.min.integer + 1;  // 0 stands for 2^64
    const uint64_t offset = width == 0 ? x : static_cast<uint64_t>(static_cast<uint128>(x) * width >> 64);
    return low_bits(type, r.min.integer + offset);
  }
  const double u = static_cast<double>(x >> 11) * 0x1p-53;
  return bits_of_real(type, std::clamp(r.min.real * (1 - u) + r.max.real * u, r.min.real, r.max.real));
}

std::vector<uint8_t> file_bytes(const std::string& file, uint64_t bytes) {
  std::vector<uint8_t> memory(bytes);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(memory.data()), static_cast<std::streamsize>(bytes));
  if (!in || static_cast<uint64_t>(in.gcount()) != bytes || in.peek() != std::ifstream::traits_type::eof()) {
    throw input_error(file_in_quotes(file) + " does not have exactly " + std::to_string(bytes) + " bytes any more");
  }
  return memory;
}

struct contents {
  const buffer_argument& buffer;

  std::vector<uint8_t> operator()(const poison_init&) const {
    std::vector<uint8_t> memory(buffer.bytes());
    for (size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<uint8_t>(poison_pattern >> (8 * (k % 4)));
    return memory;
  }
  std::vector<uint8_t> operator()(const constant_init& init) const {
    return each_element(buffer.type, buffer.count, [&init](uint64_t) { return init.bits; });
  }
  std::vector<uint8_t> operator()(const ramp_init& init) const {
    return each_element(buffer.type, buffer.count, [&](uint64_t k) { return ramp_bits(buffer.type, init, k); });
  }
  std::vector<uint8_t> operator()(const random_init& init) const {
    return each_element(buffer.type, buffer.count, [&](uint64_t k) { return random_bits(buffer.type, init, k); });
  }
  std::vector<uint8_t> operator()(const file_init& init) const { return file_bytes(init.file, buffer.bytes()); }
  std::vector<uint8_t> operator()(const values_init& init) const {
    return each_element(buffer.type, buffer.count, [&init](uint64_t k) { return init.bits.at(k); });
  }
};

// What an expression reads, and the expression.
class formula {
 public:
  formula(const expect_config& expect, const std::vector<argument_config>& arguments)
      : formula(expect, arguments, {}) {}

  std::vector<uint8_t> elements() const {
    std::vector<uint8_t> out(expect_.count * size_of(type_));
    expression_.evaluate(pointers_, expect_.first, expect_.count, out.data());
    return out;
  }
  std::optional<std::string> misfit() const { return expression_.misfit(pointers_, expect_.first, expect_.count); }

 private:
  formula(const expect_config& expect, const std::vector<argument_config>& arguments, std::vector<size_t> index)
      : expect_(expect),
        type_(arguments.at(expect.argument).buffer()->type),
        expression_(std::get<expect_expression>(expect.value).text, expression_symbols(arguments, index), type_,
                    expect.first + expect.count),
        memory_(index.size()),
        pointers_(index.size(), nullptr) {
    for (const size_t k : expression_.buffers()) {
      memory_[k] = initial_contents(arguments[index[k]]);
      pointers_[k] = memory_[k].data();
    }
  }

  const expect_config& expect_;
  element_type type_;
  expression expression_;
  std::vector<std::vector<uint8_t>> memory_;
  std::vector<const uint8_t*> pointers_;
};

}  // namespace

uint64_t split_mix_64(uint64_t seed, uint64_t k) {
  uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<uint8_t> initial_contents(const argument_config& argument) {
  if (const auto* scalar = std::get_if<scalar_argument>(&argument.value)) {
    return each_element(scalar->type, 1, [scalar](uint64_t) { return scalar->bits; });
  }
  if (const auto* bytes = std::get_if<bytes_argument>(&argument.value)) return bytes->bytes;
  const buffer_argument& buffer = *argument.buffer();
  return std::visit(contents{buffer}, buffer.init);
}

std::optional<uint32_t> repeated_pattern(const buffer_argument& buffer) {
  if (std::holds_alternative<poison_init>(buffer.init)) return poison_pattern;
  const auto* constant = std::get_if<constant_init>(&buffer.init);
  if (constant == nullptr) return std::nullopt;
  const uint64_t bits = low_bits(buffer.type, constant->bits);
  switch (size_of(buffer.type)) {
    case 1:
      return static_cast<uint32_t>(bits * 0x0101'0101);
    case 2:
      return static_cast<uint32_t>(bits * 0x0001'0001);
    case 4:
      return static_cast<uint32_t>(bits);
    default:
      if (bits >> 32 != (bits & UINT32_MAX)) return std::nullopt;
      return static_cast<uint32_t>(bits);
  }
}

void put_addresses(const std::vector<bytes_argument::pointer>& pointers, const std::vector<uint64_t>& addresses,
                   std::vector<uint8_t>& structure) {
  for (const bytes_argument::pointer& p : pointers)
    store_element(element_type::u64, structure.data() + p.offset, addresses.at(p.argument));
}

std::vector<uint8_t> expected_contents(const expect_config& expect, const std::vector<argument_config>& arguments) {
  const element_type type = arguments.at(expect.argument).buffer()->type;
  if (const auto* constant = std::get_if<expect_constant>(&expect.value)) {
    return each_element(type, expect.count, [constant](uint64_t) { return constant->bits; });
  }
  if (const auto* file = std::get_if<expect_file>(&expect.value)) {
    return file_bytes(file->file, expect.count * size_of(type));
  }
  if (const auto* values = std::get_if<expect_values>(&expect.value)) {
    return each_element(type, expect.count, [values](uint64_t k) { return values->bits.at(k); });
  }
  return formula(expect, arguments).elements();
}

std::optional<std::string> misfit_of(const expect_config& expect, const std::vector<argument_config>& arguments) {
  return formula(expect, arguments).misfit();
}

std::vector<expression_symbol> expression_symbols(const std::vector<argument_config>& arguments,
                                                  std::vector<size_t>& index) {
  std::vector<expression_symbol> symbols;
  index.clear();
  for (size_t k = 0; k < arguments.size(); ++k) {
    const argument_config& argument = arguments[k];
    if (const auto* scalar = std::get_if<scalar_argument>(&argument.value)) {
      symbols.push_back({argument.name, scalar->type, false, scalar->bits, 0});
    } else if (const buffer_argument* buffer = argument.buffer()) {
      symbols.push_back({argument.name, buffer->type, true, 0, buffer->count});
    } else {
      continue;
    }
    index.push_back(k);
  }
  return symbols;
}

}  // namespace pws::platform
