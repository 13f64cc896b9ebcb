// SPDX-License-Identifier: Apache-2.0
// Each rule of the checker, broken by an initiator or a target that does this one thing wrong.
#include "tests/tlm/protocol_rules.h"

#include <gmock/gmock.h>

#include <list>
#include <map>

#include "models/bus/bus_width.h"
#include "tests/models/simulation.h"
#include "tests/tlm/protocol_pair.h"

namespace pws::test::protocol_rules_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using rule = protocol_rule;
using payload = tlm::tlm_generic_payload;
using tlm::tlm_phase;

struct note : tlm::tlm_extension<note> {
  tlm_extension_base* clone() const override { return new note; }
  void copy_from(const tlm_extension_base&) override {}
};

const sc_time ns(1, SC_NS);

// Sends a payload that something has been done to.
template <class F>
std::function<void(protocol_pair&)> sent_with(F change) {
  return [change](protocol_pair& p) {
    auto t = p.plain();
    change(t);
    p.blocking(t);
    t.set_byte_enable_ptr(nullptr);
  };
}

// Sends a right payload to a target that does something to it.
template <class F>
std::function<void(protocol_pair&)> changed_by_target(F change) {
  return [change](protocol_pair& p) {
    p.on_blocking = [change](payload& t, sc_time&) {
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      change(t);
    };
    auto t = p.plain();
    t.set_write();
    unsigned char enables[] = {0xff};
    t.set_byte_enable_ptr(enables);
    t.set_byte_enable_length(1);
    p.blocking(t);
    t.set_byte_enable_ptr(nullptr);
  };
}

// Asks for DMI where the target grants it otherwise than it should.
template <class F>
std::function<void(protocol_pair&)> granted_with(F change) {
  return [change](protocol_pair& p) {
    const auto right = p.on_dmi;
    p.on_dmi = [change, right](payload& t, tlm::tlm_dmi& d) {
      right(t, d);
      change(t, d);
      return true;
    };
    auto t = p.plain();
    p.dmi(t);
  };
}

class other_manager : public tlm::tlm_mm_interface {
  void free(payload*) override {}
};

unsigned char a_byte = 0xff;

const std::multimap<rule, std::function<void(protocol_pair&)>>& violations() {
  static note mark;
  static other_manager manager;
  static const std::multimap<rule, std::function<void(protocol_pair&)>> all{
      {rule::command, sent_with([](payload& t) { t.set_command(static_cast<tlm::tlm_command>(3)); })},
      {rule::data_pointer, sent_with([](payload& t) { t.set_data_ptr(nullptr); })},
      {rule::data_length, sent_with([](payload& t) { t.set_data_length(0); })},
      {rule::byte_enable_length, sent_with([](payload& t) {
         t.set_byte_enable_ptr(&a_byte);
         t.set_byte_enable_length(0);
       })},
      {rule::streaming_width, sent_with([](payload& t) { t.set_streaming_width(0); })},
      {rule::dmi_hint_cleared, sent_with([](payload& t) { t.set_dmi_allowed(true); })},
      {rule::response_incomplete, sent_with([](payload& t) { t.set_response_status(tlm::TLM_OK_RESPONSE); })},
      {rule::option_minimal, sent_with([](payload& t) { t.set_gp_option(tlm::TLM_FULL_PAYLOAD); })},
      {rule::attributes_kept, changed_by_target([](payload& t) { t.set_read(); })},
      {rule::attributes_kept, changed_by_target([](payload& t) { t.set_data_ptr(t.get_data_ptr() + 1); })},
      {rule::attributes_kept, changed_by_target([](payload& t) { t.set_data_length(8); })},
      {rule::attributes_kept, changed_by_target([](payload& t) { t.set_streaming_width(8); })},
      {rule::write_data_kept, changed_by_target([](payload& t) { ++t.get_data_ptr()[3]; })},
      {rule::byte_enables_kept, changed_by_target([](payload& t) { t.get_byte_enable_ptr()[0] = 0; })},
      {rule::address_restored, changed_by_target([](payload& t) { t.set_address(0); })},
      {rule::extensions_cleared,
       [](protocol_pair& p) {
         p.on_blocking = [](payload& t, sc_time&) {
           t.set_response_status(tlm::TLM_OK_RESPONSE);
           t.set_extension(&mark);
         };
         auto t = p.plain();
         p.blocking(t);
         t.clear_extension(&mark);
       }},
      {rule::memory_manager_cleared,
       [](protocol_pair& p) {
         p.on_blocking = [](payload& t, sc_time&) {
           t.set_response_status(tlm::TLM_OK_RESPONSE);
           t.set_mm(&manager);
         };
         auto t = p.plain();
         p.blocking(t);
         t.set_mm(nullptr);
       }},
      {rule::response_set,
       [](protocol_pair& p) {
         p.on_blocking = [](payload&, sc_time&) {};
         auto t = p.plain();
         p.blocking(t);
       }},
      {rule::response_set,
       [](protocol_pair& p) {
         p.on_forward = [](payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
         p.forward(p.pooled(), tlm::BEGIN_REQ);
       }},
      {rule::response_kept,
       [](protocol_pair& p) {
         p.on_backward = [](payload& t, tlm_phase&, sc_time&) {
           t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
           return tlm::TLM_COMPLETED;
         };
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::BEGIN_RESP);
       }},
      {rule::memory_manager,
       [](protocol_pair& p) {
         auto t = p.plain();
         p.on_forward = [](payload& u, tlm_phase&, sc_time&) {
           u.set_response_status(tlm::TLM_OK_RESPONSE);
           return tlm::TLM_COMPLETED;
         };
         p.forward(t, tlm::BEGIN_REQ);
       }},
      {rule::reference_count,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
         p.forward(t, tlm::BEGIN_REQ);
         t.set_response_status(tlm::TLM_OK_RESPONSE);
         t.release();  // too early
         p.backward(t, tlm::BEGIN_RESP);
       }},
      {rule::payload_in_use,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::END_REQ);
         p.forward(t, tlm::BEGIN_REQ);
       }},
      {rule::payload_in_use,
       [](protocol_pair& p) {
         bool inner = false;
         p.on_blocking = [&](payload& t, sc_time&) {
           if (!inner) {
             inner = true;
             p.blocking(t);
           }
           t.set_response_status(tlm::TLM_OK_RESPONSE);
         };
         auto t = p.plain();
         p.blocking(t);
       }},
      {rule::phase_direction,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.forward(t, tlm::END_REQ);
       }},
      {rule::phase_direction,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::END_RESP);
       }},
      {rule::phase_direction,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.on_backward = [](payload&, tlm_phase& phase, sc_time&) {
           phase = tlm::BEGIN_REQ;
           return tlm::TLM_UPDATED;
         };
         p.backward(t, tlm::BEGIN_RESP);
       }},
      {rule::phase_order,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.forward(t, tlm::END_RESP);
       }},
      {rule::phase_order, [](protocol_pair& p) { p.backward(p.pooled(), tlm::BEGIN_RESP); }},
      {rule::phase_order,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::END_REQ);
         p.backward(t, tlm::END_REQ);
       }},
      {rule::phase_order,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::BEGIN_RESP);
         p.on_forward = [](payload&, tlm_phase& phase, sc_time&) {
           phase = tlm::BEGIN_RESP;
           return tlm::TLM_UPDATED;
         };
         p.forward(t, tlm::END_RESP);
       }},
      {rule::completion,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.on_backward = [](payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
         p.backward(t, tlm::END_REQ);
       }},
      {rule::accepted_unchanged,
       [](protocol_pair& p) {
         p.on_forward = [](payload&, tlm_phase& phase, sc_time&) {
           phase = tlm::END_REQ;
           return tlm::TLM_ACCEPTED;
         };
         p.forward(p.pooled(), tlm::BEGIN_REQ);
       }},
      {rule::accepted_unchanged,
       [](protocol_pair& p) {
         p.on_backward = [](payload&, tlm_phase&, sc_time& delay) {
           delay += ns;
           return tlm::TLM_ACCEPTED;
         };
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.backward(t, tlm::BEGIN_RESP);
       }},
      {rule::request_exclusion,
       [](protocol_pair& p) {
         p.forward(p.pooled(), tlm::BEGIN_REQ);
         p.forward(p.pooled(), tlm::BEGIN_REQ);
       }},
      {rule::response_exclusion,
       [](protocol_pair& p) {
         payload &a = p.pooled(), &b = p.pooled();
         p.forward(a, tlm::BEGIN_REQ);
         p.backward(a, tlm::END_REQ);
         p.forward(b, tlm::BEGIN_REQ);
         p.backward(a, tlm::BEGIN_RESP);
         p.backward(b, tlm::BEGIN_RESP);
       }},
      {rule::delay_order,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ, 5 * ns);
         p.backward(t, tlm::BEGIN_RESP, 4 * ns);
       }},
      {rule::delay_order,
       [](protocol_pair& p) {
         p.on_blocking = [](payload& t, sc_time& delay) {
           t.set_response_status(tlm::TLM_OK_RESPONSE);
           delay = SC_ZERO_TIME;
         };
         auto t = p.plain();
         p.blocking(t, 5 * ns);
       }},
      {rule::blocking_apart,
       [](protocol_pair& p) {
         payload& t = p.pooled();
         p.forward(t, tlm::BEGIN_REQ);
         p.blocking(t);
       }},
      {rule::debug_pointer,
       [](protocol_pair& p) {
         auto t = p.plain();
         t.set_data_ptr(nullptr);
         p.debug(t);
       }},
      {rule::debug_length,
       [](protocol_pair& p) {
         p.on_debug = [](payload&) { return 5u; };
         auto t = p.plain();
         p.debug(t);
       }},
      {rule::debug_side_effects,
       [](protocol_pair& p) {
         p.on_debug = [&p](payload& t) {
           auto other = p.plain();
           p.blocking(other);
           return t.get_data_length();
         };
         auto t = p.plain();
         p.debug(t);
       }},
      {rule::debug_side_effects,
       [](protocol_pair& p) {
         uint64_t counted = 0;
         p.checker.state_of_target = [&counted] { return counted; };
         p.on_debug = [&counted](payload& t) {
           ++counted;
           return t.get_data_length();
         };
         auto t = p.plain();
         p.debug(t);
         p.checker.state_of_target = nullptr;
       }},
      {rule::dmi_descriptor_initial,
       [](protocol_pair& p) {
         auto t = p.plain();
         tlm::tlm_dmi used;
         used.allow_read();
         p.dmi(t, used);
       }},
      {rule::dmi_range, granted_with([](payload&, tlm::tlm_dmi& d) { d.set_start_address(0x11); })},
      {rule::dmi_range, granted_with([](payload&, tlm::tlm_dmi& d) { d.set_end_address(0xf); })},
      {rule::dmi_pointer, granted_with([](payload&, tlm::tlm_dmi& d) { d.set_dmi_ptr(nullptr); })},
      {rule::dmi_access, granted_with([](payload&, tlm::tlm_dmi& d) { d.allow_none(); })},
      {rule::dmi_access, granted_with([](payload&, tlm::tlm_dmi& d) { d.allow_write(); })},
      {rule::dmi_address_kept, granted_with([](payload& t, tlm::tlm_dmi&) { t.set_address(0); })},
      {rule::dmi_hint_kept,
       [](protocol_pair& p) {
         p.on_blocking = [](payload& t, sc_time&) {
           t.set_response_status(tlm::TLM_OK_RESPONSE);
           t.set_dmi_allowed(true);
         };
         p.on_dmi = [](payload&, tlm::tlm_dmi&) { return false; };
         auto t = p.plain();
         p.blocking(t);
         p.dmi(t);
       }},
      {rule::invalidation_range,
       [](protocol_pair& p) {
         auto t = p.plain();
         p.dmi(t);
         p.invalidate(8, 7);
       }},
      {rule::invalidation_of_a_grant,
       [](protocol_pair& p) {
         auto t = p.plain();
         p.dmi(t);
         p.invalidate(64, 127);
       }},
  };
  return all;
}

// Rules that take more than one call from outside of the simulation: the tests below.
bool has_a_test_of_its_own(rule r) {
  return r == rule::blocking_from_thread || r == rule::response_path;
}

SIMULATION(protocol_rules, each_is_broken_alone) {
  std::list<protocol_pair> pairs;
  for (const auto& one : violations()) pairs.emplace_back(sc_core::sc_gen_unique_name(text_of(one.first).name));
  sc_core::sc_start(SC_ZERO_TIME);
  auto pair = pairs.begin();
  for (const auto& [which, wrong] : violations()) {
    wrong(*pair);
    EXPECT_THAT(pair->log.rules(), ElementsAre(text_of(which).name)) << pair->log.text();
    ++pair;
  }
}

TEST(protocol_rules, none_is_without_a_violation) {
  for (size_t k = 0; k < static_cast<size_t>(rule::count); ++k) {
    const auto r = static_cast<rule>(k);
    EXPECT_TRUE(has_a_test_of_its_own(r) || violations().count(r) != 0) << text_of(r).name;
  }
}

// Calls b_transport from a method or a thread.
class caller : public sc_core::sc_module {
 public:
  caller(const sc_core::sc_module_name& name, protocol_pair& pair, bool thread) : sc_module(name), pair_(pair) {
    SC_HAS_PROCESS(caller);
    if (thread) {
      SC_THREAD(call);
    } else {
      SC_METHOD(call);
    }
  }

 private:
  void call() {
    auto t = pair_.plain();
    pair_.blocking(t);
  }
  protocol_pair& pair_;
};

SIMULATION(protocol_rules, blocking_transport_is_for_threads) {
  protocol_pair of_thread("of_thread"), of_method("of_method");
  caller thread("thread", of_thread, true), method("method", of_method, false);
  sc_core::sc_start(SC_ZERO_TIME);
  EXPECT_EQ(of_thread.checker.calls().blocking, 1u);
  EXPECT_THAT(of_thread.log.rules(), IsEmpty()) << of_thread.log.text();
  EXPECT_THAT(of_method.log.rules(), ElementsAre("blocking_from_thread"));
  // From outside of the simulation it is no process's.
  auto t = of_method.plain();
  of_method.blocking(t);
  EXPECT_EQ(of_method.log.violations().front().times, 1u);
}

// Two checkers in a row, and a target that answers the first one's initiator past the second.
class shortcut : public sc_core::sc_module {
 public:
  protocol_log log;
  protocol_checker first{"first", "initiator -> router", log}, second{"second", "router -> target", log};
  explicit shortcut(const sc_core::sc_module_name& name) : sc_module(name) {
    above_.register_nb_transport_bw(this, &shortcut::back_at_initiator);
    below_.register_nb_transport_bw(this, &shortcut::back_at_router);
    router_.register_nb_transport_fw(this, &shortcut::at_router);
    target_.register_nb_transport_fw(this, &shortcut::at_target);
    above_.bind(first.from);
    first.to.bind(router_);
    below_.bind(second.from);
    second.to.bind(target_);
  }
  void ask(payload& t) {
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    above_->nb_transport_fw(t, phase, delay);
  }
  void answer(payload& t, bool past_the_router) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay;
    if (past_the_router)
      router_->nb_transport_bw(t, phase, delay);
    else
      target_->nb_transport_bw(t, phase, delay);
  }

 private:
  tlm::tlm_sync_enum at_router(payload& t, tlm_phase& p, sc_time& d) { return below_->nb_transport_fw(t, p, d); }
  tlm::tlm_sync_enum at_target(payload&, tlm_phase& phase, sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum back_at_router(payload& t, tlm_phase& p, sc_time& d) { return router_->nb_transport_bw(t, p, d); }
  tlm::tlm_sync_enum back_at_initiator(payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; }
  tlm_utils::simple_initiator_socket<shortcut, models::bus_width> above_{"above"}, below_{"below"};
  tlm_utils::simple_target_socket<shortcut, models::bus_width> router_{"router"}, target_{"target"};
};

SIMULATION(protocol_rules, a_response_goes_back_the_way_of_its_request) {
  shortcut right("right"), wrong("wrong");
  protocol_pair pool("pool");
  sc_core::sc_start(SC_ZERO_TIME);
  payload &a = pool.pooled(), &b = pool.pooled();
  right.ask(a);
  right.answer(a, false);
  EXPECT_THAT(right.log.rules(), IsEmpty()) << right.log.text();
  wrong.ask(b);
  wrong.answer(b, true);
  EXPECT_THAT(wrong.log.rules(), ElementsAre("response_path"));
}

// Two violations of a rule at one place are a line and a count.
SIMULATION(protocol_rules, the_log_names_place_rule_and_clause) {
  protocol_pair p("pair");
  sc_core::sc_start(SC_ZERO_TIME);
  for (int n = 0; n < 2; ++n) {
    auto t = p.plain();
    t.set_streaming_width(0);
    p.blocking(t);
  }
  EXPECT_EQ(p.log.text(),
            "initiator -> target: streaming_width: the streaming width is not 0 (IEEE 1666-2011, 14.15 f): "
            "at 0 s: read of 4 bytes at 0x10: streaming width 0, 2 times\n");
}

}  // namespace
}  // namespace pws::test::protocol_rules_test
