//! What compiled C++ needs from its library, other than memory: threads, conditions, and what it says when something is
//! wrong.
//!
//! What throws and catches exceptions is C++ itself: crates/llvm/runtime/exceptions.cpp.

use super::{Builtin, Call, condition, nothing, thread};
use crate::runner::Run;
use raddle_event::{Address, FaultKind};

pub const TABLE: &[(&str, Builtin)] = &[
    ("__cxa_pure_virtual", |call| call.fault(FaultKind::Assertion, "a pure virtual function is called")),
    ("__cxa_deleted_virtual", |call| call.fault(FaultKind::Assertion, "a deleted virtual function is called")),
    ("_ZNSt6thread6_StateD2Ev", nothing),
    ("_ZNSt6thread4joinEv", join),
    ("_ZNSt6thread6detachEv", detach),
    ("_ZNSt6thread20hardware_concurrencyEv", |_| Ok(4)),
    ("_ZNSt18condition_variableC1Ev", condition::init),
    ("_ZNSt18condition_variableC2Ev", condition::init),
    ("_ZNSt18condition_variableD1Ev", condition::destroy),
    ("_ZNSt18condition_variableD2Ev", condition::destroy),
    ("_ZNSt18condition_variable10notify_oneEv", condition::signal),
    ("_ZNSt18condition_variable10notify_allEv", condition::broadcast),
    (condition::STD_WAIT, wait),
    ("_ZNSt6chrono3_V212system_clock3nowEv", now),
    ("_ZNSt6chrono3_V212steady_clock3nowEv", now),
    ("_ZNSt13__future_base12_Result_baseC2Ev", future_result),
    ("_ZNSt13__future_base12_Result_baseD2Ev", nothing),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", assertion),
];

fn assertion(call: &mut Call) -> Run<u64> {
    let what = call.text(call.address(3))?;
    call.fault(FaultKind::Assertion, format!("assertion `{what}` of the C++ library fails"))
}

/// The handle in a `std::thread`, which is left without one.
fn take_handle(call: &mut Call) -> Run<Address> {
    let at = call.address(0);
    let handle = call.load(at, 8)?;
    if handle == 0 {
        return call.fault(FaultKind::ThreadMisuse, "a std::thread that has no thread is joined or detached");
    }
    Ok(Address(handle))
}

fn join(call: &mut Call) -> Run<u64> {
    let handle = take_handle(call)?;
    thread::wait_for(call, handle, false)?;
    call.store(call.address(0), 8, 0)?;
    Ok(0)
}

fn detach(call: &mut Call) -> Run<u64> {
    let handle = take_handle(call)?;
    thread::claim(call, handle)?;
    call.store(call.address(0), 8, 0)?;
    Ok(0)
}

/// The second argument is a `std::unique_lock`, whose first word points to the mutex.
fn wait(call: &mut Call) -> Run<u64> {
    let mutex = Address(call.load(call.address(1), 8)?);
    condition::wait(call, call.address(0), mutex)?;
    Ok(0)
}

/// A result of a future begins with no exception, which its second word would point to.
fn future_result(call: &mut Call) -> Run<u64> {
    call.store(Address(call.word(0) + 8), 8, 0)?;
    Ok(0)
}

/// In nanoseconds.
fn now(call: &mut Call) -> Run<u64> {
    Ok(super::time::now(call)? * 1_000_000_000)
}
