//! The functions that a test may call: those of `<stdatomic.h>`, and the plainest of the Linux kernel.

use super::ast::{Expression, ExpressionKind};
use super::lower::{Lowering, Place, Value};
use crate::error::{Result, syntax, unsupported};
use crate::thread::Exchange;
use crate::types::Type;
use raddle_event::{Fence, Order, RmwOp};
use raddle_program::Reg;

/// Whether a name ends in `_explicit`, and the rest of it.
fn split(name: &str) -> (&str, bool) {
    match name.strip_suffix("_explicit") {
        Some(stem) => (stem, true),
        None => (name, false),
    }
}

fn fetch(stem: &str) -> Option<RmwOp> {
    Some(match stem.strip_prefix("atomic_")? {
        "exchange" => RmwOp::Exchange,
        "fetch_add" => RmwOp::Add,
        "fetch_sub" => RmwOp::Sub,
        "fetch_and" => RmwOp::And,
        "fetch_or" => RmwOp::Or,
        "fetch_xor" => RmwOp::Xor,
        _ => return None,
    })
}

/// Appends a call.
pub(super) fn call(lowering: &mut Lowering, at: usize, name: &str, arguments: &[Expression]) -> Result<Value> {
    let call = &mut Call { lowering, at, name, arguments };
    let (stem, explicit) = split(name);
    if let Some(op) = fetch(stem) {
        let order = call.order(2, explicit)?;
        return call.fetch(op, order);
    }
    match stem {
        "atomic_load" => {
            let order = call.order(1, explicit)?;
            call.load(order)
        }
        "atomic_store" => {
            let order = call.order(2, explicit)?;
            call.store(order)
        }
        "atomic_init" => call.expect(2).and_then(|()| call.store(Order::Relaxed)),
        "atomic_compare_exchange_strong" => call.compare_exchange(explicit, false),
        "atomic_compare_exchange_weak" => call.compare_exchange(explicit, true),
        "atomic_thread_fence" | "atomic_signal_fence" => {
            call.expect(1)?;
            let order = call.order_at(0)?;
            call.fence(if stem == "atomic_thread_fence" { fence_of(order) } else { Some(Fence::Compiler) })
        }
        "READ_ONCE" => call.expect(1).and_then(|()| call.read_once()),
        "WRITE_ONCE" => call.expect(2).and_then(|()| call.write_once()),
        "smp_load_acquire" => call.expect(1).and_then(|()| call.load(Order::Acquire)),
        "smp_store_release" => call.expect(2).and_then(|()| call.store(Order::Release)),
        "smp_mb" => call.expect(0).and_then(|()| call.fence(Some(Fence::SeqCst))),
        "smp_rmb" => call.expect(0).and_then(|()| call.fence(Some(Fence::Acquire))),
        "smp_wmb" => call.expect(0).and_then(|()| call.fence(Some(Fence::Release))),
        _ => unsupported(at, format!("function `{name}` is not supported")),
    }
}

/// The fence of an order; a relaxed one does nothing.
fn fence_of(order: Order) -> Option<Fence> {
    match order {
        Order::Plain | Order::Copy | Order::Relaxed => None,
        Order::Acquire => Some(Fence::Acquire),
        Order::Release => Some(Fence::Release),
        Order::AcqRel => Some(Fence::AcqRel),
        Order::SeqCst => Some(Fence::SeqCst),
    }
}

struct Call<'l, 't, 'a, 'e> {
    lowering: &'l mut Lowering<'t, 'a>,
    at: usize,
    name: &'e str,
    arguments: &'e [Expression],
}

impl Call<'_, '_, '_, '_> {
    fn expect(&self, n: usize) -> Result<()> {
        match self.arguments.len() {
            found if found == n => Ok(()),
            found => syntax(self.at, format!("`{}` takes {n} arguments, found {found}", self.name)),
        }
    }

    /// The order that stands behind `n` other arguments, or the strongest where it is not given.
    fn order(&self, n: usize, explicit: bool) -> Result<Order> {
        self.expect(n + explicit as usize)?;
        if explicit { self.order_at(n) } else { Ok(Order::SeqCst) }
    }

    fn order_at(&self, n: usize) -> Result<Order> {
        let argument = &self.arguments[n];
        let word = match &argument.kind {
            ExpressionKind::Variable(name) => name.strip_prefix("memory_order_").or_else(|| name.strip_prefix("mo_")),
            _ => None,
        };
        match word {
            Some("relaxed") => Ok(Order::Relaxed),
            Some("acquire" | "consume") => Ok(Order::Acquire),
            Some("release") => Ok(Order::Release),
            Some("acq_rel") => Ok(Order::AcqRel),
            Some("seq_cst") => Ok(Order::SeqCst),
            _ => syntax(argument.at, "expected a memory order such as `memory_order_acquire`"),
        }
    }

    /// The pointer that is an argument: its value, and the type that it points to.
    fn pointer(&mut self, n: usize) -> Result<(Reg, Type)> {
        let value = self.lowering.evaluate(&self.arguments[n])?;
        match value.of {
            Type::Pointer(of) => Ok((value.reg, *of)),
            _ => syntax(self.arguments[n].at, "expected a pointer"),
        }
    }

    /// An argument, as a value of this type.
    fn value(&mut self, n: usize, of: &Type) -> Result<Reg> {
        let value = self.lowering.evaluate(&self.arguments[n])?;
        Ok(self.lowering.convert(value, of).reg)
    }

    fn load(&mut self, order: Order) -> Result<Value> {
        let (address, of) = self.pointer(0)?;
        Ok(Value { reg: self.lowering.thread.load(address, of.bytes(), order), of })
    }

    fn store(&mut self, order: Order) -> Result<Value> {
        let (address, of) = self.pointer(0)?;
        let value = self.value(1, &of)?;
        self.lowering.thread.store(address, value, of.bytes(), order);
        Ok(Value { reg: value, of })
    }

    fn fetch(&mut self, op: RmwOp, order: Order) -> Result<Value> {
        let (address, of) = self.pointer(0)?;
        let operand = self.value(1, &of)?;
        Ok(Value { reg: self.lowering.thread.rmw(op, address, operand, of.bytes(), order), of })
    }

    fn fence(&mut self, fence: Option<Fence>) -> Result<Value> {
        if let Some(fence) = fence {
            self.lowering.thread.fence(fence);
        }
        Ok(Value { reg: self.lowering.thread.constant(0), of: Type::INT })
    }

    /// Orders of success and failure, written out, both at once, or not at all.
    fn orders(&self, explicit: bool) -> Result<(Order, Order)> {
        if !explicit {
            return self.expect(3).map(|()| (Order::SeqCst, Order::SeqCst));
        }
        self.expect(5)?;
        Ok((self.order_at(3)?, self.order_at(4)?))
    }

    /// Where it fails, the value found is written to where the expected one came from.
    fn compare_exchange(&mut self, explicit: bool, is_weak: bool) -> Result<Value> {
        let orders = self.orders(explicit)?;
        let (address, of) = self.pointer(0)?;
        let expected_place = match &self.arguments[1].kind {
            ExpressionKind::AddressOf(inner) => self.lowering.place(inner)?,
            _ => self.pointer(1).map(|(reg, of)| Place::Memory(reg, of))?,
        };
        let expected = self.lowering.read(&expected_place);
        let expected = self.lowering.convert(expected, &of).reg;
        let new = self.value(2, &of)?;
        let exchange = Exchange { address, expected, new, bytes: of.bytes(), orders, is_weak };
        let (old, done) = self.lowering.thread.compare_exchange(exchange);
        let (failed, after) = (self.lowering.thread.new_block(), self.lowering.thread.new_block());
        self.lowering.thread.branch(done, after, failed);
        self.lowering.thread.go_on_in(failed);
        self.lowering.write(self.at, &expected_place, Value { reg: old, of })?;
        self.lowering.thread.go_on_in(after);
        Ok(Value { reg: done, of: Type::INT })
    }

    /// The place that the first argument names, which must be in memory.
    fn shared(&mut self) -> Result<(Reg, Type)> {
        match self.lowering.place(&self.arguments[0])? {
            Place::Memory(address, of) => Ok((address, of)),
            Place::Variable(..) => syntax(self.arguments[0].at, "expected something that is pointed to"),
        }
    }

    fn read_once(&mut self) -> Result<Value> {
        let (address, of) = self.shared()?;
        Ok(Value { reg: self.lowering.thread.load(address, of.bytes(), Order::Relaxed), of })
    }

    fn write_once(&mut self) -> Result<Value> {
        let (address, of) = self.shared()?;
        let value = self.value(1, &of)?;
        self.lowering.thread.store(address, value, of.bytes(), Order::Relaxed);
        Ok(Value { reg: value, of })
    }
}
