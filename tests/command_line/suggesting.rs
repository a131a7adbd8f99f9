//! `gridjudge verify --suggest-limits` with real programs: one that answers at once,
//! and one that never ends.

use crate::judge::{HALF_RIGHT, Judge, RIGHT};

const ENDLESS: &str = "#!/bin/sh\nwhile :; do :; done\n";

/// A judge's folder whose problem has this time limit.
fn with_limit(time: &str) -> Judge {
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "time = \"10s\"",
        &format!("time = \"{time}\""),
    );
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge
}

#[test]
fn a_limit_with_room_on_both_sides_is_kept_and_the_examples_that_bound_it_are_named()
{
    let judge = with_limit("250ms");
    judge.script("problems/mini/submissions/slow/endless.sh", ENDLESS);
    let ran = judge.run(&["verify", "--suggest-limits"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    for expected in [
        "mini: 250.0 ms now\n  slowest accepted     ",
        ", accepted/right.sh on s",
        "\n  fastest too slow     more than 1.1",
        " s, slow/endless.sh on sample/001-one\n",
        "\n  time limit           holds; the shortest with room is ",
    ] {
        assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    }
}

#[test]
fn no_limit_is_suggested_if_a_slow_example_is_faster_than_the_limit_allows() {
    let judge = with_limit("200ms");
    // It is expected to be too slow, but ends long before the limit.
    judge.script("problems/mini/submissions/slow/right.sh", RIGHT);
    let ran = judge.run(&["verify", "--suggest-limits", "-q"]);
    assert!(
        ran.stdout
            .contains("\n  time limit           no limit leaves room: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_missing_kind_of_example_is_reported() {
    let judge = with_limit("5s");
    let ran = judge.run(&["verify", "--suggest-limits"]);
    assert!(
        ran.stdout.contains("\n  fastest too slow     no example\n"),
        "{}",
        ran.stdout
    );
    let judge = Judge::new();
    judge.script("problems/mini/submissions/wrong/right.sh", RIGHT);
    let ran = judge.run(&["verify", "--suggest-limits"]);
    assert!(
        ran.stdout
            .contains("no proposal: no example must be accepted\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn no_limit_is_suggested_by_an_example_that_fails_where_it_must_be_accepted() {
    let judge = with_limit("250ms");
    judge.script("problems/mini/submissions/accepted/half.sh", HALF_RIGHT);
    let ran = judge.run(&["verify", "--suggest-limits"]);
    let [failed, advice] = ["\n  not accepted         ", "\n  time limit           "]
        .map(|head| {
            ran.stdout
                .split_once(head)
                .unwrap()
                .1
                .lines()
                .next()
                .unwrap()
        });
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        failed.ends_with(" ms, accepted/half.sh on secret/002-two"),
        "{failed}"
    );
    assert_eq!(
        advice,
        "no proposal: an example is not accepted that must be"
    );
}
