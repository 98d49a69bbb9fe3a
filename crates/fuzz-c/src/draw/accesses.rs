//! Loads, stores and read-modify-writes of all kinds, and objects that come and go.

use super::{Draw, Flavour};

impl Draw {
    /// An atomic variable.
    pub(super) fn variable(&mut self) -> String {
        let e = self.expression();
        match self.random.below(24) {
            0..12 => "x@".into(),
            12..21 => "y@".into(),
            21 => "z@".into(),
            _ => format!("at@[{e} & 1]"),
        }
    }

    pub(super) fn atomic(&mut self) -> String {
        let (x, r, e, f) = (self.variable(), self.register(), self.expression(), self.expression());
        let (load, store, rmw) = (self.load_order(), self.store_order(), self.rmw_order());
        // Loops that wait need something to wait for.
        let kind = if self.flavour == Flavour::Awaits && self.random.once_in(2) { 6 } else { self.random.below(24) };
        match kind {
            0..6 => format!("{r} = atomic_load_explicit(&{x}, {load});"),
            6..13 => format!("atomic_store_explicit(&{x}, {e}, {store});"),
            13 => format!("{x} = {e};"),
            14 => format!("{r} = {x};"),
            15 => format!("{r} = {x}++;"),
            16 => format!("{r} = atomic_exchange_explicit(&{x}, {e}, {rmw});"),
            17 => {
                let op = self.random.pick(&["add", "sub", "or", "xor", "and"]);
                format!("{r} = atomic_fetch_{op}_explicit(&{x}, {e}, {rmw});")
            }
            18 | 19 => {
                let strength = self.random.pick(&["strong", "weak"]);
                let exchange = format!("atomic_compare_exchange_{strength}_explicit(&{x}, &e, {f}, {rmw}, {load})");
                format!("{{ int e = {e} & 1; {r} = {exchange} * 8 + e; }}")
            }
            20 => format!("atomic_thread_fence({rmw});"),
            21 => format!("{r} = atomic_flag_test_and_set_explicit(&flag@, {rmw});"),
            22 => format!("atomic_flag_clear_explicit(&flag@, {store});"),
            _ => format!("{r} = (int)atomic_fetch_add_explicit(&wide@, {e}, {rmw});"),
        }
    }

    pub(super) fn plain(&mut self) -> String {
        let (r, e, f) = (self.register(), self.expression(), self.expression());
        let a = if self.random.once_in(5) { "b@".into() } else { self.focus.plain.replace("INDEX", &f) };
        match self.random.below(7) {
            0 | 1 => format!("{a} = {e};"),
            2 | 3 => format!("{r} = {a};"),
            4 => format!("{a}++;"),
            5 => format!("{a} += {e}; {r} = {a};"),
            _ => format!("{r} = loads@(&a@, &b@);"),
        }
    }

    pub(super) fn mixed(&mut self) -> String {
        let (r, e, n) = (self.register(), self.expression(), self.random.below(4));
        let (load, store, rmw) = (self.load_order(), self.store_order(), self.rmw_order());
        let kind = if self.focus.mixed == 0 { self.random.below(6) } else { self.random.within(6..=10) };
        match kind {
            0 => format!("u@.w = 0x01020304u * {e};"),
            1 => format!("{r} = (int)u@.w;"),
            2 => format!("u@.h[{}] = (unsigned short)(0x0101 * {e});", n & 1),
            3 => format!("{r} = u@.h[{}];", n & 1),
            4 => format!("u@.c[{n}] = (unsigned char){e};"),
            5 => format!("{r} = u@.c[{n}];"),
            6 => format!("{r} = (int)atomic_load_explicit((_Atomic long long *)mix@, {load});"),
            7 => format!("atomic_store_explicit((_Atomic long long *)mix@, {e} * 0x100000001ll, {store});"),
            8 => format!("atomic_store_explicit(&mix@[{}], {e}, {store});", n & 1),
            9 => format!("{r} = atomic_load_explicit((_Atomic unsigned char *)&mix@[1], {load});"),
            _ => format!("{r} = atomic_exchange_explicit((_Atomic unsigned char *)&mix@[{}], {e}, {rmw});", n & 1),
        }
    }

    /// Structures, pointers that are published late, memory that is allocated and freed.
    pub(super) fn object(&mut self) -> String {
        let (r, e, n) = (self.register(), self.expression(), self.random.below(2));
        let (load, store, rmw) = (self.load_order(), self.store_order(), self.rmw_order());
        let make = self.random.pick(&["malloc(sizeof *n)", "calloc(1, sizeof *n)"]);
        // Copies of more than eight bytes beside accesses of four are refused under RA and POWER, some of them.
        let large = if self.flavour == Flavour::Mixed { (4, 6) } else { (0, 3) };
        let (first, last) = [(0, 3), large, (7, 10), (11, 13), (12, 14)][self.focus.object as usize];
        match self.random.within(first..=last) {
            0 => format!("s@.{} = {e};", ["p", "q"][n as usize]),
            1 => "s2@ = s@;".into(),
            2 => format!("{{ __typeof__(s@) l = s@; {r} = l.p * 4 + l.q; }}"),
            3 => format!("{{ __typeof__(s@) l = {{ {e}, 2 }}; s@ = l; }}"),
            4 => format!("big@.p[{}] = {e};", n * 3),
            5 => "big2@ = big@;".into(),
            6 => format!("{{ __typeof__(big@) l; memcpy(&l, &big@, sizeof l); {r} = l.p[0] * 4 + l.p[3]; }}"),
            7 | 8 => format!("cell@ = {e}; atomic_store_explicit(&ptr@, &cell@, {store});"),
            9 => format!("{{ int *p = atomic_load_explicit(&ptr@, {load}); if (p) {r} = *p + 1; }}"),
            10 => format!("{{ int *p = atomic_load_explicit(&ptr@, {load}); if (p) *p = {e}; }}"),
            11 => {
                let link = format!("n->next = atomic_load_explicit(&top@, {load});");
                format!("{{ struct node@ *n = {make}; n->v = {e}; {link} atomic_store_explicit(&top@, n, {store}); }}")
            }
            12 => {
                let swap = format!("n = atomic_exchange_explicit(&top@, n, {rmw});");
                format!("{{ struct node@ *n = {make}; n->v = {e}; {swap} {r} = n ? n->v : 7; free(n); }}")
            }
            13 => format!("{{ struct node@ *n = atomic_load_explicit(&top@, {load}); {r} = n ? n->v : 9; }}"),
            _ => format!("{{ int *n = {make}; *n = {e}; {r} = *n + 1; free(n); }}"),
        }
    }
}
