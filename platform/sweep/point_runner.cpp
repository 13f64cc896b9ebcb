// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/point_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/sweep/child_process.h"
#include "platform/sweep/fingerprint.h"
#include "sw/loader/hip_compiler.h"

namespace pws::platform::sweep {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The first line that says what went wrong, or the last one that is no warning. A program's FAIL stands below what
// differs.
std::string reason_in(const std::string& log) {
  std::string last, warning;
  for (size_t begin = 0; begin < log.size();) {
    const size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    const size_t text = line.find_first_not_of(" \t");
    if (text == std::string::npos || line == "FAIL") continue;
    (line.compare(text, 8, "warning:") == 0 ? warning : last) = line.substr(text);
    if (line.find("error:") != std::string::npos || line.find("FAIL") != std::string::npos) break;
  }
  return last.empty() ? warning : last;
}

// The first line with these words; empty: there is none.
std::string line_with(const std::string& log, const std::string& words) {
  const size_t at = log.find(words);
  if (at == std::string::npos) return "";
  const size_t before = log.rfind('\n', at), begin = before == std::string::npos ? 0 : before + 1;
  return log.substr(begin, log.find('\n', at) - begin);
}

// Whether a measure is of pwscc's report, which is `compiler` in the point's.
bool of_compiler(const experiment& e) {
  return std::any_of(e.measures.begin(), e.measures.end(), is_of_compiler);
}
fs::path compiler_report(const fs::path& program) {
  return program.string() + ".json";
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "host";
}

}  // namespace

point_runner::point_runner(const experiment& e, fs::path folder, bool anew)
    : e_(e), folder_(std::move(folder)), anew_(anew) {
  const tools all = tools::beside_this_program();
  fingerprint f;
  f.add_program(all.pwsvp);
  for (const fs::path& plugin : all.plugins) f.add_program(plugin);
  if (e.command == command::exec) f.add_program(all.library);
  tools_fingerprint_ = f.text();
  if (e.command == command::exec) {
    f.add_program(all.pwscc);
    compiler_fingerprint_ = f.text();
  }
}

point_result point_runner::run(size_t n, const point_command& c, from& source) {
  const fs::path folder = folder_of(n), result = folder / "result.json";
  point_result r, old;
  r.finished = true;
  std::string print;
  source = from::run;
  try {
    std::string program;
    if (!c.compile.empty()) program = compiled(c);
    print = fingerprint_of(c, program);
    if (!anew_ && kept(result, print, old) == state::done)
      source = from::kept;
    else if (!anew_ && kept_beside(n, print, old))
      source = from::beside;
    if (source == from::run)
      execute(c, program, folder, r);
    else
      r = std::move(old);
  } catch (const input_error& error) {  // the program does not compile
    r.failed = true;
    r.message = error.what();
    fs::create_directories(folder);
    if (!c.compile.empty() && fs::exists(compiler_log(c)))
      fs::copy_file(compiler_log(c), folder / "log.txt", fs::copy_options::overwrite_existing);
  }
  if (source != from::kept) {
    nlohmann::ordered_json j = to_json(r);
    j["fingerprint"] = print;
    write_output({"", result.string()}, j.dump(2) + "\n");
  }
  return r;
}

point_runner::state point_runner::look(size_t n, const point_command& c, point_result& r) {
  std::string program;
  if (!c.compile.empty()) {
    const fs::path file = executable_of(c);
    if (!fs::exists(folder_of(n) / "result.json")) return state::none;
    if (fs::exists(file)) program = file.string();
  }
  return kept(folder_of(n) / "result.json", fingerprint_of(c, program), r);
}

std::string point_runner::fingerprint_of(const point_command& c, const std::string& program) {
  fingerprint f;
  f.add(tools_fingerprint_);
  for (size_t k = 1; k < c.pwsvp.size(); ++k) f.add(c.pwsvp[k]);
  for (const std::string& a : c.arguments) f.add(a);
  for (const std::string& i : c.inputs) f.add(contents_of(i));
  for (const measure& m : e_.measures) f.add(m.name + "=" + m.path);
  for (const bound_rule& r : e_.rules) f.add(r.smaller + "<=" + r.larger);
  if (!program.empty()) f.add_file(program);
  return f.text();
}

// The hash of a file, which many points may be made of.
std::string point_runner::contents_of(const std::string& file) {
  {
    const std::lock_guard<std::mutex> hold(lock_);
    const auto known = contents_.find(file);
    if (known != contents_.end()) return known->second;
  }
  fingerprint f;
  f.add_file(file);
  const std::lock_guard<std::mutex> hold(lock_);
  return contents_[file] = f.text();
}

point_runner::state point_runner::kept(const fs::path& file, const std::string& print, point_result& r) const {
  std::ifstream in(file);
  if (!in) return state::none;
  try {
    const json j = json::parse(in);
    if (j.at("fingerprint") != print) return state::other;
    r = point_from_json(j, e_.measures.size());
    return r.failed ? state::failed : state::done;
  } catch (const json::exception&) {
    return state::other;
  }
}

// The same point of another experiment's sweep.
bool point_runner::kept_beside(size_t n, const std::string& print, point_result& r) const {
  const fs::path all = fs::canonical(folder_).parent_path();
  return std::any_of(e_.reuse.begin(), e_.reuse.end(), [&](const std::string& name) {
    return kept(all / (name + (e_.small ? "-small" : "")) / "points" / std::to_string(n + 1) / "result.json", print,
                r) == state::done;
  });
}

fs::path point_runner::executable_of(const point_command& c) const {
  fingerprint f;
  for (const std::string& a : c.compile) f.add(a);
  return folder_ / "programs" / (fs::path(c.compile.back()).stem().string() + "-" + f.text());
}

fs::path point_runner::compiler_log(const point_command& c) const {
  return executable_of(c).string() + ".log";
}

std::string point_runner::source_fingerprint_of(const point_command& c) {
  const std::string& source = c.compile.back();
  fingerprint f;
  f.add(compiler_fingerprint_);
  f.add(loader::hip_compiler().cache_key(source, c.compile));
  for (const std::string& file : made_of(source, c.flags, compiled_for::device_and_host)) f.add(contents_of(file));
  return f.text();
}

// The executable that pwscc makes, once for all points that want the same, and again only if it would be another one.
// Other processes may make it too, or run it: it gets its name when it is whole.
std::string point_runner::compiled(const point_command& c) {
  const fs::path file = executable_of(c);
  compilation* mine = nullptr;
  {
    const std::lock_guard<std::mutex> hold(lock_);
    mine = &programs_[file.string()];
  }
  const std::lock_guard<std::mutex> hold(mine->lock);
  if (mine->done) {
    if (!mine->error.empty()) throw input_error(mine->error);
    return file.string();
  }
  mine->done = true;
  const fs::path made = file.string() + ".made";
  const std::string print = source_fingerprint_of(c);
  if (!anew_ && fs::exists(file) && fs::exists(made) && loader::read_text(made) == print) return file.string();
  fs::create_directories(file.parent_path());
  const fs::path partial = fmt::format("{}.{}.{}.part", file.string(), host_name(), getpid());
  std::vector<std::string> command = c.compile;
  command.insert(command.end(), {"-o", partial.string()});
  if (of_compiler(e_)) command.push_back("--report=" + compiler_report(partial).string());
  const fs::path log = partial.string() + ".log";
  const int code = run_child(command, log);
  if (code == 0) {
    if (of_compiler(e_)) fs::rename(compiler_report(partial), compiler_report(file));
    fs::remove(made);
    fs::rename(partial, file);
    write_output({"", made.string()}, print);
  }
  fs::rename(log, compiler_log(c));
  if (code == 0) return file.string();
  mine->error = "pwscc: " + reason_in(loader::read_text(compiler_log(c)));
  throw input_error(mine->error);
}

void point_runner::execute(const point_command& c, const std::string& program, const fs::path& folder,
                           point_result& r) const {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path report = folder / "report.json", log = folder / "log.txt";
  std::vector<std::string> command = c.pwsvp;
  command.insert(command.begin() + static_cast<std::ptrdiff_t>(c.report_at), {"--report", report.string()});
  if (!program.empty()) command.push_back(fs::absolute(program).string());
  command.insert(command.end(), c.arguments.begin(), c.arguments.end());
  const auto began = std::chrono::steady_clock::now();
  const int code = run_child(command, log);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (std::ifstream in(report); in) {
    json j = json::parse(in, nullptr, false);
    if (!j.is_discarded()) {
      if (std::ifstream compiler(compiler_report(program)); of_compiler(e_) && compiler)
        j["compiler"] = json::parse(compiler, nullptr, false);
      take_measures(e_, j, r);
    }
  }
  if (code == 0) {
    if (r.values.empty()) throw input_error(report.string() + ": not there, although the command succeeded");
    return;
  }
  r.failed = true;
  if (r.message.empty())
    r.message = code > 128 ? fmt::format("ended by signal {}", code - 128)
                           : fmt::format("exit code {}: {}", code, reason_in(loader::read_text(log)));
  const std::string refusal = e_.refusal.empty() ? "" : line_with(loader::read_text(log), e_.refusal);
  if (refusal.empty()) return;
  r.message = refusal;  // the program's own last words follow from it
  r.refused = true;
  r.failed = r.stopped = false;
  r.values.assign(e_.measures.size(), nullptr);  // of a run that was stopped
  r.units.assign(e_.measures.size(), "");
}

}  // namespace pws::platform::sweep
