//! Every lock and condition of the library.

use super::Draw;
use crate::statement::Statement;

/// How a lock is taken for good, and given back.
const LOCKS: &[(&str, &str)] = &[
    ("pthread_mutex_lock(&mu@);", "pthread_mutex_unlock(&mu@);"),
    ("pthread_mutex_lock(&mu@); pthread_mutex_lock(&mu2@);", "pthread_mutex_unlock(&mu@); pthread_mutex_unlock(&mu2@);"),
    ("pthread_mutex_lock(&mu2@); pthread_mutex_lock(&mu@);", "pthread_mutex_unlock(&mu@); pthread_mutex_unlock(&mu2@);"),
    ("pthread_mutex_lock(&rec@); pthread_mutex_lock(&rec@);", "pthread_mutex_unlock(&rec@); pthread_mutex_unlock(&rec@);"),
    ("pthread_mutex_lock(&rec@);", "pthread_mutex_unlock(&rec@);"),
    ("pthread_rwlock_rdlock(&rw@);", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_rwlock_wrlock(&rw@);", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_spin_lock(&spin@);", "pthread_spin_unlock(&spin@);"),
    ("sem_wait(&sem@);", "sem_post(&sem@);"),
    ("mtx_lock(&mtx@);", "mtx_unlock(&mtx@);"),
];

/// How a lock is taken or not.
const TRIES: &[(&str, &str)] = &[
    ("pthread_mutex_trylock(&mu@)", "pthread_mutex_unlock(&mu@);"),
    ("pthread_mutex_trylock(&rec@)", "pthread_mutex_unlock(&rec@);"),
    ("pthread_mutex_timedlock(&mu@, &soon)", "pthread_mutex_unlock(&mu@);"),
    ("pthread_rwlock_tryrdlock(&rw@)", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_rwlock_trywrlock(&rw@)", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_rwlock_timedwrlock(&rw@, &soon)", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_rwlock_timedrdlock(&rw@, &soon)", "pthread_rwlock_unlock(&rw@);"),
    ("pthread_spin_trylock(&spin@)", "pthread_spin_unlock(&spin@);"),
    ("sem_trywait(&sem@)", "sem_post(&sem@);"),
    ("sem_timedwait(&sem@, &soon)", "sem_post(&sem@);"),
    ("mtx_trylock(&mtx@)", "mtx_unlock(&mtx@);"),
];

/// How a condition is waited for, and made true. `c@` is what is waited for.
const WAITS: &[&str] = &[
    "pthread_mutex_lock(&mu@); while (!c@) pthread_cond_wait(&cond@, &mu@); REG += c@; pthread_mutex_unlock(&mu@);",
    "pthread_mutex_lock(&mu@); if (!c@) pthread_cond_wait(&cond@, &mu@); REG += c@; pthread_mutex_unlock(&mu@);",
    "pthread_mutex_lock(&mu@); if (!c@) REG = pthread_cond_timedwait(&cond@, &mu@, &soon) != 0; pthread_mutex_unlock(&mu@);",
    "mtx_lock(&mtx@); while (!c@) cnd_wait(&cnd@, &mtx@); c@--; mtx_unlock(&mtx@);",
    "sem_wait(&sem0@);",
    "REG = sem_trywait(&sem0@);",
    "REG = pthread_barrier_wait(&bar@) != 0;",
    "REG = pthread_barrier_wait(&bar@) != 0;",
];

const WAKES: &[&str] = &[
    "pthread_mutex_lock(&mu@); c@++; pthread_cond_signal(&cond@); pthread_mutex_unlock(&mu@);",
    "pthread_mutex_lock(&mu@); c@++; pthread_mutex_unlock(&mu@); pthread_cond_broadcast(&cond@);",
    "mtx_lock(&mtx@); c@++; cnd_signal(&cnd@); mtx_unlock(&mtx@);",
    "mtx_lock(&mtx@); c@++; cnd_broadcast(&cnd@); mtx_unlock(&mtx@);",
    "pthread_cond_signal(&cond@);",
    "sem_post(&sem0@);",
    "REG = pthread_barrier_wait(&bar@) != 0;",
    "pthread_mutex_lock(&mu@); c@ += 2; pthread_mutex_unlock(&mu@);",
    "REG = value_of(&sem@);",
    "pthread_once(&once@, first@);",
    "call_once(&conce@, first@);",
];

impl Draw {
    pub(super) fn lock(&mut self, depth: u32) -> Statement {
        let r = self.register();
        let (lock, wait) = (format!("&{}@", self.focus.lock), format!("{}@", self.focus.wait));
        match self.random.below(8) {
            0..3 => {
                let (take, give) = self.random.pick(&naming(LOCKS, &lock));
                Statement::block(Statement::line(take), self.body(depth), give)
            }
            3 | 4 => {
                let (take, give) = self.random.pick(&naming(TRIES, &lock));
                let head = format!("{r} = {take} != 0; if (!{r}) {{ int kept = {r};");
                let body = self.body(depth);
                Statement::block(Statement::line(head), body, format!("{give} {r} += kept; }}"))
            }
            5 => Statement::line(self.waiting(WAITS, &wait).replace("REG", r)),
            6 => Statement::line(self.waiting(WAKES, &wait).replace("REG", r)),
            _ => Statement::line(self.random.pick(&WAKES[WAKES.len() - 4..]).replace("REG", r)),
        }
    }

    /// One of those that name what is waited on, where there is one.
    fn waiting(&mut self, from: &[&'static str], on: &str) -> &'static str {
        let some: Vec<&str> = from.iter().copied().filter(|text| text.contains(on)).collect();
        self.random.pick(if some.is_empty() { from } else { &some })
    }
}

/// Those that name a lock.
fn naming(from: &[(&'static str, &'static str)], lock: &str) -> Vec<(&'static str, &'static str)> {
    from.iter().copied().filter(|(take, _)| take.contains(lock)).collect()
}
