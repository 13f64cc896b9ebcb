// SPDX-License-Identifier: Apache-2.0
#include "platform/config/config_error.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pws::platform {

const std::string& origin::file() const {
  static const std::string command_line = "--set";
  return file_ ? *file_ : command_line;
}

std::string origin::text() const {
  if (is_override()) return file();
  return file() + ":" + std::to_string(line_) + ":" + std::to_string(column_);
}

std::string config_issue::text() const {
  return where.text() + ": " + (path.empty() ? "" : path + ": ") + problem;
}

namespace {

std::string all_lines(const std::vector<config_issue>& issues) {
  std::string lines;
  for (const config_issue& issue : issues) lines += (lines.empty() ? "" : "\n") + issue.text();
  return lines;
}

}  // namespace

config_error::config_error(std::vector<config_issue> issues)
    : input_error(all_lines(issues)), issues_(std::move(issues)) {}

void issue_list::add(const origin& where, std::string path, std::string problem) {
  if (issues_.size() >= limit) {
    ++dropped_;
    return;
  }
  issues_.push_back({where, std::move(path), std::move(problem)});
}

void issue_list::throw_if_any() const {
  if (issues_.empty()) return;
  std::vector<config_issue> sorted = issues_;
  std::map<std::string, size_t> rank{
      {main_file_, 0}};  // the others in the order in which they were first complained about
  for (const config_issue& issue : sorted) rank.emplace(issue.where.file(), rank.size());
  const auto key = [&rank](const config_issue& issue) {
    return std::make_tuple(rank.at(issue.where.file()), issue.where.line(), issue.where.column());
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&key](const config_issue& a, const config_issue& b) { return key(a) < key(b); });
  if (dropped_ != 0) {
    sorted.push_back({sorted.back().where, "", "... and " + std::to_string(dropped_) + " more problems"});
  }
  throw config_error(std::move(sorted));
}

}  // namespace pws::platform
