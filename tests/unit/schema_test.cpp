// SPDX-License-Identifier: Apache-2.0
// The schema engine alone: a made-up file with a key of every kind.
#include "platform/config/schema.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "platform/config/overrides.h"

namespace pws::platform::schema_test {
namespace {

enum class colour : uint8_t { red = 3, green = 7 };
constexpr auto enumerators(colour) {
  return std::array{named{colour::red, "red"}, named{colour::green, "green"}};
}

struct wheel {
  uint32_t size = 20;
  std::string maker;
};
struct engine {
  uint64_t power = 100;
  wheel fan{5, "fan"};
};
struct car {
  uint8_t doors = 4;
  int32_t offset = -1;
  uint64_t serial = 0;
  std::optional<uint64_t> owner;
  uint32_t lanes = 16;
  bool sold = false;
  colour paint = colour::green;
  double weight = 1.5;
  std::string name = "none";
  located_text road;
  std::string plan;
  std::vector<std::string> tags;
  std::vector<uint16_t> gears{1, 2};
  engine motor;
  std::vector<wheel> wheels;
  std::vector<std::pair<std::string, std::string>> prices;
  uint64_t seats = 2;
  uint64_t litres = 0, volts = 0, gap = 1;
};

const schema<wheel>& wheel_schema() {
  static const schema<wheel> s = [] {
    schema<wheel> made;
    made.integer("size", &wheel::size, "inch", {1, 100}, "across").required();
    made.text("maker", &wheel::maker, "who made it");
    return made;
  }();
  return s;
}

const schema<wheel>& fan_schema() {
  static const schema<wheel> s = [] {
    schema<wheel> made;
    made.integer("size", &wheel::size, "inch", {1, 10}, "of the fan");
    return made;
  }();
  return s;
}

const schema<engine>& engine_schema() {
  static const schema<engine> s = [] {
    schema<engine> made;
    made.integer("power", &engine::power, "kW", {1, 1000}, "at most");
    made.group("fan", &engine::fan, fan_schema());
    return made;
  }();
  return s;
}

bool read_price(const value_at& v, const yaml_entry& entry, car& to) {
  const auto text = v.read.text(v.node, v.path);
  if (text) to.prices.emplace_back(entry.key, *text);
  return text.has_value();
}

bool read_seats(const value_at& v, car& to) {
  const auto n = v.read.integer(v.node, v.path, v.about);
  if (!n) return false;
  to.seats = *n * to.doors;  // of a later step: doors is known
  return true;
}

schema<car> make_car() {
  schema<car> s;
  s.custom("seats", field_kind::integer, "per door", read_seats).range("", {1, 3}).by_default("a bench").step(1);
  s.integer("doors", &car::doors, "", {0, 255}, "ways in");
  s.integer("offset", &car::offset, "mm", {-100, 100}, "of the driver");
  s.integer("serial", &car::serial, "", {0, UINT64_MAX}, "of the car");
  s.integer("owner", &car::owner, "", {1, 9}, "by number");
  s.integer_of("lanes", &car::lanes, "", {16, 64}, "either");
  s.boolean("sold", &car::sold, "or not");
  s.choice("paint", &car::paint, "its colour");
  s.real("weight", &car::weight, "in all").then([](const value_at& v, car& to) {
    if (to.weight < 0) v.issue("is below zero");
  });
  s.text("name", &car::name, "what it is called").required();
  s.text("road", &car::road, "where it is");
  s.file("plan", &car::plan, "drawing");
  s.texts("tags", &car::tags, "any");
  s.integers("gears", &car::gears, "", {1, 300}, "in order");
  s.mapping("motor", &car::motor, engine_schema(), "what drives it");
  s.list("wheels", &car::wheels, wheel_schema(), "from the left");
  s.names_to("prices", "SHOP: text", read_price);
  const auto& litres = s.integer("litres", &car::litres, "", {1, 99}, "of petrol").step(1);
  const auto& volts = s.integer("volts", &car::volts, "", {1, 99}, "of the battery").step(1);
  s.one_of({&litres, &volts});
  s.integer("gap", &car::gap, "", {1, 9}, "to the next").by_default("touching").step(2);
  s.allow("base");
  return s;
}

const schema<car>& car_schema() {
  static const schema<car> s = make_car();
  return s;
}

struct outcome {
  car value;
  bool good = false;
  std::string issues;  // without the file's name
};

// A name that no other process has: tests run side by side.
std::string own_file(const std::string& name) {
  return testing::TempDir() + "/" + std::to_string(getpid()) + name;
}

outcome read_text(const std::string& text, const std::vector<std::string>& overrides = {},
                  const override_rules& rules = {}, bool as_written = false) {
  const std::string file = own_file("schema_test.yaml");
  std::ofstream(file) << text;
  outcome o;
  issue_list issues(file);
  reader read(issues);
  read.as_written = as_written;
  yaml_node root;
  EXPECT_TRUE(parse_yaml_file(file, "", root, issues));
  apply_overrides(root, overrides, issues, rules);
  o.good = car_schema().read(root, "", o.value, read);
  try {
    issues.throw_if_any();
  } catch (const config_error& e) {
    for (const config_issue& i : e.issues())
      o.issues +=
          (i.where.is_override() ? "set" : std::to_string(i.where.line()) + ":" + std::to_string(i.where.column())) +
          " " + i.path + ": " + i.problem + "\n";
  }
  return o;
}

// With what is required.
outcome read_with(const std::string& line) {
  return read_text("name: x\n" + (line.find("litres") == std::string::npos ? "volts: 1\n" + line : line) + "\n");
}
std::string issues_of(const std::string& line) {
  const outcome o = read_with(line);
  EXPECT_EQ(o.good, o.issues.empty()) << line << "\n" << o.issues;
  return o.issues;
}

TEST(schema, every_kind_reaches_its_member) {
  const std::string plan = testing::TempDir() + "/schema_plan";
  std::ofstream(plan) << "p";
  const outcome o = read_text(
      "doors: 3\noffset: -100\nserial: 0xffffffffffffffff\nowner: 9\nlanes: 64\nsold: true\npaint: red\n"
      "weight: 1e3\nname: 'x y'\nroad: A1\nplan: schema_plan\ntags: [a, 'b c']\ngears: [300, 1]\n"
      "motor: {power: 7, fan: {size: 2}}\nwheels: [{size: 1, maker: m}, {size: 100}]\nprices: {q: 1, p: 2}\n"
      "seats: 2\nvolts: 12\nbase: anything\n");
  EXPECT_TRUE(o.good);
  EXPECT_EQ(o.issues, "");
  const car& c = o.value;
  EXPECT_EQ(c.doors, 3);
  EXPECT_EQ(c.offset, -100);
  EXPECT_EQ(c.serial, UINT64_MAX);
  EXPECT_EQ(c.owner, 9u);
  EXPECT_EQ(c.lanes, 64u);
  EXPECT_TRUE(c.sold);
  EXPECT_EQ(c.paint, colour::red);  // by its name, wherever it stands among the enumerators
  EXPECT_EQ(c.weight, 1000);
  EXPECT_EQ(c.name, "x y");
  EXPECT_EQ(c.road.text + " " + c.road.path + " " + std::to_string(c.road.where.line()), "A1 road 10");
  EXPECT_EQ(c.plan, std::filesystem::path(plan).lexically_normal().string());
  EXPECT_EQ(c.tags, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(c.gears, (std::vector<uint16_t>{300, 1}));
  EXPECT_EQ(c.motor.power, 7u);
  EXPECT_EQ(c.motor.fan.size, 2u);
  ASSERT_EQ(c.wheels.size(), 2u);
  EXPECT_EQ(c.wheels[0].maker, "m");
  EXPECT_EQ(c.wheels[1].size, 100u);
  EXPECT_EQ(c.prices, (std::vector<std::pair<std::string, std::string>>{{"q", "1"}, {"p", "2"}}));
  EXPECT_EQ(c.seats, 6u);
  EXPECT_EQ(c.volts, 12u);
  EXPECT_EQ(c.litres, 0u);
}

TEST(schema, what_is_left_out_keeps_its_default) {
  const outcome o = read_text("{name: x, litres: 1}");
  EXPECT_TRUE(o.good);
  EXPECT_EQ(o.value.doors, 4);
  EXPECT_EQ(o.value.paint, colour::green);
  EXPECT_EQ(o.value.owner, std::nullopt);
  EXPECT_EQ(o.value.gears, (std::vector<uint16_t>{1, 2}));
  EXPECT_EQ(o.value.motor.fan.size, 5u);
}

TEST(schema, ranges_hold_at_both_ends_and_beyond) {
  for (const char* good : {"doors: 0", "doors: 255", "offset: 100", "offset: -100", "serial: 0", "gears: [1, 300]",
                           "serial: 18446744073709551615", "doors: 0xff", "motor: {power: 1}", "gears: []"})
    EXPECT_EQ(issues_of(good), "") << good;
  EXPECT_EQ(issues_of("doors: 256"), "3:8 doors: 256 is above the maximum 255 (range 0..255)\n");
  EXPECT_EQ(issues_of("doors: -1"), "3:8 doors: -1 is below the minimum 0 (range 0..255)\n");
  EXPECT_EQ(issues_of("offset: -101"), "3:9 offset: -101 is below the minimum -100 (range -100..100)\n");
  EXPECT_EQ(issues_of("serial: 18446744073709551616"),
            "3:9 serial: 18446744073709551616 is above the maximum 18446744073709551615 (range "
            "0..18446744073709551615)\n");
  EXPECT_EQ(issues_of("doors: -99999999999999999999"),
            "3:8 doors: -99999999999999999999 is below the minimum 0 (range 0..255)\n");
  EXPECT_EQ(issues_of("gears: [1, 0, 301]"),
            "3:12 gears.1: 0 is below the minimum 1 (range 1..300)\n"
            "3:15 gears.2: 301 is above the maximum 300 (range 1..300)\n");
  EXPECT_EQ(issues_of("lanes: 32"), "3:8 lanes: 32 is not one of 16, 64\n");
  EXPECT_EQ(issues_of("weight: 1e999"), "3:9 weight: 1e999 is too large\n");
  EXPECT_EQ(issues_of("weight: -1"), "3:9 weight: is below zero\n");
  EXPECT_EQ(read_with("doors: 256").value.doors, 4);  // a refused value is not taken
}

TEST(schema, wrong_types) {
  EXPECT_EQ(issues_of("doors: '3'"), "3:8 doors: expected an integer, got the text '3'\n");
  EXPECT_EQ(issues_of("doors: [3]"), "3:8 doors: expected an integer, got a list\n");
  EXPECT_EQ(issues_of("doors:"), "3:1 doors: expected an integer, got nothing\n");
  EXPECT_EQ(issues_of("sold: yes"), "3:7 sold: 'yes' is not one of false, true\n");
  EXPECT_EQ(issues_of("paint: gren"), "3:8 paint: 'gren' is not one of red, green; did you mean green?\n");
  EXPECT_EQ(issues_of("paint: 7"), "3:8 paint: '7' is not one of red, green\n");
  EXPECT_EQ(issues_of("road: ''"), "3:7 road: expected a text, got an empty one\n");
  EXPECT_EQ(issues_of("plan: nowhere").substr(0, 29), "3:7 plan: there is no file '" + testing::TempDir().substr(0, 1));
  EXPECT_EQ(issues_of("tags: a"), "3:7 tags: expected a list, got the text 'a'\n");
  EXPECT_EQ(issues_of("tags: [a, {}]"), "3:11 tags.1: expected a text, got a mapping\n");
  EXPECT_EQ(issues_of("weight: heavy"), "3:9 weight: expected a number, got 'heavy'\n");
  EXPECT_EQ(issues_of("motor: 3"), "3:8 motor: expected a mapping (key: value), got the text '3'\n");
  EXPECT_EQ(issues_of("wheels: {}"), "3:9 wheels: expected a list, got a mapping\n");
  EXPECT_EQ(issues_of("prices: []"), "3:9 prices: expected a mapping (key: value), got a list\n");
  EXPECT_EQ(issues_of("prices: {a: []}"), "3:13 prices.a: expected a text, got a list\n");
}

TEST(schema, paths_of_what_is_nested) {
  EXPECT_EQ(issues_of("motor: {fan: {size: 11}}"), "3:21 motor.fan.size: 11 is above the maximum 10 (range 1..10)\n");
  EXPECT_EQ(read_with("motor: {fan: {sise: 1}}").issues, "3:15 motor.fan.sise: unknown key; did you mean size?\n");
  EXPECT_EQ(issues_of("wheels: [{size: 1}, {maker: m}, 7, {size: 0}]"),
            "3:21 wheels.1.size: this key is required and missing\n"
            "3:33 wheels.2: expected a mapping (key: value), got the text '7'\n"
            "3:43 wheels.3.size: 0 is below the minimum 1 (range 1..100)\n");
  EXPECT_NE(issues_of("wheels: [{size: 0}, {size: 1}]"), "");  // a good one does not make up for a bad one
  EXPECT_EQ(read_with("wheels: [{size: 1}, 7, {size: 0}]").value.wheels.size(), 2u);  // mappings, good or not
}

TEST(schema, unknown_missing_and_duplicate_keys) {
  EXPECT_EQ(read_text("{volts: 1}").issues, "1:1 name: this key is required and missing\n");
  EXPECT_FALSE(read_text("{volts: 1}").good);
  const outcome unknown = read_with("door: 1");
  EXPECT_EQ(unknown.issues, "3:1 door: unknown key; did you mean doors?\n");
  EXPECT_TRUE(unknown.good);  // of the values that there are
  EXPECT_NE(read_with("zzzzzz: 1").issues.find("known here: seats, doors, "), std::string::npos);
  EXPECT_NE(read_with("zzzzzz: 1").issues.find("gap, base\n"), std::string::npos);
  const std::string file = own_file("schema_test.yaml");
  std::ofstream(file) << "doors: 1\ndoors: 2\n";
  issue_list issues(file);
  yaml_node root;
  parse_yaml_file(file, "", root, issues);
  EXPECT_EQ(issues.size(), 1u);
  EXPECT_EQ(read_text("[1]").issues, "1:1 : expected a mapping (key: value), got a list\n");
}

TEST(schema, exactly_one_of_alternatives) {
  EXPECT_EQ(read_text("name: x").issues, "1:1 : needs one of litres, volts\n");
  EXPECT_EQ(issues_of("litres: 1\nvolts: x"), "3:1 volts: cannot stand beside litres; give one of them\n");
  // What would be read behind them is not; seats is of the same step, but registered before.
  EXPECT_EQ(read_text("{name: x, gap: 0, seats: 9}").issues,
            "1:1 : needs one of litres, volts\n1:26 seats: 9 is above the maximum 3 (range 1..3)\n");
}

TEST(schema, overrides_replace_make_and_exclude) {
  const std::string text = "name: x\nlitres: 5\nwheels: [{size: 1}]\n";
  EXPECT_EQ(read_text(text, {"wheels.0.size=9", "motor.fan.size=3", "doors=7"}).value.wheels[0].size, 9u);
  EXPECT_EQ(read_text(text, {"motor.fan.size=3"}).value.motor.fan.size, 3u);
  EXPECT_EQ(read_text(text, {"doors=x", "paint=blue"}).issues,
            "set doors: expected an integer, got 'x'\nset paint: 'blue' is not one of red, green\n");
  EXPECT_EQ(read_text(text, {"volts=3"}).issues, "set volts: cannot stand beside litres; give one of them\n");
  override_rules rules;
  rules.alternatives = {{"motor.*", car_schema().alternatives()}};
  issue_list issues("");
  yaml_node root;
  ASSERT_TRUE(parse_yaml_override("{motor: {a: {litres: 1, power: 2}, litres: 3}}", "", root, issues));
  apply_overrides(root, {"motor.a.volts=3", "motor.volts=4"}, issues, rules);
  const yaml_node& motor = *root.find("motor");
  EXPECT_EQ(motor.find("a")->find("litres"), nullptr);  // volts took its place
  EXPECT_NE(motor.find("a")->find("power"), nullptr);
  EXPECT_NE(motor.find("litres"), nullptr);  // another place
  rules = {};
  rules.short_key = "motor";
  rules.short_for = "power";
  EXPECT_EQ(read_text("name: x\nvolts: 1\nmotor: 50\n", {"motor.fan.size=3"}, rules).value.motor.power, 50u);
}

TEST(schema, overrides_that_would_drop_others) {
  const std::string text = "name: x\nlitres: 5\nwheels: [{size: 1}, {size: 2}]\n";
  const auto issues_of = [&](const std::vector<std::string>& overrides) { return read_text(text, overrides).issues; };
  const auto dropped = [](const std::string& place, const std::string& second, const std::string& first) {
    return "set " + place + ": " + second + " would drop " + first + ", which is set in front of it: set " + place +
           " first\n";
  };
  EXPECT_EQ(issues_of({"motor.fan.size=3", "motor={power: 2}"}),
            dropped("motor", "motor={power: 2}", "motor.fan.size=3"));
  EXPECT_EQ(issues_of({"motor.fan.size=3", "doors=4", "motor.fan={}"}),
            dropped("motor.fan", "motor.fan={}", "motor.fan.size=3"));
  EXPECT_EQ(issues_of({"wheels.1.size=3", "wheels=[]"}), dropped("wheels", "wheels=[]", "wheels.1.size=3"));
  EXPECT_EQ(issues_of({"doors=3", "doors.left=4"}),
            "set doors.left: doors.left=4 would drop doors=3, which is set in front of it: set one of them\n");
  // The other order, the same key again, a neighbour whose name begins alike, and what the file has.
  EXPECT_EQ(read_text(text, {"motor={power: 2}", "motor.fan.size=3"}).value.motor.power, 2u);
  EXPECT_EQ(read_text(text, {"wheels.0.size=3", "wheels.0.size=4"}).value.wheels[0].size, 4u);
  EXPECT_EQ(read_text(text, {"wheels.0.size=3", "wheels.1={size: 7}"}).value.wheels[1].size, 7u);
  EXPECT_EQ(issues_of({"wheels.1.size=3", "wheels.1.size=4", "doors=2"}), "");
  override_rules rules;
  rules.short_key = "motor";
  rules.short_for = "power";
  EXPECT_EQ(read_text(text, {"motor=50", "motor.fan.size=3"}, rules).value.motor.power, 50u);
  EXPECT_EQ(read_text(text, {"motor.fan.size=3", "motor=50"}, rules).issues,
            dropped("motor", "motor=50", "motor.fan.size=3"));
}

TEST(schema, order_of_messages_without_a_place) {
  // All at "--set": in the order in which they are read, by step and then as registered, or as written.
  const std::string text = "name: x\nvolts: 1\n";
  EXPECT_EQ(read_text(text, {"seats=9", "paint=x", "doors=x"}).issues,
            "set doors: expected an integer, got 'x'\nset paint: 'x' is not one of red, green\n"
            "set seats: 9 is above the maximum 3 (range 1..3)\n");
  EXPECT_EQ(read_text(text, {"seats=9", "paint=x", "doors=x"}, {}, true).issues,
            "set seats: 9 is above the maximum 3 (range 1..3)\nset paint: 'x' is not one of red, green\n"
            "set doors: expected an integer, got 'x'\n");
}

TEST(schema, a_reader_can_watch_every_value) {
  const std::string file = own_file("schema_test.yaml");
  std::ofstream(file) << "{name: x, volts: 1, doors: 256, motor: {power: 3, fan: {size: 0}}}";
  issue_list issues(file);
  reader read(issues);
  std::string seen;
  read.watch = [&seen](const std::string& path, const origin&, bool good) { seen += path + (good ? " " : "! "); };
  read.elsewhere = {"motor.fan.size"};
  yaml_node root;
  ASSERT_TRUE(parse_yaml_file(file, "", root, issues));
  car c;
  EXPECT_FALSE(car_schema().read(root, "", c, read));
  EXPECT_EQ(seen, "doors! name motor.power motor.fan.size! volts ");  // mappings are none
}

TEST(schema, fields_for_listings) {
  std::string all;
  for (const field& f : car_schema().fields("car."))
    all += f.path + "|" + f.type_text() + "|" + (f.required ? "required" : f.default_text) + "|" + f.unit + "|" +
           f.range_text() + "\n";
  EXPECT_EQ(all,
            "car.seats|integer|a bench||1..3\ncar.doors|integer|4||0..255\ncar.offset|integer|-1|mm|-100..100\n"
            "car.serial|integer|0||0..18446744073709551615\ncar.owner|integer|||1..9\ncar.lanes|16 | 64|16||\n"
            "car.sold|false | true|false||\ncar.paint|red | green|green||\ncar.weight|number|1.5||\n"
            "car.name|text|required||\ncar.road|text|||\ncar.plan|file|||\ncar.tags|list of texts|[]||\n"
            "car.gears|list of integers|[1, 2]||1..300\ncar.motor|mapping|||\n"
            "car.motor.power|integer|100|kW|1..1000\ncar.motor.fan.size|integer|5|inch|1..10\n"
            "car.wheels|list of mappings|[]||\ncar.wheels.*.size|integer|required|inch|1..100\n"
            "car.wheels.*.maker|text|||\ncar.prices|mapping|||\ncar.litres|integer|0||1..99\n"
            "car.volts|integer|0||1..99\ncar.gap|integer|touching||1..9\n");
  car other;
  other.motor.fan.size = 8;
  other.gears.clear();
  std::string text;
  for (const field& f : car_schema().fields("", other))
    if (f.path == "motor.fan.size" || f.path == "gears") text += f.default_text + " ";
  EXPECT_EQ(text, "[] 8 ");
}

TEST(schema, mistakes_in_a_schema_stop_the_program) {
  EXPECT_DEATH(
      {
        schema<car> s;
        s.integer("doors", &car::doors, "", {0, 256}, "");
      },
      "the range of doors is not one of its member's type");
  EXPECT_DEATH(
      {
        schema<car> s;
        s.boolean("sold", &car::sold, "");
        s.text("sold", &car::name, "");
      },
      "key sold is there twice");
}

// Random values for random keys: what is taken is in range, and everything else is an issue.
TEST(schema, random_integers_are_taken_or_refused) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 500; ++n) {
    const int64_t value = static_cast<int64_t>(random() % 700) - 200;
    const std::string text = std::to_string(value);
    const outcome o = read_with("doors: " + text + "\noffset: " + text + "\nowner: " + text);
    const bool doors = value >= 0 && value <= 255, offset = value >= -100 && value <= 100;
    const bool owner = value >= 1 && value <= 9;
    EXPECT_EQ(o.value.doors, doors ? value : 4);
    EXPECT_EQ(o.value.offset, offset ? value : -1);
    EXPECT_EQ(o.value.owner.has_value(), owner);
    EXPECT_EQ(std::count(o.issues.begin(), o.issues.end(), '\n'), !doors + !offset + !owner);
  }
}

TEST(enum_names, both_ways) {
  static_assert(value_named<colour>("green") == colour::green);
  EXPECT_STREQ(name_of(colour::red), "red");
  EXPECT_EQ(value_named<colour>("Red"), std::nullopt);
  EXPECT_EQ(value_named<colour>(""), std::nullopt);
  EXPECT_EQ(value_named<colour>("redder"), std::nullopt);
  EXPECT_EQ(names<colour>(), (std::vector<std::string>{"red", "green"}));
  EXPECT_STREQ(name_of(static_cast<colour>(0)), "?");
}

}  // namespace
}  // namespace pws::platform::schema_test
