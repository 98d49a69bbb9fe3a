//! All interleavings of a small program under sequential consistency, tried one step at a time.
//!
//! It knows only the instructions that this crate makes, and finds final states, not executions. It is what the
//! lowering is believed because of: herd7's answers must come out.

use raddle_event::{Rmw, RmwOp};
use raddle_litmus::{Observed, Test};
use raddle_program::{BlockId, Function, Instr, Overflow, Program, Reg};
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    at: usize,
    registers: Vec<u64>,
    results: Option<Vec<u64>>,
    /// The reserved address, until another thread writes there.
    reserved: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    memory: BTreeMap<u64, u8>,
}

/// The observed values of every final state.
pub fn final_values(test: &Test) -> BTreeSet<Vec<u64>> {
    let program = &test.program;
    let (mut found, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut work = vec![start(program)];
    while let Some(state) = work.pop() {
        let mut is_final = true;
        for thread in 0..state.threads.len() {
            if state.threads[thread].results.is_none() {
                is_final = false;
                for next in steps(program, &state, thread) {
                    if seen.insert(next.clone()) {
                        assert!(seen.len() < 1_000_000, "{} does not seem to terminate", test.name);
                        work.push(next);
                    }
                }
            }
        }
        if is_final {
            found.insert(test.observed.iter().map(|observed| value(program, &state, observed)).collect());
        }
    }
    found
}

fn value(program: &Program, state: &State, observed: &Observed) -> u64 {
    match observed {
        Observed::Register { thread, result, .. } => state.threads[*thread].results.as_ref().unwrap()[*result],
        Observed::Memory { global, offset, size, .. } => load(state, program.globals[global.index()].address.0 + offset, *size),
    }
}

fn start(program: &Program) -> State {
    let thread = |function: &Function| {
        let mut registers = vec![0xdead; function.registers as usize];
        registers.extend(&function.constants);
        Thread { at: 0, registers, results: None, reserved: None }
    };
    let mut memory = BTreeMap::new();
    for global in &program.globals {
        for offset in 0..global.size {
            memory.insert(global.address.0 + offset, global.bytes.get(offset as usize).copied().unwrap_or(0));
        }
    }
    State { threads: program.entries.iter().map(|f| thread(&program.functions[f.index()])).collect(), memory }
}

fn load(state: &State, address: u64, size: u32) -> u64 {
    (0..size as u64).fold(0, |word, n| word | (state.memory[&(address + n)] as u64) << (8 * n))
}

fn store(state: &mut State, thread: usize, address: u64, size: u32, value: u64) {
    assert!(size == 8 || value >> (8 * size) == 0, "a stored value fits its size");
    for n in 0..size as u64 {
        *state.memory.get_mut(&(address + n)).expect("the address is in a location") = (value >> (8 * n)) as u8;
    }
    for (number, other) in state.threads.iter_mut().enumerate() {
        if number != thread && other.reserved == Some(address) {
            other.reserved = None;
        }
    }
}

/// A store that happens if the place is reserved, and may fail in any case.
fn store_conditional(mut state: State, thread: usize, done: Reg, (address, size, value): (u64, u32, u64)) -> Vec<State> {
    let mut failed = state.clone();
    failed.threads[thread].registers[done.index()] = 0;
    failed.threads[thread].reserved = None;
    if state.threads[thread].reserved != Some(address) {
        return vec![failed];
    }
    store(&mut state, thread, address, size, value);
    state.threads[thread].registers[done.index()] = 1;
    state.threads[thread].reserved = None;
    vec![failed, state]
}

/// Each outcome of a choice.
fn choose(state: &State, thread: usize, to: Reg, n: u64) -> Vec<State> {
    let chosen = |outcome| {
        let mut chosen = state.clone();
        chosen.threads[thread].registers[to.index()] = outcome;
        chosen
    };
    (0..n).map(chosen).collect()
}

/// Runs a thread up to and with its next access to memory or choice; a store conditional has two outcomes.
fn steps(program: &Program, state: &State, thread: usize) -> Vec<State> {
    let function = &program.functions[program.entries[thread].index()];
    let mut state = state.clone();
    loop {
        let instr = function.code[state.threads[thread].at];
        state.threads[thread].at += 1;
        let get = |state: &State, reg: Reg| state.threads[thread].registers[reg.index()];
        match instr {
            Instr::StoreConditional { done, address, value, size, .. } => {
                let (address, value) = (get(&state, address.0), get(&state, value.0));
                return store_conditional(state, thread, done.0, (address, size.0, value));
            }
            Instr::CallExtern { results, function: callee, arguments } => {
                let argument = get(&state, function.list(arguments.0)[0]);
                match (program.externs[callee.index()].as_str(), function.list(results.0)) {
                    ("raddle_choose", &[to]) => return choose(&state, thread, to, argument),
                    ("raddle_assume", &[]) if argument == 0 => return Vec::new(),
                    ("raddle_assume", &[]) => {}
                    (name, _) => panic!("litmus tests do not call `{name}`"),
                }
            }
            Instr::Load { to, address, size, .. } | Instr::LoadReserve { to, address, size, .. } => {
                let address = get(&state, address.0);
                if matches!(instr, Instr::LoadReserve { .. }) {
                    state.threads[thread].reserved = Some(address);
                }
                state.threads[thread].registers[to.0.index()] = load(&state, address, size.0);
                return vec![state];
            }
            Instr::Store { address, value, size, .. } => {
                let (address, value) = (get(&state, address.0), get(&state, value.0));
                store(&mut state, thread, address, size.0, value);
                return vec![state];
            }
            Instr::Rmw { to, op, address, operand, size, .. } => {
                let rmw = Rmw::new(op, get(&state, operand.0));
                let address = get(&state, address.0);
                let old = modify(&mut state, thread, address, size.0, rmw).0;
                state.threads[thread].registers[to.0.index()] = old;
                return vec![state];
            }
            Instr::CompareExchange { to, done, address, expected, new, size, .. }
            | Instr::CompareExchangeWeak { to, done, address, expected, new, size, .. } => {
                let mut rmw = Rmw::new(RmwOp::CompareExchange, get(&state, new.0));
                rmw.expected = get(&state, expected.0) as u128;
                let address = get(&state, address.0);
                let (old, written) = modify(&mut state, thread, address, size.0, rmw);
                state.threads[thread].registers[to.0.index()] = old;
                state.threads[thread].registers[done.0.index()] = written as u64;
                return vec![state];
            }
            Instr::Return { values } => {
                let values = function.list(values.0).iter().map(|&reg| get(&state, reg)).collect();
                state.threads[thread].results = Some(values);
                return vec![state];
            }
            _ => private(function, &mut state.threads[thread], instr),
        }
    }
}

/// The old value, and whether a new one was written.
fn modify(state: &mut State, thread: usize, address: u64, size: u32, rmw: Rmw) -> (u64, bool) {
    let old = load(state, address, size);
    let new = rmw.apply(old as u128, size);
    if let Some(new) = new {
        store(state, thread, address, size, new as u64);
    }
    (old, new.is_some())
}

/// What nobody else can see. Operands must fit their width.
fn private(function: &Function, thread: &mut Thread, instr: Instr) {
    let registers = thread.registers.clone();
    let get = |reg: Reg| registers[reg.index()];
    let fits = |value: u64, bits: u8| {
        assert!(bits == 64 || value >> bits == 0, "{} gets {value:#x} of {bits} bits", instr.word());
        value
    };
    let cut = |value: u64, bits: u8| value & (u64::MAX >> (64 - bits));
    let signed = |value: u64, bits: u8| (value << (64 - bits)) as i64 >> (64 - bits);
    let block = |to: BlockId| function.blocks[to.index()] as usize;
    let mut set = |reg: Reg, value: u64| thread.registers[reg.index()] = value;
    match instr {
        Instr::Move { to, a } => set(to.0, get(a.0)),
        Instr::Add { to, a, b, bits } => set(to.0, cut(fits(get(a.0), bits.0).wrapping_add(fits(get(b.0), bits.0)), bits.0)),
        Instr::Sub { to, a, b, bits } => set(to.0, cut(fits(get(a.0), bits.0).wrapping_sub(fits(get(b.0), bits.0)), bits.0)),
        Instr::Mul { to, a, b, bits } => set(to.0, cut(fits(get(a.0), bits.0).wrapping_mul(fits(get(b.0), bits.0)), bits.0)),
        Instr::SDiv { to, a, b, bits } => set(to.0, cut(signed(get(a.0), bits.0).wrapping_div(signed(get(b.0), bits.0)) as u64, bits.0)),
        Instr::SRem { to, a, b, bits } => set(to.0, cut(signed(get(a.0), bits.0).wrapping_rem(signed(get(b.0), bits.0)) as u64, bits.0)),
        Instr::UDiv { to, a, b, .. } => set(to.0, get(a.0) / get(b.0)),
        Instr::URem { to, a, b, .. } => set(to.0, get(a.0) % get(b.0)),
        Instr::And { to, a, b } => set(to.0, get(a.0) & get(b.0)),
        Instr::Or { to, a, b } => set(to.0, get(a.0) | get(b.0)),
        Instr::Xor { to, a, b } => set(to.0, get(a.0) ^ get(b.0)),
        Instr::Shl { to, a, b, bits } => set(to.0, cut(get(a.0).checked_shl(get(b.0) as u32).unwrap_or(0), bits.0)),
        Instr::LShr { to, a, b, bits } => set(to.0, fits(get(a.0), bits.0).checked_shr(get(b.0) as u32).unwrap_or(0)),
        Instr::AShr { to, a, b, bits } => set(to.0, cut((signed(get(a.0), bits.0) >> get(b.0).min(63)) as u64, bits.0)),
        Instr::Trunc { to, a, bits } => set(to.0, cut(get(a.0), bits.0)),
        Instr::SExt { to, a, from, bits } => set(to.0, cut(signed(fits(get(a.0), from.0), from.0) as u64, bits.0)),
        Instr::Eq { to, a, b } => set(to.0, (get(a.0) == get(b.0)) as u64),
        Instr::Ne { to, a, b } => set(to.0, (get(a.0) != get(b.0)) as u64),
        Instr::ULt { to, a, b } => set(to.0, (get(a.0) < get(b.0)) as u64),
        Instr::ULe { to, a, b } => set(to.0, (get(a.0) <= get(b.0)) as u64),
        Instr::SLt { to, a, b, bits } => {
            set(to.0, (signed(fits(get(a.0), bits.0), bits.0) < signed(fits(get(b.0), bits.0), bits.0)) as u64)
        }
        Instr::SLe { to, a, b, bits } => {
            set(to.0, (signed(fits(get(a.0), bits.0), bits.0) <= signed(fits(get(b.0), bits.0), bits.0)) as u64)
        }
        Instr::Select { to, c, a, b } => set(to.0, if get(c.0) != 0 { get(a.0) } else { get(b.0) }),
        Instr::WithOverflow { to, flag, op, a, b, bits } => {
            let (a, b) = (signed(fits(get(a.0), bits.0), bits.0) as i128, signed(fits(get(b.0), bits.0), bits.0) as i128);
            let whole = if op == Overflow::SAdd { a + b } else { a - b };
            let result = cut(whole as u64, bits.0);
            set(to.0, result);
            set(flag.0, (signed(result, bits.0) as i128 != whole) as u64);
        }
        Instr::Index { to, base, index, scale } => set(to.0, get(base.0).wrapping_add(get(index.0).wrapping_mul(scale))),
        Instr::FenceOp { .. } | Instr::Enter { .. } => {}
        Instr::Jump { to } | Instr::Latch { to, .. } => thread.at = block(to.0),
        Instr::Branch { c, yes, no } => thread.at = block(if get(c.0) != 0 { yes.0 } else { no.0 }),
        other => panic!("litmus tests do not become `{}`", other.word()),
    }
}
