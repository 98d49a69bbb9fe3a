//! What programs declare: every variable, type and function that statements name, how it is declared and prepared,
//! and what is looked at in the end.

/// A variable, type or function of a program.
pub struct Declared {
    /// Its name, without the suffix of the program.
    pub name: &'static str,
    pub declaration: &'static str,
    /// What `main` does with it before it starts threads.
    pub preparation: &'static str,
    /// What is hashed in the end, as expressions with commas between; empty where nothing is.
    pub state: &'static str,
}

const fn declared(name: &'static str, declaration: &'static str, preparation: &'static str, state: &'static str) -> Declared {
    Declared { name, declaration, preparation, state }
}

/// All of them, each after those that its declaration names.
pub const DECLARED: &[Declared] = &[
    declared("x", "static atomic_int x@;", "", "atomic_load(&x@)"),
    declared("y", "static atomic_int y@;", "", "atomic_load(&y@)"),
    declared("z", "static atomic_int z@;", "", "atomic_load(&z@)"),
    declared("at", "static atomic_int at@[2];", "", "atomic_load(&at@[0]), atomic_load(&at@[1])"),
    declared("wide", "static atomic_llong wide@;", "", "(int)atomic_load(&wide@)"),
    declared("flag", "static atomic_flag flag@ = ATOMIC_FLAG_INIT;", "", "atomic_flag_test_and_set(&flag@)"),
    declared("held", "static atomic_int held@;", "", "atomic_load(&held@)"),
    declared("ticket", "static atomic_int ticket@;", "", "atomic_load(&ticket@)"),
    declared("serving", "static atomic_int serving@;", "", "atomic_load(&serving@)"),
    declared("a", "static int a@;", "", "a@"),
    declared("b", "static int b@;", "", "b@"),
    declared("v", "static volatile int v@;", "", "v@"),
    declared("arr", "static int arr@[2];", "", "arr@[0], arr@[1]"),
    declared("s", "static struct { int p, q; } s@, s2@;", "", "s@.p, s@.q, s2@.p, s2@.q"),
    declared("big", "static struct { int p[5]; } big@, big2@;", "", "big@.p[0], big@.p[3], big2@.p[0], big2@.p[4]"),
    declared("u", "static volatile union { unsigned w; unsigned short h[2]; unsigned char c[4]; } u@;", "", "(int)u@.w"),
    declared("mix", "static _Alignas(8) atomic_int mix@[2];", "", "atomic_load(&mix@[0]), atomic_load(&mix@[1])"),
    declared("cell", "static int cell@;", "", "cell@"),
    declared("ptr", "static int *_Atomic ptr@;", "", "!!atomic_load(&ptr@)"),
    declared("node", "struct node@ { int v; struct node@ *next; };", "", ""),
    declared("top", "static struct node@ *_Atomic top@;", "", "top@ ? top@->v : -1"),
    declared("local", "static _Thread_local int local@;", "", "local@"),
    declared("seq", "static atomic_int seq@;", "", "atomic_load(&seq@)"),
    declared("wish", "static atomic_int wish@[2];", "", ""),
    declared("turn", "static atomic_int turn@;", "", "atomic_load(&turn@)"),
    declared("qn", "struct qn@ { struct qn@ *_Atomic next; atomic_int wait; };", "", ""),
    declared("last", "static struct qn@ *_Atomic last@;", "", "!!atomic_load(&last@)"),
    declared("key", "static pthread_key_t key@;", "pthread_key_create(&key@, 0);", ""),
    declared(
        "child",
        "static void *child@(void *p) { a@ = 1; return (void *)(long)(atomic_fetch_add_explicit(&x@, 1, memory_order_release) + (p != 0)); }",
        "",
        "",
    ),
    declared("mu", "static pthread_mutex_t mu@ = PTHREAD_MUTEX_INITIALIZER;", "", "pthread_mutex_trylock(&mu@)"),
    declared("mu2", "static pthread_mutex_t mu2@ = PTHREAD_MUTEX_INITIALIZER;", "", ""),
    declared("rec", "static pthread_mutex_t rec@ = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;", "", ""),
    declared("rw", "static pthread_rwlock_t rw@ = PTHREAD_RWLOCK_INITIALIZER;", "", ""),
    declared("spin", "static pthread_spinlock_t spin@;", "pthread_spin_init(&spin@, 0);", ""),
    declared("sem", "static sem_t sem@;", "sem_init(&sem@, 0, 1);", "value_of(&sem@)"),
    declared("sem0", "static sem_t sem0@;", "sem_init(&sem0@, 0, 0);", "value_of(&sem0@)"),
    declared("cond", "static pthread_cond_t cond@ = PTHREAD_COND_INITIALIZER;", "", ""),
    declared("c", "static int c@;", "", "c@"),
    declared("bar", "static pthread_barrier_t bar@;", "pthread_barrier_init(&bar@, 0, 2);", ""),
    declared("once", "static pthread_once_t once@ = PTHREAD_ONCE_INIT;", "", ""),
    declared("conce", "static once_flag conce@ = ONCE_FLAG_INIT;", "", ""),
    declared("mtx", "static mtx_t mtx@;", "mtx_init(&mtx@, mtx_plain);", ""),
    declared("cnd", "static cnd_t cnd@;", "cnd_init(&cnd@);", ""),
    declared("first", "static void first@(void) { atomic_fetch_add_explicit(&x@, 1, memory_order_relaxed); }", "", ""),
    declared(
        "wait_for",
        "static int wait_for@(atomic_int *p, int n) { int r; while ((r = atomic_load_explicit(p, memory_order_acquire)) != n) sched_yield(); return r; }",
        "",
        "",
    ),
    declared("seen", "static int seen@(atomic_int *p) { return atomic_load_explicit(p, memory_order_relaxed) != 0; }", "", ""),
    declared(
        "down",
        "static int down@(int n) { int here = n; if (n <= 0) return 0; int *p = &here; *p += atomic_fetch_add(&x@, n); return down@(n - 1) * 2 + here; }",
        "",
        "",
    ),
    declared("loads", "static int loads@(int *p, int *q) { int l = *p; *q = l + 1; return l; }", "", ""),
];

/// Whether a text names what is declared by this name.
pub fn names(text: &str, name: &str) -> bool {
    let name = format!("{name}@");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(&name).any(|(at, _)| !text[..at].ends_with(is_word))
}
