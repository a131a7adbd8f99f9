//! Claims the user that submissions run as when the judge is root. Knows user ids; knows nothing of
//! runs.

use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Uid;

use crate::machine::process_tree;

/// Submissions of a judge that is root run as the first of these users, and the group of the same
/// number, that no other launcher on the machine has claimed. The range is above the user ids that
/// distributions give to people, and below those that they use for containers.
pub(crate) const USERS: Range<u32> = 60_001..60_513;

/// Sends neighbouring numbers far apart; odd, so that no two of 512 in a row meet.
const SPREAD: u64 = 37;

/// A user that no other launcher runs submissions as, so that two runs can neither signal each
/// other nor count as each other's processes.
pub(crate) struct SubmissionUser {
    pub(crate) number: u32,
    /// A socket bound to a name that only one process on the machine can have, and that is free
    /// again when the socket is closed.
    _claim: OwnedFd,
}

impl SubmissionUser {
    /// Claims the first user that is neither claimed nor has a process, so that no run of ours
    /// shares its user with processes that a killed launcher left, or of an account that happens to
    /// have such a number.
    pub(crate) fn claim() -> io::Result<Self> {
        for number in users_from(first_user()).filter(|number| !has_process(*number)) {
            if let Some(claimed) = Self::claim_number(number)? {
                return Ok(claimed);
            }
        }
        Err(io::Error::other(format!(
            "users {} to {} are all taken",
            USERS.start,
            USERS.end - 1
        )))
    }

    /// Claims this user; returns `None` if it is already claimed.
    pub(crate) fn claim_number(number: u32) -> io::Result<Option<Self>> {
        let socket = rustix::net::socket_with(
            AddressFamily::UNIX,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC,
            None,
        )?;
        let name =
            SocketAddrUnix::new_abstract_name(format!("gridjudge-user-{number}").as_bytes())?;
        match rustix::net::bind(&socket, &name) {
            Ok(()) => Ok(Some(Self {
                number,
                _claim: socket,
            })),
            Err(rustix::io::Errno::ADDRINUSE) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// All users, in a circle from this one.
fn users_from(first: u32) -> impl Iterator<Item = u32> {
    (first..USERS.end).chain(USERS.start..first)
}

/// The user that is tried first. A claim is seen only in the network namespace where it was made,
/// so judges in different containers begin at different places: the kernel counts processes and
/// pending signals by user, for all containers together. Source: namespaces(7), user_namespaces(7).
fn first_user() -> u32 {
    let namespace = std::fs::metadata("/proc/self/ns/net").map_or(0, |found| found.ino());
    // Neighbouring numbers come from containers that were started one after the other.
    let place = namespace.wrapping_mul(SPREAD) % u64::from(USERS.end - USERS.start);
    USERS.start + place as u32
}

/// Whether a user has a process. The kernel answers at once for a user without any; reading the
/// owner of every process takes a millisecond on a machine with some hundreds.
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
    fn judges_in_neighbouring_network_namespaces_begin_at_different_users_and_each_may_have_all() {
        assert!(USERS.contains(&first_user()));
        let users: Vec<_> = users_from(60_500).collect();
        assert_eq!(
            (users.len(), users[0], users[12], users[13]),
            (512, 60_500, 60_512, 60_001)
        );
    }

    #[test]
    fn the_current_user_has_a_process_and_an_unused_user_id_has_none() {
        let mine = rustix::process::getuid().as_raw();
        // 0 means the caller's user, which is then root.
        assert!(has_process(mine));
        assert!(!has_process(u32::MAX - 7));
    }
}
