//! Programs of load buffering in which a value goes through a structure, with answers that are known from how they were
//! drawn.
//!
//! One thread reads `x`, puts what it read into some members of a structure, moves the structure about, and stores to
//! `y` what is in one of the members. Another thread reads `y`, and stores to `x` behind that. Both can read what the
//! other one stores just where the member does not depend on what was read, under POWER and AArch64. What C does to a
//! structure (copying, passing, returning it, going through its bytes) makes no member depend on another.

use crate::runs::{Check, End, Form, Tools};
use raddle_sample::Random;
use std::fmt::Write;

/// A program and its answer.
pub struct Flow {
    text: String,
    /// Whether what is stored depends on what was read.
    depends: bool,
}

/// The models under which dependencies order.
const MODELS: [&str; 2] = ["power", "aarch64"];

/// The types of members, with their sizes.
const TYPES: [(&str, u32); 7] =
    [("unsigned char", 1), ("signed char", 1), ("unsigned short", 2), ("short", 2), ("unsigned", 4), ("int", 4), ("unsigned long", 8)];

/// What a structure goes through, after which every member has what it had: each with the largest structure that it is
/// for. `@` stands for what makes names differ.
const MOVES: [(&str, &str, u32); 9] = [
    ("static struct s# pass@(struct s# a) { return a; }", "s = pass@(s);", 16),
    ("static struct s# deep@(struct s# a, int n) { return n ? deep@(a, n - 1) : a; }", "s = deep@(s, 2);", 16),
    ("static struct s# far@(struct s# a) { struct s# b = a; return b; }\nstatic struct s# (*to@)(struct s#) = far@;", "s = to@(s);", 16),
    ("static struct s# kept@[3];", "kept@[2] = s; kept@[0] = kept@[2]; s = kept@[0];", 16),
    ("", "struct s# b@; memcpy(&b@, &s, sizeof s); s = b@;", 16),
    ("", "struct s# *h@ = malloc(2 * sizeof s); h@[1] = s; s = h@[1]; free(h@);", 16),
    ("", "unsigned char c@[sizeof s]; for (int i = 0; i < sizeof s; i++) c@[i] = ((unsigned char *)&s)[i]; memcpy(&s, c@, sizeof s);", 16),
    ("", "union { struct s# s; unsigned long w; } u@; u@.w = 0; u@.s = s; unsigned long w@ = u@.w; u@.w = 0; u@.w = w@; s = u@.s;", 8),
    ("static void by@(struct s# *a, struct s# *b) { *a = *b; }", "struct s# b@; by@(&b@, &s); by@(&s, &b@);", 16),
];

/// Something in a structure that has a value: a member, or an element of an array.
struct Place {
    name: String,
    of: &'static str,
    depends: bool,
}

struct Draw {
    random: Random,
    places: Vec<Place>,
    /// How many bytes the structure has.
    size: u32,
    functions: String,
    body: String,
    n_moves: u32,
}

/// The flows of a batch.
pub fn draw_flows(seed: u64, count: usize) -> Vec<Flow> {
    let mut random = Random::new(seed);
    (0..count).map(|_| Draw::flow(Random::new(random.word()))).collect()
}

impl Draw {
    fn flow(random: Random) -> Flow {
        let mut draw = Draw { random, places: Vec::new(), size: 0, functions: String::new(), body: String::new(), n_moves: 0 };
        let members = draw.members();
        draw.fill();
        for _ in 0..draw.random.within(1..=4) {
            draw.step();
        }
        let depends = draw.store();
        let of = draw.random.pick(&["unsigned char", "unsigned short", "unsigned", "unsigned long"]);
        let Draw { functions, body, mut random, .. } = draw;
        let behind = random.pick(&[
            "atomic_store_explicit(&x#, 1 + (q ^ q), memory_order_relaxed);",
            "atomic_thread_fence(memory_order_acq_rel); atomic_store_explicit(&x#, 1, memory_order_relaxed);",
            "if (q == 12345) other# = 2; atomic_store_explicit(&x#, 1, memory_order_relaxed);",
        ]);
        let text = format!(
            "struct s# {{ {members}}};\nstatic _Atomic {of} x#;\nstatic _Atomic unsigned y#[2];\nstatic int one#, two#, other#;\n\
             {functions}static void *first#(void *p)\n{{\n    {of} r = atomic_load_explicit(&x#, memory_order_relaxed);\n\
             \x20   one# = r != 0;\n    struct s# s;\n{body}    return p;\n}}\n\
             static void *second#(void *p)\n{{\n    unsigned q = atomic_load_explicit(&y#[0], memory_order_relaxed);\n\
             \x20   two# = q != 0;\n    {behind}\n    return p;\n}}\n\
             static int flow#(void)\n{{\n    pthread_t a, b;\n    pthread_create(&a, 0, first#, 0);\n    pthread_create(&b, 0, second#, 0);\n\
             \x20   pthread_join(a, 0);\n    pthread_join(b, 0);\n    return one# && two#;\n}}\n"
        );
        Flow { text, depends }
    }

    /// Draws the members of the structure, at most 16 bytes.
    fn members(&mut self) -> String {
        let (mut text, mut widest) = (String::new(), 1);
        for number in 0..self.random.within(2..=5) {
            let ((of, size), n) = match self.random.once_in(4) {
                true => (TYPES[0], self.random.within(2..=5)),
                false => (self.random.pick(&TYPES), 1),
            };
            let after = self.size.next_multiple_of(size) + size * n;
            if after.next_multiple_of(widest.max(size)) > 16 {
                continue;
            }
            (self.size, widest) = (after, widest.max(size));
            match n {
                1 => write!(text, "{of} m{number}; "),
                n => write!(text, "{of} m{number}[{n}]; "),
            }
            .expect("a string can be written to");
            let name = |element: u32| if n == 1 { format!("m{number}") } else { format!("m{number}[{element}]") };
            self.places.extend((0..n).map(|element| Place { name: name(element), of, depends: false }));
        }
        self.size = self.size.next_multiple_of(widest);
        text
    }

    fn say(&mut self, statement: &str) {
        writeln!(self.body, "    {statement}").expect("a string can be written to");
    }

    /// Any place.
    fn place(&mut self) -> usize {
        self.random.below(self.places.len() as u32) as usize
    }

    /// Gives every place its first value, in any order.
    fn fill(&mut self) {
        let mut left: Vec<usize> = (0..self.places.len()).collect();
        while !left.is_empty() {
            let at = left.swap_remove(self.random.below(left.len() as u32) as usize);
            let value = match self.random.once_in(2) {
                true => self.random.pick(&["r", "r + 1", "r ^ 5", "r * 3", "~r", "r | 2", "-r"]).to_string(),
                false => self.random.within(1..=100).to_string(),
            };
            self.places[at].depends = value.contains('r');
            let statement = format!("s.{} = {value};", self.places[at].name);
            self.say(&statement);
        }
    }

    /// Something is done to the structure.
    fn step(&mut self) {
        let (one, other) = (self.place(), self.place());
        let [a, b] = [one, other].map(|at| self.places[at].name.clone());
        match self.random.below(8) {
            0 => {
                self.places[one].depends = false;
                let value = self.random.within(1..=50);
                self.say(&format!("s.{a} = {value};"));
            }
            1 => {
                self.places[one].depends |= self.places[other].depends;
                let op = self.random.pick(&["+", "^", "|", "-"]);
                self.say(&format!("s.{a} = s.{a} {op} s.{b};"));
            }
            2 if self.places[one].of == self.places[other].of => {
                let of = self.places[one].of;
                let swap = format!("static struct s# swap@(struct s# v) {{ {of} t = v.{a}; v.{a} = v.{b}; v.{b} = t; return v; }}");
                self.shift(&swap, "s = swap@(s);");
                let depends = (self.places[other].depends, self.places[one].depends);
                (self.places[one].depends, self.places[other].depends) = depends;
            }
            _ => {
                let fitting: Vec<(&str, &str)> =
                    MOVES.iter().filter(|(_, _, most)| self.size <= *most).map(|&(function, statement, _)| (function, statement)).collect();
                let (function, statement) = self.random.pick(&fitting);
                self.shift(function, statement);
            }
        }
    }

    /// A function, and a statement that moves the structure by it.
    fn shift(&mut self, function: &str, statement: &str) {
        self.n_moves += 1;
        let named = |text: &str, n: u32| text.replace('@', &format!("_{n}_#"));
        if !function.is_empty() {
            writeln!(self.functions, "{}", named(function, self.n_moves)).expect("a string can be written to");
        }
        let statement = named(statement, self.n_moves);
        self.say(&statement);
    }

    /// The store of what is in some place. Tells whether it depends on what was read.
    fn store(&mut self) -> bool {
        let at = self.place();
        let Place { name, of, depends } = &self.places[at];
        let (depends, of) = (*depends, *of);
        let value = match self.random.below(3) {
            0 => format!("s.{name}"),
            1 => {
                let get = format!("static {of} get@(struct s# a) {{ return a.{name}; }}\n").replace('@', "_#");
                self.functions.push_str(&get);
                "get_#(s)".to_string()
            }
            _ => {
                let copy = format!("{of} v; memcpy(&v, (char *)&s + offsetof(struct s#, {name}), sizeof v);");
                self.say(&copy);
                "v".to_string()
            }
        };
        let statement = self.random.pick(&[
            "atomic_store_explicit(&y#[0], (unsigned char)VALUE | 256, memory_order_relaxed);",
            "atomic_store_explicit(&y#[0], VALUE * 2 + 1, memory_order_relaxed);",
            "unsigned z = VALUE; atomic_store_explicit(&y#[z ^ z], 1, memory_order_relaxed);",
            "if (VALUE == 77) other# = 1; atomic_store_explicit(&y#[0], 1, memory_order_relaxed);",
        ]);
        self.say(&statement.replace("VALUE", &value));
        depends
    }
}

/// One file of several programs; `main` begins with a choice between them.
fn render(flows: &[Flow]) -> String {
    let mut text = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n\
                    int raddle_choose(int);\n"
        .to_string();
    for (number, flow) in flows.iter().enumerate() {
        text.push_str(&flow.text.replace('#', &format!("_{number}")));
    }
    let (n, cases) = (flows.len(), 0..flows.len());
    let cases: String = cases.map(|number| format!("    case {number}: return {number} << 1 | flow_{number}();\n")).collect();
    text + &format!("int main(void)\n{{\n    switch (raddle_choose({n})) {{\n{cases}    }}\n    return 0;\n}}\n")
}

/// The programs that are answered wrongly, each with what is wrong.
pub fn misjudged(tools: &Tools, flows: &[Flow]) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for model in MODELS {
        let check = Check { form: Form::Plain, model, algorithm: "rsmc" };
        let outcome = tools.check_text(&render(flows), check)?;
        if outcome.end != End::Whole || !outcome.faults.is_empty() {
            wrong.push(format!("{model}: {:?} {:?}\n{}", outcome.end, outcome.faults, render(flows)));
            continue;
        }
        for (number, flow) in flows.iter().enumerate() {
            let is_buffered = outcome.statuses.contains_key(&((number as i64) << 1 | 1));
            if is_buffered == flow.depends {
                let what = if is_buffered { "does not keep a dependency" } else { "sees a dependency that is none" };
                wrong.push(format!("{model} {what}:\n{}", render(&flows[number..=number])));
            }
        }
    }
    Ok(wrong)
}
