//! `qsort`: glibc's merge sort, with the same comparisons in the same order.

use super::Definition;
use super::writer::Writer;

pub const TABLE: &[Definition] =
    &[Definition::new("qsort", 4, 0, qsort), Definition::new("qsort_r", 5, 0, qsort_r), Definition::new("__raddle_sort", 6, 0, sort)];

fn qsort(w: &mut Writer) {
    let none = w.constant(0);
    let [base, n, size, compare] = [0, 1, 2, 3].map(|p| w.parameter(p));
    let length = w.mul(n, size);
    let [room] = w.call("__raddle_allocate", &[length]);
    w.call::<0>("__raddle_sort", &[base, n, size, compare, none, room]);
    w.call::<0>("free", &[room]);
    w.ret(&[]);
}

fn qsort_r(w: &mut Writer) {
    let [base, n, size, compare, argument] = [0, 1, 2, 3, 4].map(|p| w.parameter(p));
    let length = w.mul(n, size);
    let [room] = w.call("__raddle_allocate", &[length]);
    w.call::<0>("__raddle_sort", &[base, n, size, compare, argument, room]);
    w.call::<0>("free", &[room]);
    w.ret(&[]);
}

/// Sorts both halves, merges them into the room, and copies that back.
fn sort(w: &mut Writer) {
    let [base, n, size, compare, argument, room] = [0, 1, 2, 3, 4, 5].map(|p| w.parameter(p));
    let (zero, one, two) = (w.constant(0), w.constant(1), w.constant(2));
    let [trivial, split, both, left, merge, take_first, take_second, rest, done] = [(); 9].map(|()| w.block());
    w.branch_less(n, two, trivial, split);
    w.begin(trivial);
    w.ret(&[]);

    w.begin(split);
    let half = w.half(n);
    let n1 = w.variable(half);
    let n2 = w.sub(n, n1);
    let n2 = w.variable(n2);
    let first = w.variable(base);
    let skipped = w.mul(n1, size);
    let second = w.add(base, skipped);
    let second = w.variable(second);
    w.call::<0>("__raddle_sort", &[first, n1, size, compare, argument, room]);
    w.call::<0>("__raddle_sort", &[second, n2, size, compare, argument, room]);
    let to = w.variable(room);
    w.jump(left);

    w.begin(left);
    w.branch(n1, both, rest);
    w.begin(both);
    w.branch(n2, merge, rest);
    w.begin(merge);
    let [order] = w.call_pointer(compare, &[first, second, argument]);
    w.branch_int_less(zero, order, take_second, take_first);
    for (block, from, count) in [(take_first, first, n1), (take_second, second, n2)] {
        w.begin(block);
        w.copy(to, from, size);
        for (pointer, step) in [(to, size), (from, size)] {
            let next = w.add(pointer, step);
            w.assign(pointer, next);
        }
        let fewer = w.sub(count, one);
        w.assign(count, fewer);
        w.jump(left);
    }

    w.begin(rest);
    let length = w.mul(n1, size);
    w.copy(to, first, length);
    w.jump(done);
    w.begin(done);
    let merged = w.sub(n, n2);
    let length = w.mul(merged, size);
    w.copy(base, room, length);
    w.ret(&[]);
}
