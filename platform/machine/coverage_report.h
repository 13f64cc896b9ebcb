// SPDX-License-Identifier: Apache-2.0
// Functional coverage as a file, as text, and of several runs together.
//
//   {"coverage": {"version": 1, "points": [{"name": "lane mask", "bins": {"all but one": {"hits": 12, "wanted":
//   true}}}]}}
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "platform/machine/functional_coverage.h"

namespace pws::platform::cosim {

// As JSON; the same counts give the same bytes.
std::string coverage_file(const std::vector<cover_point>& points);
// What such a file has. Throws input_error, with the file's name, for anything else.
std::vector<cover_point> read_coverage(const std::string& file);
// The same of its text.
std::vector<cover_point> coverage_of(const std::string& text, const std::string& file);
// Adds the hits of `more`, bin by bin. Throws input_error if one of them has points or bins that the other has not:
// they are of different machines or versions. `file` says whose they are.
void add_coverage(std::vector<cover_point>& to, const std::vector<cover_point>& more, const std::string& file);

// A line for each point, how many of its wanted bins are covered, and the holes by name: at most `most_holes` of each.
void print_coverage(std::ostream& out, const std::vector<cover_point>& points, size_t most_holes);
// "3411 of 3500 bins (97.5 %), 89 holes"
std::string coverage_summary(const std::vector<cover_point>& points);

}  // namespace pws::platform::cosim
