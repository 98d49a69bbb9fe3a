//! Loops that wait, in many spellings, each with the same as an assumption.
//!
//! The two have the same final states. A round that is not the last has no effect that others could tell: it only
//! reads, or writes what is there already. Without it, a thread knows less and is waited for less; so every execution
//! with the loop has one without those rounds, and that is one with the assumption. The other way round, an execution
//! with the assumption is one in which the loop ends in its first round.

use super::Draw;
use crate::render::Thread;
use crate::statement::Statement;

impl Draw {
    /// One thread says that it is there, reads, and leaves; another one writes, and waits until nobody is there.
    pub(super) fn grace_period(&mut self, threads: &mut [Thread]) {
        let first = self.random.below(threads.len() as u32) as usize;
        let second = (first + self.random.within(1..=threads.len() as u32 - 1) as usize) % threads.len();
        let mut order = |of: &[&'static str]| if self.random.once_in(3) { self.random.pick(of) } else { "memory_order_seq_cst" };
        let stores = ["memory_order_relaxed", "memory_order_release"];
        let loads = ["memory_order_relaxed", "memory_order_acquire"];
        let (there, writes, gone) = (order(&stores), order(&stores), order(&stores));
        let (reads, waits) = (order(&loads), order(&loads));
        let mut fence = || if self.random.once_in(3) { "atomic_thread_fence(memory_order_seq_cst); " } else { "" };
        let (before_read, before_wait) = (fence(), fence());
        let register = self.register();
        let reader = format!(
            "{{ atomic_store_explicit(&y@, 1, {there}); {before_read}{register} = atomic_load_explicit(&x@, {reads}); atomic_store_explicit(&y@, 0, {gone}); }}"
        );
        let writer = format!("atomic_store_explicit(&x@, 1, {writes}); {before_wait}");
        let look = format!("atomic_load_explicit(&y@, {waits})");
        let writer = Statement::awaits(format!("{{ {writer}while ({look}) ; }}"), format!("{{ {writer}__VERIFIER_assume(!{look}); }}"));
        for (thread, statement) in [(first, Statement::line(reader)), (second, writer)] {
            let at = self.random.below(threads[thread].body.len() as u32 + 1) as usize;
            threads[thread].body.insert(at, statement);
        }
    }

    pub(super) fn awaits(&mut self, depth: u32) -> Statement {
        match self.random.below(8) {
            0..4 => self.load_loop(),
            4 => self.exchange_loop(),
            5 => self.update_loop(),
            6 => self.try_loop(depth),
            _ if self.random.once_in(3) => self.known_lock(depth),
            _ => self.hand_made_lock(depth),
        }
    }

    /// Loads until they fit.
    fn load_loop(&mut self) -> Statement {
        let (x, r, n, o, p) =
            (self.random.pick(&["x@", "y@"]), self.register(), self.random.pick(&[1, 1, 1, 2]), self.load_order(), self.load_order());
        let load = format!("atomic_load_explicit(&{x}, {o})");
        let other = format!("atomic_load_explicit(&{}, {p})", if x == "x@" { "y@" } else { "x@" });
        let assumed = format!("{r} = {load}; __VERIFIER_assume({r} == {n});");
        match self.random.below(19) {
            16 => {
                Statement::awaits(format!("while ({load} != {n}) {{ while (!{other}) ; }}"), format!("__VERIFIER_assume({load} == {n});"))
            }
            17 => Statement::line(format!("for (int i = 0; i < 2 && {r} != {n}; i++) {r} = {load};")),
            18 => Statement::awaits(
                format!(
                    "{{ int s, d; do {{ s = atomic_load_explicit(&seq@, {o}); d = a@ + 4 * b@; }} while ((s & 1) || s != atomic_load_explicit(&seq@, {p})); {r} = d; }}"
                ),
                format!(
                    "{{ int s = atomic_load_explicit(&seq@, {o}), d = a@ + 4 * b@; __VERIFIER_assume(!(s & 1)); __VERIFIER_assume(s == atomic_load_explicit(&seq@, {p})); {r} = d; }}"
                ),
            ),
            0 => Statement::awaits(format!("while (!{load}) ;"), format!("__VERIFIER_assume({load} != 0);")),
            1 => Statement::awaits(format!("do {{ {r} = {load}; }} while ({r} != {n});"), assumed),
            2 => Statement::awaits(format!("for (;;) {{ {r} = {load}; if ({r} == {n}) break; sched_yield(); }}"), assumed),
            3 => Statement::awaits(format!("again~: {r} = {load}; if ({r} != {n}) goto again~;"), assumed),
            4 => Statement::awaits(format!("for ({r} = {load}; {r} != {n}; {r} = {load}) thrd_yield();"), assumed),
            5 => {
                let acquire = format!("atomic_load_explicit(&{x}, memory_order_acquire)");
                Statement::awaits(format!("{r} = wait_for@(&{x}, {n});"), format!("{r} = {acquire}; __VERIFIER_assume({r} == {n});"))
            }
            6 => Statement::awaits(format!("while (!seen@(&{x})) ;"), format!("__VERIFIER_assume(seen@(&{x}));")),
            7 => Statement::awaits(format!("while (!{load} || !{other}) ;"), format!("__VERIFIER_assume({load} && {other});")),
            8 => Statement::awaits(
                format!("do {{ {r} = {load} + 4 * {other}; }} while ({r} < {n});"),
                format!("{r} = {load} + 4 * {other}; __VERIFIER_assume({r} >= {n});"),
            ),
            9 => Statement::awaits(
                format!("{{ int p, q; do {{ p = {load}; q = {other}; }} while (p != q); {r} = p; }}"),
                format!("{{ int p = {load}, q = {other}; __VERIFIER_assume(p == q); {r} = p; }}"),
            ),
            10 => Statement::awaits("while (!v@) ;", "__VERIFIER_assume(v@ != 0);"),
            11 => Statement::awaits(
                format!("while (1) {{ int l[2] = {{ {load}, 0 }}; l[1] = l[0]; if (l[1]) break; }}"),
                format!("__VERIFIER_assume({load} != 0);"),
            ),
            12 => Statement::awaits(
                format!("{{ int *p; while (!(p = atomic_load_explicit(&ptr@, {o}))) ; {r} = *p; }}"),
                format!("{{ int *p = atomic_load_explicit(&ptr@, {o}); __VERIFIER_assume(p != 0); {r} = *p; }}"),
            ),
            13 => {
                Statement::awaits(format!("while (at@[{r} & 1] != {n}) sched_yield();"), format!("__VERIFIER_assume(at@[{r} & 1] == {n});"))
            }
            14 => Statement::awaits(
                format!("local@ = 1; while (!({load} && {other})) {{ local@ = 1; }} {r} = 2;"),
                format!("local@ = 1; __VERIFIER_assume({load} && {other}); {r} = 2;"),
            ),
            _ => Statement::awaits(
                format!("do {{ while (!{load}) ; }} while ({other} == {n});"),
                format!("__VERIFIER_assume({load} != 0); __VERIFIER_assume({other} != {n});"),
            ),
        }
    }

    /// Takes something that is there.
    fn exchange_loop(&mut self) -> Statement {
        let (x, n, o, p) = (self.random.pick(&["x@", "y@"]), self.number(), self.rmw_order(), self.load_order());
        let strength = self.random.pick(&["strong", "weak"]);
        let exchange = format!("atomic_compare_exchange_{strength}_explicit(&{x}, &e, 0, {o}, {p})");
        match self.random.below(3) {
            0 => Statement::awaits(
                format!("{{ int e; do e = {n}; while (!{exchange}); }}"),
                format!("{{ int e = {n}; __VERIFIER_assume({exchange}); }}"),
            ),
            1 => Statement::awaits(
                format!("for (int e = {n}; !{exchange}; e = {n}) sched_yield();"),
                format!("for (int e = {n}, once = 1; once; once = 0) __VERIFIER_assume({exchange});"),
            ),
            _ => Statement::awaits(
                format!("while (atomic_fetch_or_explicit(&held@, 1, {o})) ; atomic_store(&held@, 0);"),
                format!("__VERIFIER_assume(!atomic_fetch_or_explicit(&held@, 1, {o})); atomic_store(&held@, 0);"),
            ),
        }
    }

    /// Computes a new value until nobody comes between.
    fn update_loop(&mut self) -> Statement {
        let (x, r, e) = (self.random.pick(&["x@", "y@"]), self.register(), self.expression());
        let (o, p, q) = (self.rmw_order(), self.load_order(), self.load_order());
        let exchange = format!("atomic_compare_exchange_weak_explicit(&{x}, &e, e + {e}, {o}, {p})");
        let assumed = format!("{{ int e = atomic_load_explicit(&{x}, {q}); __VERIFIER_assume({exchange}); {r} = e; }}");
        match self.random.below(2) {
            0 => Statement::awaits(format!("{{ int e; do e = atomic_load_explicit(&{x}, {q}); while (!{exchange}); {r} = e; }}"), assumed),
            _ => Statement::awaits(
                format!("{{ int e; for (;;) {{ e = atomic_load_explicit(&{x}, {q}); if ({exchange}) break; }} {r} = e; }}"),
                assumed,
            ),
        }
    }

    /// Tries a lock of the library until it is there.
    fn try_loop(&mut self, depth: u32) -> Statement {
        let (attempt, give) = self.random.pick(&[
            ("pthread_mutex_trylock(&mu@)", "pthread_mutex_unlock(&mu@);"),
            ("pthread_spin_trylock(&spin@)", "pthread_spin_unlock(&spin@);"),
            ("pthread_rwlock_trywrlock(&rw@)", "pthread_rwlock_unlock(&rw@);"),
            ("pthread_rwlock_tryrdlock(&rw@)", "pthread_rwlock_unlock(&rw@);"),
            ("sem_trywait(&sem@)", "sem_post(&sem@);"),
            ("mtx_trylock(&mtx@)", "mtx_unlock(&mtx@);"),
        ]);
        let head = Statement::awaits(format!("while ({attempt}) sched_yield();"), format!("__VERIFIER_assume(!{attempt});"));
        Statement::block(head, self.body(depth), give)
    }

    /// Locks made of atomics.
    fn hand_made_lock(&mut self, depth: u32) -> Statement {
        let (o, p, q) = (self.rmw_order(), self.load_order(), self.store_order());
        let strength = self.random.pick(&["strong", "weak"]);
        let exchange = format!("atomic_exchange_explicit(&held@, 1, {o})");
        let compare = format!("atomic_compare_exchange_{strength}_explicit(&held@, &e, 1, {o}, {p})");
        let load = format!("atomic_load_explicit(&held@, {p})");
        let test = format!("atomic_flag_test_and_set_explicit(&flag@, {o})");
        let free = format!("atomic_store_explicit(&held@, 0, {q});");
        let (head, tail) = match self.random.below(5) {
            0 => (Statement::awaits(format!("while ({exchange}) ;"), format!("__VERIFIER_assume(!{exchange});")), free),
            1 => (
                Statement::awaits(format!("while ({test}) ;"), format!("__VERIFIER_assume(!{test});")),
                format!("atomic_flag_clear_explicit(&flag@, {q});"),
            ),
            2 => (
                Statement::awaits(
                    format!("for (;;) {{ int e = 0; if ({compare}) break; }}"),
                    format!("{{ int e = 0; __VERIFIER_assume({compare}); }}"),
                ),
                free,
            ),
            3 => (
                Statement::awaits(
                    format!("for (;;) {{ while ({load}) ; if (!{exchange}) break; }}"),
                    format!("__VERIFIER_assume(!{load}); __VERIFIER_assume(!{exchange});"),
                ),
                free,
            ),
            _ => {
                let ticket = format!("int t = atomic_fetch_add_explicit(&ticket@, 1, {o});");
                let serving = format!("atomic_load_explicit(&serving@, {p})");
                (
                    Statement::awaits(
                        format!("{{ {ticket} while ({serving} != t) ;"),
                        format!("{{ {ticket} __VERIFIER_assume({serving} == t);"),
                    ),
                    format!("atomic_store_explicit(&serving@, t + 1, {q}); }}"),
                )
            }
        };
        Statement::block(head, self.body(depth), tail)
    }

    /// Peterson's lock, and a queue lock. Its nodes are static: a thread that spins on its own stack does so for
    /// seconds under RA and POWER before it is known that others write there.
    fn known_lock(&mut self, depth: u32) -> Statement {
        let (i, body) = (self.random.below(2), self.body(depth));
        let (o, p, q) = (self.rmw_order(), self.load_order(), self.store_order());
        if self.random.once_in(2) {
            let begin = format!("atomic_store_explicit(&wish@[{i}], 1, {q}); atomic_store(&turn@, {});", 1 - i);
            let taken = format!("atomic_load_explicit(&wish@[{}], {p}) && atomic_load(&turn@) == {}", 1 - i, 1 - i);
            let head = Statement::awaits(format!("{begin} while ({taken}) ;"), format!("{begin} __VERIFIER_assume(!({taken}));"));
            return Statement::block(head, body, format!("atomic_store_explicit(&wish@[{i}], 0, {q});"));
        }
        let node = "{ static struct qn@ me; me.next = 0; me.wait = 1;";
        let begin = format!("{node} struct qn@ *next, *seen = atomic_exchange_explicit(&last@, &me, {o});");
        let link = format!("atomic_store_explicit(&seen->next, &me, {q});");
        let held = format!("atomic_load_explicit(&me.wait, {p})");
        let head = Statement::awaits(
            format!("{begin} if (seen) {{ {link} while ({held}) ; }}"),
            format!("{begin} if (seen) {{ {link} __VERIFIER_assume(!{held}); }}"),
        );
        let leave = "seen = &me; next = 0; if (!atomic_compare_exchange_strong(&last@, &seen, 0)) {".to_string();
        let pass = format!("atomic_store_explicit(&next->wait, 0, {q}); }} }}");
        let tail = Statement::awaits(
            format!("{leave} while (!(next = atomic_load_explicit(&me.next, {p}))) ; {pass}"),
            format!("{leave} next = atomic_load_explicit(&me.next, {p}); __VERIFIER_assume(next != 0); {pass}"),
        );
        Statement::between(head, body, tail)
    }
}
