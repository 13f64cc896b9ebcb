// SPDX-License-Identifier: Apache-2.0
// What a compare says of the numbers that it lets through: of lanes by a mask, of scalars by a branch.
#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "sw/cfg/scalar_set.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

using isa::data_type;

// The numbers x with x OP b for some b of that set; nothing: any, or none.
std::optional<word_set> numbers_that(isa::relation op, const word_set& b, bool is_signed) {
  using isa::relation;
  if (op == relation::equal) return b;
  if (op == relation::not_equal && b.is_constant()) return word_set::range(b.start + 1, b.start - 1);
  const word_set turn = word_set::constant(is_signed ? 1u << 31 : 0);
  const word_set turned = b + turn;  // in the order of unsigned numbers
  const uint32_t low = turned.lowest(), high = turned.highest();
  std::optional<word_set> in;
  if (op == relation::less && high != 0) in = word_set::range(0, high - 1);
  if (op == relation::less_or_equal) in = word_set::range(0, high);
  if (op == relation::greater && low != UINT32_MAX) in = word_set::range(low + 1, UINT32_MAX);
  if (op == relation::greater_or_equal) in = word_set::range(low, UINT32_MAX);
  if (!in) return std::nullopt;
  return *in - turn;
}

// It compares 32 bits; or 16 that are the whole numbers, which are not below 0 then.
bool compares_words(const lane_state& s, const isa::inst& i) {
  const data_type t = i.row->means.of;
  if (t == data_type::u32 || t == data_type::i32) return true;
  if (t != data_type::u16 && t != data_type::i16) return false;
  const uint32_t most = t == data_type::u16 ? 0xffff : 0x7fff;
  return source(s, i.src[0]).highest() <= most && source(s, i.src[1]).highest() <= most;
}

}  // namespace

// The row that a compare says something about: that of the source whose value is not known otherwise.
std::shared_ptr<const compared_row> comparison_of(const lane_state& s, const isa::inst& i) {
  const isa::meaning& m = i.row->means;
  if (m.does != isa::operation::compare || !isa::has_plain_operands(i) || !compares_words(s, i)) return nullptr;
  for (unsigned n = 0; n < 2; ++n) {
    if (i.src[n].kind != isa::operand_kind::vgpr || source(s, i.src[n]).is_known()) continue;
    const auto in = numbers_that(n == 0 ? m.compares : isa::exchanged(m.compares), source(s, i.src[1 - n]).anywhere(),
                                 isa::is_signed(m.of));
    if (in && !in->is_full())
      return std::make_shared<const compared_row>(compared_row{i.src[n].index, s.version(i.src[n].index), *in});
  }
  return nullptr;
}

std::optional<size_t> scalar_compare_of(const cfg::flow_graph& graph, size_t block) {
  const std::vector<isa::inst>& code = graph.code().instructions;
  const size_t last = graph[block].last();
  if (code[last].unit != isa::unit::branch || !tests_scc(code[last])) return std::nullopt;
  cfg::scalar_set written;
  for (size_t k = last; k-- > graph[block].first;) {
    const isa::inst& i = code[k];
    if (!i.writes_scc) {
      written |= cfg::scalars_written(i);
      continue;
    }
    const data_type t = i.row->means.of;
    const bool compares = isa::is_scalar(i) && i.row->means.does == isa::operation::compare &&
                          (t == data_type::u32 || t == data_type::i32);
    if (!compares || (written & cfg::scalars_read(i)).any()) return std::nullopt;
    return k;
  }
  return std::nullopt;
}

void suppose(lane_state& s, const isa::inst& compare, bool set) {
  const isa::meaning& m = compare.row->means;
  const isa::relation says = set ? m.compares : isa::opposite(m.compares);
  const isa::operand_list list = isa::operands_of(compare);
  for (unsigned n = 0; n < 2; ++n) {
    const isa::operand& of = list.value(n).from;
    if (of.kind != isa::operand_kind::scalar || of.index >= isa::tba_lo) continue;
    const auto in = numbers_that(n == 0 ? says : isa::exchanged(says), scalar_source(s, list.value(1 - n).from),
                                 isa::is_signed(m.of));
    if (in) s.narrow_scalar(of.index, *in);
  }
}

}  // namespace pws::wcet
