// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/memory_reference.h"

#include <cstring>
#include <limits>
#include <stdexcept>

namespace pws::isa::test {

namespace {

bool contains(const std::string& s, const std::string& part) {
  return s.find(part) != std::string::npos;
}
bool ends_with(const std::string& s, const std::string& part) {
  return s.size() >= part.size() && s.compare(s.size() - part.size(), part.size(), part) == 0;
}

unsigned trailing_bits(const std::string& s) {
  size_t k = s.size();
  while (k > 0 && std::isdigit(static_cast<unsigned char>(s[k - 1])) != 0) --k;
  return k == s.size() ? 0 : static_cast<unsigned>(std::stoul(s.substr(k)));
}

memory_operation parse_ds(const std::string& m) {
  memory_operation o;
  o.bytes = trailing_bits(m) / 8;
  o.always_returns = contains(m, "_rtn_");
  if (contains(m, "read2") || contains(m, "write2") || contains(m, "wrxchg2")) {
    o.accesses = 2;
    o.unit = o.bytes * (contains(m, "st64") ? 64 : 1);
  }
  if (contains(m, "src2")) return o;
  if (contains(m, "ds_read")) {
    o.what = memory_operation::kind::load;
    o.sign = contains(m, "_i8") || contains(m, "_i16");
  } else if (contains(m, "ds_write")) {
    o.what = memory_operation::kind::store;
  } else if (!contains(m, "swizzle") && !contains(m, "permute") && !contains(m, "src2") && !contains(m, "condxchg") &&
             m != "ds_nop" && m != "ds_gws_barrier" && m != "ds_append" && m != "ds_consume") {
    o.what = memory_operation::kind::atomic;
    std::string op = m.substr(3, m.find('_', 3) - 3);
    // min, max and cmpst differ by type.
    const char t = m[m.rfind('_') + 1];
    if (op == "min" || op == "max") op = std::string(1, t == 'i' ? 's' : t) + op;
    if (op == "add" && t == 'f') op = "fadd";
    if (op == "cmpst" && t == 'f') op = "fcmpst";
    if (op.rfind("wrxchg", 0) == 0) op = "swap";
    o.atomic = op;
  }
  return o;
}

template <class F>
F as_float(uint64_t v) {
  F f;
  std::memcpy(&f, &v, sizeof f);
  return f;
}

template <class F>
int compare_floats(uint64_t a, uint64_t b) {  // -1, 0, 1; 2 if unordered
  const F x = as_float<F>(a), y = as_float<F>(b);
  if (x < y) return -1;
  if (x > y) return 1;
  return x == y ? 0 : 2;
}

}  // namespace

memory_operation parse_mnemonic(const std::string& m) {
  if (m.rfind("ds_", 0) == 0) return parse_ds(m);
  memory_operation o;
  if (m.rfind("tbuffer", 0) == 0) return o;
  const size_t prefix = m.find('_') + 1;  // flat_ or buffer_
  if (contains(m, "_atomic_")) {
    o.what = memory_operation::kind::atomic;
    o.bytes = ends_with(m, "_x2") ? 8 : 4;
    o.atomic = m.substr(prefix + 7);
    if (o.bytes == 8) o.atomic.resize(o.atomic.size() - 3);
    return o;
  }
  if (contains(m, "_format_") || contains(m, "wbinvl1")) return o;
  if (contains(m, "_load_")) o.what = memory_operation::kind::load;
  if (contains(m, "_store_")) o.what = memory_operation::kind::store;
  if (contains(m, "byte")) o.bytes = 1;
  if (contains(m, "short")) o.bytes = 2;
  if (contains(m, "dword")) o.bytes = contains(m, "dwordx") ? 4 * static_cast<unsigned>(m.back() - '0') : 4;
  o.sign = contains(m, "sbyte") || contains(m, "sshort");
  return o;
}

uint64_t reference_atomic(const std::string& op, unsigned bytes, uint64_t old, uint64_t data, uint64_t data2) {
  const uint64_t mask = bytes == 8 ? ~uint64_t{0} : 0xffffffff;
  const auto sign = [&](uint64_t v) {
    return bytes == 8 ? static_cast<int64_t>(v) : int64_t{static_cast<int32_t>(static_cast<uint32_t>(v))};
  };
  const auto order = [&](uint64_t a, uint64_t b) {
    return bytes == 8 ? compare_floats<double>(a, b) : compare_floats<float>(a, b);
  };
  if (op == "swap") return data;
  if (op == "add") return (old + data) & mask;
  if (op == "sub") return (old - data) & mask;
  if (op == "rsub") return (data - old) & mask;
  if (op == "inc") return old >= data ? 0 : old + 1;
  if (op == "dec") return old == 0 || old > data ? data : old - 1;
  if (op == "umin") return std::min(old, data);
  if (op == "umax") return std::max(old, data);
  if (op == "smin") return sign(old) <= sign(data) ? old : data;
  if (op == "smax") return sign(old) >= sign(data) ? old : data;
  if (op == "and") return old & data;
  if (op == "or") return old | data;
  if (op == "xor") return old ^ data;
  if (op == "fmin") return order(data, old) == -1 ? data : old;
  if (op == "fmax") return order(data, old) == 1 ? data : old;
  if (op == "fadd") {
    // The first NaN of the two, quiet; the positive default NaN for infinities of both signs.
    for (const uint64_t x : {old, data})
      if ((x & 0x7fffffff) > 0x7f800000) return x | 0x400000;
    if (((old ^ data) & 0xffffffff) == 0x80000000 && (old & 0x7fffffff) == 0x7f800000) return 0x7fc00000;
    const float sum = as_float<float>(old) + as_float<float>(data);
    uint32_t r;
    std::memcpy(&r, &sum, sizeof r);
    return r;
  }
  if (op == "cmpst") return old == data ? data2 : old;
  if (op == "fcmpst") return order(old, data) == 0 ? data2 : old;
  if (op == "cmpswap") return old == data2 ? data : old;
  if (op == "mskor") return (old & ~data & mask) | data2;
  if (op == "wrap") return (old >= data ? old - data : old + data2) & mask;
  throw std::runtime_error("no reference for atomic " + op);
}

void reference_execute(memory_bench& b, const memory_operation& o, unsigned dst, unsigned data, unsigned data2,
                       bool returns, const byte_address& at) {
  const unsigned n = o.registers();
  const uint64_t mask = b.state.active();
  const auto read = [&](int l, unsigned a) {
    std::vector<uint8_t> v(o.bytes);
    for (unsigned k = 0; k < o.bytes; ++k) {
      const uint8_t* p = at(l, a, k);
      v[k] = p == nullptr ? 0 : *p;
    }
    return v;
  };
  const auto write = [&](int l, unsigned a, const uint8_t* v) {
    for (unsigned k = 0; k < o.bytes; ++k)
      if (uint8_t* p = at(l, a, k)) *p = v[k];
  };
  const auto set_registers = [&](unsigned row, int l, const std::vector<uint8_t>& v) {
    std::vector<uint32_t> r(n);
    std::memcpy(r.data(), v.data(), v.size());
    if (o.bytes < 4 && o.sign && (v.back() & 0x80) != 0) r[0] |= ~0u << (8 * o.bytes);
    for (unsigned k = 0; k < n; ++k) b.vgprs[row + k].lane[l] = r[k];
  };
  const auto registers = [&](unsigned row, int l) {
    std::vector<uint32_t> r(n);
    for (unsigned k = 0; k < n; ++k) r[k] = b.vgprs[row + k].lane[l];
    return r;
  };
  const auto number = [&](const void* p) {
    uint64_t v = 0;
    std::memcpy(&v, p, o.bytes);
    return v;
  };
  if (o.what == memory_operation::kind::store) {
    for (unsigned a = 0; a < o.accesses; ++a)
      for (int l = 0; l < wave_size; ++l)
        if ((mask >> l & 1) != 0)
          write(l, a, reinterpret_cast<const uint8_t*>(registers(a == 0 ? data : data2, l).data()));
    return;
  }
  for (int l = 0; l < wave_size; ++l) {
    if ((mask >> l & 1) == 0) continue;
    std::vector<std::vector<uint8_t>> old;
    for (unsigned a = 0; a < o.accesses; ++a) old.push_back(read(l, a));
    if (o.what == memory_operation::kind::atomic) {
      for (unsigned a = 0; a < o.accesses; ++a) {
        const auto now = read(l, a);
        const auto d = registers(a == 0 ? data : data2, l);
        const auto d2 = registers(data2, l);
        const uint64_t fresh =
            reference_atomic(o.atomic, o.bytes, number(now.data()), number(d.data()), number(d2.data()));
        old[a] = now;
        write(l, a, reinterpret_cast<const uint8_t*>(&fresh));
      }
      if (!returns) continue;
    }
    for (unsigned a = 0; a < o.accesses; ++a) set_registers(dst + a * n, l, old[a]);
  }
}

}  // namespace pws::isa::test
