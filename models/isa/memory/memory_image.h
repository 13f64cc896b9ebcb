// SPDX-License-Identifier: Apache-2.0
// MIMG: loads, stores and samples of images (GCN3 ISA 8.2 "Vector Memory Image Instructions"). Registers of the
// address, in this order: derivatives, x, y, z or layer, level. dmask says which components have registers; a gather4
// has four.
//
// A load outside of the image gives 0 for what is in memory, a store there is dropped. A texel in the image but outside
// of every allocation is a program_error, with its lane. As there is one level alone, a level other than 0 is outside
// of the image for loads and stores, and says for samples which of the two filters is used.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

void image_load(wave_state& s, const inst& i);
// Components that dmask leaves out are stored as 0. Throws program_error for sRGB.
void image_store(wave_state& s, const inst& i);
// The sum of weighted texels is rounded once, to the nearest float. Throws program_error for linear filters of
// integers.
void image_sample(wave_state& s, const inst& i);
// Reads one component, that of dmask's one bit, of the four texels that a linear filter would read: those at (x, y +
// 1), (x + 1, y + 1), (x + 1, y) and (x, y).
void image_gather4(wave_state& s, const inst& i);
// Width, height, depth or layers, and 1, the number of levels; 0 for a level that is not there.
void image_get_resinfo(wave_state& s, const inst& i);

}  // namespace pws::isa
