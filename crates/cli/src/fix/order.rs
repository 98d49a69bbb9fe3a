//! Memory orders of the source, from the weakest to the strongest, and what each kind of access may have.

use raddle_event::Order;

/// What an access does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Load,
    Store,
    ReadModifyWrite,
    Fence,
}

/// The order of an atomic access whose name ends so, whatever stands before it: `memory_order_`, `std::memory_order::`,
/// `__ATOMIC_`. `consume` is as `acquire`.
pub fn named(word: &str) -> Option<Order> {
    let word = word.to_ascii_lowercase();
    let word = if word == "consume" { "acquire" } else { &word };
    Order::ALL.iter().find(|(order, other)| order.is_atomic() && *other == word).map(|(order, _)| *order)
}

/// How strong an order is, where a step is one of `relaxed`, one of `acquire` and `release`, both, `seq_cst`.
fn strength(order: Order) -> u32 {
    match order {
        Order::Plain | Order::Copy | Order::Relaxed => 0,
        Order::Acquire | Order::Release => 1,
        Order::AcqRel => 2,
        Order::SeqCst => 3,
    }
}

/// Whether an order promises all that another one does, and more.
fn is_above(order: Order, other: Order) -> bool {
    strength(order) > strength(other)
}

impl Kind {
    /// What it is called in stories.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::ReadModifyWrite => "read-modify-write",
            Kind::Fence => "fence",
        }
    }

    /// The orders that it may have.
    fn orders(self) -> &'static [Order] {
        match self {
            Kind::Load => &[Order::Relaxed, Order::Acquire, Order::SeqCst],
            Kind::Store => &[Order::Relaxed, Order::Release, Order::SeqCst],
            Kind::ReadModifyWrite => &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst],
            Kind::Fence => &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst],
        }
    }

    /// The strongest order below `seq_cst`.
    pub fn synchronising(self) -> Order {
        match self {
            Kind::Load => Order::Acquire,
            Kind::Store => Order::Release,
            Kind::ReadModifyWrite | Kind::Fence => Order::AcqRel,
        }
    }

    /// The orders one step below an order, but not below `least`.
    pub fn weaker(self, order: Order, least: Option<Order>) -> Vec<Order> {
        let is_between = |other: &Order| is_above(order, *other) && least.is_none_or(|least| *other == least || is_above(*other, least));
        let below: Vec<Order> = self.orders().iter().copied().filter(is_between).collect();
        let strongest = below.iter().map(|order| strength(*order)).max();
        below.into_iter().filter(|order| Some(strength(*order)) == strongest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use raddle_event::Order;

    #[test]
    fn orders_become_weaker_step_by_step() {
        assert_eq!(Kind::Load.weaker(Order::SeqCst, Some(Order::Relaxed)), [Order::Acquire]);
        assert_eq!(Kind::Store.weaker(Order::Release, Some(Order::Relaxed)), [Order::Relaxed]);
        assert_eq!(Kind::ReadModifyWrite.weaker(Order::AcqRel, Some(Order::Acquire)), [Order::Acquire]);
        assert_eq!(Kind::ReadModifyWrite.weaker(Order::AcqRel, Some(Order::Relaxed)), [Order::Acquire, Order::Release]);
        assert_eq!(Kind::Fence.weaker(Order::Acquire, None), []);
    }
}
