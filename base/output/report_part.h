// SPDX-License-Identifier: Apache-2.0
// What a report says of a T, each value once: name, unit, meaning, and where in a T it is. Its JSON and the list of
// what reports can have (`pwsvp reference`) are made of that.
//
//   const report_part<launch_choice::code>& code_part() {
//     using c = launch_choice::code;
//     static const report_part<c> all = report_part<c>()
//         .value("bound", "cycles", "of all launches at most", &c::bound)
//         .text("no_bound", "why there is none", &c::problem);
//     return all;
//   }
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/output/json_text.h"

namespace pws {

// What a value of a report is, for the list of all that reports can hold.
enum class value_kind : uint8_t { number, text, truth, list };
constexpr auto enumerators(value_kind) {
  using e = value_kind;
  return std::array{named{e::number, "number"}, named{e::text, "text"}, named{e::truth, "truth value"},
                    named{e::list, "list"}};
}

// A value of a report, as pwsvp reference lists it.
struct report_field {
  std::string path;  // names and indices joined by dots; * stands for any characters but a dot
  value_kind kind = value_kind::number;
  std::string unit;  // empty: a plain value; " | " is between units that depend on the machine
  std::string meaning;
};

// A value that is null where there is none, while what is an optional or a pointer is left out.
template <class V>
struct nullable : std::optional<V> {
  using std::optional<V>::optional;
};

// What a value is called and says that several reports have.
struct report_row {
  const char *name, *unit, *meaning;
};

namespace detail {

// What a value is of: what a pointer leads to, what an optional may have.
template <class V>
struct content {
  using type = V;
  static constexpr bool is_always_there = true;
};
template <class V>
struct content<std::optional<V>> {
  using type = V;
  static constexpr bool is_always_there = false;
};
template <class V>
struct content<nullable<V>> : content<std::optional<V>> {};
template <class V>
struct content<V*> {
  using type = std::remove_const_t<V>;
  static constexpr bool is_always_there = false;
};
template <>
struct content<const char*> {
  using type = const char*;
  static constexpr bool is_always_there = true;
};

template <class F, class T>
using found_by = std::decay_t<std::invoke_result_t<F, const T&>>;

template <class V>
constexpr value_kind kind_of_value() {
  if constexpr (std::is_same_v<V, bool>)
    return value_kind::truth;
  else if constexpr (std::is_arithmetic_v<V> || std::is_same_v<V, nlohmann::ordered_json>)
    return value_kind::number;
  else if constexpr (std::is_enum_v<V> || std::is_convertible_v<const V&, std::string_view>)
    return value_kind::text;
  else
    return value_kind::list;
}

// Calls f(thing) if there is one; says null where that is wanted.
template <class V, class F>
void with_content(json_text& t, const std::string& name, const V& found, F f) {
  if constexpr (content<V>::is_always_there) {
    f(found);
  } else if (found) {
    f(*found);
  } else if constexpr (std::is_same_v<V, nullable<typename content<V>::type>>) {
    t.add(name, nlohmann::ordered_json());
  }
}

// Adds fields to those of a part: one, and all of another part below a name.
void list_field(std::vector<report_field>& to, std::string_view path, value_kind kind, std::string_view unit,
                std::string_view meaning);
void list_fields(std::vector<report_field>& to, std::string_view name, const std::vector<report_field>& fields);

template <class V>
void put_value(json_text& t, const std::string& name, const V& value, const std::string& unit) {
  if constexpr (std::is_enum_v<V>)
    put_value(t, name, name_of(value), unit);
  else if (unit.empty())
    t.add(name, value);
  else
    t.add(name, value, unit);
}

}  // namespace detail

// A part of a report of T: its values, each with name, unit, meaning and where it is.
template <class T>
class report_part {
 public:
  using put_function = std::function<void(json_text&, const T&)>;

  // `get`, a member or a function of a T, gives a number, a text, a truth value, an enumerator or a list of these; what
  // is an optional is left out where it has none.
  template <class F>
  report_part&& value(std::string_view name, std::string_view unit, std::string_view meaning, F get) {
    using v = typename detail::content<detail::found_by<F, T>>::type;
    detail::list_field(fields_, name, detail::kind_of_value<v>(), unit, meaning);
    return by(name, unit, [get](json_text& t, const T& from, const place& p) {
      detail::with_content(t, p.name, std::invoke(get, from),
                           [&](const auto& value) { detail::put_value(t, p.name, value, p.unit); });
    });
  }
  // What several reports call and explain alike.
  template <class F>
  report_part&& value(const report_row& row, F get) {
    return value(row.name, row.unit, row.meaning, get);
  }
  // Without a unit.
  template <class F>
  report_part&& value(std::string_view name, std::string_view meaning, F get) {
    return value(name, "", meaning, get);
  }
  // A text, left out where it is empty.
  template <class F>
  report_part&& text(std::string_view name, std::string_view meaning, F get) {
    detail::list_field(fields_, name, value_kind::text, "", meaning);
    return by(name, "", [get](json_text& t, const T& from, const place& p) {
      const std::string found = std::invoke(get, from);
      if (!found.empty()) t.add(p.name, found);
    });
  }
  // Values by names that are free, where there are any.
  template <class F>
  report_part&& map(std::string_view name, std::string_view unit, std::string_view meaning, F get) {
    using v = typename detail::found_by<F, T>::value_type::second_type;
    detail::list_field(fields_, std::string(name) + ".*", detail::kind_of_value<v>(), unit, meaning);
    return by(name, unit, [get](json_text& t, const T& from, const place& p) {
      const auto& found = std::invoke(get, from);
      if (found.empty()) return;
      const auto all = t.object(p.name);
      for (const auto& [key, value] : found) detail::put_value(t, json_text::as_key(key), value, p.unit);
    });
  }
  // An object of its own, or with the name "" values beside the others; `get` gives a U, or a pointer to one or an
  // optional, and nothing is said where there is none.
  template <class F, class U>
  report_part&& part(std::string_view name, const report_part<U>& of, F get) {
    detail::list_fields(fields_, name, of.fields());
    return by(name, "", [get, of](json_text& t, const T& from, const place& p) {
      detail::with_content(t, p.name, std::invoke(get, from), [&](const U& found) {
        if (p.name.empty()) return of.put(t, found);
        const auto all = t.object(p.name);
        of.put(t, found);
      });
    });
  }
  // All of another part, below a name.
  report_part&& group(std::string_view name, const report_part& of) {
    return part(name, of, [](const T& from) -> const T& { return from; });
  }
  // A list of objects; `get` gives a container of U, a pointer to one or an optional.
  template <class F, class U>
  report_part&& list(std::string_view name, const report_part<U>& of_each, F get) {
    detail::list_fields(fields_, std::string(name) + ".*", of_each.fields());
    return by(name, "", [get, of_each](json_text& t, const T& from, const place& p) {
      detail::with_content(t, p.name, std::invoke(get, from), [&](const auto& found) {
        const auto all = t.list(p.name);
        for (const U& each : found) {
          const auto one = t.element();
          of_each.put(t, each);
        }
      });
    });
  }
  // What has been added last is left out where `shown`, a member or a function of a T, is false.
  template <class F>
  report_part&& where(F shown) {
    rows_.back().put = [put = std::move(rows_.back().put), shown](json_text& t, const T& from, const place& p) {
      if (std::invoke(shown, from)) put(t, from, p);
    };
    return std::move(*this);
  }
  // What is listed or put otherwise.
  report_part&& also(const std::vector<report_field>& fields, put_function put) {
    detail::list_fields(fields_, "", fields);
    return by("", "", [put = std::move(put)](json_text& t, const T& from, const place&) { put(t, from); });
  }

  // Writes the values of an object.
  void put(json_text& t, const T& from) const {
    for (const placed& r : rows_) r.put(t, from, r.at);
  }
  // The values of an object as JSON.
  nlohmann::ordered_json json(const T& from) const {
    return json_tree([&](json_text& t) { put(t, from); });
  }
  // What is listed, with paths below that of the part itself.
  std::vector<report_field> fields() const { return fields_; }
  // The same below `name`.
  std::vector<report_field> fields(const std::string& name) const {
    std::vector<report_field> all;
    detail::list_fields(all, name, fields_);
    return all;
  }

 private:
  // Names and units stand beside the functions, not in them: a function of its own type for each row that copies texts
  // takes the compiler longer than all else in a report.
  struct place {
    std::string name, unit;
  };
  using put_row = std::function<void(json_text&, const T&, const place&)>;
  struct placed {
    put_row put;
    place at;
  };
  report_part&& by(std::string_view name, std::string_view unit, put_row put) {
    rows_.push_back({std::move(put), {std::string(name), std::string(unit)}});
    return std::move(*this);
  }

  std::vector<report_field> fields_;
  std::vector<placed> rows_;
};

}  // namespace pws
