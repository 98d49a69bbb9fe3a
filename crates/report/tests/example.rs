//! The example says what it is said to say.

#[path = "../examples/by_hand.rs"]
mod by_hand;

#[test]
fn a_program_that_is_built_by_hand_is_checked_and_told() {
    insta::assert_snapshot!(by_hand::stories());
}
