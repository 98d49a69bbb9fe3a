//! The links of `std::list`, as libstdc++ has them: each node begins with the next and the previous one, in a ring.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", hook),
    ("_ZNSt8__detail15_List_node_base9_M_unhookEv", unhook),
    ("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", |call| transfer(call, call.word(0), call.word(1), call.word(2))),
    ("_ZNSt8__detail15_List_node_base10_M_reverseEv", reverse),
    ("_ZNSt8__detail15_List_node_base4swapERS0_S1_", swap),
];

const NEXT: u64 = 0;
const PREVIOUS: u64 = 8;

fn get(call: &mut Call, node: u64, field: u64) -> Run<u64> {
    call.load(Address(node + field), 8)
}

fn join(call: &mut Call, first: u64, second: u64) -> Run<()> {
    call.store(Address(first + NEXT), 8, second)?;
    call.store(Address(second + PREVIOUS), 8, first)
}

/// Puts the first node before the second.
fn hook(call: &mut Call) -> Run<u64> {
    let (node, position) = (call.word(0), call.word(1));
    let before = get(call, position, PREVIOUS)?;
    join(call, before, node)?;
    join(call, node, position)?;
    Ok(0)
}

fn unhook(call: &mut Call) -> Run<u64> {
    let node = call.word(0);
    let (before, after) = (get(call, node, PREVIOUS)?, get(call, node, NEXT)?);
    join(call, before, after)?;
    Ok(0)
}

/// Moves the nodes from `first` up to `last` before a position.
fn transfer(call: &mut Call, position: u64, first: u64, last: u64) -> Run<u64> {
    if position == last {
        return Ok(0);
    }
    let (before_first, final_one) = (get(call, first, PREVIOUS)?, get(call, last, PREVIOUS)?);
    let before = get(call, position, PREVIOUS)?;
    join(call, before_first, last)?;
    join(call, final_one, position)?;
    join(call, before, first)?;
    Ok(0)
}

fn reverse(call: &mut Call) -> Run<u64> {
    let (start, mut node) = (call.word(0), call.word(0));
    loop {
        let (next, previous) = (get(call, node, NEXT)?, get(call, node, PREVIOUS)?);
        call.store(Address(node + NEXT), 8, previous)?;
        call.store(Address(node + PREVIOUS), 8, next)?;
        node = next;
        if node == start {
            return Ok(0);
        }
    }
}

/// Exchanges what hangs on two heads.
fn swap(call: &mut Call) -> Run<u64> {
    let (a, b) = (call.word(0), call.word(1));
    let ends = |call: &mut Call, head: u64| Ok((get(call, head, NEXT)?, get(call, head, PREVIOUS)?));
    let (of_a, of_b) = (ends(call, a)?, ends(call, b)?);
    for (head, old, (first, last)) in [(a, b, of_b), (b, a, of_a)] {
        if first == old {
            join(call, head, head)?;
        } else {
            join(call, head, first)?;
            join(call, last, head)?;
        }
    }
    Ok(0)
}
