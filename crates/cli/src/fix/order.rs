//! Memory orders of the source, from the weakest to the strongest, and what each kind of access may have.

/// What an access does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Load,
    Store,
    ReadModifyWrite,
    Fence,
}

/// A memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl Order {
    /// The end of its name, whatever stands before it: `memory_order_`, `std::memory_order::`, `__ATOMIC_`.
    pub fn word(self) -> &'static str {
        match self {
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcqRel => "acq_rel",
            Order::SeqCst => "seq_cst",
        }
    }

    /// The order of this name. `consume` is as `acquire`.
    pub fn named(word: &str) -> Option<Order> {
        Some(match word.to_ascii_lowercase().as_str() {
            "relaxed" => Order::Relaxed,
            "acquire" | "consume" => Order::Acquire,
            "release" => Order::Release,
            "acq_rel" => Order::AcqRel,
            "seq_cst" => Order::SeqCst,
            _ => return None,
        })
    }

    /// How strong it is, where a step is one of `relaxed`, one of `acquire` and `release`, both, `seq_cst`.
    fn strength(self) -> u32 {
        match self {
            Order::Relaxed => 0,
            Order::Acquire | Order::Release => 1,
            Order::AcqRel => 2,
            Order::SeqCst => 3,
        }
    }

    /// Whether it promises all that another one does, and more.
    fn is_above(self, other: Order) -> bool {
        self.strength() > other.strength()
    }
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
        let is_between = |other: &Order| order.is_above(*other) && least.is_none_or(|least| *other == least || other.is_above(least));
        let below: Vec<Order> = self.orders().iter().copied().filter(is_between).collect();
        let strongest = below.iter().map(|order| order.strength()).max();
        below.into_iter().filter(|order| Some(order.strength()) == strongest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Order};

    #[test]
    fn orders_become_weaker_step_by_step() {
        assert_eq!(Kind::Load.weaker(Order::SeqCst, Some(Order::Relaxed)), [Order::Acquire]);
        assert_eq!(Kind::Store.weaker(Order::Release, Some(Order::Relaxed)), [Order::Relaxed]);
        assert_eq!(Kind::ReadModifyWrite.weaker(Order::AcqRel, Some(Order::Acquire)), [Order::Acquire]);
        assert_eq!(Kind::ReadModifyWrite.weaker(Order::AcqRel, Some(Order::Relaxed)), [Order::Acquire, Order::Release]);
        assert_eq!(Kind::Fence.weaker(Order::Acquire, None), []);
    }
}
