// SPDX-License-Identifier: Apache-2.0
// Commands that show values: registers, memory, buffers, counters.
#include <fmt/ostream.h>

#include <algorithm>
#include <cstring>
#include <variant>

#include "base/error.h"
#include "platform/config/values/element_type.h"
#include "platform/debug/expression_node.h"
#include "platform/debug/variable_memory.h"
#include "platform/debug/words/console.h"
#include "platform/report/machine_counters.h"

namespace pws::platform::debug {

namespace {

size_t size_of_letter(char size) {
  switch (size) {
    case 'b':
      return 1;
    case 'h':
      return 2;
    case 'g':
      return 8;
    default:
      return 4;
  }
}

std::string text_of_bits(uint64_t bits, size_t bytes, char letter) {
  const unsigned unused = static_cast<unsigned>(64 - 8 * bytes);
  switch (letter) {
    case 'd':
      return fmt::format("{}", static_cast<int64_t>(bits << unused) >> unused);
    case 'u':
      return fmt::format("{}", bits);
    case 't':
      return fmt::format("{:#b}", bits);
    case 'f':
      return bytes == 8   ? platform::text_of(element_type::f64, bits)
             : bytes == 2 ? platform::text_of(element_type::f16, bits)
             : bytes == 1 ? fmt::format("{}", bits)
                          : platform::text_of(element_type::f32, bits & 0xffffffff);
    default:
      return fmt::format("{:#0{}x}", bits, 2 + 2 * bytes);
  }
}

}  // namespace

show_format console::format_in(words& w) {
  show_format f;
  if (w.rest().empty() || w.rest()[0] != '/') return f;
  const std::string text = w.take().substr(1);
  size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  constexpr uint64_t most = 100'000;
  if (at != 0) f.count = words(text.substr(0, at)).take_number("a count");
  if (f.count == 0 || f.count > most) throw input_error(fmt::format("the count is 1 to {}", most));
  for (; at < text.size(); ++at) {
    const char ch = text[at];
    if (std::strchr("bhwg", ch) != nullptr)
      f.size = ch;
    else if (std::strchr("xdutfi", ch) != nullptr)
      f.letter = ch;
    else
      throw input_error(fmt::format("there is no format `{}`: letters are x d u t f i, sizes b h w g", ch));
  }
  return f;
}

std::string console::text_of(const value& v, const show_format& f) const {
  if (v.real || f.letter == 0) return debug::text_of(v);
  const auto bits = static_cast<uint64_t>(v.integer);
  const size_t bytes = f.size != 0 ? size_of_letter(f.size) : f.letter == 'f' || bits <= 0xffffffff ? 4 : 8;
  return text_of_bits(bytes == 8 ? bits : bits & ((uint64_t{1} << 8 * bytes) - 1), bytes, f.letter);
}

console::answer console::print_value(words& w) {
  const show_format f = format_in(w);
  if (f.letter == 'i' || f.count != 1) throw input_error("print takes the letters x d u t f");
  if (w.empty()) throw input_error("an expression is missing");
  // A vector register without a lane is all of it.
  const int v = register_number(w.rest(), 'v');
  if (v >= 0 && selected_) {
    say_register(w.rest());
    return std::nullopt;
  }
  const expression e = expression::parse(w.rest());
  const bool has_format = f.letter != 0;
  fmt::print(out_, "{} = {}\n", e.text(), has_format ? text_of(e.evaluate(here()), f) : e.value_text(here()));
  return std::nullopt;
}

void console::say_register(const std::string& name) {
  const int v = register_number(name, 'v');
  if (v < 0) {
    const expression e = expression::parse(name);
    const auto known = special_named(name);
    const bool is_wide = known && (is_mask(*known) || *known == special::pc);
    fmt::print(out_, "{:<8}{}\n", name, text_of(e.evaluate(here()), {1, 'x', is_wide ? 'g' : '\0'}));
    return;
  }
  const isa::wave_state& s = selected().context->state;
  if (static_cast<uint32_t>(v) >= s.n_vgprs)
    throw input_error(fmt::format("v{} is not among the {} vector registers of the kernel", v, s.n_vgprs));
  constexpr int in_a_row = 8;
  for (int lane = 0; lane < isa::wave_size; lane += in_a_row) {
    std::string row;
    for (int k = lane; k < lane + in_a_row; ++k) {
      const bool is_active = (s.active() >> k & 1) != 0;
      row += fmt::format(" {}{:#010x}", is_active ? ' ' : '-', s.vgpr[v].lane[k]);
    }
    fmt::print(out_, "{:<5}[{:2}]{}\n", lane == 0 ? name : "", lane, row);
  }
}

console::answer console::info_registers(words& w) {
  const isa::wave_state& s = selected().context->state;
  if (!w.empty()) {
    while (!w.empty()) say_register(w.take());
    return std::nullopt;
  }
  for (const char* name : {"pc", "exec", "spm", "active", "vcc", "scc", "m0", "mode"}) say_register(name);
  std::string row;
  for (unsigned n = 0; n < std::min<uint32_t>(s.n_sgprs, isa::sgpr_limit); ++n) {
    row += fmt::format("{:<6}{:#010x}  ", fmt::format("s{}", n), s.scalar[n]);
    if (n % 4 == 3) fmt::print(out_, "{}\n", row), row.clear();
  }
  if (!row.empty()) fmt::print(out_, "{}\n", row), row.clear();
  fmt::print(out_, "lane {}\n", lane_);
  for (unsigned n = 0; n < s.n_vgprs; ++n) {
    row += fmt::format("{:<6}{:#010x}  ", fmt::format("v{}", n), s.vgpr[n].lane[lane_]);
    if (n % 4 == 3) fmt::print(out_, "{}\n", row), row.clear();
  }
  if (!row.empty()) fmt::print(out_, "{}\n", row);
  return std::nullopt;
}

console::answer console::examine(words& w) {
  const show_format f = format_in(w);
  if (w.empty()) throw input_error("an address is missing");
  std::string text = w.rest();
  const bool lds = text.rfind("lds ", 0) == 0;
  if (lds) text = text.substr(4);
  const value address = expression::parse(text).evaluate(here());
  if (address.real) throw input_error("an address is a whole number");
  auto at = static_cast<uint64_t>(address.integer);
  if (f.letter == 'i') {
    if (lds) throw input_error("LDS has no instructions");
    at = debugger_.code().instruction(at);
    uint64_t end = at;
    for (uint64_t k = 0; k < f.count; ++k)
      if (const isa::inst* const i = machine().runtime.instruction_at(end)) end += i->bytes();
    show_instructions(at, end);
    return std::nullopt;
  }
  const size_t bytes = size_of_letter(f.size);
  std::vector<uint8_t> raw(bytes * f.count);
  if (lds)
    machine().read_lds(selected(), at, raw.data(), raw.size());
  else if (selected_)
    read_variable(here(), loader::memory_space::flat, at, raw.data(), raw.size());
  else
    machine().read(at, raw.data(), raw.size());
  const size_t in_a_row = bytes == 8 ? 2 : bytes == 1 ? 16 : 32 / (2 * bytes) / 2;
  std::string row;
  for (uint64_t k = 0; k < f.count; ++k) {
    uint64_t bits = 0;
    std::memcpy(&bits, &raw[k * bytes], bytes);
    row += "  " + text_of_bits(bits, bytes, f.letter);
    if ((k + 1) % in_a_row != 0 && k + 1 != f.count) continue;
    fmt::print(out_, "{:#x}:{}\n", at + (k - k % in_a_row) * bytes, row);
    row.clear();
  }
  return std::nullopt;
}

console::answer console::info_arguments(words& w) {
  w.end();
  for (const auto& [name, place] : machine().buffers())
    fmt::print(out_, "{:<16}{:#x}  {} x {}\n", name, place.begin, (place.end - place.begin) / size_of(place.type),
               name_of(place.type));
  for (const auto& [name, number] : machine().numbers())
    fmt::print(out_, "{:<16}{}  {}\n", name, platform::text_of(number.type, number.bits), name_of(number.type));
  if (machine().buffers().empty()) fmt::print(out_, "No argument is a buffer.\n");
  return std::nullopt;
}

console::answer console::info_launch(words& w) {
  w.end();
  const kernel_launch& l = launch().launch;
  fmt::print(out_, "launch {}: kernel {}, grid {}x{}x{}, workgroup {}x{}x{}\n", launch().number,
             l.kernel.kernel->demangled, l.grid[0], l.grid[1], l.grid[2], l.workgroup[0], l.workgroup[1],
             l.workgroup[2]);
  fmt::print(out_, "{} of {} workgroups have ended; instruction {} of the run\n",
             machine().gpu.dispatcher.workgroups_done(), machine().gpu.dispatcher.workgroups_total(), stop_.position);
  return std::nullopt;
}

console::answer console::info_counters(words& w) {
  w.end();
  const models::machine_config& m = machine().gpu.config;
  const machine_counters counts = read_counters(machine().gpu) - launch().before;
  const models::counted_on on = counted_by(m, m.fidelity, machine().gpu.clock.now() - launch().began);
  for (const models::counter_row& r : machine_counters::rows().all()) {
    if (!r.is_in(models::counter_detail::launch, on)) continue;
    const std::string text = std::visit([](auto v) { return fmt::format("{}", v); }, r.value_in(&counts, on));
    if (text != "0") fmt::print(out_, "  {:<40}{} {}\n", r.name, text, unit_of(r, on));
  }
  return std::nullopt;
}

}  // namespace pws::platform::debug
