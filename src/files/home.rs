//! The home folder of the judge's user.
//!
//! `std::env::home_dir` is not used: without `HOME` it asks the name services of the system, whose
//! libraries a static binary would load, built for another libc.

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::files;

/// The most bytes of the list of users that are read.
const MOST_BYTES: u64 = 1 << 20;

/// The home folder of the user who runs this process: what `HOME` says, else the system's list of
/// users. `None` if neither gives an absolute path.
pub(crate) fn home_folder() -> Option<PathBuf> {
    let named = env::var_os("HOME").filter(|home| !home.is_empty());
    let home = named.map(PathBuf::from).or_else(|| {
        let users = files::read(Path::new("/etc/passwd"), MOST_BYTES).ok()?;
        home_in(&users, rustix::process::getuid().as_raw())
    });
    home.filter(|home| home.is_absolute())
}

/// The home folder of a user, by number, in the text of `/etc/passwd`. Source: passwd(5).
fn home_in(users: &[u8], user: u32) -> Option<PathBuf> {
    let user = user.to_string();
    let mut rows = users
        .split(|byte| *byte == b'\n')
        .map(|line| line.split(|byte| *byte == b':').collect::<Vec<_>>());
    let row = rows.find(|row| row.get(2) == Some(&user.as_bytes()))?;
    row.get(5)
        .map(|home| PathBuf::from(OsStr::from_bytes(home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_of_a_user_is_that_of_the_first_row_with_its_number() {
        let users = b"root:x:0:0:root:/root:/bin/sh\n\nbroken\n+::::::\n\
                      a:x:1000:100:A, B:/home/a:/bin/sh\nb:x:1000:100::/home/b:\nc:x:7:7\n";
        for (user, home) in [
            (0, Some("/root")),
            (1000, Some("/home/a")),
            (100, None),
            (7, None),
        ] {
            assert_eq!(home_in(users, user), home.map(PathBuf::from), "{user}");
        }
    }
}
