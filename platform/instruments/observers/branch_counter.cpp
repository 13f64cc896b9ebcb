// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/branch_counter.h"

#include <algorithm>

#include "base/error.h"
#include "models/flow/flow_graph.h"
#include "models/isa/code/decode.h"

namespace pws::platform {

namespace {

uint64_t work_items_in(const models::wf_context& c) {
  return c.state.active() & c.tree.root->tree.launched;
}

void count(branch_counts& b, uint64_t of, uint64_t chosen) {
  if (of == 0)
    ++b.empty;
  else if ((of & chosen) == of)
    ++b.all;
  else if ((of & chosen) == 0)
    ++b.none;
  else
    ++b.divergent;
}

// Empty: something in it does not decode, as data behind a kernel of unknown size.
cfg::function_code function_at(isa::program& code, const std::string& name, uint64_t begin, uint64_t end) {
  cfg::function_code f;
  f.name = name;
  try {
    for (uint64_t pc = begin; pc < end; pc += f.instructions.back().bytes()) f.instructions.push_back(code.at(pc));
  } catch (const program_error&) {
    f.instructions.clear();
  }
  mark_indexed_vectors(f);
  return f;
}

}  // namespace

branch_totals& branch_totals::operator+=(const branch_totals& o) {
  branches += o.branches;
  proved_uniform += o.proved_uniform;
  contradictions += o.contradictions;
  always_uniform += o.always_uniform;
  ever_divergent += o.ever_divergent;
  uniform_executions += o.uniform_executions;
  divergent_executions += o.divergent_executions;
  return *this;
}

branch_totals kernel_branches::totals() const {
  branch_totals t;
  t.branches = branches.size();
  for (const branch_counts& b : branches) {
    t.proved_uniform += b.proved_uniform.value_or(false) ? 1 : 0;
    t.contradictions += b.contradicts_proof() ? 1 : 0;
    t.uniform_executions += b.uniform();
    t.divergent_executions += b.divergent;
    if (b.divergent != 0)
      ++t.ever_divergent;
    else if (b.executed() != 0)
      ++t.always_uniform;
  }
  return t;
}

void branch_counter::launching(const loaded_kernel& kernel) {
  kernel_ = kernel.kernel->demangled;
  entry_ = kernel.entry();
  bytes_ = kernel.kernel->code_size;
  descriptor_ = kernel.kernel->descriptor;
  current_ = nullptr;  // known with its first wavefront
}

const branch_counter::program_sites& branch_counter::sites_of(isa::program& code) {
  std::unique_ptr<program_sites>& p = programs_[code.number()];
  if (p) return *p;
  p = std::make_unique<program_sites>();
  p->begin = code.begin();
  p->of_dword.assign((code.end() - code.begin()) / 4, -1);
  const cfg::function_code region = cfg::decode_region(code);
  if (region.instructions.empty()) return *p;
  for (const cfg::branch_site& s : cfg::find_branch_sites(cfg::flow_graph::of_region(region))) {
    const isa::inst& i = region.instructions[s.instruction];
    const auto number = static_cast<int32_t>(p->sites.size());
    branch_counts& b = p->sites.emplace_back();
    b.kind = s.kind;
    b.offset = static_cast<int64_t>(i.pc - p->begin);
    b.text = isa::disassemble(i);
    p->of_dword[(i.pc - p->begin) / 4] = number;
    if (s.skip == cfg::branch_site::no_skip) continue;
    b.skip_offset = static_cast<int64_t>(region.instructions[s.skip].pc - p->begin);
    p->of_dword[static_cast<size_t>(b.skip_offset) / 4] = -2 - number;
  }
  return *p;
}

// Before the kernel runs, not when the results are asked for: a HIP program's process may be ending then.
void branch_counter::prove(kernel_record& k, isa::program& code) const {
  const cfg::function_code function = function_at(code, kernel_, entry_, entry_ + k.bytes);
  if (function.instructions.empty()) {
    k.not_analysed = "the end of the kernel's code is not known";
    return;
  }
  try {
    const cfg::flow_graph graph(function);
    for (const wcet::branch_uniformity& u : wcet::analyse_uniformity(graph, descriptor_)) {
      const uint64_t pc = function.instructions[u.site.instruction].pc;
      const int32_t number = k.sites->of_dword[(pc - k.sites->begin) / 4];
      if (number < 0) continue;
      k.counts[static_cast<size_t>(number)].proved_uniform = u.uniform;
      k.counts[static_cast<size_t>(number)].origin = u.origin;
    }
  } catch (const input_error& e) {
    k.not_analysed = e.what();
  }
}

void branch_counter::begin_kernel(isa::program& code) {
  const auto same = [&](const auto& k) {
    return k->program == code.number() && k->entry == entry_ && k->kernel == kernel_;
  };
  const auto known = std::find_if(kernels_.begin(), kernels_.end(), same);
  if (known != kernels_.end()) {
    current_ = known->get();
    return;
  }
  current_ = kernels_.emplace_back(std::make_unique<kernel_record>()).get();
  current_->kernel = kernel_;
  current_->program = code.number();
  current_->entry = entry_;
  // A function of assembly without a size: to the end of the code.
  current_->bytes = bytes_ != 0 ? bytes_ : code.end() - entry_;
  current_->sites = &sites_of(code);
  current_->counts = current_->sites->sites;
  prove(*current_, code);
}

void branch_counter::wave_started(uint32_t, const models::wf_context& c, models::cycle_t) {
  if (current_ == nullptr) begin_kernel(*c.code);
}

void branch_counter::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  const program_sites& code = *current_->sites;
  const int32_t number = code.of_dword[(i.pc - code.begin) / 4];
  if (number == -1) return;
  const uint64_t there = work_items_in(c);
  if (number < -1) {
    if (there == 0) ++current_->counts[static_cast<size_t>(-2 - number)].skipped;
    return;
  }
  branch_counts& b = current_->counts[static_cast<size_t>(number)];
  switch (b.kind) {
    case cfg::branch_kind::scalar:
      return count(b, there, c.state.scc ? there : 0);
    case cfg::branch_kind::mask:
      return count(b, there, c.state.vcc());
    case cfg::branch_kind::narrowing:
      before_[&c] = there;
      return;
  }
}

void branch_counter::issued(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  if (!i.writes_exec) return;
  const auto before = before_.find(&c);
  if (before == before_.end()) return;
  const program_sites& code = *current_->sites;
  count(current_->counts[static_cast<size_t>(code.of_dword[(i.pc - code.begin) / 4])], before->second,
        work_items_in(c));
  before_.erase(before);
}

void branch_counter::wave_ended(uint32_t, const models::wf_context& c, models::cycle_t) {
  before_.erase(&c);
}

std::vector<kernel_branches> branch_counter::results() const {
  std::vector<kernel_branches> out;
  for (const auto& k : kernels_) {
    kernel_branches& r = out.emplace_back();
    r.kernel = k->kernel;
    const auto first = static_cast<int64_t>(k->entry - k->sites->begin);
    for (const branch_counts& c : k->counts) {
      const bool own = c.offset >= first && c.offset < first + static_cast<int64_t>(k->bytes);
      if (!own && c.executed() + c.empty == 0) continue;
      branch_counts& b = r.branches.emplace_back(c);
      b.of_kernel = own;
      b.offset -= first;
      if (b.skip_offset != 0) b.skip_offset -= first;
    }
    r.not_analysed = k->not_analysed;
  }
  return out;
}

}  // namespace pws::platform
