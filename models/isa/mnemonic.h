// Instructions by name.
#pragma once

#include <string_view>

#include "models/isa/opcode_row.h"

namespace pws::isa {

// Without _e32, _e64, _sdwa, _dpp.
inline std::string_view mnemonic(const inst& i) {
  return i.row->mnemonic;
}
inline bool name_contains(const inst& i, std::string_view part) {
  return mnemonic(i).find(part) != std::string_view::npos;
}
inline bool name_ends_with(const inst& i, std::string_view end) {
  const std::string_view m = mnemonic(i);
  return m.size() >= end.size() && m.substr(m.size() - end.size()) == end;
}

}  // namespace pws::isa
