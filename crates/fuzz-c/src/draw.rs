//! Draws random programs: few threads of few statements over few objects, so that most are explored in no time.

mod accesses;
mod awaits;
mod locks;

use crate::render::{Program, Start, Thread};
use crate::statement::Statement;
use raddle_sample::Random;

/// What a batch has most of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flavour {
    /// A little of everything but mixed sizes.
    General,
    /// Loops that wait.
    Awaits,
    /// Locks, conditions, barriers, semaphores.
    Locks,
    /// Accesses of different sizes to the same bytes.
    Mixed,
    /// Sequentially consistent atomics and locks alone: what a compiler does to them cannot be seen.
    Ordered,
}

impl Flavour {
    /// The name in summaries.
    pub fn word(self) -> &'static str {
        match self {
            Flavour::General => "general",
            Flavour::Awaits => "awaits",
            Flavour::Locks => "locks",
            Flavour::Mixed => "mixed sizes",
            Flavour::Ordered => "ordered",
        }
    }
}

/// The programs of a batch.
pub fn draw(seed: u64, count: usize) -> (Flavour, Vec<Program>) {
    let mut random = Random::new(seed);
    let flavours = [(Flavour::General, 8), (Flavour::Awaits, 5), (Flavour::Locks, 4), (Flavour::Mixed, 2), (Flavour::Ordered, 2)];
    let flavour = random.weighted(&flavours);
    let mut draw = Draw { random, flavour, focus: Focus::default() };
    (flavour, (0..count).map(|_| draw.program()).collect())
}

/// What statements are drawn with.
struct Draw {
    random: Random,
    flavour: Flavour,
    focus: Focus,
}

/// What the statements of a program are about, so that its threads meet.
#[derive(Default)]
struct Focus {
    /// The name of the lock.
    lock: &'static str,
    /// The name of what is waited on.
    wait: &'static str,
    /// The plain variable.
    plain: &'static str,
    /// Which objects come and go, or are copied.
    object: u32,
    /// Which of the objects has accesses of different sizes.
    mixed: u32,
}

/// What a statement is about.
#[derive(Clone, Copy)]
enum Topic {
    Atomic,
    Plain,
    Mixed,
    Object,
    Control,
    Lock,
    Await,
    Word,
}

impl Draw {
    fn program(&mut self) -> Program {
        self.focus = Focus {
            lock: self.random.pick(&["mu", "mu", "rec", "rw", "rw", "spin", "sem", "mtx"]),
            wait: self.random.pick(&["cond", "cond", "cnd", "sem0", "bar"]),
            plain: self.random.pick(&["a@", "a@", "v@", "arr@[INDEX & 1]"]),
            object: self.random.below(5),
            mixed: self.random.below(2),
        };
        let n_threads = self.random.weighted(&[(2, 5), (3, 4), (4, 1)]);
        let (least, most) = match n_threads {
            2 => (2, 6),
            3 => (2, 4),
            _ => (1, 2),
        };
        let main_at = if self.random.once_in(4) { n_threads - 1 } else { n_threads };
        let mut thread = |at| {
            let start = match at {
                at if at == main_at => Start::Main,
                _ if self.random.once_in(6) => Start::C11,
                _ => Start::Pthread,
            };
            let n = self.random.within(least..=most);
            Thread { body: (0..n).map(|_| self.statement(0)).collect(), start }
        };
        let mut threads: Vec<Thread> = (0..n_threads).map(&mut thread).collect();
        if self.flavour == Flavour::Awaits && self.random.once_in(2) {
            self.grace_period(&mut threads);
        }
        Program { threads }
    }

    fn body(&mut self, depth: u32) -> Vec<Statement> {
        let n = self.random.within(1..=2);
        (0..n).map(|_| self.statement(depth + 1)).collect()
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let deep = u32::from(depth < 2);
        let topics = match self.flavour {
            Flavour::General => [(8, 8), (5, 5), (0, 0), (4, 3), (3, 0), (2, 0), (2, 0), (3, 3)],
            Flavour::Awaits => [(7, 8), (2, 2), (0, 0), (1, 1), (1, 0), (1, 0), (6, 0), (1, 1)],
            Flavour::Locks => [(3, 4), (4, 5), (0, 0), (1, 1), (1, 0), (8, 1), (1, 0), (1, 1)],
            Flavour::Mixed => [(3, 3), (2, 2), (8, 8), (2, 2), (1, 0), (1, 0), (1, 0), (1, 1)],
            Flavour::Ordered => [(8, 8), (0, 0), (0, 0), (0, 0), (2, 0), (4, 0), (3, 0), (2, 2)],
        };
        let all = [Topic::Atomic, Topic::Plain, Topic::Mixed, Topic::Object, Topic::Control, Topic::Lock, Topic::Await, Topic::Word];
        let weights: Vec<(Topic, u32)> =
            all.iter().zip(topics).map(|(&topic, (shallow, inner))| (topic, if deep == 1 { shallow } else { inner })).collect();
        match self.random.weighted(&weights) {
            Topic::Atomic => Statement::line(self.atomic()),
            Topic::Plain => Statement::line(self.plain()),
            Topic::Mixed => Statement::line(self.mixed()),
            Topic::Object => Statement::line(self.object()),
            Topic::Control => self.control(depth),
            Topic::Lock => self.lock(depth),
            Topic::Await => self.awaits(depth),
            Topic::Word => Statement::line(self.word()),
        }
    }

    fn control(&mut self, depth: u32) -> Statement {
        let (condition, body) = (self.condition(), self.body(depth));
        match self.random.below(4) {
            0 => Statement::block(Statement::line("for (int i = 0; i < 2; i++) {"), body, "}"),
            1 => {
                let other = self.atomic();
                Statement::block(Statement::line(format!("if ({condition}) {{")), body, format!("}} else {{ {other} }}"))
            }
            2 => Statement::block(Statement::line(format!("switch ({condition}) {{ case 0:")), body, "break; default: r1 ^= 5; }"),
            _ => Statement::block(Statement::line(format!("if ({condition}) {{")), body, "}"),
        }
    }

    /// Choices, assumptions, assertions, and what a thread has for itself.
    fn word(&mut self) -> String {
        let (r, condition, e) = (self.register(), self.condition(), self.expression());
        match self.random.below(12) {
            9 => format!("{{ pthread_t t; void *p; pthread_create(&t, 0, child@, 0); r1 = 1; pthread_join(t, &p); {r} = (int)(long)p; }}"),
            // A program that has keys starts all threads in another way, and so do the others of its batch.
            10 if self.flavour == Flavour::Locks => {
                format!("pthread_setspecific(key@, (void *)(long)(r0 + 1)); {r} = (int)(long)pthread_getspecific(key@);")
            }
            11 => "atomic_fetch_add(&seq@, 1); a@ = 1; b@ = 1; atomic_fetch_add(&seq@, 1);".into(),
            0 => format!("{r} = __VERIFIER_nondet_bool();"),
            1 => format!("{r} = raddle_choose(3);"),
            2 => format!("__VERIFIER_assume({condition});"),
            3 | 4 => format!("assert({condition});"),
            5 => format!("local@ += {e}; {r} = local@;"),
            6 => format!("{r} = down@({r} & 1);"),
            7 => "fprintf(stderr, \"%d\\n\", r0);".into(),
            _ => format!("{{ int n[2] = {{ r0, r1 }}; {r} = n[{e} & 1]; }}"),
        }
    }

    fn register(&mut self) -> &'static str {
        self.random.pick(&["r0", "r1", "r2"])
    }

    fn number(&mut self) -> u32 {
        self.random.pick(&[1, 1, 1, 2, 3])
    }

    /// The value of something that has no effect.
    fn expression(&mut self) -> String {
        let (r, q, n) = (self.register(), self.register(), self.number());
        match self.random.below(8) {
            0 => r.to_string(),
            1 => format!("({r} + {n})"),
            2 => format!("({r} ^ {q})"),
            3 => format!("({r} + 2 * {q})"),
            _ => n.to_string(),
        }
    }

    fn condition(&mut self) -> String {
        let (r, q, n) = (self.register(), self.register(), self.number());
        match self.random.below(7) {
            0 => r.to_string(),
            1 => format!("!{r}"),
            2 => format!("{r} == {n}"),
            3 => format!("{r} != {q}"),
            4 => format!("({r} & 1) == 0"),
            5 => format!("!({r} == {n} && {q} == 0)"),
            _ => format!("{r} <= {q}"),
        }
    }

    fn order(&mut self, of: &[&'static str]) -> String {
        let order = if self.flavour == Flavour::Ordered { "seq_cst" } else { self.random.pick(of) };
        format!("memory_order_{order}")
    }

    fn load_order(&mut self) -> String {
        self.order(&["relaxed", "acquire", "seq_cst", "relaxed", "acquire", "consume"])
    }

    fn store_order(&mut self) -> String {
        self.order(&["relaxed", "release", "seq_cst"])
    }

    fn rmw_order(&mut self) -> String {
        self.order(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"])
    }
}
