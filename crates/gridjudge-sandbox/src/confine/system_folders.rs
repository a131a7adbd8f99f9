//! Names the folders and devices of a Linux system that programs need. Knows names; whether they
//! exist, and what a run may see of them, is decided where they are used.

/// Folders that every program may read and execute, as far as they exist.
pub(crate) const SYSTEM_FOLDERS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// The folder of the system's configuration. A tool may run as root, and is shown only what every
/// user may read there: a source could make the compiler include a file of passwords like a header.
pub(crate) const CONFIGURATION: &str = "/etc";

/// Devices that reveal nothing about the machine and other processes.
pub(crate) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
