//! What the files of a process say of what it waits for.

use super::*;

impl RunLook {
    /// A sleeping run that has used nothing.
    pub(crate) fn asleep(threads: usize, waits: WaitingFor, switches: u64) -> Self {
        Self {
            threads,
            is_asleep: true,
            waits,
            switches,
            cpu: Duration::ZERO,
            written: 0,
            may_have_timer: false,
        }
    }
}

const PIPES: PipeNumbers = PipeNumbers {
    input: 70,
    output: 80,
};

/// What a call waits for, in a process whose descriptors 0 and 5 are its input, and
/// 1 its output.
fn waits(call: &str) -> WaitingFor {
    waits_in(Some(call), PIPES, |descriptor| match descriptor {
        0 | 5 => Some(70),
        1 => Some(80),
        _ => None,
    })
}

#[test]
fn a_thread_waits_for_a_stream_in_a_call_on_its_pipe_only() {
    let read = libc::SYS_read;
    let write = libc::SYS_write;
    assert_eq!(
        waits(&format!("{read} 0x0 0x7ffe 0x1000 0x0 0x0 0x0 0x7ff 0x7f1")),
        WaitingFor::Input
    );
    assert_eq!(
        waits(&format!("{read} 0x5 0x7ffe 0x1000")),
        WaitingFor::Input
    );
    assert_eq!(
        waits(&format!("{read} 0x7 0x7ffe 0x1000")),
        WaitingFor::SomethingElse
    );
    assert_eq!(
        waits(&format!("{write} 0x1 0x7ffe 0x1000")),
        WaitingFor::Room
    );
    assert_eq!(
        waits(&format!("{write} 0x2 0x7ffe 0x1000")),
        WaitingFor::SomethingElse
    );
    assert_eq!(
        waits(&format!("{} 0x2 0x7ffe", libc::SYS_ppoll)),
        WaitingFor::Several
    );
    assert_eq!(waits("running\n"), WaitingFor::SomethingElse);
    assert_eq!(waits("-1 0x7ffe 0x7f1\n"), WaitingFor::SomethingElse);
    assert_eq!(waits_in(None, PIPES, |_| None), WaitingFor::Unknown);
}

#[test]
fn all_context_switches_count_and_only_the_first_process_of_a_namespace_is_an_init() {
    let status = |numbers: &str| {
        format!(
            "Name:\tx\nNSpid:\t{numbers}\nvoluntary_ctxt_switches:\t7\n\
             nonvoluntary_ctxt_switches:\t30\n"
        )
    };
    assert_eq!(switches_in(&status("1")), 37);
    assert!(is_init_in(&status("4711\t1")) && is_init_in(&status("4711\t12\t1")));
    assert!(
        !is_init_in(&status("1"))
            && !is_init_in(&status("4711\t2"))
            && !is_init_in(&status("4711"))
    );
    let catches = |mask: &str| {
        catches_timers_in(&format!(
            "Name:\tx\nSigIgn:\t0000000000002000\nSigCgt:\t{mask}\n"
        ))
    };
    assert!(catches("0000000000002002") && catches("0000000010000000"));
    assert!(!catches("0000000000000002") && !catches("00000001efffdfff"));
    assert_eq!(written_in("rchar: 5\nwchar: 4711\nsyscr: 2\n"), 4711);
    assert_eq!(pipe_of("pipe:[4711]".as_ref()), Some(4711));
    assert_eq!(pipe_of("/dev/null".as_ref()), None);
}
