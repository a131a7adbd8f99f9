//! The folders and devices of a Linux system that programs need, by their names. Knows names; whether they exist, and what of
//! them a run may see, is decided where they are used.

/// Folders that every program may read and execute, as far as they exist.
pub(crate) const SYSTEM_FOLDERS: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/snap"];

/// Where the system is configured. A tool may run as root, and is shown only what every user may read there: a compiler
/// would put a file of passwords into the program as gladly as a header.
pub(crate) const CONFIGURATION: &str = "/etc";

/// Devices that tell nothing of the machine and of other processes.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
