//! Releases the launcher's own memory, finds the page size, and sets the OOM score of a child.

use std::ptr;

use rustix::fs::{Mode, OFlags};

/// Frees the memory of this program's code, all of which is resident since the start. Code that is
/// needed again is read again, from the page cache and a few pages at a time.
pub(crate) fn forget_code() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (start, end) in maps.lines().filter_map(code_in) {
        let address = ptr::without_provenance_mut(start);
        // SAFETY: MADV_DONTNEED makes the next use of a private mapping read its file again, which
        // loses what was written there. A mapping that is not writable has not been written to: the
        // loader relocates data, not code, and a tool that patches code (a debugger) expects that
        // files may be replaced.
        let _ =
            unsafe { rustix::mm::madvise(address, end - start, rustix::mm::Advice::LinuxDontNeed) };
    }
}

/// The page size. The C library knows it from its start; `rustix` reads it from `/proc` when
/// called, which before Linux 6.4 panics in a process that has no access to its files there, as
/// this one.
pub(crate) fn page_bytes() -> u64 {
    // SAFETY: sysconf(3) takes a number and touches no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(4096)
}

/// Makes this process the first that the kernel kills when memory runs out. Must be called while
/// the launcher's `/proc` is still visible. Source: proc(5).
pub(super) fn raise_oom_score() {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    // A failure matters only when memory runs out; a launcher that then dies is replaced.
    if let Ok(place) = rustix::fs::open(c"/proc/self/oom_score_adj", flags, Mode::empty()) {
        let _ = rustix::io::write(&place, b"1000");
    }
}

/// The range of a line of `/proc/self/maps`, if it maps the code of a file: `1f00-2f00 r-xp 0 8:1
/// 77 /bin/x`.
fn code_in(line: &str) -> Option<(usize, usize)> {
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let is_code = fields.next()? == "r-xp" && fields.nth(3)?.starts_with('/');
    let parse = |number| usize::from_str_radix(number, 16).ok();
    is_code.then_some((parse(start)?, parse(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_a_file_mapping_that_is_executable_and_not_writable() {
        let line = |access, path| format!("1000-3f00 {access} 00001000 fe:00 1234   {path}");
        assert_eq!(
            code_in(&line("r-xp", "/usr/bin/x y")),
            Some((0x1000, 0x3f00))
        );
        assert_eq!(code_in(&line("rwxp", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r--p", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r-xp", "[vdso]")), None);
        assert_eq!(code_in(&line("r-xp", "")), None);
    }
}
