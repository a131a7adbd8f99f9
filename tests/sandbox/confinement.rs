//! What a submission can access on the machine: files, devices, processes, the network.

use gridjudge_sandbox::{Exit, IsolationLevel};

use crate::fixture::{
    Fixture, LaunchExt, Linking, at_every_level, at_every_level_with_both_linkings,
    levels, limits,
};

/// What the root of a run may contain: the system's folders, folders of the run, and
/// alternative paths of the same.
const IN_A_ROOT: [&str; 13] = [
    "bin", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "sbin",
    "scratch", "snap", "usr",
];

/// The names in a folder that a submission can see.
fn listed(fixture: &Fixture, folder: &str) -> Vec<String> {
    let output =
        fixture.output_within(&fixture.action(&["list_folder", folder]), &limits());
    output.split_whitespace().map(str::to_owned).collect()
}

/// The exit code with which opening a hidden file fails: in a root of its own it does
/// not exist; otherwise Landlock refuses it.
fn exit_of_hidden(fixture: &Fixture) -> Exit {
    Exit::Code(if fixture.has_namespaces() {
        libc::ENOENT
    } else {
        libc::EACCES
    })
}

#[test]
fn the_answer_beside_the_input_cannot_be_read() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() && fixture.sandbox.guarantees().landlock == 0 {
            return;
        }
        answers_are_hidden(&fixture);
        // A file that was allowed can be read.
        let answer = fixture.put_plain("case.ans", b"42");
        let readable = fixture
            .action(&["open_file", &answer])
            .with_readable(&answer);
        assert_eq!(fixture.run_within(&readable, &limits()).exit, Exit::Code(0));
    });
}

#[test]
fn in_namespaces_the_answer_cannot_be_read_even_without_landlock() {
    for level in levels()
        .iter()
        .filter(|level| **level != IsolationLevel::Basic)
    {
        answers_are_hidden(&Fixture::with_landlock(*level, 0));
    }
}

#[track_caller]
fn answers_are_hidden(fixture: &Fixture) {
    let answer = fixture.put_plain("secret.ans", b"42");
    for folder in [
        answer.as_str(),
        "/home",
        "/root",
        "/var",
        env!("CARGO_MANIFEST_DIR"),
    ] {
        assert_eq!(
            fixture.run(&["open_file", folder]).exit,
            exit_of_hidden(fixture),
            "{folder}"
        );
    }
    assert_eq!(
        fixture.run(&["create_file", &format!("{answer}.new")]).exit,
        exit_of_hidden(fixture)
    );
}

#[test]
fn other_submissions_cannot_be_seen() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() && fixture.sandbox.guarantees().landlock == 0 {
            return;
        }
        let programs = fixture.sandbox.programs();
        let other = programs.join("other");
        std::fs::write(&other, "").unwrap();
        assert_eq!(
            fixture.run(&["open_file", other.to_str().unwrap()]).exit,
            exit_of_hidden(&fixture)
        );
        let folders = [fixture.sandbox.folder(), &programs]
            .map(|folder| folder.to_str().unwrap().to_owned());
        match (fixture.has_namespaces(), fixture.linking) {
            // Only the path to its own file is visible.
            (true, Linking::Dynamic) => {
                assert_eq!(
                    folders.map(|folder| listed(&fixture, &folder)),
                    [["programs"], ["actions"]]
                );
            }
            _ => {
                for folder in folders {
                    assert_eq!(
                        fixture.run(&["open_file", &folder]).exit,
                        exit_of_hidden(&fixture),
                        "{folder}"
                    );
                }
            }
        }
    });
}

#[test]
fn a_root_holds_what_a_program_needs_and_nothing_else() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() {
            assert_eq!(
                fixture.run(&["open_file", "/"]).exit,
                exit_of_hidden(&fixture)
            );
            return;
        }
        let root = listed(&fixture, "/");
        let devices = listed(&fixture, "/dev");
        assert!(devices.iter().all(|name| {
            ["full", "null", "random", "shm", "urandom", "zero"]
                .contains(&name.as_str())
        }));
        for missing in [
            "/proc",
            "/sys",
            "/etc/passwd",
            "/run",
            "/dev/tty",
            "/dev/ptmx",
        ] {
            assert_eq!(
                fixture.run(&["open_file", missing]).exit,
                exit_of_hidden(&fixture),
                "{missing}"
            );
        }
        if fixture.linking == Linking::Static {
            // Where the machine has the locale, it is there, too, and nothing beside
            // it.
            let mut expected = vec!["dev", "program", "scratch", "tmp"];
            if root.contains(&"usr".to_owned()) {
                expected.push("usr");
                assert_eq!(listed(&fixture, "/usr"), ["lib"]);
                assert_eq!(listed(&fixture, "/usr/lib"), ["locale"]);
                let locales = listed(&fixture, "/usr/lib/locale");
                assert!(
                    locales
                        .iter()
                        .all(|name| ["C.utf8", "C.UTF-8"].contains(&name.as_str())),
                    "{locales:?}"
                );
            }
            assert_eq!(root, expected);
            return;
        }
        let folder = fixture.sandbox.folder().to_str().unwrap();
        let way = folder.split('/').nth(1).unwrap();
        let is_expected = |name: &String| {
            IN_A_ROOT.contains(&name.as_str()) || name == way || name == "tmp"
        };
        assert!(root.iter().all(is_expected), "{root:?}");
        // A few machines do not have that file.
        let has_configuration = root.iter().any(|name| name == "etc");
        assert!(!has_configuration || listed(&fixture, "/etc") == ["ld.so.cache"]);
    });
}

#[test]
fn nothing_but_the_scratch_folder_can_be_written() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() && fixture.sandbox.guarantees().landlock == 0 {
            return;
        }
        for folder in [
            "/",
            "/dev/",
            "/usr/",
            "/etc/",
            fixture.sandbox.programs().to_str().unwrap(),
        ] {
            let exit = fixture.run(&["create_file", &format!("{folder}/new")]).exit;
            let refusals = [libc::EACCES, libc::EROFS, libc::ENOENT].map(Exit::Code);
            assert!(refusals.contains(&exit), "{folder}: {exit}");
        }
        assert_eq!(fixture.run(&["create_file", "new"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_runtime_sees_its_own_process_and_nothing_of_its_init() {
    at_every_level(1, |fixture| {
        if !fixture.has_namespaces() {
            return;
        }
        // A readable file that is not part of the submission makes the sandbox treat
        // the program as a runtime.
        let own = fixture.put_plain("own", b"");
        let launch = |action: &[&str]| fixture.action(action).with_readable(&own);
        let listed =
            fixture.output_within(&launch(&["list_folder", "/proc"]), &limits());
        let processes: Vec<_> = listed
            .split_whitespace()
            .filter(|name| name.parse::<u32>().is_ok())
            .collect();
        assert_eq!(processes, ["2"]);
        // Init shares the memory of its launcher.
        for file in ["maps", "mem", "environ", "fd/0", "root/", "cwd/"] {
            let run = fixture.run_within(
                &launch(&["open_file", &format!("/proc/1/{file}")]),
                &limits(),
            );
            assert!(
                [libc::EACCES, libc::ENOENT]
                    .map(Exit::Code)
                    .contains(&run.exit),
                "{file}: {}",
                run.exit
            );
        }
    });
}

#[test]
fn a_run_cannot_signal_other_processes() {
    at_every_level(1, |fixture| {
        let launchers = fixture.sandbox.launcher_ids();
        if fixture.has_namespaces() || fixture.sandbox.guarantees().landlock >= 6 {
            fixture.run(&["kill_all_processes"]);
            // An init ignores such a signal from its own namespace.
            assert_eq!(fixture.run(&["kill_parent"]).exit, Exit::Code(0));
        }
        assert_eq!(fixture.sandbox.launcher_ids(), launchers);
        // Submissions run as root only if the judge is root and cannot change its user.
        if fixture.has_namespaces()
            || fixture.sandbox.guarantees().own_user
            || !rustix::process::geteuid().is_root()
        {
            assert_eq!(fixture.run(&["become_root"]).exit, Exit::Code(0));
        }
    });
}

#[test]
fn no_socket_can_be_opened_except_pairs() {
    at_every_level_with_both_linkings(|fixture| {
        for family in [
            libc::AF_UNIX,
            libc::AF_INET,
            libc::AF_INET6,
            libc::AF_NETLINK,
            libc::AF_VSOCK,
        ] {
            let run = fixture.run(&["open_socket", &family.to_string()]);
            assert_eq!(run.exit, Exit::Code(libc::EACCES), "{family}");
        }
        assert_eq!(fixture.run(&["pair_sockets"]).exit, Exit::Code(0));
    });
}

/// From access times of shared files, a run could learn what another has read.
#[test]
fn reading_in_namespaces_does_not_change_access_times() {
    at_every_level(1, |fixture| {
        if !fixture.has_namespaces() {
            return;
        }
        let folder = fixture.folder("read");
        let file = std::fs::File::open(&folder).unwrap();
        let long_ago =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000);
        file.set_times(std::fs::FileTimes::new().set_accessed(long_ago))
            .unwrap();
        fixture.output_within(
            &fixture
                .action(&["list_folder", &folder])
                .with_readable(&folder),
            &limits(),
        );
        assert_eq!(file.metadata().unwrap().accessed().unwrap(), long_ago);
    });
}
