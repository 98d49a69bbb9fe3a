//! A memory in which everything happens at once: bytes, and the objects that exist.

use raddle_event::Published;
use raddle_event::{Action, Address, Fault, FaultKind, Guard, LocationId, Reply, Value};
use raddle_machine::{Machine, Next};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    bytes: BTreeMap<u64, u8>,
    /// Start and size.
    objects: BTreeMap<u64, u64>,
}

impl Memory {
    /// Takes in what the first thread had for itself.
    pub fn publish(&mut self, image: Option<Rc<Vec<Published>>>) {
        for object in image.iter().flat_map(|image| image.iter()) {
            self.objects.insert(object.address.0, object.size);
            self.write(object.address.0, &object.bytes);
        }
    }

    /// The word at an address.
    pub fn word(&self, address: u64) -> u64 {
        self.read(address, 8).word()
    }

    fn read(&self, start: u64, size: u64) -> Value {
        let bytes: Vec<u8> = (start..start + size).map(|at| self.bytes.get(&at).copied().unwrap_or(0)).collect();
        Value::from_bytes(&bytes)
    }

    fn write(&mut self, start: u64, bytes: &[u8]) {
        self.bytes.extend((start..).zip(bytes.iter().copied()));
    }

    /// The result of a thread that has ended, where its whole word is asked for.
    fn join(&self, machine: &Machine, (start, size): (u64, u32)) -> Vec<Reply> {
        let joined = machine.addresses().word_of(Address(start)).expect("only threads end");
        match machine.next(joined) {
            Next::Ended(values) => vec![Reply::Value(Value::Word(if size == 8 { values.first().copied().unwrap_or(0) } else { 0 }))],
            _ => Vec::new(),
        }
    }

    fn has(&self, start: u64, size: u64) -> bool {
        let inside = |(&first, &len): (&u64, &u64)| first <= start && start + size <= first + len;
        self.objects.range(..=start).next_back().is_some_and(inside)
    }

    /// Does an action; gives the replies that it may get, none when it is not enabled.
    pub fn take(&mut self, machine: &Machine, action: &Action) -> Vec<Reply> {
        let range = |at: LocationId| (machine.locations().range(at).start.0, machine.locations().range(at).size);
        if let Action::Read { at, guard: Some(Guard::Ended), .. } = *action {
            return self.join(machine, range(at));
        }
        if let Action::Read { at, .. } | Action::Write { at, .. } | Action::Rmw { at, .. } = *action {
            let (start, size) = range(at);
            if !self.has(start, size as u64) {
                return vec![Reply::Fault(Fault::new(FaultKind::WildPointer, "no object"))];
            }
            let old = self.read(start, size as u64);
            if action.guard().is_some_and(|guard| !guard.holds(old.word())) {
                return Vec::new();
            }
            return vec![self.access(action, start, size, old)];
        }
        match *action {
            Action::Choose { n } => (0..n).map(Reply::Chosen).collect(),
            Action::Allocate { at, size, .. } => {
                self.objects.insert(range(at).0, size);
                vec![Reply::Done]
            }
            Action::Free { start, .. } => {
                self.objects.remove(&start.0);
                vec![Reply::Done]
            }
            _ => vec![Reply::Done],
        }
    }

    fn access(&mut self, action: &Action, start: u64, size: u32, old: Value) -> Reply {
        match action {
            Action::Write { value, .. } => {
                value.with_bytes(size, |bytes| self.write(start, bytes));
                Reply::Done
            }
            Action::Rmw { rmw, .. } => {
                if let Some(new) = rmw.apply(old.to_u128(), size) {
                    self.write(start, &new.to_le_bytes()[..size as usize]);
                }
                Reply::Value(old)
            }
            _ => Reply::Value(old),
        }
    }
}
