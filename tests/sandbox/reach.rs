//! What a submission can reach of the machine: files, devices, processes, the network.

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::IsolationLevel;

use crate::stage::Linked;
use crate::stage::Reading;
use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::at_every_level_linked_either_way;
use crate::stage::levels;
use crate::stage::limits;

/// What can be in a root: the system's folders, those of the run, and where programs look for it by another name.
const IN_A_ROOT: [&str; 13] =
    ["bin", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "sbin", "scratch", "snap", "usr"];

/// The names in a folder, as a submission sees them.
fn listed(stage: &Stage, folder: &str) -> Vec<String> {
    let output = stage.output_within(&stage.act(&["list_folder", folder]), &limits());
    output.split_whitespace().map(str::to_owned).collect()
}

/// The number of the error by which an open of what a run may not see fails: in a root of its own nothing else exists;
/// in the open it does, and Landlock says no.
fn hidden(stage: &Stage) -> Exit {
    Exit::Code(if stage.is_contained() { libc::ENOENT } else { libc::EACCES })
}

#[test]
fn the_answer_beside_the_input_is_out_of_reach() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() && stage.sandbox.guarantees().landlock == 0 {
            return;
        }
        answers_are_hidden(&stage);
        // What is granted can be read, whoever asks.
        let answer = stage.put_plain("case.ans", b"42");
        let readable = stage.act(&["open_file", &answer]).allowed(&answer);
        assert_eq!(stage.run_within(&readable, &limits()).exit, Exit::Code(0));
    });
}

#[test]
fn in_namespaces_the_answer_is_out_of_reach_without_landlock() {
    for level in levels().iter().filter(|level| **level != IsolationLevel::Basic) {
        answers_are_hidden(&Stage::with_landlock(*level, 0));
    }
}

#[track_caller]
fn answers_are_hidden(stage: &Stage) {
    let answer = stage.put_plain("secret.ans", b"42");
    for folder in [answer.as_str(), "/home", "/root", "/var", env!("CARGO_MANIFEST_DIR")] {
        assert_eq!(stage.run(&["open_file", folder]).exit, hidden(stage), "{folder}");
    }
    assert_eq!(stage.run(&["create_file", &format!("{answer}.new")]).exit, hidden(stage));
}

#[test]
fn other_submissions_are_out_of_sight() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() && stage.sandbox.guarantees().landlock == 0 {
            return;
        }
        let programs = stage.sandbox.programs();
        let other = programs.join("other");
        std::fs::write(&other, "").unwrap();
        assert_eq!(stage.run(&["open_file", other.to_str().unwrap()]).exit, hidden(&stage));
        let folders = [stage.sandbox.folder(), &programs].map(|folder| folder.to_str().unwrap().to_owned());
        match (stage.is_contained(), stage.linked) {
            // The way to its own file, and that.
            (true, Linked::Dynamically) => {
                assert_eq!(folders.map(|folder| listed(&stage, &folder)), [["programs"], ["acts"]]);
            }
            _ => {
                for folder in folders {
                    assert_eq!(stage.run(&["open_file", &folder]).exit, hidden(&stage), "{folder}");
                }
            }
        }
    });
}

#[test]
fn a_root_holds_what_a_program_needs_and_nothing_else() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() {
            assert_eq!(stage.run(&["open_file", "/"]).exit, hidden(&stage));
            return;
        }
        let root = listed(&stage, "/");
        let devices = listed(&stage, "/dev");
        assert!(
            devices.iter().all(|name| {
                ["full", "null", "random", "shm", "urandom", "zero"].contains(&name.as_str())
            })
        );
        for missing in ["/proc", "/sys", "/etc/passwd", "/run", "/dev/tty", "/dev/ptmx"] {
            assert_eq!(stage.run(&["open_file", missing]).exit, hidden(&stage), "{missing}");
        }
        if stage.linked == Linked::Statically {
            assert_eq!(root, ["dev", "program", "scratch", "tmp"]);
            return;
        }
        let folder = stage.sandbox.folder().to_str().unwrap();
        let way = folder.split('/').nth(1).unwrap();
        let is_expected = |name: &String| IN_A_ROOT.contains(&name.as_str()) || name == way || name == "tmp";
        assert!(root.iter().all(is_expected), "{root:?}");
        // A machine without that file is rare, and no worse.
        let has_configuration = root.iter().any(|name| name == "etc");
        assert!(!has_configuration || listed(&stage, "/etc") == ["ld.so.cache"]);
    });
}

#[test]
fn nothing_but_the_scratch_folder_can_be_written() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() && stage.sandbox.guarantees().landlock == 0 {
            return;
        }
        for folder in ["/", "/dev/", "/usr/", "/etc/", stage.sandbox.programs().to_str().unwrap()] {
            let exit = stage.run(&["create_file", &format!("{folder}/new")]).exit;
            let refusals = [libc::EACCES, libc::EROFS, libc::ENOENT].map(Exit::Code);
            assert!(refusals.contains(&exit), "{folder}: {exit}");
        }
        assert_eq!(stage.run(&["create_file", "new"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_runtime_sees_itself_and_not_its_init() {
    at_every_level(1, |stage| {
        if !stage.is_contained() {
            return;
        }
        // What is not of the submission itself is taken for a runtime.
        let own = stage.put_plain("own", b"");
        let launch = |act: &[&str]| stage.act(act).allowed(&own);
        let listed = stage.output_within(&launch(&["list_folder", "/proc"]), &limits());
        let processes: Vec<_> =
            listed.split_whitespace().filter(|name| name.parse::<u32>().is_ok()).collect();
        assert_eq!(processes, ["2"]);
        // Init lives on the memory of its launcher.
        for file in ["maps", "mem", "environ", "fd/0", "root/", "cwd/"] {
            let run = stage.run_within(&launch(&["open_file", &format!("/proc/1/{file}")]), &limits());
            assert!([libc::EACCES, libc::ENOENT].map(Exit::Code).contains(&run.exit), "{file}: {}", run.exit);
        }
    });
}

#[test]
fn a_run_cannot_signal_beyond_itself() {
    at_every_level(1, |stage| {
        let launchers = stage.sandbox.launcher_ids();
        if stage.is_contained() || stage.sandbox.guarantees().landlock >= 6 {
            stage.run(&["kill_all"]);
            // An init takes no such signal from its own namespace.
            assert_eq!(stage.run(&["kill_parent"]).exit, Exit::Code(0));
        }
        assert_eq!(stage.sandbox.launcher_ids(), launchers);
        // Only a root that cannot become another user has submissions run as root.
        if stage.is_contained()
            || stage.sandbox.guarantees().own_user
            || !rustix::process::geteuid().is_root()
        {
            assert_eq!(stage.run(&["become_root"]).exit, Exit::Code(0));
        }
    });
}

#[test]
fn there_are_no_sockets_but_pairs() {
    at_every_level_linked_either_way(|stage| {
        for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK, libc::AF_VSOCK] {
            let run = stage.run(&["open_socket", &family.to_string()]);
            assert_eq!(run.exit, Exit::Code(libc::EACCES), "{family}");
        }
        assert_eq!(stage.run(&["pair_sockets"]).exit, Exit::Code(0));
    });
}

/// The times of what all runs read would tell one what another has read.
#[test]
fn what_a_run_in_namespaces_reads_keeps_its_time_of_access() {
    at_every_level(1, |stage| {
        if !stage.is_contained() {
            return;
        }
        let folder = stage.folder("read");
        let file = std::fs::File::open(&folder).unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000);
        file.set_times(std::fs::FileTimes::new().set_accessed(long_ago)).unwrap();
        stage.output_within(&stage.act(&["list_folder", &folder]).allowed(&folder), &limits());
        assert_eq!(file.metadata().unwrap().accessed().unwrap(), long_ago);
    });
}
