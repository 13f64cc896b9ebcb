// SPDX-License-Identifier: Apache-2.0
#include "python/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "platform/config/files/run_schema.h"
#include "platform/instruments/all_instruments.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/findings.h"
#include "platform/run/program/scheme_use.h"
#include "python/simulation.h"

namespace pws::python {

using namespace platform;

namespace {

// An object's memory. Its size cannot change while this is there, and nor can its place.
class bytes_of_array {
 public:
  bytes_of_array(const py::object& o, bool to_write) {
    if (PyObject_GetBuffer(o.ptr(), &view_, to_write ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0)
      throw py::error_already_set();
  }
  ~bytes_of_array() { PyBuffer_Release(&view_); }
  bytes_of_array(const bytes_of_array&) = delete;
  bytes_of_array& operator=(const bytes_of_array&) = delete;
  void* data() const { return view_.buf; }
  uint64_t size() const { return static_cast<uint64_t>(view_.len); }

 private:
  Py_buffer view_{};
};

}  // namespace

// An array's place in device memory, for one launch.
struct machine::placed {
  placed(device_runtime& r, uint64_t at, uint64_t bytes, const array& a)
      : runtime(&r), address(at), size(bytes), of(&a) {}
  placed(placed&& o) noexcept : runtime(o.runtime), address(o.address), size(o.size), of(o.of) { o.address = 0; }
  ~placed() {
    if (address != 0) runtime->release(address);
  }
  placed& operator=(placed&&) = delete;

  device_runtime* runtime;
  uint64_t address, size;
  const array* of;
};

machine::machine(const yaml_source& from, const std::vector<std::string>& overrides, outputs files)
    : loaded_(load_machine_layers(from, overrides)), files_(std::move(files)) {
  const turn mine;
  prepare(files_, {}, {});
  build();
}

void machine::build() {
  const models::machine_config& config = loaded_.config;
  refuse_unmet(files_, {config, config.fidelity == models::fidelity::timing, "set fidelity: timing"});
  session_options options;
  options.files = files_;
  simulate([&](stopping_signals&) {
    next_simulation();
    session_ = std::make_unique<session>(config, options, all_instruments(), interruption::while_building(config.n_cu));
  });
  owner_ = getpid();
  failed_ = false;
  launches_ = found_ = 0;
  programs_.clear();
}

machine::~machine() {
  if (!session_) return;
  // The child of a fork has no business with its parent's files, and ends soon.
  if (owner_ != getpid()) {
    [[maybe_unused]] const session* parents = session_.release();
    return;
  }
  try {
    close();
  } catch (const std::exception& e) {
    std::cerr << "warning: " << e.what() << '\n';
  }
}

void machine::check_usable() const {
  if (!session_) throw input_error("the machine is closed");
  if (owner_ != getpid())
    throw input_error(
        "this machine was made before the process was forked, and is its parent's: make one in this process");
}

void machine::close() {
  if (!session_) return;
  check_usable();
  const turn mine(turn::signals::wait);
  output_problems problems;
  {
    const py::gil_scoped_release others_run;
    session_->board.make_current();
    session_->close(problems);
    session_.reset();
  }
  programs_.clear();
  if (!problems.text().empty()) throw input_error(problems.text());
}

void machine::reset() {
  check_usable();
  const turn mine;
  if (files_.any_needs(need::one_machine, loaded_.config) || !wanted_outputs(files_).empty())
    throw input_error("reset: the machine is built anew, which the files that it writes do not live through");
  close();
  build();
}

launch_config machine::shape_of(const std::string& shape) const {
  const yaml_source from("launch", shape);
  issue_list issues(from.name);
  reader read(issues);
  yaml_node root;
  launch_config config;
  static const field about;
  try {
    if (parse_yaml_file(from, "launch", root, issues)) read_launch({root, "launch", about, read}, config, loaded_);
    issues.throw_if_any();
  } catch (const config_error& e) {
    throw input_error(problems_of(e));
  }
  return config;
}

kernel_launch machine::launch_of(const program& p, const std::string& kernel, const std::string& shape) const {
  const loader::found_kernel found = p.image().find_kernel(kernel);
  const launch_config config = shape_of(shape);
  kernel_launch l;
  l.kernel = {found.kernel, 0, &p.image()};
  l.source = p.image().name();
  l.grid = config.grid;
  l.workgroup = config.workgroup;
  l.dynamic_lds = config.dynamic_lds;
  l.dynamic_stack = config.dynamic_stack;
  return l;
}

std::vector<machine::placed> machine::place(const std::vector<array>& arrays) {
  std::vector<placed> all;
  all.reserve(arrays.size());
  for (const array& a : arrays) {
    const bytes_of_array bytes(a.memory, a.written);
    const uint64_t address = runtime().allocate(bytes.size(), "argument " + a.name);
    all.emplace_back(runtime(), address, bytes.size(), a);
    runtime().write(all.back().address, bytes.data(), bytes.size());
  }
  return all;
}

std::string machine::launch(const std::shared_ptr<program>& p, const std::string& kernel, const std::string& shape,
                            const std::vector<parameter>& parameters, const std::vector<array>& arrays) {
  check_usable();
  const turn mine;
  check_usable();  // it may have been closed while this call waited
  if (failed_)
    throw input_error(fmt::format(
        "{} is not launched: an earlier launch has failed, and the machine stands still until reset()", kernel));
  kernel_launch l = launch_of(*p, kernel, shape);
  for (const parameter& v : parameters)
    l.arguments.push_back(v.array ? std::vector<uint8_t>(sizeof(uint64_t))
                                  : std::vector<uint8_t>(v.bytes.begin(), v.bytes.end()));
  if (const auto problem = problem_with_kernel(l)) throw input_error(problem->text);
  if (const auto problem = problem_with_machine(l, models::provisioned(loaded_.config)))
    throw input_error(problem->text);

  session_->board.make_current();
  if (runtime().images(p->image()) == nullptr) {
    programs_.push_back(p);
    runtime().load(p->image());
  }
  const auto& objects = p->image().code_objects();
  const loader::found_kernel found = p->image().find_kernel(kernel);
  for (size_t k = 0; k < objects.size(); ++k)
    if (&objects[k] == found.object)
      l.kernel.descriptor = (*runtime().images(p->image()))[k].base + found.kernel->descriptor_offset;
  const std::vector<placed> in_memory = place(arrays);
  for (size_t k = 0; k < parameters.size(); ++k)
    if (parameters[k].array) {
      const auto* raw = reinterpret_cast<const uint8_t*>(&in_memory[*parameters[k].array].address);
      l.arguments[k].assign(raw, raw + sizeof(uint64_t));
    }
  session_->board.make_current();  // Python may have collected another machine
  launch_report r = session_->announce(l, launches_ + 1, loaded_.config.fidelity);
  session_->prepare(l);
  ++launches_;
  bool goes_on = true;
  try {
    simulate([&](stopping_signals& signals) {
      signals.stop(session_->gpu);
      goes_on = session_->run(l, r);
    });
  } catch (...) {
    failed_ = !r.completed;
    throw;
  }
  if (!r.completed && interruption::signal() != 0) r.error = "interrupted by " + signal_name(interruption::signal());
  return finish(r, goes_on, in_memory);
}

std::string machine::finish(const launch_report& r, bool goes_on, const std::vector<placed>& arrays) {
  const std::string report = launch_part().json({r, loaded_.config}).dump();
  if (!r.completed) {
    failed_ = true;
    throw run_failed(r.error, report);
  }
  for (const placed& a : arrays) {
    if (!a.of->written) continue;
    const bytes_of_array bytes(a.of->memory, true);
    if (bytes.size() != a.size) throw input_error("an array has changed its size while the kernel ran");
    runtime().read(a.address, bytes.data(), a.size);
  }
  const check_results found = session_->the<check_findings>().on_machine().results();
  if (found.count == found_) return report;
  found_ = found.count;
  failed_ = !goes_on;
  std::ostringstream text;
  text << "machine.check: " << platform::text(found) << '\n';
  print_findings(text, found);
  throw run_failed(text.str(), report);
}

std::vector<std::string> machine::warnings(const program& p, const std::string& kernel,
                                           const std::string& shape) const {
  const loader::found_kernel found = p.image().find_kernel(kernel);
  std::vector<std::string> all = keys_without_effect(loaded_, loaded_.config.fidelity == models::fidelity::functional);
  const auto of_scheme = scheme_warnings(loaded_.config, points_of(found), p.config().split);
  all.insert(all.end(), of_scheme.begin(), of_scheme.end());
  if (const auto idle = idle_stack(shape_of(shape), found)) all.push_back(*idle);
  return all;
}

}  // namespace pws::python
