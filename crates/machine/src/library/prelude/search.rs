//! `bsearch`.

use super::Definition;
use super::writer::Writer;

pub const TABLE: &[Definition] = &[Definition::new("bsearch", 5, 1, bsearch)];

fn bsearch(w: &mut Writer) {
    let [key, base, n, size, compare] = [0, 1, 2, 3, 4].map(|p| w.parameter(p));
    let (zero, one) = (w.constant(0), w.constant(1));
    let [head, look, below, not_below, above, found, missing] = [(); 7].map(|()| w.block());
    let low = w.variable(zero);
    let high = w.variable(n);
    w.jump(head);

    w.begin(head);
    w.branch_less(low, high, look, missing);
    w.begin(look);
    let sum = w.add(low, high);
    let middle = w.half(sum);
    let offset = w.mul(middle, size);
    let element = w.add(base, offset);
    let [order] = w.call_pointer(compare, &[key, element]);
    w.branch_int_less(order, zero, below, not_below);
    w.begin(below);
    w.assign(high, middle);
    w.jump(head);
    w.begin(not_below);
    w.branch(order, above, found);
    w.begin(above);
    let next = w.add(middle, one);
    w.assign(low, next);
    w.jump(head);

    w.begin(found);
    w.ret(&[element]);
    w.begin(missing);
    w.ret(&[zero]);
}
