//! AArch64's CAS, with the executions that herd7 tells apart (since 7.58; herdtools7, pull requests 647 and 1095).
//!
//! A CAS that fails may write back the value that it has read: then it is a write for coherence, and others may read
//! from it. Where it does not, the page of its location may be marked as written or not; herd7 counts both, also where
//! pages are not modelled. A CAS that succeeds gives its register a value that comes from memory or from the register
//! itself, and herd7 counts both. So a variant is chosen first: 0 and 1 do not write when they fail; 2 writes back, and
//! is not an execution where the values are equal.

use crate::thread::{Binary, Exchange, Thread};
use raddle_event::{Order, RmwOp};
use raddle_program::{Def, ExternId, Instr, Reg, Use};

/// The functions of the library that tests for AArch64 call.
pub(crate) const EXTERNS: [&str; 2] = ["raddle_choose", "raddle_assume"];
const CHOOSE: ExternId = ExternId(0);
const ASSUME: ExternId = ExternId(1);

/// Compares a word of so many bytes with the first value and swaps it for the second; gives the old value. The orders
/// are those of success and failure.
pub(crate) fn compare_and_swap(thread: &mut Thread, address: Reg, (expected, new): (Reg, Reg), bytes: u32, orders: (Order, Order)) -> Reg {
    let (variants, last, variant) = (thread.constant(3), thread.constant(2), thread.fresh());
    thread.call(&[variant], CHOOSE, &[variants]);
    let writes_back = thread.binary(Binary::Eq, variant, last, 64);
    let (back, plain, after) = (thread.new_block(), thread.new_block(), thread.new_block());
    let to = thread.fresh();
    thread.branch(writes_back, back, plain);

    thread.switch_to(back);
    let zero = thread.constant(0);
    let old = thread.rmw(RmwOp::Or, address, zero, bytes, orders.0);
    let differs = thread.compute(|to| Instr::Ne { to, a: Use(old), b: Use(expected) });
    thread.call(&[], ASSUME, &[differs]);
    thread.push(Instr::Move { to: Def(to), a: Use(old) });
    thread.jump(after);

    thread.switch_to(plain);
    let (old, _) = thread.compare_exchange(Exchange { address, expected, new, bytes, orders, is_weak: false });
    thread.push(Instr::Move { to: Def(to), a: Use(old) });
    thread.go_on_in(after);
    to
}
