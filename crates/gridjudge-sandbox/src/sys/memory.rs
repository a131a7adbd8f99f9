//! The launcher's own memory, the page size, and the OOM score of a child.

use std::ptr;

use rustix::fs::Mode;
use rustix::fs::OFlags;

/// Gives back the memory of this program's code, all of it resident since the start. What is needed again is
/// read again, from the page cache and a few pages at a time.
pub(crate) fn forget_code() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for (start, end) in maps.lines().filter_map(code_in) {
        let address = ptr::without_provenance_mut(start);
        // SAFETY: MADV_DONTNEED makes the next use of a private mapping read its file again, which loses
        // what was written there. To a mapping that is not writable nobody has written: the loader
        // relocates data, not code, and whoever patches code (a debugger) expects to meet files replaced.
        let _ = unsafe { rustix::mm::madvise(address, end - start, rustix::mm::Advice::LinuxDontNeed) };
    }
}

/// How large a page is. The C library knows from its start; `rustix` asks when it is asked, which panics before Linux 6.4
/// in a process that has closed its files in `/proc`, as this one has.
pub(crate) fn page_bytes() -> u64 {
    // SAFETY: sysconf(3) takes a number and touches no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(4096)
}

/// Puts this process first among those that the kernel kills for memory, while the launcher's `/proc` is in sight.
/// Source: proc(5).
pub(super) fn raise_oom_score() {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    // That this fails matters only when memory runs out, and then a launcher that dies is replaced.
    if let Ok(place) = rustix::fs::open(c"/proc/self/oom_score_adj", flags, Mode::empty()) {
        let _ = rustix::io::write(&place, b"1000");
    }
}

/// The range of a line of `/proc/self/maps`, if it maps the code of a file: `1f00-2f00 r-xp 0 8:1 77 /bin/x`.
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
    fn code_is_what_a_file_maps_as_executable_and_not_writable() {
        let line = |access, path| format!("1000-3f00 {access} 00001000 fe:00 1234   {path}");
        assert_eq!(code_in(&line("r-xp", "/usr/bin/x y")), Some((0x1000, 0x3f00)));
        assert_eq!(code_in(&line("rwxp", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r--p", "/usr/bin/x")), None);
        assert_eq!(code_in(&line("r-xp", "[vdso]")), None);
        assert_eq!(code_in(&line("r-xp", "")), None);
    }
}
