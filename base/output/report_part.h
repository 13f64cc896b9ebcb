// SPDX-License-Identifier: Apache-2.0
// What a report says of a T, each value once: name, unit, meaning, and where in a T it is. Its JSON and the list of
// what reports can have (`pwsvp reference`) are made of that.
//
//   const report_part<launch_choice::code>& code_part() {
//     using c = launch_choice::code;
//     static const report_part<c> all = report_part<c>()
//         .value("bound", &c::bound, "cycles", "of all launches at most")
//         .value("no_bound", &c::problem, "", "why there is none");
//     return all;
//   }
#pragma once

#include <functional>
#include <optional>
#include <string>
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

namespace detail {

template <class V>
struct without_optional {
  using type = V;
};
template <class V>
struct without_optional<std::optional<V>> {
  using type = V;
};

template <class V>
constexpr value_kind kind_of_value() {
  if constexpr (std::is_same_v<V, bool>)
    return value_kind::truth;
  else if constexpr (std::is_arithmetic_v<V>)
    return value_kind::number;
  else if constexpr (std::is_convertible_v<const V&, std::string_view>)
    return value_kind::text;
  else
    return value_kind::list;
}

// Whether there is something: of pointers and optionals; all else is there.
template <class V>
bool is_there(const V& v) {
  if constexpr (std::is_pointer_v<V> && !std::is_convertible_v<V, std::string_view>)
    return v != nullptr;
  else if constexpr (!std::is_same_v<typename without_optional<V>::type, V>)
    return v.has_value();
  else
    return true;
}
template <class V>
const auto& thing_in(const V& v) {
  if constexpr ((std::is_pointer_v<V> && !std::is_convertible_v<V, std::string_view>) ||
                !std::is_same_v<typename without_optional<V>::type, V>)
    return *v;
  else
    return v;
}

}  // namespace detail

// A part of a report of T: its values, each with name, unit, meaning and where it is.
template <class T>
class report_part {
 public:
  using put_function = std::function<void(json_text&, const T&)>;

  // `get`, a member or a function of a T, gives a number, a text, a truth value or a list of these; what is an optional
  // is left out where it has none.
  template <class F>
  report_part&& value(const std::string& name, F get, const std::string& unit, const std::string& meaning) {
    using v = typename detail::without_optional<std::decay_t<std::invoke_result_t<F, const T&>>>::type;
    return also({{name, detail::kind_of_value<v>(), unit, meaning}}, [name, unit, get](json_text& t, const T& from) {
      const auto& found = std::invoke(get, from);
      if (!detail::is_there(found)) return;
      if (unit.empty())
        t.add(name, detail::thing_in(found));
      else
        t.add(name, detail::thing_in(found), unit);
    });
  }
  // Numbers by a name that is free.
  template <class F>
  report_part&& map(const std::string& name, F get, const std::string& unit, const std::string& meaning) {
    return also({{name + ".*", value_kind::number, unit, meaning}}, [name, unit, get](json_text& t, const T& from) {
      const auto& found = std::invoke(get, from);
      if (found.empty()) return;
      const auto all = t.object(name);
      for (const auto& [key, n] : found) t.add(key, n, unit);
    });
  }
  // An object of its own, or with the name "" values beside the others; `get` gives a U, or a pointer to one or an
  // optional, and nothing is said where there is none.
  template <class F, class U>
  report_part&& part(const std::string& name, F get, const report_part<U>& of) {
    return also(of.fields(name), [name, get, of](json_text& t, const T& from) {
      const auto& found = std::invoke(get, from);
      if (!detail::is_there(found)) return;
      if (name.empty()) return of.put(t, detail::thing_in(found));
      const auto all = t.object(name);
      of.put(t, detail::thing_in(found));
    });
  }
  // All of another part, below a name.
  report_part&& group(const std::string& name, const report_part& of) {
    return part(
        name, [](const T& from) -> const T& { return from; }, of);
  }
  // A list of objects; `get` gives a container of U.
  template <class F, class U>
  report_part&& list(const std::string& name, F get, const report_part<U>& of_each) {
    return also(of_each.fields(name + ".*"), [name, get, of_each](json_text& t, const T& from) {
      const auto& found = std::invoke(get, from);
      if (!detail::is_there(found)) return;
      const auto all = t.list(name);
      for (const U& each : detail::thing_in(found)) {
        const auto one = t.element();
        of_each.put(t, each);
      }
    });
  }
  // What is listed or put otherwise.
  report_part&& also(const std::vector<report_field>& fields, put_function put) {
    fields_.insert(fields_.end(), fields.begin(), fields.end());
    puts_.push_back(std::move(put));
    return std::move(*this);
  }

  // Writes the values of an object.
  void put(json_text& t, const T& from) const {
    for (const put_function& f : puts_) f(t, from);
  }
  // The values of an object as JSON.
  nlohmann::ordered_json json(const T& from) const {
    return json_tree([&](json_text& t) { put(t, from); });
  }
  // Their paths below `name`.
  std::vector<report_field> fields(const std::string& name = "") const {
    std::vector<report_field> all = fields_;
    for (report_field& f : all)
      if (!name.empty()) f.path = name + "." + f.path;
    return all;
  }

 private:
  std::vector<report_field> fields_;
  std::vector<put_function> puts_;
};

}  // namespace pws
