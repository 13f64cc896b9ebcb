// SPDX-License-Identifier: Apache-2.0
// The PWS paper's Figure 5, from configs/runs/figure5.yaml: in the waveform, and over the bus while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/splitting/observed_run.h"

namespace pws::test::figure5_test {
namespace {

using models::wf_status;
using testing::ElementsAre;

constexpr uint64_t cycle = 1000;  // ps

// The figure's masks have a bit for 16 work-items: "1101" is work-items 0-31 and 48-63.
uint64_t mask(const std::string& figure) {
  uint64_t m = 0;
  for (size_t k = 0; k < figure.size(); ++k)
    if (figure[k] == '1') m |= uint64_t{0xffff} << (16 * k);
  return m;
}

// One context in one cycle.
struct snapshot {
  uint64_t spm = 0, em = 0, pc = 0;
  uint32_t state = 0, parent = 0;
  std::vector<uint32_t> children;
  bool operator==(const snapshot& o) const {
    return spm == o.spm && em == o.em && pc == o.pc && state == o.state && parent == o.parent && children == o.children;
  }
};

// The three contexts of the machine: SWF1 on the SIMD unit, SWF2 and SWF3 on SpSIMD units 2 and 3.
const std::vector<std::string> scopes{"SystemC.gpu.cu0.simd0.wf0.", "SystemC.gpu.cu0.simd0.spsimd2.swf0.",
                                      "SystemC.gpu.cu0.simd0.spsimd3.swf0."};

snapshot in_waveform(const vcd_file& v, const std::string& scope, uint64_t time) {
  const auto value = [&](const char* s) { return v.signal(scope + s).at(time); };
  snapshot s;
  s.state = static_cast<uint32_t>(value("status"));
  s.spm = value("spm");
  s.em = value("em");
  s.pc = value("pc");
  s.parent = static_cast<uint32_t>(value("parent"));
  for (uint64_t k = 0; k < value("children.depth"); ++k)
    s.children.push_back(static_cast<uint32_t>(value(("children.entry" + std::to_string(k)).c_str())));
  return s;
}

// The different values that a field takes, in order, while its context is in use.
template <class F>
auto history(const vcd_file& v, const std::string& scope, F field) {
  std::vector<decltype(field(snapshot{}))> values;
  for (uint64_t t = 0; t <= v.end_time; t += cycle) {
    const snapshot s = in_waveform(v, scope, t);
    const auto state = static_cast<wf_status>(s.state);
    if (state == wf_status::idle || state == wf_status::ended) continue;
    if (values.empty() || values.back() != field(s)) values.push_back(field(s));
  }
  return values;
}

snapshot from_record(const std::vector<uint8_t>& r) {
  using namespace models::debug_register;
  snapshot s;
  s.state = field<uint32_t>(r, state);
  s.pc = field<uint64_t>(r, pc);
  s.em = field<uint64_t>(r, em);
  s.spm = field<uint64_t>(r, spm);
  s.parent = field<uint32_t>(r, parent);
  for (uint32_t k = 0; k < field<uint32_t>(r, child_depth); ++k)
    s.children.push_back(field<uint16_t>(r, children + sizeof(uint16_t) * k));
  return s;
}

const observed_run& figure() {
  static const observed_run run = observe(PWS_SOURCE_DIR "/configs/runs/figure5.yaml", "figure5", 3);
  return run;
}

TEST(figure5, split_masks) {
  const auto spm = [](const snapshot& s) { return s.spm; };
  const vcd_file& v = figure().waveform;
  EXPECT_THAT(history(v, scopes[0], spm),
              ElementsAre(mask("1111"), mask("1101"), mask("1100"), mask("1101"), mask("1111")));
  EXPECT_THAT(history(v, scopes[1], spm), ElementsAre(mask("0010")));
  EXPECT_THAT(history(v, scopes[2], spm), ElementsAre(mask("0001")));
}

TEST(figure5, execute_masks_are_as_written) {
  const auto em = [](const snapshot& s) { return s.em; };
  for (const std::string& scope : scopes) EXPECT_THAT(history(figure().waveform, scope, em), ElementsAre(mask("1111")));
}

TEST(figure5, child_stacks_and_parents) {
  using entries = std::vector<uint32_t>;
  const auto children = [](const snapshot& s) { return s.children; };
  const auto parent = [](const snapshot& s) { return s.parent; };
  const vcd_file& v = figure().waveform;
  EXPECT_THAT(history(v, scopes[0], children),
              ElementsAre(entries{}, entries{2}, entries{2, 3}, entries{2}, entries{}));
  EXPECT_THAT(history(v, scopes[0], parent), ElementsAre(0u));
  for (const size_t swf : {1, 2}) {
    EXPECT_THAT(history(v, scopes[swf], children), ElementsAre(entries{}));
    EXPECT_THAT(history(v, scopes[swf], parent), ElementsAre(1u));
  }
}

TEST(figure5, all_three_run_at_once) {
  const vcd_file& v = figure().waveform;
  bool together = false;
  for (uint64_t t = 0; t <= v.end_time; t += cycle) {
    unsigned running = 0;
    for (const std::string& scope : scopes)
      running += in_waveform(v, scope, t).state == static_cast<uint32_t>(wf_status::running) ? 1 : 0;
    together |= running == 3;
  }
  EXPECT_TRUE(together);
}

TEST(figure5, debug_window_shows_what_the_waveform_shows) {
  const observed_run& run = figure();
  size_t in_use = 0;
  for (const observed_run::reading& r : run.readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > run.waveform.end_time) break;
    for (size_t c = 0; c < 3; ++c) {
      const snapshot bus = from_record(r.records[c]);
      const snapshot wave = in_waveform(run.waveform, scopes[c], r.time);
      const auto state = static_cast<wf_status>(wave.state);
      // Contexts are freed after the waveform has looked, and before the bus does.
      if (state == wf_status::ended && static_cast<wf_status>(bus.state) == wf_status::idle) continue;
      ASSERT_EQ(bus.state, wave.state) << "time " << r.time;
      if (state == wf_status::idle || state == wf_status::ended) continue;
      ++in_use;
      ASSERT_TRUE(bus == wave) << "time " << r.time << ", context " << c << ": SpM " << std::hex << bus.spm << " and "
                               << wave.spm << ", pc " << bus.pc << " and " << wave.pc;
    }
  }
  EXPECT_GT(in_use, 500u);
}

TEST(figure5, gtkwave_file_names_signals_of_the_waveform) {
  EXPECT_GE(signals_of(PWS_SOURCE_DIR "/configs/figure5.gtkw", figure().waveform), 15u);
}

}  // namespace
}  // namespace pws::test::figure5_test
