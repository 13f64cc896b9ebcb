// SPDX-License-Identifier: Apache-2.0
// Why a compute unit holds no workgroup of some kind, in words.
#pragma once

#include <string>

#include "models/machine/occupancy.h"

namespace pws::models {

// What such a workgroup needs and which keys of the machine give too little of it; "" if an empty compute unit holds
// it.
std::string shortage_of(const machine_config& c, const workgroup_resources& w);

}  // namespace pws::models
