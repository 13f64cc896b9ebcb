// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "models/check/numbers/number_format.h"
#include "models/check/numbers/numbers.h"

namespace pws::check {

namespace {

// How it has arisen in that lane, behind "a NaN arises: ".
std::string how_it_arose(const arisen_number& a, unsigned lane) {
  using how = arisen_number::how;
  switch (a.made) {
    case how::divided:
      return fmt::format("lane {} divides {} by {}", lane, number_text(a.operand_type[2], a.value[2][lane]),
                         number_text(a.operand_type[1], a.value[1][lane]));
    case how::chosen:
      return fmt::format("{} has no other result for what it is given in lane {}", a.function, lane);
    case how::converted:
      return fmt::format("a number of lane {} is too large for the format in which it is stored", lane);
    default:
      break;
  }
  std::string operands;
  for (unsigned k = 0; k < a.operands; ++k)
    operands += (operands.empty() ? "" : ", ") + number_text(a.operand_type[k], a.value[k][lane]);
  return fmt::format("{} of {} in lane {}", a.row->mnemonic, operands, lane);
}

}  // namespace

void numbers::report(number_shadow& w, number_mark m, uint64_t lanes, bool division, const site* stored) {
  if (m == 0 || m == given_number) return;
  const arisen_number& a = w.arisen(m);
  // Lanes may have got it from others.
  const uint64_t own = (lanes & a.lanes) != 0 ? lanes & a.lanes : a.lanes;
  const auto lane = static_cast<unsigned>(__builtin_ctzll(own));
  const bool nan = std::isnan(number(a.type, a.result[lane]));
  const std::string_view rule = division ? "integer_division_by_zero" : nan ? "nan_arises" : "infinity_arises";
  if (!sink_.is_new(rule, a.pc, 0)) return;
  finding f;
  f.check = family::numbers;
  f.rule = rule;
  f.here = w.who;
  f.here.pc = a.pc;
  f.here.lanes = own;
  if (division) {
    f.what = fmt::format("an integer is divided by zero, or its remainder is taken (in lane {})", lane);
    f.mend = "a test of the divisor in front of the division";
  } else {
    f.what = fmt::format("{} arises: {}", nan ? "a NaN" : "an infinity", how_it_arose(a, lane));
  }
  if (stored != nullptr) {
    f.other = *stored;
    f.other_is = "stored by";
  }
  sink_.add(std::move(f));
}

}  // namespace pws::check
