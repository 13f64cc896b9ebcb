// SPDX-License-Identifier: Apache-2.0
// Decoder and disassembler on arbitrary bytes. Input: 8 bytes of program counter, then code. At every word: decoding
// ends in an instruction or a program_error, an instruction is at most what it was given, its text and its meaning
// depend on its own words only, and its registers exist.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/program.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"
#include "tests/fuzz/libfuzzer/require.h"

namespace {

using namespace pws;
using fuzz::require;

// Nothing but program_error may come out; anything else ends the process.
template <typename Action>
auto unless_refused(Action action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const program_error& e) {
    require(*e.what() != 0, "a refusal says why", "empty message");
    return std::nullopt;
  }
}

bool same(const isa::operand& a, const isa::operand& b) {
  return a.kind == b.kind && a.dwords == b.dwords && a.index == b.index && a.encoded == b.encoded && a.value == b.value;
}
bool same_runs(const isa::inst::run* a, const isa::inst::run* b, unsigned n) {
  return std::equal(a, a + n, b, [](const isa::inst::run& x, const isa::inst::run& y) {
    return x.first == y.first && x.count == y.count && x.is_vgpr == y.is_vgpr;
  });
}
// Equal in all but where they lie (pc, target) and in the second raw word where that is not theirs.
bool same(const isa::inst& a, const isa::inst& b) {
  return a.row == b.row && a.exec == b.exec && a.kernel == b.kernel && a.dwords == b.dwords && a.raw[0] == b.raw[0] &&
         (a.dwords == 1 || a.raw[1] == b.raw[1]) && a.native == b.native && a.variant == b.variant &&
         a.unit == b.unit && same(a.dst, b.dst) && same(a.sdst, b.sdst) && a.n_src == b.n_src &&
         std::equal(std::begin(a.src), std::end(a.src), std::begin(b.src),
                    [](const isa::operand& x, const isa::operand& y) { return same(x, y); }) &&
         a.clamp == b.clamp && a.omod == b.omod && a.neg == b.neg && a.abs == b.abs && a.simm == b.simm &&
         a.offset0 == b.offset0 && a.offset1 == b.offset1 && a.n_reads == b.n_reads && a.n_writes == b.n_writes &&
         same_runs(a.reads, b.reads, a.n_reads) && same_runs(a.writes, b.writes, a.n_writes) &&
         a.vgpr_end == b.vgpr_end;
}

void check_runs(const isa::inst& i, const isa::inst::run* runs, unsigned n, const std::string& text) {
  constexpr unsigned n_vgprs = 256;
  for (unsigned k = 0; k < n; ++k) {
    const unsigned end = runs[k].first + runs[k].count;
    require(end <= (runs[k].is_vgpr ? n_vgprs : unsigned{isa::scalar_count}), "registers exist", text);
    require(!runs[k].is_vgpr || end <= i.vgpr_end, "vgpr_end is behind every VGPR", text);
  }
}

void check_instruction(const isa::inst& i, const uint32_t* words, unsigned available, uint64_t pc) {
  require(i.dwords >= 1 && i.dwords <= 2 && i.dwords <= available, "size is 1 or 2 words and there", "");
  require(i.row != nullptr, "an instruction has a row", "");
  const std::string text = isa::disassemble(i);
  require(!text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isprint(c) != 0; }),
          "text is printable", text);
  require(i.n_reads <= isa::inst::max_runs && i.n_writes <= std::size(i.writes), "runs fit", text);
  check_runs(i, i.reads, i.n_reads, text);
  check_runs(i, i.writes, i.n_writes, text);

  // Its own words alone, in memory of exactly that size, so that the sanitizer sees a read beyond them.
  const std::unique_ptr<uint32_t[]> own(new uint32_t[i.dwords]);
  std::copy_n(words, i.dwords, own.get());
  const auto again = unless_refused([&] { return isa::decode_fields(own.get(), i.dwords, pc); });
  require(again && same(*again, i) && again->target == i.target, "what follows does not matter", text);
  require(isa::disassemble(*again) == text, "decoding again gives the same text", text);
  require(isa::disassemble_words(own.get(), i.dwords, pc) == text, "both disassemblers agree", text);
  constexpr uint64_t distance = 0x7654'3210'1234;
  const auto moved = unless_refused([&] { return isa::decode_fields(own.get(), i.dwords, pc + distance); });
  require(moved && same(*moved, i), "the place does not matter", text);
  require(i.unit != isa::unit::branch || moved->target == i.target || moved->target == i.target + distance,
          "targets are relative", text);

  const auto executable = unless_refused([&] { return isa::decode(words, available, pc); });
  require(!executable || (executable->exec != nullptr && same(*executable, i)), "decode() agrees", text);
  // Texture fail and global data share are known fields that no machine here has.
  require(executable || i.exec == nullptr || i.tfe || i.gds, "decode() takes every row that has semantics", text);
}

// The program cache at any PC: inside, outside, misaligned, wrapping.
void check_cache(isa::program& program, uint64_t n_bytes, uint64_t pc) {
  const auto found = unless_refused([&] { return &program.at(pc); });
  if (!found) return;
  require(pc % 4 == 0 && pc - program.begin() < n_bytes, "the program counter is inside", "");
  require((*found)->pc == pc && &program.at(pc) == *found, "cached as decoded", isa::disassemble(**found));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < sizeof(uint64_t) + 1) return 0;
  uint64_t pc;
  std::memcpy(&pc, data, sizeof pc);
  data += sizeof pc;
  size -= sizeof pc;
  // A last incomplete word is no word; the copy aligns the words and ends where they end.
  const size_t n_words = size / 4;
  const std::unique_ptr<uint32_t[]> words(new uint32_t[n_words]);
  std::memcpy(words.get(), data, 4 * n_words);

  for (size_t k = 0; k < n_words; ++k) {
    const uint64_t at = pc + 4 * k;
    const auto available = static_cast<unsigned>(std::min<size_t>(n_words - k, 2 + (at & 3)));
    const auto i = unless_refused([&] { return isa::decode_fields(&words[k], available, at); });
    if (i) {
      check_instruction(*i, &words[k], available, at);
    } else {
      require(!unless_refused([&] { return isa::decode(&words[k], available, at); }), "decode() refuses it too", "");
      require(isa::disassemble_words(&words[k], available, at).rfind(".long 0x", 0) == 0, "data is shown as data", "");
    }
  }
  const uint64_t begin = pc / 4 * 4;
  isa::program program(words.get(), begin, n_words);
  for (const uint64_t at : {pc, begin, begin + 4 * (n_words / 2), begin + 4 * n_words, begin - 4, ~pc})
    check_cache(program, 4 * n_words, at);
  return 0;
}
