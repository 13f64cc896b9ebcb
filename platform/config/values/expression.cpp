// SPDX-License-Identifier: Apache-2.0
#include "platform/config/values/expression.h"

#include <algorithm>
#include <cmath>

#include "platform/config/values/expression_code.h"
#include "platform/config/values/text.h"

namespace pws::platform {

expression::expression(std::string_view text, std::vector<expression_symbol> symbols, element_type result,
                       uint64_t index_limit)
    : code_(std::make_unique<expression_code>(compile_expression(text, std::move(symbols), result, index_limit))) {}
expression::~expression() = default;
expression::expression(expression&&) noexcept = default;
expression& expression::operator=(expression&&) noexcept = default;

const std::vector<size_t>& expression::buffers() const {
  return code_->buffers;
}
const std::vector<size_t>& expression::buffers_at_i() const {
  return code_->buffers_at_i;
}

namespace {

bool varies(const expression_code& code) {
  const auto end = code.code.begin() + static_cast<std::ptrdiff_t>(code.own_length);
  return std::any_of(code.code.begin(), end, [](const instruction& i) {
    return i.what == op::index || i.what == op::element || i.what == op::gather;
  });
}

// Without the last conversion.
expression_code unconverted(const expression_code& code) {
  expression_code own = code;
  own.result = as_element(code.own_type);
  own.code.resize(code.own_length);
  return own;
}

constexpr uint64_t elements_at_once = 256;

std::string explained(undefined why) {
  switch (why) {
    case undefined::divided_by_zero:
      return "an integer is divided by 0";
    case undefined::shifted_too_far:
      return "a shift by a negative number, or by at least the number of bits of what is shifted";
    case undefined::beyond_64_bits:
      return "a number leaves the 64 bits of i64; u64(...) makes arithmetic that wraps";
    case undefined::beyond_i32:
      return "a number does not fit the i32 beside it; i64(...) of that one computes in 64 bits, i32(...) of the "
             "number "
             "wraps";
    case undefined::beyond_u32:
      return "a number does not fit the u32 beside it; u64(...) of that one computes in 64 bits, u32(...) of the "
             "number "
             "wraps";
    case undefined::no:
      break;
  }
  return "";
}

// What keeps `bits` of type `own` from being one of the integers `type`.
std::optional<std::string> misfit_of(element_type own, uint64_t bits, element_type type) {
  std::string number = text_of(own, bits);
  if (!is_real(own)) {
    const int128 value = integer_value(own, bits);
    if (value >= smallest(type) && value <= largest(type)) return std::nullopt;
  } else {
    const double value = real_value(own, bits);
    if (std::isnan(value)) number = "nan";  // whatever its sign
    if (value != std::trunc(value)) return number + " is no integer, and the buffer holds " + name_of(type);
    if (value >= static_cast<double>(smallest(type)) && value < static_cast<double>(largest(type) + 1))
      return std::nullopt;
    if (std::fabs(value) < 0x1p65) number = to_text(static_cast<int128>(value));  // all of its digits
  }
  return number + " does not fit " + name_of(type) + " (" + to_text(smallest(type)) + ".." + to_text(largest(type)) +
         ")";
}

}  // namespace

std::optional<std::string> expression::misfit() const {
  if (varies(*code_)) return std::nullopt;
  if (const auto found = first_undefined(*code_, {}, 0, 1)) return explained(found->why);
  if (is_real(code_->result)) return std::nullopt;
  const expression_code own = unconverted(*code_);
  uint64_t bits = 0;
  run_code(own, {}, 0, 1, reinterpret_cast<uint8_t*>(&bits));
  return misfit_of(own.result, bits, code_->result);
}

namespace {
// Whether the values themselves are to be looked at: integers of a stated type wrap to that of the buffer.
bool may_not_fit(const expression_code& code) {
  return !is_real(code.result) && (is_real_value(code.own_type) || code.own_plain);
}
}  // namespace

bool expression::may_misfit() const {
  return varies(*code_) && (may_not_fit(*code_) || can_be_undefined(*code_));
}

std::optional<std::string> expression::misfit(const std::vector<const uint8_t*>& memory, uint64_t first,
                                              uint64_t count) const {
  if (!varies(*code_)) return std::nullopt;
  if (const auto found = first_undefined(*code_, memory, first, count))
    return "at i = " + std::to_string(found->index) + ": " + explained(found->why);
  if (!may_not_fit(*code_)) return std::nullopt;
  const expression_code own = unconverted(*code_);
  const size_t size = size_of(own.result);
  std::vector<uint8_t> values(std::min<uint64_t>(count, elements_at_once) * size);
  for (uint64_t done = 0; done < count; done += elements_at_once) {
    const uint64_t n = std::min<uint64_t>(elements_at_once, count - done);
    run_code(own, memory, first + done, n, values.data());
    for (uint64_t k = 0; k < n; ++k) {
      const auto problem = misfit_of(own.result, load_element(own.result, values.data() + k * size), code_->result);
      if (!problem) continue;
      return "at i = " + std::to_string(first + done + k) + ": " + *problem + "; " + name_of(code_->result) +
             (is_real(own.result) ? "(...) truncates" : "(...) wraps");
    }
  }
  return std::nullopt;
}

void expression::evaluate(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count,
                          uint8_t* out) const {
  run_code(*code_, memory, first, count, out);
}

}  // namespace pws::platform
