// SPDX-License-Identifier: Apache-2.0
// The extension module pwsvp._core: what the package pwsvp (python/pwsvp) is made of. Reports and keys go through it as
// JSON, so that they are those of the command line.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <map>
#include <tuple>
#include <variant>

#include "base/error.h"
#include "base/version.h"
#include "platform/machine/virtual_platform.h"
#include "python/machine.h"
#include "python/run.h"
#include "python/simulation.h"

using namespace pws;
using namespace pws::python;

namespace {

using words = std::vector<std::string>;

platform::yaml_source source_of(const std::string& name, const std::optional<std::string>& text) {
  return text ? platform::yaml_source(name, *text) : platform::yaml_source(name);
}

platform::outputs outputs_of(const std::map<std::string, std::string>& files, uint64_t stats_every) {
  platform::outputs all;
  for (const auto& [name, path] : files) all.of(name) = path;
  all.stats_every = stats_every;
  return all;
}

words output_names() {
  words names;
  for (const platform::output_kind& k : platform::output_kinds()) names.emplace_back(k.name);
  return names;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  platform::quiet_systemc();
  m.attr("version") = version_number();

  // They live as long as the process; references to them are never given back.
  const auto& base = *new py::object(py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
      "pwsvp.Error", "What the platform has to say against something.", PyExc_Exception, nullptr)));
  const auto made = [&base](const char* name, const char* doc) -> const py::object& {
    return *new py::object(
        py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(name, doc, base.ptr(), nullptr)));
  };
  static const py::object& input = made("pwsvp.InputError", "Bad input: the command line's exit code 2.");
  static const py::object& fault =
      made("pwsvp.RuntimeFault", "The program or its check failed: the command line's exit code 1. `report`: a dict.");
  fault.attr("report") = py::dict();
  m.attr("Error") = base;
  m.attr("InputError") = input;
  m.attr("RuntimeFault") = fault;
  py::register_exception_translator([](std::exception_ptr e) {
    try {
      if (e) std::rethrow_exception(e);
    } catch (const run_failed& f) {
      py::object raised = fault(f.what());
      raised.attr("report_text") = f.report();
      PyErr_SetObject(fault.ptr(), raised.ptr());
    } catch (const input_error& f) {
      PyErr_SetObject(input.ptr(), input(f.what()).ptr());
    } catch (const program_error& f) {
      py::object raised = fault(f.what());
      raised.attr("report_text") = "";
      PyErr_SetObject(fault.ptr(), raised.ptr());
    } catch (const std::filesystem::filesystem_error& f) {
      PyErr_SetObject(input.ptr(), input(f.what()).ptr());
    } catch (const std::bad_alloc&) {
      PyErr_SetObject(input.ptr(), input("this takes more memory than the host has").ptr());
    }
  });

  m.def("output_names", output_names);
  m.def("most_cycles_of_row", [] { return platform::outputs::most_cycles_of_row; });
  m.def("run", [](const std::string& name, const std::optional<std::string>& text, const words& overrides,
                  const std::map<std::string, std::string>& files, uint64_t stats_every, bool check) {
    const report_texts r = run_file(source_of(name, text), overrides, outputs_of(files, stats_every), check);
    return std::pair(r.json, r.screen);
  });
  m.def("wcet",
        [](const std::string& name, const std::optional<std::string>& text, const words& overrides, bool observe) {
          const report_texts r = bound_file(source_of(name, text), overrides, observe);
          return std::pair(r.json, r.screen);
        });

  py::class_<program, std::shared_ptr<program>>(m, "program")
      .def(py::init([](const std::string& keys, const std::string& name, const std::optional<std::string>& text,
                       const words& overrides) {
        const py::gil_scoped_release others_run;
        return std::make_shared<program>(keys, source_of(name, text), overrides);
      }))
      .def("kernels", &program::kernels)
      // The name as the source's linkage has it.
      .def("kernel_named",
           [](const program& p, const std::string& name) { return p.image().find_kernel(name).kernel->metadata.name; });
  py::class_<machine>(m, "machine")
      .def(py::init([](const std::string& name, const std::optional<std::string>& text, const words& overrides,
                       const std::map<std::string, std::string>& files, uint64_t stats_every) {
        return std::make_unique<machine>(source_of(name, text), overrides, outputs_of(files, stats_every));
      }))
      // Values are bytes, or the number of an array; arrays are (object, whether the kernel may write it, its name).
      .def("launch",
           [](machine& on, const std::shared_ptr<program>& p, const std::string& kernel, const std::string& shape,
              const std::vector<std::variant<py::bytes, size_t>>& values,
              const std::vector<std::tuple<py::object, bool, std::string>>& arrays) {
             std::vector<parameter> parameters;
             for (const auto& v : values) {
               parameters.emplace_back();
               if (const auto* bytes = std::get_if<py::bytes>(&v))
                 parameters.back().bytes = *bytes;
               else
                 parameters.back().array = std::get<size_t>(v);
             }
             std::vector<array> memory;
             memory.reserve(arrays.size());
             for (const auto& [object, written, named] : arrays) memory.push_back({object, written, named});
             return on.launch(p, kernel, shape, parameters, memory);
           })
      .def("warnings", &machine::warnings)
      .def("close", &machine::close)
      .def("reset", &machine::reset)
      .def_property_readonly("closed", &machine::is_closed)
      .def_property_readonly("failed", &machine::has_failed);
}
