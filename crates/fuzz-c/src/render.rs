//! The text of a batch of programs, and of variants of it.

use crate::declared::{DECLARED, Declared, names};
use crate::statement::Statement;

/// A program: its threads. Everything else follows from what they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub threads: Vec<Thread>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub body: Vec<Statement>,
    pub start: Start,
}

/// Who runs a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// `pthread_create`
    Pthread,
    /// `thrd_create`
    C11,
    /// The first thread, after it has started the others.
    Main,
}

/// How a batch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As it is.
    Plain,
    /// Loops that wait are assumptions instead.
    Assumes,
    /// To be run natively, with little pauses between statements.
    Native,
}

impl Program {
    /// Whether there is a loop that waits in it.
    pub fn waits(&self) -> bool {
        self.threads.iter().flat_map(|thread| &thread.body).any(Statement::waits)
    }
}

const HEAD: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
static inline int value_of(sem_t *s) { int n = 0; sem_getvalue(s, &n); return n; }
static const struct timespec soon;
";

const CHECKED: &str = "\
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
int raddle_choose(int);
";

const NATIVE: &str = "\
#include <sys/wait.h>
static void __VERIFIER_assume(int holds) { if (!holds) _exit(1); }
static int raddle_choose(int n) { return rand() % n; }
static int __VERIFIER_nondet_bool(void) { return raddle_choose(2); }
static void little_pause(void)
{
    int n = rand() % 8;
    if (n == 0)
        sched_yield();
    for (volatile int i = 0; n > 4 && i < n * 20; i++)
        ;
}
static void run(int (*program)(void), int times)
{
    for (int i = 0; i < times; i++) {
        if (fork() == 0) {
            ualarm(300000, 0);
            srand(i);
            int status = program();
            _exit(write(1, &status, sizeof status) != sizeof status);
        }
        int how;
        wait(&how);
        if (WIFSIGNALED(how))
            return;
    }
}
";

/// How often a program is run natively.
const TIMES: u32 = 40;

/// The text of a batch.
pub fn render(programs: &[Program], variant: Variant) -> String {
    let mut text = String::from(HEAD);
    text.push_str(if variant == Variant::Native { NATIVE } else { CHECKED });
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&one(program, variant, number));
    }
    text.push_str("\nint main(void)\n{\n");
    for number in 0..programs.len() {
        match (variant, programs.len()) {
            (Variant::Native, _) => text.push_str(&format!("    run(program_{number}, {TIMES});\n")),
            (_, 1) => text.push_str("    return program_0();\n"),
            _ if number == 0 => {
                text.push_str(&format!("    switch (raddle_choose({})) {{\n    case 0: return program_0();\n", programs.len()))
            }
            _ => text.push_str(&format!("    case {number}: return program_{number}();\n")),
        }
    }
    if variant != Variant::Native && programs.len() > 1 {
        text.push_str("    }\n");
    }
    if programs.len() != 1 || variant == Variant::Native {
        text.push_str("    return 0;\n");
    }
    text.push_str("}\n");
    text
}

/// The text of one program of a batch.
fn one(program: &Program, variant: Variant, number: usize) -> String {
    let text = |variant| -> String {
        let each = |(at, thread)| thread_text(thread, at, variant);
        program.threads.iter().enumerate().map(each).collect()
    };
    // All variants declare the same, so that their final states can be compared.
    let (threads, used) = (text(variant), used(&text(Variant::Plain)));
    let declarations: String = used.iter().map(|declared| format!("{}\n", declared.declaration)).collect();
    let text = format!("\n{declarations}{threads}{}", starter(program, &used, number));
    numbered(&text.replace('@', &format!("_{number}")))
}

/// What is declared that a text names, and what these declarations name.
fn used(text: &str) -> Vec<&'static Declared> {
    let mut all = text.to_string();
    for declared in DECLARED.iter().rev() {
        if names(&all, declared.name) {
            all.push_str(declared.declaration);
        }
    }
    DECLARED.iter().filter(|declared| names(&all, declared.name)).collect()
}

fn thread_text(thread: &Thread, at: usize, variant: Variant) -> String {
    let mut text = format!("\nstatic int thread_{at}@(void)\n{{\n    int r0 = 0, r1 = 0, r2 = 0;\n");
    for statement in &thread.body {
        statement.lines(variant == Variant::Assumes, &mut |line| {
            let pause = if variant == Variant::Native && !line.starts_with('}') { "little_pause(); " } else { "" };
            text.push_str(&format!("    {pause}{line}\n"));
        });
    }
    text.push_str("    return r0 + r1 * 17 + r2 * 257;\n}\n");
    match thread.start {
        Start::Pthread => text.push_str(&format!("static void *start_{at}@(void *p) {{ return (void *)(long)thread_{at}@(); }}\n")),
        Start::C11 => text.push_str(&format!("static int start_{at}@(void *p) {{ return thread_{at}@(); }}\n")),
        Start::Main => {}
    }
    text
}

/// The function that starts the threads and gives a hash of the final state, with the number of the program in the last
/// five bits.
fn starter(program: &Program, used: &[&Declared], number: usize) -> String {
    let mut text = String::from("\nstatic int program@(void)\n{\n    unsigned h = 1;\n");
    for declared in used.iter().filter(|declared| !declared.preparation.is_empty()) {
        text.push_str(&format!("    {}\n", declared.preparation));
    }
    let mut joins = String::new();
    for (at, thread) in program.threads.iter().enumerate() {
        let (start, join) = match thread.start {
            Start::Pthread => (
                format!("    pthread_t t{at}; pthread_create(&t{at}, 0, start_{at}@, 0);\n"),
                format!("    void *p{at}; pthread_join(t{at}, &p{at}); h = h * 1000003 + (unsigned)(long)p{at};\n"),
            ),
            Start::C11 => (
                format!("    thrd_t t{at}; thrd_create(&t{at}, start_{at}@, 0);\n"),
                format!("    int p{at}; thrd_join(t{at}, &p{at}); h = h * 1000003 + (unsigned)p{at};\n"),
            ),
            Start::Main => (String::new(), String::new()),
        };
        text.push_str(&start);
        joins.push_str(&join);
    }
    for (at, _) in program.threads.iter().enumerate().filter(|(_, thread)| thread.start == Start::Main) {
        text.push_str(&format!("    h = h * 1000003 + (unsigned)thread_{at}@();\n"));
    }
    text.push_str(&joins);
    for declared in used.iter().filter(|declared| !declared.state.is_empty()) {
        for expression in split(declared.state) {
            text.push_str(&format!("    h = h * 1000003 + (unsigned)({expression});\n"));
        }
    }
    text.push_str(&format!("    return (int)(h << 5 | {number});\n}}\n"));
    text
}

/// The number of the program that ended with a status.
pub fn number_of(status: i64) -> i64 {
    status & 31
}

/// Expressions with commas between.
fn split(list: &str) -> impl Iterator<Item = &str> {
    list.split(", ")
}

/// Replaces each `~` by the number of its line.
fn numbered(text: &str) -> String {
    let with_number = |(number, line): (usize, &str)| line.replace('~', &number.to_string()) + "\n";
    text.lines().enumerate().map(with_number).collect()
}
