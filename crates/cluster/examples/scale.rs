//! Simulates a cluster of 10 to 10,000 workers: the real rules by which work is divided and entered ([`Ledger`]), with
//! simulated clocks, latencies of a data centre, and queues in front of the server and the coordinator. docs/scale.md
//! has what comes of it.
//!
//! usage: cargo run --release -p raddle-cluster --example scale FOLDER

use raddle_bench::plot::Plot;
use raddle_check::{Rest, Task};
use raddle_cluster::{Ledger, TaskId};
use raddle_event::Random;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::Path;

/// All times are in microseconds.
type Time = u64;

/// How many executions there are.
const EXECUTIONS: u64 = 1_000_000_000;
/// From one machine to another.
const LATENCY: Time = 250;
/// How long the server takes for a message that it keeps: 13,000 a second were measured.
const KEPT: Time = 77;
/// How long it takes for one that it only passes on.
const PASSED: Time = 5;
/// How long the coordinator takes to enter an answer.
const ENTERED: Time = 150;
/// The coordinator takes answers in so often, and looks around so often.
const TAKEN_EVERY: Time = 100_000;
const LOOKED_EVERY: Time = 500_000;
/// The coordinator's state is weighed once in so many looks.
const WEIGHED_EVERY: u64 = 8;
/// What others want is given after this time at the earliest, and this many parts of it at most.
const EARLIEST: Time = 500_000;
const MOST_PARTS: u64 = 32;
/// How long a worker takes to begin with a unit.
const BEGUN: Time = 2_000;
/// How many bytes a unit has beside its size.
const UNIT: usize = 2_000;

/// What is simulated.
#[derive(Clone, Copy)]
struct Setting {
    workers: u32,
    /// Executions a second of a worker.
    rate: u64,
    /// The shortest time after which a worker answers where nobody waits, and the answers a second that are aimed at.
    shortest: Time,
    answers_a_second: u64,
}

impl Setting {
    const USUAL: Setting = Setting { workers: 10, rate: 10_000, shortest: 2_000_000, answers_a_second: 1_000 };

    fn longest(&self) -> Time {
        self.shortest.max(1_000_000 * self.workers as u64 / self.answers_a_second)
    }
}

/// What came of it.
struct Outcome {
    seconds: f64,
    utilisation: f64,
    /// Messages that the server kept, a second: on average, and in the worst second.
    messages: f64,
    most_messages: u64,
    /// The share of the time in which the server and the coordinator were busy.
    server: f64,
    coordinator: f64,
    /// The largest state of the coordinator, in bytes, and the most that waited at the server.
    state: usize,
    waiting: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker asks for a unit.
    Asks(u32),
    /// A worker has explored all of its unit, or as long as it should; in this turn.
    Ends(u32, u32),
    /// An answer is kept by the server.
    Answered(usize),
    /// A unit is kept by the server.
    Published(usize),
    /// The coordinator takes in what is there.
    Takes,
    /// The coordinator looks around.
    Looks,
    /// The call of those who wait is heard.
    Called(u64),
}

/// Something that does one thing after another.
#[derive(Default)]
struct Queue {
    free: Time,
    busy: Time,
}

impl Queue {
    /// When something is done that comes now.
    fn serve(&mut self, now: Time, takes: Time) -> Time {
        self.free = self.free.max(now) + takes;
        self.busy += takes;
        self.free
    }
}

/// What a worker is at.
#[derive(Clone, Default)]
struct Worker {
    unit: Option<(TaskId, u64)>,
    began: Time,
    turn: u32,
    worked: Time,
    /// How many parts others want of it.
    wanted: u64,
}

struct Cluster {
    setting: Setting,
    random: Random,
    now: Time,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    n_events: u64,
    server: Queue,
    coordinator: Queue,
    workers: Vec<Worker>,
    idle: VecDeque<u32>,
    ready: VecDeque<(TaskId, u64)>,
    published: Vec<(TaskId, u64)>,
    answers: Vec<Option<(TaskId, Vec<u64>, u64)>>,
    arrived: VecDeque<usize>,
    ledger: Ledger,
    kept: Vec<u64>,
    state: usize,
    waiting: usize,
    n_looks: u64,
}

fn bytes(executions: u64) -> Vec<u8> {
    executions.to_le_bytes().to_vec()
}

fn executions(unit: &[u8]) -> u64 {
    u64::from_le_bytes(unit.try_into().expect("a unit is a number here"))
}

impl Cluster {
    fn new(setting: Setting) -> Cluster {
        let workers = vec![Worker::default(); setting.workers as usize];
        Cluster {
            setting,
            random: Random::new(1),
            now: 0,
            events: BinaryHeap::new(),
            n_events: 0,
            server: Queue::default(),
            coordinator: Queue::default(),
            workers,
            idle: VecDeque::new(),
            ready: VecDeque::new(),
            published: Vec::new(),
            answers: Vec::new(),
            arrived: VecDeque::new(),
            ledger: Ledger::new(),
            kept: Vec::new(),
            state: 0,
            waiting: 0,
            n_looks: 0,
        }
    }

    fn at(&mut self, time: Time, event: Event) {
        self.n_events += 1;
        self.events.push(Reverse((time, self.n_events, event)));
    }

    /// When a message is kept that is sent now.
    fn keep(&mut self, sent: Time) -> Time {
        let second = (sent / 1_000_000) as usize;
        self.kept.resize(self.kept.len().max(second + 1), 0);
        self.kept[second] += 1;
        self.server.serve(sent + LATENCY, KEPT)
    }

    fn run(mut self) -> Outcome {
        for worker in 0..self.setting.workers {
            self.at(0, Event::Asks(worker));
        }
        let parts = (3 * self.setting.workers as u64).min(64);
        let given = self.parts_of(EXECUTIONS, parts);
        let left = EXECUTIONS - given.iter().sum::<u64>();
        self.answer(Ledger::FIRST, given, left);
        self.at(TAKEN_EVERY, Event::Takes);
        self.at(LOOKED_EVERY, Event::Looks);
        while !self.ledger.is_done() {
            let Reverse((time, _, event)) = self.events.pop().expect("something is left to do");
            self.now = time;
            self.happen(event);
        }
        let worked: Time = self.workers.iter().map(|worker| worker.worked).sum();
        let span = self.now as f64;
        Outcome {
            seconds: span / 1e6,
            utilisation: worked as f64 / (span * self.setting.workers as f64),
            messages: self.kept.iter().sum::<u64>() as f64 / (span / 1e6),
            most_messages: self.kept.iter().copied().max().unwrap_or(0),
            server: self.server.busy as f64 / span,
            coordinator: self.coordinator.busy as f64 / span,
            state: self.state,
            waiting: self.waiting,
        }
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Asks(worker) => {
                self.server.serve(self.now, PASSED);
                self.idle.push_back(worker);
                self.deliver();
            }
            Event::Published(at) => {
                self.ready.push_back(self.published[at]);
                self.waiting = self.waiting.max(self.ready.len());
                self.deliver();
            }
            Event::Ends(worker, turn) if self.workers[worker as usize].turn == turn => self.end(worker),
            Event::Ends(..) => {}
            Event::Answered(at) => self.arrived.push_back(at),
            Event::Takes => {
                self.take();
                // Where more waits than is taken at once, it is taken as soon as that is entered.
                let wait = if self.arrived.is_empty() { TAKEN_EVERY } else { 1 };
                let next = self.coordinator.free.max(self.now + wait);
                self.at(next, Event::Takes);
            }
            Event::Looks => {
                let wanting = (self.idle.len() as u64).saturating_sub(self.ready.len() as u64);
                let working = (self.setting.workers as u64 - self.idle.len() as u64).max(1);
                if wanting > 0 {
                    let heard = self.server.serve(self.now + LATENCY, PASSED * working) + LATENCY;
                    self.at(heard, Event::Called(1000 * wanting / working));
                }
                if self.n_looks.is_multiple_of(WEIGHED_EVERY) {
                    self.state = self.state.max(postcard::to_stdvec(&self.ledger).expect("a ledger can be written").len());
                }
                self.n_looks += 1;
                self.at(self.now + LOOKED_EVERY, Event::Looks);
            }
            Event::Called(share) => self.call(share),
        }
    }

    /// Units go to those who wait.
    fn deliver(&mut self) {
        while let (false, Some((task, size))) = (self.idle.is_empty(), self.ready.front().copied()) {
            self.ready.pop_front();
            let n = self.idle.pop_front().expect("somebody waits");
            let began = self.server.serve(self.now, PASSED) + LATENCY + BEGUN;
            let takes = (size * 1_000_000 / self.setting.rate).min(self.setting.longest());
            let worker = &mut self.workers[n as usize];
            worker.turn += 1;
            (worker.unit, worker.began, worker.wanted) = (Some((task, size)), began, 0);
            let turn = worker.turn;
            self.at(began + takes, Event::Ends(n, turn));
        }
    }

    /// Those who work hear how many wait for each of them, in thousandths; some of them answer early.
    fn call(&mut self, share: u64) {
        for n in 0..self.setting.workers {
            let draws = (self.random.below(1000) as u64) < share + share / 2;
            let worker = &mut self.workers[n as usize];
            if worker.unit.is_none() || !draws {
                continue;
            }
            worker.wanted = (1 + share.div_ceil(1000)).min(MOST_PARTS);
            let (at, turn) = (self.now.max(worker.began + EARLIEST), worker.turn);
            self.at(at, Event::Ends(n, turn));
        }
    }

    /// A worker has explored for as long as it should.
    fn end(&mut self, n: u32) {
        let worker = &mut self.workers[n as usize];
        let Some((task, size)) = worker.unit.take() else { return };
        worker.turn += 1;
        let elapsed = self.now.saturating_sub(worker.began);
        let explored = size.min(elapsed * self.setting.rate / 1_000_000 + 1);
        worker.worked += elapsed;
        let wanted = worker.wanted;
        let given = self.parts_of(size - explored, wanted);
        let left = size - explored - given.iter().sum::<u64>();
        let kept = self.answer(task, given, left);
        self.at(kept + 2 * LATENCY, Event::Asks(n));
    }

    /// So many parts of what is left: what an exploration gives away is anything from a little to half of it.
    fn parts_of(&mut self, mut left: u64, n: u64) -> Vec<u64> {
        let mut parts = Vec::new();
        for _ in 0..n {
            let part = left * self.random.within(2..=50) as u64 / 100;
            if part == 0 {
                break;
            }
            left -= part;
            parts.push(part);
        }
        parts
    }

    /// An answer is sent; gives when it is kept.
    fn answer(&mut self, task: TaskId, given: Vec<u64>, left: u64) -> Time {
        let kept = self.keep(self.now);
        self.answers.push(Some((task, given, left)));
        self.at(kept + LATENCY, Event::Answered(self.answers.len() - 1));
        kept
    }

    /// The coordinator enters what has come, and hands out what follows.
    fn take(&mut self) {
        for _ in 0..self.arrived.len().min(200) {
            let at = self.arrived.pop_front().expect("it has come");
            let (task, given, left) = self.answers[at].take().expect("it is entered once");
            let rest = if left == 0 { Rest::Nothing(None) } else { Rest::Work(bytes(left)) };
            let entered = self.coordinator.serve(self.now, ENTERED);
            assert!(self.ledger.enter(task, given.into_iter().map(bytes).collect(), rest));
            for (id, Task { unit, .. }) in self.ledger.hand_out() {
                let kept = self.keep(entered);
                self.published.push((id, executions(&unit)));
                self.at(kept, Event::Published(self.published.len() - 1));
            }
        }
    }
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder for the plots");
    let (mut shares, mut messages, mut states) = (Vec::new(), Vec::new(), Vec::new());
    println!(
        "| workers | executions a second of each | seconds | utilisation | messages a second | in the worst second | server busy | coordinator busy | state | units that wait |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for rate in [1_000, 10_000] {
        let mut share = Vec::new();
        let (mut message, mut state) = (Vec::new(), Vec::new());
        for power in 1..=4 {
            let setting = Setting { workers: 10u32.pow(power), rate, ..Setting::USUAL };
            let outcome = Cluster::new(setting).run();
            row(setting, &outcome);
            share.push((power as f64, outcome.utilisation));
            message.push((power as f64, outcome.messages));
            state.push((power as f64, outcome.state as f64));
        }
        let name = format!("{rate} executions a second each");
        shares.push((name.clone(), share));
        messages.push((name.clone(), message));
        states.push((name, state));
    }
    println!();
    for answers_a_second in [250, 1_000, 4_000, 16_000] {
        let setting = Setting { workers: 10_000, answers_a_second, ..Setting::USUAL };
        print!("{answers_a_second} answers a second: ");
        row(setting, &Cluster::new(setting).run());
    }
    let plot = |file: &str, title: &str, y: &str, series| {
        let lines = Plot::Lines { title: title.into(), x: "workers, as a power of ten".into(), y: y.into(), series };
        lines.write(&Path::new(&folder).join(file)).expect("it can be drawn");
    };
    plot("scale-utilisation.svg", "10^9 executions: the share of the time in which workers explore", "utilisation", shares);
    plot("scale-messages.svg", "10^9 executions: messages that the server keeps", "messages a second", messages);
    plot("scale-state.svg", "10^9 executions: the largest state of the coordinator", "bytes", states);
}

fn row(Setting { workers, rate, .. }: Setting, outcome: &Outcome) {
    let Outcome { seconds, utilisation, messages, most_messages, server, coordinator, state, waiting } = outcome;
    println!(
        "| {workers} | {rate} | {seconds:.0} | {:.1} % | {messages:.0} | {most_messages} | {:.1} % | {:.1} % | {} kB | {waiting}, {} kB |",
        100.0 * utilisation,
        100.0 * server,
        100.0 * coordinator,
        state / 1000,
        waiting * UNIT / 1000
    );
}
