// SPDX-License-Identifier: Apache-2.0
#include "tests/check/numbers_fixture.h"

#include <stdexcept>

#include "models/isa/code/decode.h"
#include "tests/isa/llvm_tools.h"

namespace pws::check::test {

namespace {

constexpr unsigned address = 60;  // v[60:61]

}  // namespace

numbers_bench::numbers_bench() {
  bench.state.set_scalar64(isa::exec_lo, uint64_t{1} << lane);
  reset();
}

void numbers_bench::reset() {
  wave_.begin({}, memory_bench::n_vgprs);
  scalars_ = {};
  sink = {};
  pc = 0x1000;
}

void numbers_bench::run(const std::vector<std::string>& lines) {
  for (const isa::test::words& w : isa::test::llvm_assemble(lines)) {
    if (w.empty()) throw std::runtime_error("a line is no instruction");
    execute(w);
  }
}

void numbers_bench::execute(const std::vector<uint32_t>& words) {
  isa::wave_state& s = bench.state;
  const isa::inst i = isa::decode(words.data(), static_cast<unsigned>(words.size()), pc);
  pc += 8;
  check_.executes({wave_, scalars_}, s, i);
  access_.touches_nothing();
  s.access = &access_;
  bench.execute(i);
  s.access = nullptr;
  if (i.is_memory()) {
    const bool global = access_.where == isa::memory_access::space::global;
    uint64_t scratch = 0;
    for (unsigned l = 0; l < 64; ++l)
      if (global && (access_.mask >> l & 1) != 0 &&
          access_.address[l] - memory_bench::scratch < uint64_t{64} * memory_bench::scratch_per_lane)
        scratch |= uint64_t{1} << l;
    check_.accessed({wave_, scalars_}, i, (access_.mask | access_.in_lds) & ~scratch, scratch, access_);
  }
  check_.executed({wave_, scalars_}, s, i);
}

void numbers_bench::put_in(unsigned r, uint64_t lanes, uint32_t value) {
  for (unsigned l = 0; l < 64; ++l)
    if ((lanes >> l & 1) != 0) bench.vgprs[r].lane[l] = value;
  wave_.clear(r, lanes);
}

void numbers_bench::store(unsigned r, unsigned dwords) {
  for (int l = 0; l < 64; ++l)
    bench.set_address(address, l, memory_bench::data + 0x100 + 16 * static_cast<uint64_t>(l));
  const isa::opcode_row& row = isa::test::memory_row(dwords == 2 ? "flat_store_dwordx2" : "flat_store_dword");
  execute(isa::test::encode_flat(row, 0, address, r, false));
}

void numbers_bench::spill(unsigned r) {
  for (int l = 0; l < 64; ++l) bench.set_address(address, l, memory_bench::private_aperture + 8);
  execute(isa::test::encode_flat(isa::test::memory_row("flat_store_dword"), 0, address, r, false));
}

void numbers_bench::fill(unsigned r) {
  for (int l = 0; l < 64; ++l) bench.set_address(address, l, memory_bench::private_aperture + 8);
  execute(isa::test::encode_flat(isa::test::memory_row("flat_load_dword"), r, address, 0, false));
}

std::vector<std::string> numbers_bench::found() {
  std::vector<std::string> places = sink.places();
  sink = {};
  return places;
}

}  // namespace pws::check::test
