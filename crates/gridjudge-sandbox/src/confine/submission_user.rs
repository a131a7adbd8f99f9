//! Claims the user that submissions run as when the judge is root. Knows user ids; knows nothing of runs.

use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;

use rustix::net::AddressFamily;
use rustix::net::SocketAddrUnix;
use rustix::net::SocketFlags;
use rustix::net::SocketType;
use rustix::process::Uid;

use crate::machine::process_tree;

/// Submissions of a judge that is root run as the first of these users, and the group of the same number,
/// that no other launcher on the machine has claimed. The range is above the user ids that distributions give
/// to people, and below those that they use for containers.
pub(crate) const USERS: Range<u32> = 60_001..60_513;

/// A user that no other launcher runs submissions as, so that two runs can neither signal each other nor
/// count as each other's processes.
pub(crate) struct SubmissionUser {
    pub(crate) number: u32,
    /// A socket bound to a name that only one process on the machine can have, and that is free again when
    /// the socket is closed.
    _claim: OwnedFd,
}

impl SubmissionUser {
    /// Claims the first user that is neither claimed nor has a process, so that no run of ours shares its
    /// user with processes that a killed launcher left, or of an account that happens to have such a number.
    pub(crate) fn claim() -> io::Result<Self> {
        for number in USERS.filter(|number| !has_process(*number)) {
            if let Some(claimed) = Self::claim_number(number)? {
                return Ok(claimed);
            }
        }
        Err(io::Error::other(format!("users {} to {} are all taken", USERS.start, USERS.end - 1)))
    }

    /// Claims this user; returns `None` if it is already claimed.
    pub(crate) fn claim_number(number: u32) -> io::Result<Option<Self>> {
        let socket =
            rustix::net::socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        let name = SocketAddrUnix::new_abstract_name(format!("gridjudge-user-{number}").as_bytes())?;
        match rustix::net::bind(&socket, &name) {
            Ok(()) => Ok(Some(Self { number, _claim: socket })),
            Err(rustix::io::Errno::ADDRINUSE) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a user has a process. The kernel answers at once for a user without any; reading the owner of
/// every process takes a millisecond on a machine with some hundreds.
fn has_process(user: u32) -> bool {
    match rustix::process::getpriority_user(Uid::from_raw(user)) {
        Ok(_) => true,
        Err(rustix::io::Errno::SRCH) => false,
        Err(_) => process_tree::processes_of(user).next().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_user_has_a_process_and_an_unused_user_id_has_none() {
        let mine = rustix::process::getuid().as_raw();
        // 0 means the caller's user, which is then root.
        assert!(has_process(mine));
        assert!(!has_process(u32::MAX - 7));
    }
}
