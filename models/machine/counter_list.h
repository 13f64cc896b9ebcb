// SPDX-License-Identifier: Apache-2.0
// What is counted, listed once: beside each struct of counts is a list with a row for each fact, which has its name,
// unit and meaning and how counts of several parts become one. Sums, differences, reports and the list of what reports
// have are made of the rows.
//
//   const counter_list<cache_statistics>& cache_statistics::rows() {
//     using s = cache_statistics;
//     static const counter_list<s> all = counter_list<s>()
//         .count("reads", &s::reads, "lines", "asked for")
//         .value("read_misses", [](const s& n) { return n.reads - n.read_hits; }, "lines", "of them not there");
//     return all;
//   }
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/machine/machine_config.h"

namespace pws::models {

// How counts of several parts, or of several launches, become one. The most there was since the machine began has no
// difference: what ran between two readings has that of the later one.
enum class combined : uint8_t { sum, most };

// The least report that has a row. `executed`: that of a launch with others beside it on the machine, of which only
// what it has executed itself can be told apart; `launch`: of one alone, and rows of --stats; `totals`: of all
// launches.
enum class counter_detail : uint8_t { executed, launch, totals };

// What values that are made of counts depend on besides them.
struct counted_on {
  const machine_config& machine;
  bool timed = false;                // there are cycles
  cycle_t cycles = 0;                // for which it was counted
  const char* issuer = "wavefront";  // of the instructions
};

// True where there are cycles: for rows that timing fidelity alone has.
inline bool is_timed(const counted_on& on) {
  return on.timed;
}

using counter_value = std::variant<uint64_t, double>;

// A row: a count or a value that is made of counts.
struct counter_row {
  std::string name;  // joined by dots; empty: a count that only other rows' values are made of
  std::string unit;  // "* instructions": of what issues them, a wavefront or a warp
  std::string meaning;
  counter_detail detail = counter_detail::totals;
  combined how = combined::sum;
  // One of them: the place of a count in its struct, or what makes a value of it.
  size_t offset = 0;
  std::function<counter_value(const void*, const counted_on&)> made{};
  std::function<bool(const counted_on&)> where{};  // none: in all machines
  std::string pattern{};                           // one name for many rows: "issue_slots.W*"

  // The count of this row in a struct.
  uint64_t& count_in(void* counts) const { return *reinterpret_cast<uint64_t*>(static_cast<char*>(counts) + offset); }
  // The count of this row in a struct.
  uint64_t count_in(const void* counts) const { return count_in(const_cast<void*>(counts)); }
  // The row's value in a struct.
  counter_value value_in(const void* counts, const counted_on& on) const {
    return made ? made(counts, on) : counter_value(count_in(counts));
  }
  // True where a report of this detail has the row.
  bool is_in(counter_detail asked, const counted_on& on) const {
    return !name.empty() && detail <= asked && (!where || where(on));
  }
};

// Combines counts, each as its row says.
void add_counts(const std::vector<counter_row>& rows, void* to, const void* from);
// Takes off what had been counted before, as each row says.
void subtract_counts(const std::vector<counter_row>& rows, void* from, const void* what);

// The rows of a struct S whose counts are uint64_t members, arrays of them, or structs that have rows themselves.
template <class S>
class counter_list {
  static_assert(std::is_standard_layout_v<S>, "a row holds the place of its count");

 public:
  // A place is a pointer to a member, or a function from the struct to a count.
  template <class P>
  counter_list&& count(std::string name, P place, std::string unit, std::string meaning, combined how = combined::sum) {
    counter_row r{std::move(name), std::move(unit), std::move(meaning)};
    r.how = how;
    r.offset = offset_of(place);
    return add(std::move(r));
  }
  // A count that is no fact by itself.
  template <class P>
  counter_list&& uncalled(P place) {
    return count("", place, "", "");
  }
  // What is made of counts: f(struct), or f(struct, counted_on).
  template <class F>
  counter_list&& value(std::string name, F f, std::string unit, std::string meaning) {
    counter_row r{std::move(name), std::move(unit), std::move(meaning)};
    r.made = [f](const void* counts, const counted_on& on) -> counter_value {
      if constexpr (std::is_invocable_v<F, const S&, const counted_on&>)
        return f(*static_cast<const S*>(counts), on);
      else
        return f(*static_cast<const S*>(counts));
    };
    return add(std::move(r));
  }
  // All rows of a member, their names behind `prefix` and a dot; none of them in reports of less than `least`.
  template <class Part>
  counter_list&& part(const std::string& prefix, Part S::*member, counter_detail least = counter_detail::executed) {
    const size_t at = offset_of(member);
    first_of_last_ = rows_.size();
    for (counter_row r : Part::rows().all()) {
      for (std::string* name : {&r.name, &r.pattern})
        if (!name->empty() && !prefix.empty()) *name = prefix + "." + *name;
      r.detail = std::max(r.detail, least);
      r.offset += at;
      if (r.made)
        r.made = [at, f = std::move(r.made)](const void* counts, const counted_on& on) {
          return f(static_cast<const char*>(counts) + at, on);
        };
      rows_.push_back(std::move(r));
    }
    return std::move(*this);
  }

  // All rows of another list.
  counter_list&& also(const counter_list& others) {
    first_of_last_ = rows_.size();
    rows_.insert(rows_.end(), others.rows_.begin(), others.rows_.end());
    return std::move(*this);
  }

  // These change what was added last: a row, or all of a part or list.
  counter_list&& in(counter_detail detail) {
    for (size_t k = first_of_last_; k < rows_.size(); ++k) rows_[k].detail = detail;
    return std::move(*this);
  }
  // Only on machines for which f is true.
  counter_list&& where(std::function<bool(const counted_on&)> f) {
    for (size_t k = first_of_last_; k < rows_.size(); ++k) {
      std::function<bool(const counted_on&)>& where = rows_[k].where;
      if (where)
        where = [f, g = where](const counted_on& on) { return f(on) && g(on); };
      else
        where = f;
    }
    return std::move(*this);
  }
  // The name under which many rows are listed as one.
  counter_list&& listed_as(const std::string& pattern) {
    rows_.back().pattern = pattern;
    return std::move(*this);
  }

  const std::vector<counter_row>& all() const { return rows_; }
  // Combines counts, each as its row says.
  void add(S& to, const S& from) const { add_counts(rows_, &to, &from); }
  // Takes off what had been counted before, as each row says.
  void subtract(S& from, const S& what) const { subtract_counts(rows_, &from, &what); }

 private:
  counter_list&& add(counter_row r) {
    first_of_last_ = rows_.size();
    rows_.push_back(std::move(r));
    return std::move(*this);
  }
  template <class P>
  static size_t offset_of(P place) {
    const S s{};
    const auto& member = std::invoke(place, s);
    return static_cast<size_t>(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&s));
  }

  std::vector<counter_row> rows_;
  size_t first_of_last_ = 0;
};

}  // namespace pws::models
