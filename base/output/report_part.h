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
  report_part&& value(const std::string& name, const std::string& unit, const std::string& meaning, F get) {
    using v = typename detail::content<detail::found_by<F, T>>::type;
    return also({{name, detail::kind_of_value<v>(), unit, meaning}}, [name, unit, get](json_text& t, const T& from) {
      detail::with_content(t, name, std::invoke(get, from),
                           [&](const auto& value) { detail::put_value(t, name, value, unit); });
    });
  }
  template <class F>
  report_part&& value(const report_row& row, F get) {
    return value(row.name, row.unit, row.meaning, get);
  }
  template <class F>
  report_part&& value(const std::string& name, const std::string& meaning, F get) {
    return value(name, "", meaning, get);
  }
  // A text, left out where it is empty.
  template <class F>
  report_part&& text(const std::string& name, const std::string& meaning, F get) {
    const auto said = [get](const T& from) {
      std::string found = std::invoke(get, from);
      return found.empty() ? std::nullopt : std::optional(std::move(found));
    };
    return value(name, "", meaning, said);
  }
  // Values by names that are free, where there are any.
  template <class F>
  report_part&& map(const std::string& name, const std::string& unit, const std::string& meaning, F get) {
    using v = typename detail::found_by<F, T>::value_type::second_type;
    return also({{name + ".*", detail::kind_of_value<v>(), unit, meaning}},
                [name, unit, get](json_text& t, const T& from) {
                  const auto& found = std::invoke(get, from);
                  if (found.empty()) return;
                  const auto all = t.object(name);
                  for (const auto& [key, value] : found) detail::put_value(t, json_text::as_key(key), value, unit);
                });
  }
  // An object of its own, or with the name "" values beside the others; `get` gives a U, or a pointer to one or an
  // optional, and nothing is said where there is none.
  template <class F, class U>
  report_part&& part(const std::string& name, const report_part<U>& of, F get) {
    return also(of.fields(name), [name, get, of](json_text& t, const T& from) {
      detail::with_content(t, name, std::invoke(get, from), [&](const U& found) {
        if (name.empty()) return of.put(t, found);
        const auto all = t.object(name);
        of.put(t, found);
      });
    });
  }
  // All of another part, below a name.
  report_part&& group(const std::string& name, const report_part& of) {
    return part(name, of, [](const T& from) -> const T& { return from; });
  }
  // A list of objects; `get` gives a container of U, a pointer to one or an optional.
  template <class F, class U>
  report_part&& list(const std::string& name, const report_part<U>& of_each, F get) {
    return also(of_each.fields(name + ".*"), [name, get, of_each](json_text& t, const T& from) {
      detail::with_content(t, name, std::invoke(get, from), [&](const auto& found) {
        const auto all = t.list(name);
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
    puts_.back() = [put = std::move(puts_.back()), shown](json_text& t, const T& from) {
      if (std::invoke(shown, from)) put(t, from);
    };
    return std::move(*this);
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
