//! Reads the facts that decide how well programs can be isolated on this machine. Knows
//! the kernel's files for them; knows nothing of the levels of a sandbox, and gives no
//! advice.

use crate::machine::cgroup::CgroupHierarchy;
use crate::machine::process_tree::proc_field;
use crate::machine::processors::{self, KernelFiles};

/// A fact about a machine.
#[derive(Debug)]
pub struct MachineFact {
    /// The subject, for example `kernel`.
    pub name: &'static str,
    /// The value, in a few words.
    pub value: String,
}

/// Reads the facts about isolation, in the order of a report. Facts that this machine
/// does not provide are left out.
pub fn facts() -> Vec<MachineFact> {
    read(&KernelFiles::of_this_machine())
}

fn read(files: &KernelFiles) -> Vec<MachineFact> {
    let status = files.text("/proc/self/status").unwrap_or_default();
    let fact = |name| move |value| MachineFact { name, value };
    let usable = processors::processors();
    let cores = match processors::cores_in(files) {
        Some(cores) => format!("{cores} physical cores in the machine"),
        None => "the machine does not report its physical cores".to_owned(),
    };
    [
        files
            .text("/proc/sys/kernel/osrelease")
            .map(|release| format!("Linux {release}, {}", std::env::consts::ARCH))
            .map(fact("kernel")),
        files
            .text("/sys/kernel/security/lsm")
            .map(fact("security modules")),
        user(
            &status,
            &files.text("/proc/self/uid_map").unwrap_or_default(),
        )
        .map(fact("user")),
        Some(user_namespaces(files)).map(fact("user namespaces")),
        control_groups(files, 1).map(fact("cgroups v1")),
        control_groups(files, 2).map(fact("cgroups v2")),
        Some(container(files)).map(fact("container")),
        restrictions(&status).map(fact("this process")),
        Some(format!("{usable} for this process; {cores}")).map(fact("processors")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The user of this process, and whether its root is the machine's. A map is lines of
/// `inside outside count`.
fn user(status: &str, map: &str) -> Option<String> {
    const ALL_USERS: u64 = u32::MAX as u64;
    let effective: u64 = proc_field(status, "Uid")?
        .split_ascii_whitespace()
        .nth(1)?
        .parse()
        .ok()?;
    if effective != 0 {
        return Some(format!("number {effective}, not root"));
    }
    let ranges: Vec<_> = map.lines().filter_map(range).collect();
    let mapped: u64 = ranges.iter().map(|(_, _, count)| count).sum();
    let outside = ranges
        .iter()
        .find(|(inside, ..)| *inside == 0)
        .map(|(_, outside, _)| outside);
    let lacking = lacking_rights(proc_field(status, "CapEff").unwrap_or_default());
    Some(match outside {
        Some(outside) if mapped < ALL_USERS => {
            let users = if mapped == 1 {
                "no other user is".to_owned()
            } else {
                format!("{mapped} users are")
            };
            format!(
                "root in a user namespace only: user {outside} outside, and {users} known \
                 here{lacking}"
            )
        }
        _ => format!("root{lacking}"),
    })
}

/// A line of a map of users. Source: user_namespaces(7).
pub(crate) fn range(line: &str) -> Option<(u64, u64, u64)> {
    let mut numbers = line.split_ascii_whitespace().map(|word| word.parse().ok());
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
}

/// The capabilities of root that a sandbox needs and that are missing, for example in a
/// container.
fn lacking_rights(capabilities: &str) -> String {
    // From linux/capability.h.
    const WANTED: [(u32, &str); 5] = [
        (5, "CAP_KILL"),
        (6, "CAP_SETGID"),
        (7, "CAP_SETUID"),
        (8, "CAP_SETPCAP"),
        (21, "CAP_SYS_ADMIN"),
    ];
    let Ok(held) = u64::from_str_radix(capabilities, 16) else {
        return String::new();
    };
    let lacking: Vec<_> = WANTED
        .iter()
        .filter(|(bit, _)| held >> bit & 1 == 0)
        .map(|(_, name)| *name)
        .collect();
    if lacking.is_empty() {
        String::new()
    } else {
        format!(", without {}", lacking.join(" "))
    }
}

/// A setting that may forbid user namespaces: its name, the value that does, one that
/// allows them, and what the former means.
type NamespaceSetting = (&'static str, u64, u64, &'static str);

const NAMESPACE_SETTINGS: [NamespaceSetting; 3] = [
    (
        "user.max_user_namespaces",
        0,
        65_536,
        "forbidden to everybody",
    ),
    (
        "kernel.unprivileged_userns_clone",
        0,
        1,
        "forbidden to all but root",
    ),
    (
        "kernel.apparmor_restrict_unprivileged_userns",
        1,
        0,
        "usable only by root",
    ),
];

/// The first setting that forbids user namespaces, if there is one.
pub(crate) fn forbidding_setting(files: &KernelFiles) -> Option<NamespaceSetting> {
    NAMESPACE_SETTINGS.into_iter().find(|(name, forbids, ..)| {
        files.number(&format!("/proc/sys/{}", name.replace('.', "/")))
            == Some(*forbids)
    })
}

/// Whether user namespaces can be made, as far as settings say so.
fn user_namespaces(files: &KernelFiles) -> String {
    if !files.exists("/proc/self/ns/user") {
        return "the kernel has none".to_owned();
    }
    match forbidding_setting(files) {
        Some((name, forbids, _, whom)) => format!("{whom} ({name} = {forbids})"),
        None => "no setting forbids them".to_owned(),
    }
}

/// The hierarchies of one version, and whether this process may make groups in them.
fn control_groups(files: &KernelFiles, version: u32) -> Option<String> {
    let hierarchies = CgroupHierarchy::all(files)
        .into_iter()
        .filter(|hierarchy| hierarchy.version == version);
    let (open, closed): (Vec<_>, Vec<_>) =
        hierarchies.partition(|hierarchy| files.may_change(&hierarchy.folder()));
    let part = |hierarchies: &[CgroupHierarchy], what| {
        let mut controllers: Vec<_> = hierarchies
            .iter()
            .flat_map(|hierarchy| hierarchy.controllers.clone())
            .collect();
        controllers.sort();
        let named = if controllers.is_empty() {
            "no controllers".to_owned()
        } else {
            controllers.join(" ")
        };
        (!hierarchies.is_empty()).then(|| format!("{named} ({what})"))
    };
    let parts: Vec<_> = [
        part(&open, "this process may make groups"),
        part(&closed, "it may make no groups"),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether this looks like a container. There is no certain way to know.
fn container(files: &KernelFiles) -> String {
    const FILES: [&str; 3] = [
        "/.dockerenv",
        "/run/.containerenv",
        "/run/systemd/container",
    ];
    const GROUPS: [&str; 5] = ["docker", "kubepods", "libpod", "containerd", "lxc"];
    if let Some(path) = FILES.into_iter().find(|path| files.exists(path)) {
        return format!("probably inside one: there is `{path}`");
    }
    let groups = files.text("/proc/1/cgroup").unwrap_or_default();
    match GROUPS.into_iter().find(|name| groups.contains(name)) {
        Some(name) => {
            format!(
                "probably inside one: the first process is in a control group of `{name}`"
            )
        }
        None => "no sign of one".to_owned(),
    }
}

/// The restrictions of this process, and so of all that it starts.
fn restrictions(status: &str) -> Option<String> {
    let filtered = match proc_field(status, "Seccomp")? {
        "0" => "no filter of system calls",
        "1" => "only four system calls (seccomp mode 1)",
        _ => "a filter of system calls (seccomp mode 2), which may forbid namespaces",
    };
    let rights = match proc_field(status, "NoNewPrivs")? {
        "0" => "",
        _ => ", cannot gain rights (no_new_privs)",
    };
    Some(format!("{filtered}{rights}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::processors::tests::fake_machine;

    const ROOT: &str = "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nNoNewPrivs:\t0\nSeccomp:\t0\n";
    const WHOLE: &str = "         0          0 4294967295";

    #[test]
    fn root_is_distinguished_from_root_of_a_namespace_or_of_a_container() {
        let told = |status: &str, map| user(status, map).unwrap();
        assert_eq!(told(ROOT, WHOLE), "root");
        assert_eq!(
            told(ROOT, "0 1000 1"),
            "root in a user namespace only: user 1000 outside, and no other user is known here"
        );
        assert_eq!(
            told(ROOT, "0 1000 1\n1 100000 65536"),
            "root in a user namespace only: user 1000 outside, and 65537 users are known here"
        );
        let docker = ROOT.replace("000001ffffffffff", "00000000a80425fb");
        assert_eq!(told(&docker, WHOLE), "root, without CAP_SYS_ADMIN");
        let plain = "Uid:\t0\t1000\t0\t0\n";
        assert_eq!(told(plain, WHOLE), "number 1000, not root");
        assert_eq!(user("", WHOLE), None);
    }

    #[test]
    fn the_setting_that_forbids_user_namespaces_is_named() {
        const THERE: (&str, &str) = ("/proc/self/ns/user", "");
        let told = |texts: &[(&str, &str)]| user_namespaces(&fake_machine(texts).1);
        assert_eq!(told(&[]), "the kernel has none");
        let free = [
            THERE,
            ("/proc/sys/user/max_user_namespaces", "9\n"),
            ("/proc/sys/kernel/unprivileged_userns_clone", "1\n"),
            (
                "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
                "0\n",
            ),
        ];
        assert_eq!(told(&free), "no setting forbids them");
        for (path, text, expected) in [
            (
                "/proc/sys/user/max_user_namespaces",
                "0",
                "forbidden to everybody (user.max_user_namespaces = 0)",
            ),
            (
                "/proc/sys/kernel/unprivileged_userns_clone",
                "0",
                "forbidden to all but root (kernel.unprivileged_userns_clone = 0)",
            ),
            (
                "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
                "1",
                "usable only by root (kernel.apparmor_restrict_unprivileged_userns = 1)",
            ),
        ] {
            assert_eq!(told(&[THERE, (path, text)]), expected);
        }
    }

    #[test]
    fn control_groups_are_listed_by_version_with_what_may_be_done_in_them() {
        let (_folder, files) = fake_machine(&[
            (
                "/proc/self/mountinfo",
                "1 1 0:1 / /cg/pids rw - cgroup cgroup rw,pids\n2 1 0:2 / /cg/memory rw - cgroup cgroup rw,memory\n\
                 3 1 0:3 / /gone rw - cgroup2 cgroup2 rw",
            ),
            ("/proc/self/cgroup", "2:pids:/\n1:memory:/\n0::/\n"),
            ("/cg/pids/tasks", ""),
            ("/cg/memory/tasks", ""),
        ]);
        assert_eq!(
            control_groups(&files, 1).as_deref(),
            Some("memory pids (this process may make groups)")
        );
        assert_eq!(
            control_groups(&files, 2).as_deref(),
            Some("no controllers (it may make no groups)")
        );
        assert_eq!(control_groups(&fake_machine(&[]).1, 1), None);
    }

    #[test]
    fn a_container_is_recognised_by_its_files_and_groups() {
        let told = |texts: &[(&str, &str)]| container(&fake_machine(texts).1);
        assert_eq!(
            told(&[("/proc/1/cgroup", "0::/init.scope\n")]),
            "no sign of one"
        );
        assert_eq!(
            told(&[("/.dockerenv", "")]),
            "probably inside one: there is `/.dockerenv`"
        );
        assert_eq!(
            told(&[("/proc/1/cgroup", "4:memory:/kubepods/besteffort/pod1\n")]),
            "probably inside one: the first process is in a control group of `kubepods`"
        );
    }

    #[test]
    fn the_restrictions_of_this_process_are_reported() {
        assert_eq!(
            restrictions(ROOT).as_deref(),
            Some("no filter of system calls")
        );
        assert_eq!(
            restrictions("NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n")
                .as_deref(),
            Some(
                "a filter of system calls (seccomp mode 2), which may forbid namespaces, cannot \
                 gain rights (no_new_privs)"
            )
        );
        assert_eq!(restrictions(""), None);
    }

    #[test]
    fn a_machine_without_kernel_files_has_few_rows_and_this_one_has_more() {
        let names = |files: &KernelFiles| {
            read(files).iter().map(|fact| fact.name).collect::<Vec<_>>()
        };
        assert_eq!(
            names(&fake_machine(&[]).1),
            ["user namespaces", "container", "processors"]
        );
        let here = names(&KernelFiles::of_this_machine());
        assert!(
            ["kernel", "user", "this process"]
                .iter()
                .all(|name| here.contains(name)),
            "{here:?}"
        );
    }
}
