#include "platform/sweep/slurm.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "platform/sweep/folder_lock.h"
#include "platform/sweep/point_list.h"
#include "sw/loader/subprocess.h"

namespace pws::platform::sweep {

namespace {

namespace fs = std::filesystem;
using seconds = std::chrono::duration<double>;

constexpr unsigned most_failures = 12;         // of squeue, one after the other
constexpr seconds shortest{0.5}, longest{10};  // between two looks at the queue

// A tool of Slurm, with what it said.
loader::process_result ask(std::vector<std::string> command) {
  const fs::path tool = loader::find_executable(command.front());
  if (tool.empty()) throw input_error(command.front() + " is not there: --slurm needs Slurm (Debian: slurm-client)");
  command.front() = tool.string();
  return loader::run_process(command);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string last_line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

// The value behind "KEY=" up to the next blank; "KEY   = value" of `scontrol show config` likewise.
std::string value_of(const std::string& text, const std::string& key) {
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const size_t equals = text.find_first_not_of(' ', at + key.size());
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    if (!begins || equals == std::string::npos || text[equals] != '=') continue;
    const size_t begin = text.find_first_not_of(' ', equals + 1);
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_first_of(" \n", begin) - begin);
  }
  return "";
}

size_t most_tasks() {
  const loader::process_result r = ask({"scontrol", "show", "config"});
  if (r.exit_code != 0) throw input_error("Slurm does not answer: " + first_line(r.output));
  const std::string size = value_of(r.output, "MaxArraySize");
  const bool number = !size.empty() && size.size() < 10 && size.find_first_not_of("0123456789") == std::string::npos;
  if (!number || std::stoul(size) < 2) throw input_error("Slurm has no job arrays here (MaxArraySize)");
  return std::stoul(size) - 1;  // task 0 is not used
}

// What is in the queue of a job.
struct queue {
  bool known = true;                     // false: Slurm did not answer, `said` is why
  std::map<std::string, size_t> states;  // tasks by "RUNNING", "PENDING (Resources)"
  std::string said;
  bool empty() const { return known && states.empty(); }
  std::string text() const {
    std::string all;
    for (const auto& [state, n] : states) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", n, state);
    return all;
  }
};

queue queue_of(const std::string& job) {
  const loader::process_result r = ask({"squeue", "--noheader", "--array", "--jobs=" + job, "--format=%T|%r"});
  queue q;
  if (r.exit_code != 0) {
    q.known = r.output.find("Invalid job id") != std::string::npos;  // it is over, and forgotten
    q.said = first_line(r.output);
    return q;
  }
  std::istringstream lines(r.output);
  for (std::string line; std::getline(lines, line);) {
    const size_t bar = line.find('|');
    if (bar == std::string::npos) continue;
    std::string state = line.substr(0, bar);
    std::transform(state.begin(), state.end(), state.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::string reason = line.substr(bar + 1);
    if (state == "pending" && reason != "None") state += " (" + reason + ")";
    ++q.states[state];
  }
  return q;
}

// The same, asked again where Slurm does not answer.
queue certain_queue_of(const std::string& job) {
  for (unsigned failures = 0;; ++failures) {
    queue q = queue_of(job);
    if (q.known) return q;
    if (failures == most_failures)
      throw input_error(fmt::format("Slurm does not answer: {}; job {} may go on", q.said, job));
    std::this_thread::sleep_for(shortest * (failures + 1));
  }
}

class slurm_sweep {
 public:
  slurm_sweep(const experiment& e, const sweep_options& o, const slurm_options& s, std::ostream& out)
      : e_(e), o_(o), s_(s), out_(out), own_(fs::absolute(o.folder) / "slurm") {}

  sweep_outcome run() {
    const folder_lock lock(own_, folder_lock::kind::alone);
    if (!attach()) submit();
    if (!job_.empty()) wait();
    sweep_options collect = o_;
    collect.collect = true;
    collect.why_not_run = [this](size_t point) { return reason(point); };
    const sweep_outcome r = run_sweep(e_, collect, out_);
    fs::remove(own_ / "job");
    return r;
  }

 private:
  // The job of an earlier call, if it is not over.
  bool attach() {
    std::ifstream file(own_ / "job"), tasks(own_ / "points");
    if (!file || !std::getline(file, job_) || certain_queue_of(job_).empty()) {
      job_.clear();
      return false;
    }
    for (std::string line; std::getline(tasks, line);) tasks_.push_back(points_in({line}, e_));
    fmt::print(out_, "slurm job {}: it is in the queue already\n", job_);
    return true;
  }

  void submit() {
    std::vector<size_t> points;
    {
      const folder_lock alone(o_.folder, folder_lock::kind::alone);
      for (const listed_point& p : list_points(e_, o_.folder))
        if (o_.anew || p.state != point_runner::state::done) points.push_back(p.number);
      for (const size_t n : points) fs::remove(result_of(n));  // what is there afterwards is new
    }
    if (points.empty()) return;
    const size_t most = std::min(most_tasks(), points.size()), each = (points.size() + most - 1) / most;
    std::string lines;
    for (size_t k = 0; k < points.size(); k += each) {
      const auto first = points.begin() + static_cast<std::ptrdiff_t>(k);
      tasks_.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min(each, points.size() - k)));
      lines += text_of_points(tasks_.back()) + "\n";
    }
    write_whole(own_ / "points", lines);
    write_whole(own_ / "job.sh", script());
    for (size_t k = 1; k <= tasks_.size(); ++k) fs::remove(output_of(k));
    const loader::process_result r = ask(sbatch());
    job_ = r.exit_code == 0 ? last_number_in(r.output) : "";
    if (job_.empty()) throw input_error("sbatch: " + first_line(r.output));
    write_whole(own_ / "job", job_ + "\n");
    fmt::print(out_, "slurm job {}: {} points in {} tasks (--cancel ends it; the same call again goes on waiting)\n",
               job_, points.size(), tasks_.size());
    out_.flush();
  }

  // --parsable: "12" or "12;cluster", below whatever plugins say.
  static std::string last_number_in(const std::string& output) {
    std::istringstream lines(output);
    std::string number;
    for (std::string line; std::getline(lines, line);) {
      const std::string id = line.substr(0, line.find(';'));
      if (!id.empty() && id.find_first_not_of("0123456789") == std::string::npos) number = id;
    }
    return number;
  }

  std::string script() const {
    std::string command = shell_word(tools::beside_this_program().pwsvp.string()) + " sweep " +
                          shell_word(s_.experiment) + (e_.small ? " --small" : "") + " --output " +
                          shell_word(fs::absolute(o_.folder).string());
    if (o_.anew) command += " --anew";
    return fmt::format(
        "#!/bin/sh\n# {}\nexec {} --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --point \"$(sed -n "
        "\"${{SLURM_ARRAY_TASK_ID}}p\" "
        "{})\"\n",
        o_.command, command, shell_word((own_ / "points").string()));
  }

  std::vector<std::string> sbatch() const {
    std::string output = (own_ / "task-").string();
    for (size_t at = output.find('%'); at != std::string::npos; at = output.find('%', at + 2)) output.insert(at, "%");
    std::vector<std::string> command = {
        "sbatch",
        "--parsable",
        "--job-name=" + e_.name,
        "--chdir=" + fs::current_path().string(),
        "--output=" + output + "%a.txt",
        fmt::format("--array=1-{}{}", tasks_.size(), o_.jobs == 0 ? "" : fmt::format("%{}", o_.jobs))};
    if (!s_.partition.empty()) command.push_back("--partition=" + s_.partition);
    command.insert(command.end(), s_.further.begin(), s_.further.end());
    command.push_back((own_ / "job.sh").string());
    return command;
  }

  // A line whenever something has changed.
  void wait() {
    size_t all = 0;
    for (const auto& points : tasks_) all += points.size();
    std::string said;
    for (seconds pause = shortest;; pause = std::min(pause * 1.2, longest)) {
      const queue q = certain_queue_of(job_);
      if (q.empty()) return;
      const std::string text =
          fmt::format("slurm job {}: tasks: {}; {} of {} points there", job_, q.text(), there(), all);
      if (text != said) out_ << text << std::endl;
      said = text;
      std::this_thread::sleep_for(pause);
    }
  }

  size_t there() const {
    size_t n = 0;
    for (const auto& points : tasks_)
      n += static_cast<size_t>(
          std::count_if(points.begin(), points.end(), [this](size_t p) { return fs::exists(result_of(p)); }));
    return n;
  }

  // Why there is nothing of a point.
  std::string reason(size_t point) {
    size_t task = 0;
    while (task < tasks_.size() && !std::binary_search(tasks_[task].begin(), tasks_[task].end(), point)) ++task;
    if (task == tasks_.size()) return "";
    std::string& text = reasons_[task];
    if (!text.empty()) return text;
    text = fmt::format("Slurm task {}", task + 1);
    const loader::process_result r =
        ask({"scontrol", "--oneliner", "show", "job", fmt::format("{}_{}", job_, task + 1)});
    if (r.exit_code == 0) text += " " + value_of(r.output, "JobState");
    const std::string last = last_line_of(output_of(task + 1));
    return text += last.empty() ? ": it said nothing" : ": " + last;
  }

  fs::path result_of(size_t n) const { return o_.folder / "points" / std::to_string(n + 1) / "result.json"; }
  fs::path output_of(size_t task) const { return own_ / fmt::format("task-{}.txt", task); }

  const experiment& e_;
  const sweep_options& o_;
  const slurm_options& s_;
  std::ostream& out_;
  const fs::path own_;
  std::string job_;
  std::vector<std::vector<size_t>> tasks_;  // their points; task 1 first
  std::map<size_t, std::string> reasons_;   // by task, from 0
};

}  // namespace

sweep_outcome run_on_slurm(const experiment& e, const sweep_options& options, const slurm_options& slurm,
                           std::ostream& out) {
  return slurm_sweep(e, options, slurm, out).run();
}

void cancel_on_slurm(const fs::path& folder, std::ostream& out) {
  const fs::path file = folder / "slurm" / "job";
  std::ifstream in(file);
  std::string job;
  if (!in || !std::getline(in, job) || certain_queue_of(job).empty())
    throw input_error(folder.string() + ": no job of this sweep is in the queue");
  const loader::process_result r = ask({"scancel", job});
  if (r.exit_code != 0) throw input_error("scancel: " + first_line(r.output));
  while (!certain_queue_of(job).empty()) std::this_thread::sleep_for(shortest);
  std::error_code gone;
  fs::remove(file, gone);
  fmt::print(out, "slurm job {}: cancelled; what is finished is kept\n", job);
}

}  // namespace pws::platform::sweep
