//! Actions in words: `load flag -> 0`, `lock m`, `spawn T1 worker`.

use crate::names::{Names, extern_name, function_name};
use raddle_event::{Action, Free, LocationId, Range, Region, Reply, Rmw, RmwOp, ThreadId, Value};
use raddle_machine::{Machine, Moment, Site};
use raddle_program::{FunctionId, Instr, Scalar};

/// Finds the words for the actions of one moment of a thread.
pub(crate) struct Words<'w, 'p> {
    pub machine: &'w Machine<'p>,
    pub names: &'w mut Names,
    /// Where the thread stands.
    pub moment: &'w Moment,
}

impl<'p> Words<'_, 'p> {
    /// What was done; `None` for what is not shown.
    pub fn done(&mut self, action: &Action, reply: &Reply) -> Option<String> {
        if self.is_local(action) {
            return None;
        }
        let text = match (action, reply) {
            (_, Reply::Fault(fault)) => return Some(format!("{} -> {}", self.wanted(action), fault.kind)),
            (Action::Read { at, .. } | Action::Reserve { at, .. }, Reply::Value(value)) => match self.synchronises(action) {
                true => self.wanted(action),
                false => format!("{} -> {}", self.wanted(action), self.shown(*at, value)),
            },
            (Action::Rmw { at, rmw, .. }, Reply::Value(old)) => {
                let size = self.range(*at).size;
                let fails = rmw.apply(old.to_u128(), size).is_none();
                let old = self.shown(*at, old);
                match (self.synchronises(action), rmw.op, fails) {
                    (true, RmwOp::CompareExchange | RmwOp::Release | RmwOp::UIncBelow | RmwOp::Down, true) => {
                        format!("{} -> failed", self.wanted(action))
                    }
                    (true, ..) => self.wanted(action),
                    (false, RmwOp::CompareExchange, true) => format!("{} -> failed, {old}", self.wanted(action)),
                    (false, RmwOp::CompareExchange, false) => format!("{} -> succeeded", self.wanted(action)),
                    (false, ..) => format!("{} -> {old}", self.wanted(action)),
                }
            }
            (Action::Choose { n }, Reply::Chosen(chosen)) => match self.call() {
                Some(call) => format!("{call}: choose {chosen} of {n}"),
                None => format!("choose {chosen} of {n}"),
            },
            _ => self.wanted(action),
        };
        Some(text)
    }

    /// What is wanted, without the answer.
    pub fn wanted(&mut self, action: &Action) -> String {
        if self.synchronises(action) {
            return self.synchronisation(action);
        }
        match action {
            Action::Read { at, .. } => format!("{}load {}", self.prefix(), self.name(*at)),
            Action::Reserve { at, .. } => format!("load and reserve {}", self.name(*at)),
            Action::Write { at, value, .. } => self.assigned("store", *at, value),
            Action::WriteReserved { at, value, .. } => self.assigned("store reserved", *at, value),
            Action::Rmw { at, rmw, .. } => self.rmw(*at, rmw),
            Action::Fence(fence) => format!("fence {}", fence.word()),
            Action::Allocate { at, size, .. } => {
                let start = self.range(*at).start;
                let name = match self.moment.stack.first() {
                    Some(&(function, at_code)) => self.names.made(self.machine, Site::Code(function, at_code), start).0,
                    None => start.to_string(),
                };
                format!("{} {size} bytes: {name}", self.call().unwrap_or("allocate"))
            }
            Action::Free { at, how: Free::Heap, .. } => {
                let call = self.call().unwrap_or("free");
                format!("{call} {}", self.object(*at))
            }
            Action::Free { at, how: Free::Return, .. } => format!("end of {}", self.object(*at)),
            Action::Reuse { at, .. } => format!("{} gives {} again", self.call().unwrap_or("malloc"), self.object(*at)),
            Action::Spawn { child, function, .. } => {
                format!("spawn {child} {}", function_name(self.machine.program(), FunctionId(*function)))
            }
            Action::Choose { n } => format!("choose one of {n}"),
        }
    }

    /// `store x = 1`
    pub fn assigned(&mut self, verb: &str, at: LocationId, value: &Value) -> String {
        format!("{}{verb} {} = {}", self.prefix(), self.name(at), self.shown(at, value))
    }

    /// Whether it matters where the value comes from that an action reads.
    pub fn shows_source(&self, action: &Action) -> bool {
        matches!(action, Action::Read { .. } | Action::Reserve { .. } | Action::Rmw { .. }) && !self.synchronises(action)
    }

    pub fn range(&self, at: LocationId) -> Range {
        self.machine.locations().range(at)
    }

    pub fn name(&mut self, at: LocationId) -> String {
        self.names.range(self.machine, self.range(at)).0
    }

    /// The whole object at the start of a location.
    pub fn object(&mut self, at: LocationId) -> String {
        let start = self.range(at).start;
        self.names.whole(self.machine, start)
    }

    fn kind(&mut self, at: LocationId) -> Option<Scalar> {
        self.names.range(self.machine, self.range(at)).1
    }

    pub fn shown(&mut self, at: LocationId, value: &Value) -> String {
        let kind = self.kind(at);
        self.names.value(self.machine, kind, value, self.range(at).size)
    }

    /// The function of the library that the thread is in.
    pub fn call(&self) -> Option<&'p str> {
        let program = self.machine.program();
        let &(function, at) = self.moment.stack.first()?;
        match program.functions.get(function.index())?.code.get(at as usize)? {
            Instr::CallExtern { function, .. } => Some(extern_name(program, *function)),
            _ => None,
        }
    }

    fn prefix(&self) -> String {
        self.call().map_or(String::new(), |call| format!("{call}: "))
    }

    /// The thread whose end an action waits for.
    fn word_of(&self, action: &Action) -> Option<ThreadId> {
        self.machine.word_of(action.location()?)
    }

    /// Whether a local variable comes into being.
    fn is_local(&self, action: &Action) -> bool {
        let Action::Allocate { at, .. } = action else { return false };
        !matches!(self.machine.addresses().find(self.range(*at).start), Some((Region::Heap(_), ..)))
    }

    /// Whether an action is part of a lock, a join or the like, whose values mean nothing to the programmer.
    pub fn synchronises(&self, action: &Action) -> bool {
        match action {
            Action::Read { guard: Some(_), .. } => true,
            Action::Rmw { .. } => self.call().is_some(),
            _ => false,
        }
    }

    fn synchronisation(&mut self, action: &Action) -> String {
        if let Some(joined) = self.word_of(action) {
            return format!("join {joined}");
        }
        let object = action.location().map_or_else(String::new, |at| self.names.opaque(self.machine, self.range(at)));
        let call = self.call().unwrap_or("wait");
        let verb = short(call);
        match action {
            Action::Rmw { rmw: Rmw { op: RmwOp::Acquire, .. }, .. } if verb.contains("wait") => format!("{verb}: lock {object}"),
            Action::Rmw { rmw: Rmw { op: RmwOp::Release, .. }, .. } if verb.contains("wait") => format!("{verb}: unlock {object}"),
            Action::Read { .. } if verb.contains("wait") => format!("{verb} {object}: wake"),
            _ => format!("{verb} {object}"),
        }
    }

    fn rmw(&mut self, at: LocationId, rmw: &Rmw) -> String {
        let (name, size) = (self.name(at), self.range(at).size);
        let mut shown = |bits: u128| self.shown(at, &Value::from_bytes(&bits.to_le_bytes()[..size.min(16) as usize]));
        let operand = shown(rmw.operand);
        match rmw.op {
            RmwOp::CompareExchange => format!("compare_exchange {name} {} {operand}", shown(rmw.expected)),
            RmwOp::Exchange => format!("exchange {name} {operand}"),
            op => format!("fetch_{} {name} {operand}", op.word()),
        }
    }
}

/// A call without the family that the object tells as well: `lock` for `pthread_mutex_lock`.
fn short(call: &str) -> &str {
    const FAMILIES: [&str; 7] = ["pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "mtx_", "cnd_"];
    FAMILIES.iter().find_map(|family| call.strip_prefix(family)).unwrap_or(call)
}
