//! The red-black trees behind `std::map` and `std::set`, as libstdc++ has them: nodes of colour, parent, left and
//! right, and a header whose parent is the root and whose left and right are the first and the last node.

use super::{Builtin, Call};
use crate::runner::Run;
use raddle_event::Address;

pub const TABLE: &[(&str, Builtin)] = &[
    ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", |call| next(call, call.word(0), RIGHT, LEFT)),
    ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", |call| next(call, call.word(0), RIGHT, LEFT)),
    ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", previous),
    ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", previous),
    ("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_", insert),
    ("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", erase),
];

const COLOUR: u64 = 0;
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;

const RED: u64 = 0;
const BLACK: u64 = 1;

fn get(call: &mut Call, node: u64, field: u64) -> Run<u64> {
    call.load(Address(node + field), if field == COLOUR { 4 } else { 8 })
}

fn set(call: &mut Call, node: u64, field: u64, value: u64) -> Run<()> {
    call.store(Address(node + field), if field == COLOUR { 4 } else { 8 }, value)
}

fn other(side: u64) -> u64 {
    LEFT + RIGHT - side
}

/// The last node on one side of a subtree.
fn furthest(call: &mut Call, mut node: u64, side: u64) -> Run<u64> {
    loop {
        match get(call, node, side)? {
            0 => return Ok(node),
            child => node = child,
        }
    }
}

/// The next node in one direction.
fn next(call: &mut Call, mut node: u64, side: u64, back: u64) -> Run<u64> {
    let child = get(call, node, side)?;
    if child != 0 {
        return furthest(call, child, back);
    }
    let mut parent = get(call, node, PARENT)?;
    while node == get(call, parent, side)? {
        node = parent;
        parent = get(call, node, PARENT)?;
    }
    // The root of a tree of one node and the header are each other's parents.
    Ok(if get(call, node, side)? != parent { parent } else { node })
}

/// The node before; the last one where the header is given, which is red and its grandparent's own child.
fn previous(call: &mut Call) -> Run<u64> {
    let node = call.word(0);
    if get(call, node, COLOUR)? == RED {
        let parent = get(call, node, PARENT)?;
        if get(call, parent, PARENT)? == node {
            return get(call, node, RIGHT);
        }
    }
    let child = get(call, node, LEFT)?;
    if child != 0 {
        return furthest(call, child, RIGHT);
    }
    let (mut node, mut parent) = (node, get(call, node, PARENT)?);
    while node == get(call, parent, LEFT)? {
        node = parent;
        parent = get(call, node, PARENT)?;
    }
    Ok(parent)
}

/// Puts `new` where the parent has `old`.
fn replace(call: &mut Call, old: u64, new: u64, header: u64) -> Run<()> {
    let parent = get(call, old, PARENT)?;
    if get(call, header, PARENT)? == old {
        set(call, header, PARENT, new)
    } else if get(call, parent, LEFT)? == old {
        set(call, parent, LEFT, new)
    } else {
        set(call, parent, RIGHT, new)
    }
}

/// Turns a node down to one side; its child on the other side takes its place.
fn rotate(call: &mut Call, node: u64, side: u64, header: u64) -> Run<()> {
    let child = get(call, node, other(side))?;
    let moved = get(call, child, side)?;
    set(call, node, other(side), moved)?;
    if moved != 0 {
        set(call, moved, PARENT, node)?;
    }
    let parent = get(call, node, PARENT)?;
    set(call, child, PARENT, parent)?;
    replace(call, node, child, header)?;
    set(call, child, side, node)?;
    set(call, node, PARENT, child)
}

/// The arguments are whether to insert on the left, the new node, its parent, and the header.
fn insert(call: &mut Call) -> Run<u64> {
    let (left, node, parent, header) = (call.word(0) & 1 == 1, call.word(1), call.word(2), call.word(3));
    for (field, value) in [(PARENT, parent), (LEFT, 0), (RIGHT, 0), (COLOUR, RED)] {
        set(call, node, field, value)?;
    }
    let side = if left { LEFT } else { RIGHT };
    set(call, parent, side, node)?;
    if parent == header {
        set(call, header, PARENT, node)?;
        set(call, header, LEFT, node)?;
        set(call, header, RIGHT, node)?;
    } else if get(call, header, side)? == parent {
        set(call, header, side, node)?;
    }
    rebalance(call, node, header)?;
    let root = get(call, header, PARENT)?;
    set(call, root, COLOUR, BLACK)?;
    Ok(0)
}

/// No red node has a red parent.
fn rebalance(call: &mut Call, mut node: u64, header: u64) -> Run<()> {
    while node != get(call, header, PARENT)? {
        let mut parent = get(call, node, PARENT)?;
        if get(call, parent, COLOUR)? == BLACK {
            break;
        }
        let above = get(call, parent, PARENT)?;
        let side = if get(call, above, LEFT)? == parent { LEFT } else { RIGHT };
        let uncle = get(call, above, other(side))?;
        if uncle != 0 && get(call, uncle, COLOUR)? == RED {
            set(call, parent, COLOUR, BLACK)?;
            set(call, uncle, COLOUR, BLACK)?;
            set(call, above, COLOUR, RED)?;
            node = above;
            continue;
        }
        if get(call, parent, other(side))? == node {
            node = parent;
            rotate(call, node, side, header)?;
            parent = get(call, node, PARENT)?;
        }
        set(call, parent, COLOUR, BLACK)?;
        set(call, above, COLOUR, RED)?;
        rotate(call, above, other(side), header)?;
    }
    Ok(())
}

/// Takes a node out of a tree; gives it back for its memory to be freed.
fn erase(call: &mut Call) -> Run<u64> {
    let (node, header) = (call.word(0), call.word(1));
    let (left, right) = (get(call, node, LEFT)?, get(call, node, RIGHT)?);
    let colour;
    let (child, mut parent);
    if left != 0 && right != 0 {
        // The next node takes the place and the colour of this one.
        let heir = furthest(call, right, LEFT)?;
        child = get(call, heir, RIGHT)?;
        set(call, left, PARENT, heir)?;
        set(call, heir, LEFT, left)?;
        if heir == right {
            parent = heir;
        } else {
            parent = get(call, heir, PARENT)?;
            if child != 0 {
                set(call, child, PARENT, parent)?;
            }
            set(call, parent, LEFT, child)?;
            set(call, heir, RIGHT, right)?;
            set(call, right, PARENT, heir)?;
        }
        replace(call, node, heir, header)?;
        let above = get(call, node, PARENT)?;
        set(call, heir, PARENT, above)?;
        colour = get(call, heir, COLOUR)?;
        let own = get(call, node, COLOUR)?;
        set(call, heir, COLOUR, own)?;
    } else {
        child = if left != 0 { left } else { right };
        parent = get(call, node, PARENT)?;
        if child != 0 {
            set(call, child, PARENT, parent)?;
        }
        replace(call, node, child, header)?;
        for (side, towards) in [(LEFT, right), (RIGHT, left)] {
            if get(call, header, side)? == node {
                let end = if towards == 0 { parent } else { furthest(call, child, side)? };
                set(call, header, side, end)?;
            }
        }
        colour = get(call, node, COLOUR)?;
    }
    if colour == BLACK {
        balance_erased(call, child, &mut parent, header)?;
    }
    Ok(node)
}

/// The paths through `node` lack a black node.
fn balance_erased(call: &mut Call, mut node: u64, parent: &mut u64, header: u64) -> Run<()> {
    let is_black = |call: &mut Call, node: u64| Ok(node == 0 || get(call, node, COLOUR)? == BLACK);
    while node != get(call, header, PARENT)? && is_black(call, node)? {
        let side = if get(call, *parent, LEFT)? == node { LEFT } else { RIGHT };
        let mut sibling = get(call, *parent, other(side))?;
        if get(call, sibling, COLOUR)? == RED {
            set(call, sibling, COLOUR, BLACK)?;
            set(call, *parent, COLOUR, RED)?;
            rotate(call, *parent, side, header)?;
            sibling = get(call, *parent, other(side))?;
        }
        let (near, far) = (get(call, sibling, side)?, get(call, sibling, other(side))?);
        if is_black(call, near)? && is_black(call, far)? {
            set(call, sibling, COLOUR, RED)?;
            node = *parent;
            *parent = get(call, node, PARENT)?;
            continue;
        }
        if is_black(call, far)? {
            set(call, near, COLOUR, BLACK)?;
            set(call, sibling, COLOUR, RED)?;
            rotate(call, sibling, other(side), header)?;
            sibling = get(call, *parent, other(side))?;
        }
        let colour = get(call, *parent, COLOUR)?;
        set(call, sibling, COLOUR, colour)?;
        set(call, *parent, COLOUR, BLACK)?;
        let far = get(call, sibling, other(side))?;
        if far != 0 {
            set(call, far, COLOUR, BLACK)?;
        }
        rotate(call, *parent, side, header)?;
        break;
    }
    if node != 0 {
        set(call, node, COLOUR, BLACK)?;
    }
    Ok(())
}
