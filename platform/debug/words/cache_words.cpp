// SPDX-License-Identifier: Apache-2.0
// What caches have: how full they are, and where the line of an address is.
#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/words/console.h"

namespace pws::platform::debug {

namespace {

// Calls f(name, cache): the three of the compute unit, then the banks of the L2.
template <class F>
void each_cache(const models::memory_system& m, uint32_t cu, F f) {
  f(fmt::format("cu{}.vector_l1", cu), *m.vector_l1[cu]);
  f(fmt::format("cu{}.scalar", cu), *m.scalar_cache[cu]);
  f(fmt::format("cu{}.instruction", cu), *m.instruction_cache[cu]);
  for (size_t bank = 0; bank < m.l2.size(); ++bank) f(fmt::format("l2.bank{}", bank), *m.l2[bank]);
}

std::string text_of_place(const models::cache::line_place& p) {
  if (p.on_its_way) return "on its way";
  return p.here ? p.dirty ? "here, dirty" : "here" : "not here";
}

}  // namespace

console::answer console::info_caches(words& w) {
  const models::gpu& gpu = machine().gpu;
  if (gpu.memory.predictable != nullptr)
    throw input_error("there are no caches: memory.arbitration is tdm, and all lines come from memory");
  if (gpu.config.fidelity != models::fidelity::timing)
    throw input_error("caches take part in timing fidelity alone (machine.fidelity)");
  const uint32_t cu = selected_ ? selected_.cu : 0;
  if (w.empty()) {
    each_cache(gpu.memory, cu, [&](const std::string& name, const models::cache& c) {
      const models::cache::line_counts n = c.lines();
      fmt::print(out_, "{:<18}{} of {} lines, {} dirty, {} on their way\n", name, n.here, n.room, n.dirty,
                 n.on_their_way);
    });
    return std::nullopt;
  }
  const value address = expression::parse(w.rest()).evaluate(here());
  if (address.real) throw input_error("an address is a whole number");
  const auto at = static_cast<uint64_t>(address.integer);
  const uint64_t line = gpu.config.memory.l2.bank.line_bytes;
  // A bank has the lines of its own alone.
  const size_t bank = at / line % gpu.memory.l2.size();
  fmt::print(out_, "line {:#x}\n", at / line * line);
  each_cache(gpu.memory, cu, [&](const std::string& name, const models::cache& c) {
    const bool is_l2 = name.rfind("l2.", 0) == 0;
    if (!is_l2 || &c == gpu.memory.l2[bank].get()) fmt::print(out_, "{:<18}{}\n", name, text_of_place(c.place_of(at)));
  });
  return std::nullopt;
}

}  // namespace pws::platform::debug
