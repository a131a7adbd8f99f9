//! The stack on which a child runs while it shares the launcher's memory.

use std::{io, ptr};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};

/// The size of a stack. A child uses only a few frames; unoptimised builds need about 3 KiB.
const STACK_BYTES: usize = 64 << 10;

/// The size of the guard below the stack, which faults on overflow: the largest page size of any
/// Linux, so that it is whole pages everywhere.
const GUARD_BYTES: usize = 64 << 10;

/// One child's stack.
pub(crate) struct ChildStack {
    base: *mut libc::c_void,
}

impl ChildStack {
    /// Maps a stack with a guard below. It is never unmapped: a launcher keeps its stacks as long
    /// as it lives.
    pub(crate) fn new() -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: an anonymous mapping at an address of the kernel's choice replaces nothing.
        let base = unsafe {
            rustix::mm::mmap_anonymous(
                ptr::null_mut(),
                GUARD_BYTES + STACK_BYTES,
                access,
                MapFlags::PRIVATE,
            )
        }?;
        // SAFETY: these are the first bytes of our own fresh mapping, into which no reference
        // exists.
        unsafe { rustix::mm::mprotect(base, GUARD_BYTES, MprotectFlags::empty()) }?;
        Ok(Self { base })
    }

    /// The end of the mapping, where a stack that grows downwards starts; page-aligned.
    pub(super) fn top(&self) -> *mut libc::c_void {
        // SAFETY: one past the end of the one mapping that `new` made with exactly this length.
        unsafe { self.base.byte_add(GUARD_BYTES + STACK_BYTES) }
    }
}
