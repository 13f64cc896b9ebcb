// SPDX-License-Identifier: Apache-2.0
// Every signal that a waveform can have. A test holds real waveforms against this list, in both directions.
#pragma once

#include <string>
#include <vector>

namespace pws::platform {

struct signal_text {
  std::string name;  // * stands for any characters but a dot; below the scope SystemC
  std::string meaning;
};
std::vector<signal_text> signal_texts();

}  // namespace pws::platform
