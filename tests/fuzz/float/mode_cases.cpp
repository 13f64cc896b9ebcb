// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "tests/fuzz/float/float_program.h"
#include "tests/fuzz/float/host_float.h"

namespace pws::test {

namespace {

constexpr unsigned mode_kernels = 4, changes_per_kernel = 22, lanes_per_kernel = 160;

// One instruction that depends on HW_REG_MODE's rounding and denormal fields (GCN3 ISA, section 3.4). The first field
// of each pair is single precision's, the second that of double and half precision.
struct instruction {
  const char* mnemonic;
  scalar type;
  arithmetic op;
};
constexpr std::array<instruction, 11> instructions{{
    {"v_add_f32", scalar::f32, arithmetic::add},
    {"v_sub_f32", scalar::f32, arithmetic::sub},
    {"v_mul_f32", scalar::f32, arithmetic::mul},
    {"v_fma_f32", scalar::f32, arithmetic::fma},
    {"v_add_f64", scalar::f64, arithmetic::add},
    {"v_mul_f64", scalar::f64, arithmetic::mul},
    {"v_fma_f64", scalar::f64, arithmetic::fma},
    {"v_add_f16", scalar::f16, arithmetic::add},
    {"v_sub_f16", scalar::f16, arithmetic::sub},
    {"v_mul_f16", scalar::f16, arithmetic::mul},
    {"v_fma_f16", scalar::f16, arithmetic::fma},
}};
constexpr size_t n_single = 4;  // the first of them
constexpr unsigned n_inputs = 9;

struct mode_fields {
  unsigned round_single = 0, round_double = 0, denormal_single = 3, denormal_double = 3;
};

// The operator or call besides the instruction, for single precision: the compiler leaves it between the two changes of
// MODE. In front of the others' it sets the rounding field itself.
std::string operator_text(const instruction& i) {
  switch (i.op) {
    case arithmetic::add:
      return "a + b";
    case arithmetic::sub:
      return "a - b";
    case arithmetic::mul:
      return "a * b";
    case arithmetic::fma:
      return "f_fma(a, b, c)";
  }
  return "";
}

const char* register_type(scalar t) {
  return t == scalar::f16 ? "u32" : name_of(t);
}

// A kernel has either kind: nothing keeps the compiler from moving its own change of MODE over an asm statement.
std::string block(const instruction& i, unsigned slot, const mode_fields& m, bool with_operators, unsigned n_out) {
  const char* reg = register_type(i.type);
  const bool half = i.type == scalar::f16;
  const unsigned base = i.type == scalar::f32 ? 0 : i.type == scalar::f64 ? 3 : 6;
  const unsigned bits = m.round_single | m.round_double << 2 | m.denormal_single << 4 | m.denormal_double << 6;
  std::string s = "  {\n";
  for (unsigned k = 0; k < 3; ++k) {
    const std::string slot_text = fmt::format("in[i * {} + {}]", n_inputs, base + k);
    s += fmt::format(
        "    {} {} = {};\n", reg, "pqr"[k],
        half ? "static_cast<u32>(" + slot_text + ")" : fmt::format("from_slot<{}>({})", name_of(i.type), slot_text));
  }
  if (with_operators) {
    // hwreg(HW_REG_MODE, 0, 8): id 1, width - 1 in the top bits. The empty statements tie operands and result to this
    // place.
    s += fmt::format("    __builtin_amdgcn_s_setreg(1 | 7 << 11, {});\n", bits);
    s += "    asm volatile(\"\" : \"+v\"(p), \"+v\"(q), \"+v\"(r));\n";
    s += fmt::format("    const {0} a = p, b = q, c = r;\n    {0} d = {1};\n", reg, operator_text(i));
    s += "    asm volatile(\"\" : \"+v\"(d) : \"v\"(c));\n    __builtin_amdgcn_s_setreg(1 | 7 << 11, 0xf0);\n";
  } else {
    s += fmt::format("    {} d;\n", reg);
    s += fmt::format("    asm volatile(\"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), {}\\n{} %0, %1, %2{}\\n\"\n",
                     bits, i.mnemonic, i.op == arithmetic::fma ? ", %3" : "");
    s += "                 \"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0\"\n";
    s += "                 : \"=&v\"(d) : \"v\"(p), \"v\"(q), \"v\"(r));\n";
  }
  s += fmt::format("    out[i * {} + {}] = {};\n", n_out, slot,
                   half ? "d & 0xffff" : fmt::format("to_slot<{}>(d)", reg));
  return s + "  }\n";
}

float_mode mode_for(scalar t, const mode_fields& m) {
  const bool single = t == scalar::f32;
  const unsigned denormal = single ? m.denormal_single : m.denormal_double;
  return {static_cast<rounding>(single ? m.round_single : m.round_double), (denormal & 1) == 0, (denormal & 2) == 0};
}

bool right(const instruction& i, const mode_fields& m, const uint64_t* in, uint64_t result, std::string& expected) {
  const unsigned base = i.type == scalar::f32 ? 0 : i.type == scalar::f64 ? 3 : 6;
  const float_mode mode = mode_for(i.type, m);
  const auto result_in = [&](float_mode x) { return evaluate(i.op, i.type, in[base], in[base + 1], in[base + 2], x); };
  const uint64_t r = result_in(mode);
  expected = to_text(i.type, r);
  if (r == result || (is_nan(i.type, r) && is_nan(i.type, result))) return true;
  if (!mode.flush_out) return false;
  // Whether a result that rounds up to the least normal number was tiny is the machine's choice.
  const uint64_t kept = result_in({mode.round, mode.flush_in, false});
  const uint64_t least_normal = uint64_t{1} << format_of(i.type).fraction;
  return (kept & ~sign_of(i.type)) == least_normal && (result == kept || result == (kept & sign_of(i.type)));
}

}  // namespace

void add_mode_cases(float_program& p, random_source& r) {
  struct change {
    instruction what;
    mode_fields mode;
  };
  for (unsigned k = 0; k < mode_kernels; ++k) {
    const bool with_operators = k % 2 == 1;
    std::vector<change> changes;
    for (unsigned j = 0; j < changes_per_kernel; ++j) {
      change c{instructions[j % (with_operators ? n_single : instructions.size())], {}};
      c.mode.round_single = static_cast<unsigned>(r.below(4));
      c.mode.round_double = static_cast<unsigned>(r.below(4));
      c.mode.denormal_single = r.chance(50) ? 3 : static_cast<unsigned>(r.below(4));
      c.mode.denormal_double = r.chance(50) ? 3 : static_cast<unsigned>(r.below(4));
      changes.push_back(c);
    }
    kernel_case c;
    c.name = fmt::format("mode_{}_{}", p.seed, k);
    for (const scalar t : {scalar::f32, scalar::f64, scalar::f16}) c.inputs.insert(c.inputs.end(), 3, t);
    c.source = fmt::format("extern \"C\" __global__ void {}(const u64* in, u64* out, u32 n) {{\n", c.name);
    c.source += "  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
    for (unsigned j = 0; j < changes.size(); ++j) {
      c.source += block(changes[j].what, j, changes[j].mode, with_operators, changes_per_kernel);
      c.outputs.push_back(changes[j].what.type);
    }
    c.source += "}\n";
    for (unsigned n = 0; n < lanes_per_kernel; ++n)
      for (const scalar t : c.inputs) c.slots.push_back(random_float(t, r));
    c.judge = [changes, with_operators](const uint64_t* in, const uint64_t* out, tally& t) -> std::string {
      for (size_t j = 0; j < changes.size(); ++j) {
        const instruction& i = changes[j].what;
        const mode_fields& m = changes[j].mode;
        std::string expected;
        ++t.comparisons;
        if (!right(i, m, in, out[j], expected))
          return fmt::format("{} ({}), MODE round {}/{} denormals {}/{}: result {}, expected {}", i.mnemonic,
                             with_operators ? "operator" : "instruction", m.round_single, m.round_double,
                             m.denormal_single, m.denormal_double, to_text(i.type, out[j]), expected);
      }
      return "";
    };
    p.cases.push_back(std::move(c));
  }
}

}  // namespace pws::test
